//! Services: scheduling reads their selector.

use super::{Labels, ObjectMeta};

/// A Service (`v1.Service`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Service {
    /// Name and namespace.
    pub metadata: ObjectMeta,
    /// Labels of the pods behind it; empty selects none.
    pub selector: Labels,
}
