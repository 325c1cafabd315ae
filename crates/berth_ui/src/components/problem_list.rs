//! Problems of the text that was read, each with its place.

use super::{Shape, small_icon};
use crate::env::Env;
use crate::locale::Msg;
use crate::view::{Problem, ReportView, Severity};
use yew::{Callback, Html, html};

/// The list of problems. `locate` is called with one whose place is wanted.
pub fn problem_list(env: &Env, report: &ReportView, locate: &Callback<Problem>) -> Html {
    html! {
        <div class="problems">
            {for report.notes.iter().map(|note| html! { <p class="dim">{note.clone()}</p> })}
            if !report.problems.is_empty() {
                <ul>
                    {for report.problems.iter().enumerate().map(|(index, problem)| html! {
                        <li key={index}>{item(env, problem, locate)}</li>
                    })}
                </ul>
            }
            if report.left_out > 0 { <p class="dim">{env.words.count(Msg::MoreProblems, report.left_out)}</p> }
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
            {small_icon(shape)}
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
