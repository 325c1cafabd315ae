//! NodeUnschedulable: cordoned nodes are for pods that tolerate it.
//!
//! Mirrors `pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go`.

pub mod hint;

use alloc::string::String;

use crate::api::{Taint, TaintEffect};
use crate::cluster::NodeInfo;
use crate::framework::fact::{Fact, Sink};
use crate::framework::state::Context;
use crate::framework::status::Code;
use crate::plugins::taint_toleration::find_toleration;

/// Refuses a cordoned node unless the pod tolerates the taint that cordoning stands for.
pub fn filter<S: Sink>(cx: &Context<'_>, node: &NodeInfo, sink: &mut S) -> Code {
    if !node.node.as_ref().is_some_and(|node| node.spec.unschedulable) {
        return Code::Success;
    }
    let tolerated = find_toleration(&cx.pod.pod.spec.tolerations, &cordon()).is_some();
    sink.fact(|| Fact::Cordoned { tolerated });
    if tolerated { Code::Success } else { Code::UnschedulableAndUnresolvable }
}

/// The taint that cordoning stands for.
fn cordon() -> Taint {
    Taint {
        key: "node.kubernetes.io/unschedulable".into(),
        value: String::new(),
        effect: TaintEffect::NoSchedule,
    }
}
