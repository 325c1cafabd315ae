//! `topologySpreadConstraints`, field by field.

use super::form::Form;
use crate::app::PodEdit;
use crate::components::choice::plain;
use crate::components::{Shape, Stepper, changed, choice, small_icon, stepper};
use crate::locale::Msg;
use crate::view::ConstraintView;
use yew::{AttrValue, Html, html};

/// The spread constraints of a pod.
pub(super) fn block(form: &Form<'_>) -> Html {
    let (words, constraints) = (&form.env.words, &form.view.constraints);
    html! {
        <section class="block">
            <h3>{words.text(Msg::SpreadConstraints)}<span class="num">{constraints.len()}</span>
                <button type="button" class="btn small" onclick={form.edit(PodEdit::AddConstraint)}>
                    {small_icon(Shape::Plus)}{words.text(Msg::Add)}
                </button>
            </h3>
            {for constraints.iter().enumerate().map(|(index, constraint)| rule(form, index, constraint))}
        </section>
    }
}

/// One constraint; the second and later ones are folded to a line.
fn rule(form: &Form<'_>, index: usize, constraint: &ConstraintView) -> Html {
    let title = form.env.words.fill(Msg::ConstraintTitle, &[("n", &(index + 1).to_string())]);
    let fields = fields(form, index, constraint, &title);
    if index == 0 {
        return html! { <fieldset class="rule" key={index}><legend class="vh">{title}</legend>{fields}</fieldset> };
    }
    let when = if constraint.hard { "DoNotSchedule" } else { "ScheduleAnyway" };
    html! {
        <details class="rule" key={index}>
            <summary class="mono">
                {constraint.topology_key.clone()}{" · maxSkew "}{constraint.max_skew}{" · "}{when}
            </summary>
            {fields}
        </details>
    }
}

fn fields(form: &Form<'_>, index: usize, constraint: &ConstraintView, title: &str) -> Html {
    let words = &form.env.words;
    let line = |name: &'static str, field: Html| {
        let control = [name, "-", &index.to_string()].concat();
        form.line(name, &control, field)
    };
    let selector = form.text(
        move |text| PodEdit::Selector(index, text),
        "labelSelector".into(),
        constraint.selector.clone(),
        "app=web",
        "text",
    );
    let keys = form.text(
        move |text| PodEdit::MatchLabelKeys(index, text),
        "matchLabelKeys".into(),
        constraint.match_label_keys.clone(),
        "pod-template-hash",
        "text",
    );
    let removal = words.fill(Msg::Remove, &[("what", title)]);
    html! {
        <>
            {line("topologyKey", html! {
                <span class="row">
                    {topology_key(form, index, constraint)}
                    <button type="button" class="btn small icon-only" aria-label={removal}
                        onclick={form.edit(PodEdit::RemoveConstraint(index))}>{small_icon(Shape::Cross)}</button>
                </span>
            })}
            {line("maxSkew", number(form, "maxSkew", Some(constraint.max_skew), false, move |text| PodEdit::MaxSkew(index, text)))}
            {line("minDomains", html! {
                <>
                    {number(form, "minDomains", constraint.min_domains, true, move |text| PodEdit::MinDomains(index, text))}
                    if constraint.min_domains.is_none() {
                        <span class="note">{words.text(Msg::UnsetCountsAsOne)}</span>
                    }
                </>
            })}
            {line("whenUnsatisfiable", form.segments("whenUnsatisfiable",
                [("DoNotSchedule", true), ("ScheduleAnyway", false)], constraint.hard,
                |hard| PodEdit::WhenUnsatisfiable(index, hard)))}
            {line("labelSelector", html! {
                <span class="row">
                    {selector}
                    if let Some(counted) = constraint.counted {
                        <span class="note">{words.count(Msg::PodsMatch, counted)}</span>
                    }
                </span>
            })}
            {line("matchLabelKeys", keys)}
            {line("nodeAffinityPolicy", form.segments("nodeAffinityPolicy", POLICIES,
                constraint.affinity_honored, |honor| PodEdit::AffinityPolicy(index, honor)))}
            {line("nodeTaintsPolicy", form.segments("nodeTaintsPolicy", POLICIES,
                constraint.taints_honored, |honor| PodEdit::TaintsPolicy(index, honor)))}
        </>
    }
}

const POLICIES: [(&str, bool); 2] = [("Honor", true), ("Ignore", false)];

fn number(
    form: &Form<'_>,
    name: &'static str,
    value: Option<i32>,
    optional: bool,
    edit: impl Fn(AttrValue) -> PodEdit + 'static,
) -> Html {
    let control = edit(AttrValue::default()).control();
    let change = form.with(edit);
    stepper(form.env, form.mistakes, Stepper { control, name, value, least: 1, optional, change })
}

fn topology_key(form: &Form<'_>, index: usize, constraint: &ConstraintView) -> Html {
    let own = &constraint.topology_key;
    let mut keys = plain(&form.view.topology_keys);
    if !form.view.topology_keys.contains(own) {
        keys.insert(0, (own.clone(), own.clone()));
    }
    let change = form.with(move |key| PodEdit::TopologyKey(index, key));
    choice(Some("topologyKey".into()), &keys, own, changed(change))
}
