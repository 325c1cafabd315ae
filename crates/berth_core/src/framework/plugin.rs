//! Names of the in-tree plugins, and the extension points each has.
//!
//! Mirrors `pkg/scheduler/framework/plugins/names/names.go` and `plugins/registry.go`.

use core::fmt;

/// Declares the plugins with their names and extension points.
macro_rules! plugins {
    ($($(#[$meta:meta])* $variant:ident: $($point:ident)|+),+ $(,)?) => {
        /// An in-tree plugin.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum PluginId { $($(#[$meta])* $variant),+ }

        impl PluginId {
            /// Every plugin, in no order that means anything.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name that configurations use.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant)),+ }
            }

            const fn points(self) -> &'static [ExtensionPoint] {
                match self { $(Self::$variant => &[$(ExtensionPoint::$point),+]),+ }
            }
        }
    };
}

/// A place in the scheduling cycle where plugins act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is Kubernetes' extension point of that name")]
pub enum ExtensionPoint {
    PreEnqueue,
    QueueSort,
    PreFilter,
    Filter,
    PostFilter,
    PreScore,
    Score,
    Reserve,
    Permit,
    PreBind,
    Bind,
    PostBind,
}

impl ExtensionPoint {
    /// Every point, in the order of the cycle.
    pub const ALL: [Self; 12] = [
        Self::PreEnqueue,
        Self::QueueSort,
        Self::PreFilter,
        Self::Filter,
        Self::PostFilter,
        Self::PreScore,
        Self::Score,
        Self::Reserve,
        Self::Permit,
        Self::PreBind,
        Self::Bind,
        Self::PostBind,
    ];

    /// The name of the Go interface that plugins of this point implement.
    pub const fn interface(self) -> &'static str {
        match self {
            Self::PreEnqueue => "PreEnqueuePlugin",
            Self::QueueSort => "QueueSortPlugin",
            Self::PreFilter => "PreFilterPlugin",
            Self::Filter => "FilterPlugin",
            Self::PostFilter => "PostFilterPlugin",
            Self::PreScore => "PreScorePlugin",
            Self::Score => "ScorePlugin",
            Self::Reserve => "ReservePlugin",
            Self::Permit => "PermitPlugin",
            Self::PreBind => "PreBindPlugin",
            Self::Bind => "BindPlugin",
            Self::PostBind => "PostBindPlugin",
        }
    }
}

plugins! {
    /// Keeps gated pods out of the queue.
    SchedulingGates: PreEnqueue,
    /// Orders the queue by priority, then time.
    PrioritySort: QueueSort,
    /// Refuses cordoned nodes.
    NodeUnschedulable: Filter,
    /// Refuses nodes other than `spec.nodeName`.
    NodeName: Filter,
    /// Refuses, and scores by, taints that are not tolerated.
    TaintToleration: Filter | PreScore | Score,
    /// Node selector and node affinity.
    NodeAffinity: PreFilter | Filter | PreScore | Score,
    /// Host ports.
    NodePorts: PreFilter | Filter,
    /// Requests against what is free.
    NodeResourcesFit: PreFilter | Filter | PreScore | Score,
    /// Volumes that only one pod may use (skips: volumes are not simulated).
    VolumeRestrictions: PreFilter | Filter,
    /// Volumes per node (skips: volumes are not simulated).
    NodeVolumeLimits: PreFilter | Filter,
    /// Claims and volumes (skips: volumes are not simulated).
    VolumeBinding: PreFilter | Filter | PreScore | Score | Reserve | PreBind,
    /// Zones of volumes (skips: volumes are not simulated).
    VolumeZone: PreFilter | Filter,
    /// Topology spread constraints.
    PodTopologySpread: PreFilter | Filter | PreScore | Score,
    /// Pod affinity and anti-affinity.
    InterPodAffinity: PreFilter | Filter | PreScore | Score,
    /// Resource claims (skips: claims are not simulated).
    DynamicResources: PreEnqueue | PreFilter | Filter | PostFilter | Score | Reserve | PreBind,
    /// Makes room by removing lower pods.
    DefaultPreemption: PreEnqueue | PostFilter,
    /// Scores nodes whose resources are used evenly.
    NodeResourcesBalancedAllocation: PreScore | Score,
    /// Scores nodes that have the images.
    ImageLocality: Score,
    /// Binds.
    DefaultBinder: Bind,
    /// Features that nodes declare (skips: no feature of a pod is derived).
    NodeDeclaredFeatures: PreFilter | Filter,
    /// Gangs of pods (behind an alpha gate that is off).
    GangScheduling: PreEnqueue | Permit,
}

impl PluginId {
    /// The plugin of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|plugin| plugin.name() == name)
    }

    /// Whether the plugin acts at that point.
    pub fn implements(self, point: ExtensionPoint) -> bool {
        self.points().contains(&point)
    }
}

impl fmt::Display for PluginId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
