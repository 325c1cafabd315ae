//! What fields are for, in a line: those of the structs that scheduling reads most.
//!
//! Which fields there are the decoders say. A case holds that a struct which has a line here has one for each of its fields
//! that are read, and no other.

use crate::locale::Message;
use crate::locale::messages::english;
use berth_wire::complete::Field;

/// A line of the table.
#[derive(Clone, Copy)]
pub(super) struct Help(usize);

impl Message for Help {
    const TABLE: &'static str = "en-fields";
    const ENGLISH: &'static str = english!("en-fields");
    #[cfg(test)]
    const KEYS: &'static [&'static str] = FIELDS;

    fn place(self) -> usize {
        self.0
    }
}

/// What a field is for, if there is a line for it.
pub(super) fn of(field: &Field) -> Option<Help> {
    let wanted = [&*field.strukt, ".", &field.name].concat();
    FIELDS.iter().position(|known| *known == wanted).map(Help)
}

/// The fields, in the order of the table.
const FIELDS: &[&str] = &[
    "Affinity.nodeAffinity",
    "Affinity.podAffinity",
    "Affinity.podAntiAffinity",
    "Container.image",
    "Container.imagePullPolicy",
    "Container.name",
    "Container.ports",
    "Container.resources",
    "Container.restartPolicy",
    "Container.terminationMessagePolicy",
    "ContainerImage.names",
    "ContainerImage.sizeBytes",
    "ContainerPort.containerPort",
    "ContainerPort.hostIP",
    "ContainerPort.hostPort",
    "ContainerPort.name",
    "ContainerPort.protocol",
    "LabelSelector.matchExpressions",
    "LabelSelector.matchLabels",
    "LabelSelectorRequirement.key",
    "LabelSelectorRequirement.operator",
    "LabelSelectorRequirement.values",
    "NodeAffinity.preferredDuringSchedulingIgnoredDuringExecution",
    "NodeAffinity.requiredDuringSchedulingIgnoredDuringExecution",
    "NodeSelector.nodeSelectorTerms",
    "NodeSelectorRequirement.key",
    "NodeSelectorRequirement.operator",
    "NodeSelectorRequirement.values",
    "NodeSelectorTerm.matchExpressions",
    "NodeSelectorTerm.matchFields",
    "NodeSpec.taints",
    "NodeSpec.unschedulable",
    "NodeStatus.allocatable",
    "NodeStatus.capacity",
    "NodeStatus.images",
    "ObjectMeta.annotations",
    "ObjectMeta.creationTimestamp",
    "ObjectMeta.deletionGracePeriodSeconds",
    "ObjectMeta.deletionTimestamp",
    "ObjectMeta.finalizers",
    "ObjectMeta.generation",
    "ObjectMeta.labels",
    "ObjectMeta.name",
    "ObjectMeta.namespace",
    "ObjectMeta.ownerReferences",
    "ObjectMeta.resourceVersion",
    "ObjectMeta.uid",
    "PodAffinity.preferredDuringSchedulingIgnoredDuringExecution",
    "PodAffinity.requiredDuringSchedulingIgnoredDuringExecution",
    "PodAffinityTerm.labelSelector",
    "PodAffinityTerm.matchLabelKeys",
    "PodAffinityTerm.mismatchLabelKeys",
    "PodAffinityTerm.namespaceSelector",
    "PodAffinityTerm.namespaces",
    "PodAffinityTerm.topologyKey",
    "PodAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution",
    "PodAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution",
    "PodDisruptionBudgetSpec.maxUnavailable",
    "PodDisruptionBudgetSpec.minAvailable",
    "PodDisruptionBudgetSpec.selector",
    "PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy",
    "PodSchedulingGate.name",
    "PodSpec.activeDeadlineSeconds",
    "PodSpec.affinity",
    "PodSpec.containers",
    "PodSpec.dnsPolicy",
    "PodSpec.hostNetwork",
    "PodSpec.hostUsers",
    "PodSpec.initContainers",
    "PodSpec.nodeName",
    "PodSpec.nodeSelector",
    "PodSpec.overhead",
    "PodSpec.preemptionPolicy",
    "PodSpec.priority",
    "PodSpec.priorityClassName",
    "PodSpec.resourceClaims",
    "PodSpec.resources",
    "PodSpec.restartPolicy",
    "PodSpec.schedulerName",
    "PodSpec.schedulingGates",
    "PodSpec.terminationGracePeriodSeconds",
    "PodSpec.tolerations",
    "PodSpec.topologySpreadConstraints",
    "PodSpec.volumes",
    "PreferredSchedulingTerm.preference",
    "PreferredSchedulingTerm.weight",
    "PriorityClass.description",
    "PriorityClass.globalDefault",
    "PriorityClass.preemptionPolicy",
    "PriorityClass.value",
    "ResourceRequirements.limits",
    "ResourceRequirements.requests",
    "Taint.effect",
    "Taint.key",
    "Taint.timeAdded",
    "Taint.value",
    "Toleration.effect",
    "Toleration.key",
    "Toleration.operator",
    "Toleration.tolerationSeconds",
    "Toleration.value",
    "TopologySpreadConstraint.labelSelector",
    "TopologySpreadConstraint.matchLabelKeys",
    "TopologySpreadConstraint.maxSkew",
    "TopologySpreadConstraint.minDomains",
    "TopologySpreadConstraint.nodeAffinityPolicy",
    "TopologySpreadConstraint.nodeTaintsPolicy",
    "TopologySpreadConstraint.topologyKey",
    "TopologySpreadConstraint.whenUnsatisfiable",
    "WeightedPodAffinityTerm.podAffinityTerm",
    "WeightedPodAffinityTerm.weight",
];

#[cfg(test)]
mod tests {
    use super::FIELDS;
    use berth_wire::complete::fields_of;
    use std::collections::BTreeSet;

    /// Notes the fields of the structs below a place that are read, each as `Struct.field`.
    fn walk(
        kind: &str,
        way: &mut Vec<String>,
        structs: &mut BTreeSet<String>,
        read: &mut BTreeSet<String>,
    ) {
        let steps: Vec<&str> = way.iter().map(String::as_str).collect();
        let fields = fields_of(kind, &steps);
        let Some(first) = fields.first() else { return };
        if !structs.insert(first.strukt.clone()) {
            return;
        }
        for field in fields.iter().filter(|field| field.is_read()) {
            read.insert(format!("{}.{}", field.strukt, field.name));
            let list = if field.type_name.starts_with("[]") { "[]" } else { "" };
            way.push(format!("{}{list}", field.name));
            walk(kind, way, structs, read);
            way.pop();
        }
    }

    #[test]
    fn a_struct_with_help_has_it_for_every_field_that_is_read() {
        let (mut structs, mut read) = (BTreeSet::new(), BTreeSet::new());
        for kind in ["Pod", "Node", "PriorityClass", "PodDisruptionBudget"] {
            walk(kind, &mut Vec::new(), &mut structs, &mut read);
        }
        let own = |field: &str| field.split('.').next().unwrap_or_default().to_owned();
        let helped: BTreeSet<String> = FIELDS.iter().map(|field| own(field)).collect();
        // What every object has.
        let usual = ["apiVersion", "kind", "metadata", "spec", "status"];
        read.retain(|field| {
            helped.contains(&own(field))
                && !usual.iter().any(|end| field.ends_with(&format!(".{end}")))
        });
        let lines: BTreeSet<String> = FIELDS.iter().map(|field| (*field).to_owned()).collect();
        assert_eq!(lines, read);
    }
}
