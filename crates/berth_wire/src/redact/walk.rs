//! Every text of a state that is a name, in one place, to be read and to be changed.

use std::sync::Arc;

use berth_core::api::{
    Affinity, Condition, Container, LabelSelector, Labels, NodeAffinity, NodeSelectorRequirement,
    NodeSelectorTerm, Object, ObjectMeta, PodAffinity, PodAffinityTerm, PodSpec, ResourceList,
    ResourceRequirements, TopologySpreadConstraint, VolumeSource, WorkloadKind,
};
use berth_core::framework::config::{
    Configuration, PluginSet, PodTopologySpreadDefaulting, ResourceSpec, ScoringStrategy,
};

use super::kind::Kind;
use super::rename;
use crate::link::State;

/// Takes a name and may change it.
type Visit<'v> = dyn FnMut(Kind<'_>, &mut String) + 'v;

/// Visits every name of a state.
pub(super) fn walk(state: &mut State, visit: &mut Visit<'_>) {
    for object in &mut state.objects {
        walk_object(object, visit);
    }
    walk_configuration(&mut state.configuration, visit);
    if let Some(selected) = &mut state.selected {
        rename(selected, Kind::Pod, visit);
    }
    if let Some(columns) = &mut state.columns {
        visit(Kind::Key, columns);
    }
}

fn walk_object(object: &mut Object, visit: &mut Visit<'_>) {
    match object {
        Object::Node(node) => {
            let node = Arc::make_mut(node);
            metadata(&mut node.metadata, Kind::Node, visit);
            for taint in &mut node.spec.taints {
                value_of(&taint.key, &mut taint.value, visit);
                visit(Kind::Key, &mut taint.key);
            }
            resources(&mut node.status.capacity, visit);
            resources(&mut node.status.allocatable, visit);
            for name in node.status.images.iter_mut().flat_map(|image| &mut image.names) {
                visit(Kind::Image, name);
            }
        }
        Object::Pod(pod) => {
            let pod = Arc::make_mut(pod);
            metadata(&mut pod.metadata, Kind::Pod, visit);
            pod_spec(&mut pod.spec, visit);
            visit(Kind::Node, &mut pod.status.nominated_node_name);
            conditions(&mut pod.status.conditions, visit);
            for status in &mut pod.status.container_statuses {
                visit(Kind::Container, &mut status.name);
                status.resources.iter_mut().for_each(|of| requirements_of(of, visit));
                resources(&mut status.allocated_resources, visit);
            }
            pod.status.resources.iter_mut().for_each(|of| requirements_of(of, visit));
            resources(&mut pod.status.allocated_resources, visit);
        }
        Object::Namespace(namespace) => {
            metadata(&mut Arc::make_mut(namespace).metadata, Kind::Namespace, visit);
        }
        Object::PriorityClass(class) => {
            metadata(&mut Arc::make_mut(class).metadata, Kind::Class, visit);
        }
        Object::PodDisruptionBudget(budget) => {
            let budget = Arc::make_mut(budget);
            metadata(&mut budget.metadata, Kind::Budget, visit);
            budget.selector.iter_mut().for_each(|of| selector(of, visit));
            let pods = std::mem::take(&mut budget.status.disrupted_pods);
            let renamed = pods.into_iter().map(|(mut pod, time)| {
                visit(Kind::Pod, &mut pod);
                (pod, time)
            });
            budget.status.disrupted_pods = renamed.collect();
            conditions(&mut budget.status.conditions, visit);
        }
        Object::Service(service) => {
            let service = Arc::make_mut(service);
            metadata(&mut service.metadata, Kind::Service, visit);
            labels(&mut service.selector, visit);
        }
        Object::Workload(workload) => {
            let workload = Arc::make_mut(workload);
            metadata(&mut workload.metadata, Kind::Workload, visit);
            workload.selector.iter_mut().for_each(|of| selector(of, visit));
            labels(&mut workload.template.labels, visit);
            pod_spec(&mut workload.template.spec, visit);
            // It would tell whether a guess at the template is right.
            workload.template.digest = None;
            for rule in &mut Arc::make_mut(&mut workload.control).job.pod_failure_policy {
                for (condition, _) in &mut rule.on_pod_conditions {
                    visit(Kind::Key, condition);
                }
                let codes = rule.on_exit_codes.iter_mut();
                for container in codes.filter_map(|codes| codes.container.as_mut()) {
                    visit(Kind::Container, container);
                }
            }
        }
    }
}

