//! What the API server fills in of a template.
//!
//! Mirrors `pkg/apis/core/v1/defaults.go` as far as it is about templates and not about pods.

use super::{Given, types};

/// The default of a field, by its struct and its name.
pub(super) fn default<'n, 'a>(kind: &str, field: &str, object: Given<'n, 'a>) -> Given<'n, 'a> {
    let text = match (kind, field) {
        ("v1.PodSpec", "securityContext") => return Given::Object,
        ("v1.PodSpec", "serviceAccount") => {
            return Given::of(object.get("serviceAccountName"));
        }
        ("v1.VolumeSource", "emptyDir") => {
            return if has_source(object) { Given::Nothing } else { Given::Object };
        }
        ("v1.Container" | "v1.EphemeralContainerCommon", "imagePullPolicy") => {
            pull_policy(Given::of(object.get("image")).text())
        }
        ("v1.ImageVolumeSource", "pullPolicy") => {
            pull_policy(Given::of(object.get("reference")).text())
        }
        _ => match literal(kind, field) {
            Some(text) => text,
            None => return Given::Nothing,
        },
    };
    Given::Text(text)
}

fn literal(kind: &str, field: &str) -> Option<&'static str> {
    Some(match (kind, field) {
        ("v1.PodSpec", "dnsPolicy") => "ClusterFirst",
        ("v1.PodSpec", "restartPolicy") => "Always",
        ("v1.PodSpec", "schedulerName") => "default-scheduler",
        ("v1.PodSpec", "terminationGracePeriodSeconds") => "30",
        ("v1.Container" | "v1.EphemeralContainerCommon", "terminationMessagePath") => {
            "/dev/termination-log"
        }
        ("v1.Container" | "v1.EphemeralContainerCommon", "terminationMessagePolicy") => "File",
        ("v1.ContainerPort", "protocol") => "TCP",
        ("v1.Probe", "timeoutSeconds" | "successThreshold") => "1",
        ("v1.Probe", "periodSeconds") => "10",
        ("v1.Probe", "failureThreshold") => "3",
        ("v1.HTTPGetAction", "path") => "/",
        ("v1.HTTPGetAction", "scheme") => "HTTP",
        ("v1.GRPCAction", "service") | ("v1.HostPathVolumeSource", "type") => "",
        ("v1.ObjectFieldSelector", "apiVersion") => "v1",
        ("v1.ResourceFieldSelector", "divisor") => "0",
        (
            "v1.SecretVolumeSource"
            | "v1.ConfigMapVolumeSource"
            | "v1.DownwardAPIVolumeSource"
            | "v1.ProjectedVolumeSource",
            "defaultMode",
        ) => "420",
        ("v1.ServiceAccountTokenProjection", "expirationSeconds") => "3600",
        ("v1.PersistentVolumeClaimSpec", "volumeMode") => "Filesystem",
        ("v1.ISCSIVolumeSource", "iscsiInterface") => "default",
        ("v1.RBDVolumeSource", "pool") => "rbd",
        ("v1.RBDVolumeSource", "user") => "admin",
        ("v1.RBDVolumeSource", "keyring") => "/etc/ceph/keyring",
        ("v1.AzureDiskVolumeSource", "cachingMode") => "ReadWrite",
        ("v1.AzureDiskVolumeSource", "kind") => "Shared",
        ("v1.AzureDiskVolumeSource", "fsType") => "ext4",
        ("v1.AzureDiskVolumeSource", "readOnly") => "false",
        ("v1.ScaleIOVolumeSource", "storageMode") => "ThinProvisioned",
        ("v1.ScaleIOVolumeSource", "fsType") => "xfs",
        _ => return None,
    })
}

/// Whether a volume says what stands behind it.
fn has_source(volume: Given<'_, '_>) -> bool {
    let fields = types().get("v1.VolumeSource").into_iter().flatten();
    fields.into_iter().any(|field| volume.get(field.json).is_some())
}

/// An image whose tag is `latest`, written or not, is pulled each time.
fn pull_policy(image: &str) -> &'static str {
    let last = image.rsplit('/').next().unwrap_or_default();
    let (name, digest) = match last.split_once('@') {
        Some((name, digest)) => (name, Some(digest)),
        None => (last, None),
    };
    let is_latest = match name.split_once(':') {
        Some((_, tag)) => tag == "latest",
        None => digest.is_none() && !image.is_empty(),
    };
    if is_latest { "Always" } else { "IfNotPresent" }
}
