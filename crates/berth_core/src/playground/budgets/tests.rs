//! Budgets and classes as objects of a cluster under study.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{
    Condition, IntOrPercent, Kind, LabelSelector, Object, ObjectKey, ObjectMeta, OwnerReference,
    Pod, PodDisruptionBudget, PodTemplate, PriorityClass, StatusSource, Workload, WorkloadKind,
};
use crate::cluster::Cluster;
use crate::framework::config::Configuration;
use crate::playground::{Command, Playground};

fn playground(objects: impl IntoIterator<Item = Object>) -> Playground {
    let configuration = Configuration { profiles: Vec::new(), ..Configuration::default() };
    Playground::new(objects, configuration).unwrap()
}

fn meta(namespace: &str, name: &str) -> ObjectMeta {
    ObjectMeta { name: name.into(), namespace: namespace.into(), ..ObjectMeta::default() }
}

fn app(name: &str) -> LabelSelector {
    LabelSelector {
        match_labels: [("app".to_string(), name.to_string())].into(),
        ..LabelSelector::default()
    }
}

fn pod(name: &str, labels: LabelSelector, node: &str) -> Pod {
    let mut pod = Pod { metadata: meta("default", name), ..Pod::default() };
    pod.metadata.labels = labels.match_labels;
    pod.spec.node_name = node.into();
    pod
}

fn budget(name: &str, selector: LabelSelector) -> PodDisruptionBudget {
    PodDisruptionBudget {
        metadata: meta("default", name),
        selector: Some(selector),
        ..PodDisruptionBudget::default()
    }
}

fn workload(kind: WorkloadKind, name: &str, replicas: i32) -> Workload {
    Workload {
        kind,
        metadata: meta("default", name),
        replicas: Some(replicas),
        completions: None,
        indexed: false,
        suspended: false,
        first_ordinal: 0,
        selector: None,
        template: PodTemplate::default(),
        update_strategy: None,
        control: Arc::default(),
        status: Arc::default(),
    }
}

fn put_pod(pod: Pod) -> Command {
    Command::Put(Object::Pod(Arc::new(pod)))
}

fn put_budget(budget: PodDisruptionBudget) -> Command {
    Command::Put(Object::PodDisruptionBudget(Arc::new(budget)))
}

fn allowed(playground: &Playground, name: &str) -> i32 {
    let budgets = playground.cluster().budgets();
    budgets.get(&ObjectKey::new("default", name)).unwrap().status.disruptions_allowed
}

#[test]
fn a_status_follows_the_pods() {
    let web = PodDisruptionBudget {
        min_available: Some(IntOrPercent::Int(2)),
        ..budget("web", app("web"))
    };
    let mut pinned = budget("pinned", app("web"));
    pinned.status.disruptions_allowed = 7;
    pinned.status_source = StatusSource::Pinned;
    let budgets = [web, pinned].map(|b| Object::PodDisruptionBudget(Arc::new(b)));
    let mut playground = playground(budgets);
    // Two have to stay: from the third that runs on there is one to spare.
    for (name, node, spare) in
        [("a", "n", 0), ("b", "n", 0), ("waits", "", 0), ("c", "n", 1), ("d", "n", 2)]
    {
        playground.apply(put_pod(pod(name, app("web"), node))).unwrap();
        assert_eq!(allowed(&playground, "web"), spare, "{name}");
    }
    // One that is not ready is not healthy, and neither is one that is on its way out.
    let mut unready = pod("a", app("web"), "n");
    unready.status.conditions.push(Condition {
        kind: "Ready".into(),
        status: "False".into(),
        ..Condition::default()
    });
    playground.apply(put_pod(unready)).unwrap();
    assert_eq!(allowed(&playground, "web"), 1);
    let mut leaving = pod("b", app("web"), "n");
    leaving.metadata.deletion_timestamp = Some(crate::api::Time(1));
    playground.apply(put_pod(leaving)).unwrap();
    assert_eq!(allowed(&playground, "web"), 0);
    playground.apply(put_pod(pod("b", app("db"), "n"))).unwrap();
    playground.apply(put_pod(pod("a", app("web"), "n"))).unwrap();
    assert_eq!(allowed(&playground, "web"), 1);
    playground.apply(Command::Return { pod: ObjectKey::new("default", "a") }).unwrap();
    assert_eq!(allowed(&playground, "web"), 0);
    assert_eq!(allowed(&playground, "pinned"), 7);
    // What the controller would write there instead, from what: a, c, d and the waiting one, of which two run.
    let found = playground.sync_budget(&ObjectKey::new("default", "web")).unwrap();
    let status = &found.status;
    assert_eq!((status.expected_pods, status.current_healthy, status.desired_healthy), (4, 2, 2));
}

