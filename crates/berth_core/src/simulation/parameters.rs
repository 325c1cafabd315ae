//! What a simulation is told of the world: how long things take.

use alloc::string::String;
use alloc::vec::Vec;

use crate::api::{Format, Pod, Quantity, Time};
use crate::kubelet::eviction::{Signal, Threshold, ThresholdValue};
use crate::kubelet::termination::LEAST_SECONDS;
use crate::queue::time::SECOND;

/// How long things take. The default is a cluster in which every kubelet and every program is well.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// The wall clock at second 0.
    pub epoch: Time,
    /// What decides among nodes, and among candidates for preemption, that are equally good.
    pub seed: u64,
    /// The kubelets and the programs that they run.
    pub kubelet: Kubelet,
    /// How long after a write the disruption controller hears of a pod, in nanoseconds: until then a budget's status
    /// is what it was. 2 µs by default.
    pub disruption_lag: i64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { epoch: Time(0), seed: 0, kubelet: Kubelet::default(), disruption_lag: 2_000 }
    }
}

/// How the kubelets behave, and what they run.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Kubelet {
    /// For pods that no rule is about.
    pub times: Times,
    /// How much longer each next pod takes to start, in nanoseconds: the first of eight starts in time, the eighth
    /// seven times that later.
    pub stagger: i64,
    /// The first rule about a pod says what differs.
    pub rules: Vec<Rule>,
    /// When pods go because their node runs short of something.
    pub eviction: Eviction,
    /// Whether kubelets are as the reference's stand-ins for them, which they are not by default: a pod that is deleted
    /// again with a shorter grace period has that, and neither a pod nor a container has any time at least.
    pub stands_in: bool,
}

/// When kubelets evict pods because their node runs short of something (`KubeletConfiguration`).
#[derive(Clone, Debug, PartialEq)]
pub struct Eviction {
    /// What has to be left (`evictionHard`, `evictionSoft`).
    pub thresholds: Vec<Threshold>,
    /// The most seconds that a pod gets for a soft threshold (`evictionMaxPodGracePeriod`).
    pub max_pod_grace_period_seconds: i64,
    /// For how many nanoseconds a node keeps a condition that was not observed again
    /// (`evictionPressureTransitionPeriod`).
    pub pressure_transition_period: i64,
}

impl Default for Eviction {
    /// As on Linux: 100Mi of memory, a tenth of the disk and a twentieth of its inodes; five minutes.
    fn default() -> Self {
        let memory = ThresholdValue::Quantity(Quantity::from_value(100 << 20, Format::BinarySI));
        let thresholds = [
            (Signal::MemoryAvailable, memory),
            (Signal::NodeFsAvailable, ThresholdValue::Share(0.1)),
            (Signal::NodeFsInodesFree, ThresholdValue::Share(0.05)),
        ];
        Self {
            thresholds: thresholds.map(|(signal, value)| Threshold::hard(signal, value)).into(),
            max_pod_grace_period_seconds: 0,
            pressure_transition_period: 300 * SECOND,
        }
    }
}

/// How long a pod takes; what is not said is as by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// From binding to running and ready, in nanoseconds: pulling, creating, starting. A second by default.
    pub start: Option<i64>,
    /// From SIGTERM to the program's own end, in nanoseconds: half a second by default.
    pub exit: Option<i64>,
    /// How long a preStop hook takes that runs a command or makes a request, in nanoseconds: none by default.
    pub pre_stop: Option<i64>,
    /// From SIGKILL to the program's end, in nanoseconds: none by default.
    pub kill: Option<i64>,
    /// From running to the program's own good end, in nanoseconds: it has none by default.
    pub run: Option<i64>,
    /// From running to the program's bad end, in nanoseconds, in pods that are not restarted: it has none by default.
    pub fail: Option<i64>,
    /// The exit code of a bad end: 1 by default.
    pub exit_code: Option<i32>,
}

/// What differs for the pods with a label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// The label's key.
    pub key: String,
    /// The label's value.
    pub value: String,
    /// Only of the container with this name, and only how it ends; empty means the whole pod.
    pub container: String,
    /// What differs.
    pub times: Times,
}

impl Times {
    const START: i64 = SECOND;
    const EXIT: i64 = SECOND / 2;

    const fn or(self, other: Self) -> Self {
        const fn first(a: Option<i64>, b: Option<i64>) -> Option<i64> {
            if a.is_some() { a } else { b }
        }
        let exit_code = if self.exit_code.is_some() { self.exit_code } else { other.exit_code };
        Self {
            start: first(self.start, other.start),
            exit: first(self.exit, other.exit),
            pre_stop: first(self.pre_stop, other.pre_stop),
            kill: first(self.kill, other.kill),
            run: first(self.run, other.run),
            fail: first(self.fail, other.fail),
            exit_code,
        }
    }

    /// From binding to running and ready, in nanoseconds.
    pub fn start(self) -> i64 {
        self.start.unwrap_or(Self::START)
    }

    /// From SIGTERM to the program's own end, in nanoseconds.
    pub fn exit(self) -> i64 {
        self.exit.unwrap_or(Self::EXIT)
    }

    /// How long a preStop hook takes that does not say so itself, in nanoseconds.
    pub fn pre_stop(self) -> i64 {
        self.pre_stop.unwrap_or(0)
    }

    /// From SIGKILL to the program's end, in nanoseconds.
    pub fn kill(self) -> i64 {
        self.kill.unwrap_or(0)
    }
}

impl Kubelet {
    /// Seconds that a container gets from SIGTERM to SIGKILL at least.
    pub const fn least_grace(&self) -> i64 {
        if self.stands_in { 0 } else { LEAST_SECONDS }
    }

    /// How long a pod takes.
    pub fn times_of(&self, pod: &Pod) -> Times {
        self.rule_of(pod, "").map_or(self.times, |rule| rule.times.or(self.times))
    }

    /// How long a container of a pod takes to end.
    pub fn times_of_container(&self, pod: &Pod, container: &str) -> Times {
        let of_pod = self.times_of(pod);
        self.rule_of(pod, container).map_or(of_pod, |rule| rule.times.or(of_pod))
    }

    fn rule_of(&self, pod: &Pod, container: &str) -> Option<&Rule> {
        let is_about = |rule: &&Rule| {
            rule.container == container && pod.metadata.labels.get(&rule.key) == Some(&rule.value)
        };
        self.rules.iter().find(is_about)
    }
}
