//! Order, backoff, flushes, and what happens while an attempt runs.

use alloc::string::String;
use alloc::vec;

use super::time::{MAX_IN_UNSCHEDULABLE, SECOND, UNSCHEDULABLE_FLUSH_INTERVAL};
use super::*;
use crate::api::{Node, Object};
use crate::framework::config::Configuration;

const DEFAULT: Backoff = Backoff::from_seconds(1, 10);

fn pod(name: &str, priority: i32) -> Arc<Pod> {
    let mut pod = Pod::default();
    pod.metadata.name = name.into();
    pod.metadata.namespace = "default".into();
    pod.spec.scheduler_name = "default-scheduler".into();
    pod.spec.priority = Some(priority);
    Arc::new(pod)
}

/// A queue with what it is told.
struct Bench {
    cluster: Cluster,
    profiles: Vec<Profile>,
    queue: SchedulingQueue,
}

impl Bench {
    fn new() -> Self {
        let profiles = Configuration::default().profiles;
        let profiles = profiles.iter().map(|profile| Profile::new(profile).unwrap()).collect();
        Self { cluster: Cluster::default(), profiles, queue: SchedulingQueue::new(DEFAULT) }
    }

    fn at<T>(
        &mut self,
        now: i64,
        act: impl FnOnce(&mut SchedulingQueue, &mut Scene<'_>) -> T,
    ) -> T {
        let Self { cluster, profiles, queue } = self;
        act(queue, &mut Scene { cluster, profiles, now: Instant(now) })
    }

    fn add(&mut self, now: i64, pod: &Arc<Pod>) {
        self.at(now, |queue, scene| queue.add(scene, pod));
    }

    /// An attempt for the next pod, which these plugins end.
    fn fail(&mut self, now: i64, plugins: &[PluginId]) -> String {
        let popped = self.queue.pop().unwrap();
        let mut set = PluginSet::default();
        for plugin in plugins {
            set.insert(*plugin);
        }
        self.at(now, |queue, scene| queue.fail(scene, &popped.pod, set));
        popped.pod.metadata.name.clone()
    }

    fn node_added(&mut self, now: i64) {
        let node = Some(Arc::new(Node::default()));
        let event = Event::Node { action: ActionType::ADD, old: None, new: node };
        self.at(now, |queue, scene| queue.move_all(scene, &event, None));
    }

    fn places(&self) -> Vec<(Place, String)> {
        let name = |(place, pod): &(Place, Arc<QueuedPod>)| (*place, pod.pod.metadata.name.clone());
        self.queue.pods().iter().map(name).collect()
    }

    fn place(&self, name: &str) -> Place {
        self.places().into_iter().find(|(_, known)| known == name).unwrap().0
    }
}

#[test]
fn backoff_doubles_up_to_a_limit() {
    for (initial, max, seconds) in [
        // 1, 2, 4, 8, then 16 > 10
        (1, 10, [1, 2, 4, 8, 10, 10]),
        // 3, 6, then 12 > 10
        (3, 10, [3, 6, 10, 10, 10, 10]),
        // 10 > 10 / 2
        (10, 10, [10; 6]),
    ] {
        let backoff = Backoff::from_seconds(initial, max);
        for (attempts, seconds) in (1..).zip(seconds) {
            assert_eq!(backoff.duration(attempts), seconds * SECOND, "{initial} {max} {attempts}");
        }
    }
    assert_eq!(DEFAULT.duration(0), 0);
    assert_eq!(DEFAULT.duration(u32::MAX), 10 * SECOND);
    assert_eq!(Backoff::from_seconds(1, i64::MAX).duration(64), i64::MAX);
}

#[test]
fn backoff_ends_with_the_second_in_which_it_ends() {
    let mut queued = QueuedPod::new(&pod("a", 0), Instant(SECOND / 2));
    // No attempt, no backoff.
    assert!(!DEFAULT.is_backing_off(&queued, Instant(0)));
    queued.unschedulable_count = 1;
    // 0.5 s + 1 s = 1.5 s, which is in the second that begins at 1.
    assert_eq!(DEFAULT.expiry(&queued), Some(Instant(SECOND)));
    for (now, waits) in [(SECOND, true), (SECOND * 19 / 10, true), (2 * SECOND, false)] {
        assert_eq!(DEFAULT.is_backing_off(&queued, Instant(now)), waits, "{now}");
    }
    // Errors count alone while there are any: 0.5 s + 2 s.
    queued.unschedulable_count = 9;
    queued.consecutive_errors = 2;
    assert_eq!(DEFAULT.expiry(&queued), Some(Instant(2 * SECOND)));
    assert_eq!(Backoff::from_seconds(0, 0).expiry(&queued), None);
}

#[test]
fn priority_goes_before_time() {
    let mut bench = Bench::new();
    for (now, name, priority) in [(3, "late", 0), (1, "early", 0), (9, "high", 1), (0, "low", -1)] {
        bench.add(now, &pod(name, priority));
    }
    let names: Vec<String> = bench.places().into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["high", "early", "late", "low"]);
    let popped = |bench: &mut Bench| bench.queue.pop().unwrap().pod.metadata.name.clone();
    assert!(["high", "early", "late", "low"].iter().all(|name| popped(&mut bench) == *name));
    assert!(bench.queue.pop().is_none());
}

