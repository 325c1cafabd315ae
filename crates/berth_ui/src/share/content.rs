//! What can be taken away, and what each of it says.

use super::picture::picture;
use super::state::{play, redacted, state};
use super::words::{ShareMsg, ShareWords};
use crate::app::App;
use crate::engine::{Ask, Engine};
use crate::locale::Msg;
use berth_core::api::{Kind, Object, ObjectKey};
use berth_core::playground::Playground;
use berth_wire::link::{LinkError, State};
use berth_wire::manifest::{Entrance, Report};
use berth_wire::{describe, export, simulator};
use yew::AttrValue;

/// A link up to this long survives everywhere.
const FINE: usize = 2_000;
/// A longer one than this does not survive chats.
const RISKY: usize = 8_000;

/// What is to be taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// The whole state.
    Link,
    /// Manifests.
    Yaml,
    /// The same as JSON.
    Json,
    /// A snapshot of kube-scheduler-simulator.
    Simulator,
    /// The selected pod, described.
    Text,
    /// The board.
    Picture,
}

impl What {
    /// All, in the order in which they are offered.
    pub(super) const ALL: [Self; 6] =
        [Self::Link, Self::Yaml, Self::Json, Self::Simulator, Self::Text, Self::Picture];

    /// What it is called.
    pub(super) const fn title(self) -> ShareMsg {
        match self {
            Self::Link => ShareMsg::Link,
            Self::Yaml => ShareMsg::Yaml,
            Self::Json => ShareMsg::Json,
            Self::Simulator => ShareMsg::Simulator,
            Self::Text => ShareMsg::Text,
            Self::Picture => ShareMsg::Picture,
        }
    }

    /// The name of its file; a link has none.
    pub(super) const fn file(self) -> Option<&'static str> {
        match self {
            Self::Link => None,
            Self::Yaml => Some("cluster.yaml"),
            Self::Json => Some("cluster.json"),
            Self::Simulator => Some("snapshot.json"),
            Self::Text => Some("pod.txt"),
            Self::Picture => Some("board.svg"),
        }
    }
}

/// Something to be taken away, ready.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Content {
    /// What it is.
    pub(super) what: What,
    /// Whether it is under other names.
    pub(super) redacted: bool,
    /// What is taken.
    pub(super) text: AttrValue,
    /// What it holds, and what to look out for.
    pub(super) notes: Vec<AttrValue>,
    /// Whether the first note is a warning.
    pub(super) warns: bool,
}

/// Makes it.
pub(super) fn content(app: &mut App, what: What, under_other_names: bool) -> Content {
    let words: ShareWords = app.env().table();
    let mut content = Content {
        what,
        redacted: under_other_names,
        text: AttrValue::default(),
        notes: Vec::new(),
        warns: false,
    };
    let state = if under_other_names { redacted(app) } else { state(app) };
    match what {
        What::Link => link(app, &words, &state, &mut content),
        What::Yaml | What::Json | What::Simulator => file(app, &words, &state, &mut content),
        What::Text => {
            let key = state.selected.clone();
            let text = if under_other_names {
                play(&state).ok().and_then(|(mut own, _)| described(&mut own, key.as_ref()))
            } else {
                app.engine_mut().playground_mut().and_then(|own| described(own, key.as_ref()))
            };
            content.notes.push(words.text(match text {
                Some(_) => ShareMsg::TextHolds,
                None => ShareMsg::NoPod,
            }));
            content.text = text.unwrap_or_default().into();
        }
        What::Picture => {
            content.text = if under_other_names {
                other_picture(app, &state)
            } else {
                picture(app.cluster(), &app.env().words).into()
            };
        }
    }
    content
}

fn described(playground: &mut Playground, key: Option<&ObjectKey>) -> Option<String> {
    describe::pod(playground, key?)
}

fn link(app: &App, words: &ShareWords, state: &State, content: &mut Content) {
    match state.seal() {
        Ok(fragment) => {
            let link = [crate::dom::address(), fragment].concat();
            let length = link.len().to_string();
            let msg = if link.len() > RISKY {
                ShareMsg::LengthLong
            } else if link.len() > FINE {
                ShareMsg::LengthRisky
            } else {
                ShareMsg::LengthFine
            };
            content.warns = msg != ShareMsg::LengthFine;
            content.notes.push(words.fill(msg, &[("n", &length)]));
            content.text = link.into();
        }
        Err(error) => {
            content.warns = true;
            content.notes.push(if let LinkError::TooLong { length, most } = error {
                let (length, most) = (length.to_string(), most.to_string());
                words.fill(ShareMsg::LinkLong, &[("n", &length), ("most", &most)])
            } else {
                let most = Entrance::InflatedLink.most_bytes().to_string();
                words.fill(ShareMsg::LinkMuch, &[("most", &most)])
            });
        }
    }
    let count = |kind: Kind| state.objects.iter().filter(|object| object.kind() == kind).count();
    let blanks = [
        ("nodes", &*app.env().words.count(Msg::Nodes, count(Kind::Node) as u32)),
        ("pods", &*app.env().words.count(Msg::Pods, count(Kind::Pod) as u32)),
        ("steps", &*words.count(ShareMsg::Steps, state.log.len() as u32)),
    ];
    content.notes.push(words.fill(ShareMsg::Holds, &blanks));
}

fn file(app: &mut App, words: &ShareWords, state: &State, content: &mut Content) {
    let (report, objects) = app.engine().objects();
    let other;
    let (report, objects): (&Report, &[Object]) = if content.redacted {
        other = Report::default();
        (&other, &state.objects)
    } else {
        (&*report, &objects)
    };
    let text = match content.what {
        What::Yaml => export::yaml(report, objects),
        What::Json => export::json(report, objects),
        _ => match playground(app, state, content.redacted) {
            Some(mut own) => simulator::snapshot(report, objects, &mut own),
            None => String::new(),
        },
    };
    content.notes.push(words.text(match content.what {
        What::Simulator => ShareMsg::SimulatorHolds,
        _ if content.redacted => ShareMsg::DropsHistory,
        _ => ShareMsg::FileHolds,
    }));
    content.text = text.into();
}

/// A playground to ask, which nobody looks at.
fn playground(app: &App, state: &State, under_other_names: bool) -> Option<Playground> {
    if under_other_names {
        return play(state).ok().map(|(playground, _)| playground);
    }
    app.engine().playground().map(Playground::scratch)
}

/// The board under other names.
fn other_picture(app: &App, state: &State) -> AttrValue {
    let mut engine = Engine::default();
    let report = Report { configuration: Some(state.configuration.clone()), ..Report::default() };
    // What was there can be opened again.
    if engine.open(AttrValue::default(), report, state.objects.clone()).is_err() {
        return AttrValue::default();
    }
    let ask = Ask {
        selected: state.selected.as_ref().map(|key| key.to_string().into()),
        columns: state.columns.clone().map(Into::into),
    };
    let (cluster, _) = engine.views(&ask, &app.env().words);
    picture(&cluster, &app.env().words).into()
}
