//! The fast path and the explained one agree: `decide` keeps what it found between cycles, `explain` looks anew.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeSet;

use berth_core::api::{Kind, Object, ObjectKey};
use berth_core::explain::Explanation;
use berth_core::framework::cycle::Decision;
use berth_core::framework::fact::Silent;
use berth_core::framework::status::Code;
use berth_core::playground::{Command, Playground};
use berth_core::preemption::importance::Ranked;
use berth_core::preemption::{Outcome, Preemption};
use berth_tests::golden::{self, FILES, File};
use berth_tests::playground;
use serde_json::{Value, json};

/// How many pods of a cluster are asked about.
const ASKED: usize = 2;

/// The decision of an explanation, in the words of `decision`.
fn explained(explanation: &Explanation) -> String {
    if let Some(gate) = &explanation.pre_enqueue {
        return format!("gated: {}", gate.reasons.join(", "));
    }
    if let Some(error) = &explanation.error {
        return format!("error: {error}");
    }
    let totals = explanation
        .nodes
        .iter()
        .filter_map(|node| Some(format!("{}={}", node.name, node.scores.as_ref()?.total)));
    let best = explanation.best_names().map(ToString::to_string);
    let rejected = explanation.nodes.iter().filter_map(|node| {
        let status = node.status.as_ref()?;
        Some(format!("{}: {} {}", node.name, status.plugin?, status.code))
    });
    outcome(&totals.collect::<Vec<_>>(), &best.collect::<Vec<_>>(), rejected.collect())
}

fn outcome(totals: &[String], best: &[String], mut rejected: Vec<String>) -> String {
    rejected.sort();
    format!("{totals:?} best {best:?} rejected {rejected:?}")
}

/// A decision as text. `None` if a filter could not work, which a decision takes for a refusal.
fn decided(playground: &Playground, decision: &Decision) -> Option<String> {
    let name =
        |idx| playground.cluster().node(idx).map_or("?".into(), |node| node.name.to_string());
    Some(match decision {
        Decision::Gated(text) => format!("gated: {text}"),
        Decision::NotScored(error) => format!("error: {error}"),
        Decision::NotFiltered(_) => return None,
        Decision::Filtered(placement) => {
            if placement.rejected.iter().any(|(_, verdict)| verdict.code == Code::Error) {
                return None;
            }
            let totals = placement.feasible.iter().zip(&placement.totals);
            let rejected = placement.rejected.iter();
            outcome(
                &totals.map(|(idx, total)| format!("{}={total}", name(*idx))).collect::<Vec<_>>(),
                &placement.best.iter().map(|idx| name(*idx)).collect::<Vec<_>>(),
                rejected
                    .map(|(idx, v)| format!("{}: {} {}", name(*idx), v.plugin, v.code))
                    .collect(),
            )
        }
    })
}

/// Whom an explanation would preempt, in the words of `preempted`.
fn explained_victims(explanation: &Explanation) -> Option<String> {
    let found = explanation.preemption().filter(|p| p.reached)?;
    let candidates = found.candidates().map(|node| {
        let victims: Vec<String> =
            node.victims().map(|pod| pod.metadata.key().to_string()).collect();
        format!("{}: {victims:?} {}", node.name, node.violations)
    });
    Some(format!("{:?} ties {:?}", candidates.collect::<Vec<_>>(), found.choice.ties))
}

fn preempted(playground: &Playground, found: &Preemption<Silent>) -> String {
    let cluster = playground.cluster();
    let candidates = found.candidates.iter().map(|i| {
        let run = &found.runs[*i as usize];
        let Outcome::Candidate(victims) = &run.outcome else { return "none".to_owned() };
        let name =
            |victim: &Ranked| cluster.pod(victim.pod).expect("it is there").key().to_string();
        let pods: Vec<String> = victims.pods.iter().map(name).collect();
        let node = cluster.node(run.node).expect("it is there");
        format!("{}: {pods:?} {}", node.name, victims.violations)
    });
    format!("{:?} ties {:?}", candidates.collect::<Vec<_>>(), found.choice.ties)
}

/// How many decisions were compared, and those that differ.
#[derive(Default)]
struct Tally {
    compared: usize,
    preempted: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn compare(&mut self, playground: &mut Playground, pods: &[ObjectKey], when: &str) {
        for pod in pods {
            let Ok(decision) = playground.decide(pod) else { continue };
            let Some(got) = decided(playground, &decision) else { continue };
            let explanation = playground.explain(pod).expect("it was decided");
            let want = explained(&explanation);
            self.compared += 1;
            let victims = playground.preempt(pod).expect("it was decided");
            let victims = victims.map(|found| preempted(playground, &found));
            let wanted = explained_victims(&explanation);
            if victims != wanted && explanation.error.is_none() {
                self.wrong.push(format!("{pod} {when}:\n  {victims:?}\n  explained {wanted:?}"));
            }
            self.preempted += usize::from(victims.is_some());
            if got != want {
                self.wrong.push(format!("{pod} {when}:\n  decided   {got}\n  explained {want}"));
            }
        }
    }

