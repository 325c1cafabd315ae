//! Advice for programs and people: what would change an outcome, and what does not do what it seems to.
//!
//! `docs/advice.md` describes the form of [`to_json`]; [`text`] says the same in words.

pub mod text;

use berth_core::advice::{Ending, Field, Finding, More, Proposal, Search, Stop, Strip, Verdict};
use serde_json::{Value, json};

/// The version of the form, which changes when a key changes its meaning or goes.
pub const VERSION: u32 = 1;
/// The label by which copies are counted, besides by node.
const ZONE: &str = "topology.kubernetes.io/zone";

/// Everything that is advised about a pod.
#[derive(Debug)]
pub struct Advice {
    /// The pod, as `namespace/name`.
    pub pod: String,
    /// What would make it fit; for a pod that stands on a node, what would move it.
    pub search: Search,
    /// Whether the search is for what would move it.
    pub moves: bool,
    /// Its strips.
    pub strips: Vec<Strip>,
    /// Its copies.
    pub more: More,
    /// What is found about it.
    pub findings: Vec<Finding>,
}

/// The advice as JSON.
pub fn to_json(advice: &Advice) -> Value {
    let progress = advice.search.progress();
    json!({
        "version": VERSION,
        "pod": advice.pod,
        "verdict": verdict(advice.search.base()),
        "goal": if advice.moves { "move" } else { "fit" },
        "proposals": advice.search.found().iter().map(proposal).collect::<Vec<_>>(),
        "search": {
            "tried": progress.tried,
            "size": progress.size,
            "ending": progress.ending.map(ending),
        },
        "strips": advice.strips.iter().map(strip).collect::<Vec<_>>(),
        "more": more(&advice.more),
        "findings": advice.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}

const fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Complete => "complete",
        Ending::NotNeeded => "notNeeded",
        Ending::Limit => "limit",
    }
}

fn proposal(proposal: &Proposal) -> Value {
    let edits = proposal.edits.iter().map(text::edit).collect::<Vec<_>>();
    json!({ "edits": edits, "verdict": verdict(&proposal.verdict), "cost": proposal.cost })
}

fn verdict(verdict: &Verdict) -> Value {
    match verdict {
        Verdict::Fits { nodes, best } => {
            let best: Vec<&str> = best.iter().map(|name| &**name).collect();
            json!({ "outcome": "fits", "feasible": nodes, "best": best })
        }
        Verdict::Preempts { node, victims, violations } => {
            let victims: Vec<String> = victims.iter().map(ToString::to_string).collect();
            let node = &**node;
            json!({
                "outcome": "preempts", "node": node, "victims": victims, "violations": violations,
            })
        }
        Verdict::Refused => json!({ "outcome": "waits" }),
    }
}

fn strip(strip: &Strip) -> Value {
    let cells = strip.cells().iter().map(|cell| {
        json!({
            "from": cell.from,
            "to": cell.to,
            "current": cell.is_current,
            "verdict": verdict(&cell.verdict),
        })
    });
    json!({ "field": path(strip.field()), "cells": cells.collect::<Vec<_>>() })
}

/// The field of a strip.
pub fn path(field: Field) -> String {
    match field {
        Field::MaxSkew(at) => format!("spec.topologySpreadConstraints[{at}].maxSkew"),
        Field::MinDomains(at) => format!("spec.topologySpreadConstraints[{at}].minDomains"),
        Field::Priority => "spec.priority".to_owned(),
    }
}

fn more(more: &More) -> Value {
    let count = |(name, count): (&str, &u32)| json!({ "name": name, "pods": count });
    let zones = more.by_domain(ZONE);
    let (refused, limit) = match more.stop() {
        Some(Stop::Refused(why)) => (why.message.as_deref(), false),
        Some(Stop::Limit) | None => (None, true),
    };
    json!({
        "count": more.count(),
        "atLeast": limit,
        "nodes": more.by_node().iter().map(|(name, n)| count((name, n))).collect::<Vec<_>>(),
        "zones": zones.iter().map(|(name, n)| count((name, n))).collect::<Vec<_>>(),
        "next": refused,
    })
}

fn finding(finding: &Finding) -> Value {
    json!({
        "code": finding.problem.code(),
        "severity": finding.severity().as_str(),
        "kind": finding.kind.as_str(),
        "object": finding.object.to_string(),
        "field": finding.path,
        "message": text::problem(&finding.problem),
        "hasFix": finding.fix.is_some(),
    })
}