fn metadata(metadata: &mut ObjectMeta, kind: Kind<'_>, visit: &mut Visit<'_>) {
    visit(kind, &mut metadata.name);
    visit(Kind::Namespace, &mut metadata.namespace);
    visit(Kind::Uid, &mut metadata.uid);
    labels(&mut metadata.labels, visit);
    for owner in &mut metadata.owner_references {
        visit(Kind::Workload, &mut owner.name);
        visit(Kind::Uid, &mut owner.uid);
        let known = WorkloadKind::ALL.iter().any(|kind| kind.as_str() == owner.kind);
        if let Some((group, version)) = owner.api_version.split_once('/')
            && !known
        {
            let (mut group, version) = (group.to_owned(), version.to_owned());
            visit(Kind::Group, &mut group);
            owner.api_version = [group, version].join("/");
        }
        visit(Kind::Owner, &mut owner.kind);
    }
}

/// The value of a label, a taint or a toleration, whose key is not yet visited.
fn value_of(key: &str, value: &mut String, visit: &mut Visit<'_>) {
    visit(Kind::Value(key), value);
}

fn labels(labels: &mut Labels, visit: &mut Visit<'_>) {
    let pairs = std::mem::take(labels).into_iter().map(|(mut key, mut value)| {
        value_of(&key, &mut value, visit);
        visit(Kind::Key, &mut key);
        (key, value)
    });
    *labels = pairs.collect();
}

fn selector(selector: &mut LabelSelector, visit: &mut Visit<'_>) {
    labels(&mut selector.match_labels, visit);
    for requirement in &mut selector.match_expressions {
        for value in &mut requirement.values {
            value_of(&requirement.key, value, visit);
        }
        visit(Kind::Key, &mut requirement.key);
    }
}

fn resource(name: &mut String, visit: &mut Visit<'_>) {
    let Some((group, rest)) = name.split_once('/') else { return };
    let (old, mut group, mut rest) = (group.to_owned(), group.to_owned(), rest.to_owned());
    visit(Kind::Group, &mut group);
    // A group that is everybody's has resources that are.
    if !super::names::is_kept(Kind::Group, &old) {
        visit(Kind::Resource, &mut rest);
    }
    *name = [group, rest].join("/");
}

fn resources(list: &mut ResourceList, visit: &mut Visit<'_>) {
    let pairs = std::mem::take(list).into_iter().map(|(mut name, quantity)| {
        resource(&mut name, visit);
        (name, quantity)
    });
    *list = pairs.collect();
}

fn requirements_of(of: &mut ResourceRequirements, visit: &mut Visit<'_>) {
    resources(&mut of.requests, visit);
    resources(&mut of.limits, visit);
}

fn conditions(conditions: &mut [Condition], visit: &mut Visit<'_>) {
    for condition in conditions {
        let before = condition.kind.clone();
        visit(Kind::Key, &mut condition.kind);
        condition.message.clear();
        if condition.kind != before {
            condition.reason.clear();
        }
    }
}

fn pod_spec(spec: &mut PodSpec, visit: &mut Visit<'_>) {
    let containers = spec.containers.iter_mut().chain(&mut spec.init_containers);
    containers.for_each(|of| container(of, visit));
    resources(&mut spec.overhead, visit);
    spec.resources.iter_mut().for_each(|of| requirements_of(of, visit));
    labels(&mut spec.node_selector, visit);
    spec.affinity.iter_mut().for_each(|of| affinity(of, visit));
    spec.topology_spread_constraints.iter_mut().for_each(|of| spread(of, visit));
    for toleration in &mut spec.tolerations {
        value_of(&toleration.key, &mut toleration.value, visit);
        visit(Kind::Key, &mut toleration.key);
    }
    spec.scheduling_gates.iter_mut().for_each(|gate| visit(Kind::Key, gate));
    visit(Kind::Node, &mut spec.node_name);
    visit(Kind::Scheduler, &mut spec.scheduler_name);
    visit(Kind::Class, &mut spec.priority_class_name);
    for volume in &mut spec.volumes {
        visit(Kind::Volume, &mut volume.name);
        match &mut volume.source {
            VolumeSource::PersistentVolumeClaim(claim) => visit(Kind::Claim, claim),
            VolumeSource::Image(reference) => image(reference, visit),
            VolumeSource::Ephemeral | VolumeSource::Disk(_) | VolumeSource::Other(_) => {}
        }
    }
    spec.resource_claims.iter_mut().for_each(|claim| visit(Kind::Claim, claim));
}

fn container(container: &mut Container, visit: &mut Visit<'_>) {
    visit(Kind::Container, &mut container.name);
    image(&mut container.image, visit);
    requirements_of(&mut container.resources, visit);
    container.ports.iter_mut().for_each(|port| visit(Kind::Address, &mut port.host_ip));
}

/// An image that a pod asks for: without a tag it means `latest`, under which a node has it.
fn image(image: &mut String, visit: &mut Visit<'_>) {
    if !image.is_empty() && image.rfind(':') <= image.rfind('/') {
        image.push_str(":latest");
    }
    visit(Kind::Image, image);
}

