//! Quantities.
/// A quantity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quantity;
