//! The garbage collector: what a deleted object owned alone is deleted too, in the background.

use alloc::string::String;
use alloc::vec::Vec;

use super::server::{Action, Change, Server};
use crate::apiserver::DeleteOptions;
use crate::queue::Instant;

/// How long after a deletion the collector acts on it, in nanoseconds.
const LAG: i64 = 50_000;

/// Whose dependents are to go after a write, and when.
pub(super) fn observe(change: &Change) -> Option<(Instant, String)> {
    let owner = &change.object.metadata().uid;
    (change.action == Action::Deleted).then(|| (change.at.after(LAG), owner.clone()))
}

/// Deletes what an object owned alone.
pub(super) fn collect(owner: &str, server: &mut Server) {
    let mut dependents = Vec::new();
    for object in server.objects().iter() {
        if let [only] = &*object.metadata().owner_references
            && only.uid == owner
        {
            dependents.push((object.kind(), object.key()));
        }
    }
    for (kind, key) in dependents {
        // Whoever was faster, it is gone.
        let _ = server.delete(kind, &key, &DeleteOptions::default());
    }
}
