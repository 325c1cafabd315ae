//! Questions about time: what happens to a cluster, and when. `{"input":…}`, as `oracle history` takes it.

mod input;

use berth_core::simulation::{Event, Source, What};
use serde_json::{Value, json};

use crate::simulate::{end, events};
use input::Input;

/// Half a millisecond, in nanoseconds: the last instant happens too.
const REST: i64 = 500_000;

/// Replays an input.
pub(super) fn answer(input: &str) -> Result<Value, String> {
    let Input { name, mut simulation, until } = input::load(input)?;
    simulation.run_until(until.after(REST));
    // The reference's kubelets say nothing.
    let is_told = |event: &Event| match &event.what {
        What::Signal { .. } => false,
        What::Reported(report) => report.source != Source::Kubelet,
        _ => true,
    };
    let told: Vec<Event> = simulation.take_events().into_iter().filter(is_told).collect();
    let events = events(&told);
    Ok(json!({ "name": name, "events": events, "final": end(&simulation) }))
}
