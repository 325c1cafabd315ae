//! The quality-of-service class of a pod.
//!
//! Mirrors `ComputePodQOS` of `pkg/apis/core/helper/qos` and `pkg/apis/core/v1/helper/qos`: the two differ only in
//! whether the pod that they get has been defaulted.

use alloc::string::ToString;

use super::{Pod, Quantity, ResourceList, ResourceRequirements};

/// How safe a pod is when its node runs short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QosClass {
    /// CPU and memory are limited everywhere, and requested to the full limit.
    Guaranteed,
    /// Something is requested or limited.
    Burstable,
    /// Nothing is requested or limited.
    BestEffort,
}

impl QosClass {
    /// The API's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Guaranteed => "Guaranteed",
            Self::Burstable => "Burstable",
            Self::BestEffort => "BestEffort",
        }
    }
}

/// The class of a pod. Only CPU and memory count, and only above 0; the pod's own resources, where it has any, count
/// in place of its containers'.
#[must_use]
pub fn compute_qos(pod: &Pod) -> QosClass {
    let (mut requests, mut limits) = (ResourceList::new(), ResourceList::new());
    let mut limited = true;
    match &pod.spec.resources {
        Some(ResourceRequirements { requests: pod_requests, limits: pod_limits }) => {
            add(&mut requests, pod_requests);
            // A pod without any limits of its own is not held to the two: its requests decide.
            limited = pod_limits.is_empty() || add(&mut limits, pod_limits) == COUNTED.len();
        }
        None => {
            for container in pod.spec.containers.iter().chain(&pod.spec.init_containers) {
                add(&mut requests, &container.resources.requests);
                limited &= add(&mut limits, &container.resources.limits) == COUNTED.len();
            }
        }
    }
    if requests.is_empty() && limits.is_empty() {
        QosClass::BestEffort
    } else if limited && requests == limits {
        QosClass::Guaranteed
    } else {
        QosClass::Burstable
    }
}

const COUNTED: [&str; 2] = ["cpu", "memory"];

/// Adds what counts to the sums, and says how many resources that were.
fn add(sums: &mut ResourceList, list: &ResourceList) -> usize {
    let counted = COUNTED.iter().filter_map(|name| Some((name, list.get(*name)?)));
    let mut found = 0;
    for (name, quantity) in counted.filter(|(_, quantity)| quantity.sign() > 0) {
        sums.get_or_insert_with(name.to_string(), Quantity::zero).add(quantity);
        found += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Container;

    fn list(text: &str) -> ResourceList {
        let entries = text.split_whitespace().filter_map(|entry| entry.split_once('='));
        entries.map(|(k, v)| (k.to_string(), Quantity::parse(v).expect("a quantity"))).collect()
    }

    fn resources((requests, limits): (&str, &str)) -> ResourceRequirements {
        ResourceRequirements { requests: list(requests), limits: list(limits) }
    }

    fn class(containers: &[(&str, &str)], pod: Option<(&str, &str)>) -> QosClass {
        let container =
            |r: &(&str, &str)| Container { resources: resources(*r), ..Container::default() };
        let mut out = Pod::default();
        out.spec.containers = containers.iter().map(container).collect();
        out.spec.resources = pod.map(resources);
        compute_qos(&out)
    }

    #[test]
    fn by_containers() {
        const FULL: (&str, &str) = ("cpu=1 memory=1Gi", "cpu=1 memory=1Gi");
        for (containers, want) in [
            (&[][..], QosClass::BestEffort),
            (&[("", "")], QosClass::BestEffort),
            (&[("ephemeral-storage=1Gi", "cpu=0")], QosClass::BestEffort),
            (&[FULL], QosClass::Guaranteed),
            (&[("cpu=1000m memory=1024Mi", "cpu=1 memory=1Gi")], QosClass::Guaranteed),
            (&[FULL, ("", "")], QosClass::Burstable),
            (&[("cpu=1", "cpu=1")], QosClass::Burstable),
            (&[("cpu=1 memory=1Gi", "cpu=2 memory=1Gi")], QosClass::Burstable),
            (&[("cpu=1m", "")], QosClass::Burstable),
            // 1 + 1 requested, 1 + 1 limited, although neither container asks for its own limit.
            (
                &[("memory=1 cpu=1", "memory=2 cpu=1"), ("memory=3 cpu=1", "memory=2 cpu=1")],
                QosClass::Guaranteed,
            ),
        ] {
            assert_eq!(class(containers, None), want, "{containers:?}");
        }
    }

    #[test]
    fn by_the_pod() {
        let containers = &[("cpu=1", "")][..];
        for (pod, want) in [
            (("", ""), QosClass::BestEffort),
            (("cpu=1 memory=1Gi", "cpu=1 memory=1Gi"), QosClass::Guaranteed),
            (("cpu=1", "cpu=1"), QosClass::Burstable),
            (("cpu=1 memory=1Gi", ""), QosClass::Burstable),
        ] {
            assert_eq!(class(containers, Some(pod)), want, "{pod:?}");
        }
    }
}
