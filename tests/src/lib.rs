//! Boundary tests: see the folders beside this one.

pub mod golden;
mod playground;
pub mod redo;

pub use playground::{object, playground};
