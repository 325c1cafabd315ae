//! The tables behind the verdict that are not open at first, Score and Preemption: the part of the program that is
//! fetched when one of them is first opened. See [`crate::parts`].

use crate::components::{PreemptionPanel, score_panel};
use crate::engine::Explained;
use crate::env::Env;
use crate::locale::RoomWords;
use crate::parts::NotFetched;
use crate::state::{AppState, Tab};
use std::rc::Rc;
use yew::{Html, html};

/// What this part can do.
#[derive(Debug)]
pub struct Tables {
    /// The panel of the open tab; none if this part has not that tab, or there is nothing to show in it.
    pub panel: fn(&Env, &Explained<'_>, &AppState) -> Option<Html>,
}

/// Fetches this part, or finds it here.
#[cfg(feature = "split")]
#[wasm_split_helpers::wasm_split(tables, fallible)]
pub fn fetch() -> Result<&'static Tables, NotFetched> {
    Ok(&TABLES)
}

/// Fetches this part, or finds it here.
#[cfg(not(feature = "split"))]
#[expect(clippy::unused_async, reason = "the same as what the feature `split` makes of it")]
pub async fn fetch() -> Result<&'static Tables, NotFetched> {
    Ok(&TABLES)
}

static TABLES: Tables = Tables { panel };

fn panel(env: &Env, explained: &Explained<'_>, state: &AppState) -> Option<Html> {
    match state.tab {
        Tab::Filter => None,
        Tab::Score => {
            let (scored, term) = (state.scored.as_ref(), state.term.as_ref());
            Some(score_panel(env, &explained.score(), scored, term))
        }
        Tab::Preemption => {
            let words = RoomWords::read_english();
            let view = Rc::new(explained.preemption(&words)?);
            // Another pod begins with nothing opened.
            Some(html! { <PreemptionPanel key={explained.pod()} {view} {words} /> })
        }
    }
}