#[test]
fn a_share_is_of_what_the_workload_wants() {
    let share = PodDisruptionBudget {
        max_unavailable: Some(IntOrPercent::Percent("50%".into())),
        ..budget("web", app("web"))
    };
    let mut playground = playground([Object::PodDisruptionBudget(Arc::new(share))]);
    let set = |replicas| {
        Command::Put(Object::Workload(Arc::new(workload(
            WorkloadKind::ReplicaSet,
            "web",
            replicas,
        ))))
    };
    for name in ["a", "b", "c"] {
        let mut pod = pod(name, app("web"), "n");
        pod.metadata.owner_references.push(OwnerReference {
            api_version: "apps/v1".into(),
            kind: "ReplicaSet".into(),
            name: "web".into(),
            uid: "u".into(),
            controller: true,
        });
        playground.apply(put_pod(pod)).unwrap();
    }
    let key = ObjectKey::new("default", "web");
    let words = |playground: &Playground| {
        playground.sync_budget(&key).unwrap().failure.map(|failure| failure.to_string())
    };
    assert_eq!(words(&playground).as_deref(), Some("found no controllers for pod \"a\""));
    // Three run. Of 3 two may be missing (1.5, rounded up), of 4 two, of 6 three.
    for (replicas, spare) in [(3, 2), (4, 1), (6, 0), (0, 0)] {
        playground.apply(set(replicas)).unwrap();
        assert_eq!((words(&playground), allowed(&playground, "web")), (None, spare), "{replicas}");
    }
}

#[test]
fn a_class_is_put_as_the_api_server_takes_it() {
    let class = |name: &str, value, global_default| {
        Object::PriorityClass(Arc::new(PriorityClass {
            metadata: meta("", name),
            value,
            global_default,
            ..PriorityClass::default()
        }))
    };
    let mut playground = playground([class("low", 1, true)]);
    for (object, refusal) in [
        (class("high", 9, false), None),
        (
            class("high", 10, false),
            Some(
                "PriorityClass.scheduling.k8s.io \"high\" is invalid: value: Forbidden: may not be changed in an update.",
            ),
        ),
        (
            class("other", 2, true),
            Some(
                "priorityclasses.scheduling.k8s.io \"other\" is forbidden: PriorityClass low is already marked as \
                 default. Only one default can exist",
            ),
        ),
        (
            class("high", 9, true),
            Some(
                "priorityclasses.scheduling.k8s.io \"high\" is forbidden: PriorityClass low is already marked as \
                 default. Only one default can exist",
            ),
        ),
        (class("low", 1, false), None),
        (class("high", 9, true), None),
        (
            class("huge", 1_000_000_001, false),
            Some(
                "PriorityClass.scheduling.k8s.io \"huge\" is invalid: value: Forbidden: maximum allowed value of a \
                 user defined priority is 1000000000",
            ),
        ),
        (class("system-node-critical", 2_000_001_000, false), None),
    ] {
        let result = playground.apply(Command::Put(object));
        assert_eq!(result.err().map(|error| error.to_string()).as_deref(), refusal);
    }
    let kept: Vec<&String> = playground.cluster().priority_classes().keys().collect();
    assert_eq!(kept, ["high", "low", "system-node-critical"]);
}

#[test]
fn a_budget_is_put_as_the_api_server_takes_it() {
    let mut playground = playground([]);
    let wrong = PodDisruptionBudget {
        min_available: Some(IntOrPercent::Int(-1)),
        ..budget("web", app("web"))
    };
    let error = playground.apply(put_budget(wrong)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "PodDisruptionBudget.policy \"web\" is invalid: spec.minAvailable: Invalid value: -1: must be greater than or \
         equal to 0"
    );
    assert!(playground.cluster().budgets().is_empty() && playground.next_undo().is_none());
}

