//! One PriorityClass, and the form for another.

use super::{Panel, submit};
use crate::components::{Shape, small_icon, wrong};
use crate::locale::Msg;
use crate::rules::RuleMsg;
use crate::rules::{ClassEdit, NEW_CLASS, RuleChange};
use crate::view::{ClassView, Mistake};
use berth_core::api::Kind;
use std::rc::Rc;
use yew::{AttrValue, Html, NodeRef, html};

/// A class: a line that opens to its fields.
pub(super) fn block(panel: &Panel<'_>, index: usize, class: &ClassView) -> Html {
    let words = panel.words;
    html! {
        <details class="rule" key={class.name.as_str()}>
            <summary>
                <span class="row">
                    <span class="mono grow clip">{class.name.clone()}</span>
                    if class.system { {small_icon(Shape::Lock)} }
                    if class.default { <span class="tag">{"globalDefault"}</span> }
                    if class.never { <span class="tag">{"Never"}</span> }
                    <span class="note">{panel.env.words.count(Msg::Pods, class.pods)}</span>
                    <span class="num">{class.value}</span>
                </span>
            </summary>
            if class.system {
                <p class="line dim">{words.text(RuleMsg::ClassSystem)}</p>
            } else {
                {fields(panel, index, class)}
            }
        </details>
    }
}

fn fields(panel: &Panel<'_>, index: usize, class: &ClassView) -> Html {
    let name = &class.name;
    let control = |field: &str| ["class-", &index.to_string(), "-", field].concat();
    let of = |edit: ClassEdit| RuleChange::Class(name.clone(), edit);
    let (value, policy) = (control("value"), control("policy"));
    let (default, description) = (control("default"), control("description"));
    // What the API server refuses for a class that is there, it takes for a new one.
    let anew = |control: &str, edit: ClassEdit| {
        panel.button(control, RuleMsg::Recreate, of(ClassEdit::Anew(Rc::new(edit))))
    };
    let typed = Mistake::at(panel.mistakes, &value).map(|mistake| mistake.typed.clone());
    let named = |edit: fn(AttrValue) -> ClassEdit| {
        let name = name.clone();
        move |text| RuleChange::Class(name.clone(), edit(text))
    };
    let yes = |yes: bool| if yes { "true" } else { "false" };
    html! {
        <>
            {panel.line("value", &value,
                panel.text(&value, "value", class.value.to_string().into(), "0", named(ClassEdit::Value)),
                anew(&value, ClassEdit::Value(typed.unwrap_or_default())))}
            {panel.line("preemptionPolicy", &policy,
                panel.segments(&policy, "preemptionPolicy", [("PreemptLowerPriority".into(), false), ("Never".into(), true)],
                    class.never, |never| of(ClassEdit::NeverPreempts(never))),
                anew(&policy, ClassEdit::NeverPreempts(!class.never)))}
            {panel.line("globalDefault", &default,
                panel.segments(&default, "globalDefault", [(yes(true).into(), true), (yes(false).into(), false)],
                    class.default, |default| of(ClassEdit::GlobalDefault(default))),
                panel.button(&default, RuleMsg::DefaultInstead, of(ClassEdit::DefaultInstead)))}
            {panel.line("description", &description,
                panel.text(&description, "description", class.description.clone(), "–", named(ClassEdit::Description)),
                Html::default())}
            <div class="line"><span></span>
                <div class="ctl">{panel.yaml(Kind::PriorityClass, &class.name)}{panel.button("", RuleMsg::Delete, of(ClassEdit::Delete))}</div>
            </div>
        </>
    }
}

/// The form for a class.
pub(super) fn new(panel: &Panel<'_>, form: NodeRef) -> Html {
    let words = panel.words;
    let [name, value] = NEW_CLASS;
    let onsubmit = submit(panel.send, move |field| {
        RuleChange::Class(field(name), ClassEdit::Create(field(value)))
    });
    html! {
        <form class="make" ref={form} {onsubmit} aria-label={words.text(RuleMsg::NewClass)}>
            <span class="row">
                {panel.blank(name, "name", "name")}
                {panel.blank(value, "value", "value")}
                <button type="submit" class="btn small line">{small_icon(Shape::Plus)}{words.text(RuleMsg::Create)}</button>
            </span>
            {for NEW_CLASS.map(|control| wrong(panel.mistakes, control))}
        </form>
    }
}
