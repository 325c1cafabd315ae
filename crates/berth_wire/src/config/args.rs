//! Arguments of the plugins: decoding and checks
//! (`validation/validation_pluginargs.go`).

use std::sync::Arc;

use berth_core::api::names::label_key_errors;
use berth_core::api::node_selector::{PreferredTerms, RequiredNodeSelector};
use berth_core::collections::Index;
use berth_core::framework::config::{
    PluginArgs, PodTopologySpreadDefaulting, ResourceSpec, ScoringStrategy, ScoringStrategyType,
    UtilizationShapePoint, default_resources,
};

use super::{REMOVED, invalid};
use crate::manifest::{Cx, Path, node_affinity, topology_spread_constraint, unsupported};
use crate::tree::Node;

/// Reads `pluginConfig`.
pub(super) fn plugin_config(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, out: &mut PluginArgs) {
    const TYPE: &str = "v1.PluginConfig";
    let mut seen = Index::default();
    for (i, node) in node.items().iter().enumerate() {
        let at = &at.index(i);
        let (mut name, mut args) = (String::new(), None);
        for e in cx.fields(at, node, TYPE) {
            let at = &at.field(TYPE, &e.key);
            match &*e.key {
                "name" => name = cx.string(at, &e.value),
                "args" => args = Some(&e.value),
                _ => cx.refuse(at, e, &["name", "args"]),
            }
        }
        if seen.insert(Arc::from(&*name), 0).is_some() {
            cx.error(at, node, format!("Duplicate value: {name:?}"));
        }
        if REMOVED.contains(&&*name) {
            cx.error(at, node, invalid(&name, "was removed"));
        }
        if let Some(args) = args.filter(|args| !args.is_null()) {
            plugin_args(cx, &at.field(TYPE, "args"), args, &name, out);
        }
    }
}

fn plugin_args(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, plugin: &str, out: &mut PluginArgs) {
    let read: fn(&mut Cx, &Path<'_>, &Node<'_>, &mut PluginArgs) = match plugin {
        "DefaultPreemption" => default_preemption,
        "InterPodAffinity" => inter_pod_affinity,
        "NodeAffinity" => node_affinity_args,
        "NodeResourcesBalancedAllocation" => balanced_allocation,
        "NodeResourcesFit" => fit,
        "PodTopologySpread" => spread,
        "VolumeBinding" => volume_binding,
        "DynamicResources" => dynamic_resources,
        _ => return,
    };
    let kind = node.get("kind").and_then(Node::as_str);
    if let Some(kind) = kind
        && kind.strip_suffix("Args") != Some(plugin)
    {
        const GROUP: &str = "kubescheduler.config.k8s.io";
        let message = format!(
            "args for plugin {plugin} were not of type {plugin}Args.{GROUP}, got {kind}.{GROUP}"
        );
        cx.error(at, node, message);
        return;
    }
    read(cx, at, node, out);
}

/// A number that has to lie in a range.
fn ranged(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, out: &mut i32, most: i32, why: &str) {
    if let Some(value) = cx.int32(at, node) {
        *out = value;
        if !(0..=most).contains(&value) {
            cx.error(at, node, invalid(value, why));
        }
    }
}

fn default_preemption(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, out: &mut PluginArgs) {
    const TYPE: &str = "v1.DefaultPreemptionArgs";
    const KNOWN: &[&str] =
        &["apiVersion", "kind", "minCandidateNodesPercentage", "minCandidateNodesAbsolute"];
    let out = &mut out.default_preemption;
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "minCandidateNodesPercentage" => {
                let field = &mut out.min_candidate_nodes_percentage;
                ranged(cx, at, node, field, 100, "not in valid range [0, 100]");
            }
            "minCandidateNodesAbsolute" => {
                let field = &mut out.min_candidate_nodes_absolute;
                ranged(cx, at, node, field, i32::MAX, "not in valid range [0, inf)");
            }
            _ => cx.refuse(at, e, KNOWN),
        }
    }
    if out.min_candidate_nodes_percentage == 0 && out.min_candidate_nodes_absolute == 0 {
        let at_percentage = &at.field(TYPE, "minCandidateNodesPercentage");
        cx.error(
            at_percentage,
            node,
            invalid(0, "cannot be zero at the same time as minCandidateNodesAbsolute"),
        );
        let at_absolute = &at.field(TYPE, "minCandidateNodesAbsolute");
        cx.error(
            at_absolute,
            node,
            invalid(0, "cannot be zero at the same time as minCandidateNodesPercentage"),
        );
    }
}

