//! Arguments of the plugins: decoding and checks
//! (`validation/validation_pluginargs.go`).

use std::sync::Arc;

use berth_core::api::names::label_key_errors;
use berth_core::api::node_selector::{PreferredTerms, RequiredNodeSelector};
use berth_core::api::{BadValue, FieldError};
use berth_core::collections::Index;
use berth_core::framework::config::{
    PluginArgs, ResourceSpec, ScoringStrategy, ScoringStrategyType, UtilizationShapePoint,
    default_resources,
};

use super::process::{shown, span};
use super::{invalid, removed, spread};
use crate::manifest::{Cx, Path, node_affinity};
use crate::tree::Node;

/// Plugins that have arguments.
const ARGUMENTS: &[&str] = &[
    "DefaultPreemption",
    "DynamicResources",
    "InterPodAffinity",
    "NodeAffinity",
    "NodeResourcesBalancedAllocation",
    "NodeResourcesFit",
    "PodTopologySpread",
    "VolumeBinding",
];

/// Reads `pluginConfig`.
pub(super) fn plugin_config(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, out: &mut PluginArgs) {
    const TYPE: &str = "v1.PluginConfig";
    let mut seen = Index::default();
    cx.wants_type(node, "[]v1.PluginConfig");
    for (i, node) in node.items().iter().enumerate() {
        let at = &at.index(i);
        let (mut name, mut args) = (String::new(), None);
        for e in cx.fields(at, node, TYPE) {
            let at = &at.field(TYPE, &e.key);
            match &*e.key {
                "name" => {
                    name = cx.string(at, &e.value);
                    cx.wants_word(&name, ARGUMENTS);
                }
                "args" => {
                    cx.wants_type(&e.value, "runtime.RawExtension");
                    args = Some(&e.value);
                }
                _ => cx.refuse(at, e, &["name", "args"]),
            }
        }
        if seen.insert(Arc::from(&*name), 0).is_some() {
            cx.invalid(at, node, &duplicate(&name));
        }
        if let Some(error) = removed(&name) {
            cx.invalid(at, node, &error);
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
        "PodTopologySpread" => spread::read,
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
    read(cx, &at.nested(), node, out);
}

pub(super) fn integer(value: i64, why: &str) -> FieldError {
    invalid(BadValue::Integer(value), why)
}

fn text(value: &str, why: &str) -> FieldError {
    invalid(BadValue::Text(value.to_owned()), why)
}

pub(super) fn duplicate(value: &str) -> FieldError {
    FieldError::duplicate(String::new(), BadValue::Text(value.to_owned()))
}

/// A number that has to lie in a range.
fn ranged(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, out: &mut i32, most: i32, why: &str) {
    if let Some(value) = cx.int32(at, node) {
        *out = value;
        if !(0..=most).contains(&value) {
            cx.invalid(at, node, &integer(value.into(), why));
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
        const FIELDS: [&str; 2] = ["minCandidateNodesPercentage", "minCandidateNodesAbsolute"];
        for (field, other) in [(FIELDS[0], FIELDS[1]), (FIELDS[1], FIELDS[0])] {
            let why = format!("cannot be zero at the same time as {other}");
            cx.invalid(&at.field(TYPE, field), node, &integer(0, &why));
        }
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
                    cx.invalid(at, node, &integer(value, why));
                }
            }
            "shape" if !node.is_null() => {
                let points = cx.list(at, node, "[]v1.UtilizationShapePoint", written_point);
                let point = |point: &UtilizationShapePoint| {
                    let UtilizationShapePoint { utilization, score } = point;
                    format!(r#"{{"Utilization":{utilization},"Score":{score}}}"#)
                };
                let points: Vec<String> = points.iter().map(point).collect();
                let shown = BadValue::Json(format!("[{}]", points.join(",")));
                let why = "unexpected field `shape`, remove it or turn on the feature gate \
                           StorageCapacityScoring";
                cx.invalid(at, node, &invalid(shown, why));
            }
            _ => cx.refuse(at, e, &["apiVersion", "kind", "bindTimeoutSeconds", "shape"]),
        }
    }
}

/// The arguments of DynamicResources, which is not simulated.
fn dynamic_resources(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, _: &mut PluginArgs) {
    const TYPE: &str = "v1.DynamicResourcesArgs";
    const KNOWN: &[&str] = &["apiVersion", "kind", "filterTimeout", "bindingTimeout"];
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        let (least, why) = match &*e.key {
            "filterTimeout" => (0, "must be zero or positive"),
            "bindingTimeout" => (1_000_000_000, "must be at least 1 second"),
            _ => {
                cx.refuse(at, e, KNOWN);
                continue;
            }
        };
        if !node.is_null()
            && let Some(timeout) = span(cx, at, node)
            && timeout < least
        {
            cx.invalid(at, node, &invalid(shown(timeout), why));
        }
    }
}

