//! Probes that fail, as they are written.

use berth_core::api::{Kind, ProbeKind};
use berth_core::simulation::{Command, Pods};
use serde::Deserialize;

use super::resolve;

/// A probe of a container.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Probes {
    Startup,
    Liveness,
    Readiness,
}

/// A probe of a pod, or of all pods with a label, fails or passes from now on.
pub(super) fn probe(
    of: &str,
    container: Option<String>,
    fails: Option<Probes>,
    passes: Option<Probes>,
) -> Result<Command, String> {
    let of = match of.split_once('=') {
        Some((key, value)) => Pods::Label(key.to_owned(), value.to_owned()),
        None => match resolve(of)? {
            (Kind::Pod, key) => Pods::One(key),
            _ => return Err(format!("{of} has no probes: a pod or a label is meant")),
        },
    };
    let (probe, fails) = match (fails, passes) {
        (Some(probe), None) => (probe, true),
        (None, Some(probe)) => (probe, false),
        _ => return Err("a probe either fails or passes".to_owned()),
    };
    let probe = match probe {
        Probes::Startup => ProbeKind::Startup,
        Probes::Liveness => ProbeKind::Liveness,
        Probes::Readiness => ProbeKind::Readiness,
    };
    Ok(Command::Probe { of, container, probe, fails })
}
