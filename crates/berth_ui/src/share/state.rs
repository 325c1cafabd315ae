//! The state of the page as a value, and back.

use super::ShareWords;
use super::words::ShareMsg;
use crate::app::{App, Heading};
use crate::state::Action;
use berth_core::api::ObjectKey;
use berth_core::collections::Set;
use berth_core::framework::config::Configuration;
use berth_core::playground::{self, Command, Machine, Playground};
use berth_wire::config;
use berth_wire::link::{LinkError, MOST_COMMANDS, State, outcome, present};
use berth_wire::manifest::Report;
use berth_wire::redact::redact;
use berth_wire::tree::write;

/// Everything that a link holds of the page as it is.
pub(super) fn state(app: &App) -> State {
    let Some(playground) = app.engine().playground() else { return State::default() };
    let (name, objects, configuration) = app.engine().opened_with();
    let mut state = State {
        name: name.to_string(),
        story: app.story_text().to_string(),
        objects: objects.to_vec(),
        configuration,
        log: playground.whole_log().cloned().collect(),
        cursor: playground.log().count() as u32,
        selected: app.state().selected.as_deref().map(ObjectKey::parse),
        columns: app.state().columns.as_deref().map(str::to_owned),
        outcome: Some(outcome(playground.cluster())),
    };
    if state.log.len() > MOST_COMMANDS {
        state.objects = present(playground.cluster());
        state.configuration = playground.configuration().clone();
        state.log.clear();
        state.cursor = 0;
    }
    state
}

/// The same under other names: the cluster as it stands, without its history.
pub(super) fn redacted(app: &App) -> State {
    let Some(playground) = app.engine().playground() else { return State::default() };
    redact(&present(playground.cluster()), playground.configuration(), &state(app))
}

/// A playground that holds what a state holds, with the pods that were put on nodes without asking the scheduler.
pub(super) fn play(state: &State) -> Result<(Playground, Set<(ObjectKey, String)>), LinkError> {
    let mut playground = Playground::with_machine(
        state.objects.iter().cloned(),
        state.configuration.clone(),
        Machine::WHOLE,
    )
    .map_err(|error| LinkError::Content(error.to_string()))?;
    let mut bypassed = Set::new();
    state.replay(&mut playground, |command, outcome| {
        if let (
            Command::Place { pod, .. },
            playground::Outcome::Placed { node, bypassed: true, .. },
        ) = (command, outcome)
        {
            bypassed.insert((pod.clone(), node.clone()));
        }
    })?;
    Ok((playground, bypassed))
}

/// Shows what a state holds in the place of what is there. On an error nothing changes.
pub(super) fn show(app: &mut App, state: State) -> Result<(), LinkError> {
    let (playground, bypassed) = play(&state)?;
    let differs = state.outcome.is_some_and(|then| then != outcome(playground.cluster()));
    let State { name, story, objects, configuration, selected, columns, .. } = state;
    let engine = app.engine_mut();
    engine
        .open(name.clone().into(), report(configuration), objects)
        .map_err(|error| LinkError::Content(error.to_string()))?;
    engine.resume(playground, bypassed);
    let pod = selected.map(|key| key.to_string().into());
    app.opened(Heading { name: name.into(), pod, story: story.into() });
    if let Some(columns) = columns {
        app.act(Action::Columns(columns.into()));
    }
    if differs {
        let words: ShareWords = app.env().table();
        app.tell(words.text(ShareMsg::Differs));
    }
    Ok(())
}

/// What reading the configuration would have said.
fn report(configuration: Configuration) -> Report {
    if configuration == Configuration::default() {
        return Report::default();
    }
    let text = write::json(&config::encode(&configuration));
    Report {
        configuration: Some(configuration),
        configuration_text: Some(text.into()),
        ..Report::default()
    }
}
