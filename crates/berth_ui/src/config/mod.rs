//! The scheduler's configuration as a form, and two playgrounds side by side. A part of the program that is fetched when it is first needed,
//! see [`crate::parts`].

mod arguments;
mod change;
mod compare;
mod form;
mod panel;
mod plugins;
mod words;

pub use words::{ConfigMsg, ConfigWords};

use crate::app::App;
use crate::parts::{Call, Late, late};
use crate::tool::Tool;
use berth_core::framework::config::Configuration;
use berth_wire::config::whole;
use berth_wire::tree::Node;
use panel::{ConfigPanel, ConfigPanelProps, Same};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::Element;
use yew::{Html, html};

late!(config, |app| {
    app.style(include_str!("../../../../web/styles/late/config.css"));
    Box::new(Config::default())
});

/// This part.
#[derive(Default)]
struct Config {
    shown: Rc<RefCell<Shown>>,
    held: Rc<RefCell<compare::Held>>,
}

impl Late for Config {
    fn call(&mut self, app: &mut App, call: Call) {
        match call {
            Call::Config(asked) => {
                let shown = Rc::clone(&self.shown);
                app.open_side(asked, Box::new(Panel { shown, seen: Rc::default(), read: None }));
                app.focus("#config-title");
            }
            Call::Compare(asked) => {
                app.open_side(asked, Box::new(compare::Comparison::new(&self.held)));
                app.focus("#compare-title");
            }
            _ => {}
        }
    }
}

/// What of the configuration is shown, and how.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Shown {
    /// The profile, by its place.
    profile: usize,
    /// The extension point whose plugins are listed; none for all at once.
    point: Option<&'static str>,
    /// The control to focus, by its id, once the change is drawn.
    focus: Option<String>,
}

/// The configuration as it was read, and the default to hold it against.
struct Read {
    revision: u32,
    now: Configuration,
    tree: Node<'static>,
    default: Node<'static>,
}

/// The configuration, in the inspector's place.
struct Panel {
    shown: Rc<RefCell<Shown>>,
    /// What is shown as it was last drawn.
    seen: Rc<Shown>,
    read: Option<Rc<Read>>,
}

impl Tool for Panel {
    fn follow(&mut self, app: &App) {
        let revision = app.engine().revision();
        if self.read.as_ref().is_none_or(|read| read.revision != revision) {
            self.read = app.engine().playground().map(|playground| {
                let now = playground.configuration().clone();
                let tree = whole(&now).into_owned();
                let default = whole(&Configuration::default()).into_owned();
                let mut shown = self.shown.borrow_mut();
                shown.profile = shown.profile.min(now.profiles.len().saturating_sub(1));
                Rc::new(Read { revision, now, tree, default })
            });
        }
        let shown = Shown { focus: None, ..self.shown.borrow().clone() };
        if *self.seen != shown {
            self.seen = Rc::new(shown);
        }
    }

    fn view(&self, app: &App) -> Html {
        let Some(read) = &self.read else { return Html::default() };
        let props = ConfigPanelProps {
            read: Same(Rc::clone(read)),
            shown: Rc::clone(&self.seen),
            shared: Same(Rc::clone(&self.shown)),
            mistakes: Rc::clone(&app.state().mistakes),
        };
        html! { <ConfigPanel ..props /> }
    }

    fn drawn(&self, root: &Element) {
        let control = self.shown.borrow_mut().focus.take();
        if let Some(control) = control {
            crate::dom::focus(root, &["[id=\"", &control, "\"]"].concat());
        }
    }
}
