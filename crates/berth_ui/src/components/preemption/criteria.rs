//! What the candidates are compared by: a row a candidate, a column a criterion.

use super::{Shape, icon};
use crate::locale::{RoomMsg, RoomWords};
use crate::view::{Candidate, CriterionCell, PreemptionView, Standing};
use yew::{Html, classes, html};

/// The criteria, in the order in which they are looked at.
const COLUMNS: [RoomMsg; 5] = [
    RoomMsg::CriterionViolations,
    RoomMsg::CriterionHighest,
    RoomMsg::CriterionSum,
    RoomMsg::CriterionCount,
    RoomMsg::CriterionStart,
];

/// The table.
pub(super) fn table(words: &RoomWords, view: &PreemptionView) -> Html {
    html! {
        <>
            <div class="mx-scroll" tabindex="0" role="group" aria-label={words.text(RoomMsg::Criteria)}>
                <table class="crit">
                    <thead><tr>
                        <th scope="col">{words.text(RoomMsg::CriterionNode)}</th>
                        {for COLUMNS.iter().enumerate().map(|(at, msg)| {
                            let decides = view.decided == Some(at);
                            html! {
                                <th scope="col" class={classes!(decides.then_some("by"))}>{words.text(*msg)}
                                    if decides { <b>{words.text(RoomMsg::CriterionDecides)}</b> }
                                </th>
                            }
                        })}
                    </tr></thead>
                    <tbody>{for view.candidates.iter().map(|candidate| row(words, view, candidate))}</tbody>
                </table>
            </div>
            <p class="foot dimmer">{words.text(RoomMsg::CriteriaHint)}</p>
        </>
    }
}

fn row(words: &RoomWords, view: &PreemptionView, candidate: &Candidate) -> Html {
    let word = match (candidate.chosen, candidate.tied) {
        (true, _) => RoomMsg::RoomChosen,
        (false, true) => RoomMsg::RoomEqual,
        (false, false) => RoomMsg::RoomOut,
    };
    let cells = candidate.criteria.iter().enumerate();
    html! {
        <tr key={candidate.node.as_str()} class={classes!(candidate.chosen.then_some("win"))}>
            <th scope="row">
                <span class="mono">{candidate.node.clone()}</span>
                if candidate.chosen { {icon(Shape::Check)} }
                <span class="vh">{", "}{words.text(word)}</span>
            </th>
            {for cells.map(|(at, value)| cell(value, view.decided == Some(at)))}
        </tr>
    }
}

fn cell(cell: &CriterionCell, decides: bool) -> Html {
    let by = decides.then_some("by");
    match cell.standing {
        Standing::Left => html! { <td class={classes!(by)}>{cell.text.clone()}</td> },
        Standing::Out => html! { <td class={classes!("out", by)}><s>{cell.text.clone()}</s></td> },
        // The value is there to be compared by eye; it had no say.
        Standing::Silent => html! { <td class={classes!("gone", by)}>{cell.text.clone()}</td> },
    }
}
