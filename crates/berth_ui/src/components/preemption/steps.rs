//! The dry run of a candidate, step by step.

use super::{mark, refusal};
use crate::components::equation_chip;
use crate::locale::{RoomMsg, RoomWords};
use crate::view::{Candidate, LedgerRow, PutBackRow};
use yew::{Html, html};

/// The steps.
pub(super) fn list(words: &RoomWords, candidate: &Candidate) -> Html {
    let below = words.fill(RoomMsg::RoomRemove, &[("priority", &candidate.below.to_string())]);
    html! {
        <>
            <ol class="steps">
                <li>
                    <span class="line">
                        <span>{below}</span><span class="c-fit">{words.text(RoomMsg::RoomFits)}</span>
                    </span>
                    <span class="marks">{for candidate.lower.iter().map(|pod| mark(words, pod, ""))}</span>
                </li>
                if !candidate.ledger.is_empty() {
                    <li><span class="line">{words.text(RoomMsg::RoomCharge)}</span>{ledger(words, &candidate.ledger)}</li>
                }
                {for candidate.put_back.iter().map(|row| put_back(words, row))}
            </ol>
            if !candidate.cleared.is_empty() {
                <p class="steps-foot dim">{words.fill(RoomMsg::RoomCleared, &[("pods", &candidate.cleared)])}</p>
            }
        </>
    }
}

fn put_back(words: &RoomWords, row: &PutBackRow) -> Html {
    let (class, msg) = match row.refusal {
        None => ("kept", RoomMsg::RoomKept),
        Some(_) => ("victim", RoomMsg::RoomGoes),
    };
    html! {
        <li>
            <span class="line">
                <span class="marks">
                    <span class="dim">{words.text(RoomMsg::RoomPutBack)}</span>
                    {mark(words, &row.pod, class)}
                    if row.violates { <span class="dim">{words.text(RoomMsg::RoomFirst)}</span> }
                </span>
                <span class={if row.refusal.is_some() { "c-reject" } else { "c-fit" }}>{words.text(msg)}</span>
            </span>
            if !row.kept.is_empty() {
                <span class="marks">{for row.kept.iter().map(equation_chip)}</span>
            }
            if let Some(refused) = &row.refusal {
                <span class="marks c-reject">{refused.reason.clone()}{refusal(refused)}</span>
            }
        </li>
    }
}

/// What the lower pods take from disruption budgets, in the order of their importance.
fn ledger(words: &RoomWords, rows: &[LedgerRow]) -> Html {
    let head = |msg| html! { <th scope="col">{words.text(msg)}</th> };
    html! {
        <table class="tbl ledger">
            <thead><tr>
                <th scope="col">{"PodDisruptionBudget"}</th>
                {head(RoomMsg::RoomAllowed)}{head(RoomMsg::RoomCharged)}{head(RoomMsg::RoomViolated)}
            </tr></thead>
            <tbody>
                {for rows.iter().map(|row| html! {
                    <tr key={row.budget.as_str()}>
                        <th scope="row">{row.budget.clone()}
                            if !row.granted.is_empty() {
                                <span class="dim">{words.fill(RoomMsg::RoomGranted, &[("pods", &row.granted)])}</span>
                            }
                        </th>
                        <td>{row.allowed}</td>
                        <td>{row.charged.clone()}</td>
                        <td class="c-reject">{row.violated.clone()}</td>
                    </tr>
                })}
            </tbody>
        </table>
    }
}
