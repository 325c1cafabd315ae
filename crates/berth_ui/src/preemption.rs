//! The Preemption tab: the part of the program that is fetched when the tab is first opened. See [`crate::parts`].
//!
//! Whether a pod would preempt, where and whom, the page itself says; this part works out why.

use crate::components::{PreemptionPanel, PreemptionPanelProps};
use crate::engine::Explained;
use crate::locale::RoomWords;
use crate::parts::NotFetched;
use std::rc::Rc;
use yew::{Html, html};

/// What this part can do.
#[derive(Debug)]
pub struct Preemption {
    /// The tab's panel.
    pub panel: fn(&Explained<'_>) -> Html,
}

/// Fetches this part, or finds it here.
#[cfg(feature = "split")]
#[wasm_split_helpers::wasm_split(preemption, fallible)]
pub fn fetch() -> Result<&'static Preemption, NotFetched> {
    Ok(&PREEMPTION)
}

/// Fetches this part, or finds it here.
#[cfg(not(feature = "split"))]
#[expect(clippy::unused_async, reason = "the same as what the feature `split` makes of it")]
pub async fn fetch() -> Result<&'static Preemption, NotFetched> {
    Ok(&PREEMPTION)
}

static PREEMPTION: Preemption = Preemption { panel };

fn panel(explained: &Explained<'_>) -> Html {
    let words = RoomWords::read_english();
    let props = PreemptionPanelProps { view: Rc::new(explained.preemption(&words)), words };
    // Another pod begins with nothing opened.
    html! { <PreemptionPanel key={explained.pod()} ..props /> }
}
