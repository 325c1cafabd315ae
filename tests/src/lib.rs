//! Boundary tests: see the folders beside this one.
