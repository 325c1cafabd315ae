//! Marks on pods about which the answer leaves something out.

use berth_core::api::{PodSpec, VolumeSource};
use berth_core::collections::sort;

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
}

impl Mark {
    /// One word for programs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PersistentVolumeClaim => "persistent-volume-claim",
            Self::EphemeralVolume => "ephemeral-volume",
            Self::Disk => "disk",
            Self::ResourceClaim => "resource-claim",
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
        }
    }
}

/// What the answer about a pod leaves out, each thing once.
pub fn marks(spec: &PodSpec) -> Vec<Mark> {
    let volumes = spec.volumes.iter().filter_map(|volume| match volume.source {
        VolumeSource::PersistentVolumeClaim(_) => Some(Mark::PersistentVolumeClaim),
        VolumeSource::Ephemeral => Some(Mark::EphemeralVolume),
        VolumeSource::Disk(_) => Some(Mark::Disk),
        VolumeSource::Image(_) | VolumeSource::Other(_) => None,
    });
    let claims = spec.resource_claims.iter().map(|_| Mark::ResourceClaim);
    let mut marks: Vec<Mark> = volumes.chain(claims).collect();
    sort(&mut marks);
    marks.dedup();
    marks
}
