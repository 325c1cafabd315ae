//! What every field of the inspector needs: the pod, and what was typed wrong.

use crate::app::PodEdit;
use crate::components::{Entry, Shape, entry, small_icon, wrong};
use crate::env::Env;
use crate::locale::Msg;
use crate::parts::Call;
use crate::view::{InspectorView, Mistake};
use yew::{AttrValue, Callback, Html, html};

/// The fields of a pod.
pub(super) struct Form<'a> {
    /// The words, and who takes the edits.
    pub(super) env: &'a Env,
    /// The pod.
    pub(super) view: &'a InspectorView,
    /// The values that were refused.
    pub(super) mistakes: &'a [Mistake],
}

impl Form<'_> {
    /// A callback that makes one edit.
    pub(super) fn edit<E: 'static>(&self, edit: PodEdit) -> Callback<E> {
        self.env.on(Call::Field(self.view.key.clone(), edit).into())
    }

    /// A callback that makes the edit which a text stands for.
    pub(super) fn with(
        &self,
        edit: impl Fn(AttrValue) -> PodEdit + 'static,
    ) -> Callback<AttrValue> {
        let (send, pod) = (self.env.send.clone(), self.view.key.clone());
        Callback::from(move |text| send.emit(Call::Field(pod.clone(), edit(text)).into()))
    }

    /// A field for a line of text.
    pub(super) fn text(
        &self,
        edit: impl Fn(AttrValue) -> PodEdit + 'static,
        label: AttrValue,
        value: AttrValue,
        hint: &'static str,
        class: &'static str,
    ) -> Html {
        let control = edit(AttrValue::default()).control();
        let change = self.with(edit);
        entry(self.mistakes, Entry { control, label, value: Some(value), hint, class, change })
    }

    /// Two values side by side.
    pub(super) fn segments(
        &self,
        name: &'static str,
        options: [(&'static str, bool); 2],
        current: bool,
        make: impl Fn(bool) -> PodEdit,
    ) -> Html {
        html! {
            <span class="seg" role="group" aria-label={name}>
                {for options.into_iter().map(|(text, value)| {
                    let onclick = self.edit(make(value));
                    html! {
                        <button type="button" aria-pressed={(value == current).to_string()} {onclick}>{text}</button>
                    }
                })}
            </span>
        }
    }

    /// That what a control holds was edited, with the way back, and what is wrong with what was typed there.
    pub(super) fn remarks(&self, control: &str) -> Html {
        let edited = self.view.edited.iter().filter(|edited| edited.control == control);
        html! {
            <>
                {for edited.map(|edited| {
                    let was = if edited.was.is_empty() { "–" } else { edited.was.as_str() };
                    html! {
                        <button type="button" class="was" onclick={self.edit(edited.back.clone())}>
                            <span class="clip">{self.env.words.fill(Msg::EditedWas, &[("value", was)])}</span>{small_icon(Shape::Undo)}
                        </button>
                    }
                })}
                {wrong(self.mistakes, control)}
            </>
        }
    }

    /// A field's name, its control, and the remarks.
    pub(super) fn line(&self, name: &'static str, control: &str, field: Html) -> Html {
        html! {
            <div class="line">
                <span class="field-name">{name}</span>
                <div class="ctl">{field}{self.remarks(control)}</div>
            </div>
        }
    }
}
