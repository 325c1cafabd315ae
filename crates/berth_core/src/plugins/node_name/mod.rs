//! NodeName: a pod that names a node goes nowhere else.
//!
//! Mirrors `pkg/scheduler/framework/plugins/nodename/node_name.go`.

use crate::cluster::NodeInfo;
use crate::framework::fact::{Fact, Sink};
use crate::framework::state::Context;
use crate::framework::status::Code;

/// Refuses every node but the one in `spec.nodeName`.
pub fn filter<S: Sink>(cx: &Context<'_>, node: &NodeInfo, sink: &mut S) -> Code {
    let wanted = &cx.pod.pod.spec.node_name;
    if wanted.is_empty() {
        return Code::Success;
    }
    let matches = **wanted == *node.name;
    sink.fact(|| Fact::NodeName { matches });
    if matches { Code::Success } else { Code::UnschedulableAndUnresolvable }
}
