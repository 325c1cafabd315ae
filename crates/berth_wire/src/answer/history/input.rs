//! The input of a history.

use berth_core::api::Object;
use berth_core::framework::config::Configuration;
use berth_core::queue::Instant;
use berth_core::simulation::{Kubelet, Parameters, Simulation};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::answer::scenario::{decode, first};
use crate::simulate::{EPOCH, with_namespaces};
use crate::steps::{Step, WrittenKubelet, nanoseconds};
use crate::{config, manifest, tree};

/// A cluster with everything that is to be done to it.
pub(super) struct Input {
    pub(super) name: String,
    pub(super) simulation: Simulation,
    pub(super) until: Instant,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written<'a> {
    #[serde(default)]
    name: String,
    #[serde(borrow, default)]
    config: Option<&'a RawValue>,
    #[serde(borrow, default)]
    objects: Vec<&'a RawValue>,
    #[serde(default)]
    actions: Vec<Step>,
    until: f64,
    #[serde(default)]
    kubelet: WrittenKubelet,
}

/// Reads an input, and has the simulation at second 0.
pub(super) fn load(text: &str) -> Result<Input, String> {
    let written: Written<'_> =
        serde_json::from_str(text).map_err(|error| format!("bad input: {error}"))?;
    if !(written.until > 0.0 && written.until <= 86_400.0) {
        return Err("until must be between 0 and 86400 seconds".to_owned());
    }
    let configuration = match written.config.filter(|config| config.get() != "null") {
        Some(config) => {
            let tree = tree::json::parse(config.get()).map_err(|error| error.message)?;
            config::decode(&tree).map_err(|findings| format!("config: {}", first(&findings)))?
        }
        None => Configuration::default(),
    };
    let mut objects = Vec::new();
    for (place, object) in written.objects.iter().enumerate() {
        objects.extend(parse(object.get()).map_err(|error| format!("object {place}: {error}"))?);
    }
    let until = Instant(nanoseconds(written.until));
    let mut commands = Vec::new();
    for action in written.actions {
        let at = Instant(action.at);
        if at <= until {
            commands.push((at, action.command().map_err(|error| format!("action: {error}"))?));
        }
    }
    commands.sort_by_key(|(at, _)| *at);
    with_namespaces(&mut objects, commands.iter().map(|(_, command)| command));
    let kubelet = Kubelet { stands_in: true, ..written.kubelet.try_into()? };
    let parameters = Parameters { epoch: EPOCH, kubelet, ..Parameters::default() };
    let mut simulation = Simulation::new(objects, &configuration, parameters)
        .map_err(|error| format!("config: {error}"))?;
    let mut last = Instant(i64::MIN);
    for (at, command) in commands {
        // Requests are sent one after the other.
        last = at.max(last.after(1));
        simulation.plan(last, command);
    }
    Ok(Input { name: written.name, simulation, until })
}

fn parse(text: &str) -> Result<Option<Object>, String> {
    let tree = tree::json::parse(text).map_err(|error| error.message)?;
    let mut object = decode(&tree)?;
    if let Some(object) = &mut object {
        manifest::note_template(object, &tree);
    }
    Ok(object)
}
