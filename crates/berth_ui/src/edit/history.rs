//! The history: every change by its name, to go back to and forth again.

use super::names::name;
use super::{EditMsg, EditWords};
use crate::app::App;
use crate::components::{Shape, icon, use_dialog};
use crate::env::use_env;
use crate::locale::Msg;
use crate::tool::{Slot, Tool, task};
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, MouseEvent, Properties, component, html};

/// Opens it.
pub(super) fn open(app: &mut App) {
    app.open(Slot::Over, Box::new(History { steps: Rc::new([]), now: 0 }));
}

/// The name of the change that undo or redo is about, if there is one.
pub(super) fn next(app: &App, undo: bool) -> Option<AttrValue> {
    let playground = app.engine().playground()?;
    let command = if undo { playground.next_undo() } else { playground.next_redo() };
    Some(name(&app.env().table(), command?))
}

struct History {
    /// What was done, and after that what was taken back.
    steps: Rc<[AttrValue]>,
    /// How many of them are done.
    now: usize,
}

impl Tool for History {
    fn follow(&mut self, app: &App) {
        let Some(playground) = app.engine().playground() else { return };
        let words: EditWords = app.env().table();
        self.steps = playground.whole_log().map(|command| name(&words, command)).collect();
        self.now = playground.log().count();
    }

    fn view(&self, app: &App) -> Html {
        let go = app.env().send.reform(|steps: usize| task(move |app| go(app, steps)));
        html! { <HistoryDialog steps={Rc::clone(&self.steps)} now={self.now} {go} /> }
    }
}

/// Takes changes back, or makes them again, until so many are done.
fn go(app: &mut App, steps: usize) {
    let words: EditWords = app.env().table();
    let Some(playground) = app.engine_mut().playground_mut() else { return };
    loop {
        let done = playground.log().count();
        let moved = match done.cmp(&steps) {
            std::cmp::Ordering::Greater => playground.undo(),
            std::cmp::Ordering::Less => playground.redo(),
            std::cmp::Ordering::Equal => false,
        };
        if !moved {
            break;
        }
    }
    app.tell(words.fill(EditMsg::SayWent, &[("n", &steps.to_string())]));
}

#[derive(PartialEq, Properties)]
struct HistoryProps {
    steps: Rc<[AttrValue]>,
    now: usize,
    go: Callback<usize>,
}

#[component]
fn HistoryDialog(props: &HistoryProps) -> Html {
    let env = use_env();
    let words: EditWords = env.table();
    let dialog = use_dialog();
    let close = env.on(task(|app| app.close(Slot::Over)));
    let closed = env.on(task(|app| app.close(Slot::Over)));
    let row = |done: usize, text: AttrValue| {
        let onclick = props.go.reform(move |_: MouseEvent| done);
        let current = (done == props.now).then_some("step");
        html! {
            <li key={done}>
                <button type="button" class={if done > props.now { "undone" } else { "" }} aria-current={current} {onclick}>
                    <span class="num">{done}</span><span class="grow">{text}</span>
                    if done == props.now { <span class="tag">{words.text(EditMsg::Now)}</span> }
                </button>
            </li>
        }
    };
    html! {
        <dialog class="dialog history" ref={dialog} onclose={closed} aria-labelledby="history-title">
            <header>
                <h2 id="history-title">{words.text(EditMsg::History)}</h2>
                <button type="button" class="btn icon-only" aria-label={env.words.text(Msg::Close)} onclick={close}>
                    {icon(Shape::Cross)}
                </button>
            </header>
            <ol class="steps-of">
                {row(0, words.text(EditMsg::HistoryStart))}
                {for props.steps.iter().enumerate().map(|(index, text)| row(index + 1, text.clone()))}
            </ol>
        </dialog>
    }
}
