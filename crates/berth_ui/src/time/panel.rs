//! Time at the foot of the page: what moves it, the scrubber, and what is below.

use super::run::{Run, SPEEDS, Shared, Tab, clock};
use super::stage;
use super::{
    Tick, TimeMsg, TimeWords, absorb, asked, attempts, branches, charts, countdown, form, lanes,
    memory, moment, parameters, scrubber, told, words,
};
use crate::app::{App, Intent};
use crate::components::{Shape, choice, icon};
use crate::dom::Listener;
use crate::env::Env;
use crate::locale::Msg;
use crate::parts::Call;
use crate::tool::{Tool, task};
use std::rc::Rc;
use web_sys::{Element, HtmlSelectElement};
use yew::{AttrValue, Callback, Event, Html, MouseEvent, TargetCast, html};

/// What is shown of a run, as long as its cluster is on the board.
pub(super) struct Panel {
    run: Shared,
    /// Hears the keys of undo and redo for as long as time is shown.
    _keys: Option<Listener>,
}

impl Panel {
    pub(super) fn new(run: &Shared, app: &App) -> Self {
        Self { run: Rc::clone(run), _keys: asked::listen(run, app) }
    }
}

impl Tool for Panel {
    fn stays(&self, app: &App) -> bool {
        let stays = app.engine().openings() == self.run.borrow().openings;
        if let (false, Some(root)) = (stays, app.root()) {
            countdown::wipe(&root);
        }
        stays
    }

    fn follow(&mut self, app: &App) {
        stage::follow(&self.run, app);
        if app.engine().revision() != self.run.borrow().revision {
            let run = Rc::clone(&self.run);
            app.env().send(task(move |app| {
                // By now it may be over.
                let is_own = app.engine().openings() == run.borrow().openings;
                if is_own && app.engine().revision() != run.borrow().revision {
                    absorb::absorb(&run, app);
                }
            }));
        }
    }

    fn view(&self, app: &App) -> Html {
        let (env, words, run) = (app.env(), words(app), self.run.borrow());
        html! {
            <section class="time" aria-label={words.text(TimeMsg::Title)}>
                {self.transport(env, &words, &run)}
                {scrubber::scrubber(env, &words, &run, &self.run)}
                {self.below(app, &words, &run)}
            </section>
        }
    }

    fn drawn(&self, root: &Element) {
        countdown::paint(root, &self.run.borrow());
    }
}

