//! Advice about the selected pod: what would make it fit, what each value of a field comes to, how many copies fit, and
//! what does not do what it seems to. A part of the program that is fetched when its tab is first opened, see
//! [`crate::parts`].

mod text;
mod view;
mod words;
mod work;

pub use words::{AdviceMsg, AdviceWords};

use crate::app::App;
use crate::parts::{Call, Late, late};
use crate::slices;
use crate::state::{Action, Sheet, Tab};
use crate::tool::{Slot, Tool};
use berth_core::api::ObjectKey;
use berth_core::playground::Command;
use std::cell::RefCell;
use std::rc::Rc;
use text::Words;

use work::Work;
use yew::{AttrValue, Html};

late!(advice, |app| {
    app.style(include_str!("../../../../web/styles/late/advice.css"));
    Box::new(Advice)
});

/// This part.
struct Advice;

impl Late for Advice {
    fn call(&mut self, app: &mut App, call: Call) {
        if let Call::Tab(_) = call {
            // On a phone the tab would stay below the edge.
            if app.state().sheet == Sheet::Peek {
                app.act(Action::Sheet(Sheet::Half));
            }
            app.open(Slot::Tab, Box::new(Panel { asked: None, work: None }));
        }
    }
}

/// The panel of the tab.
struct Panel {
    /// What the work was begun for: the cluster's revision, and the pod.
    asked: Option<(u32, AttrValue)>,
    work: Option<Rc<RefCell<Work>>>,
}

impl Tool for Panel {
    fn follow(&mut self, app: &App) {
        // Nobody works for a tab that is not open.
        let open = app.state().tab == Tab::Advice;
        let pod = app.state().selected.clone().filter(|_| open);
        let asked = pod.map(|pod| (app.engine().revision(), pod));
        if asked == self.asked {
            return;
        }
        let playground = app.engine().playground();
        self.work = asked.as_ref().and_then(|(_, pod)| {
            let work = Work::new(playground?, ObjectKey::parse(pod))?;
            Some(Rc::new(RefCell::new(work)))
        });
        self.asked = asked;
        if let Some(work) = &self.work {
            slices::run(work, app.env().send.clone());
        }
    }

    fn view(&self, app: &App) -> Html {
        let Some(work) = &self.work else { return Html::default() };
        view::panel(app.env(), &words(app), work)
    }
}

fn words(app: &App) -> Words {
    let own: AdviceWords = app.env().table();
    Words { own, page: app.env().words.clone() }
}

/// Carries out what was proposed, as one step that can be undone.
fn apply(app: &mut App, command: Command, what: &AttrValue) {
    let words = words(app);
    let Some(playground) = app.engine_mut().playground_mut() else { return };
    let said = match playground.apply(command) {
        Ok(_) => words.fill(AdviceMsg::SayApplied, &[("what", what)]),
        Err(error) => error.to_string().into(),
    };
    app.tell(said);
    // The button that was pressed goes with the proposal.
    app.focus("#tab-advice");
}
