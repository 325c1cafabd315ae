//! What leads from one playground to another.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Kind, Object};
use crate::cluster::Cluster;
use crate::playground::{Command, Playground};

/// The commands that make `now` what `then` is: its objects, its configuration, its seed.
///
/// Objects that are the same stay as they are, and with them the order of pods on their nodes; what comes back comes in
/// the order in which it stood in `then`. Classes and budgets that differ are deleted and created anew, since the API
/// server refuses some changes of them.
pub fn restore(now: &Playground, then: &Playground) -> Vec<Command> {
    let (wanted, there) = (objects(then.cluster()), objects(now.cluster()));
    let mut drops = Vec::new();
    for object in there.iter().rev() {
        let kept = then.cluster().get(object.kind(), &object.key());
        let anew = matches!(object.kind(), Kind::PriorityClass | Kind::PodDisruptionBudget);
        if kept.is_none_or(|kept| anew && kept != *object) {
            drops.push(Command::Drop(object.kind(), object.key()));
        }
    }
    let differs = |object: &Object| {
        now.cluster().get(object.kind(), &object.key()).is_none_or(|own| own != *object)
    };
    let mut commands = drops;
    commands.extend(wanted.into_iter().filter(differs).map(Command::Put));
    if now.configuration() != then.configuration() {
        commands.push(Command::Configure(Box::new(then.configuration().clone())));
    }
    if now.seed() != then.seed() {
        commands.push(Command::Reseed(then.seed()));
    }
    commands
}

/// Everything in a cluster; pods last, in the order in which they came.
fn objects(cluster: &Cluster) -> Vec<Object> {
    let nodes = cluster.node_slots().iter().filter_map(|slot| slot.node.clone());
    (nodes.map(Object::Node))
        .chain(cluster.objects_beside_nodes_and_pods())
        .chain(cluster.pods_by_age().map(|info| Object::Pod(Arc::clone(&info.pod))))
        .collect()
}
