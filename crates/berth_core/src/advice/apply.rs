//! Edits as ordinary commands.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::edit::Edit;
use super::request;
use crate::api::{
    IntOrPercent, Kind, Node, Object, ObjectKey, ObjectMeta, Pod, PodDisruptionBudget,
    PreemptionPolicy, PreferredSchedulingTerm, PriorityClass, StatusSource, Taint, TaintEffect,
    Toleration, TolerationOperator, TopologySpreadConstraint, UnsatisfiableConstraintAction,
    WeightedPodAffinityTerm, Workload, WorkloadKind,
};
use crate::cluster::Cluster;
use crate::collections::{Map, sort_by};
use crate::playground::Command;

/// The highest priority that a class of people's own may have (`HighestUserDefinablePriority`).
pub(super) const HIGHEST_PRIORITY: i32 = 1_000_000_000;
/// What a term weighs that was required before.
const WEIGHT: i32 = 100;

/// The commands that carry edits out for a pod, in an order in which each can be carried out. None if one of the
/// edits is not possible, or changes nothing.
pub fn commands(edits: &[Edit], cluster: &Cluster, pod: &ObjectKey) -> Option<Vec<Command>> {
    let mut draft = Draft { cluster, changed: Map::new(), dropped: Vec::new() };
    let mut rest: Vec<&Edit> = edits.iter().collect();
    // The last terms first, so that the numbers of the others stay what they are.
    sort_by(&mut rest, |a, b| b.cmp(a));
    draft.edit_priority(&rest, pod)?;
    rest.retain(|edit| !matches!(edit, Edit::Priority { .. } | Edit::AllowPreemption));
    for edit in rest {
        draft.edit(edit, pod)?;
    }
    let mut commands: Vec<Command> =
        draft.changed.into_iter().map(|(_, object)| Command::Put(object)).collect();
    for key in draft.dropped {
        commands.push(Command::Drop(Kind::Pod, key));
    }
    Some(commands)
}

/// Objects on their way to be put.
struct Draft<'c> {
    cluster: &'c Cluster,
    changed: Map<(Kind, ObjectKey), Object>,
    dropped: Vec<ObjectKey>,
}

