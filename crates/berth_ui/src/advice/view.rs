//! The panel.

use super::apply;
use super::text::{Words, topology_key};
use super::words::AdviceMsg;
use super::work::Work;
use crate::app::Intent;
use crate::components::{Shape, small_icon};
use crate::env::Env;
use crate::tool::task;
use berth_core::advice::{
    Cell, Ending, Field, Finding, Level, More, Proposal, Severity, Stop, Strip,
};
use berth_core::playground::Command;
use std::cell::RefCell;
use std::rc::Rc;
use yew::{AttrValue, Html, classes, html};

/// So many proposals are shown at first.
const SHOWN: usize = 6;
/// So many more are shown when asked for.
const MORE: usize = 24;
/// So many nodes are named with their copies.
const NODES: usize = 12;

/// The panel of the Advice tab.
pub(super) fn panel(env: &Env, words: &Words, shared: &Rc<RefCell<Work>>) -> Html {
    let Ok(work) = shared.try_borrow() else { return Html::default() };
    html! {
        <div class="panel advice" role="tabpanel" id="tab-panel" aria-labelledby="tab-advice">
            {proposals(env, words, &work, shared)}
            {findings(env, words, &work)}
            {strips(env, words, &work)}
            {copies(words, work.more.as_ref())}
        </div>
    }
}

/// The intent to carry a command out.
fn carry_out(command: Command, what: AttrValue) -> Intent {
    task(move |app| apply(app, command.clone(), &what))
}

fn proposals(env: &Env, words: &Words, work: &Work, shared: &Rc<RefCell<Work>>) -> Html {
    let search = &work.search;
    let leaves = !work.pod.spec.node_name.is_empty();
    let title = if leaves { AdviceMsg::Leave } else { AdviceMsg::Fit };
    let found = search.found();
    let one = |proposal: &Proposal| proposal_line(env, words, work, proposal);
    let rest = found.get(SHOWN..).unwrap_or_default();
    html! {
        <section>
            <h3>{words.text(title)}</h3>
            {state(env, words, work, shared)}
            <ol class="edits">{for found.iter().take(SHOWN).map(one)}</ol>
            if !rest.is_empty() {
                <details>
                    <summary>{words.fill(AdviceMsg::MoreEdits, &[("n", &rest.len().to_string())])}</summary>
                    <ol class="edits" start={(SHOWN + 1).to_string()}>{for rest.iter().take(MORE).map(one)}</ol>
                    if rest.len() > MORE {
                        <p class="foot dimmer">{words.fill(AdviceMsg::MoreEdits, &[("n", &(rest.len() - MORE).to_string())])}</p>
                    }
                </details>
            }
        </section>
    }
}

/// How far the search is, and how it ended.
fn state(env: &Env, words: &Words, work: &Work, shared: &Rc<RefCell<Work>>) -> Html {
    let search = &work.search;
    let progress = search.progress();
    let edits = words.own.count(AdviceMsg::Edits, progress.size);
    let tried = progress.tried.to_string();
    let blanks = [("n", &*tried), ("edits", &*edits)];
    let none = search.found().is_empty();
    let leaves = !work.pod.spec.node_name.is_empty();
    let line = match progress.ending {
        None if work.stopped => words.text(AdviceMsg::Cancelled),
        None => {
            let shared = Rc::clone(shared);
            let stop = env.on(task(move |app| {
                if let Ok(mut work) = shared.try_borrow_mut() {
                    work.stopped = true;
                }
                app.focus("#tab-advice");
            }));
            return html! {
                <p class="cap-line">
                    <span>{words.fill(AdviceMsg::Searching, &blanks)}</span>
                    <button type="button" class="btn small line" onclick={stop}>{words.text(AdviceMsg::Cancel)}</button>
                </p>
            };
        }
        Some(Ending::NotNeeded) if leaves => words.text(AdviceMsg::LeaveAlready),
        Some(Ending::NotNeeded) => words.text(AdviceMsg::FitAlready),
        Some(Ending::Complete) if none => words.text(AdviceMsg::FitNone),
        Some(Ending::Complete) => words.fill(AdviceMsg::Tried, &blanks),
        Some(Ending::Limit) => words.fill(AdviceMsg::TriedLimit, &blanks),
    };
    html! { <p class="foot dimmer">{line}</p> }
}

fn proposal_line(env: &Env, words: &Words, work: &Work, proposal: &Proposal) -> Html {
    let what = words.edits(&proposal.edits, &work.pod);
    let verdict = words.verdict(&proposal.verdict);
    let command = work.search.command(proposal, what.to_string());
    let class = classes!("then", mark(proposal.verdict.level()).0);
    html! {
        <li key={what.as_str()}>
            <span class="what">{what.clone()}<span {class}>{small_icon(mark(proposal.verdict.level()).1)}{verdict}</span></span>
            if let Some(command) = command {
                <button type="button" class="btn small line" onclick={env.on(carry_out(command, what.clone()))}
                    aria-label={words.fill(AdviceMsg::ApplyWhat, &[("what", &what)])}>{words.text(AdviceMsg::Apply)}</button>
            }
        </li>
    }
}

/// The colour and the mark of a verdict.
fn mark(level: Level) -> (&'static str, Shape) {
    match level {
        Level::Fits => ("c-fit", Shape::Check),
        Level::Preempts => ("c-warn", Shape::Move),
        Level::Breaks => ("c-warn", Shape::Shield),
        Level::Refused => ("c-reject", Shape::Cross),
    }
}

