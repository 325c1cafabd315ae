//! The plugins of a profile: on and off, in order, with their weights.

use super::change::Edit;
use super::form::{Form, called};
use super::words::ConfigMsg;
use crate::components::{choice, wrong};
use crate::tool::task;
use berth_core::framework::config::{PluginSet, ProfileConfig, default_plugins};
use berth_core::framework::plugin::{ExtensionPoint, PluginId};
use berth_core::framework::profile::Profile;
use berth_wire::config::edit::{Step, mapping, number, text};
use berth_wire::tree::Node;
use std::rc::Rc;
use web_sys::HtmlSelectElement;
use yew::{AttrValue, Callback, Event, Html, TargetCast, html};

/// The extension points whose plugins can be told apart, with their names in a configuration.
const POINTS: [(&str, ExtensionPoint); 12] = [
    ("preEnqueue", ExtensionPoint::PreEnqueue),
    ("queueSort", ExtensionPoint::QueueSort),
    ("preFilter", ExtensionPoint::PreFilter),
    ("filter", ExtensionPoint::Filter),
    ("postFilter", ExtensionPoint::PostFilter),
    ("preScore", ExtensionPoint::PreScore),
    ("score", ExtensionPoint::Score),
    ("reserve", ExtensionPoint::Reserve),
    ("permit", ExtensionPoint::Permit),
    ("preBind", ExtensionPoint::PreBind),
    ("bind", ExtensionPoint::Bind),
    ("postBind", ExtensionPoint::PostBind),
];
/// All points at once.
const ALL: &str = "multiPoint";

/// The plugins of the profile that is shown.
pub(super) fn block(form: &Form<'_>) -> Html {
    let Some(profile) = form.read.now.profiles.get(form.shown.profile) else {
        return Html::default();
    };
    let path = [&*form.profile(), ".plugins"].concat();
    let point = POINTS.iter().find(|(name, _)| form.shown.point == Some(*name));
    html! {
        <section class="block">
            <h3>{form.words.text(ConfigMsg::Plugins)}{picker(form)}</h3>
            <ul class="plugins">
                {match point {
                    None => everywhere(form, profile),
                    Some((name, point)) => at_point(form, profile, name, *point),
                }}
            </ul>
            {form.was(&path, &form.words.text(ConfigMsg::Plugins))}
            <p class="foot dim">{form.words.text(if point.is_some() { ConfigMsg::PointHint } else { ConfigMsg::OrderHint })}</p>
        </section>
    }
}

/// The choice of the extension point.
fn picker(form: &Form<'_>) -> Html {
    let shared = Rc::clone(form.shared);
    let send = form.env.send.clone();
    let change = Callback::from(move |event: Event| {
        let list = event.target_dyn_into::<HtmlSelectElement>();
        let index = list.and_then(|list| usize::try_from(list.selected_index()).ok());
        // The first is all of them.
        let point =
            index.and_then(|index| POINTS.get(index.checked_sub(1)?)).map(|(name, _)| *name);
        let shared = Rc::clone(&shared);
        send.emit(task(move |_| shared.borrow_mut().point = point));
    });
    let names = std::iter::once(ALL).chain(POINTS.map(|(name, _)| name));
    let options: Vec<(AttrValue, AttrValue)> =
        names.map(|name| (name.into(), name.into())).collect();
    let label = form.words.text(ConfigMsg::ExtensionPoint);
    choice(Some(label), &options, &form.shown.point.unwrap_or(ALL).into(), change)
}

/// A plugin in the list.
struct Row {
    name: String,
    /// Whether it runs.
    on: bool,
    /// What turns it on or off.
    switch: Vec<Step>,
    /// The path of its weight, and the weight that it has by default.
    weight: Option<(String, i32)>,
    /// Its place among those that are on, and how many there are; none if it cannot be moved.
    place: Option<(usize, usize)>,
    /// Whether it is on or off other than by default.
    differs: bool,
}

/// The default weight of a plugin; none if it is off by default.
fn usual(name: &str) -> Option<i32> {
    let defaults = default_plugins().multi_point.enabled;
    defaults.iter().find(|plugin| plugin.name == name).map(|plugin| plugin.weight.max(1))
}

fn scores(name: &str) -> bool {
    PluginId::from_name(name).is_some_and(|id| id.implements(ExtensionPoint::Score))
}

