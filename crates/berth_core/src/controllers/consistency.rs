//! Whether a controller has heard of its own writes.
//!
//! Mirrors `RealConsistencyStore` of `pkg/controller/util/consistency`: a controller whose cache is older than what it
//! wrote itself tries again a little later.

use crate::api::{Kind, Object, ObjectKey};
use crate::collections::Map;
use crate::simulation::Change;
use crate::simulation::server::ApiError;

/// What a controller wrote on behalf of each workload, and what it has heard of.
#[derive(Clone, Debug, Default)]
pub(super) struct Consistency {
    written: Map<ObjectKey, Written>,
    heard: Map<Kind, u64>,
}

#[derive(Clone, Debug)]
struct Written {
    uid: alloc::string::String,
    versions: Map<Kind, u64>,
}

impl Consistency {
    /// The controller has heard of a write.
    pub(super) fn heard(&mut self, change: &Change) {
        self.heard.insert(change.object.kind(), version(&change.object));
    }

    /// The controller has written something on behalf of a workload.
    pub(super) fn wrote(&mut self, workload: &ObjectKey, uid: &str, object: &Object) {
        let fresh = || Written { uid: uid.into(), versions: Map::default() };
        let written = self.written.get_or_insert_with(workload.clone(), fresh);
        if written.uid != uid {
            *written = fresh();
        }
        let last = written.versions.or_default(object.kind());
        *last = version(object).max(*last);
    }

    /// Forgets what was written on behalf of a workload; of the one with this identity, if it is not empty.
    pub(super) fn clear(&mut self, workload: &ObjectKey, uid: &str) {
        let is_meant = |written: &Written| uid.is_empty() || written.uid == uid;
        if self.written.get(workload).is_some_and(is_meant) {
            self.written.remove(workload);
        }
    }

    /// Fails if anything that was written on behalf of a workload has not been heard of.
    pub(super) fn ensure_ready(&mut self, workload: &ObjectKey) -> Result<(), ApiError> {
        let Some(written) = self.written.get(workload) else { return Ok(()) };
        for (kind, wrote) in &written.versions {
            if self.heard.get(kind).is_none_or(|read| read < wrote) {
                return Err(ApiError::Stale(*kind, workload.name.clone()));
            }
        }
        self.written.remove(workload);
        Ok(())
    }
}

fn version(object: &Object) -> u64 {
    object.metadata().resource_version.parse().unwrap_or(0)
}
