//! What the editor looks like: a text area, and behind it the same text with marks.
//!
//! The text area is a plain one: screen readers, phones and input methods know it. It lies over a copy of its text, which
//! nobody sees and which gives it its size; marks and line numbers are drawn there, what is offered stands below the caret.

use super::Shared;
use super::draft::{Draft, List, MOST};
use super::target::Target;
use super::words::{EditorMsg, EditorWords};
use super::{help, keys};
use crate::app::{App, Intent};
use crate::components::{Shape, icon, problem_list};
use crate::dom;
use crate::env::Env;
use crate::locale::Msg;
use crate::parts::Call;
use crate::tool::task;
use crate::view::{Problem, ReportView, Severity};
use berth_wire::complete::{Field, Offer};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlTextAreaElement};
use yew::{AttrValue, Callback, Html, KeyboardEvent, MouseEvent, PointerEvent, html};

/// How high a line of the text is, in CSS pixels: as in `editor.css`.
const LINE: i32 = 18;

/// The editor as the panel of a tab.
pub(super) fn panel(app: &App, shared: &Shared) -> Html {
    html! {
        <div class="panel yaml" role="tabpanel" id="tab-panel" aria-labelledby="tab-yaml">{body(app, shared)}</div>
    }
}

/// The editor in the inspector's place.
pub(super) fn beside(app: &App, shared: &Shared) -> Html {
    let env = app.env();
    let words: EditorWords = env.table();
    let title = shared.borrow().target.name(&words);
    let is_configuration = shared.borrow().target == Target::Configuration;
    html! {
        <aside class="side" aria-labelledby="yaml-title" data-sheet="full">
            <header>
                {icon(Shape::Table)}
                <h2 id="yaml-title" class="clip" tabindex="-1">{title}</h2>
                <span class="grow"></span>
                if is_configuration {
                    <button type="button" class="btn small line" onclick={env.on(Call::Config("#open-rules").into())}>{words.text(EditorMsg::AsForm)}</button>
                }
                <button type="button" class="btn icon-only" aria-label={env.words.text(Msg::Close)}
                    onclick={env.on(Intent::CloseSide)}>{icon(Shape::Cross)}</button>
            </header>
            <div class="side-body"><div class="panel yaml">{body(app, shared)}</div></div>
        </aside>
    }
}

fn body(app: &App, shared: &Shared) -> Html {
    let (env, draft) = (app.env(), shared.borrow());
    let words: EditorWords = env.table();
    if draft.text.len() > MOST {
        let size = (draft.text.len() >> 20).to_string();
        return html! { <p class="dim">{words.fill(EditorMsg::Large, &[("n", &size)])}</p> };
    }
    let dirty = draft.is_dirty();
    let (apply, discard) = (of(env, shared, keys::apply), of(env, shared, keys::discard));
    html! {
        <>
            {code(env, &words, shared, &draft)}
            <p id="yaml-said" class="foot" role="status">{said(env, &words, &draft)}</p>
            {problems(env, &draft)}
            <p id="yaml-field" class="foot">{field(env, &words, meant(&draft))}</p>
            <p class="row actions">
                <button type="button" class="btn solid" aria-disabled={(!dirty).to_string()} onclick={apply}>{words.text(EditorMsg::Apply)}</button>
                <button type="button" class="btn line" aria-disabled={(!dirty).to_string()} onclick={discard}>{words.text(EditorMsg::Discard)}</button>
                <kbd>{"Ctrl+Enter"}</kbd>
            </p>
            <p class="foot dimmer">{words.text(EditorMsg::Hint)}</p>
            <p class="foot dimmer">{words.text(draft.target.unchecked())}</p>
        </>
    }
}

fn of(env: &Env, shared: &Shared, act: fn(&Env, &Shared)) -> Callback<MouseEvent> {
    let (env, shared) = (env.clone(), Rc::clone(shared));
    Callback::from(move |_| act(&env, &shared))
}

