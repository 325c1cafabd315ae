//! What the API server does with requests about pods that exist.
//!
//! Each function takes the objects as they are stored and says what becomes of them; storing is the caller's.

pub mod deletion;
pub mod eviction;
pub mod preconditions;

pub use deletion::{Graceful, Moment, Refused, before_delete};
pub use eviction::{Charge, Deletion, Evicted, NotAllowed, Refusal, evict};
pub use preconditions::{Conflict, DeleteOptions, Precondition, Preconditions};
