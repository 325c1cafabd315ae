//! `berth`: the engine in a terminal.
fn main() {}