fn item(name: &str) -> Node<'static> {
    let weight = usual(name).filter(|_| scores(name));
    match weight {
        Some(weight) => mapping([("name", text(name)), ("weight", number(&weight.to_string()))]),
        None => mapping([("name", text(name))]),
    }
}

/// Where a plugin that is turned on comes: behind those that are before it by default.
fn home(set: &PluginSet, name: &str) -> usize {
    let defaults = default_plugins().multi_point.enabled;
    let Some(own) = defaults.iter().position(|plugin| plugin.name == name) else {
        return set.enabled.len();
    };
    let before = |plugin: &str| defaults.iter().take(own).any(|other| other.name == plugin);
    set.enabled.iter().rposition(|plugin| before(&plugin.name)).map_or(0, |place| place + 1)
}

fn everywhere(form: &Form<'_>, profile: &ProfileConfig) -> Html {
    let set = &profile.plugins.multi_point;
    let list = [&*form.profile(), ".plugins.multiPoint.enabled"].concat();
    let count = set.enabled.len();
    let mut rows = Vec::new();
    for (place, plugin) in set.enabled.iter().enumerate() {
        let path = [&*list, "[", &place.to_string(), "]"].concat();
        rows.push(Row {
            name: plugin.name.clone(),
            on: true,
            weight: scores(&plugin.name)
                .then(|| ([&*path, ".weight"].concat(), usual(&plugin.name).unwrap_or(1))),
            switch: vec![Step::Remove(path)],
            place: Some((place, count)),
            differs: usual(&plugin.name).is_none(),
        });
    }
    for id in PluginId::ALL {
        let name = id.name();
        if !set.enabled.iter().any(|plugin| plugin.name == name) {
            rows.push(Row {
                name: name.to_owned(),
                on: false,
                switch: vec![Step::Insert(list.clone(), home(set, name), item(name))],
                weight: None,
                place: None,
                differs: usual(name).is_some(),
            });
        }
    }
    html! { {for rows.into_iter().map(|row| line(form, &list, row))} }
}

fn at_point(
    form: &Form<'_>,
    profile: &ProfileConfig,
    point: &'static str,
    at: ExtensionPoint,
) -> Html {
    let Ok(running) = Profile::new(profile) else { return Html::default() };
    let plugins = &profile.plugins;
    let sets = plugins.points();
    let Some((_, set)) = sets.iter().find(|(name, _)| *name == point) else {
        return Html::default();
    };
    let base = [&*form.profile(), ".plugins."].concat();
    let on = running.plugins(at);
    let off = PluginId::ALL.iter().filter(|id| id.implements(at) && !on.contains(id));
    let mut rows = Vec::new();
    for id in on.iter().chain(off) {
        let name = id.name();
        let is_on = on.contains(id);
        let weight = (at == ExtensionPoint::Score && is_on).then(|| {
            // The point's own weight goes before that of all points.
            let own = set.enabled.iter().position(|plugin| plugin.name == name);
            let all = || plugins.multi_point.enabled.iter().position(|plugin| plugin.name == name);
            let (list, place) = match own {
                Some(place) => (point, place),
                None => (ALL, all().unwrap_or_default()),
            };
            let path = [&*base, list, ".enabled[", &place.to_string(), "].weight"].concat();
            (path, usual(name).unwrap_or(1))
        });
        rows.push(Row {
            name: name.to_owned(),
            on: is_on,
            switch: switch(&[&*base, point].concat(), set, &plugins.multi_point, name, is_on),
            weight,
            place: None,
            differs: is_on != usual(name).is_some(),
        });
    }
    html! { {for rows.into_iter().map(|row| line(form, point, row))} }
}

/// What turns a plugin on or off at one point.
fn switch(path: &str, set: &PluginSet, all: &PluginSet, name: &str, is_on: bool) -> Vec<Step> {
    let (enabled, disabled) = ([path, ".enabled"].concat(), [path, ".disabled"].concat());
    let item_of =
        |list: &str, place: usize| Step::Remove([list, "[", &place.to_string(), "]"].concat());
    let own = set.enabled.iter().position(|plugin| plugin.name == name);
    let everywhere = all.enabled.iter().any(|plugin| plugin.name == name);
    let none_by_default = set.disabled.iter().any(|other| other == "*");
    let mut steps = Vec::new();
    if is_on {
        steps.extend(own.map(|place| item_of(&enabled, place)));
        if everywhere && !none_by_default {
            steps.push(Step::Insert(disabled, usize::MAX, mapping([("name", text(name))])));
        }
        return steps;
    }
    let named = set.disabled.iter().position(|other| other == name);
    steps.extend(named.map(|place| item_of(&disabled, place)));
    if !everywhere || none_by_default {
        steps.push(Step::Insert(enabled, usize::MAX, item(name)));
    }
    steps
}

