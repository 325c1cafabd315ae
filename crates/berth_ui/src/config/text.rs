//! The configuration as YAML: what was typed is read at every stroke, and taken when it is asked for and right.

use super::Shown;
use super::change::configure;
use super::form::Form;
use super::words::{ConfigMsg, ConfigWords};
use crate::app::App;
use crate::components::problem_list;
use crate::dom::select_range;
use crate::tool::task;
use crate::view::{Problem, ReportView, Severity};
use berth_core::framework::config::Configuration;
use berth_wire::config::{decode, encode};
use berth_wire::manifest::{Finding, Severity as Level};
use berth_wire::tree::{Lines, write, yaml};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::{HtmlTextAreaElement, InputEvent, KeyboardEvent};
use yew::{AttrValue, Callback, Html, TargetCast, html};

/// What was typed, and what it was typed over.
#[derive(Clone, PartialEq)]
pub(super) struct Draft {
    revision: u32,
    text: AttrValue,
    report: Rc<ReportView>,
}

/// The text, what is wrong with it, and the button that takes it.
pub(super) fn view(form: &Form<'_>) -> Html {
    let words = form.words;
    // What was typed over another configuration is of no use.
    let draft = form.shown.draft.as_ref().filter(|draft| draft.revision == form.read.revision);
    let now: AttrValue = write::yaml(&encode(&form.read.now)).into();
    let value = draft.map_or(now, |draft| draft.text.clone());
    let report = draft.map(|draft| Rc::clone(&draft.report)).unwrap_or_default();
    let refused = report.errors() > 0;
    let oninput = {
        let (shared, send, revision) =
            (Rc::clone(form.shared), form.env.send.clone(), form.read.revision);
        Callback::from(move |event: InputEvent| {
            let Some(area) = event.target_dyn_into::<HtmlTextAreaElement>() else { return };
            let (shared, text) = (Rc::clone(&shared), AttrValue::from(area.value()));
            send.emit(task(move |_| {
                let report = Rc::new(remarks(&text));
                shared.borrow_mut().draft = Some(Draft { revision, text: text.clone(), report });
            }));
        })
    };
    let take = {
        let shared = Rc::clone(form.shared);
        task(move |app| apply(app, &shared))
    };
    let onkeydown = {
        let (send, take) = (form.env.send.clone(), take.clone());
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
                event.prevent_default();
                send.emit(take.clone());
            }
        })
    };
    let back = {
        let shared = Rc::clone(form.shared);
        form.env.on(task(move |app| {
            shared.borrow_mut().draft = None;
            app.focus("#config-text");
        }))
    };
    let locate = {
        let root = form.root.cloned();
        Callback::from(move |problem: Problem| {
            let area = root.as_ref().and_then(|root| root.query_selector("#config-text").ok()?);
            if let Some(area) = area.and_then(|area| wasm_bindgen::JsCast::dyn_into(area).ok()) {
                select_range(&area, problem.line, problem.column);
            }
        })
    };
    html! {
        <section class="block as-text">
            <label class="dim" for="config-text">{words.text(ConfigMsg::TextHint)}</label>
            <textarea id="config-text" class="yaml" {value} spellcheck="false" autocomplete="off" wrap="off"
                aria-invalid={refused.then_some("true")} aria-describedby="config-problems" {oninput} {onkeydown} />
            <div id="config-problems" aria-live="polite">{problem_list(form.env, &report, &locate)}</div>
            <div class="row">
                <button type="button" class="btn solid" aria-disabled={(draft.is_none() || refused).to_string()}
                    onclick={form.env.on(take)}>{words.text(ConfigMsg::TakeText)}</button>
                if draft.is_some() {
                    <button type="button" class="btn line" onclick={back}>{words.text(ConfigMsg::DropText)}</button>
                }
            </div>
        </section>
    }
}

/// Takes what was typed, if nothing is wrong with it.
fn apply(app: &mut App, shared: &RefCell<Shown>) {
    let Some(text) = shared.borrow().draft.as_ref().map(|draft| draft.text.clone()) else { return };
    let words: ConfigWords = app.env().table();
    let refused = match read(&text) {
        Err(report) => report,
        Ok((new, _)) => match configure(app, new, &words.text(ConfigMsg::DidWrite)) {
            Ok(()) => {
                shared.borrow_mut().draft = None;
                return;
            }
            // kube-scheduler refuses it only when it makes the profiles, and names no place.
            Err(message) => ReportView {
                problems: vec![Problem::general(Severity::Error, message)],
                ..ReportView::default()
            },
        },
    };
    if let Some(first) = refused.problems.first() {
        app.tell(first.message.clone());
    }
    if let Some(draft) = &mut shared.borrow_mut().draft {
        draft.report = Rc::new(refused);
    }
}

/// What there is to say about a text.
fn remarks(text: &str) -> ReportView {
    match read(text) {
        Ok((_, report)) | Err(report) => report,
    }
}

/// The configuration that a text is, with what is worth saying about it; or what is wrong with it.
fn read(text: &str) -> Result<(Configuration, ReportView), ReportView> {
    let lines = Lines::new(text);
    let problem = |severity: Severity, offset: u32, path: &str, message: String| {
        let place = lines.locate(offset);
        Problem {
            path: path.to_owned().into(),
            line: place.line,
            column: place.column,
            ..Problem::general(severity, message)
        }
    };
    let of = |problems: Vec<Problem>| ReportView { problems, ..ReportView::default() };
    let node = yaml::parse(text)
        .map_err(|error| of(vec![problem(Severity::Error, error.offset, "", error.message)]))?;
    let found = |finding: &Finding| {
        let severity = match finding.severity {
            Level::Error => Severity::Error,
            Level::Warning => Severity::Warning,
            Level::Note => Severity::Note,
        };
        let suggestion = finding.suggestion.clone().map(AttrValue::from);
        Problem {
            suggestion,
            ..problem(severity, finding.offset, &finding.path, finding.message.clone())
        }
    };
    match decode(&node) {
        Ok(configuration) => Ok((configuration, of(Vec::new()))),
        Err(findings) => Err(of(findings.iter().map(found).collect())),
    }
}
