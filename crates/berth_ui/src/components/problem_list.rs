//! Problems of the text that was read, each with its place.

use super::{Icon, Shape};
use crate::env::{Env, use_env};
use crate::locale::Msg;
use crate::view::{Problem, ReportView, Severity};
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html};

/// Properties of [`ProblemList`].
#[derive(PartialEq, Properties)]
pub struct ProblemListProps {
    /// The problems.
    pub report: Rc<ReportView>,
    /// Called with a problem whose place is wanted.
    pub locate: Callback<Problem>,
}

/// The list of problems.
#[component]
pub fn ProblemList(props: &ProblemListProps) -> Html {
    let env = use_env();
    let report = &props.report;
    html! {
        <div class="problems">
            {for report.notes.iter().map(|note| html! { <p class="dim">{note.clone()}</p> })}
            if !report.problems.is_empty() {
                <ul>
                    {for report.problems.iter().enumerate().map(|(index, problem)| html! {
                        <li key={index}>{item(&env, problem, &props.locate)}</li>
                    })}
                </ul>
            }
        </div>
    }
}

fn item(env: &Env, problem: &Problem, locate: &Callback<Problem>) -> Html {
    let (class, shape, msg) = match problem.severity {
        Severity::Error => ("problem error", Shape::Cross, Msg::Error),
        Severity::Warning => ("problem warning", Shape::Alert, Msg::Warning),
        Severity::Note => ("problem note", Shape::Right, Msg::Note),
    };
    let mut place = problem.source.to_string();
    if problem.line > 0 {
        if !place.is_empty() {
            place.push(':');
        }
        place.push_str(&problem.line.to_string());
        place.push(':');
        place.push_str(&problem.column.to_string());
    }
    let onclick = {
        let problem = problem.clone();
        locate.reform(move |_| problem.clone())
    };
    html! {
        <button type="button" {class} {onclick}>
            <Icon {shape} small=true />
            <span class="vh">{env.words.text(msg)}</span>
            <span class="num place">{place}</span>
            <span class="what">
                if !problem.object.is_empty() { <b>{problem.object.clone()}</b>{" "} }
                if !problem.path.is_empty() { <code>{problem.path.clone()}</code>{" "} }
                {problem.message.clone()}
                if let Some(suggestion) = &problem.suggestion {
                    {" "}<span class="c-accent">{env.words.fill(Msg::DidYouMean, &[("word", suggestion)])}</span>
                }
            </span>
        </button>
    }
}
