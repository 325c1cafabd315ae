//! Graceful deletion: a pod that is asked to go gets time to do so.
//!
//! Mirrors `BeforeDelete` (`k8s.io/apiserver/pkg/registry/rest/delete.go`) with `podStrategy.CheckGracefulDelete`
//! (`pkg/registry/core/pod/strategy.go`) and `ValidateDeleteOptions`
//! (`apimachinery/pkg/apis/meta/v1/validation/validation.go`). Deviation: what a dry run is called is not checked.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use core::fmt;

use super::preconditions::{Conflict, DeleteOptions};
use crate::api::field_error::quote;
use crate::api::{BadValue, FieldError, FieldErrors, Pod, Time};

/// A moment to the nanosecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// Its whole second.
    pub second: Time,
    /// Nanoseconds since then.
    pub nanos: u32,
}

impl From<Time> for Moment {
    fn from(second: Time) -> Self {
        Self { second, nanos: 0 }
    }
}

/// What is to be done about a deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Graceful {
    /// The pod is stored with the times that it now has; a grace period of 0 s removes it at once after that.
    Yes,
    /// Nothing: it is going already, and no later than was asked for.
    Pending,
    /// It is removed without further ado.
    No,
}

/// Why a pod is not deleted. `Display` gives the API server's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The options contradict each other or are none.
    Options(FieldErrors),
    /// The pod is not the one that was meant.
    Conflict(Conflict),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Options(errors) => {
                write!(f, "DeleteOptions.meta.k8s.io {} is invalid: {errors}", quote(""))
            }
            Self::Conflict(conflict) => conflict.fmt(f),
        }
    }
}

impl core::error::Error for Refused {}

/// Gives a pod the time by which it is to be gone. The grace period that counts is written to the options.
///
/// A grace period can only be shortened: a later request with more time changes nothing, one with less moves the end
/// to the first request's time plus the new period, but not into the past.
pub fn before_delete(
    pod: &mut Pod,
    options: &mut DeleteOptions,
    now: Moment,
) -> Result<Graceful, Refused> {
    FieldErrors::check(validate(options)).map_err(Refused::Options)?;
    options.preconditions.check(&pod.metadata).map_err(Refused::Conflict)?;
    let not_negative = |seconds: i64| if seconds < 0 { 1 } else { seconds };
    options.grace_period_seconds = options.grace_period_seconds.map(not_negative);
    let metadata = &mut pod.metadata;
    metadata.deletion_grace_period_seconds =
        metadata.deletion_grace_period_seconds.map(not_negative);
    if let Some(end) = metadata.deletion_timestamp {
        return Ok(match metadata.deletion_grace_period_seconds {
            // A deletion that was stored, but not carried out.
            None | Some(0) => Graceful::No,
            Some(granted) => shorten(pod, options, end, granted, now),
        });
    }
    let period = not_negative(grace_period(pod, options.grace_period_seconds));
    options.grace_period_seconds = Some(period);
    let metadata = &mut pod.metadata;
    metadata.deletion_timestamp = Some(Time(now.second.0.saturating_add(period)));
    metadata.deletion_grace_period_seconds = Some(period);
    if metadata.generation > 0 {
        metadata.generation += 1;
    }
    Ok(Graceful::Yes)
}

/// What a pod that is going already makes of another request.
fn shorten(
    pod: &mut Pod,
    options: &mut DeleteOptions,
    end: Time,
    granted: i64,
    now: Moment,
) -> Graceful {
    let Some(asked) = options.grace_period_seconds else {
        options.grace_period_seconds = Some(granted);
        return Graceful::Pending;
    };
    if asked >= granted {
        return Graceful::Pending;
    }
    let mut period = asked;
    let mut new_end =
        Moment { second: Time(end.0.saturating_sub(granted).saturating_add(asked)), nanos: 0 };
    if new_end < now {
        new_end = now;
        if period != 0 {
            // Its time is over, but it was to be graceful: the kubelet still has the last word.
            period = 1;
        }
    }
    pod.metadata.deletion_timestamp = Some(new_end.second);
    pod.metadata.deletion_grace_period_seconds = Some(period);
    Graceful::Yes
}

/// The grace period of a pod that was not going yet (`CheckGracefulDelete`).
fn grace_period(pod: &Pod, asked: Option<i64>) -> i64 {
    let nothing_runs = pod.spec.node_name.is_empty() || pod.status.phase.is_terminal();
    if nothing_runs {
        return 0;
    }
    asked.or(pod.spec.termination_grace_period_seconds).unwrap_or(0)
}

fn validate(options: &DeleteOptions) -> Vec<FieldError> {
    const POLICIES: [&str; 3] = ["Foreground", "Background", "Orphan"];
    let mut errors = Vec::new();
    let Some(policy) = &options.propagation_policy else { return errors };
    let field = || "propagationPolicy".to_owned();
    if options.orphan_dependents.is_some() {
        let both = "orphanDependents and deletionPropagation cannot be both set";
        errors.push(FieldError::invalid(field(), BadValue::word(policy), both));
    }
    if !POLICIES.contains(&&**policy) {
        let [a, b, c] = POLICIES;
        errors.push(FieldError::not_supported(field(), policy, &[a, b, c, "nil"]));
    }
    errors
}
