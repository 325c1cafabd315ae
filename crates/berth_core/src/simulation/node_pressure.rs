//! Nodes that run short of memory, disk, inodes or process numbers, and what their kubelets do about it.
//!
//! Mirrors the loop around [`Manager::synchronize`] in `pkg/kubelet/eviction/eviction_manager.go` (`Start`,
//! `waitForPodsCleanup`, `Admit`), and `pkg/controller/nodelifecycle` as far as it taints nodes with such conditions.
//! A kubelet looks every ten seconds; after it has evicted pods it looks again as soon as they are gone, or thirty seconds
//! after it has given up waiting for their end. What pods and nodes use is what somebody says ([`super::Command::Usage`]). Deviations: looks are at
//! multiples of ten seconds, the taints come and go with them, and a node has one inode for every 16 KiB of its disk and
//! 32768 process numbers.

mod outlook;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use outlook::{MemoryThreshold, Outlook, Ranked, Supposed};

use super::command::UsageOf;
use super::parameters::Eviction;
use super::server::{Part, Report, Server, Source};
use crate::api::{
    Condition, Format, Kind, Node, NodeStatus, Object, ObjectKey, Pod, QosClass, Quantity, Taint,
    TaintEffect, compute_qos,
};
use crate::collections::{Map, Set};
use crate::kubelet::eviction::{Candidate, Evicted, Manager, Observation, PodStats, Signal};
use crate::kubelet::termination::kill_timeout;
use crate::plugins::taint_toleration::tolerates;
use crate::queue::Instant;
use crate::queue::time::SECOND;

/// From one look to the next, in nanoseconds (`monitoringInterval`).
const INTERVAL: i64 = 10 * SECOND;
/// From one look at pods that have to go first to the next, in nanoseconds (`podCleanupPollFreq`).
const POLL: i64 = SECOND;
/// How long pods that have ended are waited for until they are gone, in nanoseconds (`podCleanupTimeout`).
const CLEANUP: i64 = 30 * SECOND;
/// Bytes of a disk for each inode, as ext4 has it.
const BYTES_PER_INODE: i64 = 16_384;
/// How many process numbers there are (`kernel.pid_max`).
const PROCESSES: i64 = 32_768;

/// The conditions, each with the taint of a node that has it.
const TAINTS: [(&str, &str); 3] = [
    ("MemoryPressure", MEMORY_TAINT),
    ("DiskPressure", "node.kubernetes.io/disk-pressure"),
    ("PIDPressure", "node.kubernetes.io/pid-pressure"),
];
const MEMORY_TAINT: &str = "node.kubernetes.io/memory-pressure";

/// What everything uses, and what the kubelets make of it.
#[derive(Clone, Debug)]
pub(super) struct NodePressure {
    settings: Eviction,
    pods: Map<ObjectKey, PodStats>,
    /// By label: what each pod with it uses.
    labels: Map<(String, String), PodStats>,
    /// What nodes use beside their pods.
    others: Map<String, PodStats>,
    watched: Map<String, Watched>,
    /// The identities of pods that were evicted and still run.
    going: Set<String>,
}

/// A node that is looked at.
#[derive(Clone, Debug)]
struct Watched {
    manager: Manager,
    conditions: Vec<&'static str>,
    /// The identities of pods that have to go before the next look, and until when they are waited for.
    awaited: (Vec<String>, Instant),
}

/// A pod that has to go.
pub(super) struct Going {
    pub(super) pod: Arc<Pod>,
    /// Seconds that it gets, if it had more.
    pub(super) grace_period_seconds: i64,
}

impl NodePressure {
    pub(super) fn new(settings: Eviction) -> Self {
        Self {
            settings,
            pods: Map::default(),
            labels: Map::default(),
            others: Map::default(),
            watched: Map::default(),
            going: Set::new(),
        }
    }

    /// Whether anything is said to use anything, so that nodes have to be looked at.
    pub(super) fn is_used(&self) -> bool {
        !(self.pods.is_empty() && self.labels.is_empty() && self.others.is_empty())
    }

    /// Somebody says what something uses; what is not said stays as it was.
    pub(super) fn note(&mut self, of: &UsageOf, usage: &PodStats) {
        let known = match of {
            UsageOf::Pod(key) => self.pods.or_default(key.clone()),
            UsageOf::Label(key, value) => self.labels.or_default((key.clone(), value.clone())),
            UsageOf::Node(name) => self.others.or_default(name.clone()),
        };
        *known = over(usage, known);
    }

