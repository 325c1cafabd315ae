//! Everything the project does with itself.
fn main() {}
