//! Questions about time: what happens to a cluster, and when. `{"input":…}`, as `oracle history` takes it.

mod input;

use serde_json::{Value, json};

use crate::simulate::{end, events};
use input::Input;

/// Half a millisecond, in nanoseconds: the last instant happens too.
const REST: i64 = 500_000;

/// Replays an input.
pub(super) fn answer(input: &str) -> Result<Value, String> {
    let Input { name, mut simulation, until } = input::load(input)?;
    simulation.run_until(until.after(REST));
    let events = events(&simulation.take_events());
    Ok(json!({ "name": name, "events": events, "final": end(&simulation) }))
}
