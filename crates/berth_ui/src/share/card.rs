//! What is shown of a link that cannot be opened, or not without asking.

use super::arrive::finish;
use super::words::{ShareMsg, ShareWords};
use crate::app::{App, Heading};
use crate::components::{Shape, icon};
use crate::locale::Msg;
use crate::parts::Call;
use crate::state::Action;
use crate::tool::{Slot, Tool, task};
use berth_wire::link::{LinkError, State};
use std::rc::Rc;
use yew::{AttrValue, Html, html};

/// The card, in the board's place.
pub(super) struct Card {
    what: What,
    /// The revision at which it came: something else that is opened takes its place.
    revision: u32,
}

enum What {
    /// It cannot be opened.
    Refused { msg: ShareMsg, blanks: Vec<(&'static str, String)> },
    /// It lets the scheduler work long.
    Work(Rc<State>),
}

impl Card {
    /// Says why a link cannot be opened.
    pub(super) fn refused(app: &App, error: &LinkError) -> Self {
        let number = |number: usize| number.to_string();
        let (msg, blanks) = match error {
            LinkError::Cut { expected, got } => {
                (ShareMsg::LinkCut, vec![("got", number(*got)), ("of", number(*expected))])
            }
            LinkError::TooLong { length, most } => {
                (ShareMsg::LinkLong, vec![("n", number(*length)), ("most", number(*most))])
            }
            LinkError::TooMuch { most } => (ShareMsg::LinkMuch, vec![("most", number(*most))]),
            LinkError::Damaged => (ShareMsg::LinkDamaged, Vec::new()),
            LinkError::Version => (ShareMsg::LinkVersion, Vec::new()),
            LinkError::Content(why) => (ShareMsg::LinkContent, vec![("why", why.clone())]),
            LinkError::Replay { number, why } => {
                (ShareMsg::LinkStep, vec![("n", number.to_string()), ("why", why.clone())])
            }
        };
        Self { what: What::Refused { msg, blanks }, revision: app.engine().revision() }
    }

    /// Asks before long work.
    pub(super) fn work(app: &App, state: State) -> Self {
        Self { what: What::Work(Rc::new(state)), revision: app.engine().revision() }
    }
}

impl Tool for Card {
    fn stays(&self, app: &App) -> bool {
        app.engine().revision() == self.revision
    }

    fn view(&self, app: &App) -> Html {
        let env = app.env();
        let words: ShareWords = env.table();
        let (title, text) = match &self.what {
            What::Refused { msg, blanks } => {
                let blanks: Vec<(&str, &str)> =
                    blanks.iter().map(|(name, value)| (*name, value.as_str())).collect();
                (words.text(ShareMsg::CardTitle), words.fill(*msg, &blanks))
            }
            What::Work(state) => {
                let work = state.work().to_string();
                let text = words.fill(ShareMsg::CardWork, &[("n", &work)]);
                (words.text(ShareMsg::CardWorkTitle), text)
            }
        };
        html! {
            <section class="card" role="alert" aria-labelledby="card-title">
                <h2 id="card-title" tabindex="-1">{icon(Shape::Alert)}{title}</h2>
                <p>{text}</p>
                <div class="acts">{self.acts(app, &words)}</div>
            </section>
        }
    }
}

impl Card {
    fn acts(&self, app: &App, words: &ShareWords) -> Html {
        let env = app.env();
        let button = |class: &'static str, text: AttrValue, intent| {
            html! { <button type="button" class={class} onclick={env.on(intent)}>{text}</button> }
        };
        let back = if app.engine().playground().is_some() {
            let close = task(|app| {
                app.close(Slot::Board);
                app.focus_on_work();
            });
            button("btn line", words.text(ShareMsg::CardBack), close)
        } else {
            button("btn line", words.text(ShareMsg::CardExample), task(example))
        };
        match &self.what {
            What::Refused { .. } => html! {
                <>
                    {button("btn solid", env.words.text(Msg::Import), Call::Import.into())}
                    {back}
                </>
            },
            What::Work(state) => {
                let (all, start) = (Rc::clone(state), Rc::clone(state));
                let all = task(move |app| finish(app, (*all).clone()));
                let start = task(move |app| {
                    let mut state = (*start).clone();
                    state.log.clear();
                    state.cursor = 0;
                    state.outcome = None;
                    finish(app, state);
                });
                html! {
                    <>
                        {button("btn solid", words.text(ShareMsg::CardStart), start)}
                        {button("btn line", words.text(ShareMsg::CardRun), all)}
                        {back}
                    </>
                }
            }
        }
    }
}

/// Opens the cluster that the page begins with.
fn example(app: &mut App) {
    let words = app.env().words.clone();
    if let Err(error) = app.engine_mut().open_example(&words) {
        app.act(Action::Say(error));
    }
    app.opened(Heading::default());
}
