//! What is done to nodes: cordon, drain, taints, labels, allocatable.

use super::Scene;
use super::acts::{make, named, nodes, title};
use super::form::{Field, Form, Refused, Typed, open};
use super::report;
use crate::app::App;
use crate::edit::{EditMsg, EditWords, Thing};
use berth_core::admission::validation::{self, WrittenNode, WrittenTaint};
use berth_core::api::{Node, Object, Quantity, Taint, TaintEffect};
use berth_core::operations::drain::{Stay, drain};
use berth_core::playground::Command;
use std::sync::Arc;
use yew::AttrValue;

/// Closes nodes for pods, or opens them again.
pub(super) fn cordon(scene: &mut Scene<'_>, closed: bool) {
    let mut commands = Vec::new();
    for node in nodes(scene.app, scene.things) {
        if node.spec.unschedulable != closed {
            let mut node = Node::clone(&node);
            node.spec.unschedulable = closed;
            commands.push(put(node));
        }
    }
    let msg = if closed { EditMsg::DidCordon } else { EditMsg::DidUncordon };
    let name = title(scene.app, msg, scene.things);
    make(scene.app, &name, commands);
}

fn put(node: Node) -> Command {
    Command::Put(Object::Node(Arc::new(node)))
}

/// Evicts the pods of nodes, as far as the budgets allow it, and says which stay.
pub(super) fn drain_nodes(scene: &mut Scene<'_>) {
    let words: EditWords = scene.app.env().table();
    let name = title(scene.app, EditMsg::DidDrain, scene.things);
    let names = super::acts::node_names(scene.app, scene.things);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let Some(playground) = scene.app.engine().playground() else { return };
    let drained = drain(playground, &names, &name);
    let counts = [drained.evicted.len(), drained.replaced.len(), drained.stay.len()]
        .map(|count| count.to_string());
    let [evicted, replaced, stay] = counts.each_ref();
    let said = words.fill(
        EditMsg::SayDrained,
        &[
            ("what", &named(&words, scene.things)),
            ("evicted", evicted),
            ("replaced", replaced),
            ("stay", stay),
        ],
    );
    let mut lines: Vec<AttrValue> = Vec::new();
    for (pod, why) in &drained.stay {
        let why = match why {
            Stay::DaemonSet => words.text(EditMsg::StayDaemonSet).to_string(),
            Stay::Static => words.text(EditMsg::StayStatic).to_string(),
            Stay::Refused(_) => why.refusal().unwrap_or_default(),
        };
        lines.push([&*pod.to_string(), ": ", &why].concat().into());
    }
    if super::acts::apply(scene.app, drained.command, said.clone()) {
        report::show(scene.app, said, lines);
    }
}

/// Asks for a taint to add or remove.
pub(super) fn taint(scene: &mut Scene<'_>) {
    let now: Vec<String> = nodes(scene.app, scene.things)
        .iter()
        .flat_map(|node| node.spec.taints.iter().map(Taint::to_string).collect::<Vec<_>>())
        .collect();
    ask(
        scene,
        EditMsg::TaintTitle,
        EditMsg::TaintNote,
        &now,
        "taint",
        "key=value:NoSchedule",
        tainted,
    );
}

/// Asks for a label to set or remove.
pub(super) fn label(scene: &mut Scene<'_>) {
    let now: Vec<String> = nodes(scene.app, scene.things)
        .iter()
        .flat_map(|node| {
            node.metadata
                .labels
                .iter()
                .map(|(key, value)| [key, "=", value].concat())
                .collect::<Vec<_>>()
        })
        .collect();
    ask(scene, EditMsg::LabelTitle, EditMsg::LabelNote, &now, "label", "key=value", labelled);
}

/// A form with one field, and what there is now.
fn ask(
    scene: &mut Scene<'_>,
    heading: EditMsg,
    note: EditMsg,
    now: &[String],
    field: &'static str,
    hint: &'static str,
    submit: super::form::Submit,
) {
    let words: EditWords = scene.app.env().table();
    let mut each: Vec<&str> = Vec::new();
    for text in now {
        if !each.contains(&text.as_str()) {
            each.push(text);
        }
    }
    let now = if each.is_empty() { words.text(EditMsg::None).to_string() } else { each.join(", ") };
    let form = Form {
        title: title(scene.app, heading, scene.things),
        note: words.fill(note, &[("now", &now)]),
        fields: vec![Field::text(field, "", &["metadata", "spec"]).hint(hint)],
        things: scene.things.to_vec(),
        submit,
    };
    open(scene.app, form);
}

