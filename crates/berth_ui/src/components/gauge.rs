//! The skew gauge: a square per matching pod, a dashed one for the incoming pod, a bar at the
//! limit; and below it the same in numbers.

use super::tile::app_class;
use crate::env::Env;
use crate::locale::Msg;
use crate::view::GaugeView;
use yew::{Html, classes, html};

/// Above this many squares a number stands for them.
const SQUARES: i64 = 8;

/// A skew gauge with its line of numbers; `keyed` says the topology key too.
pub fn gauge(env: &Env, view: &GaugeView, keyed: bool) -> Html {
    let words = &env.words;
    let skew = if view.within { " ≤ " } else { " > " };
    let outcome = [&signed(view.skew), skew, &view.max_skew.to_string()].concat();
    let min = if view.min_forced { Msg::MinForced } else { Msg::Min };
    html! {
        <div class="gauge-block">
            {squares(view)}
            <p class="math">
                if keyed { <span class="mono">{view.key.clone()}</span>{" · "} }
                {words.text(Msg::Matching)}{" "}<b>{view.matching}</b>{" · "}
                {words.text(min)}{" "}<b>{view.min}</b>{" · "}
                {words.text(Msg::SkewIfPlaced)}{" "}
                <b class={if view.within { "c-fit" } else { "c-reject" }}>{outcome}</b>
            </p>
        </div>
    }
}

/// A number with a real minus sign.
fn signed(value: i64) -> String {
    if value < 0 { ["−", &value.unsigned_abs().to_string()].concat() } else { value.to_string() }
}

/// The squares alone.
pub(super) fn squares(view: &GaugeView) -> Html {
    let limit = view.min.saturating_add(view.max_skew);
    let class = classes!("gauge", app_class(view.app));
    if view.matching.max(limit) > SQUARES {
        return html! {
            <span {class} aria-hidden="true">
                <span class="many">{view.matching}{" ×"}</span><i></i>{incoming(view)}
            </span>
        };
    }
    // What stands at each place, left to right; the bar comes after the last allowed one.
    let total = view.matching + view.incoming;
    let places = (0..total.max(limit)).map(|place| {
        let square = if place < view.matching {
            html! { <i></i> }
        } else if place < total {
            incoming(view)
        } else {
            html! { <i class="free"></i> }
        };
        html! { <>{square} if place + 1 == limit { <u></u> }</> }
    });
    html! {
        <span {class} aria-hidden="true">
            if limit == 0 { <u></u> }
            {for places}
        </span>
    }
}

fn incoming(view: &GaugeView) -> Html {
    if view.incoming == 0 {
        return Html::default();
    }
    html! { <i class={if view.within { "add" } else { "bad" }}></i> }
}
