//! What explanations say of single pods, nodes and words adds up, over the whole corpus.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;

use berth_core::api::ObjectKey;
use berth_core::cluster::{Cluster, PodInfo};
use berth_core::explain::tally::{Tally, Uncounted};
use berth_core::explain::{Explanation, LeftOutNode, SpreadExplanation, node_affinity};
use berth_core::framework::fact::Fact;
use berth_core::framework::plugin::PluginId;
use berth_core::playground::Playground;
use berth_core::plugins::pod_topology_spread::constraint::LeftOut;
use berth_core::plugins::taint_toleration::mismatch;
use berth_tests::golden::{self, FILES};
use berth_tests::playground;

/// What was looked at, so that nothing passes by being absent.
#[derive(Debug, Default)]
struct Seen {
    constraints: usize,
    counted: usize,
    rules: BTreeMap<String, usize>,
    phrases: usize,
    of_preemption: usize,
    taints: usize,
    affinities: usize,
    kept: usize,
}

/// Asks about the pod of every scenario, and about one that may stand on a node.
fn each(mut look: impl FnMut(&Playground, &ObjectKey, &Explanation)) {
    for file in FILES.iter().filter(|file| file.name.contains("schedule")) {
        for vector in golden::vectors(*file) {
            let scenario = &vector["scenario"];
            let Some(mut playground) = playground(scenario) else { continue };
            let asked = ObjectKey::parse(scenario["pod"].as_str().unwrap_or_default());
            let first = playground.cluster().pods().next().map(|(_, pod)| pod.key());
            for key in first.into_iter().filter(|key| *key != asked).chain([asked.clone()]) {
                if let Ok(explanation) = playground.explain(&key) {
                    look(&playground, &key, &explanation);
                }
            }
        }
    }
}

/// Whether a rule is true of a pod, by what the rule says and nothing else.
fn is_true(
    rule: Uncounted,
    cluster: &Cluster,
    asked: &ObjectKey,
    spread: &SpreadExplanation,
    pod: &PodInfo,
) -> bool {
    let node = cluster.node_named(&pod.pod.spec.node_name).and_then(|idx| cluster.node(idx));
    let is = |rule: LeftOut| {
        let here = |left: &&LeftOutNode| *left.node == *pod.pod.spec.node_name;
        spread.left_out_nodes.iter().find(here).is_some_and(|left| left.rule == rule)
    };
    match rule {
        Uncounted::Over => pod.pod.status.phase.is_terminal(),
        Uncounted::NoNode => node.is_none_or(|node| node.node.is_none()) || !pod.bound,
        Uncounted::Selector => !spread.compiled.matches(&pod.pod.metadata.labels),
        Uncounted::Namespace => pod.pod.metadata.namespace != asked.namespace,
        Uncounted::EmptySelector => spread.compiled.is_empty(),
        Uncounted::Terminating => pod.is_terminating(),
        Uncounted::MissingKey => is(LeftOut::MissingKey),
        Uncounted::NodeAffinityPolicy => is(LeftOut::NodeAffinity),
        Uncounted::NodeTaintsPolicy => is(LeftOut::Taint),
        // A domain of a soft constraint; that it has no node that fits is looked at below.
        Uncounted::NotScored => spread.weight > 0.0,
    }
}

/// Every pod is counted, or left out by one rule that is true of it.
fn check_tally(seen: &mut Seen, cluster: &Cluster, asked: &ObjectKey, explanation: &Explanation) {
    for spread in explanation.spread_filter.iter().chain(&explanation.spread_score) {
        let tally = Tally::new(cluster, asked, spread);
        let left_out = tally.left_out.iter().flat_map(|(_, pods)| pods);
        let told = tally.counted.iter().chain(left_out);
        let mut told: Vec<ObjectKey> = told.map(|pod| pod.metadata.key()).collect();
        told.sort();
        let others = cluster.pods().map(|(_, pod)| pod.key()).filter(|key| key != asked);
        let mut all: Vec<ObjectKey> = others.collect();
        all.sort();
        assert_eq!(told, all, "each pod once");

        let matching: i64 = spread.domains.iter().map(|domain| domain.matching).sum();
        assert_eq!(tally.counted.len() as i64, matching, "as many as the sums say");
        seen.constraints += 1;
        seen.counted += tally.counted.len();
        let pod = |key: &ObjectKey| {
            cluster.pod(cluster.pod_named(key).expect("it is there")).expect("it is there")
        };
        for key in &tally.counted.iter().map(|pod| pod.metadata.key()).collect::<Vec<_>>() {
            for rule in Uncounted::ALL.into_iter().filter(|rule| *rule != Uncounted::NotScored) {
                let per_node =
                    spread.weight > 0.0 && &*spread.topology_key == "kubernetes.io/hostname";
                let policy =
                    matches!(rule, Uncounted::NodeAffinityPolicy | Uncounted::NodeTaintsPolicy);
                if per_node && policy {
                    continue;
                }
                assert!(!is_true(rule, cluster, asked, spread, pod(key)), "{key} {rule:?}");
            }
        }
        for (rule, pods) in &tally.left_out {
            *seen.rules.entry(format!("{rule:?}")).or_default() += pods.len();
            for key in &pods.iter().map(|pod| pod.metadata.key()).collect::<Vec<_>>() {
                assert!(is_true(*rule, cluster, asked, spread, pod(key)), "{key} {rule:?}");
                let node = pod(key).pod.spec.node_name.as_str();
                let scored = spread
                    .domains
                    .iter()
                    .any(|domain| domain.nodes.iter().any(|name| **name == *node));
                assert!(*rule != Uncounted::NotScored || !scored, "{key} on {node}");
            }
        }
    }
}

