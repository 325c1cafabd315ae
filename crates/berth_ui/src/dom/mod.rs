//! The browser, seen through a few small functions.
//!
//! All of them start from an element the page rendered and go up to its root node, so that they
//! work in a document and in a shadow root alike.

mod editor;
mod file;
mod focus;
mod hit;
mod keep;
mod listen;
mod memory;
pub mod pointer;
mod style;
mod task;
mod typing;

pub use editor::hand_over;
pub use file::{Opened, TooLarge, fetched, read_files, save};
pub use focus::{
    copy, copy_text, corner, each, focus, focus_at, focus_beside, has_selection, into_sight,
    is_typing, mark, pasted, print, reveal, select_range, show, typed_into, walk_table,
};
pub use hit::{Cells, closest, hit, scroll_at_edge};
pub use keep::{KEPT, address, fragment, has_link, on_link};
pub use listen::Listener;
pub use memory::{forget, forget_all, language, remember, remembered};
pub use style::{adopt, set_css, use_css};
pub use task::{breathe, frame, pause, prefers_still, spawn};
pub use typing::{byte_offset, to_end_of, to_line, to_top, type_in};
