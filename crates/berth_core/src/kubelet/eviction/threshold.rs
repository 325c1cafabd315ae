//! Signals, what was observed of them, and the thresholds below which pods go.

use crate::api::{Format, Quantity};
use crate::kubelet::termination::SECOND;

/// What a node can run short of (`evictionapi.Signal`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signal {
    /// `memory.available`.
    MemoryAvailable,
    /// `nodefs.available`.
    NodeFsAvailable,
    /// `nodefs.inodesFree`.
    NodeFsInodesFree,
    /// `pid.available`.
    PidAvailable,
}

impl Signal {
    /// The kubelet's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MemoryAvailable => "memory.available",
            Self::NodeFsAvailable => "nodefs.available",
            Self::NodeFsInodesFree => "nodefs.inodesFree",
            Self::PidAvailable => "pid.available",
        }
    }

    /// What is short, as the message says it (`signalToResource`).
    pub const fn resource(self) -> &'static str {
        match self {
            Self::MemoryAvailable => "memory",
            Self::NodeFsAvailable => "ephemeral-storage",
            Self::NodeFsInodesFree => "inodes",
            Self::PidAvailable => "pids",
        }
    }

    /// The condition that the node has meanwhile (`signalToNodeCondition`).
    pub const fn node_condition(self) -> &'static str {
        match self {
            Self::MemoryAvailable => "MemoryPressure",
            Self::NodeFsAvailable | Self::NodeFsInodesFree => "DiskPressure",
            Self::PidAvailable => "PIDPressure",
        }
    }
}

/// What was observed of a signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Of what.
    pub signal: Signal,
    /// How much is left.
    pub available: Quantity,
    /// Of how much.
    pub capacity: Quantity,
}

/// How much has to be left.
#[derive(Clone, Debug, PartialEq)]
pub enum ThresholdValue {
    /// So much.
    Quantity(Quantity),
    /// This share of the capacity, 1 being all.
    Share(f32),
}

impl ThresholdValue {
    /// The amount (`GetThresholdQuantity`).
    pub fn quantity(&self, capacity: &Quantity) -> Quantity {
        match self {
            Self::Quantity(quantity) => quantity.clone(),
            Self::Share(share) => {
                #[expect(clippy::cast_precision_loss, reason = "as the kubelet computes it")]
                let whole = capacity.value() as f64;
                Quantity::from_value((whole * f64::from(*share)) as i64, Format::BinarySI)
            }
        }
    }
}

/// A threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// Of what.
    pub signal: Signal,
    /// How much has to be left.
    pub value: ThresholdValue,
    /// For how many nanoseconds it has to be crossed; 0 makes it a hard one.
    pub grace: u64,
    /// How much more than the value has to be free again for it to be over.
    pub min_reclaim: Option<ThresholdValue>,
}

impl Threshold {
    /// A hard threshold.
    pub const fn hard(signal: Signal, value: ThresholdValue) -> Self {
        Self { signal, value, grace: 0, min_reclaim: None }
    }

    /// A soft threshold with a grace period in seconds.
    pub const fn soft(signal: Signal, value: ThresholdValue, grace_seconds: u64) -> Self {
        let grace = grace_seconds.saturating_mul(SECOND);
        Self { signal, value, grace, min_reclaim: None }
    }

    /// Whether pods go at once.
    pub const fn is_hard(&self) -> bool {
        self.grace == 0
    }

    /// Whether less is left than has to be (`thresholdsMet`); with `reclaim` what has to be free again counts too.
    pub fn is_met(&self, observations: &[Observation], reclaim: bool) -> bool {
        let Some(observed) = observations.iter().find(|o| o.signal == self.signal) else {
            return false;
        };
        let mut wanted = self.value.quantity(&observed.capacity);
        if let Some(more) = self.min_reclaim.as_ref().filter(|_| reclaim) {
            wanted.add(&more.quantity(&observed.capacity));
        }
        wanted > observed.available
    }
}
