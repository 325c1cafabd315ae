//! The dialogs, as tools.

use super::Files;
use crate::app::{App, Source};
use crate::components::{ImportPanel, ImportPanelProps};
use crate::parts::Call;
use crate::tool::{Slot, Tool, task};
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, html};

/// The import dialog.
pub(super) struct Import(pub(super) Files);

impl Tool for Import {
    fn view(&self, app: &App) -> Html {
        let send = app.env().send.clone();
        let reading = self.0.0.borrow();
        let part = self.0.clone();
        let props = ImportPanelProps {
            sources: Rc::clone(&reading.sources),
            report: Rc::clone(&reading.report),
            progress: reading.progress,
            read: send.reform(|text: AttrValue| {
                Call::Read(Rc::new([Source { name: AttrValue::default(), text }])).into()
            }),
            open: send.reform(|files| Call::Files(files).into()),
            cancel: send.reform(move |()| {
                let part = part.clone();
                task(move |_| {
                    part.next_turn();
                })
            }),
            close: close(app),
        };
        html! { <ImportPanel ..props /> }
    }
}

/// Closes the dialog.
fn close(app: &App) -> Callback<()> {
    app.env().send.reform(|()| task(|app| app.close(Slot::Over)))
}
