//! The dialog with everything that can be taken away.

use super::content::{Content, What, content};
use super::keep::{forget, keeps};
use super::words::{ShareMsg, ShareWords};
use crate::app::App;
use crate::components::dialog::use_dialog;
use crate::components::{Shape, choice, icon};
use crate::dom;
use crate::env::use_env;
use crate::locale::Msg;
use crate::tool::{Slot, Tool, task};
use std::rc::Rc;
use web_sys::{Element, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::{
    AttrValue, Callback, Event, Html, MouseEvent, Properties, TargetCast, component, html,
    use_node_ref,
};

/// Opens the dialog, or shows something else in it.
pub(super) fn open(app: &mut App, what: What, redacted: bool) {
    let content = Rc::new(content(app, what, redacted));
    app.open(Slot::Over, Box::new(Dialog(content)));
}

/// The dialog, with what was made when it was opened.
struct Dialog(Rc<Content>);

impl Tool for Dialog {
    fn view(&self, _app: &App) -> Html {
        html! { <ShareDialog content={Rc::clone(&self.0)} keeps={keeps()} /> }
    }
}

#[derive(PartialEq, Properties)]
struct ShareDialogProps {
    content: Rc<Content>,
    keeps: bool,
}

#[component]
fn ShareDialog(props: &ShareDialogProps) -> Html {
    let env = use_env();
    let words: ShareWords = env.table();
    let dialog = use_dialog();
    let area = use_node_ref();
    let content = &props.content;
    let (what, redacted) = (content.what, content.redacted);
    let pick = {
        let send = env.send.clone();
        Callback::from(move |event: Event| {
            let list = event.target_dyn_into::<HtmlSelectElement>();
            let index = list.map_or(-1, |list| list.selected_index());
            let what = usize::try_from(index).ok().and_then(|index| What::ALL.get(index));
            if let Some(what) = what.copied() {
                send.emit(task(move |app| open(app, what, redacted)));
            }
        })
    };
    let redact = {
        let send = env.send.clone();
        Callback::from(move |event: Event| {
            let on = event.target_dyn_into::<HtmlInputElement>().is_some_and(|it| it.checked());
            send.emit(task(move |app| open(app, what, on)));
        })
    };
    let copy = {
        let (area, send, text) = (area.clone(), env.send.clone(), words.text(ShareMsg::Copied));
        Callback::from(move |_: MouseEvent| {
            if let Some(area) = area.cast::<HtmlTextAreaElement>() {
                dom::copy(&area);
                let text = text.clone();
                send.emit(task(move |app| app.tell(text.clone())));
            }
        })
    };
    let save = what.file().map(|name| {
        let (area, text) = (area.clone(), content.text.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(area) = area.cast::<Element>() {
                dom::save(&area, name, &text);
            }
        })
    });
    let options: Vec<(AttrValue, AttrValue)> =
        What::ALL.iter().map(|what| (words.text(what.title()), words.text(what.title()))).collect();
    let close = task(|app| app.close(Slot::Over));
    html! {
        <dialog class="dialog" ref={dialog} onclose={env.on::<Event>(close.clone())} aria-labelledby="share-title">
            <header>
                <h2 id="share-title" tabindex="-1">{words.text(ShareMsg::Title)}</h2>
                <button type="button" class="btn icon-only" aria-label={env.words.text(Msg::Close)} onclick={env.on::<MouseEvent>(close)}>
                    {icon(Shape::Cross)}
                </button>
            </header>
            {choice(Some(words.text(ShareMsg::What)), &options, &words.text(what.title()), pick)}
            <label class="tick">
                <input type="checkbox" checked={redacted} onchange={redact} aria-describedby="redact-hint" />
                {words.text(ShareMsg::Redact)}
            </label>
            <p class="dim" id="redact-hint">{words.text(ShareMsg::RedactHint)}</p>
            if what == What::Picture {
                <img class="shot" src={data_url(&content.text)} alt={words.text(ShareMsg::PictureOf)} />
            }
            <textarea ref={area} readonly=true spellcheck="false" hidden={what == What::Picture}
                wrap={if what == What::Link { "soft" } else { "off" }} aria-label={words.text(what.title())} value={content.text.clone()} />
            <div aria-live="polite">
                {for content.notes.iter().enumerate().map(|(index, note)| html! {
                    <p class={if index == 0 && content.warns { "c-warn" } else { "dim" }}>{note.clone()}</p>
                })}
            </div>
            <footer>
                if let Some(save) = save {
                    <button type="button" class="btn line" onclick={save}>{icon(Shape::Export)}{words.text(ShareMsg::Save)}</button>
                }
                <span class="grow"></span>
                <button type="button" class="btn solid" onclick={copy}>{words.text(ShareMsg::Copy)}</button>
            </footer>
            {stored(&env, &words, props.keeps)}
        </dialog>
    }
}

/// What the browser stores, and how to have it forgotten.
fn stored(env: &crate::env::Env, words: &ShareWords, keeps: bool) -> Html {
    if !keeps {
        return html! { <p class="dim kept">{words.text(ShareMsg::KeepsNothing)}</p> };
    }
    let forget = task(|app| {
        forget();
        app.close(Slot::Strip);
        let words: ShareWords = app.env().table();
        app.tell(words.text(ShareMsg::Forgotten));
        // The button is gone.
        app.focus("#share-title");
    });
    html! {
        <p class="dim kept">
            {words.text(ShareMsg::KeptHere)}{" "}
            <button type="button" class="link" onclick={env.on::<MouseEvent>(forget)}>{words.text(ShareMsg::ForgetAll)}</button>
        </p>
    }
}

/// A picture's text as the address of an image: the page's policy allows no other.
fn data_url(svg: &str) -> String {
    let encoded: String = js_sys::encode_uri_component(svg).into();
    ["data:image/svg+xml,", &encoded].concat()
}
