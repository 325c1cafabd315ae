//! A cluster under other names, to be shown to strangers.
//!
//! Every name, namespace, label value, image and every key that is not Kubernetes' own gets a pseudonym, the same
//! everywhere, so that whatever selected, matched or repelled does so still: the verdicts and scores stay what they
//! were. Pseudonyms of one kind sort as the names did, since the order of names decides here and there. Numbers,
//! times and the scheduler's own words stay. Which of several equal nodes is picked follows from a pod's name, and may
//! change.

mod kind;
mod names;
#[cfg(test)]
mod tests;
mod walk;

use berth_core::api::{Object, ObjectKey};
use berth_core::collections::{Map, Set, sort};
use berth_core::framework::config::Configuration;

use crate::link::State;
use kind::Kind;
use names::{is_kept, pseudonym};
use walk::walk;

/// A cluster without its history, under other names. What it is called and its story go.
pub fn redact(objects: &[Object], configuration: &Configuration, settings: &State) -> State {
    let mut state = State {
        objects: objects.to_vec(),
        configuration: configuration.clone(),
        selected: settings.selected.clone(),
        columns: settings.columns.clone(),
        ..State::default()
    };
    state.strip();
    let names = Names::of(&mut state);
    walk(&mut state, &mut |kind, text| names.replace(kind, text));
    state
}

/// The names with their pseudonyms.
#[derive(Default)]
struct Names {
    /// By realm and name.
    table: Map<(kind::Realm, String), String>,
}

impl Names {
    /// Gives every name of a state a pseudonym.
    fn of(state: &mut State) -> Self {
        let mut kinds: Map<(kind::Realm, String), Kind<'_>> = Map::new();
        let compared = compared_labels(state);
        let mut numbers: Set<String> = Set::new();
        walk(state, &mut |kind, text| {
            if let Kind::Value(key) = kind
                && compared.contains(key)
                && text.parse::<i64>().is_ok()
            {
                numbers.insert(text.clone());
            }
            if is_kept(kind, text) {
                return;
            }
            let known = kinds.get_or_insert_with((kind.realm(), text.clone()), || kind.named());
            // What it is called for first is what it is called after.
            if kind.named() < *known {
                *known = kind.named();
            }
        });
        let mut by_kind: Map<&'static str, Vec<(kind::Realm, String)>> = Map::new();
        for ((realm, text), kind) in &kinds {
            // Numbers that nodes are compared by stay numbers.
            if *realm == kind::Realm::Value && numbers.contains(text) {
                continue;
            }
            by_kind.or_insert(kind.prefix(), Vec::new()).push((*realm, text.clone()));
        }
        let mut names = Self::default();
        for (prefix, mut texts) in by_kind {
            sort(&mut texts);
            let digits = texts.len().to_string().len();
            for (index, (realm, text)) in texts.into_iter().enumerate() {
                let new = pseudonym(prefix, index + 1, digits);
                names.table.insert((realm, text), new);
            }
        }
        names
    }

    fn replace(&self, kind: Kind<'_>, text: &mut String) {
        if is_kept(kind, text) {
            return;
        }
        if let Some(new) = self.table.get(&(kind.realm(), text.clone())) {
            text.clone_from(new);
        }
    }
}

/// The labels that some selector compares as numbers.
fn compared_labels(state: &State) -> Set<String> {
    let mut keys = Set::new();
    for object in &state.objects {
        let spec = match object {
            Object::Pod(pod) => &pod.spec,
            Object::Workload(workload) => &workload.template.spec,
            _ => continue,
        };
        let affinity = spec.affinity.as_ref().and_then(|affinity| affinity.node_affinity.as_ref());
        let Some(affinity) = affinity else { continue };
        walk::requirements(affinity, &mut |requirement| {
            if matches!(&*requirement.operator, "Gt" | "Lt") {
                keys.insert(requirement.key.clone());
            }
        });
    }
    keys
}

/// A key under its new names.
fn rename(key: &mut ObjectKey, kind: Kind<'_>, replace: &mut dyn FnMut(Kind<'_>, &mut String)) {
    replace(Kind::Namespace, &mut key.namespace);
    replace(kind, &mut key.name);
}
