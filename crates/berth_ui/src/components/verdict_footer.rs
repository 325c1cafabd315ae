//! What a node says about the selected pod, and what can be done about it.

use super::{EquationChip, Icon, Shape, Sum};
use crate::env::{Env, use_env};
use crate::locale::Msg;
use crate::view::{Fits, Rejected, Verdict};
use yew::{Callback, Html, MouseEvent, Properties, component, html};

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

/// Properties of [`VerdictFooter`].
#[derive(PartialEq, Properties)]
pub struct VerdictFooterProps {
    /// The verdict.
    pub verdict: Verdict,
    /// How much is shown.
    pub offer: Offer,
    /// Called by the button: with true to bypass the scheduler.
    pub place: Callback<bool>,
}

/// The foot of a node card.
#[component]
pub fn VerdictFooter(props: &VerdictFooterProps) -> Html {
    let env = use_env();
    match &props.verdict {
        Verdict::Fits(fits) => fitting(&env, fits, props),
        Verdict::Rejected(rejected) => refusing(&env, rejected, props),
    }
}

fn fitting(env: &Env, fits: &Fits, props: &VerdictFooterProps) -> Html {
    let words = &env.words;
    let rank = words.fill(Msg::Rank, &[("rank", &fits.rank.to_string()), ("of", &fits.of.to_string())]);
    html! {
        <div class="say fit">
            <Icon shape={Shape::Check} />
            <span>
                <strong>{words.text(Msg::Fits)}</strong>{" · "}{rank}
                if fits.best() && fits.tied > 1 {
                    {" · "}{words.count(Msg::Tied, fits.tied)}
                } else if fits.best() {
                    {" · "}{words.text(Msg::BindsHere)}
                }
            </span>
            <span class="num">{fits.total}</span>
            if props.offer == Offer::Place { {button(env, Msg::PlaceHere, false, &props.place)} }
        </div>
    }
}

fn refusing(env: &Env, rejected: &Rejected, props: &VerdictFooterProps) -> Html {
    let open = matches!(props.offer, Offer::Sum | Offer::Anyway) && !rejected.sum.is_empty();
    let reason = rejected.reason.clone();
    html! {
        <div class="say reject">
            <Icon shape={Shape::Cross} />
            <span class="wide reason">if open { <strong>{reason}</strong> } else { {reason} }</span>
            if open {
                <div class="wide"><Sum rows={rejected.sum.clone()} /></div>
            } else if let Some(equation) = &rejected.equation {
                <span class="wide"><EquationChip view={equation.clone()} /></span>
            }
            if matches!(props.offer, Offer::Place | Offer::Anyway) {
                {button(env, Msg::PlaceAnyway, true, &props.place)}
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
