//! Why the selected pod goes where it goes, or nowhere: the event word by word, who was counted in each domain, and
//! what every plugin compared on a node. A part of the program that is fetched when it is first needed, see
//! [`crate::parts`].

mod lights;
pub mod panel;
mod read;
pub mod view;
mod words;

pub use words::{WhyMsg, WhyWords};

use crate::app::App;
use crate::parts::{Call, Late, late};
use crate::tool::{Slot, Tool};
use panel::WhyPanel;
use std::rc::Rc;
use yew::{Html, html};

late!(why, |app| {
    app.style(include_str!("../../../../web/styles/late/why.css"));
    Box::new(Why { open: false })
});

/// This part.
struct Why {
    /// Whether the panel was opened last.
    open: bool,
}

impl Late for Why {
    fn call(&mut self, app: &mut App, call: Call) {
        if let Call::Why(open) = call {
            self.open = open;
            if open {
                app.open(Slot::Why, Box::new(Panel { words: app.env().table() }));
                app.focus("#why-title");
            } else {
                app.close(Slot::Why);
                app.focus("#open-why");
            }
        }
    }
}

/// The panel, below the constraints.
struct Panel {
    words: WhyWords,
}

impl Tool for Panel {
    fn view(&self, app: &App) -> Html {
        let Some(explained) = app.engine().explained(&app.env().words) else {
            return Html::default();
        };
        let view = read::view(&explained, &self.words, app.state().node.as_ref());
        let look = app.inspector().map_or(0, |pod| pod.app.style);
        html! { <WhyPanel view={Rc::new(view)} words={self.words.clone()} app={look} /> }
    }
}
