//! What can be found, and how bad it is.

use alloc::string::String;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// It does something else than it seems to.
    Warning,
    /// The API server refuses it, or no node can take the pod because of it.
    Error,
}

impl Severity {
    /// In one word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Declares the problems with their codes and severities.
macro_rules! problems {
    ($($(#[$meta:meta])* $variant:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)? } = $code:literal, $severity:ident;)+) => {
        /// What was found, with the numbers of the cluster at hand. Nodes, pods and domains are counted.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Problem { $($(#[$meta])* $variant { $($(#[$field_meta])* $field: $type),* }),+ }

        impl Problem {
            /// The codes of all problems.
            pub const CODES: &'static [&'static str] = &[$($code),+];

            /// A name that stays.
            pub const fn code(&self) -> &'static str {
                match self { $(Self::$variant { .. } => $code),+ }
            }

            /// How bad it is.
            pub const fn severity(&self) -> Severity {
                match self { $(Self::$variant { .. } => Severity::$severity),+ }
            }
        }
    };
}

problems! {
    /// A spread constraint without `labelSelector` counts nobody, so it spreads nothing.
    NoSelector {
        /// That it never refuses.
        nodes: u32,
    } = "spreadNoSelector", Warning;
    /// A spread constraint with `labelSelector: {}` counts the pod itself and nobody else.
    EmptySelector {
        /// Of the namespace that are not counted.
        pods: u32,
    } = "spreadEmptySelector", Warning;
    /// A spread constraint whose selector does not select the pod: placing it changes no count.
    NotSelf {
        /// That are counted all the same.
        pods: u32,
    } = "spreadNotSelf", Warning;
    /// No node has the label of a hard constraint: all refuse the pod.
    KeyNowhere {
        /// The label.
        key: String,
        /// That refuse it.
        nodes: u32,
    } = "spreadKeyNowhere", Error;
    /// No node has the label of a soft constraint: no node is scored by it.
    SoftKeyNowhere {
        /// The label.
        key: String,
        /// That are not scored.
        nodes: u32,
    } = "spreadSoftKeyNowhere", Warning;
    /// Some nodes lack the label: they refuse the pod, and pods there are not counted.
    KeyMissing {
        /// The label.
        key: String,
        /// Without it.
        nodes: u32,
        /// In all.
        of: u32,
        /// Matching ones there.
        pods: u32,
    } = "spreadKeyMissing", Warning;
    /// Some nodes lack the label of a soft constraint: they get its lowest score, but are not refused.
    SoftKeyMissing {
        /// The label.
        key: String,
        /// Without it.
        nodes: u32,
        /// In all.
        of: u32,
    } = "spreadSoftKeyMissing", Warning;
    /// `minDomains` with `ScheduleAnyway`.
    MinDomainsSoft {
        /// The value.
        value: i32,
    } = "spreadMinDomainsSoft", Error;
    /// `minDomains` is more than there are, so the minimum stays 0.
    MinDomainsTooMany {
        /// The value.
        value: i32,
        /// That there are.
        domains: u32,
        /// How many matching pods can run at all.
        pods: i64,
    } = "spreadMinDomainsTooMany", Warning;
    /// `matchLabelKeys` without `labelSelector`.
    KeysWithoutSelector {} = "spreadKeysWithoutSelector", Error;
    /// A key of `matchLabelKeys` that the selector has as well.
    KeyInSelector {
        /// The key.
        key: String,
    } = "spreadKeyInSelector", Error;
    /// A key of `matchLabelKeys` that the pod has no label of: it narrows nothing.
    KeyNotOnPod {
        /// The key.
        key: String,
        /// That are counted, whatever their value.
        pods: u32,
    } = "spreadKeyNotOnPod", Warning;
    /// Two constraints with the same key and action.
    Twice {
        /// The key.
        key: String,
    } = "spreadTwice", Error;
    /// `maxSkew` is no less than all matching pods together.
    SkewNeverReached {
        /// The value.
        max_skew: i32,
        /// Matching ones, this one and waiting ones included.
        pods: u32,
    } = "spreadSkewNeverReached", Note;
    /// There is only one domain, so that there is nothing to spread over.
    OneDomain {
        /// The label.
        key: String,
        /// In the one domain.
        nodes: u32,
    } = "spreadOneDomain", Note;
    /// Domains count whose nodes all have taints that the pod does not tolerate: they keep the minimum down.
    UnusableDomains {
        /// That no pod like this can go to.
        domains: u32,
        /// Of all.
        of: u32,
        /// The fewest matching ones in one of them.
        fewest: u32,
        /// So many more each other domain may have.
        max_skew: i32,
    } = "spreadUnusableDomains", Warning;
    /// A required affinity term that means nobody, not even the pod.
    NobodyNear {
        /// That refuse it.
        nodes: u32,
    } = "affinityNobody", Error;
    /// A required anti-affinity term without `labelSelector` means nobody.
    ApartFromNobody {} = "antiAffinityNoSelector", Warning;
    /// Nodes without the label of a required affinity term refuse the pod.
    NearKeyMissing {
        /// The label.
        key: String,
        /// Without it.
        nodes: u32,
        /// In all.
        of: u32,
    } = "affinityKeyMissing", Warning;
    /// Nodes without the label of a required anti-affinity term never refuse the pod.
    ApartKeyMissing {
        /// The label.
        key: String,
        /// Without it.
        nodes: u32,
        /// In all.
        of: u32,
    } = "antiAffinityKeyMissing", Warning;
    /// Pods that are required to be apart from each other are more than the domains.
    ApartTooMany {
        /// The label.
        key: String,
        /// That are to be apart, waiting ones included.
        pods: u32,
        /// That there are for them.
        domains: u32,
    } = "antiAffinityTooMany", Warning;
    /// No node meets `nodeSelector` and the required node affinity.
    NoNode {
        /// That do not.
        nodes: u32,
    } = "nodeAffinityNoNode", Error;
    /// The pod's class is not there: a pod like this would not be admitted.
    ClassMissing {
        /// The class.
        class: String,
    } = "priorityClassMissing", Error;
    /// The pod's priority is not what admission computes from its class, or for none.
    PriorityDiffers {
        /// The pod's.
        given: i32,
        /// Admission's.
        computed: i32,
    } = "priorityDiffers", Warning;
    /// `preemptionPolicy: Never`: the pod goes ahead in the queue, but waits for room.
    NeverPreempts {
        /// Lower ones on nodes that it leaves alone.
        pods: u32,
    } = "priorityNeverPreempts", Note;
    /// A priority below the one of pods without a class.
    BelowDefault {
        /// The pod's.
        priority: i32,
        /// What pods without a class get.
        default: i32,
        /// With a higher priority: each of them may preempt it.
        pods: u32,
    } = "priorityBelowDefault", Note;
    /// A second class with `globalDefault`: the lowest value is taken.
    SecondDefault {
        /// This class's value.
        value: i32,
        /// The class that is taken.
        taken: String,
        /// Its value.
        taken_value: i32,
    } = "priorityClassSecondDefault", Warning;
    /// The default class came later than pods without a class: they keep their priority.
    DefaultNotTaken {
        /// The default class's value.
        value: i32,
        /// Without a class, and with another priority.
        pods: u32,
    } = "priorityClassDefaultNotTaken", Note;
    /// Several budgets select the pod: its eviction is refused.
    OverlappingBudgets {
        /// How many.
        budgets: u32,
        /// That more than one of them selects.
        pods: u32,
    } = "budgetsOverlap", Warning;
    /// A budget that never allows a disruption, however healthy the pods are.
    BudgetNever {
        /// That can never be evicted.
        pods: u32,
    } = "budgetNever", Warning;
}