/// In a sentence what is to be known about the text.
fn said(env: &Env, words: &EditorWords, draft: &Draft) -> AttrValue {
    let errors = draft.checked.errors();
    if draft.gone {
        words.text(EditorMsg::Gone)
    } else if errors > 0 {
        env.words.count(Msg::Errors, errors)
    } else if draft.behind {
        words.text(EditorMsg::Behind)
    } else if draft.is_dirty() {
        words.text(EditorMsg::Unsaved)
    } else {
        words.text(EditorMsg::Valid)
    }
}

fn code(env: &Env, words: &EditorWords, shared: &Shared, draft: &Draft) -> Html {
    let label = words.fill(EditorMsg::Label, &[("what", &draft.target.name(words))]);
    let chosen = draft.list.as_ref().map(|list| offer_id(list.at));
    let invalid = draft.checked.errors() > 0;
    html! {
        <div class="code">
            <pre class="lines" aria-hidden="true">{numbers(draft)}</pre>
            <div class="sheet">
                <pre class="back" aria-hidden="true">{marked(draft)}</pre>
                <textarea id="yaml-text" value={draft.text.clone()} aria-label={label} spellcheck="false" autocomplete="off"
                    autocapitalize="off" wrap="off" aria-autocomplete="list" aria-haspopup="listbox"
                    aria-controls={draft.list.is_some().then_some("yaml-offers")} aria-activedescendant={chosen}
                    aria-invalid={invalid.then_some("true")} aria-describedby="yaml-said yaml-field"
                    oninput={keys::typed(env, shared)} onkeydown={keys::pressed(env, shared)}
                    onkeyup={keys::moved::<KeyboardEvent>(env, shared)} onclick={keys::moved::<MouseEvent>(env, shared)} />
                {match &draft.list {
                    Some(list) => offers(words, shared, list),
                    None => here(draft),
                }}
            </div>
        </div>
    }
}

/// What is wrong with the line of the caret, below it.
fn here(draft: &Draft) -> Html {
    let line = line_of(draft, draft.caret);
    let found = draft.checked.problems.iter().find(|remark| remark.problem.line == line + 1);
    let Some(remark) = found else { return Html::default() };
    html! { <p class="pop said" aria-hidden="true">{remark.problem.message.clone()}</p> }
}

fn offer_id(index: usize) -> AttrValue {
    ["yaml-offer-", &index.to_string()].concat().into()
}

/// What could stand at the caret.
fn offers(words: &EditorWords, shared: &Shared, list: &List) -> Html {
    html! {
        <ul class="pop" role="listbox" id="yaml-offers" aria-label={words.text(EditorMsg::Offers)}>
            {for list.offers.iter().enumerate().map(|(index, offer)| {
                let shared = Rc::clone(shared);
                // Before the text area loses the focus.
                let taken = Callback::from(move |event: PointerEvent| {
                    event.prevent_default();
                    let at: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
                    let sheet = at.and_then(|at| at.closest(".sheet").ok().flatten());
                    let area = sheet.and_then(|sheet| sheet.query_selector("textarea").ok().flatten());
                    if let Some(area) = area.and_then(|area| area.dyn_into::<HtmlTextAreaElement>().ok()) {
                        keys::take(&shared, &area, index);
                    }
                });
                html! {
                    <li role="option" id={offer_id(index)} key={index} aria-selected={(index == list.at).to_string()}
                        onpointerdown={taken}>
                        <span>{offer.name().to_owned()}</span>
                        {match offer {
                            Offer::Word(_) => Html::default(),
                            Offer::Field(field) => html! { <span class="dimmer">{kind(words, field)}</span> },
                        }}
                    </li>
                }
            })}
        </ul>
    }
}

/// The type of a field, or that nobody here reads it.
fn kind(words: &EditorWords, field: &Field) -> AttrValue {
    if field.is_read() { field.type_name.clone().into() } else { words.text(EditorMsg::Kept) }
}

/// The field that is chosen among the offers, else the one at the caret.
fn meant(draft: &Draft) -> Option<&Field> {
    match draft.list.as_ref().and_then(|list| list.offers.get(list.at)) {
        Some(Offer::Field(field)) => Some(field),
        _ => draft.field.as_ref(),
    }
}

