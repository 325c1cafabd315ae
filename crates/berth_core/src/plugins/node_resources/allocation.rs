//! What a pod and a node count as, resource by resource, in the order of the arguments.
//!
//! Mirrors `resource_allocation.go`.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Quantity, ResourceList};
use crate::cluster::resources::is_scalar_resource;
use crate::cluster::{Cluster, NodeInfo, StrId};
use crate::framework::config::ResourceSpec;

#[derive(Clone, Copy, Debug)]
enum Which {
    Cpu,
    Memory,
    EphemeralStorage,
    Scalar(StrId),
    /// A name that nodes do not count.
    None,
}

/// A resource that counts for a score.
#[derive(Clone, Debug)]
pub struct ScoredResource {
    /// Name.
    pub name: Arc<str>,
    /// Weight.
    pub weight: i64,
    /// What the pod counts as: thousandths of a core, or units.
    pub request: i64,
    which: Which,
    scalar_name: bool,
}

/// What a resource of a node comes to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Amounts {
    /// With the pod.
    pub requested: i64,
    /// Without it.
    pub allocated: i64,
    /// What the node can give; 0 leaves the resource out.
    pub capacity: i64,
}

impl ScoredResource {
    /// The node's amounts. `requested` picks the real requests rather than those that scoring
    /// makes up for containers that ask for nothing.
    pub fn amounts(&self, node: &NodeInfo, requested: bool) -> Amounts {
        if self.request == 0 && self.scalar_name {
            return Amounts::default();
        }
        let (capacity, allocated) = match self.which {
            Which::Cpu if requested => (node.allocatable.milli_cpu, node.requested.milli_cpu),
            Which::Cpu => (node.allocatable.milli_cpu, node.non_zero_milli_cpu),
            Which::Memory if requested => (node.allocatable.memory, node.requested.memory),
            Which::Memory => (node.allocatable.memory, node.non_zero_memory),
            Which::EphemeralStorage => {
                (node.allocatable.ephemeral_storage, node.requested.ephemeral_storage)
            }
            Which::Scalar(id) => match node.allocatable.scalar(id) {
                Some(capacity) => (capacity, node.requested.scalar(id).unwrap_or(0)),
                None => (0, 0),
            },
            Which::None => (0, 0),
        };
        if capacity == 0 {
            return Amounts::default();
        }
        Amounts { requested: allocated.wrapping_add(self.request), allocated, capacity }
    }
}

/// Resources that count for a score.
#[derive(Clone, Debug)]
pub struct ScoredResources(Vec<ScoredResource>);

impl ScoredResources {
    /// The resources of the arguments, with the pod's share of each.
    pub fn new(cluster: &mut Cluster, specs: &[ResourceSpec], requests: &ResourceList) -> Self {
        let one = |spec: &ResourceSpec| {
            let name = spec.name.as_str();
            let quantity = requests.get(name);
            let which = match name {
                "cpu" => Which::Cpu,
                "memory" => Which::Memory,
                "ephemeral-storage" => Which::EphemeralStorage,
                _ if is_scalar_resource(name) => Which::Scalar(cluster.intern(name)),
                _ => Which::None,
            };
            let request = match which {
                Which::Cpu => quantity.map_or(0, Quantity::milli_value),
                _ => quantity.map_or(0, Quantity::value),
            };
            ScoredResource {
                name: Arc::from(name),
                weight: spec.weight,
                request,
                which,
                scalar_name: matches!(which, Which::Scalar(_)),
            }
        };
        Self(specs.iter().map(one).collect())
    }

    /// The resources in order.
    pub fn as_slice(&self) -> &[ScoredResource] {
        &self.0
    }

    /// Whether the pod asks for none of them.
    pub fn is_best_effort(&self) -> bool {
        self.0.iter().all(|resource| resource.request == 0)
    }
}
