//! What holds in every history, over thousands of random ones.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use berth_core::api::{Object, ObjectKey, Pod, ProbeKind, Quantity};
use berth_core::cluster::requests::{RequestOptions, pod_requests};
use berth_core::framework::config::Configuration;
use berth_core::kubelet::eviction::PodStats;
use berth_core::queue::Instant;
use berth_core::queue::time::SECOND;
use berth_core::simulation::{
    Command, Event, Gauge, Kubelet, Parameters, Pods, Rule, Sample, Signal, Simulation,
    SpreadConstraint, Timeline, Times, UsageOf, What,
};
use berth_tests::object;
use berth_wire::patch::MergePatch;
use serde_json::{Value, json};

const HISTORIES: u64 = 2_000;
/// How long a history is, in seconds.
const LENGTH: i64 = 150;
/// When the last request comes, in seconds.
const LAST_REQUEST: u64 = 100;
/// What a kubelet and the API server take beyond a grace period, in nanoseconds; a container gets two seconds after its
/// turn has come.
const SLACK: i64 = 2 * SECOND + 1_000_000;
/// What the Job controller takes beyond that to let go of a pod, in nanoseconds.
const COUNTED: i64 = 3 * SECOND;

/// A xorshift generator: the same seed gives the same numbers.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

fn node(name: &str, cpu: u64) -> Value {
    let labels = json!({ "kubernetes.io/hostname": name, "topology.kubernetes.io/zone": format!("z{}", cpu % 2) });
    json!({
        "apiVersion": "v1", "kind": "Node", "metadata": { "name": name, "labels": labels },
        "status": { "capacity": { "cpu": format!("{cpu}m"), "memory": "8Gi", "pods": "20" } },
    })
}

fn template(random: &mut Random, app: &str) -> Value {
    let cpu = 100 + random.below(15) * 100;
    let mut spec = json!({
        "terminationGracePeriodSeconds": random.pick(&[0, 1, 5, 30]),
        "priorityClassName": random.pick(&["low", "mid", "high"]),
        "containers": [{ "name": "c", "image": "i", "resources": { "requests": { "cpu": format!("{cpu}m") } } }],
    });
    if random.below(2) == 0 {
        look_after(random, &mut spec);
    }
    if random.below(4) == 0 {
        spec["topologySpreadConstraints"] = json!([{
            "maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": { "matchLabels": { "app": app } },
        }]);
    }
    json!({ "metadata": { "labels": { "app": app, "exit": random.pick(&["fast", "slow"]) } }, "spec": spec })
}

/// Hooks, probes and sidecars.
fn look_after(random: &mut Random, spec: &mut Value) {
    let main = &mut spec["containers"][0];
    let hook = match random.below(3) {
        0 => json!({ "sleep": { "seconds": 1 + random.below(40) } }),
        1 => json!({ "exec": { "command": ["x"] } }),
        _ => Value::Null,
    };
    if !hook.is_null() {
        main["lifecycle"] = json!({ "preStop": hook });
    }
    for probe in ["livenessProbe", "readinessProbe", "startupProbe"] {
        if random.below(2) == 0 {
            main[probe] =
                json!({ "exec": { "command": ["x"] }, "periodSeconds": 1 + random.below(5) });
        }
    }
    if main.get("livenessProbe").is_some() && random.below(2) == 0 {
        main["livenessProbe"]["terminationGracePeriodSeconds"] = 3.into();
    }
    let sidecars = ["proxy", "logs"].into_iter().take(random.below(3) as usize);
    let sidecar = |name| json!({ "name": name, "image": "i", "restartPolicy": "Always" });
    spec["initContainers"] = sidecars.map(sidecar).collect();
}

fn pod(random: &mut Random, name: &str) -> Value {
    let app = random.pick(&["web", "db"]);
    let mut pod = template(random, app);
    pod["apiVersion"] = "v1".into();
    pod["kind"] = "Pod".into();
    pod["metadata"]["name"] = name.into();
    pod
}

