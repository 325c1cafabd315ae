//! The edits that advice is made of, and what each costs.
//!
//! The cost ranks what has the same number of edits; it is a judgement, written down here so that it can be argued
//! with. The pod's own wishes are the cheapest, then nodes, then what takes something from others. To the sum of the
//! edits' costs come [`COST_OF_VICTIM`] for every pod that would be preempted, and [`COST_OF_VIOLATION`] for every
//! disruption budget that it would break.

use alloc::string::String;

use crate::api::{NodeInclusionPolicy, ObjectKey, Protocol, Taint, TaintEffect};

/// What each pod costs that would have to go.
pub const COST_OF_VICTIM: u32 = 30;
/// What each victim costs that breaks a budget.
pub const COST_OF_VIOLATION: u32 = 100;

/// A change that a person may make so that a pod goes elsewhere. `constraint` is an index in the pod's
/// `spec.topologySpreadConstraints`, `term` one in the required terms of its kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edit {
    /// `maxSkew` of a constraint.
    MaxSkew {
        /// Which.
        constraint: u32,
        /// The new value.
        to: i32,
    },
    /// `minDomains` of a constraint; none takes it away.
    MinDomains {
        /// Which.
        constraint: u32,
        /// The new value.
        to: Option<i32>,
    },
    /// `whenUnsatisfiable: ScheduleAnyway`; `minDomains`, which is not allowed then, goes.
    ScheduleAnyway {
        /// Which.
        constraint: u32,
    },
    /// `whenUnsatisfiable: DoNotSchedule`.
    DoNotSchedule {
        /// Which.
        constraint: u32,
    },
    /// `nodeAffinityPolicy` of a constraint.
    NodeAffinityPolicy {
        /// Which.
        constraint: u32,
        /// The new value.
        to: NodeInclusionPolicy,
    },
    /// `nodeTaintsPolicy` of a constraint.
    NodeTaintsPolicy {
        /// Which.
        constraint: u32,
        /// The new value.
        to: NodeInclusionPolicy,
    },
    /// A toleration of exactly this taint.
    Tolerate {
        /// Key of the taint.
        key: String,
        /// Its value.
        value: String,
        /// Its effect.
        effect: TaintEffect,
    },
    /// The pod asks for less of a resource as a whole.
    Request {
        /// The resource.
        resource: String,
        /// Thousandths of a core, or units.
        to: i64,
    },
    /// A label of `nodeSelector` is no longer asked for.
    DropNodeSelector {
        /// The label.
        key: String,
    },
    /// The required node affinity is only preferred.
    PreferNodeAffinity,
    /// A required term of pod affinity is only preferred.
    PreferPodAffinity {
        /// Which.
        term: u32,
    },
    /// A required term of pod anti-affinity is only preferred.
    PreferPodAntiAffinity {
        /// Which.
        term: u32,
    },
    /// A host port is no longer asked for.
    DropHostPort {
        /// Port.
        port: i32,
        /// Protocol.
        protocol: Protocol,
    },
    /// The scheduling gates are removed.
    OpenGates,
    /// Another priority, by a class that has it.
    Priority {
        /// The new value.
        to: i32,
    },
    /// `preemptionPolicy: PreemptLowerPriority`, by a class that has it.
    AllowPreemption,
    /// A label is set on a node.
    Label {
        /// The node.
        node: String,
        /// The label.
        key: String,
        /// Its value.
        value: String,
    },
    /// A taint is removed from a node.
    DropTaint {
        /// The node.
        node: String,
        /// Key of the taint.
        key: String,
        /// Its effect.
        effect: TaintEffect,
    },
    /// A node is uncordoned; the taint that stands for it goes as well.
    Uncordon {
        /// The node.
        node: String,
    },
    /// A node is cordoned.
    Cordon {
        /// The node.
        node: String,
    },
    /// A pod is deleted; the workload that would make it again wants one fewer.
    Delete {
        /// The pod.
        pod: ObjectKey,
    },
    /// A budget allows so many disruptions.
    Allow {
        /// The budget.
        budget: ObjectKey,
        /// How many.
        disruptions: i32,
    },
}

impl Edit {
    /// What it costs: see the module.
    pub const fn cost(&self) -> u32 {
        match self {
            Self::OpenGates => 5,
            // A larger skew is worse than a smaller one.
            Self::MaxSkew { to, .. } => {
                let to = if *to < 1 { 0 } else { *to as u32 };
                10 + if to > 8 { 8 } else { to }
            }
            Self::NodeTaintsPolicy { .. } | Self::NodeAffinityPolicy { .. } => 11,
            Self::MinDomains { to: Some(_), .. } => 12,
            Self::MinDomains { to: None, .. } => 13,
            Self::Tolerate { .. } => 15,
            Self::Uncordon { .. } => 16,
            Self::Request { .. } => 17,
            Self::Label { .. } => 18,
            Self::DropHostPort { .. } | Self::DoNotSchedule { .. } => 20,
            Self::ScheduleAnyway { .. } => 22,
            Self::PreferPodAffinity { .. }
            | Self::PreferPodAntiAffinity { .. }
            | Self::DropNodeSelector { .. } => 24,
            Self::DropTaint { .. } => 25,
            Self::PreferNodeAffinity => 26,
            Self::Cordon { .. } => 28,
            Self::AllowPreemption => 35,
            Self::Priority { .. } => 40,
            Self::Allow { .. } => 42,
            Self::Delete { .. } => 50,
        }
    }

    /// Whether there are edits that differ in a value only.
    pub(super) const fn has_value(&self) -> bool {
        matches!(
            self,
            Self::MaxSkew { .. }
                | Self::MinDomains { .. }
                | Self::Request { .. }
                | Self::Priority { .. }
                | Self::Allow { .. }
        )
    }

    /// The edit without its value: of edits of one family a milder one makes the others pointless.
    #[must_use]
    pub(super) fn family(&self) -> Self {
        let mut family = self.clone();
        match &mut family {
            Self::MaxSkew { to, .. } | Self::Priority { to } => *to = 0,
            Self::MinDomains { to, .. } => *to = None,
            Self::Request { to, .. } => *to = 0,
            Self::Allow { disruptions, .. } => *disruptions = 0,
            _ => {}
        }
        family
    }

    /// How far the value goes from what is there; only compared within a family.
    pub(super) fn strength(&self) -> i64 {
        match self {
            Self::MaxSkew { to, .. } | Self::Priority { to } => (*to).into(),
            // The lower, the further; none is lowest.
            Self::MinDomains { to, .. } => -i64::from(to.unwrap_or(0)),
            Self::Request { to, .. } => to.saturating_neg(),
            Self::Allow { disruptions, .. } => (*disruptions).into(),
            _ => 0,
        }
    }

    /// The toleration of a taint.
    pub fn tolerate(taint: &Taint) -> Self {
        let (key, value) = (taint.key.clone(), taint.value.clone());
        Self::Tolerate { key, value, effect: taint.effect }
    }
}
