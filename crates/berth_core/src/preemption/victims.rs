//! The dry run: which pods would have to go from a node.
//!
//! Mirrors `DryRunPreemption` of `preemption.go` and `SelectVictimsOnNode` of
//! `default_preemption.go`. The node is a copy; what PreFilter prepared is changed in place as pods
//! go and come, and put back after each node.

use alloc::vec::Vec;
use core::fmt::Debug;

use super::importance::{Ranked, sort};
use super::ledger::{Charge, Ledger};
use crate::cluster::{NodeIdx, NodeInfo, PodIdx};
use crate::framework::cycle::{
    Verdict, add_pod, filter_node, filters, first_failure, first_failure_with_nominated,
    remove_pod, yields_to,
};
use crate::framework::fact::{Recorder, Silent, Sink};
use crate::framework::plugin::PluginId;
use crate::framework::state::{Context, FilterState};

/// The plugins whose verdict may change when pods go from the node.
const CHANGING: [PluginId; 4] = [
    PluginId::NodePorts,
    PluginId::NodeResourcesFit,
    PluginId::PodTopologySpread,
    PluginId::InterPodAffinity,
];

/// One thing that a dry run does or finds, in order.
#[derive(Clone, Debug)]
pub enum Step<S> {
    /// A lower pod is taken away.
    Removed(PodIdx),
    /// Without any lower pod the pod fits.
    Fits,
    /// A potential victim, the most important first, is charged to its budgets.
    Charged {
        /// The pod.
        pod: PodIdx,
        /// The budgets that select it.
        charges: Vec<Charge>,
        /// Whether it breaks one: such pods are put back first.
        violates: bool,
    },
    /// A potential victim is put back: it may stay, or the first plugin that then refuses.
    PutBack {
        /// The pod.
        pod: PodIdx,
        /// Whether it breaks a budget.
        violates: bool,
        /// What refuses; the pod is a victim then.
        refusal: Option<(Verdict, S)>,
        /// What was compared if the pod may stay, where the trace records that.
        kept: S,
    },
}

/// Takes what a dry run does.
pub trait Trace: Default {
    /// What takes the facts of plugins that refuse the pod although every lower pod is gone.
    type Refusal: Sink + Default + Clone + Debug;
    /// What takes the facts of plugins as pods are put back.
    type Facts: Sink + Default + Clone + Debug;
    /// Takes a step, which is made only if it is kept.
    fn step(&mut self, step: impl FnOnce() -> Step<Self::Facts>);
}

impl Trace for Silent {
    type Refusal = Self;
    type Facts = Self;
    fn step(&mut self, _: impl FnOnce() -> Step<Self>) {}
}

/// Keeps which pods were taken away, and why that did not help.
#[derive(Clone, Debug, Default)]
pub struct Brief(pub Vec<PodIdx>);

impl Trace for Brief {
    type Refusal = Recorder;
    type Facts = Silent;
    fn step(&mut self, step: impl FnOnce() -> Step<Silent>) {
        if let Step::Removed(pod) = step() {
            self.0.push(pod);
        }
    }
}

/// Keeps every step.
#[derive(Clone, Debug, Default)]
pub struct Steps(pub Vec<Step<Recorder>>);

impl Trace for Steps {
    type Refusal = Recorder;
    type Facts = Recorder;
    fn step(&mut self, step: impl FnOnce() -> Step<Recorder>) {
        self.0.push(step());
    }
}

/// The pods that have to go from a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Victims {
    /// The more important first.
    pub pods: Vec<Ranked>,
    /// How many of them break a budget.
    pub violations: i64,
}

/// How the dry run of a node ended.
#[derive(Clone, Debug)]
pub enum Outcome<S> {
    /// These pods would have to go.
    Candidate(Victims),
    /// No pod is lower.
    NoVictims,
    /// The pod does not fit even without any lower pod.
    Refused(Verdict, S),
    /// Every pod could be put back, which kube-scheduler reports as an error.
    NoneNeeded,
}

/// The dry run of a node.
#[derive(Clone, Debug)]
pub struct NodeRun<T: Trace> {
    /// The node.
    pub node: NodeIdx,
    /// How it ended.
    pub outcome: Outcome<T::Refusal>,
    /// What was done.
    pub trace: T,
}

/// What all dry runs of a cycle share.
#[derive(Debug)]
pub struct DryRun<'a> {
    cx: Context<'a>,
    /// Filter plugins that have something to do.
    filters: Vec<PluginId>,
    /// Those whose verdict may change as pods come back.
    changing: Vec<PluginId>,
    /// What PreFilter prepared.
    state: FilterState,
    ledger: Ledger,
}

/// A node whose pods go and come.
struct Bench<'a> {
    idx: NodeIdx,
    node: NodeInfo,
    cx: Context<'a>,
    nominated: bool,
}