/// A Job whose pods end well, badly, or not at all.
fn job(random: &mut Random) -> Value {
    let mut template = template(random, "job");
    template["metadata"]["labels"]["end"] = random.pick(&["well", "badly", "never"]).into();
    template["spec"]["restartPolicy"] = "Never".into();
    json!({
        "apiVersion": "batch/v1", "kind": "Job", "metadata": { "name": "job" },
        "spec": {
            "completions": 1 + random.below(4), "parallelism": 1 + random.below(3),
            "backoffLimit": random.below(4), "completionMode": random.pick(&["Indexed", "NonIndexed"]),
            "template": template,
        },
    })
}

fn cluster(random: &mut Random) -> Vec<Object> {
    let mut values = Vec::new();
    for (name, value) in [("low", 0), ("mid", 100), ("high", 1000)] {
        values.push(json!({
            "apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": { "name": name }, "value": value,
        }));
    }
    for number in 0..=random.below(4) {
        values.push(node(&format!("n{number}"), 1000 + random.below(5) * 700));
    }
    for app in ["web", "db"] {
        if random.below(2) == 0 {
            let kind = random.pick(&["ReplicaSet", "Deployment", "StatefulSet"]);
            let template = template(random, app);
            values.push(json!({
                "apiVersion": "apps/v1", "kind": kind, "metadata": { "name": app },
                "spec": {
                    "replicas": random.below(6), "selector": { "matchLabels": { "app": app } }, "template": template,
                },
            }));
        }
        if random.below(2) == 0 {
            let field = random.pick(&["minAvailable", "maxUnavailable"]);
            values.push(json!({
                "apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": { "name": app },
                "spec": { field: random.below(4), "selector": { "matchLabels": { "app": app } } },
            }));
        }
    }
    if random.below(2) == 0 {
        values.push(job(random));
    }
    for number in 0..random.below(6) {
        values.push(pod(random, &format!("p{number}")));
    }
    values.iter().map(object).collect()
}

/// A pod that is there, if there is one.
fn some_pod(random: &mut Random, state: &Simulation) -> Option<ObjectKey> {
    let pods: Vec<_> = state.objects().pods().map(|pod| pod.metadata.key()).collect();
    (!pods.is_empty()).then(|| pods[random.below(pods.len() as u64) as usize].clone())
}

fn patch(target: &Object, with: Value) -> Command {
    let Value::Object(with) = with else { panic!("a patch is an object") };
    Command::Patch {
        kind: target.kind(),
        key: target.key(),
        patch: Arc::new(MergePatch::from(with)),
    }
}

/// What a user might do to a cluster as it is.
fn command(random: &mut Random, state: &Simulation, number: u64) -> Option<Command> {
    let grace_period_seconds = random.pick(&[None, None, Some(0), Some(2)]);
    let nodes: Vec<_> =
        state.objects().nodes().map(|node| Object::Node(Arc::clone(node))).collect();
    let node = nodes[random.below(nodes.len() as u64) as usize].clone();
    Some(match random.below(14) {
        0..=3 => Command::Create(object(&pod(random, &format!("new{number}")))),
        4 => {
            let key = some_pod(random, state)?;
            Command::Delete { kind: berth_core::api::Kind::Pod, key, grace_period_seconds }
        }
        5 => Command::Evict { key: some_pod(random, state)?, grace_period_seconds },
        6 => patch(&node, json!({ "spec": { "unschedulable": random.below(2) == 0 } })),
        7 => {
            let name = random.pick(&["web", "db"]);
            let scale = json!({
                "apiVersion": "apps/v1", "kind": random.pick(&["ReplicaSet", "Deployment", "StatefulSet"]),
                "metadata": { "name": name, "namespace": "default" },
                "spec": { "selector": { "matchLabels": { "a": "b" } }, "template": {} },
            });
            patch(&object(&scale), json!({ "spec": { "replicas": random.below(8) } }))
        }
        8 => Command::Create(object(&self::node(
            &format!("added{number}"),
            900 + random.below(4) * 500,
        ))),
        9 => patch(&node, json!({ "metadata": { "labels": { "note": number.to_string() } } })),
        10..=11 => Command::Probe {
            of: Pods::Label("app".into(), random.pick(&["web", "db"]).into()),
            container: None,
            probe: random.pick(&ProbeKind::ALL),
            fails: random.below(3) > 0,
        },
        _ => {
            let usage = PodStats { memory: Some(random.below(9) << 30), ..PodStats::default() };
            let of = match random.below(3) {
                0 => UsageOf::Label("app".into(), random.pick(&["web", "db", "job"]).into()),
                1 => UsageOf::Node(node.key().name),
                _ => UsageOf::Pod(some_pod(random, state)?),
            };
            Command::Usage { of, usage }
        }
    })
}

