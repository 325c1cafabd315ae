//! TaintToleration: taints keep pods away, softly or not.
//!
//! Mirrors `pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go` and
//! `ToleratesTaint` of `k8s.io/api/core/v1/toleration.go`.

pub mod hint;

use alloc::vec::Vec;

use crate::api::{Taint, TaintEffect, Toleration, TolerationOperator};
use crate::cluster::NodeInfo;
use crate::framework::fact::{Fact, Sink};
use crate::framework::state::Context;
use crate::framework::status::Code;

/// Why a toleration does not tolerate a taint: the first thing that is compared and differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// It is for another effect.
    Effect,
    /// It is for another key.
    Key,
    /// It is for another value.
    Value,
    /// Its operator, `Lt` or `Gt`, is behind an alpha gate that is off.
    Operator,
}

/// Why a toleration does not tolerate a taint; none if it does.
pub fn mismatch(toleration: &Toleration, taint: &Taint) -> Option<Mismatch> {
    if toleration.effect.is_some_and(|effect| effect != taint.effect) {
        return Some(Mismatch::Effect);
    }
    if !toleration.key.is_empty() && toleration.key != taint.key {
        return Some(Mismatch::Key);
    }
    match toleration.operator {
        TolerationOperator::Equal if toleration.value != taint.value => Some(Mismatch::Value),
        TolerationOperator::Equal | TolerationOperator::Exists => None,
        TolerationOperator::Lt | TolerationOperator::Gt => Some(Mismatch::Operator),
    }
}

/// Whether a toleration tolerates a taint.
pub fn tolerates(toleration: &Toleration, taint: &Taint) -> bool {
    mismatch(toleration, taint).is_none()
}

/// The first toleration that tolerates a taint.
pub fn find_toleration(tolerations: &[Toleration], taint: &Taint) -> Option<u32> {
    tolerations.iter().position(|toleration| tolerates(toleration, taint)).map(|i| i as u32)
}

/// The first taint that keeps new pods away and is not tolerated.
pub fn untolerated<S: Sink>(
    taints: &[Taint],
    tolerations: &[Toleration],
    sink: &mut S,
) -> Option<u32> {
    for (index, taint) in taints.iter().enumerate() {
        if taint.effect == TaintEffect::PreferNoSchedule {
            continue;
        }
        let toleration = find_toleration(tolerations, taint);
        sink.fact(|| Fact::Taint { index: index as u32, toleration });
        if toleration.is_none() {
            return Some(index as u32);
        }
    }
    None
}

/// Refuses a node with a taint that the pod does not tolerate.
pub fn filter<S: Sink>(cx: &Context<'_>, node: &NodeInfo, sink: &mut S) -> Code {
    match untolerated(node.taints(), &cx.pod.pod.spec.tolerations, sink) {
        None => Code::Success,
        Some(_) => Code::UnschedulableAndUnresolvable,
    }
}

/// The tolerations that matter for scoring.
#[derive(Clone, Debug, Default)]
pub struct PreScoreState {
    tolerations: Vec<Toleration>,
}

/// Picks the tolerations that apply to `PreferNoSchedule`.
pub fn pre_score(cx: &Context<'_>) -> PreScoreState {
    let applies = |toleration: &&Toleration| {
        matches!(toleration.effect, None | Some(TaintEffect::PreferNoSchedule))
    };
    PreScoreState {
        tolerations: cx.pod.pod.spec.tolerations.iter().filter(applies).cloned().collect(),
    }
}

/// Counts `PreferNoSchedule` taints that are not tolerated: fewer is better.
pub fn score<S: Sink>(state: &PreScoreState, node: &NodeInfo, sink: &mut S) -> i64 {
    let mut count = 0;
    for (index, taint) in node.taints().iter().enumerate() {
        if taint.effect != TaintEffect::PreferNoSchedule {
            continue;
        }
        let tolerated = find_toleration(&state.tolerations, taint).is_some();
        sink.fact(|| Fact::PreferNoScheduleTaint { index: index as u32, tolerated });
        if !tolerated {
            count += 1;
        }
    }
    count
}