/// What there is to say against the name of a label.
pub(super) fn label_name(name: &str) -> Vec<FieldError> {
    label_key_errors(name).iter().map(|why| text(name, why)).collect()
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
                        cx.invalid(&at.field(TYPE, "name"), node, &duplicate(&resource.name));
                    }
                    if resource.weight != 1 {
                        let error = integer(resource.weight, "must be 1");
                        cx.invalid(&at.field(TYPE, "weight"), node, &error);
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
                    for error in label_name(resource) {
                        cx.unusable(&at.index(i), node, &error);
                    }
                }
            }
            "ignoredResourceGroups" => {
                out.ignored_resource_groups = cx.strings(at, node);
                for (i, group) in out.ignored_resource_groups.iter().enumerate() {
                    let slash = group.contains('/');
                    let why = "resource group name can't contain '/'";
                    let first = slash.then(|| text(group, why));
                    for error in first.into_iter().chain(label_name(group)) {
                        cx.unusable(&at.index(i), node, &error);
                    }
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
                        let error = integer(resource.weight, &why);
                        cx.unusable(&at.field(TYPE, "weight"), node, &error);
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
            let why = "must be specified when type is RequestedToCapacityRatio";
            cx.unusable(at_ratio, node, &FieldError::required(String::new(), why));
            return None;
        }
        ("LeastAllocated" | "MostAllocated", Some(_)) => {
            let why = "must be nil when type is not RequestedToCapacityRatio";
            cx.unusable(at_ratio, node, &FieldError::forbidden(String::new(), why));
            return None;
        }
        ("LeastAllocated", None) => ScoringStrategyType::LeastAllocated,
        ("MostAllocated", None) => ScoringStrategyType::MostAllocated,
        _ => {
            let error = FieldError::not_supported(String::new(), &name, &TYPES);
            cx.unusable(&at.field(TYPE, "type"), node, &error);
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
        let error = FieldError::required(String::new(), "at least one point must be specified");
        cx.unusable(at, node, &error);
    }
    for (i, pair) in out.windows(2).enumerate() {
        if let [before, after] = pair
            && before.utilization >= after.utilization
        {
            let at = &at.index(i + 1);
            let why = "values must be sorted in increasing order";
            let error = integer(after.utilization.into(), why);
            cx.unusable(&at.field(TYPE, "utilization"), node, &error);
            break;
        }
    }
    out
}

fn shape_point(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> UtilizationShapePoint {
    const TYPE: &str = "v1.UtilizationShapePoint";
    let out = written_point(cx, at, node);
    for (field, value, most) in [("utilization", out.utilization, 100), ("score", out.score, 10)] {
        if !(0..=most).contains(&value) {
            let why = format!("not in valid range [0, {most}]");
            cx.unusable(&at.field(TYPE, field), node, &integer(value.into(), &why));
        }
    }
    out
}

fn written_point(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> UtilizationShapePoint {
    const TYPE: &str = "v1.UtilizationShapePoint";
    let mut out = UtilizationShapePoint::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "utilization" => out.utilization = cx.int32(at, node).unwrap_or_default(),
            "score" => out.score = cx.int32(at, node).unwrap_or_default(),
            _ => cx.refuse(at, e, &["utilization", "score"]),
        }
    }
    out
}
