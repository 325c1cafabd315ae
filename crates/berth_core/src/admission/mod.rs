//! What the API server does to an object before it keeps it: defaults, and the admission plugins that bear on
//! scheduling.

pub mod defaults;
pub mod priority;
