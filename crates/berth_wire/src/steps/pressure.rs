//! What pods and nodes use, and the thresholds of kubelets, as they are written.

use std::collections::BTreeMap;

use berth_core::api::{ObjectKey, Quantity};
use berth_core::kubelet::eviction::{PodStats, Signal, Threshold, ThresholdValue};
use berth_core::simulation::{Command, Eviction, UsageOf};
use serde::Deserialize;
use serde_json::Value;

use super::{node, parse_time, resolve};

const SECOND: i64 = 1_000_000_000;

/// How much of everything something uses. Amounts are quantities: `512Mi`, or a number.
pub(super) struct WrittenUsage {
    pub(super) memory: Option<Value>,
    pub(super) disk: Option<Value>,
    pub(super) logs: Option<Value>,
    pub(super) inodes: Option<Value>,
    pub(super) processes: Option<Value>,
}

/// What something uses from now on: a pod, all pods with a label, or a node beside its pods.
pub(super) fn usage(of: &str, written: &WrittenUsage) -> Result<Command, String> {
    let of = match of.split_once('=') {
        Some((key, value)) => UsageOf::Label(key.to_owned(), value.to_owned()),
        None => match resolve(of) {
            Ok((berth_core::api::Kind::Pod, key)) => UsageOf::Pod(key),
            Ok((berth_core::api::Kind::Node, ObjectKey { name, .. })) => UsageOf::Node(name),
            Err(error) if of.contains('/') => return Err(error),
            Ok(_) => return Err(format!("{of} uses nothing: a pod, a node or a label is meant")),
            Err(_) => UsageOf::Node(node(of).1.name),
        },
    };
    let usage = PodStats {
        memory: amount(written.memory.as_ref())?,
        disk: amount(written.disk.as_ref())?,
        logs: amount(written.logs.as_ref())?,
        inodes: amount(written.inodes.as_ref())?,
        processes: amount(written.processes.as_ref())?,
    };
    Ok(Command::Usage { of, usage })
}

fn amount(written: Option<&Value>) -> Result<Option<u64>, String> {
    let text = match written {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    let quantity = Quantity::parse(&text).map_err(|error| format!("{text:?}: {error}"))?;
    u64::try_from(quantity.value()).map(Some).map_err(|_| format!("{text:?} is less than nothing"))
}

/// A kubelet's configuration of evictions, in its own words.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct WrittenEviction {
    #[serde(rename = "evictionHard")]
    hard: Option<BTreeMap<String, String>>,
    #[serde(rename = "evictionSoft")]
    soft: BTreeMap<String, String>,
    #[serde(rename = "evictionSoftGracePeriod")]
    grace_periods: BTreeMap<String, String>,
    #[serde(rename = "evictionMinimumReclaim")]
    minimum_reclaim: BTreeMap<String, String>,
    #[serde(rename = "evictionMaxPodGracePeriod")]
    max_pod_grace_period: i64,
    #[serde(rename = "evictionPressureTransitionPeriod")]
    transition_period: Option<String>,
}

impl WrittenEviction {
    pub(super) fn settings(&self) -> Result<Eviction, String> {
        let mut out = Eviction {
            max_pod_grace_period_seconds: self.max_pod_grace_period,
            ..Eviction::default()
        };
        if let Some(period) = &self.transition_period {
            out.pressure_transition_period = parse_time(period)?;
        }
        if let Some(hard) = &self.hard {
            out.thresholds = hard
                .iter()
                .map(|(name, text)| Ok(Threshold::hard(signal(name)?, value(text)?)))
                .collect::<Result<_, String>>()?;
        }
        for (name, text) in &self.soft {
            let period = self.grace_periods.get(name);
            let period =
                period.ok_or_else(|| format!("{name} needs an evictionSoftGracePeriod"))?;
            let seconds = u64::try_from(parse_time(period)? / SECOND).unwrap_or(0);
            if seconds == 0 {
                return Err(format!("the grace period of {name} is a second at least"));
            }
            out.thresholds.push(Threshold::soft(signal(name)?, value(text)?, seconds));
        }
        for (name, text) in &self.minimum_reclaim {
            let (signal, more) = (signal(name)?, value(text)?);
            for threshold in out.thresholds.iter_mut().filter(|known| known.signal == signal) {
                threshold.min_reclaim = Some(more.clone());
            }
        }
        Ok(out)
    }
}

fn signal(name: &str) -> Result<Signal, String> {
    const ALL: [Signal; 4] = [
        Signal::MemoryAvailable,
        Signal::NodeFsAvailable,
        Signal::NodeFsInodesFree,
        Signal::PidAvailable,
    ];
    let known = ALL.into_iter().find(|signal| signal.as_str() == name);
    known.ok_or_else(|| format!("no such eviction signal {name:?}"))
}

/// A quantity, or a share of the capacity (`parseThresholdStatement`).
fn value(text: &str) -> Result<ThresholdValue, String> {
    let Some(percent) = text.strip_suffix('%') else {
        let quantity = Quantity::parse(text).map_err(|error| format!("{text:?}: {error}"))?;
        return Ok(ThresholdValue::Quantity(quantity));
    };
    let percent: f32 = percent.parse().map_err(|_| format!("{text:?} is no share"))?;
    if !(0.0..=100.0).contains(&percent) {
        return Err(format!("{text:?} is no share"));
    }
    Ok(ThresholdValue::Share(percent / 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Result<Eviction, String> {
        let written: WrittenEviction = serde_json::from_str(text).expect("it is JSON");
        written.settings()
    }

    #[test]
    fn a_kubelets_own_words() {
        let read = settings(
            r#"{"evictionHard": {"memory.available": "200Mi"}, "evictionSoft": {"nodefs.available": "15%"},
            "evictionSoftGracePeriod": {"nodefs.available": "1m30s"}, "evictionMinimumReclaim": {"memory.available": "1Gi"},
            "evictionMaxPodGracePeriod": 20, "evictionPressureTransitionPeriod": "30s"}"#,
        );
        let read = read.expect("they are good");
        let [hard, soft] = &*read.thresholds else { panic!("{read:?}") };
        assert!(hard.is_hard() && hard.min_reclaim.is_some() && soft.min_reclaim.is_none());
        assert_eq!(soft.grace, 90_000_000_000);
        assert_eq!(soft.value, ThresholdValue::Share(0.15));
        assert_eq!(read.max_pod_grace_period_seconds, 20);
        assert_eq!(read.pressure_transition_period, 30 * SECOND);
        assert_eq!(settings("{}"), Ok(Eviction::default()));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, words) in [
            (r#"{"evictionHard": {"cpu": "1"}}"#, "no such eviction signal \"cpu\""),
            (r#"{"evictionHard": {"memory.available": "150%"}}"#, "\"150%\" is no share"),
            (
                r#"{"evictionSoft": {"memory.available": "1Gi"}}"#,
                "needs an evictionSoftGracePeriod",
            ),
        ] {
            let error = settings(text).expect_err(text);
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