impl Draft<'_> {
    fn edit(&mut self, edit: &Edit, pod: &ObjectKey) -> Option<()> {
        match edit {
            Edit::Label { node, key, value } => self.node(node, |node| {
                let before = node.metadata.labels.insert(key.clone(), value.clone());
                (before.as_ref() != Some(value)).then_some(())
            }),
            Edit::DropTaint { node, key, effect } => {
                self.node(node, |node| drop_taint(node, key, *effect))
            }
            Edit::Uncordon { node } => self.node(node, |node| {
                let effect = TaintEffect::NoSchedule;
                let tainted = drop_taint(node, "node.kubernetes.io/unschedulable", effect);
                let cordoned = core::mem::take(&mut node.spec.unschedulable);
                (cordoned || tainted.is_some()).then_some(())
            }),
            Edit::Cordon { node } => self.node(node, |node| {
                (!core::mem::replace(&mut node.spec.unschedulable, true)).then_some(())
            }),
            Edit::Delete { pod: other } => (other != pod).then(|| self.delete(other))?,
            Edit::Allow { budget, disruptions } => self.allow(budget, *disruptions),
            _ => {
                let before = self.pod(pod)?;
                let mut after = (*before).clone();
                edit_pod(edit, &mut after)?;
                (after != *before).then(|| self.put(Object::Pod(Arc::new(after))))
            }
        }
    }

    fn put(&mut self, object: Object) {
        self.changed.insert((object.kind(), object.key()), object);
    }

    /// An object as it is by now.
    fn get(&self, kind: Kind, key: &ObjectKey) -> Option<Object> {
        let changed = self.changed.get(&(kind, key.clone())).cloned();
        changed.or_else(|| self.cluster.get(kind, key))
    }

    fn pod(&self, key: &ObjectKey) -> Option<Arc<Pod>> {
        match self.get(Kind::Pod, key)? {
            Object::Pod(pod) => Some(pod),
            _ => None,
        }
    }

    fn node(&mut self, name: &str, change: impl FnOnce(&mut Node) -> Option<()>) -> Option<()> {
        let key = ObjectKey::new(String::new(), name);
        let Object::Node(mut node) = self.get(Kind::Node, &key)? else { return None };
        change(Arc::make_mut(&mut node))?;
        self.put(Object::Node(node));
        Some(())
    }

    fn delete(&mut self, key: &ObjectKey) -> Option<()> {
        if self.dropped.contains(key) {
            return None;
        }
        let pod = self.pod(key)?;
        self.want_one_fewer(&pod.metadata);
        self.dropped.push(key.clone());
        Some(())
    }

    /// The workload that owns an object wants one replica fewer, and so does its own owner.
    fn want_one_fewer(&mut self, of: &ObjectMeta) {
        let Some(owner) = of.controller() else { return };
        let Some(kind) = WorkloadKind::ALL.iter().find(|kind| kind.as_str() == owner.kind) else {
            return;
        };
        let key = ObjectKey::new(of.namespace.clone(), owner.name.clone());
        let Some(Object::Workload(mut workload)) = self.get(Kind::Workload(*kind), &key) else {
            return;
        };
        let Workload { replicas: Some(replicas @ 1..), .. } = Arc::make_mut(&mut workload) else {
            return;
        };
        *replicas -= 1;
        let metadata = workload.metadata.clone();
        self.put(Object::Workload(workload));
        self.want_one_fewer(&metadata);
    }

    /// Makes a budget allow so many disruptions: by its status where that was given, by its spec otherwise.
    fn allow(&mut self, key: &ObjectKey, disruptions: i32) -> Option<()> {
        let kind = Kind::PodDisruptionBudget;
        let Object::PodDisruptionBudget(mut budget) = self.get(kind, key)? else { return None };
        if disruptions <= budget.status.disruptions_allowed {
            return None;
        }
        allow(Arc::make_mut(&mut budget), disruptions);
        self.put(Object::PodDisruptionBudget(budget));
        Some(())
    }

    /// Gives the pod the priority and the policy that the edits say, as admission would: by a class that has both.
    fn edit_priority(&mut self, edits: &[&Edit], key: &ObjectKey) -> Option<()> {
        let value = edits.iter().find_map(|edit| match edit {
            Edit::Priority { to } => Some(*to),
            _ => None,
        });
        let allow = edits.contains(&&Edit::AllowPreemption);
        if value.is_none() && !allow {
            return Some(());
        }
        let mut pod = self.pod(key)?;
        let before = pod.spec.priority.unwrap_or(0);
        let never = pod.spec.preemption_policy == Some(PreemptionPolicy::Never);
        let to = value.unwrap_or(before);
        if to > HIGHEST_PRIORITY || value == Some(before) || (allow && !never) {
            return None;
        }
        let policy = if allow {
            Some(PreemptionPolicy::PreemptLowerPriority)
        } else {
            pod.spec.preemption_policy
        };
        let class = self.class(to, policy.unwrap_or(PreemptionPolicy::PreemptLowerPriority));
        let spec = &mut Arc::make_mut(&mut pod).spec;
        spec.priority = Some(to);
        spec.preemption_policy = policy;
        spec.priority_class_name = class;
        self.put(Object::Pod(pod));
        Some(())
    }

    /// The name of a class, made if there is none; empty for what pods without a class get.
    fn class(&mut self, value: i32, policy: PreemptionPolicy) -> String {
        let of = |class: &PriorityClass| {
            class.preemption_policy.unwrap_or(PreemptionPolicy::PreemptLowerPriority)
        };
        let classes = self.cluster.priority_classes();
        let known = classes.values().find(|class| class.value == value && of(class) == policy);
        if let Some(class) = known {
            return class.metadata.name.clone();
        }
        let has_default = classes.values().any(|class| class.global_default);
        if value == 0 && policy == PreemptionPolicy::PreemptLowerPriority && !has_default {
            return String::new();
        }
        let sign = if value < 0 { "minus-" } else { "" };
        let never = if policy == PreemptionPolicy::Never { "-never" } else { "" };
        let stem = alloc::format!("priority-{sign}{}{never}", value.unsigned_abs());
        let mut name = stem.clone();
        let mut number = 2_u32;
        while classes.contains_key(&name) {
            name = alloc::format!("{stem}-{number}");
            number += 1;
        }
        let metadata = ObjectMeta { name: name.clone(), ..ObjectMeta::default() };
        let preemption_policy = Some(policy);
        self.put(Object::PriorityClass(Arc::new(PriorityClass {
            metadata,
            value,
            preemption_policy,
            ..PriorityClass::default()
        })));
        name
    }
}

fn allow(budget: &mut PodDisruptionBudget, disruptions: i32) {
    let status = &mut budget.status;
    if budget.status_source == StatusSource::Pinned {
        status.disruptions_allowed = disruptions;
        status.update_condition();
        return;
    }
    if budget.min_available.is_some() {
        let stay = status.current_healthy.saturating_sub(disruptions).max(0);
        budget.min_available = Some(IntOrPercent::Int(stay));
    } else {
        let missing = status.expected_pods.saturating_sub(status.current_healthy);
        budget.max_unavailable = Some(IntOrPercent::Int(missing.saturating_add(disruptions)));
    }
}

