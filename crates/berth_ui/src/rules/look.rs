//! What the panel shows of a cluster.

use super::Limit;
use super::{RuleMsg, RuleWords};
use crate::engine::selector_text;
use crate::view::{BudgetView, ClassView, RulesView};
use berth_core::admission::priority::system_classes;
use berth_core::api::{
    IntOrPercent, ObjectKey, PodDisruptionBudget, PodDisruptionBudgetStatus, PreemptionPolicy,
    StatusSource, UnhealthyPodEvictionPolicy,
};
use berth_core::collections::{Set, sort_by};
use berth_core::controllers::disruption::Sync;
use berth_core::playground::Playground;
use yew::AttrValue;

/// The classes and budgets of a cluster.
pub(super) fn view(playground: &Playground, words: &RuleWords) -> RulesView {
    let cluster = playground.cluster();
    let mut namespaces: Set<&str> = Set::new();
    for (_, pod) in cluster.pods() {
        namespaces.insert(&pod.pod.metadata.namespace);
    }
    for key in cluster.budgets().keys() {
        namespaces.insert(&key.namespace);
    }
    if namespaces.is_empty() {
        namespaces.insert("default");
    }
    let text = |name: &&str| AttrValue::from((*name).to_owned());
    RulesView {
        classes: classes(playground),
        budgets: cluster
            .budgets()
            .iter()
            .filter_map(|(key, budget)| {
                Some(self::budget(key, budget, &playground.sync_budget(key)?, words))
            })
            .collect(),
        namespaces: namespaces.iter().map(text).collect(),
    }
}

fn classes(playground: &Playground) -> Vec<ClassView> {
    let cluster = playground.cluster();
    let mut all = cluster.known_priority_classes();
    sort_by(&mut all, |a, b| b.value.cmp(&a.value));
    let system = system_classes();
    let mut list = Vec::with_capacity(all.len());
    for class in &all {
        let name = &class.metadata.name;
        let of_class = cluster.pods().filter(|(_, pod)| pod.pod.spec.priority_class_name == *name);
        list.push(ClassView {
            name: name.clone().into(),
            value: class.value,
            default: class.global_default,
            never: class.preemption_policy == Some(PreemptionPolicy::Never),
            description: class.description.clone().into(),
            system: system.iter().any(|own| own.metadata.name == *name),
            pods: of_class.count() as u32,
        });
    }
    list
}

fn budget(
    key: &ObjectKey,
    budget: &PodDisruptionBudget,
    found: &Sync,
    words: &RuleWords,
) -> BudgetView {
    let (limit, value) = limit(budget);
    let always = Some(UnhealthyPodEvictionPolicy::AlwaysAllow);
    BudgetView {
        key: key.to_string().into(),
        limit,
        bound: value.map(shown).unwrap_or_default(),
        selector: selector_text::write(budget.selector.as_ref()).into(),
        always_allow: budget.unhealthy_pod_eviction_policy == always,
        pinned: budget.status_source == StatusSource::Pinned,
        status: numbers(&budget.status),
        computed: numbers(&found.status),
        why: why(limit, value, found, words),
        failure: found.failure.as_ref().map(|error| error.to_string().into()),
    }
}

/// The limit that counts: the controller looks at `maxUnavailable` first.
pub(super) fn limit(budget: &PodDisruptionBudget) -> (Limit, Option<&IntOrPercent>) {
    match &budget.max_unavailable {
        Some(most) => (Limit::MaxUnavailable, Some(most)),
        None => (Limit::MinAvailable, budget.min_available.as_ref()),
    }
}

fn shown(value: &IntOrPercent) -> AttrValue {
    match value {
        IntOrPercent::Int(number) => number.to_string().into(),
        IntOrPercent::Percent(text) => text.clone().into(),
    }
}

fn numbers(status: &PodDisruptionBudgetStatus) -> [i32; 4] {
    [
        status.expected_pods,
        status.desired_healthy,
        status.current_healthy,
        status.disruptions_allowed,
    ]
}

/// How the controller comes to `expectedPods`, `desiredHealthy`, `currentHealthy` and `disruptionsAllowed`.
fn why(
    limit: Limit,
    value: Option<&IntOrPercent>,
    found: &Sync,
    words: &RuleWords,
) -> [AttrValue; 4] {
    let [expected, desired, healthy, _] = numbers(&found.status);
    let number = |number: i32| number.to_string();
    let counted = matches!((limit, value), (Limit::MinAvailable, Some(IntOrPercent::Int(_))));
    let expectation = if value.is_none() {
        words.text(RuleMsg::BudgetNoLimit)
    } else if counted {
        words.text(RuleMsg::BudgetSelected)
    } else {
        let mut text =
            words.count(RuleMsg::BudgetScaled, found.controllers.len() as u32).to_string();
        if !found.unmanaged.is_empty() {
            text.push_str("; ");
            let pods = found.unmanaged.join(", ");
            text.push_str(&words.fill(RuleMsg::BudgetUnmanaged, &[("pods", &pods)]));
        }
        text.into()
    };
    let bound = value.map(shown).unwrap_or_default();
    let share = match value {
        Some(IntOrPercent::Percent(_)) => {
            let blanks = [("share", bound.as_str()), ("n", &number(expected))];
            words.fill(RuleMsg::BudgetShare, &blanks).to_string()
        }
        _ => bound.to_string(),
    };
    let wanted = match limit {
        _ if value.is_none() => AttrValue::default(),
        Limit::MinAvailable => ["minAvailable ", &share].concat().into(),
        Limit::MaxUnavailable => [&number(expected), " − ", &share].concat().into(),
    };
    // The controller allows none where it expects no pod.
    let spare = if expected > 0 {
        ["max(0, ", &number(healthy), " − ", &number(desired), ")"].concat().into()
    } else {
        words.text(RuleMsg::BudgetNoPods)
    };
    [expectation, wanted, words.text(RuleMsg::BudgetHealthy), spare]
}
