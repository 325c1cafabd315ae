//! What a text is of.

use super::words::{EditorMsg, EditorWords};
use crate::engine::Engine;
use berth_core::api::{Kind, ObjectKey};
use berth_wire::tree::{json, write};
use berth_wire::{config, export};
use yew::AttrValue;

/// Something that can be edited as YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// An object.
    Object(Kind, ObjectKey),
    /// Everything there is.
    Cluster,
    /// The scheduler's configuration.
    Configuration,
}

impl Target {
    /// The pod `namespace/name`.
    pub fn pod(key: &str) -> Self {
        Self::Object(Kind::Pod, ObjectKey::parse(key))
    }

    /// The node of this name.
    pub fn node(name: &str) -> Self {
        Self::Object(Kind::Node, ObjectKey::new("", name))
    }

    /// What it is called.
    pub(super) fn name(&self, words: &EditorWords) -> AttrValue {
        match self {
            Self::Object(kind, key) => [kind.as_str(), " ", &key.to_string()].concat().into(),
            Self::Cluster => words.text(EditorMsg::Cluster),
            Self::Configuration => config::KIND.into(),
        }
    }

    /// What the API server checks of it and Berth does not.
    pub(super) fn unchecked(&self) -> EditorMsg {
        match self {
            Self::Object(Kind::Pod, _) => EditorMsg::UncheckedPod,
            Self::Object(Kind::Node, _) => EditorMsg::UncheckedNode,
            Self::Object(Kind::PriorityClass | Kind::PodDisruptionBudget, _) => {
                EditorMsg::UncheckedRule
            }
            Self::Object(..) => EditorMsg::UncheckedOther,
            Self::Cluster => EditorMsg::UncheckedCluster,
            Self::Configuration => EditorMsg::UncheckedConfiguration,
        }
    }

    /// It as it is now, as YAML; none if it is gone.
    pub(super) fn text(&self, engine: &Engine) -> Option<String> {
        let playground = engine.playground()?;
        let as_yaml = |text: &str| json::parse(text).ok().map(|node| write::yaml(&node));
        match self {
            Self::Object(kind, key) => {
                let object = playground.cluster().get(*kind, key)?;
                as_yaml(&export::object(engine.text_of(*kind, key), &object))
            }
            Self::Cluster => {
                let (report, objects) = engine.objects();
                Some(export::yaml(&report, &objects))
            }
            Self::Configuration => match engine.configuration_text() {
                Some(text) => as_yaml(text),
                None => Some(write::yaml(&config::encode(playground.configuration()))),
            },
        }
    }
}
