//! ImageLocality: nodes that already have the images.
//!
//! Mirrors `pkg/scheduler/framework/plugins/imagelocality/image_locality.go`.

use alloc::string::String;
use alloc::vec::Vec;

use crate::api::{Pod, VolumeSource};
use crate::cluster::{Cluster, NodeInfo, StrId};
use crate::framework::fact::{Fact, Sink};
use crate::framework::normalize::to_integer;
use crate::framework::profile::MAX_NODE_SCORE;

const MB: i64 = 1024 * 1024;
const MIN_THRESHOLD: i64 = 23 * MB;
const MAX_CONTAINER_THRESHOLD: i64 = 1000 * MB;

/// The images that the pod needs.
#[derive(Clone, Debug)]
pub struct State {
    /// Images that at least one node knows of, once for each use.
    images: Vec<StrId>,
    containers: i64,
    nodes: i64,
}

/// Looks the images up.
pub fn prepare(cluster: &Cluster, pod: &Pod) -> State {
    let containers = || pod.spec.init_containers.iter().chain(&pod.spec.containers);
    let volumes = pod.spec.volumes.iter().filter_map(|volume| match &volume.source {
        VolumeSource::Image(reference) => Some(reference),
        _ => None,
    });
    let images = containers()
        .map(|container| &container.image)
        .chain(volumes)
        .filter_map(|image| cluster.strings().find(&normalized(image)))
        .collect();
    State {
        images,
        containers: containers().count() as i64,
        nodes: i64::from(cluster.node_count()),
    }
}

/// A name without a tag means `latest`.
fn normalized(image: &str) -> String {
    if image.rfind(':') <= image.rfind('/') {
        alloc::format!("{image}:latest")
    } else {
        image.into()
    }
}

/// Sums the sizes of the images that are there, each scaled down by how few nodes have it.
pub fn score<S: Sink>(state: &State, cluster: &Cluster, node: &NodeInfo, sink: &mut S) -> i64 {
    let mut sum = 0_i64;
    for wanted in &state.images {
        let Some(image) = node.images.iter().find(|image| image.name == *wanted) else { continue };
        let spread = image.nodes as f64 / state.nodes as f64;
        let scaled = to_integer(image.size as f64 * spread);
        sink.fact(|| Fact::Image {
            name: cluster.strings().shared(*wanted),
            size: image.size,
            nodes: image.nodes,
            of: state.nodes,
            scaled,
        });
        sum = sum.wrapping_add(scaled);
    }
    sink.fact(|| Fact::ImageContainers { containers: state.containers });
    let max = MAX_CONTAINER_THRESHOLD * state.containers;
    let clamped = if sum < MIN_THRESHOLD { MIN_THRESHOLD } else { sum.min(max) };
    MAX_NODE_SCORE.wrapping_mul(clamped - MIN_THRESHOLD) / (max - MIN_THRESHOLD)
}
