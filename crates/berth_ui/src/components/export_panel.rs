//! The cluster as YAML, to copy or save.

use super::dialog::use_dialog;
use super::{Shape, icon};
use crate::dom;
use crate::env::use_env;
use crate::locale::Msg;
use web_sys::{Element, HtmlTextAreaElement};
use yew::{
    AttrValue, Callback, Event, Html, MouseEvent, Properties, component, html, use_node_ref,
};

/// Properties of [`ExportPanel`].
#[derive(PartialEq, Properties)]
pub struct ExportPanelProps {
    /// The manifests.
    pub text: AttrValue,
    /// Closes the dialog.
    pub close: Callback<()>,
}

/// The export dialog.
#[component]
pub fn ExportPanel(props: &ExportPanelProps) -> Html {
    let env = use_env();
    let words = &env.words;
    let dialog = use_dialog();
    let area = use_node_ref();
    let select = {
        let area = area.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(area) = area.cast::<HtmlTextAreaElement>() {
                dom::copy(&area);
            }
        })
    };
    let save = {
        let (area, text) = (area.clone(), props.text.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(area) = area.cast::<Element>() {
                dom::save(&area, "cluster.yaml", &text);
            }
        })
    };
    let close = props.close.reform(|_: MouseEvent| ());
    let closed = props.close.reform(|_: Event| ());
    html! {
        <dialog class="dialog" ref={dialog} onclose={closed} aria-labelledby="export-title">
            <header>
                <h2 id="export-title">{words.text(Msg::ExportTitle)}</h2>
                <button type="button" class="btn icon-only" aria-label={words.text(Msg::Close)} onclick={close}>
                    {icon(Shape::Cross)}
                </button>
            </header>
            <label class="dim" for="export-text">{words.text(Msg::ExportHint)}</label>
            <textarea id="export-text" ref={area} readonly=true spellcheck="false" wrap="off" value={props.text.clone()} />
            <footer>
                <button type="button" class="btn line" onclick={save}>{icon(Shape::Export)}{words.text(Msg::Save)}</button>
                <span class="grow"></span>
                <button type="button" class="btn solid" onclick={select}>{words.text(Msg::Copy)}</button>
            </footer>
        </dialog>
    }
}
