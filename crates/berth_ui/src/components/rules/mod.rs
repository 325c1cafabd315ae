//! PriorityClasses and disruption budgets, in the inspector's place.

mod budget;
mod class;

use super::{Entry, Shape, entry, icon, wrong};
use crate::app::Intent;
use crate::editor::Target;
use crate::env::{Env, use_env};
use crate::locale::Msg;
use crate::parts::Call;
use crate::rules::{RuleChange, RuleEdit};
use crate::rules::{RuleMsg, RuleWords};
use crate::view::{Mistake, RulesView};
use berth_core::api::{Kind, ObjectKey};
use std::rc::Rc;
use web_sys::{FormData, HtmlFormElement, SubmitEvent};
use yew::{
    AttrValue, Callback, Html, Properties, TargetCast, component, html, use_effect_with,
    use_node_ref,
};

/// Properties of [`RulesPanel`].
#[derive(PartialEq, Properties)]
pub struct RulesPanelProps {
    /// What there is.
    pub view: Rc<RulesView>,
    /// The values that were refused.
    pub mistakes: Rc<[Mistake]>,
    /// Makes a change.
    pub change: Callback<RuleEdit>,
}

/// The panel.
#[component]
pub fn RulesPanel(props: &RulesPanelProps) -> Html {
    let env = use_env();
    let words = &env.words;
    let own: RuleWords = env.table();
    let panel = Panel { env: &env, send: &props.change, words: &own, mistakes: &props.mistakes };
    let (classes, budgets) = (&props.view.classes, &props.view.budgets);
    let (new_class, new_budget) = (use_node_ref(), use_node_ref());
    // What was typed into a form goes once there is one more.
    {
        let forms = [new_class.clone(), new_budget.clone()];
        use_effect_with((classes.len(), budgets.len()), move |_| {
            for form in forms {
                if let Some(form) = form.cast::<HtmlFormElement>() {
                    form.reset();
                }
            }
        });
    }
    html! {
        <aside class="side rules" aria-labelledby="rules-title" data-sheet="full">
            <header>
                {icon(Shape::Shield)}
                <h2 id="rules-title" class="clip" tabindex="-1">{words.text(Msg::RulesTitle)}</h2>
                <span class="grow"></span>
                <button type="button" class="btn icon-only" aria-label={words.text(Msg::Close)}
                    onclick={env.on(Intent::CloseSide)}>{icon(Shape::Cross)}</button>
            </header>
            <div class="side-body">
                <section class="block">
                    <h3>{"PriorityClass"}<span class="num">{classes.len()}</span></h3>
                    {for classes.iter().enumerate().map(|(index, class)| class::block(&panel, index, class))}
                    {class::new(&panel, new_class)}
                    <p class="foot dim">{own.text(RuleMsg::ClassHint)}</p>
                </section>
                <section class="block">
                    <h3>{"PodDisruptionBudget"}<span class="num">{budgets.len()}</span></h3>
                    {for budgets.iter().enumerate().map(|(index, budget)| budget::block(&panel, index, budget))}
                    {budget::new(&panel, new_budget, &props.view.namespaces)}
                </section>
            </div>
        </aside>
    }
}

/// What every field needs.
struct Panel<'a> {
    env: &'a Env,
    send: &'a Callback<RuleEdit>,
    words: &'a RuleWords,
    mistakes: &'a [Mistake],
}

impl Panel<'_> {
    /// A callback that makes one change.
    fn on<E: 'static>(&self, control: &str, change: RuleChange) -> Callback<E> {
        let edit = RuleEdit { control: control.to_owned().into(), change };
        self.send.reform(move |_| edit.clone())
    }

    /// A callback that makes the change which a text stands for.
    fn with(
        &self,
        control: &str,
        change: impl Fn(AttrValue) -> RuleChange + 'static,
    ) -> Callback<AttrValue> {
        let control = AttrValue::from(control.to_owned());
        self.send.reform(move |text| RuleEdit { control: control.clone(), change: change(text) })
    }

    /// A field for a line of text.
    fn text(
        &self,
        control: &str,
        label: &'static str,
        value: AttrValue,
        hint: &'static str,
        change: impl Fn(AttrValue) -> RuleChange + 'static,
    ) -> Html {
        let change = self.with(control, change);
        let control = control.to_owned().into();
        entry(
            self.mistakes,
            Entry {
                control,
                label: label.into(),
                value: Some(value),
                hint,
                class: "text mono",
                change,
            },
        )
    }

    /// Two values side by side.
    fn segments(
        &self,
        control: &str,
        label: &'static str,
        options: [(AttrValue, bool); 2],
        current: bool,
        change: impl Fn(bool) -> RuleChange,
    ) -> Html {
        html! {
            <span class="seg" role="group" aria-label={label}>
                {for options.into_iter().map(|(text, value)| {
                    let pressed = (value == current).to_string();
                    let onclick = if value == current { Callback::noop() } else { self.on(control, change(value)) };
                    html! { <button type="button" aria-pressed={pressed} {onclick}>{text}</button> }
                })}
            </span>
        }
    }

    /// A field's name, its control, what is wrong there, and what can be done about that.
    fn line(&self, name: &'static str, control: &str, field: Html, way: Html) -> Html {
        let refused = Mistake::at(self.mistakes, control).is_some();
        html! {
            <div class="line">
                <span class="field-name">{name}</span>
                <div class="ctl">
                    {field}
                    {wrong(self.mistakes, control)}
                    if refused { {way} }
                </div>
            </div>
        }
    }

    /// A button that makes a change.
    fn button(&self, control: &str, msg: RuleMsg, change: RuleChange) -> Html {
        let onclick = self.on(control, change);
        html! { <button type="button" class="btn small line" {onclick}>{self.words.text(msg)}</button> }
    }

    /// A button that opens an object as YAML.
    fn yaml(&self, kind: Kind, key: &str) -> Html {
        let call = Call::Yaml(Target::Object(kind, ObjectKey::parse(key)), "#open-rules");
        let label = ["YAML ", key].concat();
        html! {
            <button type="button" class="btn small line" aria-label={label} onclick={self.env.on(call.into())}>{"YAML"}</button>
        }
    }

    /// A field of the form that makes something.
    fn blank(&self, control: &'static str, label: &'static str, hint: &'static str) -> Html {
        let entry = Entry {
            control: control.into(),
            label: label.into(),
            value: None,
            hint,
            class: "text mono",
            change: Callback::noop(),
        };
        self::entry(self.mistakes, entry)
    }
}

/// Reads a form when it is sent.
fn submit(
    send: &Callback<RuleEdit>,
    read: impl Fn(&dyn Fn(&str) -> AttrValue) -> RuleChange + 'static,
) -> Callback<SubmitEvent> {
    let send = send.clone();
    Callback::from(move |event: SubmitEvent| {
        event.prevent_default();
        let form = event.target_dyn_into::<HtmlFormElement>();
        let Some(data) = form.and_then(|form| FormData::new_with_form(&form).ok()) else { return };
        let field = |name: &str| -> AttrValue {
            data.get(name).as_string().unwrap_or_default().trim().to_owned().into()
        };
        send.emit(RuleEdit { control: AttrValue::default(), change: read(&field) });
    })
}
