//! What is drawn: one component a file, from plain view data.

mod action_bar;
mod board;
mod capacity;
mod export_panel;
mod gauge;
mod icon;
mod import_panel;
mod inspector;
mod node_card;
mod pod_chip;
mod problem_list;
mod stepper;
mod sum;
mod tile;
mod top_bar;
mod tray;
mod verdict_footer;
mod zone;

pub use action_bar::ActionBar;
pub use board::Board;
pub use capacity::Capacity;
pub use export_panel::ExportPanel;
pub use gauge::Gauge;
pub use icon::{Icon, Shape};
pub use import_panel::ImportPanel;
pub use inspector::{Inspector, InspectorProps};
pub use node_card::{NodeCard, speak};
pub use pod_chip::PodChip;
pub use problem_list::ProblemList;
pub use stepper::Stepper;
pub use sum::{EquationChip, Sum};
pub use tile::Tile;
pub use top_bar::TopBar;
pub use tray::Tray;
pub use verdict_footer::VerdictFooter;
pub use zone::Zone;
