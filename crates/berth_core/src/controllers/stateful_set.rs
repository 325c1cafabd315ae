//! StatefulSets: pods with numbers, one after the other.

mod controller;
mod revisions;
mod update;

pub use controller::StatefulSetController;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::ToString;

use super::expansion::State;
use super::names::template_hash;
use super::wanted;
use crate::api::{ObjectKey, Workload};

/// Gives a StatefulSet the pods whose numbers are missing.
pub(super) fn stateful_set(state: &mut State, set: &Workload) {
    let Some(selector) = state.selector(set, &set.template.labels) else { return };
    let own = state.own_pods(set, &selector).len() as u32;
    let key = |ordinal: i64| {
        ObjectKey::new(set.metadata.namespace.clone(), format!("{}-{ordinal}", set.metadata.name))
    };
    let first = i64::from(set.first_ordinal.max(0));
    let ordinals = || first..first + i64::from(wanted(set));
    let count = if wanted(set) > super::MOST_PODS {
        wanted(set)
    } else {
        ordinals().filter(|ordinal| !state.has_pod(&key(*ordinal))).count() as u32
    };
    if !state.may_make(set, own, count) {
        return;
    }
    let hash = template_hash(state.seed(), &set.template);
    for ordinal in ordinals() {
        let name = key(ordinal);
        if state.has_pod(&name) {
            continue;
        }
        let mut labels = set.template.labels.clone();
        labels.insert("statefulset.kubernetes.io/pod-name".to_owned(), name.name.clone());
        labels.insert("apps.kubernetes.io/pod-index".to_owned(), ordinal.to_string());
        let revision = format!("{}-{hash}", set.metadata.name);
        labels.insert("controller-revision-hash".to_owned(), revision);
        state.make_pod(set, name.name, labels, set.template.spec.clone());
    }
    state.line(set, own, count, (own + count).saturating_sub(wanted(set)), None);
}