impl Bench<'_> {
    fn take(&mut self, state: &mut FilterState, pod: PodIdx) {
        if let Some(info) = self.cx.cluster.pod(pod) {
            self.node.remove_pod(pod, info);
            remove_pod(state, &self.cx, info, self.idx, &self.node);
        }
    }

    fn put_back(&mut self, state: &mut FilterState, pod: PodIdx) {
        if let Some(info) = self.cx.cluster.pod(pod) {
            self.node.add_pod(pod, info);
            add_pod(state, &self.cx, info, self.idx, &self.node);
        }
    }

    fn refusal<S: Sink + Default>(
        &self,
        plugins: &[PluginId],
        state: &FilterState,
    ) -> Option<(Verdict, S)> {
        if self.nominated {
            first_failure_with_nominated(plugins, &self.cx, state, self.idx, &self.node)
        } else {
            first_failure(plugins, &self.cx, state, self.idx, &self.node)
        }
    }
}

impl<'a> DryRun<'a> {
    /// Begins with what PreFilter prepared.
    pub fn new(cx: Context<'a>, state: FilterState) -> Self {
        let filters = filters(&state, cx.profile);
        let mut changing = Vec::with_capacity(CHANGING.len());
        for &plugin in &filters {
            if CHANGING.contains(&plugin) {
                changing.push(plugin);
            }
        }
        Self { cx, filters, changing, state, ledger: Ledger::new(cx.cluster) }
    }

    /// What the cycle is about.
    pub fn context(&self) -> &Context<'a> {
        &self.cx
    }

    /// The disruption budgets.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Dry-runs one node.
    pub fn run<T: Trace>(&mut self, idx: NodeIdx) -> Option<NodeRun<T>> {
        let mut bench =
            Bench { idx, node: self.cx.cluster.node(idx)?.clone(), cx: self.cx, nominated: false };
        bench.nominated =
            self.cx.cluster.has_nominated() && yields_to(&self.cx, &bench.node).next().is_some();
        let saved = (self.state.spread.clone(), self.state.affinity.clone());
        let mut trace = T::default();
        let outcome = self.select(&mut bench, &mut trace);
        (self.state.spread, self.state.affinity) = saved;
        Some(NodeRun { node: idx, outcome, trace })
    }

    fn select<T: Trace>(&mut self, bench: &mut Bench<'_>, trace: &mut T) -> Outcome<T::Refusal> {
        let mut potential = self.lower_pods(&bench.node);
        if potential.is_empty() {
            return Outcome::NoVictims;
        }
        for victim in &potential {
            trace.step(|| Step::Removed(victim.pod));
            bench.take(&mut self.state, victim.pod);
        }
        if let Some((verdict, facts)) = bench.refusal(&self.filters, &self.state) {
            return Outcome::Refused(verdict, facts);
        }
        trace.step(|| Step::Fits);
        sort(&mut potential);
        let violates = self.charge(&potential, trace);
        let mut victims = Victims::default();
        // Those that break a budget are put back first, so that they are the likelier to stay.
        for violating in [true, false] {
            for (pod, violates) in potential.iter().zip(&violates) {
                if *violates != violating {
                    continue;
                }
                if !self.may_stay(bench, pod.pod, violating, trace) {
                    victims.pods.push(*pod);
                    victims.violations += i64::from(violating);
                }
            }
        }
        if violates.contains(&true) && violates.contains(&false) {
            sort(&mut victims.pods);
        }
        if victims.pods.is_empty() { Outcome::NoneNeeded } else { Outcome::Candidate(victims) }
    }

    /// The pods that the pod may preempt, in the node's order.
    fn lower_pods(&self, node: &NodeInfo) -> Vec<Ranked> {
        let mut lower = Vec::with_capacity(node.pods.len());
        for &idx in &node.pods {
            if let Some(pod) = self.cx.cluster.pod(idx)
                && pod.priority() < self.cx.pod.priority()
            {
                lower.push(Ranked::new(idx, pod));
            }
        }
        lower
    }

    /// Whether each pod breaks a budget.
    fn charge<T: Trace>(&mut self, pods: &[Ranked], trace: &mut T) -> Vec<bool> {
        self.ledger.open();
        let mut violates = Vec::with_capacity(pods.len());
        for ranked in pods {
            let Some(pod) = self.cx.cluster.pod(ranked.pod) else { continue };
            let mut charges = Vec::new();
            let breaks = self.ledger.charge(pod, |charge| {
                if T::Facts::RECORDS {
                    charges.push(charge);
                }
            });
            violates.push(breaks);
            trace.step(|| Step::Charged { pod: ranked.pod, charges, violates: breaks });
        }
        violates
    }

    /// Puts a pod back, and takes it away again if the pod in question then does not fit.
    fn may_stay<T: Trace>(
        &mut self,
        bench: &mut Bench<'_>,
        pod: PodIdx,
        violates: bool,
        trace: &mut T,
    ) -> bool {
        bench.put_back(&mut self.state, pod);
        let refusal = bench.refusal::<T::Facts>(&self.changing, &self.state);
        let stays = refusal.is_none();
        let mut kept = T::Facts::default();
        if T::Facts::RECORDS && stays {
            for &plugin in &self.changing {
                filter_node(plugin, &bench.cx, &self.state, bench.idx, &bench.node, &mut kept);
            }
        }
        trace.step(|| Step::PutBack { pod, violates, refusal, kept });
        if !stays {
            bench.take(&mut self.state, pod);
        }
        stays
    }
}