fn inter_pod_affinity(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, out: &mut PluginArgs) {
    const TYPE: &str = "v1.InterPodAffinityArgs";
    const KNOWN: &[&str] =
        &["apiVersion", "kind", "hardPodAffinityWeight", "ignorePreferredTermsOfExistingPods"];
    let out = &mut out.inter_pod_affinity;
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "hardPodAffinityWeight" => {
                ranged(
                    cx,
                    at,
                    node,
                    &mut out.hard_pod_affinity_weight,
                    100,
                    "not in valid range [0, 100]",
                );
            }
            "ignorePreferredTermsOfExistingPods" => {
                out.ignore_preferred_terms_of_existing_pods = cx.boolean(at, node);
            }
            _ => cx.refuse(at, e, KNOWN),
        }
    }
}

fn node_affinity_args(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, out: &mut PluginArgs) {
    const TYPE: &str = "v1.NodeAffinityArgs";
    const AFFINITY: &str = "v1.NodeAffinity";
    for e in cx.fields(at, node, TYPE) {
        let at = &at.field(TYPE, &e.key);
        match &*e.key {
            "addedAffinity" => out.node_affinity.added_affinity = node_affinity(cx, at, &e.value),
            _ => cx.refuse(at, e, &["apiVersion", "kind", "addedAffinity"]),
        }
    }
    // Added affinity is compiled when the plugin starts, so errors that a pod's would only meet later refuse it here.
    let Some(affinity) = &out.node_affinity.added_affinity else { return };
    let at = &at.field(TYPE, "addedAffinity");
    if let Some(Err(errors)) = affinity.required.as_ref().map(RequiredNodeSelector::new) {
        let at = at.field(AFFINITY, "requiredDuringSchedulingIgnoredDuringExecution");
        cx.field_errors(&at, node, errors);
    }
    if let Err(errors) = PreferredTerms::new(&affinity.preferred) {
        let at = at.field(AFFINITY, "preferredDuringSchedulingIgnoredDuringExecution");
        cx.field_errors(&at, node, errors);
    }
}

/// The arguments of VolumeBinding, which is not simulated.
fn volume_binding(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, _: &mut PluginArgs) {
    const TYPE: &str = "v1.VolumeBindingArgs";
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "bindTimeoutSeconds" => {
                if let Some(value) = cx.int64(at, node)
                    && value < 0
                {
                    let why = "invalid BindTimeoutSeconds, should not be a negative value";
                    cx.error(at, node, invalid(value, why));
                }
            }
            "shape" if !node.is_null() => cx.error(
                at,
                node,
                "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring",
            ),
            _ => cx.refuse(at, e, &["apiVersion", "kind", "bindTimeoutSeconds", "shape"]),
        }
    }
}

/// The arguments of DynamicResources, which is not simulated.
fn dynamic_resources(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, _: &mut PluginArgs) {
    const TYPE: &str = "v1.DynamicResourcesArgs";
    for e in cx.fields(at, node, TYPE) {
        cx.refuse(
            &at.field(TYPE, &e.key),
            e,
            &["apiVersion", "kind", "filterTimeout", "bindingTimeout"],
        );
    }
}

/// A text that has to be the name of a label.
fn label_name(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, name: &str) {
    for error in label_key_errors(name) {
        cx.error(at, node, invalid(name, &error));
    }
}