fn drop_taint(node: &mut Node, key: &str, effect: TaintEffect) -> Option<()> {
    let same = |taint: &Taint| taint.key == key && taint.effect == effect;
    let before = node.spec.taints.len();
    node.spec.taints.retain(|taint| !same(taint));
    (node.spec.taints.len() < before).then_some(())
}

/// Edits of the pod alone.
fn edit_pod(edit: &Edit, pod: &mut Pod) -> Option<()> {
    let spec = &mut pod.spec;
    match edit {
        Edit::Tolerate { key, value, effect } => {
            let exists = value.is_empty();
            let operator =
                if exists { TolerationOperator::Exists } else { TolerationOperator::Equal };
            spec.tolerations.push(Toleration {
                key: key.clone(),
                operator,
                value: value.clone(),
                effect: Some(*effect),
                toleration_seconds: None,
            });
        }
        Edit::Request { resource, to } => return request::lower(pod, resource, *to).then_some(()),
        Edit::DropNodeSelector { key } => drop(spec.node_selector.remove(key)?),
        Edit::OpenGates => spec.scheduling_gates.clear(),
        Edit::DropHostPort { port, protocol } => {
            // On the node's network the two have to be the same.
            if spec.host_network {
                return None;
            }
            let containers = spec.containers.iter_mut().chain(&mut spec.init_containers);
            for own in containers.flat_map(|container| &mut container.ports) {
                if own.host_port == *port && own.protocol == *protocol {
                    own.host_port = 0;
                    own.host_ip.clear();
                }
            }
        }
        Edit::PreferNodeAffinity => {
            let affinity = spec.affinity.as_mut()?.node_affinity.as_mut()?;
            let terms = affinity.required.take()?.node_selector_terms;
            for preference in terms {
                affinity.preferred.push(PreferredSchedulingTerm { weight: WEIGHT, preference });
            }
        }
        Edit::PreferPodAffinity { term } => {
            prefer(spec.affinity.as_mut()?.pod_affinity.as_mut()?, *term)?;
        }
        Edit::PreferPodAntiAffinity { term } => {
            prefer(spec.affinity.as_mut()?.pod_anti_affinity.as_mut()?, *term)?;
        }
        _ => return edit_constraint(edit, &mut spec.topology_spread_constraints),
    }
    Some(())
}

fn prefer(section: &mut crate::api::PodAffinity, term: u32) -> Option<()> {
    let at = term as usize;
    (at < section.required.len()).then_some(())?;
    let term = section.required.remove(at);
    section.preferred.push(WeightedPodAffinityTerm { weight: WEIGHT, term });
    Some(())
}

fn edit_constraint(edit: &Edit, all: &mut [TopologySpreadConstraint]) -> Option<()> {
    let at = match edit {
        Edit::MaxSkew { constraint, .. }
        | Edit::MinDomains { constraint, .. }
        | Edit::ScheduleAnyway { constraint }
        | Edit::DoNotSchedule { constraint }
        | Edit::NodeAffinityPolicy { constraint, .. }
        | Edit::NodeTaintsPolicy { constraint, .. } => *constraint as usize,
        _ => return None,
    };
    // Two constraints of a key may not have the same action.
    let twice = |action| {
        let key = all.get(at).map(|of| &of.topology_key);
        let mut others = all.iter().enumerate().filter(|(other, _)| *other != at);
        others.any(|(_, of)| Some(&of.topology_key) == key && of.when_unsatisfiable == action)
    };
    let (soft, hard) = (
        twice(UnsatisfiableConstraintAction::ScheduleAnyway),
        twice(UnsatisfiableConstraintAction::DoNotSchedule),
    );
    let constraint = all.get_mut(at)?;
    let is_hard = constraint.when_unsatisfiable == UnsatisfiableConstraintAction::DoNotSchedule;
    match edit {
        Edit::MaxSkew { to: to @ 1.., .. } => constraint.max_skew = *to,
        Edit::MinDomains { to: None, .. } => constraint.min_domains = None,
        Edit::MinDomains { to: to @ Some(1..), .. } if is_hard => constraint.min_domains = *to,
        Edit::ScheduleAnyway { .. } if !soft => {
            constraint.when_unsatisfiable = UnsatisfiableConstraintAction::ScheduleAnyway;
            constraint.min_domains = None;
        }
        Edit::DoNotSchedule { .. } if !hard => {
            constraint.when_unsatisfiable = UnsatisfiableConstraintAction::DoNotSchedule;
        }
        Edit::NodeAffinityPolicy { to, .. } => constraint.node_affinity_policy = Some(*to),
        Edit::NodeTaintsPolicy { to, .. } => constraint.node_taints_policy = Some(*to),
        _ => return None,
    }
    Some(())
}
