//! What a node says about the selected pod, and what can be done about it.

use super::{Shape, column_sum, equation_chip, icon};
use crate::env::Env;
use crate::locale::Msg;
use crate::view::{Fits, Rejected, Verdict};
use yew::{Callback, Html, MouseEvent, html};

/// How much the footer shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Offer {
    /// The verdict.
    #[default]
    Nothing,
    /// The verdict with its sum: something is held over the node.
    Sum,
    /// The verdict and a button to place the pod: it waits for a tap.
    Place,
    /// The verdict with its sum and a button to place the pod all the same: it was refused.
    Anyway,
}

/// The foot of a node card. `place` is called by the button: with true to bypass the scheduler.
pub fn verdict_footer(env: &Env, verdict: &Verdict, offer: Offer, place: &Callback<bool>) -> Html {
    match verdict {
        Verdict::Fits(fits) => fitting(env, fits, offer, place),
        Verdict::Rejected(rejected) => refusing(env, rejected, offer, place),
    }
}

fn fitting(env: &Env, fits: &Fits, offer: Offer, place: &Callback<bool>) -> Html {
    let words = &env.words;
    let rank =
        words.fill(Msg::Rank, &[("rank", &fits.rank.to_string()), ("of", &fits.of.to_string())]);
    html! {
        <div class="say fit">
            {icon(Shape::Check)}
            <span>
                <strong>{words.text(Msg::Fits)}</strong>{" · "}{rank}
                if fits.best() && fits.tied > 1 {
                    {" · "}{words.count(Msg::Tied, fits.tied)}
                } else if fits.best() {
                    {" · "}{words.text(Msg::BindsHere)}
                }
            </span>
            <span class="num">{fits.total}</span>
            if offer == Offer::Place { {button(env, Msg::PlaceHere, false, place)} }
        </div>
    }
}

fn refusing(env: &Env, rejected: &Rejected, offer: Offer, place: &Callback<bool>) -> Html {
    let open = matches!(offer, Offer::Sum | Offer::Anyway) && !rejected.sum.is_empty();
    let reason = rejected.reason.clone();
    html! {
        <div class="say reject">
            {icon(Shape::Cross)}
            <span class="wide reason">if open { <strong>{reason}</strong> } else { {reason} }</span>
            if open {
                <div class="wide">{column_sum(&rejected.sum)}</div>
            } else if let Some(equation) = &rejected.equation {
                <span class="wide">{equation_chip(equation)}</span>
            }
            if matches!(offer, Offer::Place | Offer::Anyway) {
                {button(env, Msg::PlaceAnyway, true, place)}
            }
        </div>
    }
}

fn button(env: &Env, msg: Msg, bypass: bool, place: &Callback<bool>) -> Html {
    let place = place.reform(move |event: MouseEvent| {
        // The card below is a target of its own.
        event.stop_propagation();
        bypass
    });
    html! {
        <button type="button" class="btn line small wide" onclick={place}>{env.words.text(msg)}</button>
    }
}
