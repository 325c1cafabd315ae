//! Paste what `kubectl` prints, or open files.

use super::dialog::use_dialog;
use super::{Shape, icon, problem_list};
use crate::app::Source;
use crate::dom::select_range;
use crate::env::use_env;
use crate::locale::Msg;
use crate::parts::Call;
use crate::view::{Problem, ReportView};
use std::rc::Rc;
use web_sys::{FileList, HtmlInputElement, HtmlTextAreaElement};
use yew::{
    AttrValue, Callback, Event, Html, MouseEvent, Properties, TargetCast, component, html,
    use_effect_with, use_node_ref,
};

/// Properties of [`ImportPanel`].
#[derive(PartialEq, Properties)]
pub struct ImportPanelProps {
    /// What was read last.
    pub sources: Rc<[Source]>,
    /// What that brought to light.
    pub report: Rc<ReportView>,
    /// How much is read, in thousandths, while it takes long.
    pub progress: Option<u16>,
    /// Reads a pasted text.
    pub read: Callback<AttrValue>,
    /// Reads files.
    pub open: Callback<FileList>,
    /// Stops reading.
    pub cancel: Callback<()>,
    /// Closes the dialog.
    pub close: Callback<()>,
}

/// The import dialog.
#[component]
pub fn ImportPanel(props: &ImportPanelProps) -> Html {
    let env = use_env();
    let words = &env.words;
    let dialog = use_dialog();
    let area = use_node_ref();
    {
        let area = area.clone();
        use_effect_with(Rc::clone(&props.sources), move |sources| {
            if let (Some(area), Some(source)) =
                (area.cast::<HtmlTextAreaElement>(), sources.first())
            {
                area.set_value(&source.text);
            }
        });
    }
    let read = {
        let (read, area) = (props.read.clone(), area.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(area) = area.cast::<HtmlTextAreaElement>() {
                read.emit(area.value().into());
            }
        })
    };
    let open = {
        let open = props.open.clone();
        Callback::from(move |event: Event| {
            let input = event.target_dyn_into::<HtmlInputElement>();
            if let Some(files) = input.and_then(|input| input.files()) {
                open.emit(files);
            }
        })
    };
    let locate = {
        let (sources, area) = (Rc::clone(&props.sources), area.clone());
        Callback::from(move |problem: Problem| {
            let Some(area) = area.cast::<HtmlTextAreaElement>() else { return };
            let source = sources.iter().find(|source| source.name == problem.source);
            // With several files, the one with the problem is shown.
            if let Some(source) =
                source.filter(|source| sources.len() > 1 && area.value() != *source.text)
            {
                area.set_value(&source.text);
            }
            if problem.line > 0 {
                select_range(&area, problem.line, problem.column);
            }
        })
    };
    let close = props.close.reform(|_: MouseEvent| ());
    let closed = props.close.reform(|_: Event| ());
    let cancel = props.cancel.reform(|_: MouseEvent| ());
    html! {
        <dialog class="dialog" ref={dialog} onclose={closed} aria-labelledby="import-title">
            <header>
                <h2 id="import-title">{words.text(Msg::ImportTitle)}</h2>
                <button type="button" class="btn line" onclick={env.on::<MouseEvent>(Call::Lessons.into())}>
                    {icon(Shape::Book)}{words.text(Msg::Lessons)}
                </button>
                <button type="button" class="btn icon-only" aria-label={words.text(Msg::Close)} onclick={close}>
                    {icon(Shape::Cross)}
                </button>
            </header>
            <label class="dim" for="import-text">{words.text(Msg::ImportHint)}</label>
            <textarea id="import-text" ref={area} spellcheck="false" autocomplete="off" autofocus=true wrap="off" />
            <div aria-live="polite">{status(&env.words, &props.report)}</div>
            {problem_list(&env, &props.report, &locate)}
            if let Some(progress) = props.progress {
                <footer>
                    <progress class="grow" max="1000" value={progress.to_string()} aria-label={words.text(Msg::Reading)}></progress>
                    <button type="button" class="btn line" onclick={cancel}>{words.text(Msg::Cancel)}</button>
                </footer>
            } else {
            <footer>
                <label class="btn line file">
                    {icon(Shape::Import)}{words.text(Msg::OpenFiles)}
                    <input class="vh" type="file" multiple=true accept=".yaml,.yml,.json,.jsonl,.txt" onchange={open} />
                </label>
                <span class="dimmer hide-s">{words.text(Msg::DropFiles)}</span>
                <span class="grow"></span>
                <button type="button" class="btn solid" onclick={read}>{words.text(Msg::ShowBoard)}</button>
            </footer>
            }
        </dialog>
    }
}

/// How many problems there are.
fn status(words: &crate::locale::Locale, report: &ReportView) -> Html {
    let errors = report.errors() as u32;
    let others = report.problems.len() as u32 - errors;
    let mut parts: Vec<AttrValue> = Vec::new();
    if errors > 0 {
        parts.push(words.count(Msg::Errors, errors));
    }
    if others > 0 {
        parts.push(words.count(Msg::Remarks, others));
    }
    if parts.is_empty() {
        return Html::default();
    }
    html! { <p class={if errors > 0 { "c-reject" } else { "dim" }}>{parts.join(", ")}</p> }
}
