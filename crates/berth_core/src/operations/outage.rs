//! A whole domain of nodes goes: its nodes are not reachable any more, or are lost for good.
//!
//! The node lifecycle controller taints a node that it hears nothing of
//! (`pkg/controller/nodelifecycle/node_lifecycle_controller.go`). Its pods stay until the taint eviction controller
//! removes them, five minutes later by default, so they stay here. A node that is deleted takes its pods with it
//! (`pkg/controller/podgc`), and their controllers make others.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{batch, pods_on, put_pod, replacement};
use crate::api::{Kind, Node, Object, ObjectKey, Taint, TaintEffect};
use crate::playground::{Command, Playground};

/// The taint of a node that nobody hears of.
pub const UNREACHABLE: &str = "node.kubernetes.io/unreachable";

/// The effects with which it comes.
const EFFECTS: [TaintEffect; 2] = [TaintEffect::NoSchedule, TaintEffect::NoExecute];

/// Whether a node is tainted as not reachable.
pub fn is_unreachable(node: &Node) -> bool {
    node.spec.taints.iter().any(|taint| taint.key == UNREACHABLE)
}

/// The nodes of these names are not reachable from now on, or are again.
pub fn reach(playground: &Playground, nodes: &[&str], reachable: bool, name: &str) -> Command {
    let cluster = playground.cluster();
    let mut commands = Vec::new();
    for node in nodes {
        let Some(node) = cluster.node_named(node).and_then(|idx| cluster.node(idx)?.node.clone())
        else {
            continue;
        };
        if is_unreachable(&node) != reachable {
            continue;
        }
        let mut node = (*node).clone();
        if reachable {
            node.spec.taints.retain(|taint| taint.key != UNREACHABLE);
        } else {
            for effect in EFFECTS {
                node.spec.taints.push(Taint {
                    key: UNREACHABLE.to_string(),
                    value: String::new(),
                    effect,
                });
            }
        }
        commands.push(Command::Put(Object::Node(Arc::new(node))));
    }
    batch(name, commands)
}

/// The nodes of these names are deleted, and their pods with them. What controllers make instead waits.
pub fn lose(playground: &Playground, nodes: &[&str], name: &str) -> Command {
    let mut trial = playground.scratch();
    let mut commands = Vec::new();
    let mut apply = |trial: &mut Playground, command: Command| {
        // What is put or dropped here is there.
        if trial.apply(command.clone()).is_ok() {
            commands.push(command);
        }
    };
    for node in nodes {
        for pod in pods_on(trial.cluster(), node) {
            let replacement = replacement::of(trial.cluster(), &pod);
            apply(&mut trial, Command::Drop(Kind::Pod, pod.metadata.key()));
            if let Some(pod) = replacement {
                apply(&mut trial, put_pod(pod));
            }
        }
        apply(&mut trial, Command::Drop(Kind::Node, ObjectKey::new("", *node)));
    }
    batch(name, commands)
}
