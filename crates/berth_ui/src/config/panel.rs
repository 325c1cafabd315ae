//! The panel: what holds for all profiles, which profile is shown, and its plugins and arguments.

use super::change::{Edit, configure};
use super::form::Form;
use super::words::{ConfigMsg, ConfigWords};
use super::{Read, Shown, arguments, plugins};
use crate::app::Intent;
use crate::components::{Shape, choice, icon, wrong};
use crate::editor::Target;
use crate::env::use_env;
use crate::locale::Msg;
use crate::parts::Call;
use crate::tool::task;
use crate::view::Mistake;
use berth_core::framework::config::Configuration;
use berth_wire::config::edit::Step;
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::HtmlSelectElement;
use yew::{AttrValue, Callback, Event, Html, Properties, TargetCast, component, html};

/// Something that is the same as long as it is the same one.
pub(super) struct Same<T: ?Sized>(pub(super) Rc<T>);

impl<T: ?Sized> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// Properties of [`ConfigPanel`].
#[derive(PartialEq, Properties)]
pub(super) struct ConfigPanelProps {
    /// The configuration.
    pub(super) read: Same<Read>,
    /// What of it is shown.
    pub(super) shown: Rc<Shown>,
    /// The same, to be changed.
    pub(super) shared: Same<RefCell<Shown>>,
    /// The values that were refused.
    pub(super) mistakes: Rc<[Mistake]>,
}

/// The panel. A component, so that it is drawn anew only when something of it changes: a field keeps what is being typed.
#[component]
pub(super) fn ConfigPanel(props: &ConfigPanelProps) -> Html {
    let env = use_env();
    let words: ConfigWords = env.table();
    let form = Form {
        env: &env,
        words: &words,
        shared: &props.shared.0,
        shown: &props.shown,
        read: &props.read.0,
        mistakes: &props.mistakes,
    };
    let yaml = Call::Yaml(Target::Configuration, "#open-rules");
    html! {
        <aside class="side config" aria-labelledby="config-title" data-sheet="full">
            <header>
                {icon(Shape::Table)}
                <h2 id="config-title" class="clip" tabindex="-1">{words.text(ConfigMsg::Title)}</h2>
                <span class="grow"></span>
                <button type="button" class="btn small line" onclick={env.on(Call::Compare("#open-rules").into())}
                    title={words.text(ConfigMsg::Compare)}>{"A/B"}</button>
                <button type="button" class="btn small line" onclick={env.on(yaml.into())}>{"YAML"}</button>
                <button type="button" class="btn icon-only" aria-label={env.words.text(Msg::Close)}
                    onclick={env.on(Intent::CloseSide)}>{icon(Shape::Cross)}</button>
            </header>
            <div class="side-body">
                {fields(&form)}
            </div>
        </aside>
    }
}

fn fields(form: &Form<'_>) -> Html {
    let is_default = form.read.now == Configuration::default();
    html! {
        <>
            <section class="block">
                <h3>{form.words.text(ConfigMsg::AllProfiles)}
                    if is_default {
                        <span class="num">{form.words.text(ConfigMsg::IsDefault)}</span>
                    } else {
                        <button type="button" class="btn small" onclick={reset(form)}>{form.words.text(ConfigMsg::ResetAll)}</button>
                    }
                </h3>
                <div class="rule">
                    {form.number("percentageOfNodesToScore", "percentageOfNodesToScore", "")}
                    {form.number("podInitialBackoffSeconds", "podInitialBackoffSeconds", "")}
                    {form.number("podMaxBackoffSeconds", "podMaxBackoffSeconds", "")}
                </div>
            </section>
            {profile(form)}
            {plugins::block(form)}
            {arguments::block(form)}
        </>
    }
}

/// Takes everything back to the defaults.
fn reset(form: &Form<'_>) -> Callback<yew::MouseEvent> {
    let name = form.words.text(ConfigMsg::DidResetAll);
    form.env.on(task(move |app| {
        // The default can always run.
        if let Err(message) = configure(app, Configuration::default(), &name) {
            app.tell(message.into());
        }
        app.focus("#config-title");
    }))
}

/// The choice of a profile, its name, and one more or one fewer.
fn profile(form: &Form<'_>) -> Html {
    let words = form.words;
    let profiles = &form.read.now.profiles;
    let path = form.profile();
    let names: Vec<(AttrValue, AttrValue)> = profiles
        .iter()
        .map(|profile| profile.scheduler_name.clone().into())
        .map(|name: AttrValue| (name.clone(), name))
        .collect();
    let current = names.get(form.shown.profile).map(|(name, _)| name.clone()).unwrap_or_default();
    let (shared, send) = (Rc::clone(form.shared), form.env.send.clone());
    let pick = Callback::from(move |event: Event| {
        let list = event.target_dyn_into::<HtmlSelectElement>();
        let index = list.and_then(|list| usize::try_from(list.selected_index()).ok());
        let shared = Rc::clone(&shared);
        send.emit(task(move |_| shared.borrow_mut().profile = index.unwrap_or_default()));
    });
    let (name, share) =
        ([&*path, ".schedulerName"].concat(), [&*path, ".percentageOfNodesToScore"].concat());
    html! {
        <section class="block">
            <h3>{words.text(ConfigMsg::Profile)}<span class="num">{profiles.len()}</span>
                {form.icon_button(Some("add-profile".to_owned()), Shape::Plus, words.text(ConfigMsg::AddProfile), Some(another(form)))}
                {form.icon_button(None, Shape::Cross, words.fill(ConfigMsg::RemoveProfile, &[("what", &current)]), fewer(form, &current))}
            </h3>
            if profiles.len() > 1 { {choice(Some(words.text(ConfigMsg::Profile)), &names, &current, pick)} }
            <div class="rule">
                {form.text(&name, "schedulerName", "")}
                {form.number(&share, "percentageOfNodesToScore", &current)}
            </div>
            {wrong(form.mistakes, "profiles")}
        </section>
    }
}

/// A copy of the profile that is shown, under a name of its own.
fn another(form: &Form<'_>) -> Edit {
    let profiles = &form.read.now.profiles;
    let has = |name: &str| profiles.iter().any(|profile| profile.scheduler_name == name);
    let mut name = "second-scheduler".to_owned();
    let mut number = profiles.len();
    while has(&name) {
        number += 1;
        name = ["scheduler-", &number.to_string()].concat();
    }
    let place = profiles.len();
    let own = ["profiles[", &place.to_string(), "]"].concat();
    let copy = form.find(&form.profile()).cloned();
    let copy = copy.unwrap_or_else(|| berth_wire::config::edit::mapping([]));
    let control = [&*own, ".schedulerName"].concat();
    Edit {
        control: "profiles".to_owned(),
        name: form.words.fill(ConfigMsg::DidAdd, &[("what", &name)]),
        steps: vec![
            Step::Insert("profiles".to_owned(), place, copy),
            Step::Set(control.clone(), berth_wire::config::edit::text(&name)),
        ],
        focus: Some(control),
        profile: Some(place),
        ..Edit::default()
    }
}

/// One profile fewer; the last one stays.
fn fewer(form: &Form<'_>, name: &str) -> Option<Edit> {
    (form.read.now.profiles.len() > 1).then(|| Edit {
        control: "profiles".to_owned(),
        name: form.words.fill(ConfigMsg::DidRemove, &[("what", name)]),
        steps: vec![Step::Remove(form.profile())],
        focus: Some("add-profile".to_owned()),
        profile: Some(0),
        ..Edit::default()
    })
}