fn balanced_allocation(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, out: &mut PluginArgs) {
    const TYPE: &str = "v1.NodeResourcesBalancedAllocationArgs";
    let out = &mut out.node_resources_balanced_allocation;
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "resources" => {
                let resources = resources(cx, at, node);
                let mut seen = Index::default();
                for (i, resource) in resources.iter().enumerate() {
                    let at = &at.index(i);
                    if seen.insert(Arc::from(&*resource.name), 0).is_some() {
                        cx.error(
                            &at.field(TYPE, "name"),
                            node,
                            format!("Duplicate value: {:?}", resource.name),
                        );
                    }
                    if resource.weight != 1 {
                        cx.error(
                            &at.field(TYPE, "weight"),
                            node,
                            invalid(resource.weight, "must be 1"),
                        );
                    }
                }
                if !resources.is_empty() {
                    out.resources = resources;
                }
            }
            _ => cx.refuse(at, e, &["apiVersion", "kind", "resources"]),
        }
    }
}

/// Resources with weights; a weight of 0 means 1.
fn resources(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Vec<ResourceSpec> {
    const TYPE: &str = "v1.ResourceSpec";
    cx.list(at, node, "[]v1.ResourceSpec", |cx, at, node| {
        let mut out = ResourceSpec::default();
        for e in cx.fields(at, node, TYPE) {
            let (at, node) = (&at.field(TYPE, &e.key), &e.value);
            match &*e.key {
                "name" => out.name = cx.string(at, node),
                "weight" => out.weight = cx.int64(at, node).unwrap_or_default(),
                _ => cx.refuse(at, e, &["name", "weight"]),
            }
        }
        if out.weight == 0 {
            out.weight = 1;
        }
        out
    })
}

fn fit(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, out: &mut PluginArgs) {
    const TYPE: &str = "v1.NodeResourcesFitArgs";
    const KNOWN: &[&str] =
        &["apiVersion", "kind", "ignoredResources", "ignoredResourceGroups", "scoringStrategy"];
    let out = &mut out.node_resources_fit;
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "ignoredResources" => {
                out.ignored_resources = cx.strings(at, node);
                for (i, resource) in out.ignored_resources.iter().enumerate() {
                    label_name(cx, &at.index(i), node, resource);
                }
            }
            "ignoredResourceGroups" => {
                out.ignored_resource_groups = cx.strings(at, node);
                for (i, group) in out.ignored_resource_groups.iter().enumerate() {
                    if group.contains('/') {
                        cx.error(
                            &at.index(i),
                            node,
                            invalid(group, "resource group name can't contain '/'"),
                        );
                    }
                    label_name(cx, &at.index(i), node, group);
                }
            }
            "scoringStrategy" if !node.is_null() => {
                if let Some(strategy) = scoring_strategy(cx, at, node) {
                    out.scoring_strategy = strategy;
                }
            }
            _ => cx.refuse(at, e, KNOWN),
        }
    }
}

/// The strategy; none, after an error, if it has no valid type.
fn scoring_strategy(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Option<ScoringStrategy> {
    const TYPE: &str = "v1.ScoringStrategy";
    const TYPES: [&str; 3] = ["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"];
    let (mut name, mut list, mut shape) = (String::new(), Vec::new(), None);
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "type" => name = cx.string(at, node),
            "resources" => {
                list = resources(cx, at, node);
                for (i, resource) in list.iter().enumerate() {
                    if !(1..=100).contains(&resource.weight) {
                        let at = &at.index(i);
                        let why = format!(
                            "resource weight of {} not in valid range (0, 100]",
                            resource.name
                        );
                        cx.error(&at.field(TYPE, "weight"), node, invalid(resource.weight, &why));
                    }
                }
            }
            "requestedToCapacityRatio" if !node.is_null() => shape = Some(ratio(cx, at, node)),
            _ => cx.refuse(at, e, &["type", "resources", "requestedToCapacityRatio"]),
        }
    }
    let at_ratio = &at.field(TYPE, "requestedToCapacityRatio");
    let kind = match (&*name, shape) {
        ("RequestedToCapacityRatio", Some(shape)) => {
            ScoringStrategyType::RequestedToCapacityRatio(shape)
        }
        ("RequestedToCapacityRatio", None) => {
            let message = "Required value: must be specified when type is RequestedToCapacityRatio";
            cx.error(at_ratio, node, message);
            return None;
        }
        ("LeastAllocated" | "MostAllocated", Some(_)) => {
            cx.error(
                at_ratio,
                node,
                "Forbidden: must be nil when type is not RequestedToCapacityRatio",
            );
            return None;
        }
        ("LeastAllocated", None) => ScoringStrategyType::LeastAllocated,
        ("MostAllocated", None) => ScoringStrategyType::MostAllocated,
        _ => {
            cx.error(&at.field(TYPE, "type"), node, unsupported(&name, &TYPES));
            return None;
        }
    };
    Some(ScoringStrategy {
        kind,
        resources: if list.is_empty() { default_resources() } else { list },
    })
}