    /// Begins to look at a node; gives when the first look is, unless it is looked at already.
    pub(super) fn watch(&mut self, node: &str, now: Instant) -> Option<Instant> {
        if self.watched.contains_key(node) {
            return None;
        }
        let Eviction { thresholds, max_pod_grace_period_seconds, .. } = self.settings.clone();
        let mut manager = Manager::new(thresholds, max_pod_grace_period_seconds);
        manager.pressure_transition_period =
            u64::try_from(self.settings.pressure_transition_period).unwrap_or(0);
        let watched =
            Watched { manager, conditions: Vec::new(), awaited: (Vec::new(), Instant::default()) };
        self.watched.insert(node.into(), watched);
        Some(next_look(now))
    }

    /// The conditions that a node has.
    fn conditions(&self, node: &str) -> &[&'static str] {
        self.watched.get(node).map(|watched| &*watched.conditions).unwrap_or_default()
    }

    /// Why a pod may not start on its node, if it may not (`Admit`).
    pub(super) fn refusal(&self, pod: &Pod) -> Option<String> {
        let conditions = self.conditions(&pod.spec.node_name);
        let candidate = Candidate { pod, stats: None, is_static: false };
        if conditions.is_empty() || candidate.is_critical() {
            return None;
        }
        if *conditions == ["MemoryPressure"] {
            let taint = taint(MEMORY_TAINT);
            let is_tolerated = pod.spec.tolerations.iter().any(|known| tolerates(known, &taint));
            if compute_qos(pod) != QosClass::BestEffort || is_tolerated {
                return None;
            }
        }
        Some(format!("The node had condition: [{}]. ", conditions.join(" ")))
    }

    /// A kubelet looks at its node; gives the pods that have to go and when it looks again, unless the node is gone.
    pub(super) fn look(
        &mut self,
        node: &str,
        server: &mut Server,
    ) -> (Vec<Going>, Option<Instant>) {
        let now = server.now();
        let Some(known) = server.objects().node(node).cloned() else {
            self.watched.remove(node);
            return (Vec::new(), None);
        };
        let on_node = |pod: &&Arc<Pod>| {
            pod.spec.node_name == node
                && !pod.status.phase.is_terminal()
                && pod.status.start_time.is_some()
        };
        let there: Vec<Arc<Pod>> = server.objects().pods().filter(on_node).cloned().collect();
        let objects = server.objects();
        let is_left = |uid: &String| objects.pods().any(|pod| pod.metadata.uid == *uid);
        self.going = self.going.iter().filter(|uid| is_left(uid)).cloned().collect();
        let runs = |uid: &String| there.iter().any(|pod| pod.metadata.uid == *uid);
        if let Some(watched) = self.watched.get(node)
            && now < watched.awaited.1
            && watched.awaited.0.iter().any(runs)
        {
            return (Vec::new(), Some(now.after(POLL)));
        }
        let stats: Vec<PodStats> = there.iter().map(|pod| self.usage_of(pod)).collect();
        let others = self.others.get(node).cloned().unwrap_or_default();
        let observations = observations(&known, &stats, &others);
        let is_active = |pod: &Pod| {
            pod.metadata.deletion_timestamp.is_none() && !self.going.contains(&pod.metadata.uid)
        };
        let pairs = there.iter().zip(&stats).filter(|(pod, _)| is_active(pod));
        let candidates: Vec<Candidate<'_>> = pairs
            .map(|(pod, stats)| Candidate { pod, stats: Some(stats), is_static: false })
            .collect();
        let Some(watched) = self.watched.get_mut(node) else { return (Vec::new(), None) };
        let since = u64::try_from(now.0).unwrap_or(0);
        let round = watched.manager.synchronize(since, &observations, &candidates);
        watched.conditions.clone_from(&round.conditions);
        set_taints(&known, &round.conditions, server);
        let find = |evicted: &Evicted| {
            there.iter().find(|pod| pod.metadata.key() == evicted.pod).map(Arc::clone)
        };
        let mut going = Vec::new();
        for evicted in &round.evicted {
            let Some(pod) = find(evicted) else { continue };
            tell(&pod, evicted, server);
            going.push(Going { pod, grace_period_seconds: evicted.grace_period_seconds });
        }
        let uids: Vec<String> = going.iter().map(|going| going.pod.metadata.uid.clone()).collect();
        self.going.extend(uids.iter().cloned());
        if uids.is_empty() {
            return (going, Some(next_look(now)));
        }
        let waits = going.iter().map(|going| kill_timeout(going.grace_period_seconds)).max();
        let most = waits.unwrap_or(0).saturating_mul(SECOND).saturating_add(CLEANUP);
        watched.awaited = (uids, now.after(most));
        (going, Some(now.after(POLL)))
    }

    /// What a pod uses: what is said of itself, else what is said of one of its labels, else nothing.
    fn usage_of(&self, pod: &Pod) -> PodStats {
        let nothing = PodStats {
            memory: Some(0),
            disk: Some(0),
            logs: Some(0),
            inodes: Some(0),
            processes: Some(0),
        };
        let labels = pod.metadata.labels.iter();
        let said = labels.filter_map(|(key, value)| self.labels.get(&(key.clone(), value.clone())));
        let of_labels = said.fold(nothing, |known, usage| over(usage, &known));
        match self.pods.get(&pod.metadata.key()) {
            Some(own) => over(own, &of_labels),
            None => of_labels,
        }
    }
}

