//! The offer to go on where one left.

use super::arrive::finish;
use super::keep::{forget, kept};
use super::words::{ShareMsg, ShareWords};
use crate::app::App;
use crate::components::{Shape, icon};
use crate::locale::Msg;
use crate::tool::{Slot, Tool, task};
use berth_core::api::Kind;
use berth_wire::link::State;
use std::rc::Rc;
use yew::{Html, html};

/// What is kept, in the place of the story.
struct Strip(Rc<State>);

/// Offers what the browser keeps, unless it is what is open. What cannot be read is forgotten.
pub(super) fn offer(app: &mut App) {
    let Some(link) = kept() else { return };
    match State::open(&link) {
        Ok(state) if state != of(app) => app.open(Slot::Strip, Box::new(Strip(Rc::new(state)))),
        Ok(_) => {}
        Err(_) => crate::dom::forget(crate::dom::KEPT),
    }
}

/// What would be kept now.
fn of(app: &App) -> State {
    let mut state = super::state::state(app);
    state.strip();
    state
}

impl Tool for Strip {
    fn view(&self, app: &App) -> Html {
        let env = app.env();
        let words: ShareWords = env.table();
        let state = &self.0;
        let nodes = state.objects.iter().filter(|object| object.kind() == Kind::Node).count();
        let name = if state.name.is_empty() {
            env.words.text(Msg::Untitled)
        } else {
            state.name.clone().into()
        };
        let steps = words.count(ShareMsg::Steps, state.cursor);
        let nodes = env.words.count(Msg::Nodes, nodes as u32);
        let text = words
            .fill(ShareMsg::StripText, &[("name", &name), ("nodes", &nodes), ("steps", &steps)]);
        let go_on = {
            let state = Rc::clone(state);
            task(move |app| {
                app.close(Slot::Strip);
                finish(app, (*state).clone());
            })
        };
        let forget = task(|app| {
            forget();
            app.close(Slot::Strip);
            let words: ShareWords = app.env().table();
            app.tell(words.text(ShareMsg::Forgotten));
            app.focus_on_work();
        });
        let close = task(|app| {
            app.close(Slot::Strip);
            app.focus_on_work();
        });
        html! {
            <section class="story kept" aria-label={words.text(ShareMsg::StripTitle)}>
                <span>{text}</span>
                <span class="acts">
                    <button type="button" class="btn line small" onclick={env.on(go_on)}>{words.text(ShareMsg::GoOn)}</button>
                    <button type="button" class="btn small" onclick={env.on(forget)}>{words.text(ShareMsg::Forget)}</button>
                    <button type="button" class="btn icon-only small" aria-label={env.words.text(Msg::Close)} onclick={env.on(close)}>
                        {icon(Shape::Cross)}
                    </button>
                </span>
            </section>
        }
    }
}