#[test]
fn pods_that_compare_equal_come_as_gos_heap_gives_them() {
    let mut bench = Bench::new();
    for name in ["a", "b", "c", "d"] {
        bench.add(0, &pod(name, 0));
    }
    // Popping moves the last to the front, and equal ones do not trade places: a|dbc, d|cb, c|b.
    let names: Vec<String> = bench.places().into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["a", "d", "c", "b"]);
}

#[test]
fn an_idle_scheduler_takes_pods_that_back_off_but_not_after_an_error() {
    let mut bench = Bench::new();
    bench.add(0, &pod("refused", 0));
    bench.add(1, &pod("broken", 9));
    assert_eq!(bench.fail(2, &[]), "broken");
    assert_eq!(bench.fail(3, &[PluginId::NodePorts]), "refused");
    bench.node_added(4);
    assert_eq!(bench.place("refused"), Place::Backoff);
    assert_eq!(bench.place("broken"), Place::ErrorBackoff);
    bench.add(5, &pod("new", -5));
    // Active pods first, whatever their priority.
    assert_eq!(bench.queue.pop().unwrap().pod.metadata.name, "new");
    assert_eq!(bench.queue.pop().unwrap().pod.metadata.name, "refused");
    assert!(bench.queue.pop().is_none());
    // 2 ns + 1 s ends in the second that begins at 1, which has to be over.
    for (now, place) in [(SECOND, Place::ErrorBackoff), (2 * SECOND, Place::Active)] {
        bench.queue.flush_backoff(Instant(now));
        assert_eq!(bench.place("broken"), place, "{now}");
    }
}

#[test]
fn pods_that_back_off_are_ordered_by_second_then_priority() {
    let mut bench = Bench::new();
    let ports = &[PluginId::NodePorts];
    bench.add(0, &pod("soon", 0));
    bench.fail(0, ports);
    bench.add(1, &pod("high", 9));
    bench.fail(SECOND + 900, ports);
    bench.add(2, &pod("low", 1));
    bench.fail(SECOND + 100, ports);
    bench.node_added(SECOND + 901);
    let names: Vec<String> = bench.places().into_iter().map(|(_, name)| name).collect();
    // The first ends at 1 s, the others at 2 s and a little: there the priority decides.
    assert_eq!(names, ["soon", "high", "low"]);
}

#[test]
fn unschedulable_pods_are_flushed_after_more_than_five_minutes() {
    let mut bench = Bench::new();
    let mut gated = (*pod("gated", 0)).clone();
    gated.spec.scheduling_gates.push("example.com/wait".into());
    bench.add(0, &Arc::new(gated));
    bench.add(0, &pod("a", 0));
    bench.fail(0, &[PluginId::NodeResourcesFit]);
    let mut looks = vec![];
    for look in 0..=11 {
        let now = look * UNSCHEDULABLE_FLUSH_INTERVAL;
        bench.at(now, SchedulingQueue::flush_unschedulable);
        looks.push(bench.place("a"));
    }
    // At 300 s it is 300 s, which is not more.
    assert_eq!(MAX_IN_UNSCHEDULABLE, 300 * SECOND);
    assert!(looks[..=10].iter().all(|place| *place == Place::Unschedulable));
    assert_eq!(looks[11], Place::Active);
    assert_eq!(bench.place("gated"), Place::Gated);
}

