//! What plugins are given to say whether an event could make a pod schedulable.
//!
//! Mirrors `QueueingHintFn` of `k8s.io/kube-scheduler/framework/types.go`. A function that could end in an
//! error answers that the pod is to be woken, as the queue takes it there.

use crate::cluster::{Cluster, PodInfo};
use crate::framework::profile::Profile;

/// The pod that the plugin refused, and where.
#[derive(Debug)]
pub struct HintContext<'a> {
    /// The cluster after the event.
    pub cluster: &'a mut Cluster,
    /// The pod's profile.
    pub profile: &'a Profile,
    /// The pod.
    pub pod: &'a PodInfo,
}