fn ratio(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Vec<UtilizationShapePoint> {
    const TYPE: &str = "v1.RequestedToCapacityRatioParam";
    let mut out = Vec::new();
    for e in cx.fields(at, node, TYPE) {
        let at = &at.field(TYPE, &e.key);
        match &*e.key {
            "shape" => out = cx.list(at, &e.value, "[]v1.UtilizationShapePoint", shape_point),
            _ => cx.refuse(at, e, &["shape"]),
        }
    }
    let at = &at.field(TYPE, "shape");
    if out.is_empty() {
        cx.error(at, node, "Required value: at least one point must be specified");
    }
    for (i, pair) in out.windows(2).enumerate() {
        if let [before, after] = pair
            && before.utilization >= after.utilization
        {
            let at = &at.index(i + 1);
            let message = invalid(after.utilization, "values must be sorted in increasing order");
            cx.error(&at.field(TYPE, "utilization"), node, message);
            break;
        }
    }
    out
}

fn shape_point(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> UtilizationShapePoint {
    const TYPE: &str = "v1.UtilizationShapePoint";
    let mut out = UtilizationShapePoint::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "utilization" => {
                ranged(cx, at, node, &mut out.utilization, 100, "not in valid range [0, 100]");
            }
            "score" => ranged(cx, at, node, &mut out.score, 10, "not in valid range [0, 10]"),
            _ => cx.refuse(at, e, &["utilization", "score"]),
        }
    }
    out
}

fn spread(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, out: &mut PluginArgs) {
    const TYPE: &str = "v1.PodTopologySpreadArgs";
    let (mut defaulting, mut constraints) = (String::new(), Vec::new());
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "defaultingType" => defaulting = cx.string(at, node),
            "defaultConstraints" => {
                constraints =
                    cx.list(at, node, "[]v1.TopologySpreadConstraint", topology_spread_constraint);
            }
            _ => cx.refuse(at, e, &["apiVersion", "kind", "defaultingType", "defaultConstraints"]),
        }
    }
    let at_constraints = &at.field(TYPE, "defaultConstraints");
    let mut seen = Index::default();
    for (i, constraint) in constraints.iter().enumerate() {
        let at = &at_constraints.index(i);
        if constraint.max_skew <= 0 {
            cx.error(
                &at.field(TYPE, "maxSkew"),
                node,
                invalid(constraint.max_skew, "not in valid range (0, inf)"),
            );
        }
        if constraint.topology_key.is_empty() {
            cx.error(&at.field(TYPE, "topologyKey"), node, "Required value: can not be empty");
        } else {
            label_name(cx, &at.field(TYPE, "topologyKey"), node, &constraint.topology_key);
        }
        if constraint.label_selector.is_some() {
            let message =
                "Forbidden: constraint must not define a selector, as they deduced for each pod";
            cx.error(&at.field(TYPE, "labelSelector"), node, message);
        }
        let pair = (&*constraint.topology_key, constraint.when_unsatisfiable);
        if seen.insert(Arc::from(format!("{} {}", pair.0, pair.1)), 0).is_some() {
            cx.error(at, node, format!("Duplicate value: \"{{{}, {}}}\"", pair.0, pair.1));
        }
    }
    let at_type = &at.field(TYPE, "defaultingType");
    out.pod_topology_spread.defaulting = match &*defaulting {
        "List" => PodTopologySpreadDefaulting::List(constraints),
        "System" | "" => {
            if !constraints.is_empty() {
                cx.error(
                    at_type,
                    node,
                    invalid("System", "when .defaultConstraints are not empty"),
                );
            }
            PodTopologySpreadDefaulting::System
        }
        other => {
            cx.error(at_type, node, unsupported(other, &["System", "List"]));
            return;
        }
    };
}
