//! A line of text, and what is wrong with it.

use super::{Shape, small_icon};
use crate::dom;
use crate::view::Mistake;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::{AttrValue, Callback, Event, Html, TargetCast, html};

/// A field for a line of text.
pub struct Entry {
    /// Its id in the document.
    pub control: AttrValue,
    /// Its name.
    pub label: AttrValue,
    /// What it holds; nothing in a form that is sent as a whole, which keeps what is typed.
    pub value: Option<AttrValue>,
    /// What it shows when it is empty.
    pub hint: &'static str,
    /// Its look.
    pub class: &'static str,
    /// Takes what was typed.
    pub change: Callback<AttrValue>,
}

/// The field. What was refused stays in it until something else is typed.
pub fn entry(mistakes: &[Mistake], entry: Entry) -> Html {
    let Entry { control, label, value, hint, class, change } = entry;
    let mistake = Mistake::at(mistakes, &control);
    let was = value.map(|value| mistake.map_or(value, |mistake| mistake.typed.clone()));
    // Whatever draws the page meanwhile leaves alone what is being typed.
    let typed = dom::typed_into(&control).map(AttrValue::from);
    let value = was.as_ref().map(|was| typed.unwrap_or_else(|| was.clone()));
    html! {
        <input {class} type="text" id={control.clone()} name={control.clone()} aria-label={label} {value} data-was={was} placeholder={hint} spellcheck="false"
            autocomplete="off" aria-invalid={mistake.map(|_| "true")}
            aria-describedby={mistake.map(|_| described(&control))} onchange={changed(change)} />
    }
}

/// What is wrong with what was typed at a control, if anything.
pub fn wrong(mistakes: &[Mistake], control: &str) -> Html {
    let Some(mistake) = Mistake::at(mistakes, control) else { return Html::default() };
    html! {
        <span class="wrong" id={described(control)}>{small_icon(Shape::Cross)}<span>{mistake.message.clone()}</span></span>
    }
}

/// The id of what is said about a control.
fn described(control: &str) -> AttrValue {
    ["wrong-", control].concat().into()
}

/// Takes the value of the select or input that changed.
pub fn changed(change: Callback<AttrValue>) -> Callback<Event> {
    Callback::from(move |event: Event| {
        let select = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value());
        let input = || event.target_dyn_into::<HtmlInputElement>().map(|input| input.value());
        if let Some(value) = select.or_else(input) {
            change.emit(value.into());
        }
    })
}
