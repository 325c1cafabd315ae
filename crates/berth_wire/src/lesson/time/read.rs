//! The time of a lesson, read.

use berth_core::queue::Instant;
use berth_core::simulation::{Command, Kubelet};

use super::{Request, Time, time};
use crate::lesson::read::Header;
use crate::manifest::decode;
use crate::steps::{self, WrittenKubelet};
use crate::tree::{Node, Value, write};

/// What a kubelet may be told, and what a rule of it may.
const KUBELET: [&str; 8] = [
    "staggerSeconds",
    "rules",
    "evictionHard",
    "evictionSoft",
    "evictionSoftGracePeriod",
    "evictionMinimumReclaim",
    "evictionMaxPodGracePeriod",
    "evictionPressureTransitionPeriod",
];
const TIMES: [&str; 7] = [
    "startSeconds",
    "exitSeconds",
    "preStopSeconds",
    "killSeconds",
    "runSeconds",
    "failSeconds",
    "exitCode",
];

impl Header<'_> {
    /// When the lesson ends, which is asked before anything else is read. None if it is not in time.
    pub(in crate::lesson) fn until(&mut self, lesson: &Node<'_>) -> Option<Instant> {
        let node = lesson.get("time")?;
        let Some(until) = node.get("until") else {
            self.wrong(node.start, "until is missing");
            return Some(super::LONGEST);
        };
        Some(match self.moment(until) {
            Some(Instant(0)) => {
                self.wrong(until.start, "a lesson takes some time");
                super::LONGEST
            }
            read => read.unwrap_or(super::LONGEST),
        })
    }

    /// The time of a lesson that ends then.
    pub(in crate::lesson) fn time(&mut self, node: &Node<'_>, until: Instant) -> Time {
        let mut out = Time {
            until,
            seed: 0,
            kubelet: Kubelet::default(),
            kubelet_text: "{}".to_owned(),
            given: Vec::new(),
            solution: Vec::new(),
        };
        if !matches!(node.value, Value::Mapping(_)) {
            self.wrong(node.start, format!("expected a mapping, found {}", node.kind()));
        }
        for entry in node.entries() {
            let value = &entry.value;
            match &*entry.key {
                "until" => {}
                "seed" => match value.as_i64().and_then(|seed| u64::try_from(seed).ok()) {
                    Some(seed) => out.seed = seed,
                    None => self.wrong(value.start, "the seed is a whole number"),
                },
                "kubelet" => {
                    out.kubelet = self.kubelet(value);
                    out.kubelet_text = write::json(value);
                }
                "steps" => {
                    let items = self.items(value).iter();
                    out.given = items.filter_map(|item| self.request(item, until)).collect();
                }
                other => self.wrong(entry.start, format!("unknown field {other:?}")),
            }
        }
        out.given.sort_by_key(|request| request.at);
        out
    }

    /// A time, as a duration or in seconds.
    fn moment(&mut self, node: &Node<'_>) -> Option<Instant> {
        let text = match &node.value {
            Value::String(text) => text.trim().to_owned(),
            _ => write::json(node),
        };
        time(&text).map_err(|message| self.wrong(node.start, message)).ok()
    }

    /// A request of a lesson that ends then.
    pub(in crate::lesson) fn request(
        &mut self,
        node: &Node<'_>,
        until: Instant,
    ) -> Option<Request> {
        let before = self.wrong.len();
        let mut at = None;
        if let Some(written) = node.get("at") {
            at = self.moment(written).inspect(|at| self.in_time(*at, until, written.start));
        } else {
            self.wrong(node.start, "at is missing");
        }
        for verb in ["create", "apply"] {
            if let Some(object) = node.get(verb) {
                self.object(object);
            }
        }
        if self.wrong.len() > before {
            return None;
        }
        let text = write::json(node);
        let command = self.command(node, &text)?;
        Some(Request { at: at?, text, command })
    }

    /// Says that a time is not one of the lesson, if so.
    pub(in crate::lesson) fn in_time(&mut self, at: Instant, until: Instant, place: u32) {
        if at > until {
            self.wrong(place, "the lesson has ended then");
        }
    }

    fn object(&mut self, node: &Node<'_>) {
        for found in decode(node, None).err().into_iter().flatten() {
            self.wrong(found.offset, format!("{}: {}", found.path, found.message));
        }
    }

    fn command(&mut self, node: &Node<'_>, text: &str) -> Option<Command> {
        let read = serde_json::from_str::<steps::Step>(text)
            .map_err(|error| error.to_string())
            .and_then(steps::Step::command);
        read.map_err(|message| {
            // The place of the field that the message names, if it names one.
            let named = message.split('`').nth(1);
            let entry = node.entries().iter().find(|entry| named == Some(&entry.key));
            self.wrong(entry.map_or(node.start, |entry| entry.start), in_short(&message));
        })
        .ok()
    }

    fn kubelet(&mut self, node: &Node<'_>) -> Kubelet {
        let before = self.wrong.len();
        self.only(node, &[&KUBELET[..], &TIMES].concat());
        for rule in node.get("rules").into_iter().flat_map(Node::items) {
            self.only(rule, &[&["label", "container"], &TIMES[..]].concat());
        }
        if self.wrong.len() > before {
            return Kubelet::default();
        }
        let read = serde_json::from_str::<WrittenKubelet>(&write::json(node))
            .map_err(|error| error.to_string())
            .and_then(Kubelet::try_from);
        read.unwrap_or_else(|message| {
            self.wrong(node.start, in_short(&message));
            Kubelet::default()
        })
    }

    /// Says which fields are none of these.
    fn only(&mut self, node: &Node<'_>, known: &[&str]) {
        for entry in node.entries().iter().filter(|entry| !known.contains(&&*entry.key)) {
            self.wrong(entry.start, format!("unknown field {:?}", entry.key));
        }
    }
}

/// A message without what it could have been, and without a place in a text that nobody has written.
fn in_short(message: &str) -> &str {
    let end =
        [", expected one of ", " at line "].into_iter().filter_map(|end| message.find(end)).min();
    message.get(..end.unwrap_or(message.len())).unwrap_or(message)
}
