//! One disruption budget with its status, and the form for another.

use super::{Panel, submit};
use crate::components::choice::plain;
use crate::components::{Shape, Stepper, choice, small_icon, stepper, wrong};
use crate::rules::RuleMsg;
use crate::rules::{BudgetEdit, Limit, NEW_BUDGET, RuleChange, StatusField};
use crate::view::BudgetView;
use berth_core::api::Kind;
use yew::{AttrValue, Callback, Html, NodeRef, html};

/// A budget: a line that opens to its fields.
pub(super) fn block(panel: &Panel<'_>, index: usize, budget: &BudgetView) -> Html {
    let words = panel.words;
    let [.., allowed] = budget.status;
    html! {
        <details class="rule" key={budget.key.as_str()}>
            <summary>
                <span class="row">
                    <span class="mono grow clip">{budget.key.clone()}</span>
                    if budget.pinned { <span class="tag warn">{words.text(RuleMsg::Pinned)}</span> }
                    <span class="note mono">{"disruptionsAllowed"}</span>
                    <span class="num">{allowed}</span>
                </span>
            </summary>
            {spec(panel, index, budget)}
            {status(panel, index, budget)}
            <div class="line"><span></span>
                <div class="ctl">{panel.yaml(Kind::PodDisruptionBudget, &budget.key)}{panel.button("", RuleMsg::Delete, RuleChange::Budget(budget.key.clone(), BudgetEdit::Delete))}</div>
            </div>
        </details>
    }
}

fn id(index: usize, field: &str) -> String {
    ["budget-", &index.to_string(), "-", field].concat()
}

fn spec(panel: &Panel<'_>, index: usize, budget: &BudgetView) -> Html {
    let key = &budget.key;
    let of = |edit: BudgetEdit| RuleChange::Budget(key.clone(), edit);
    let (bound, selector, policy) =
        (id(index, "limit"), id(index, "selector"), id(index, "policy"));
    let (limit, words) = (budget.limit, budget.bound.clone());
    let named = |edit: Box<dyn Fn(AttrValue) -> BudgetEdit>| {
        let key = key.clone();
        move |text| RuleChange::Budget(key.clone(), edit(text))
    };
    html! {
        <>
            <div class="line"><span></span>
                {panel.segments(&bound, "spec",
                    [Limit::MinAvailable, Limit::MaxUnavailable].map(|limit| (limit.as_str().into(), limit == Limit::MaxUnavailable)),
                    limit == Limit::MaxUnavailable, |most| {
                        let limit = if most { Limit::MaxUnavailable } else { Limit::MinAvailable };
                        of(BudgetEdit::Limit(limit, words.clone()))
                    })}
            </div>
            {panel.line(limit.as_str(), &bound,
                panel.text(&bound, limit.as_str(), budget.bound.clone(), "–", named(Box::new(move |text| BudgetEdit::Limit(limit, text)))),
                Html::default())}
            {panel.line("selector", &selector,
                panel.text(&selector, "selector", budget.selector.clone(), "app=web", named(Box::new(BudgetEdit::Selector))),
                Html::default())}
            {panel.line("unhealthyPodEvictionPolicy", &policy,
                panel.segments(&policy, "unhealthyPodEvictionPolicy", [("IfHealthyBudget".into(), false), ("AlwaysAllow".into(), true)],
                    budget.always_allow, |always| of(BudgetEdit::AlwaysAllow(always))),
                Html::default())}
        </>
    }
}

/// The status, and how the controller comes to it.
fn status(panel: &Panel<'_>, index: usize, budget: &BudgetView) -> Html {
    let words = panel.words;
    let key = &budget.key;
    let source = panel.segments(
        "",
        "status",
        [(words.text(RuleMsg::Computed), false), (words.text(RuleMsg::Pinned), true)],
        budget.pinned,
        |pinned| RuleChange::Budget(key.clone(), BudgetEdit::Pinned(pinned)),
    );
    html! {
        <>
            {panel.line("status", "", source, Html::default())}
            if let Some(failure) = &budget.failure {
                <p class="line c-warn">{small_icon(Shape::Alert)}{failure.clone()}</p>
            }
            {for StatusField::ALL.into_iter().enumerate().map(|(at, field)| number(panel, index, budget, at, field))}
            <p class="line dim">{words.text(RuleMsg::BudgetStatus)}</p>
        </>
    }
}

fn number(
    panel: &Panel<'_>,
    index: usize,
    budget: &BudgetView,
    at: usize,
    field: StatusField,
) -> Html {
    let of = |numbers: &[i32; 4]| numbers.get(at).copied().unwrap_or_default();
    let (value, computed) = (of(&budget.status), of(&budget.computed));
    let name = field.as_str();
    let control = id(index, name);
    let field = if budget.pinned {
        let key = budget.key.clone();
        let change = panel.with(&control, move |text| {
            RuleChange::Budget(key.clone(), BudgetEdit::Status(field, text))
        });
        let now = panel.words.fill(RuleMsg::ComputedNow, &[("n", &computed.to_string())]);
        let value = Some(value);
        html! {
            <>
                {stepper(panel.env, panel.mistakes, Stepper { control: control.clone().into(), name, value, least: 0, optional: false, change })}
                <span class="note">{now}</span>
            </>
        }
    } else {
        let why = budget.why.get(at).cloned().unwrap_or_default();
        html! { <><span class="num">{value}</span><span class="note">{why}</span></> }
    };
    panel.line(name, &control, field, Html::default())
}

/// The form for a budget.
pub(super) fn new(panel: &Panel<'_>, form: NodeRef, namespaces: &[AttrValue]) -> Html {
    let words = panel.words;
    let [name, selector, least] = NEW_BUDGET;
    let first = namespaces.first().cloned().unwrap_or_default();
    let onsubmit = submit(panel.send, move |field| {
        let key = [&*field("namespace"), "/", &field(name)].concat();
        let edit = BudgetEdit::Create { selector: field(selector), least: field(least) };
        RuleChange::Budget(key.into(), edit)
    });
    html! {
        <form class="make" ref={form} {onsubmit} aria-label={words.text(RuleMsg::NewBudget)}>
            <span class="row">
                {choice(Some("namespace".into()), &plain(namespaces), &first, Callback::noop())}
                {panel.blank(name, "name", "name")}
            </span>
            <span class="row">
                {panel.blank(selector, "selector", "app=web")}
                {panel.blank(least, "minAvailable", "minAvailable")}
                <button type="submit" class="btn small line">{small_icon(Shape::Plus)}{words.text(RuleMsg::Create)}</button>
            </span>
            {for NEW_BUDGET.map(|control| wrong(panel.mistakes, control))}
        </form>
    }
}