/// A linear congruential generator: the same numbers for the same start.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn change(random: &mut Random) -> Command {
    let number = random.below(4);
    match random.below(10) {
        0 | 1 => {
            let mut new = budget(&format!("b{number}"), app(&format!("a{}", random.below(2))));
            match random.below(3) {
                0 => new.min_available = Some(IntOrPercent::Int(random.below(4) as i32)),
                1 => new.min_available = Some(IntOrPercent::Percent("60%".into())),
                _ => new.max_unavailable = Some(IntOrPercent::Percent("34%".into())),
            }
            if random.below(4) == 0 {
                new.status.disruptions_allowed = 5;
                new.status_source = StatusSource::Pinned;
            }
            put_budget(new)
        }
        2 => Command::Drop(
            Kind::PodDisruptionBudget,
            ObjectKey::new("default", format!("b{number}")),
        ),
        3 => {
            let replicas = random.below(6) as i32;
            let set = workload(WorkloadKind::StatefulSet, &format!("s{}", number % 2), replicas);
            Command::Put(Object::Workload(Arc::new(set)))
        }
        4 => Command::Drop(
            Kind::Workload(WorkloadKind::StatefulSet),
            ObjectKey::new("default", format!("s{}", number % 2)),
        ),
        5 => Command::Put(Object::PriorityClass(Arc::new(PriorityClass {
            metadata: meta("", &format!("c{number}")),
            value: random.below(2) as i32,
            global_default: random.below(2) == 0,
            ..PriorityClass::default()
        }))),
        6 => Command::Drop(Kind::PriorityClass, ObjectKey::new("", format!("c{number}"))),
        7 => {
            let key = ObjectKey::new("default", format!("p{}", random.below(8)));
            if number < 2 { Command::Drop(Kind::Pod, key) } else { Command::Return { pod: key } }
        }
        8 => Command::Batch {
            name: String::new(),
            commands: (0..3).map(|_| change(random)).collect(),
        },
        _ => {
            let labels = app(&format!("a{}", random.below(2)));
            let mut new =
                pod(&format!("p{}", random.below(8)), labels, ["", "n"][random.below(2) as usize]);
            if random.below(4) > 0 {
                new.metadata.owner_references.push(OwnerReference {
                    api_version: "apps/v1".into(),
                    kind: "StatefulSet".into(),
                    name: format!("s{}", number % 2),
                    uid: String::new(),
                    controller: true,
                });
            }
            put_pod(new)
        }
    }
}

/// Budgets and classes, as text.
fn dump(cluster: &Cluster) -> String {
    format!("{:?}\n{:?}", cluster.budgets(), cluster.priority_classes())
}

/// The same objects, loaded anew: no status but those that were given.
fn rebuilt(cluster: &Cluster) -> Playground {
    let mut objects: Vec<Object> = Vec::new();
    for budget in cluster.budgets().values() {
        let mut budget = (**budget).clone();
        if budget.status_source == StatusSource::Computed {
            budget.status = crate::api::PodDisruptionBudgetStatus::default();
        }
        objects.push(Object::PodDisruptionBudget(Arc::new(budget)));
    }
    objects.extend(cluster.priority_classes().values().cloned().map(Object::PriorityClass));
    objects.extend(cluster.workloads().values().cloned().map(Object::Workload));
    objects.extend(cluster.pods().map(|(_, info)| Object::Pod(Arc::clone(&info.pod))));
    playground(objects)
}

#[test]
fn changes_come_to_what_a_rebuild_gives_and_undo_is_identity() {
    for seed in 0..30 {
        let mut random = Random(seed);
        let mut playground = playground([]);
        let mut states = Vec::from([dump(playground.cluster())]);
        let mut computed = 0;
        for step in 0..80 {
            let command = change(&mut random);
            let before = playground.revision();
            let applied = playground.apply(command.clone());
            let now = dump(playground.cluster());
            let fresh = rebuilt(playground.cluster());
            assert_eq!(now, dump(fresh.cluster()), "seed {seed}, step {step}: {command:?}");
            if playground.revision() == before {
                assert_eq!(states.last(), Some(&now), "seed {seed}, step {step}: {applied:?}");
            } else {
                computed += u32::from(states.last() != Some(&now));
                states.push(now);
            }
        }
        assert!(computed > 10, "seed {seed}: hardly anything changes");
        let last = states.clone();
        while states.len() > 1 {
            states.pop();
            assert!(playground.undo());
            assert_eq!(Some(&dump(playground.cluster())), states.last(), "seed {seed}: undo");
        }
        for state in &last[1..] {
            assert!(playground.redo());
            assert_eq!(&dump(playground.cluster()), state, "seed {seed}: redo");
        }
    }
}
