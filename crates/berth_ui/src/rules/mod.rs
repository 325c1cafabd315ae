//! What concerns more than one pod: PriorityClasses and disruption budgets, seen and edited, and the scheduling queue,
//! run. A part of the program that is fetched when it is first needed, see [`crate::parts`].

mod change;
mod look;
mod run;
mod words;

pub use words::{RuleMsg, RuleWords};

use crate::app::App;
use crate::components::{RulesPanel, RulesPanelProps, Shape, icon};
use crate::locale::Msg;
use crate::parts::{Call, Late, late};
use crate::state::Action;
use crate::tool::{Slot, Tool, task};
use crate::view::{Mistake, RulesView};
use berth_core::playground::Machine;
use std::rc::Rc;
use yew::{AttrValue, Html, html};

late!(rules, |app| {
    app.style(include_str!("../../../../web/styles/late/rules.css"));
    app.engine_mut().run_by(Machine::WHOLE);
    Box::new(Rules)
});

/// This part.
struct Rules;

impl Late for Rules {
    fn call(&mut self, app: &mut App, call: Call) {
        match call {
            Call::Rules(asked) => {
                app.open_side(asked, Box::new(Panel { view: None }));
                app.focus("#rules-title");
            }
            Call::Run(all) => run(app, all),
            _ => {}
        }
    }
}

/// The priority classes and budgets, in the inspector's place.
struct Panel {
    /// What there is, and at which revision.
    view: Option<(u32, Rc<RulesView>)>,
}

impl Tool for Panel {
    fn follow(&mut self, app: &App) {
        let revision = app.engine().revision();
        if self.view.as_ref().is_none_or(|(seen, _)| *seen != revision) {
            let view = app
                .engine()
                .playground()
                .map(|playground| look::view(playground, &app.env().table()));
            self.view = view.map(|view| (revision, Rc::new(view)));
        }
    }

    fn view(&self, app: &App) -> Html {
        let Some((_, view)) = &self.view else { return Html::default() };
        let props = RulesPanelProps {
            view: Rc::clone(view),
            mistakes: Rc::clone(&app.state().mistakes),
            change: app.env().send.reform(|edit: RuleEdit| task(move |app| change(app, &edit))),
        };
        html! { <RulesPanel ..props /> }
    }
}

/// Changes a priority class or a budget, whole or not at all.
fn change(app: &mut App, edit: &RuleEdit) {
    let words = app.env().table();
    let Some(playground) = app.engine_mut().playground_mut() else { return };
    match change::change(playground, edit, &words) {
        Ok(done) => {
            app.act(Action::Mistakes(Rc::default()));
            app.tell(done.say);
            if let Some(focus) = done.focus {
                app.focus(focus);
            }
        }
        Err(mistakes) => {
            let message = mistakes.first().map(|mistake| mistake.message.clone());
            app.tell(message.unwrap_or_default());
            app.act(Action::Mistakes(mistakes));
        }
    }
}

/// Lets the scheduler take one pod from the queue, or all.
fn run(app: &mut App, all: bool) {
    let words = app.env().table();
    let Some(playground) = app.engine_mut().playground_mut() else { return };
    let ran = run::run(playground, all, &words);
    app.close(Slot::Strip);
    if let Some(html) = ran.log {
        app.open(Slot::Strip, Box::new(Log { at: app.engine().revision(), html }));
    }
    app.tell(ran.say);
    if ran.pod.is_some() {
        app.act(Action::Select(ran.pod));
    }
}

/// What the scheduler did, until something else is done.
struct Log {
    at: u32,
    html: Html,
}

impl Tool for Log {
    fn stays(&self, app: &App) -> bool {
        app.engine().revision() == self.at
    }

    fn view(&self, app: &App) -> Html {
        let (env, words) = (app.env(), &app.env().words);
        let close = env.on(task(|app| {
            app.close(Slot::Strip);
            app.focus_on_work();
        }));
        html! {
            <section class="story log" aria-label={words.text(Msg::SchedulerLog)}>
                {self.html.clone()}
                <button type="button" class="btn small icon-only" aria-label={words.text(Msg::Close)}
                    onclick={close}>{icon(Shape::Cross)}</button>
            </section>
        }
    }
}