/// Adds or removes a taint as `kubectl taint` writes it: `key=value:Effect`, `key:Effect-`, `key-`.
fn tainted(app: &mut App, things: &[Thing], typed: &Typed) -> Result<AttrValue, Refused> {
    let text = typed.get("taint");
    let bad = || Refused::At("taint", ["invalid taint spec: ", text].concat());
    let (spec, removes) = text.strip_suffix('-').map_or((text, false), |spec| (spec, true));
    let (pair, effect) = spec.split_once(':').unwrap_or((spec, ""));
    let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
    if key.is_empty() || !removes && !spec.contains(':') {
        return Err(bad());
    }
    if !removes {
        // What the API server says of the taint.
        let written = WrittenTaint {
            key: key.into(),
            value: value.into(),
            effect: effect.into(),
            time_added: None,
        };
        let errors = validation::node(WrittenNode {
            node: &named_node(),
            taints: &[written],
            pod_cidrs: &[],
        });
        if !errors.is_empty() {
            return Err(Refused::Fields(errors));
        }
    }
    let effect = [TaintEffect::NoSchedule, TaintEffect::PreferNoSchedule, TaintEffect::NoExecute]
        .into_iter()
        .find(|known| known.as_str() == effect);
    change(app, things, EditMsg::DidTaint, |node| {
        let same =
            |taint: &Taint| taint.key == key && effect.is_none_or(|effect| taint.effect == effect);
        node.spec.taints.retain(|taint| !same(taint));
        if let (false, Some(effect)) = (removes, effect) {
            node.spec.taints.push(Taint { key: key.into(), value: value.into(), effect });
        }
    })
    .ok_or_else(bad)
}

/// Sets or removes a label as `kubectl label` writes it: `key=value`, `key-`.
fn labelled(app: &mut App, things: &[Thing], typed: &Typed) -> Result<AttrValue, Refused> {
    let text = typed.get("label");
    let bad = || Refused::At("label", ["invalid label spec: ", text].concat());
    let (key, value) = match (text.split_once('='), text.strip_suffix('-')) {
        (Some((key, value)), _) => (key, Some(value)),
        (None, Some(key)) => (key, None),
        (None, None) => return Err(bad()),
    };
    if let Some(value) = value {
        let mut node = named_node();
        node.metadata.labels.insert(key.into(), value.into());
        let errors = validation::node(WrittenNode { node: &node, taints: &[], pod_cidrs: &[] });
        if !errors.is_empty() {
            return Err(Refused::Fields(errors));
        }
    }
    change(app, things, EditMsg::DidLabel, |node| match value {
        Some(value) => drop(node.metadata.labels.insert(key.into(), value.into())),
        None => drop(node.metadata.labels.remove(key)),
    })
    .ok_or_else(bad)
}

/// A node of which only what is asked about can be wrong.
fn named_node() -> Node {
    let mut node = Node::default();
    node.metadata.name = "node".into();
    node
}

/// Changes nodes as one step; none if nothing changes.
fn change(
    app: &mut App,
    things: &[Thing],
    msg: EditMsg,
    edit: impl Fn(&mut Node),
) -> Option<AttrValue> {
    let mut commands = Vec::new();
    for before in nodes(app, things) {
        let mut node = Node::clone(&before);
        edit(&mut node);
        if node != *before {
            commands.push(put(node));
        }
    }
    if commands.is_empty() {
        return None;
    }
    let name = title(app, msg, things);
    make(app, &name, commands).then_some(name)
}

/// The resources that have a field of their own.
const RESOURCES: [&str; 3] = ["cpu", "memory", "pods"];

/// Asks for what nodes offer.
pub(super) fn resize(scene: &mut Scene<'_>) {
    let words: EditWords = scene.app.env().table();
    let all = nodes(scene.app, scene.things);
    let field = |name: &'static str| {
        let value = |node: &Arc<Node>| node.status.allocatable.get(name).map(Quantity::to_string);
        let first = all.first().and_then(value);
        let same = all.iter().all(|node| value(node) == first);
        Field::text(name, if same { first.unwrap_or_default() } else { String::new() }, &[])
    };
    let form = Form {
        title: title(scene.app, EditMsg::ResizeTitle, scene.things),
        note: words.text(EditMsg::ResizeNote),
        fields: RESOURCES.map(field).to_vec(),
        things: scene.things.to_vec(),
        submit: resized,
    };
    open(scene.app, form);
}

fn resized(app: &mut App, things: &[Thing], typed: &Typed) -> Result<AttrValue, Refused> {
    let mut amounts: Vec<(&'static str, Quantity)> = Vec::new();
    for name in RESOURCES {
        if !typed.get(name).is_empty() {
            amounts.push((name, quantity(name, typed)?));
        }
    }
    let nothing = app.env().table::<EditMsg>().text(EditMsg::NothingToDo);
    let changed = change(app, things, EditMsg::DidResize, |node| {
        for (name, amount) in &amounts {
            node.status.allocatable.insert((*name).into(), amount.clone());
        }
    });
    Ok(changed.unwrap_or(nothing))
}

/// The amount that was typed at a field, if the API server takes it.
pub(super) fn quantity(name: &'static str, typed: &Typed) -> Result<Quantity, Refused> {
    let text = typed.get(name);
    let amount = Quantity::parse(text).map_err(|error| Refused::At(name, error.to_string()))?;
    let mut node = named_node();
    node.status.allocatable.insert(name.into(), amount.clone());
    let errors = validation::node(WrittenNode { node: &node, taints: &[], pod_cidrs: &[] });
    match errors.first() {
        Some(error) => Err(Refused::At(name, error.to_string())),
        None => Ok(amount),
    }
}
