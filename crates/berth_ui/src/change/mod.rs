//! Changes of nodes, pods and workloads that take a form, a controller or the API server: the commands of the editor that
//! do more than show something. A part of the program that is fetched when it is first needed, see [`crate::parts`].
//!
//! [`nodes`], [`zones`], [`pods`] and [`objects`] say what is done, [`acts`] makes it one step with a name; [`form`] asks
//! for what there is to know, [`add`] makes new things, [`workloads`] is the panel with the replicas.

mod acts;
mod add;
mod form;
mod nodes;
mod objects;
mod pods;
mod report;
mod workloads;
mod zones;

pub(crate) use acts::{fresh, stem};

use crate::app::App;
use crate::edit::Thing;
use crate::parts::{Call, Late, late};

late!(change, |app| {
    app.style(include_str!("../../../../web/styles/late/change.css"));
    Box::new(Changes)
});

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A node is added, in a new column if this is true.
    AddNode(bool),
    /// A pod is added.
    AddPod,
    /// A workload is added.
    AddWorkload,
    /// Nodes are closed for pods, or opened again.
    Cordon(bool),
    /// Things are copied.
    Copy,
    /// Things are removed.
    Delete,
    /// Nodes are drained.
    Drain,
    /// There is one more of each.
    Duplicate,
    /// Nodes get a label.
    Label,
    /// The nodes of a column are lost.
    Lose,
    /// Nodes are reachable, or not.
    Reach(bool),
    /// Nodes offer something else.
    Resize,
    /// Pods wait again.
    Return,
    /// Pods are scheduled.
    Schedule,
    /// Nodes get a taint.
    Taint,
    /// Workloads get other numbers of pods.
    Workloads,
}

/// This part.
struct Changes;

/// What a change is done with.
struct Scene<'a> {
    /// The application.
    app: &'a mut App,
    /// What it is done to.
    things: &'a [Thing],
}

impl Late for Changes {
    fn call(&mut self, app: &mut App, call: Call) {
        let Call::Change(change, things) = call else { return };
        let scene = &mut Scene { app, things: &things };
        match change {
            Change::AddNode(new_zone) => add::node(scene, new_zone),
            Change::AddPod => add::pod(scene),
            Change::AddWorkload => add::workload(scene),
            Change::Cordon(closed) => nodes::cordon(scene, closed),
            Change::Copy => objects::copy(scene),
            Change::Delete => objects::delete(scene),
            Change::Drain => nodes::drain_nodes(scene),
            Change::Duplicate => objects::duplicate(scene),
            Change::Label => nodes::label(scene),
            Change::Lose => zones::lose(scene),
            Change::Reach(reachable) => zones::outage(scene, reachable),
            Change::Resize => nodes::resize(scene),
            Change::Return => pods::release(scene),
            Change::Schedule => pods::schedule(scene),
            Change::Taint => nodes::taint(scene),
            Change::Workloads => workloads::open(scene.app),
        }
    }
}
