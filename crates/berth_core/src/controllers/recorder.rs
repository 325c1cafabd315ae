//! What controllers tell in events, and what of it is kept back.
//!
//! Mirrors `EventCorrelator` of `k8s.io/client-go/tools/record/events_cache.go`: events about the same thing for the
//! same reason are combined once there are ten different ones, and an object gets 25 events, then one in five minutes.
//! Deviation: of ten messages Go's map forgets any, here it is the first of them.

use alloc::format;
use alloc::string::String;

use crate::api::{Kind, Object, ObjectKey};
use crate::collections::{Map, Set};
use crate::queue::Instant;
use crate::queue::time::SECOND;
use crate::simulation::Server;
use crate::simulation::server::{Report, Source};

/// So many different messages are combined (`defaultAggregateMaxEvents`).
const COMBINED: usize = 10;
/// After so many nanoseconds without one, counting begins anew (`defaultAggregateIntervalInSeconds`).
const FORGOTTEN: i64 = 600 * SECOND;
/// Events that an object gets at once (`defaultSpamBurst`).
const BURST: f64 = 25.0;
/// Events that it gets per second after that (`defaultSpamQPS`, a 32-bit number in Go).
const PER_SECOND: f64 = (1.0_f32 / 300.0) as f64;

/// An object that events are about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Involved {
    /// Its kind.
    pub kind: Kind,
    /// Its namespace and name.
    pub key: ObjectKey,
    /// Its identity; empty where the controller does not say.
    pub uid: String,
}

impl Involved {
    /// An object with its identity.
    pub fn new(object: &Object) -> Self {
        Self { kind: object.kind(), key: object.key(), uid: object.metadata().uid.clone() }
    }
}

/// What one component remembers of the events that it recorded.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    similar: Map<(Involved, bool, &'static str), Similar>,
    /// By object, and whether it is a warning.
    budgets: Map<(Involved, bool), Budget>,
}

/// Messages for one reason.
#[derive(Clone, Debug, Default)]
struct Similar {
    messages: Set<String>,
    last: Instant,
}

/// How many events an object has left.
#[derive(Clone, Copy, Debug)]
struct Budget {
    left: f64,
    at: Instant,
}

impl Recorder {
    /// Records a normal event.
    pub fn normal(
        &mut self,
        server: &mut Server,
        object: Involved,
        reason: &'static str,
        message: String,
    ) {
        self.record(server, object, false, reason, message);
    }

    /// Records a warning.
    pub fn warning(
        &mut self,
        server: &mut Server,
        object: Involved,
        reason: &'static str,
        message: String,
    ) {
        self.record(server, object, true, reason, message);
    }

    fn record(
        &mut self,
        server: &mut Server,
        object: Involved,
        warning: bool,
        reason: &'static str,
        message: String,
    ) {
        let now = server.now();
        let message = self.combine((object.clone(), warning, reason), message, now);
        if self.may_tell((object.clone(), warning), now) {
            let Involved { kind, key, .. } = object;
            let source = Source::Controller;
            server.report(Report { source, kind, key, warning, reason, message });
        }
    }

    /// The message, or what is said of many like it (`EventAggregate`).
    fn combine(
        &mut self,
        about: (Involved, bool, &'static str),
        message: String,
        now: Instant,
    ) -> String {
        let similar = self.similar.or_default(about);
        if now.0.saturating_sub(similar.last.0) > FORGOTTEN {
            *similar = Similar::default();
        }
        similar.messages.insert(message.clone());
        similar.last = now;
        if similar.messages.len() < COMBINED {
            return message;
        }
        if let Some(first) = similar.messages.first().cloned() {
            similar.messages.remove(&first);
        }
        format!("(combined from similar events): {message}")
    }

    /// Whether the object has an event left (`EventSourceObjectSpamFilter`).
    fn may_tell(&mut self, about: (Involved, bool), now: Instant) -> bool {
        let full = Budget { left: BURST, at: now };
        let budget = self.budgets.get_or_insert_with(about, || full);
        let passed = now.0.saturating_sub(budget.at.0) as f64 / SECOND as f64;
        let left = (budget.left + passed * PER_SECOND).min(BURST);
        let tells = left >= 1.0;
        *budget = Budget { left: if tells { left - 1.0 } else { left }, at: now };
        tells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Time;

    fn messages(count: u32, seconds_apart: i64) -> alloc::vec::Vec<String> {
        let mut server = Server::new(Time(0));
        let mut recorder = Recorder::default();
        let object = Involved { kind: Kind::Pod, key: ObjectKey::new("a", "b"), uid: "u".into() };
        for number in 0..count {
            server.set_now(Instant(i64::from(number) * seconds_apart * SECOND));
            recorder.normal(&mut server, object.clone(), "Killing", format!("{number}"));
        }
        server.take_reports().into_iter().map(|report| report.message).collect()
    }

    #[test]
    fn the_tenth_and_all_after_it_are_combined() {
        let told = messages(12, 1);
        assert_eq!(told.get(8).map(String::as_str), Some("8"));
        assert_eq!(told.get(9).map(String::as_str), Some("(combined from similar events): 9"));
        assert_eq!(told.last().map(String::as_str), Some("(combined from similar events): 11"));
        assert_eq!(messages(12, 601).last().map(String::as_str), Some("11"));
    }

    #[test]
    fn an_object_gets_twenty_five_events_and_then_one_in_five_minutes() {
        assert_eq!(messages(40, 1).len(), 25);
        assert_eq!(messages(60, 30).len(), 25 + 5);
    }
}
