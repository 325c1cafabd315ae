//! Whom budgets are charged for.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::api::{LabelSelector, LabelSelectorRequirement, Object, Pod, Time};

fn labels(pairs: &[(&str, &str)]) -> Labels {
    pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

fn budget(name: &str, select: Option<&[(&str, &str)]>, allowed: i32) -> PodDisruptionBudget {
    let mut budget = PodDisruptionBudget::default();
    budget.metadata.name = name.into();
    budget.metadata.namespace = "ns".into();
    budget.selector = select
        .map(|pairs| LabelSelector { match_labels: labels(pairs), ..LabelSelector::default() });
    budget.status.disruptions_allowed = allowed;
    budget
}

fn pod(name: &str, pairs: &[(&str, &str)]) -> Pod {
    let mut pod = Pod::default();
    pod.metadata.name = name.into();
    pod.metadata.namespace = "ns".into();
    pod.metadata.labels = labels(pairs);
    pod
}

/// The budgets, and a cluster that knows the pods.
fn ledger(budgets: &[PodDisruptionBudget]) -> (Cluster, Ledger) {
    let mut cluster = Cluster::default();
    cluster.intern("ns");
    for budget in budgets {
        cluster.put(&Object::PodDisruptionBudget(Arc::new(budget.clone())));
    }
    let mut ledger = Ledger::new(&cluster);
    ledger.open();
    (cluster, ledger)
}

/// For each pod, whether it breaks a budget, and the budgets with what is left of them.
fn charge((cluster, ledger): &mut (Cluster, Ledger), pods: &[Pod]) -> Vec<(bool, Vec<(u32, i32)>)> {
    let one = |pod: &Pod| {
        let mut charges = Vec::new();
        let pod = cluster.derive(&Arc::new(pod.clone()));
        let violates = ledger.charge(&pod, |charge| charges.push((charge.budget, charge.after)));
        (violates, charges)
    };
    pods.iter().map(one).collect()
}

#[test]
fn every_budget_is_charged_also_after_one_is_broken() {
    let mut ledger =
        ledger(&[budget("a", Some(&[("app", "web")]), 1), budget("b", Some(&[("tier", "x")]), 2)]);
    let web = [("app", "web"), ("tier", "x")];
    let pods = [pod("1", &web), pod("2", &web), pod("3", &[("tier", "x")]), pod("4", &web)];
    let want = vec![
        (false, vec![(0, 0), (1, 1)]),
        // The first budget is broken; the second is charged all the same,
        (true, vec![(0, -1), (1, 0)]),
        // so that this pod breaks it.
        (true, vec![(1, -1)]),
        (true, vec![(0, -2), (1, -2)]),
    ];
    assert_eq!(charge(&mut ledger, &pods), want);
    // Every node begins anew.
    ledger.1.open();
    assert_eq!(charge(&mut ledger, &pods), want);
}

#[test]
fn whom_no_budget_selects() {
    let web: &[(&str, &str)] = &[("app", "web")];
    let mut bad = budget("bad", Some(web), 0);
    if let Some(selector) = &mut bad.selector {
        selector.match_expressions.push(LabelSelectorRequirement {
            key: "app".into(),
            operator: "Near".into(),
            values: Vec::new(),
        });
    }
    let mut elsewhere = budget("elsewhere", Some(web), 0);
    elsewhere.metadata.namespace = "other".into();
    for budgets in [
        vec![budget("none", None, 0)],
        vec![budget("empty", Some(&[]), 0)],
        vec![budget("other", Some(&[("app", "db")]), 0)],
        vec![bad],
        vec![elsewhere],
    ] {
        let name = budgets[0].metadata.name.clone();
        let got = charge(&mut ledger(&budgets), &[pod("1", web)]);
        assert_eq!(got, [(false, vec![])], "{name}");
    }
    // A pod without labels is not charged, though it lacks the label as demanded.
    let mut lacking = budget("lacking", Some(&[]), 0);
    if let Some(selector) = &mut lacking.selector {
        selector.match_expressions.push(LabelSelectorRequirement {
            key: "app".into(),
            operator: "DoesNotExist".into(),
            values: Vec::new(),
        });
    }
    let mut ledger = ledger(&[lacking]);
    let got = charge(&mut ledger, &[pod("1", &[]), pod("2", &[("a", "b")])]);
    assert_eq!(got, [(false, vec![]), (true, vec![(0, -1)])]);
}

#[test]
fn an_eviction_that_was_granted_is_not_charged_again() {
    let web: &[(&str, &str)] = &[("app", "web")];
    let mut granted = budget("a", Some(web), 0);
    granted.status.disrupted_pods.insert("1".into(), Time(0));
    let (mut cluster, mut ledger) = ledger(&[granted]);
    let mut charges = Vec::new();
    let mut charge = |name| {
        let pod = cluster.derive(&Arc::new(pod(name, web)));
        ledger.charge(&pod, |charge| charges.push(charge))
    };
    assert!(!charge("1"));
    assert!(charge("2"));
    let charge = |after, disrupted| Charge { budget: 0, before: 0, after, disrupted };
    assert_eq!(charges, [charge(0, true), charge(-1, false)]);
}

#[test]
fn what_is_left_wraps_as_in_go() {
    let mut ledger = ledger(&[budget("a", Some(&[("app", "web")]), i32::MIN)]);
    let got = charge(&mut ledger, &[pod("1", &[("app", "web")])]);
    assert_eq!(got, [(false, vec![(0, i32::MAX)])]);
}