fn parameters(random: &mut Random) -> Parameters {
    let slow = Times { exit: Some(12 * SECOND), ..Times::default() };
    let well = Times { run: Some(9 * SECOND), ..Times::default() };
    let badly = Times { fail: Some(4 * SECOND), ..Times::default() };
    let endless = Times { pre_stop: Some(i64::MAX), ..Times::default() };
    let rules = [
        ("end", "well", "", well),
        ("end", "badly", "", badly),
        ("exit", "slow", "", slow),
        ("app", "db", "c", endless),
        ("app", "web", "logs", slow),
    ];
    let rule = |(key, value, container, times): (&str, &str, &str, Times)| Rule {
        key: key.into(),
        value: value.into(),
        container: container.into(),
        times,
    };
    let rules = rules.map(rule).into();
    let stagger = random.pick(&[0, SECOND]);
    Parameters {
        seed: random.below(4),
        kubelet: Kubelet { stagger, rules, ..Kubelet::default() },
        ..Parameters::default()
    }
}

fn begin(seed: u64) -> (Random, Simulation) {
    let mut random = Random::new(seed);
    let objects = cluster(&mut random);
    let parameters = parameters(&mut random);
    let simulation = Simulation::new(objects, &Configuration::default(), parameters);
    (random, simulation.expect("profiles can run"))
}

/// A history with the requests that were made.
fn play(seed: u64) -> (Timeline, Vec<(Instant, Command)>) {
    let (mut random, simulation) = begin(seed);
    let mut timeline = Timeline::new(simulation);
    let mut moments: Vec<u64> =
        (0..3 + random.below(10)).map(|_| random.below(LAST_REQUEST * 1000)).collect();
    moments.sort_unstable();
    let mut made = Vec::new();
    for (number, moment) in moments.into_iter().enumerate() {
        let at = Instant(moment as i64 * 1_000_000);
        timeline.seek(at);
        if let Some(command) = command(&mut random, timeline.state(), number as u64) {
            made.push((at, command.clone()));
            timeline.act(command);
        }
    }
    timeline.seek(Instant(LENGTH * SECOND));
    (timeline, made)
}

/// The same without going back: as far as an instant.
fn replay(seed: u64, made: &[(Instant, Command)], end: Instant) -> Simulation {
    let (_, mut simulation) = begin(seed);
    for (at, command) in made.iter().filter(|(at, _)| *at <= end) {
        simulation.run_until(*at);
        simulation.act(command);
    }
    simulation.run_until(end);
    simulation.take_events();
    simulation.take_attempts();
    simulation
}

/// Everything that a state is.
fn whole(simulation: &Simulation) -> String {
    format!("{simulation:?}")
}

/// Pods are on one node, and end in time.
fn check_events(seed: u64, events: &[&Event]) {
    let mut on: BTreeMap<&ObjectKey, &str> = BTreeMap::new();
    let mut due: BTreeMap<&ObjectKey, Instant> = BTreeMap::new();
    for event in events {
        for (pod, end) in &due {
            assert!(event.at <= *end, "{seed}: {pod} should be gone by {end:?}: {event:?}");
        }
        match &event.what {
            What::Created { node, .. } if !node.is_empty() => {
                on.insert(&event.key, node);
            }
            What::Scheduled { node } => {
                let before = on.insert(&event.key, node);
                assert_eq!(before, None, "{seed}: {event:?}");
            }
            What::Deleting { grace, .. } => {
                let more = if event.key.name.starts_with("job-") { COUNTED } else { SLACK };
                // Less time than before is not heard of.
                let by = event.at.after(grace * SECOND + more);
                due.entry(&event.key).and_modify(|known| *known = by.max(*known)).or_insert(by);
            }
            What::Deleted { .. } => {
                on.remove(&event.key);
                due.remove(&event.key);
            }
            What::Budget(status) => {
                assert!(
                    status.disruptions_allowed >= 0 && status.current_healthy >= 0,
                    "{seed}: {event:?}"
                );
            }
            _ => {}
        }
    }
}