/// When a kubelet looks next.
pub(super) fn next_look(now: Instant) -> Instant {
    Instant(now.0.saturating_sub(now.0.rem_euclid(INTERVAL))).after(INTERVAL)
}

/// What is said, and where nothing is, what was known.
fn over(said: &PodStats, known: &PodStats) -> PodStats {
    PodStats {
        memory: said.memory.or(known.memory),
        disk: said.disk.or(known.disk),
        logs: said.logs.or(known.logs),
        inodes: said.inodes.or(known.inodes),
        processes: said.processes.or(known.processes),
    }
}

/// How much of everything is left on a node.
fn observations(node: &Node, pods: &[PodStats], others: &PodStats) -> Vec<Observation> {
    // Deviation: a node that says only what pods may have has no more than that.
    let NodeStatus { capacity, allocatable, .. } = &node.status;
    let of = |resource: &str| {
        capacity.get(resource).or_else(|| allocatable.get(resource)).map(Quantity::value)
    };
    let disk = of("ephemeral-storage");
    let all = || pods.iter().chain([others]);
    let sum = |part: &dyn Fn(&PodStats) -> Option<u64>| {
        let used = all().filter_map(part).fold(0_u64, u64::saturating_add);
        i64::try_from(used).unwrap_or(i64::MAX)
    };
    let written =
        |stats: &PodStats| Some(stats.disk.unwrap_or(0).saturating_add(stats.logs.unwrap_or(0)));
    let known = [
        (Signal::MemoryAvailable, of("memory"), sum(&|stats| stats.memory)),
        (Signal::NodeFsAvailable, disk, sum(&written)),
        (Signal::NodeFsInodesFree, disk.map(|bytes| bytes / BYTES_PER_INODE), sum(&|s| s.inodes)),
        (Signal::PidAvailable, Some(PROCESSES), sum(&|stats| stats.processes)),
    ];
    let quantity = |value| Quantity::from_value(value, Format::BinarySI);
    let observation = |(signal, capacity, used): (Signal, Option<i64>, i64)| {
        let capacity = capacity?;
        let available = quantity(capacity.saturating_sub(used).max(0));
        Some(Observation { signal, available, capacity: quantity(capacity) })
    };
    known.into_iter().filter_map(observation).collect()
}

/// Gives a node the taints of its conditions, and takes the others away.
fn set_taints(node: &Node, conditions: &[&str], server: &mut Server) {
    let wanted = |key: &str| {
        TAINTS.iter().any(|(condition, own)| *own == key && conditions.contains(condition))
    };
    let is_ours = |key: &str| TAINTS.iter().any(|(_, own)| *own == key);
    let has = |key: &str| node.spec.taints.iter().any(|known| known.key == key);
    let missing: Vec<Taint> = TAINTS
        .iter()
        .filter(|(_, key)| wanted(key) && !has(key))
        .map(|(_, key)| taint(key))
        .collect();
    let stays = |known: &Taint| !is_ours(&known.key) || wanted(&known.key);
    if missing.is_empty() && node.spec.taints.iter().all(stays) {
        return;
    }
    let key = ObjectKey::new("", node.metadata.name.clone());
    // It was there just now.
    let _ = server.patch(Kind::Node, &key, Part::Main, |object| {
        if let Object::Node(node) = object {
            let taints = &mut Arc::make_mut(node).spec.taints;
            taints.retain(stays);
            taints.extend(missing);
        }
    });
}

fn taint(key: &str) -> Taint {
    Taint { key: key.to_string(), value: String::new(), effect: TaintEffect::NoSchedule }
}

/// Says of a pod that it is evicted.
fn tell(pod: &Pod, evicted: &Evicted, server: &mut Server) {
    let (key, now) = (pod.metadata.key(), server.time());
    if evicted.is_target {
        // It was there just now.
        let _ = server.patch(Kind::Pod, &key, Part::Status, |object| {
            if let Object::Pod(pod) = object {
                let mut target = Condition::new("DisruptionTarget", "True", Evicted::TARGET_REASON);
                target.message.clone_from(&evicted.message);
                Condition::update(&mut Arc::make_mut(pod).status.conditions, target, now);
            }
        });
    }
    report(key, evicted.message.clone(), server);
}

/// Reports that a pod is evicted, or may not start.
pub(super) fn report(key: ObjectKey, message: String, server: &mut Server) {
    let reason = Evicted::REASON;
    let source = Source::Kubelet;
    server.report(Report { source, kind: Kind::Pod, key, warning: true, reason, message });
}

#[cfg(test)]
mod tests;