impl Panel {
    fn transport(&self, env: &Env, words: &TimeWords, run: &Run) -> Html {
        let button = |tick: Tick,
                      msg: TimeMsg,
                      keys: &'static str,
                      path: &'static str,
                      id: Option<&'static str>| {
            let text = words.text(msg);
            html! {
                <button type="button" {id} class="btn line icon-only" aria-label={text.clone()} title={text} aria-keyshortcuts={keys}
                    onclick={env.on(Intent::Call(Call::Time(tick)))}>
                    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d={path} /></svg>
                </button>
            }
        };
        let (play, path) = if run.playing {
            (TimeMsg::Pause, "M5.5 3.5v9M10.5 3.5v9")
        } else {
            (TimeMsg::Play, "M5 3.5 12 8l-7 4.5z")
        };
        let leave = |keep: bool| {
            let run = Rc::clone(&self.run);
            env.on(task(move |app| {
                if let Some(root) = app.root() {
                    countdown::wipe(&root);
                }
                moment::leave(&run, app, keep);
            }))
        };
        let fork = {
            let run = Rc::clone(&self.run);
            env.on(task(move |app| branches::fork(&run, app)))
        };
        html! {
            <div class="transport row">
                {button(Tick::Previous, TimeMsg::Previous, "[", "M11 3.5 6 8l5 4.5zM4 3.5v9", None)}
                {button(Tick::Play, play, "K", path, Some("time-play"))}
                {button(Tick::Next, TimeMsg::Next, "]", "M5 3.5 10 8l-5 4.5zM12 3.5v9", None)}
                {button(Tick::Phase, TimeMsg::Phase, ".", "M3 12.5V9h3.5V6H10V3.5h3.5", None)}
                {self.speed(env, words, run)}
                {self.history(env, Shape::Undo, Msg::Undo, asked::next_undo(run).as_ref(), true)}
                {self.history(env, Shape::Redo, Msg::Redo, asked::next_redo(run).as_ref(), false)}
                <b class="clock num">{"t = "}{clock(run.at)}</b>
                <span class="grow"></span>
                <button type="button" class="btn small line" onclick={fork}>{words.text(TimeMsg::Fork)}</button>
                <button type="button" class="btn small line" onclick={leave(true)}>{words.text(TimeMsg::Keep)}</button>
                <button type="button" class="btn small icon-only" aria-label={env.words.text(Msg::Close)} aria-keyshortcuts="S"
                    onclick={leave(false)}>{icon(Shape::Cross)}</button>
            </div>
        }
    }

    /// What takes a request back, or does it again: it stays in reach of the keyboard when there is nothing to do.
    fn history(
        &self,
        env: &Env,
        shape: Shape,
        msg: Msg,
        name: Option<&AttrValue>,
        undo: bool,
    ) -> Html {
        let text = match name {
            Some(name) => AttrValue::from([&*env.words.text(msg), ": ", name].concat()),
            None => env.words.text(msg),
        };
        let run = Rc::clone(&self.run);
        let onclick = env.on::<MouseEvent>(task(move |app| asked::go(&run, app, undo)));
        let keys = if undo { "Control+Z" } else { "Control+Y" };
        html! {
            <button type="button" class="btn line icon-only" aria-label={text.clone()} title={text} aria-keyshortcuts={keys}
                aria-disabled={name.is_none().to_string()} {onclick}>{icon(shape)}</button>
        }
    }

    fn speed(&self, env: &Env, words: &TimeWords, run: &Run) -> Html {
        let text = |speed: f64| AttrValue::from(format!("{speed}×"));
        let options: Vec<(AttrValue, AttrValue)> =
            SPEEDS.iter().map(|speed| (text(*speed), text(*speed))).collect();
        let now = SPEEDS.get(run.speed).copied().map(text).unwrap_or_default();
        let onchange = {
            let (run, send) = (Rc::clone(&self.run), env.send.clone());
            Callback::from(move |event: Event| {
                let Some(select) = event.target_dyn_into::<HtmlSelectElement>() else { return };
                let (run, at) = (Rc::clone(&run), select.selected_index().max(0) as usize);
                send.emit(task(move |_| run.borrow_mut().speed = at));
            })
        };
        choice(Some(words.text(TimeMsg::Speed)), &options, &now, onchange)
    }

    fn below(&self, app: &App, words: &TimeWords, run: &Run) -> Html {
        let env = app.env();
        let tabs = [
            (Tab::Events, TimeMsg::Events),
            (Tab::Pods, TimeMsg::Pods),
            (Tab::Charts, TimeMsg::Charts),
            (Tab::Memory, TimeMsg::Memory),
            (Tab::Attempts, TimeMsg::Attempts),
            (Tab::Branches, TimeMsg::Branches),
            (Tab::Parameters, TimeMsg::Parameters),
        ];
        let open = tabs.iter().find(|(tab, _)| *tab == run.tab).map(|(_, msg)| words.text(*msg));
        let button = |(tab, msg): (Tab, TimeMsg)| {
            let shared = Rc::clone(&self.run);
            let onclick = env.on(task(move |_| shared.borrow_mut().tab = tab));
            html! {
                <button type="button" aria-pressed={(run.tab == tab).to_string()} {onclick}>{words.text(msg)}</button>
            }
        };
        html! {
            <>
                <div class="row choose">
                    <div class="seg" role="group" aria-label={words.text(TimeMsg::Below)}>{for tabs.map(button)}</div>
                    <span class="grow"></span>
                    {form::view(env, words, run, &self.run)}
                </div>
                <div class="below" tabindex="0" role="group" aria-label={open}>
                    {match run.tab {
                        Tab::Events => html! { <>{scrubber::legend()}{told::table(run, words)}</> },
                        Tab::Pods => lanes::view(run, words),
                        Tab::Charts => charts::view(env, words, run, &self.run),
                        Tab::Memory => memory::view(env, words, run, &self.run),
                        Tab::Attempts => attempts::view(env, words, run, &self.run),
                        Tab::Branches => branches::view(env, words, run, &self.run),
                        Tab::Parameters => parameters::view(app, words, run, &self.run),
                    }}
                </div>
            </>
        }
    }
}
