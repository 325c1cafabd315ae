//! Objects that are read back: nothing is defaulted that their encoding says.

use std::sync::Arc;

use berth_core::api::Object;

use super::{Cx, Finding, Path, node, pod, policy, type_of, workload, workload_kind};
use crate::tree::Node;

/// Decodes an object that [`encode`](crate::export::encode) wrote, with every field as it is there.
pub(crate) fn stored(tree: &Node<'_>) -> Result<Object, Vec<Finding>> {
    let mut cx = Cx::default();
    let object = object(&mut cx, tree);
    match (object, cx.finish()) {
        (Some(object), (_, false)) => Ok(object),
        (_, (findings, _)) => Err(findings),
    }
}

fn object(cx: &mut Cx, tree: &Node<'_>) -> Option<Object> {
    let at = &Path::Root;
    let (version, kind) = type_of(tree);
    let (version, kind) = (version.unwrap_or_default(), kind.unwrap_or_default());
    Some(match (version, kind) {
        ("v1", "Node") => Object::Node(Arc::new(node::node(cx, at, tree))),
        ("v1", "Pod") => Object::Pod(Arc::new(pod::pod(cx, at, tree))),
        ("v1", "Namespace") => Object::Namespace(Arc::new(node::namespace(cx, at, tree))),
        ("v1", "Service") => Object::Service(Arc::new(policy::service(cx, at, tree))),
        ("scheduling.k8s.io/v1", "PriorityClass") => {
            Object::PriorityClass(Arc::new(policy::priority_class(cx, at, tree)))
        }
        ("policy/v1", "PodDisruptionBudget") => {
            Object::PodDisruptionBudget(Arc::new(policy::pod_disruption_budget(cx, at, tree)))
        }
        _ => {
            let Some(found) = workload_kind(version, kind) else {
                cx.error(at, tree, format!("no object of kind {kind:?} in {version:?}"));
                return None;
            };
            Object::Workload(Arc::new(workload::workload(cx, at, tree, found)))
        }
    })
}
