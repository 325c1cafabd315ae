//! What an operator does to a cluster in one step: [`drain`] a node, [`scale`] a workload, take a whole domain of nodes
//! down ([`outage`]).
//!
//! Each looks at a playground and gives one command, which does it all and is taken back at once. Nothing runs here: what
//! controllers would do in the course of time is part of the command.

pub mod drain;
pub mod outage;
mod replacement;
pub mod scale;
#[cfg(test)]
mod tests;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Object, Pod};
use crate::cluster::Cluster;
use crate::playground::Command;

/// Puts a pod.
fn put_pod(pod: Pod) -> Command {
    Command::Put(Object::Pod(Arc::new(pod)))
}

/// Several commands that are one to the user.
fn batch(name: &str, commands: Vec<Command>) -> Command {
    Command::Batch { name: name.into(), commands }
}

/// The pods on a node, in the order of their names.
fn pods_on(cluster: &Cluster, node: &str) -> Vec<Arc<Pod>> {
    let mut pods: Vec<Arc<Pod>> = Vec::new();
    for (_, info) in cluster.pods() {
        if info.pod.spec.node_name == node {
            pods.push(Arc::clone(&info.pod));
        }
    }
    crate::collections::sort_by(&mut pods, |a, b| {
        let name = |pod: &Pod| -> (String, String) {
            (pod.metadata.namespace.clone(), pod.metadata.name.clone())
        };
        name(a).cmp(&name(b))
    });
    pods
}
