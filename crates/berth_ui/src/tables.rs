//! The tables behind the verdict that are not open at first, Score and Preemption: the part of the program that is
//! fetched when one of them is first opened. See [`crate::parts`].

use crate::app::App;
use crate::components::{PreemptionPanel, score_panel};
use crate::locale::RoomWords;
use crate::parts::{Call, Late, late};
use crate::state::Tab;
use crate::tool::{Slot, Tool};
use std::rc::Rc;
use yew::{Html, html};

late!(tables, |app| {
    app.style(include_str!("../../../web/styles/late/tables.css"));
    Box::new(Tables)
});

/// This part.
struct Tables;

impl Late for Tables {
    fn call(&mut self, app: &mut App, call: Call) {
        if let Call::Tab(_) = call {
            app.open(Slot::Tab, Box::new(Panel));
        }
    }
}

/// The panel of the open tab.
struct Panel;

impl Tool for Panel {
    fn view(&self, app: &App) -> Html {
        let state = app.state();
        let Some(explained) = app.engine().explained(&app.env().words) else {
            return Html::default();
        };
        match state.tab {
            Tab::Filter | Tab::Advice | Tab::Yaml => Html::default(),
            Tab::Score => {
                let (scored, term) = (state.scored.as_ref(), state.term.as_ref());
                score_panel(app.env(), &explained.score(&app.env().table()), scored, term)
            }
            Tab::Preemption => {
                let words: RoomWords = app.env().table();
                let Some(view) = explained.preemption(&words) else { return Html::default() };
                // Another pod begins with nothing opened.
                html! { <PreemptionPanel key={explained.pod()} view={Rc::new(view)} {words} /> }
            }
        }
    }
}