fn affinity(affinity: &mut Affinity, visit: &mut Visit<'_>) {
    affinity.node_affinity.iter_mut().for_each(|of| node_affinity(of, visit));
    affinity.pod_affinity.iter_mut().for_each(|of| pod_affinity(of, visit));
    affinity.pod_anti_affinity.iter_mut().for_each(|of| pod_affinity(of, visit));
}

fn pod_affinity(affinity: &mut PodAffinity, visit: &mut Visit<'_>) {
    let preferred = affinity.preferred.iter_mut().map(|preferred| &mut preferred.term);
    affinity.required.iter_mut().chain(preferred).for_each(|term| affinity_term(term, visit));
}

fn affinity_term(term: &mut PodAffinityTerm, visit: &mut Visit<'_>) {
    term.label_selector.iter_mut().for_each(|of| selector(of, visit));
    term.namespaces.iter_mut().for_each(|name| visit(Kind::Namespace, name));
    term.namespace_selector.iter_mut().for_each(|of| selector(of, visit));
    let keys = term.match_label_keys.iter_mut().chain(&mut term.mismatch_label_keys);
    keys.chain([&mut term.topology_key]).for_each(|key| visit(Kind::Key, key));
}

fn spread(constraint: &mut TopologySpreadConstraint, visit: &mut Visit<'_>) {
    visit(Kind::Key, &mut constraint.topology_key);
    constraint.label_selector.iter_mut().for_each(|of| selector(of, visit));
    constraint.match_label_keys.iter_mut().for_each(|key| visit(Kind::Key, key));
}

fn node_affinity(affinity: &mut NodeAffinity, visit: &mut Visit<'_>) {
    let required = affinity.required.iter_mut().flat_map(|of| &mut of.node_selector_terms);
    let preferred = affinity.preferred.iter_mut().map(|preferred| &mut preferred.preference);
    required.chain(preferred).for_each(|term| node_term(term, visit));
}

fn node_term(term: &mut NodeSelectorTerm, visit: &mut Visit<'_>) {
    for requirement in &mut term.match_expressions {
        for value in &mut requirement.values {
            value_of(&requirement.key, value, visit);
        }
        visit(Kind::Key, &mut requirement.key);
    }
    for name in term.match_fields.iter_mut().flat_map(|requirement| &mut requirement.values) {
        visit(Kind::Node, name);
    }
}

/// Every requirement on nodes' labels.
pub(super) fn requirements(
    affinity: &NodeAffinity,
    visit: &mut dyn FnMut(&NodeSelectorRequirement),
) {
    let required = affinity.required.iter().flat_map(|of| &of.node_selector_terms);
    let preferred = affinity.preferred.iter().map(|preferred| &preferred.preference);
    required.chain(preferred).flat_map(|term| &term.match_expressions).for_each(visit);
}

fn walk_configuration(configuration: &mut Configuration, visit: &mut Visit<'_>) {
    for profile in &mut configuration.profiles {
        visit(Kind::Scheduler, &mut profile.scheduler_name);
        let plugins = &mut profile.plugins;
        let sets = [
            &mut plugins.multi_point,
            &mut plugins.pre_enqueue,
            &mut plugins.queue_sort,
            &mut plugins.pre_filter,
            &mut plugins.filter,
            &mut plugins.post_filter,
            &mut plugins.pre_score,
            &mut plugins.score,
            &mut plugins.reserve,
            &mut plugins.permit,
            &mut plugins.pre_bind,
            &mut plugins.bind,
            &mut plugins.post_bind,
        ];
        for set in sets {
            plugin_set(set, visit);
        }
        let args = &mut profile.args;
        args.node_affinity.added_affinity.iter_mut().for_each(|of| node_affinity(of, visit));
        specs(&mut args.node_resources_balanced_allocation.resources, visit);
        let fit = &mut args.node_resources_fit;
        fit.ignored_resources.iter_mut().for_each(|name| resource(name, visit));
        fit.ignored_resource_groups.iter_mut().for_each(|group| visit(Kind::Group, group));
        let ScoringStrategy { resources, .. } = &mut fit.scoring_strategy;
        specs(resources, visit);
        if let PodTopologySpreadDefaulting::List(list) = &mut args.pod_topology_spread.defaulting {
            for constraint in list {
                spread(constraint, visit);
            }
        }
    }
}

fn plugin_set(set: &mut PluginSet, visit: &mut Visit<'_>) {
    let enabled = set.enabled.iter_mut().map(|plugin| &mut plugin.name);
    enabled.chain(&mut set.disabled).for_each(|name| visit(Kind::Plugin, name));
}

fn specs(resources: &mut [ResourceSpec], visit: &mut Visit<'_>) {
    for spec in resources {
        resource(&mut spec.name, visit);
    }
}
