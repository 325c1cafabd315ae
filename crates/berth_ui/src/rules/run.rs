//! The queue run, and what is said about it.

use super::Ran;
use super::{RuleMsg, RuleWords};
use crate::components::{Shape, small_icon};
use berth_core::api::ObjectKey;
use berth_core::playground::{Attempt, AttemptResult, Command, Outcome, Playground, Run, Victim};
use yew::{AttrValue, Html, html};

/// Lets the scheduler take one pod from the queue, or all.
pub(super) fn run(playground: &mut Playground, all: bool, words: &RuleWords) -> Ran {
    let command = if all { Command::ScheduleAll } else { Command::ScheduleNext };
    let run = match playground.apply(command) {
        Ok(applied) => match applied.outcome {
            Outcome::Ran(run) => run,
            _ => Run { attempts: Vec::new(), at_rest: true },
        },
        Err(error) => {
            return Ran { say: error.to_string().into(), pod: None, log: None };
        }
    };
    let Some(last) = run.attempts.last() else {
        return Ran { say: words.text(RuleMsg::NoneToSchedule), pod: None, log: None };
    };
    let pod = Some(last.pod.to_string().into());
    if !all {
        let (_, _, text) = said(last, words);
        return Ran { say: text, pod, log: None };
    }
    let bound = |attempt: &&Attempt| matches!(attempt.result, AttemptResult::Bound { .. });
    let placed = run.attempts.iter().filter(bound).count() as u32;
    let attempts = words.count(RuleMsg::Attempts, run.attempts.len() as u32);
    let say =
        words.fill(RuleMsg::SayRan, &[("attempts", &attempts), ("placed", &placed.to_string())]);
    Ran { say: say.clone(), pod: None, log: Some(log(&run, say, words)) }
}

fn log(run: &Run, heading: AttrValue, words: &RuleWords) -> Html {
    html! {
        <>
            <h2>{heading}</h2>
            <ol class="attempts" tabindex="0" aria-label={words.text(RuleMsg::AttemptsInOrder)}>
                {for run.attempts.iter().map(|attempt| {
                    let (class, shape, text) = said(attempt, words);
                    html! { <li><span {class}>{small_icon(shape)}</span><span>{text}</span></li> }
                })}
                if !run.at_rest { <li>{words.text(RuleMsg::NotAtRest)}</li> }
            </ol>
        </>
    }
}

/// An attempt in one sentence, with its mark.
fn said(attempt: &Attempt, words: &RuleWords) -> (&'static str, Shape, AttrValue) {
    let pod = attempt.pod.to_string();
    match &attempt.result {
        AttemptResult::Bound { node, .. } => {
            ("c-fit", Shape::Check, [&pod, " → ", node].concat().into())
        }
        AttemptResult::Preempting { node, victims, .. } => {
            let key = |victim: &Victim| -> String { ObjectKey::to_string(&victim.pod) };
            let victims = victims.iter().map(key).collect::<Vec<_>>().join(", ");
            let blanks = [("pod", &*pod), ("node", node), ("victims", &victims)];
            ("c-warn", Shape::Alert, words.fill(RuleMsg::SayPreempting, &blanks))
        }
        AttemptResult::Unschedulable { message, .. } | AttemptResult::Skipped { message } => {
            ("c-reject", Shape::Cross, [&pod, ": ", message].concat().into())
        }
    }
}