#[test]
fn what_happens_during_an_attempt_counts_after_it() {
    for (plugin, place) in [
        // Any new node could have free ports; a node without amounts has no room.
        (PluginId::NodePorts, Place::Backoff),
        (PluginId::NodeResourcesFit, Place::Unschedulable),
    ] {
        let mut bench = Bench::new();
        bench.add(0, &pod("a", 0));
        let popped = bench.queue.pop().unwrap();
        bench.node_added(1);
        let mut plugins = PluginSet::default();
        plugins.insert(plugin);
        bench.at(2, |queue, scene| queue.fail(scene, &popped.pod, plugins));
        assert_eq!(bench.place("a"), place, "{plugin}");
        // What happened before the attempt is forgotten.
        if place == Place::Unschedulable {
            bench.node_added(3);
            assert_eq!(bench.place("a"), place);
        }
    }
}

#[test]
fn attempts_are_counted_and_errors_forgotten() {
    let mut bench = Bench::new();
    bench.add(0, &pod("a", 0));
    bench.fail(0, &[]);
    bench.queue.flush_backoff(Instant(2 * SECOND));
    bench.fail(2 * SECOND, &[PluginId::NodePorts]);
    let (_, a) = bench.queue.pods().remove(0);
    assert_eq!((a.attempts, a.unschedulable_count, a.consecutive_errors), (2, 1, 0));
}

#[test]
fn a_nomination_that_is_lost_concerns_pods_of_no_higher_priority() {
    let mut nominated = (*pod("nominated", 5)).clone();
    nominated.status.nominated_node_name = "n".into();
    let mut bench = Bench::new();
    for (name, priority) in [("higher", 6), ("equal", 5), ("lower", 4)] {
        bench.add(0, &pod(name, priority));
        bench.fail(0, &[PluginId::NodeResourcesFit]);
    }
    let old = Object::Pod(Arc::new(nominated.clone()));
    nominated.status.nominated_node_name.clear();
    let new = Object::Pod(Arc::new(nominated));
    bench.at(1, |queue, scene| queue.handle(scene, Some(&old), Some(&new)));
    assert_eq!(bench.place("higher"), Place::Unschedulable);
    assert_eq!(bench.place("equal"), Place::Backoff);
    assert_eq!(bench.place("lower"), Place::Backoff);
}

#[test]
fn what_the_api_server_would_refuse_is_another_pod() {
    let mut bench = Bench::new();
    let old = pod("a", 0);
    bench.add(0, &old);
    bench.fail(0, &[PluginId::NodeAffinity]);
    let put = |bench: &mut Bench, old: &Pod, new: &Pod| {
        let object = |pod: &Pod| Object::Pod(Arc::new(pod.clone()));
        let (old, new) = (object(old), object(new));
        bench.at(1, |queue, scene| queue.handle(scene, Some(&old), Some(&new)));
        bench.queue.pods().remove(0)
    };
    // A label is changed in place, and NodeAffinity does not ask for labels.
    let mut labeled = (*old).clone();
    labeled.metadata.labels.insert("app".into(), "a".into());
    let (place, queued) = put(&mut bench, &old, &labeled);
    assert_eq!((place, queued.attempts), (Place::Unschedulable, 1));
    // A node selector is not: that is a new pod.
    let mut selecting = labeled.clone();
    selecting.spec.node_selector.insert("disk".into(), "ssd".into());
    let (place, queued) = put(&mut bench, &labeled, &selecting);
    assert_eq!((place, queued.attempts), (Place::Active, 0));
    assert_eq!(bench.queue.pods().len(), 1);
}