/// The scheduler puts no more on a node than there is.
fn check_nodes(seed: u64, state: &Simulation) {
    for node in state.objects().nodes() {
        let pods: Vec<&Arc<Pod>> = state
            .objects()
            .pods()
            .filter(|pod| {
                pod.spec.node_name == node.metadata.name && !pod.status.phase.is_terminal()
            })
            .collect();
        let requests = pods.iter().map(|pod| pod_requests(pod, RequestOptions::AS_SCHEDULED));
        let cpu: i64 = requests.map(|list| list.get("cpu").map_or(0, Quantity::milli_value)).sum();
        let allocatable = node.status.allocatable.get("cpu").map_or(0, Quantity::milli_value);
        assert!(cpu <= allocatable, "{seed}: {} has {cpu} of {allocatable}", node.metadata.name);
        assert!(pods.len() <= 20, "{seed}");
    }
}

#[test]
fn what_holds_in_every_history() {
    let (mut scheduled, mut evicted, mut preempted, mut short) = (0, 0, 0, 0);
    let (mut requests, mut all, mut jobs, mut ended) = (0, 0, (0, 0), (0, 0, 0));
    for seed in 0..HISTORIES {
        let (mut timeline, made) = play(seed);
        let events: Vec<Event> = timeline.events().cloned().collect();
        requests += made.len();
        all += events.len();
        check_events(seed, &events.iter().collect::<Vec<_>>());
        for event in &events {
            match &event.what {
                What::Scheduled { .. } => scheduled += 1,
                What::Preempted { .. } => preempted += 1,
                What::Deleting { reason, .. } if reason == "EvictionByEvictionAPI" => evicted += 1,
                What::Reported(report) if report.reason == "Evicted" => short += 1,
                What::Reported(report) if report.message.ends_with("restarted") => ended.0 += 1,
                What::Signal { signal: Signal::Term, .. } => ended.1 += 1,
                What::Signal { signal: Signal::Kill, .. } => ended.2 += 1,
                What::Reported(report) if report.reason == "Completed" => jobs.0 += 1,
                What::Reported(report) if report.reason == "BackoffLimitExceeded" => jobs.1 += 1,
                _ => {}
            }
        }
        for second in [3, 31, 62, 97, LENGTH] {
            timeline.seek(Instant(second * SECOND));
            check_nodes(seed, timeline.state());
        }
    }
    let counts = format!(
        "{HISTORIES} histories with {requests} requests and {all} events: {scheduled} scheduled, {evicted} evicted, \
         {preempted} preempted, {short} gone from nodes that ran short, {} Jobs complete, {} failed; {} containers \
         started again, {} told to end later than their pod, {} killed",
        jobs.0, jobs.1, ended.0, ended.1, ended.2
    );
    println!("{counts}");
    // They are histories in which something happens.
    let is_enough = scheduled > 10_000 && evicted > 300 && preempted > 300 && short > 300;
    let are_ended = ended.0 > 300 && ended.1 > 300 && ended.2 > 300;
    assert!(is_enough && are_ended && jobs.0 > 100 && jobs.1 > 100, "{counts}");
}

#[test]
fn every_moment_is_what_a_replay_makes_it() {
    for seed in 0..HISTORIES / 20 {
        let (mut timeline, made) = play(seed);
        let mut random = Random::new(seed + 77);
        for _ in 0..3 {
            let at = Instant(random.below(LENGTH as u64 * 1000) as i64 * 1_000_000);
            timeline.seek(at);
            assert_eq!(
                whole(timeline.state()),
                whole(&replay(seed, &made, at)),
                "{seed} at {at:?}"
            );
        }
        let (again, _) = play(seed);
        let end = Instant(LENGTH * SECOND);
        timeline.seek(end);
        assert_eq!(whole(timeline.state()), whole(again.state()), "{seed} again");
    }
}

