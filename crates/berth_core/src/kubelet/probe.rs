//! When a container is looked at, and what its answers come to.
//!
//! Mirrors `doProbe` (`pkg/kubelet/prober/worker.go`), and the words of `pkg/kubelet/prober/prober.go` and `pkg/probe`.
//! Deviations: a container is looked at when it starts and then once a period; an answer takes no time.

use alloc::format;
use alloc::string::String;

use crate::api::{Probe, ProbeHandler, ProbeKind};
use crate::queue::Instant;
use crate::queue::time::SECOND;

/// The answers of a probe so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    last: Option<bool>,
    in_a_row: i32,
}

impl Answers {
    /// Takes the next answer; gives the result of the probe if the answers in a row are enough for one.
    pub fn take(&mut self, probe: &Probe, is_good: bool) -> Option<bool> {
        if self.last == Some(is_good) {
            self.in_a_row = self.in_a_row.saturating_add(1);
        } else {
            *self = Self { last: Some(is_good), in_a_row: 1 };
        }
        let enough = if is_good { probe.success_threshold } else { probe.failure_threshold };
        (self.in_a_row >= enough).then_some(is_good)
    }

    /// Whether the last answer was bad.
    pub fn are_bad(&self) -> bool {
        self.last == Some(false)
    }
}

/// When a container that started at an instant is looked at next: now, or later.
pub fn next_look(probe: &Probe, started: Instant, now: Instant) -> Instant {
    let seconds = |seconds: i32, least: i32| i64::from(seconds.max(least)).saturating_mul(SECOND);
    let period = seconds(probe.period_seconds, 1);
    let since = (now.0 - started.0).max(seconds(probe.initial_delay_seconds, 0));
    let periods = since / period + i64::from(since % period > 0);
    started.after(periods.saturating_mul(period))
}

/// What the kubelet says of a bad answer.
pub fn unhealthy(kind: ProbeKind, probe: &Probe) -> String {
    let output = match probe.handler {
        ProbeHandler::Exec => "",
        ProbeHandler::HttpGet => "HTTP probe failed with statuscode: 500",
        ProbeHandler::TcpSocket => "connect: connection refused",
        ProbeHandler::Grpc => "service unhealthy (responded with \"NOT_SERVING\")",
    };
    format!("{} probe failed: {output}", kind.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_in_a_row_count() {
        let probe = Probe { success_threshold: 2, ..Probe::default() };
        let mut answers = Answers::default();
        let given = [false, false, true, false, false, false, false, true, true];
        let came = given.map(|answer| answers.take(&probe, answer));
        let bad = Some(false);
        assert_eq!(came, [None, None, None, None, None, bad, bad, None, Some(true)]);
    }

    #[test]
    fn looks_are_a_period_apart_and_not_too_early() {
        let probe = Probe { initial_delay_seconds: 15, ..Probe::default() };
        let at = |seconds: i64| Instant(seconds * SECOND);
        let looks = [3, 4, 23, 24, 33].map(|now| next_look(&probe, at(3), at(now)).0 / SECOND);
        assert_eq!(looks, [23, 23, 23, 33, 33]);
        assert_eq!(next_look(&Probe::default(), at(3), at(3)), at(3));
    }
}
