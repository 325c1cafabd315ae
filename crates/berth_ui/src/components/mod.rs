//! What is drawn, from plain view data: one piece of the page a file.
//!
//! What is drawn many times or holds a reference to the document is a component, so that it is drawn
//! again only when its own data changes; the rest are functions, which cost nothing in the module.

mod action_bar;
mod bar;
mod board;
mod capacity;
mod choice;
pub(crate) mod dialog;
mod entry;
mod gallery;
mod gauge;
mod icon;
mod import_panel;
mod inspector;
mod node_card;
mod pod_chip;
mod preemption;
mod problem_list;
mod rules;
mod stepper;
mod sum;
mod tile;
mod top_bar;
mod tray;
mod verdict_footer;
mod zone;
mod zone_switch;

pub use action_bar::action_bar;
pub use bar::Bar;
pub use board::board;
pub use capacity::capacity;
pub use choice::choice;
pub(crate) use dialog::use_dialog;
pub use entry::{Entry, changed, entry, wrong};
pub use gallery::{Gallery, GalleryEntry, GalleryProps};
pub use gauge::gauge;
pub use icon::{Shape, icon, small_icon};
pub use import_panel::{ImportPanel, ImportPanelProps};
pub use inspector::{Inspector, InspectorProps, Panel, score_panel};
pub use node_card::{NodeCard, NodeCardProps, speak};
pub use pod_chip::{PodChip, PodChipProps};
pub use preemption::{PreemptionPanel, PreemptionPanelProps};
pub use problem_list::problem_list;
pub use rules::{RulesPanel, RulesPanelProps};
pub use stepper::{Stepper, stepper};
pub use sum::{column_sum, equation_chip};
pub(crate) use tile::app_class;
pub use tile::tile;
pub use top_bar::top_bar;
pub use tray::tray;
pub use verdict_footer::{Offer, verdict_footer};
pub use zone_switch::zone_switch;
