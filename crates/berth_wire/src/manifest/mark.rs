//! Marks on pods about which the answer leaves something out.

use berth_core::api::{PodSpec, VolumeSource};

/// Something of a pod that Kubernetes' scheduler looks at and Berth does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// A volume on a claim: VolumeBinding, VolumeZone, NodeVolumeLimits and VolumeRestrictions.
    PersistentVolumeClaim,
    /// A volume on a claim of its own: VolumeBinding.
    EphemeralVolume,
    /// A disk: VolumeRestrictions and NodeVolumeLimits.
    Disk,
    /// A resource claim: DynamicResources.
    ResourceClaim,
    /// A feature that nodes declare: NodeDeclaredFeatures.
    NodeFeature,
}

impl Mark {
    /// One word for programs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PersistentVolumeClaim => "persistent-volume-claim",
            Self::EphemeralVolume => "ephemeral-volume",
            Self::Disk => "disk",
            Self::ResourceClaim => "resource-claim",
            Self::NodeFeature => "node-feature",
        }
    }

    /// The plugins that would have a say.
    pub const fn plugins(self) -> &'static [&'static str] {
        match self {
            Self::PersistentVolumeClaim => {
                &["VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding", "VolumeZone"]
            }
            Self::EphemeralVolume => &["VolumeBinding"],
            Self::Disk => &["VolumeRestrictions", "NodeVolumeLimits"],
            Self::ResourceClaim => &["DynamicResources"],
            Self::NodeFeature => &["NodeDeclaredFeatures"],
        }
    }
}

/// What the answer about a pod leaves out, each thing once, in the order of the spec.
pub fn marks(spec: &PodSpec) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for volume in &spec.volumes {
        let mark = match volume.source {
            VolumeSource::PersistentVolumeClaim(_) => Mark::PersistentVolumeClaim,
            VolumeSource::Ephemeral => Mark::EphemeralVolume,
            VolumeSource::Disk(_) => Mark::Disk,
            VolumeSource::Image(_) | VolumeSource::Other(_) => continue,
        };
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    }
    if !spec.resource_claims.is_empty() {
        marks.push(Mark::ResourceClaim);
    }
    if spec.needs_node_feature {
        marks.push(Mark::NodeFeature);
    }
    marks
}
