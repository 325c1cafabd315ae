//! Pods that are being deleted: how long each still has.

use super::run::Run;
use crate::dom;
use berth_core::queue::Instant;
use berth_core::queue::time::SECOND;
use berth_core::simulation::Simulation;
use web_sys::Element;

/// Where the board shows it: set here alone, outside what the page draws.
const LEFT: &str = "data-left";

/// A pod that is being deleted.
pub(super) struct Ending {
    /// `namespace/name`.
    pub(super) pod: String,
    /// Its node.
    pub(super) node: String,
    /// Seconds until it is killed, begun ones included.
    pub(super) seconds: i64,
}

/// The pods that are being deleted at a moment.
pub(super) fn endings(state: &Simulation, now: Instant) -> Vec<Ending> {
    let mut endings = Vec::new();
    for pod in state.objects().pods() {
        let Some(end) = pod.metadata.deletion_timestamp.map(|time| state.instant_of(time)) else {
            continue;
        };
        let left = (end.0 - now.0).max(0);
        let seconds = left / SECOND + i64::from(left % SECOND > 0);
        let node = pod.spec.node_name.clone();
        endings.push(Ending { pod: pod.metadata.key().to_string(), node, seconds });
    }
    endings
}

/// Writes it on the chips of the board.
pub(super) fn paint(root: &Element, run: &Run) {
    let endings = endings(run.timeline.state(), run.at);
    dom::each(root, ".canvas .pod[data-name]", |chip| {
        let name = chip.get_attribute("data-name").unwrap_or_default();
        let left = endings.iter().find(|ending| ending.pod == name);
        let left = left.map(|ending| format!("{} s", ending.seconds));
        if chip.get_attribute(LEFT) == left {
            return;
        }
        // The name is a valid one.
        let _ = match &left {
            Some(left) => chip.set_attribute(LEFT, left),
            None => chip.remove_attribute(LEFT),
        };
    });
}

/// Takes it off the board again.
pub(super) fn wipe(root: &Element) {
    dom::each(root, "[data-left]", |chip| {
        let _ = chip.remove_attribute(LEFT);
    });
}