fn strips(env: &Env, words: &Words, work: &Work) -> Html {
    let strips: Vec<&Strip> =
        work.strips.iter().filter(|strip| !strip.cells().is_empty()).collect();
    if strips.is_empty() {
        return Html::default();
    }
    html! {
        <section>
            <h3>{words.text(AdviceMsg::Values)}</h3>
            {for strips.into_iter().map(|strip| strip_line(env, words, work, strip))}
        </section>
    }
}

fn strip_line(env: &Env, words: &Words, work: &Work, strip: &Strip) -> Html {
    let of = |field: &str, constraint: u32| {
        let blanks = [("field", field), ("key", topology_key(&work.pod, constraint))];
        words.fill(AdviceMsg::FieldOf, &blanks)
    };
    let (field, title) = match strip.field() {
        Field::MaxSkew(at) => ("maxSkew", of("maxSkew", at)),
        Field::MinDomains(at) => ("minDomains", of("minDomains", at)),
        Field::Priority => ("priority", "priority".into()),
    };
    html! {
        <div class="values" role="group" aria-label={title.clone()}>
            <span class="field-name">{title.clone()}</span>
            <span class="cells">{for strip.cells().iter().map(|cell| cell_button(env, words, strip, field, cell))}</span>
        </div>
    }
}

fn cell_button(env: &Env, words: &Words, strip: &Strip, field: &str, cell: &Cell) -> Html {
    let value = |value: Option<i32>| match value {
        Some(value) => value.to_string(),
        None => words.text(AdviceMsg::NotSet).to_string(),
    };
    let shown = if cell.from == cell.to {
        value(cell.from)
    } else {
        [&*value(cell.from), "…", &value(cell.to)].concat()
    };
    let verdict = words.verdict(&cell.verdict);
    let blanks = [("field", field), ("value", &*shown), ("verdict", &*verdict)];
    let says = words.fill(AdviceMsg::Cell, &blanks);
    let what: AttrValue = [field, " ", &value(cell.from)].concat().into();
    let command = strip.command(cell.from, what.to_string()).filter(|_| !cell.is_current);
    let onclick = command.map(|command| env.on(carry_out(command, what)));
    let (color, shape) = mark(cell.verdict.level());
    html! {
        <button type="button" class={classes!("cell", color)} title={says.clone()} aria-label={says} {onclick}
            aria-pressed={cell.is_current.to_string()}>{shown}{small_icon(shape)}</button>
    }
}

fn copies(words: &Words, more: Option<&More>) -> Html {
    let Some(more) = more else { return Html::default() };
    let count = more.count().to_string();
    let shown = match more.stop() {
        Some(Stop::Refused(_)) => AttrValue::from(count),
        _ => words.fill(AdviceMsg::AtLeast, &[("n", &count)]),
    };
    let nodes = more.by_node();
    html! {
        <section>
            <h3>{words.text(AdviceMsg::Copies)}<span class="num">{shown}</span></h3>
            if !nodes.is_empty() {
                <ul class="pairs">
                    {for nodes.iter().take(NODES).map(|(node, count)| html! {
                        <li class="tag mono" key={&**node}>{node.to_string()}{" "}<b>{*count}</b></li>
                    })}
                    if nodes.len() > NODES {
                        <li class="tag">{words.fill(AdviceMsg::MoreEdits, &[("n", &(nodes.len() - NODES).to_string())])}</li>
                    }
                </ul>
            }
            if let Some(Stop::Refused(why)) = more.stop() {
                <p class="foot dimmer">{words.fill(AdviceMsg::CopiesNext,
                    &[("message", why.message.as_deref().unwrap_or_default())])}</p>
            }
        </section>
    }
}

fn findings(env: &Env, words: &Words, work: &Work) -> Html {
    let found = &work.findings;
    html! {
        <section>
            <h3>{words.text(AdviceMsg::Findings)}<span class="num">{found.len()}</span></h3>
            if found.is_empty() {
                <p class="foot dimmer">{words.text(AdviceMsg::FindingsNone)}</p>
            } else {
                <ul class="findings">{for found.iter().map(|finding| finding_line(env, words, work, finding))}</ul>
            }
        </section>
    }
}

fn finding_line(env: &Env, words: &Words, work: &Work, finding: &Finding) -> Html {
    let (color, shape, severity) = match finding.severity() {
        Severity::Error => ("c-reject", Shape::Cross, AdviceMsg::SeverityError),
        Severity::Warning => ("c-warn", Shape::Alert, AdviceMsg::SeverityWarning),
        Severity::Note => ("dim", Shape::Right, AdviceMsg::SeverityNote),
    };
    let own = finding.object == work.key;
    let place = if own {
        finding.path.clone()
    } else {
        [finding.kind.as_str(), " ", &finding.object.name, " ", &finding.path].concat()
    };
    let what = words.fill(AdviceMsg::FixWhat, &[("what", &place)]);
    let command = finding.command(what.to_string());
    html! {
        <li>
            <span class={color}>{small_icon(shape)}<span class="vh">{words.text(severity)}</span></span>
            <span class="what"><span class="field-name">{place}</span>{words.problem(&finding.problem)}</span>
            if let Some(command) = command {
                <button type="button" class="btn small line" aria-label={words.fill(AdviceMsg::ApplyWhat, &[("what", &what)])}
                    onclick={env.on(carry_out(command, what))}>{words.text(AdviceMsg::Apply)}</button>
            }
        </li>
    }
}
