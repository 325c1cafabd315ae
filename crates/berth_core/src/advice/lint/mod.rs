//! Constraints, affinity, priorities and budgets that do not do what they seem to.
//!
//! Each finding says where it is, and what it means in this cluster, with numbers. Some have a fix: a command that
//! takes the trap away and keeps what was probably meant.

mod affinity;
mod budgets;
mod counts;
mod priority;
mod problem;
mod spread;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use problem::{Problem, Severity};

use crate::api::{Kind, Object, ObjectKey, Pod};
use crate::cluster::{Cluster, PodInfo};
use crate::collections::sort_by;
use crate::framework::profile::Profile;
use crate::playground::{Command, CommandError, Playground};

/// Something that does not do what it seems to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What, with the numbers of this cluster.
    pub problem: Problem,
    /// Kind of the object.
    pub kind: Kind,
    /// The object.
    pub object: ObjectKey,
    /// The field, like `spec.topologySpreadConstraints[0].labelSelector`.
    pub path: String,
    /// The object without the trap.
    pub fix: Option<Object>,
}

impl Finding {
    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.problem.severity()
    }

    /// The command that fixes it, if there is one.
    pub fn command(&self, name: String) -> Option<Command> {
        let commands = alloc::vec![Command::Put(self.fix.clone()?)];
        Some(Command::Batch { name, commands })
    }
}

/// What is found about a pod, the budgets that select it, and the priority classes: the worst first.
pub fn lint(playground: &mut Playground, key: &ObjectKey) -> Result<Vec<Finding>, CommandError> {
    let standing =
        playground.cluster().pod_named(key).and_then(|idx| playground.cluster().pod(idx));
    let object = standing.map(|info| Arc::clone(&info.pod));
    let mut findings = playground.with_waiting(key, |cluster, profile, info| {
        let pod = object.as_deref().unwrap_or(&info.pod);
        let mut desk = Desk { cluster, profile, info, pod, findings: Vec::new() };
        spread::lint(&mut desk);
        affinity::lint(&mut desk);
        priority::lint(&mut desk);
        budgets::lint(&mut desk);
        desk.findings
    })?;
    sort_by(&mut findings, |a, b| b.severity().cmp(&a.severity()));
    Ok(findings)
}

/// What is looked at, and what was found.
struct Desk<'a> {
    cluster: &'a Cluster,
    profile: &'a Profile,
    /// The pod as it waits.
    info: &'a PodInfo,
    /// The pod as it is.
    pod: &'a Pod,
    findings: Vec<Finding>,
}

impl Desk<'_> {
    /// Notes a finding about the pod, with a fix if there is one.
    fn note(&mut self, path: String, problem: Problem, fix: Option<Pod>) {
        let fix = fix.map(|pod| Object::Pod(Arc::new(pod)));
        let object = self.pod.metadata.key();
        self.findings.push(Finding { problem, kind: Kind::Pod, object, path, fix });
    }

    /// The pod with something changed.
    fn fixed(&self, change: impl FnOnce(&mut Pod)) -> Pod {
        let mut pod = self.pod.clone();
        change(&mut pod);
        pod
    }
}