fn line(form: &Form<'_>, list: &str, row: Row) -> Html {
    let Row { name, on, switch, weight, place, differs } = row;
    let control = ["switch-", &*name].concat();
    let said = if on { ConfigMsg::DidOff } else { ConfigMsg::DidOn };
    let edit = Edit {
        control: control.clone(),
        name: form.words.fill(said, &[("what", &name)]),
        steps: switch,
        focus: Some(control.clone()),
        ..Edit::default()
    };
    let known = PluginId::from_name(&name);
    html! {
        <li key={name.clone()} class={if on { "" } else { "off" }}>
            <button type="button" role="switch" class="switch" id={control.clone()} aria-label={name.clone()}
                aria-checked={on.to_string()} onclick={form.on(edit)}></button>
            <span class="mono grow">{name.clone()}</span>
            if differs { <span class="tag differs">{form.words.text(if on { ConfigMsg::UsuallyOff } else { ConfigMsg::UsuallyOn })}</span> }
            if known.is_none() { <span class="tag warn">{form.words.text(ConfigMsg::NotSimulated)}</span> }
            if let Some((place, count)) = place { {moves(form, list, &name, place, count)} }
            if let Some((path, usual)) = weight { {weigh(form, &name, &path, usual)} }
            {wrong(form.mistakes, &control)}
        </li>
    }
}

/// A plugin's weight, and the way back to the one that it has by default.
fn weigh(form: &Form<'_>, name: &str, path: &str, usual: i32) -> Html {
    let what = called(name, "weight");
    let label = form.words.fill(ConfigMsg::WeightOf, &[("what", name)]);
    let now = form.value(path);
    let is_usual = now == usual.to_string() || (now.is_empty() && usual == 1);
    let usual = usual.to_string();
    let back = Edit {
        control: path.to_owned(),
        name: form.words.fill(ConfigMsg::DidReset, &[("what", &what)]),
        steps: vec![Step::Set(path.to_owned(), number(&usual))],
        focus: Some(path.to_owned()),
        ..Edit::default()
    };
    let blanks = [("what", &*what), ("value", &*usual)];
    html! {
        <span class="weigh">
            {form.slider(path, label, &what)}
            if !is_usual {
                <button type="button" class="was" aria-label={form.words.fill(ConfigMsg::ResetWhat, &blanks)}
                    onclick={form.on(back)}>{form.words.fill(ConfigMsg::DefaultIs, &blanks)}</button>
            }
            {wrong(form.mistakes, path)}
        </span>
    }
}

/// The buttons that move a plugin among those that are on.
fn moves(form: &Form<'_>, list: &str, name: &str, place: usize, count: usize) -> Html {
    let button = |msg: ConfigMsg, arrow: &'static str, id: &str, to: Option<usize>| {
        let control = [id, "-", name].concat();
        let label = form.words.fill(msg, &[("what", name)]);
        let disabled = to.is_none().to_string();
        let onclick = to.map_or_else(Callback::noop, |to| {
            form.on(Edit {
                control: ["switch-", name].concat(),
                name: form.words.fill(ConfigMsg::DidMove, &[("what", name)]),
                steps: vec![Step::Move(list.to_owned(), place, to)],
                focus: Some(control.clone()),
                ..Edit::default()
            })
        });
        html! {
            <button type="button" class="btn small icon-only" id={control} title={label.clone()} aria-label={label}
                aria-disabled={disabled} {onclick}>{arrow}</button>
        }
    };
    html! {
        <span class="moves">
            {button(ConfigMsg::Earlier, "↑", "up", place.checked_sub(1))}
            {button(ConfigMsg::Later, "↓", "down", Some(place + 1).filter(|to| *to < count))}
        </span>
    }
}