    /// Asks at first, then after changes that keep most of what is known, then after undoing them.
    fn run(&mut self, scenario: &Value) {
        let Some(mut playground) = playground(scenario) else { return };
        let all: Vec<ObjectKey> = playground.cluster().pods().map(|(_, pod)| pod.key()).collect();
        let asked = ObjectKey::parse(scenario["pod"].as_str().unwrap_or_default());
        let mut pods: Vec<ObjectKey> = all.iter().take(ASKED).cloned().collect();
        pods.push(asked.clone());
        let nodes: Vec<String> = playground
            .cluster()
            .order()
            .iter()
            .filter_map(|idx| Some(playground.cluster().node(*idx)?.name.to_string()))
            .collect();
        let name = scenario["name"].as_str().unwrap_or_default();
        self.compare(&mut playground, &pods, &format!("{name} at first"));
        let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else { return };
        let node = |name: &str| ObjectKey::new(String::new(), name);
        let moved = all.last().cloned().unwrap_or_else(|| asked.clone());
        let mut bare = playground.cluster().get(Kind::Node, &node(last));
        if let Some(Object::Node(node)) = &mut bare {
            let node = std::sync::Arc::make_mut(node);
            node.status.images.clear();
            node.spec.taints.clear();
            node.metadata.labels.clear();
        }
        let changes = [
            ("pod moved", Command::Place { pod: moved, node: first.clone() }),
            ("pod scheduled", Command::Schedule { pod: asked }),
            ("node bared", Command::Put(bare.expect("the node is there"))),
            ("node gone", Command::Drop(Kind::Node, node(first))),
        ];
        let mut done = 0;
        for (what, change) in changes {
            let before = playground.log().count();
            if playground.apply(change).is_ok() {
                done += playground.log().count() - before;
                self.compare(&mut playground, &pods, &format!("{name}, {what}"));
            }
        }
        for _ in 0..done {
            playground.undo();
        }
        self.compare(&mut playground, &pods, &format!("{name}, all undone"));
    }
}

fn run(file: File) -> Tally {
    let mut tally = Tally::default();
    for vector in golden::vectors(file) {
        // `examples` has questions of other kinds, too; the numbers below hold that not much is passed over.
        if let Some(scenario) = vector.get("scenario").or_else(|| vector.get("sequence")) {
            tally.run(scenario);
        }
    }
    tally
}

/// Nodes without room, each with a pod that could go.
fn full_nodes(count: usize) -> Value {
    let pod = |name: &str, priority: i32, node: Option<&str>| {
        json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": { "name": name, "namespace": "default" },
            "spec": {
                "nodeName": node.unwrap_or_default(), "priority": priority,
                "containers": [{ "name": "c", "image": "i", "resources": { "requests": { "cpu": "1" } } }],
            },
            "status": { "startTime": "2026-01-01T00:00:00Z" },
        })
    };
    let mut objects = vec![pod("high", 10, None)];
    for i in 0..count {
        let node = format!("n{i}");
        objects.push(json!({
            "apiVersion": "v1", "kind": "Node", "metadata": { "name": &node },
            "status": { "allocatable": { "cpu": "1", "pods": "9" } },
        }));
        objects.push(pod(&format!("low{i}"), 0, Some(&node)));
    }
    json!({ "objects": objects })
}

#[test]
fn the_seed_picks_among_candidates_that_tie() {
    let mut playground = playground(&full_nodes(3)).expect("it can be loaded");
    let explanation =
        playground.explain(&ObjectKey::new("default", "high")).expect("the pod is there");
    let mut picked = BTreeSet::new();
    for seed in 0..50 {
        playground.apply(Command::Reseed(seed)).expect("a seed can be set");
        let pick = || Some(playground.pick_candidate(&explanation)?.name.to_string());
        assert_eq!(pick(), pick());
        picked.extend(pick());
    }
    assert_eq!(picked.into_iter().collect::<Vec<_>>(), ["n0", "n1", "n2"]);
}

#[test]
fn corpus() {
    let half = |odd: usize| {
        let files = FILES.iter().filter(|file| !file.name.starts_with("lifecycle-")).enumerate();
        files.filter(|(i, _)| i % 2 == odd).map(|(_, file)| run(*file)).collect::<Vec<_>>()
    };
    let mut all = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        let mut all = half(0);
        all.extend(other.join().expect("a vector file can be decided"));
        all
    });
    assert!(all.iter().map(|tally| tally.compared).sum::<usize>() > 30_000);
    assert!(all.iter().map(|tally| tally.preempted).sum::<usize>() > 3_000);
    all.retain(|tally| !tally.wrong.is_empty());
    let wrong: Vec<_> = all.iter().flat_map(|tally| &tally.wrong).collect();
    wrong.iter().take(5).for_each(|one| println!("{one}"));
    assert!(wrong.is_empty(), "{} differ", wrong.len());
}