/// What came of running the queue.
#[derive(Debug)]
pub struct Ran {
    /// What to say.
    pub say: AttrValue,
    /// The pod that was attempted last.
    pub pod: Option<AttrValue>,
    /// Every attempt, where there may have been several.
    pub log: Option<Html>,
}

/// The values that were refused.
pub type Mistakes = Rc<[Mistake]>;

/// What came of a change.
#[derive(Debug)]
pub struct Done {
    /// What to say.
    pub say: AttrValue,
    /// What to focus, where the change takes away what had the focus.
    pub focus: Option<&'static str>,
}

/// A change of a class or a budget.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleEdit {
    /// The control that asks for it, by its id.
    pub control: AttrValue,
    /// The change.
    pub change: RuleChange,
}

/// What is changed.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleChange {
    /// Of the class of this name.
    Class(AttrValue, ClassEdit),
    /// Of the budget `namespace/name`.
    Budget(AttrValue, BudgetEdit),
}

/// A change of a PriorityClass.
#[derive(Clone, Debug, PartialEq)]
pub enum ClassEdit {
    /// There is one more, with this value.
    Create(AttrValue),
    /// There is one fewer.
    Delete,
    /// `value`.
    Value(AttrValue),
    /// `preemptionPolicy`: true for `Never`.
    NeverPreempts(bool),
    /// `globalDefault`.
    GlobalDefault(bool),
    /// `description`.
    Description(AttrValue),
    /// A change that the API server refuses of a class that is there: it is deleted and created anew.
    Anew(Rc<ClassEdit>),
    /// `globalDefault`, taken from the class that has it.
    DefaultInstead,
}

/// A change of a PodDisruptionBudget.
#[derive(Clone, Debug, PartialEq)]
pub enum BudgetEdit {
    /// There is one more, with this selector and `minAvailable`.
    Create {
        /// `selector`, as text.
        selector: AttrValue,
        /// `minAvailable`, as text.
        least: AttrValue,
    },
    /// There is one fewer.
    Delete,
    /// `minAvailable`, or `maxUnavailable` instead: a number, a share, or nothing.
    Limit(Limit, AttrValue),
    /// `selector`.
    Selector(AttrValue),
    /// `unhealthyPodEvictionPolicy`: true for `AlwaysAllow`.
    AlwaysAllow(bool),
    /// Whether the status stays as it is.
    Pinned(bool),
    /// A number of the pinned status.
    Status(StatusField, AttrValue),
}

/// Which limit a budget sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// `minAvailable`.
    MinAvailable,
    /// `maxUnavailable`.
    MaxUnavailable,
}

impl Limit {
    /// The API's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MinAvailable => "minAvailable",
            Self::MaxUnavailable => "maxUnavailable",
        }
    }
}

/// A number of a budget's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusField {
    /// `expectedPods`.
    Expected,
    /// `desiredHealthy`.
    Desired,
    /// `currentHealthy`.
    Healthy,
    /// `disruptionsAllowed`.
    Allowed,
}

impl StatusField {
    /// All of them, in the order in which each follows from those before.
    pub const ALL: [Self; 4] = [Self::Expected, Self::Desired, Self::Healthy, Self::Allowed];

    /// The API's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Expected => "expectedPods",
            Self::Desired => "desiredHealthy",
            Self::Healthy => "currentHealthy",
            Self::Allowed => "disruptionsAllowed",
        }
    }
}

/// The controls of the form that makes a class: its name and its value.
pub const NEW_CLASS: [&str; 2] = ["new-class-name", "new-class-value"];
/// The controls of the form that makes a budget: its name, its selector and its limit.
pub const NEW_BUDGET: [&str; 3] = ["new-budget-name", "new-budget-selector", "new-budget-least"];
