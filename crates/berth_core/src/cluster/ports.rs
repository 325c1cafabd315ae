//! Host ports in use on a node.
//!
//! Mirrors `HostPortInfo` of `k8s.io/kube-scheduler/framework/types.go`: a set, so when two pods
//! hold the same port the first to go frees it.

use alloc::vec::Vec;

use super::{PodInfo, StrId, Strings};
use crate::api::{Container, ContainerPort, Pod, Protocol, RestartPolicy};

/// An address, protocol and port on a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostPort {
    /// Address; every address if none.
    pub ip: Option<StrId>,
    /// Protocol.
    pub protocol: Protocol,
    /// Port.
    pub port: i32,
}

impl HostPort {
    fn new(port: &ContainerPort, strings: &mut Strings) -> Self {
        let ip = match port.host_ip.as_str() {
            "" | "0.0.0.0" => None,
            ip => Some(strings.intern(ip)),
        };
        Self { ip, protocol: port.protocol, port: port.host_port }
    }

    /// Whether both cannot be held at once on one node.
    pub fn conflicts(self, other: Self) -> bool {
        self.protocol == other.protocol
            && self.port == other.port
            && (self.ip.is_none() || other.ip.is_none() || self.ip == other.ip)
    }
}

/// The host ports that a pod takes, sidecars included (`GetHostPorts`).
pub fn host_ports(pod: &Pod, strings: &mut Strings) -> Vec<HostPort> {
    let sidecars = pod
        .spec
        .init_containers
        .iter()
        .filter(|container| container.restart_policy == Some(RestartPolicy::Always));
    ports_of(sidecars.chain(&pod.spec.containers), strings)
}

fn ports_of<'a>(
    containers: impl Iterator<Item = &'a Container>,
    strings: &mut Strings,
) -> Vec<HostPort> {
    containers
        .flat_map(|container| &container.ports)
        .filter(|port| port.host_port > 0)
        .map(|port| HostPort::new(port, strings))
        .collect()
}

/// The ports that pods hold, each once.
pub fn of_pods<'a>(pods: impl Iterator<Item = &'a PodInfo>) -> Vec<HostPort> {
    let mut held = Vec::new();
    for port in pods.flat_map(|pod| &pod.host_ports) {
        if !held.contains(port) {
            held.push(*port);
        }
    }
    held
}