/// What gauges show at the moment, each with the constraint that it is about.
fn shown(timeline: &Timeline) -> BTreeMap<String, i64> {
    let mut shown = BTreeMap::new();
    for Sample { at, gauge, value } in timeline.samples() {
        if *at > timeline.now() {
            break;
        }
        let (about, number) = match gauge {
            Gauge::Skew(number) => ("skew".to_owned(), Some(*number)),
            Gauge::Domain(number, domain) => (format!("in {domain}"), Some(*number)),
            gauge => (format!("{gauge:?}"), None),
        };
        // Who has it first hangs on when somebody comes.
        let anybodys = |of: &Arc<SpreadConstraint>| SpreadConstraint {
            workload: String::new(),
            ..(**of).clone()
        };
        let constraint = number.and_then(|number| timeline.constraint(number)).map(anybodys);
        let about = format!("{about} {constraint:?}");
        match value {
            Some(value) => shown.insert(about, *value),
            None => shown.remove(&about),
        };
    }
    shown
}

/// What gauges show is what somebody counts who comes now; gives how many numbers were compared.
fn check_gauges(seed: u64, timeline: &Timeline) -> usize {
    let (followed, anew) = (shown(timeline), shown(&Timeline::new(timeline.state().clone())));
    for (gauge, value) in &anew {
        assert_eq!(followed.get(gauge), Some(value), "{seed} at {:?}: {gauge}", timeline.now());
    }
    let objects = timeline.state().objects();
    for app in ["web", "db"] {
        let in_zone = |node: &str| objects.node(node).is_some();
        let counts = |pod: &&Arc<Pod>| {
            pod.metadata.labels.get("app").is_some_and(|value| value == app)
                && pod.metadata.deletion_timestamp.is_none()
                && !pod.status.phase.is_terminal()
                && in_zone(&pod.spec.node_name)
        };
        let counted = objects.pods().filter(counts).count() as i64;
        let own = format!("selector: \"app={app}\"");
        let of_own =
            |(gauge, _): &(&String, &i64)| gauge.starts_with("in ") && gauge.contains(&own);
        let (mut sum, mut workloads) = (0, BTreeSet::new());
        for (gauge, value) in anew.iter().filter(of_own) {
            sum += value;
            workloads.insert(gauge.split_once(" Some").map(|(_, constraint)| constraint));
        }
        assert_eq!(sum, counted * workloads.len() as i64, "{seed}: {app}");
    }
    anew.len()
}

#[test]
fn gauges_show_what_is_counted_anew() {
    let mut compared = 0;
    for seed in 0..HISTORIES / 20 {
        let (mut timeline, _) = play(seed);
        compared += check_gauges(seed, &timeline);
        for second in [0, 3, 31, 62, 97] {
            timeline.seek(Instant(second * SECOND));
            compared += check_gauges(seed, &timeline);
        }
        // On another branch, and after it was taken back.
        timeline.seek(Instant(40 * SECOND));
        timeline.act(Command::Create(object(&node("late", 4000))));
        timeline.seek(Instant(55 * SECOND));
        compared += check_gauges(seed, &timeline);
        timeline.act(Command::NodeDown("n0".into()));
        timeline.seek(Instant(120 * SECOND));
        compared += check_gauges(seed, &timeline);
        assert!(timeline.undo(1), "{seed}");
        timeline.seek(Instant(LENGTH * SECOND));
        compared += check_gauges(seed, &timeline);
    }
    assert!(compared > 5_000, "{compared}");
}

#[test]
fn undo_takes_a_request_back() {
    for seed in 0..HISTORIES / 20 {
        let (mut timeline, mut made) = play(seed);
        let Some((at, _)) = made.pop() else { continue };
        assert!(timeline.undo(1), "{seed}");
        assert_eq!(timeline.now(), at);
        timeline.seek(Instant(LENGTH * SECOND));
        let without = replay(seed, &made, Instant(LENGTH * SECOND));
        assert_eq!(whole(timeline.state()), whole(&without), "{seed}");
    }
}