/// What a field is, what it can be, and what it is for.
fn field(env: &Env, words: &EditorWords, field: Option<&Field>) -> Html {
    let Some(field) = field else { return Html::default() };
    let about = help::of(field).map(|help| env.table::<help::Help>().text(help));
    html! {
        <>
            <code>{field.name.clone()}</code>{" "}<span class="dimmer">{kind(words, field)}</span>
            if !field.words.is_empty() { {" "}<code>{field.words.join(" | ")}</code> }
            if let Some(about) = about { {" "}{about} }
        </>
    }
}

fn problems(env: &Env, draft: &Draft) -> Html {
    let mut problems: Vec<Problem> = Vec::new();
    // Errors first.
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let found = draft.checked.problems.iter().map(|remark| &remark.problem);
        problems.extend(found.filter(|problem| problem.severity == severity).cloned());
    }
    let left_out = draft.checked.left_out;
    let report = ReportView { problems, left_out, notes: Vec::new() };
    let locate = env.send.reform(|Problem { line, column, .. }| {
        task(move |app| {
            if let Some(root) = app.root() {
                dom::to_line(&root, "#yaml-text", (line, column), LINE);
            }
        })
    });
    problem_list(env, &report, &locate)
}

/// The line of a byte offset, from 0.
fn line_of(draft: &Draft, offset: usize) -> u32 {
    let before = draft.text.get(..offset).unwrap_or(&draft.text);
    before.matches('\n').count() as u32
}

fn class_of(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// The numbers of the lines; those with something to say about them are marked.
fn numbers(draft: &Draft) -> Html {
    let lines = line_of(draft, draft.text.len()) + 1;
    let mut parts: Vec<Html> = Vec::new();
    let mut plain = String::new();
    let mut said = draft.checked.problems.iter().map(|remark| &remark.problem).peekable();
    for line in 1..=lines {
        while said.next_if(|problem| problem.line < line).is_some() {}
        if let Some(problem) = said.next_if(|problem| problem.line == line) {
            parts.push(Html::from(std::mem::take(&mut plain)));
            let class = class_of(problem.severity);
            parts.push(html! { <b {class}>{line}{"\n"}</b> });
        } else {
            plain.push_str(&line.to_string());
            plain.push('\n');
        }
    }
    parts.push(Html::from(plain));
    parts.into_iter().collect()
}

/// The text with marks where there is something to say.
fn marked(draft: &Draft) -> Html {
    let text = draft.text.as_str();
    let mut parts: Vec<Html> = Vec::new();
    let mut from = 0;
    for remark in &draft.checked.problems {
        let rest = text.get(remark.offset..).unwrap_or_default();
        let length = rest.find(['\n', ' ', ':']).unwrap_or(rest.len()).max(1);
        let to = remark.offset + length;
        // Of two at the same place one mark is enough.
        let (Some(before), Some(word)) =
            (text.get(from..remark.offset), text.get(remark.offset..to))
        else {
            continue;
        };
        parts.push(Html::from(before.to_owned()));
        let class = class_of(remark.problem.severity);
        parts.push(html! { <mark {class}>{word.to_owned()}</mark> });
        from = to;
    }
    parts.push(Html::from(text.get(from..).unwrap_or_default().to_owned()));
    // A last empty line has a height as well.
    parts.push(Html::from("\n "));
    parts.into_iter().collect()
}

/// Moves what stands below the caret there.
pub(super) fn place(root: &Element, draft: &Draft) {
    let Ok(Some(pop)) = root.query_selector(".yaml .pop") else { return };
    let Ok(pop) = pop.dyn_into::<HtmlElement>() else { return };
    let at = draft.list.as_ref().map_or(draft.caret, |list| list.start);
    let before = draft.text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    dom::set_css(&pop, "--line", &(line_of(draft, at) + 1).to_string());
    dom::set_css(&pop, "--column", &line.chars().count().to_string());
    dom::into_sight(root, ".yaml .pop [aria-selected=\"true\"]");
}
