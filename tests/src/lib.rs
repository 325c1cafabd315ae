//! Boundary tests: see the folders beside this one.

pub mod golden;
pub mod redo;
