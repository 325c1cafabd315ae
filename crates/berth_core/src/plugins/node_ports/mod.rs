//! NodePorts: a host port can be held once.
//!
//! Mirrors `pkg/scheduler/framework/plugins/nodeports/node_ports.go`.

use crate::cluster::{NodeInfo, PodInfo};
use crate::framework::fact::{Fact, Sink};
use crate::framework::state::{Context, PreFilter};
use crate::framework::status::Code;

/// Nothing but the pod's own ports is needed.
#[derive(Clone, Copy, Debug)]
pub struct PreFilterState;

/// Skips pods without host ports.
pub fn pre_filter(pod: &PodInfo) -> PreFilter<PreFilterState> {
    if pod.host_ports.is_empty() { PreFilter::Skip } else { PreFilter::Ready(PreFilterState) }
}

/// Refuses a node on which a wanted port is taken.
pub fn filter<S: Sink>(
    _: &PreFilterState,
    cx: &Context<'_>,
    node: &NodeInfo,
    sink: &mut S,
) -> Code {
    for (index, wanted) in cx.pod.host_ports.iter().enumerate() {
        let free = !node.ports.iter().any(|used| wanted.conflicts(*used));
        sink.fact(|| Fact::HostPort { index: index as u32, port: wanted.port, free });
        if !free {
            return Code::Unschedulable;
        }
    }
    Code::Success
}
