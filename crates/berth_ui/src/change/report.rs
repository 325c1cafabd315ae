//! What came of a command of which there is more to say than fits the status line, until something else is done.

use crate::app::App;
use crate::components::{Shape, icon};
use crate::edit::{EditMsg, EditWords};
use crate::locale::Msg;
use crate::tool::{Slot, Tool, task};
use yew::{AttrValue, Html, html};

/// Shows it above the board; nothing if there are no lines.
pub(super) fn show(app: &mut App, heading: AttrValue, lines: Vec<AttrValue>) {
    app.close(Slot::Strip);
    if !lines.is_empty() {
        let at = app.engine().revision();
        app.open(Slot::Strip, Box::new(Report { at, heading, lines }));
    }
}

struct Report {
    at: u32,
    heading: AttrValue,
    lines: Vec<AttrValue>,
}

impl Tool for Report {
    fn stays(&self, app: &App) -> bool {
        app.engine().revision() == self.at
    }

    fn view(&self, app: &App) -> Html {
        let words: EditWords = app.env().table();
        let close = app.env().on(task(|app| {
            app.close(Slot::Strip);
            app.focus(crate::edit::ON_BOARD);
        }));
        html! {
            <section class="story log" aria-label={words.text(EditMsg::Report)}>
                <h2>{self.heading.clone()}</h2>
                <ul class="attempts" tabindex="0" aria-label={words.text(EditMsg::Stays)}>
                    {for self.lines.iter().map(|line| html! { <li>{line.clone()}</li> })}
                </ul>
                <button type="button" class="btn small icon-only" aria-label={app.env().words.text(Msg::Close)}
                    onclick={close}>{icon(Shape::Cross)}</button>
            </section>
        }
    }
}
