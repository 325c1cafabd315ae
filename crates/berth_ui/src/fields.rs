//! What is typed into a pod's fields: read, checked and made a change of the cluster. A part of the program that is
//! fetched when a field is first changed, see [`crate::parts`].
//!
//! The API server's validation looks at the whole pod as it would be (`berth_wire::validation`). An edit is refused for
//! what it brings, not for what was wrong before.

use crate::app::{App, PodEdit};
use crate::engine::Engine;
use crate::parts::{Call, Late, late};
use crate::state::Action;
use crate::view::{ClusterView, Mistake};
use berth_core::api::{FieldError, FieldErrors, Kind, Object, ObjectKey, Pod};
use berth_core::playground::Command;
use berth_wire::tree::json;
use berth_wire::{export, validation};
use std::rc::Rc;
use std::sync::Arc;
use yew::AttrValue;

late!(fields, |_| Box::new(Fields));

/// This part.
struct Fields;

impl Late for Fields {
    fn call(&mut self, app: &mut App, call: Call) {
        if let Call::Field(pod, edit) = call {
            change(app, &pod, &edit);
        }
    }
}

/// Changes a field of a pod, or says at its control why not.
fn change(app: &mut App, pod: &str, edit: &PodEdit) {
    match edited(app.engine(), pod, edit, &keys(app.cluster())) {
        Ok(changed) => {
            if let (Some(changed), Some(playground)) = (changed, app.engine_mut().playground_mut())
            {
                // A pod is put as it is.
                let _ = playground.apply(Command::Put(Object::Pod(Arc::new(changed))));
            }
            app.act(Action::Mistakes(Rc::default()));
            app.renew();
            // The new verdict in one sentence.
            if let Some(message) = app.inspector().map(|view| view.event.message.clone()) {
                app.tell(message);
            }
        }
        Err(message) => {
            let (control, typed) = (edit.control(), edit.value());
            app.tell(message.clone());
            app.act(Action::Mistakes(Rc::new([Mistake { control, typed, message }])));
        }
    }
}

/// The topology keys that a new constraint can have: that of the columns first.
fn keys(cluster: &ClusterView) -> Vec<&str> {
    let columns = if cluster.key.is_empty() { "kubernetes.io/hostname" } else { &cluster.key };
    std::iter::once(columns).chain(cluster.keys.iter().map(AttrValue::as_str)).collect()
}

/// The pod with an edit made, if that changes it; the error says what is wrong with the new value.
fn edited(
    engine: &Engine,
    pod: &str,
    edit: &PodEdit,
    keys: &[&str],
) -> Result<Option<Pod>, AttrValue> {
    let Some((before, now)) = engine.edited(pod, edit, keys)? else { return Ok(None) };
    if now == *before {
        return Ok(None);
    }
    let text = engine.text_of(Kind::Pod, &ObjectKey::parse(pod));
    let known = errors(text, &before);
    let mut new = errors(text, &Arc::new(now.clone()));
    new.retain(|error| !known.contains(error));
    match FieldErrors::check(new) {
        Ok(()) => Ok(Some(now)),
        Err(errors) => Err(errors.to_string().into()),
    }
}

/// What the API server has against a pod that came from this text.
fn errors(text: Option<&str>, pod: &Arc<Pod>) -> Vec<FieldError> {
    let written = export::object(text, &Object::Pod(Arc::clone(pod)));
    json::parse(&written).map(|node| validation::errors(Kind::Pod, &node)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::edited;
    use crate::app::PodEdit;
    use crate::engine::Engine;
    use crate::locale::Locale;
    use berth_core::api::Object;
    use berth_core::playground::Command;
    use std::sync::Arc;

    /// What is said about an edit of the pod that waits in the cluster which the page opens with.
    fn said(edit: &PodEdit) -> String {
        let mut engine = Engine::default();
        engine.open_example(&Locale::english()).unwrap();
        let outcome = edited(&engine, "shop/web-6", edit, &["zone"]);
        outcome.map_or_else(|error| error.to_string(), |pod| format!("{}", pod.is_some()))
    }

    #[test]
    fn what_the_api_server_refuses_is_said_in_its_words_with_its_path() {
        let first = "spec.topologySpreadConstraints[0]";
        for (edit, want) in [
            (PodEdit::MaxSkew(0, "1".into()), "false".to_owned()),
            (PodEdit::MaxSkew(0, "2".into()), "true".to_owned()),
            (
                PodEdit::MaxSkew(0, "0".into()),
                format!("{first}.maxSkew: Invalid value: 0: must be greater than zero"),
            ),
            (
                PodEdit::MinDomains(0, "-1".into()),
                format!("{first}.minDomains: Invalid value: -1: must be greater than zero"),
            ),
            (
                PodEdit::MatchLabelKeys(0, "app".into()),
                format!(
                    "{first}[0]: Invalid value: \"app\": exists in both matchLabelKeys and \
                     labelSelector"
                ),
            ),
            (
                PodEdit::Selector(0, "".into()),
                "true".to_owned(),
            ),
            (
                PodEdit::Selector(0, "app in ()".into()),
                format!(
                    "{first}.labelSelector.matchExpressions[0].values: Required value: must be specified when \
                     `operator` is 'In' or 'NotIn'"
                ),
            ),
            (
                PodEdit::TopologyKey(0, "".into()),
                format!("{first}.topologyKey: Required value: can not be empty"),
            ),
            (
                PodEdit::Request("cpu".into(), "-1".into()),
                "spec.containers[0].resources.requests[cpu]: Invalid value: \"-1\": must be greater than or equal to 0"
                    .to_owned(),
            ),
        ] {
            assert_eq!(said(&edit), want, "{edit:?}");
        }
        let label = said(&PodEdit::Label("-=x".into()));
        assert!(
            label.starts_with("metadata.labels: Invalid value: \"-\": name part must"),
            "{label}"
        );
    }

    #[test]
    fn constraints_are_added_until_every_key_is_taken() {
        let mut engine = Engine::default();
        engine.open_example(&Locale::english()).unwrap();
        let key = "topology.kubernetes.io/zone";
        let add = |engine: &Engine| edited(engine, "shop/web-6", &PodEdit::AddConstraint, &[key]);
        let second = add(&engine).unwrap().unwrap();
        let put = Command::Put(Object::Pod(Arc::new(second)));
        engine.playground_mut().unwrap().apply(put).unwrap();
        let message = add(&engine).unwrap_err();
        assert_eq!(
            &*message,
            "spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: \
             \"{topology.kubernetes.io/zone, DoNotSchedule}\""
        );
    }
}