/// The parts of a message are the message, and speak of the nodes that they count.
fn check_phrases(seen: &mut Seen, explanation: &Explanation) {
    let phrases = explanation.phrases();
    let joined: String = phrases.iter().map(|phrase| phrase.text.as_str()).collect();
    assert_eq!(joined, explanation.message.clone().unwrap_or_default());
    for (phrase, about) in
        phrases.iter().filter_map(|phrase| Some((phrase, phrase.about.as_ref()?)))
    {
        let number = phrase.text.split(' ').next().and_then(|word| word.parse().ok());
        if explanation.pre_filter.iter().all(|status| !status.code.is_rejected()) {
            assert_eq!(number, Some(about.nodes.len()), "{}", phrase.text);
        }
        if !about.preemption {
            for index in &about.nodes {
                let status = explanation.nodes[*index as usize].status.as_ref();
                let status = status.expect("the node is refused");
                assert!(
                    status.reasons.iter().any(|reason| phrase.text.ends_with(reason.as_str())),
                    "{} does not say {:?}",
                    phrase.text,
                    status.reasons
                );
                assert!(status.plugin.is_none_or(|plugin| about.plugins.contains(&plugin)));
            }
        }
        seen.phrases += 1;
        seen.of_preemption += usize::from(about.preemption);
    }
}

/// Requirements and tolerations one by one say what the plugins found.
fn check_requirements(seen: &mut Seen, explanation: &Explanation) {
    let pod = &explanation.object;
    for report in &explanation.nodes {
        let Some(node) = &report.object else { continue };
        for fact in report.verdicts.iter().flat_map(|verdict| &verdict.facts) {
            match fact {
                Fact::Taint { index, toleration } => {
                    let taint = &node.spec.taints[*index as usize];
                    let tolerates = pod
                        .spec
                        .tolerations
                        .iter()
                        .position(|toleration| mismatch(toleration, taint).is_none());
                    assert_eq!(tolerates.map(|at| at as u32), *toleration);
                    seen.taints += 1;
                }
                Fact::NodeAffinity { selector, term, .. } => {
                    let found = node_affinity::on_node(pod, node);
                    assert_eq!(found.node_selector.iter().all(|one| one.holds), *selector);
                    let terms = found.terms.iter().flatten();
                    let holds = terms.filter(|term| term.holds()).map(|term| term.index);
                    let first = holds.flatten().next();
                    assert!(!selector || first == *term, "{first:?} {term:?}");
                    seen.affinities += 1;
                }
                _ => {}
            }
        }
    }
}

/// Of a pod that preemption lets stay there is what was compared.
fn check_kept(seen: &mut Seen, explanation: &Explanation) {
    let found = explanation.post_filter.as_ref().and_then(|found| found.preemption.as_ref());
    for node in found.iter().flat_map(|found| found.candidates()) {
        for back in &node.put_back {
            // Nothing that was compared for one that stays refuses; a victim has its refusal.
            assert!(back.kept.iter().all(|fact| fact.reason().is_none()));
            assert!(back.refusal.is_none() || back.kept.is_empty());
            let filters = &explanation.filters;
            if back.refusal.is_none() && filters.contains(&PluginId::NodeResourcesFit) {
                let fits = |fact: &&Fact| matches!(fact, Fact::Pods { .. });
                assert_eq!(back.kept.iter().filter(fits).count(), 1);
                seen.kept += 1;
            }
        }
    }
}

#[test]
fn the_corpus_adds_up() {
    let mut seen = Seen::default();
    each(|playground, asked, explanation| {
        check_tally(&mut seen, playground.cluster(), asked, explanation);
        check_phrases(&mut seen, explanation);
        check_requirements(&mut seen, explanation);
        check_kept(&mut seen, explanation);
    });
    println!("{seen:#?}");
    assert!(seen.constraints > 2000 && seen.counted > 5000);
    assert_eq!(seen.rules.len(), Uncounted::ALL.len());
    assert!(seen.phrases > 2000 && seen.of_preemption > 500);
    assert!(seen.taints > 1000 && seen.affinities > 1000 && seen.kept > 300);
}