#[test]
fn several_requests_are_taken_back_at_once() {
    for seed in 0..HISTORIES / 20 {
        let (mut timeline, mut made) = play(seed);
        if made.len() < 4 {
            continue;
        }
        let last = made.split_off(made.len() - 3);
        assert!(timeline.undo(3), "{seed}");
        assert_eq!(timeline.now(), last[0].0, "{seed}");
        timeline.seek(Instant(LENGTH * SECOND));
        let without = replay(seed, &made, Instant(LENGTH * SECOND));
        assert_eq!(whole(timeline.state()), whole(&without), "{seed}");
        assert!(!timeline.undo(made.len() + 1), "{seed}");
    }
}

#[test]
fn acting_in_the_past_begins_a_branch() {
    for seed in 0..HISTORIES / 20 {
        let (mut timeline, made) = play(seed);
        let end = Instant(LENGTH * SECOND);
        let trunk = timeline.current();
        let before = whole(timeline.state());
        let middle = Instant(50 * SECOND);
        timeline.seek(middle);
        let late = Command::Create(object(&node("late", 4000)));
        let branch = timeline.act(late.clone());
        assert_ne!(branch, trunk);
        timeline.seek(end);
        let mut other: Vec<_> = made.iter().filter(|(at, _)| *at <= middle).cloned().collect();
        other.push((middle, late));
        assert_eq!(whole(timeline.state()), whole(&replay(seed, &other, end)), "{seed}");
        assert_eq!(timeline.acted().count(), other.len(), "{seed}");
        // What was before is the parent's.
        timeline.seek(Instant(10 * SECOND));
        let early = replay(seed, &made, Instant(10 * SECOND));
        assert_eq!(whole(timeline.state()), whole(&early), "{seed}");
        // The branch that was left is what it was.
        timeline.switch(trunk);
        timeline.seek(end);
        assert_eq!(whole(timeline.state()), before, "{seed}");
        timeline.switch(branch);
        assert!(timeline.undo(1), "{seed}");
        assert_eq!((timeline.current(), timeline.now()), (trunk, middle), "{seed}");
    }
}

#[test]
fn every_attempt_can_be_explained() {
    for seed in 0..HISTORIES / 40 {
        let (timeline, _) = play(seed);
        for (number, attempt) in timeline.attempts().enumerate() {
            use berth_core::simulation::AttemptResult::{
                Bound, NotBound, Preempting, Skipped, Unschedulable,
            };
            let Some(found) = timeline.explain(number) else {
                panic!("{seed}: {attempt:?} has no explanation");
            };
            assert_eq!(found.pod, attempt.pod, "{seed}");
            match &attempt.result {
                Bound { node, ties } => {
                    let best: Vec<_> = found.best_names().map(|name| &**name).collect();
                    assert!(best.contains(&&**node), "{seed}: {attempt:?} {best:?}");
                    assert_eq!(best.len() as u32, *ties, "{seed}");
                }
                Preempting { message, .. } | Unschedulable { message } => {
                    assert_eq!(found.message.as_ref(), Some(message), "{seed}");
                }
                NotBound { node, .. } => {
                    assert!(found.best_names().any(|name| **name == **node), "{seed}");
                }
                Skipped { .. } => {}
            }
        }
    }
}

#[test]
fn many_requests_are_kept_apart() {
    let (_, simulation) = begin(1);
    let mut timeline = Timeline::new(simulation);
    let mut made = Vec::new();
    for number in 0..200 {
        let at = Instant(number * SECOND / 2);
        timeline.seek(at);
        let command = Command::Create(object(&node(&format!("many{number}"), 1000)));
        made.push((at, command.clone()));
        timeline.act(command);
    }
    timeline.seek(Instant(LENGTH * SECOND));
    for second in [7, 50, 99] {
        let at = Instant(second * SECOND);
        timeline.seek(at);
        assert_eq!(whole(timeline.state()), whole(&replay(1, &made, at)), "at {second}");
    }
}
