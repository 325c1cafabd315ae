//! NodePorts: a host port can be held once.
//!
//! Mirrors `pkg/scheduler/framework/plugins/nodeports/node_ports.go`.

pub mod hint;

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::cluster::{HostPort, NodeInfo, PodInfo, StrId};
use crate::framework::fact::{Fact, PortInUse, Sink};
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
        sink.fact(|| Fact::HostPort {
            index: index as u32,
            ip: wanted.ip.map(|ip| text(cx, ip)),
            protocol: wanted.protocol,
            port: wanted.port,
            free,
            in_use: in_use(cx, node, wanted.port),
        });
        if !free {
            return Code::Unschedulable;
        }
    }
    Code::Success
}

/// Who holds a port number on a node.
fn in_use(cx: &Context<'_>, node: &NodeInfo, port: i32) -> Vec<PortInUse> {
    let holders = |used: HostPort| {
        let pods = node.pods.iter().filter_map(|idx| cx.cluster.pod(*idx));
        pods.filter(|pod| pod.host_ports.contains(&used)).map(PodInfo::key).collect()
    };
    let used = node.ports.iter().filter(|used| used.port == port);
    used.map(|used| PortInUse {
        ip: used.ip.map(|ip| text(cx, ip)),
        protocol: used.protocol,
        pods: holders(*used),
    })
    .collect()
}

fn text(cx: &Context<'_>, id: StrId) -> Arc<str> {
    cx.cluster.strings().shared(id)
}
