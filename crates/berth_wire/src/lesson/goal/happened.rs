//! Goals about what has happened in virtual time.

use berth_core::api::ObjectKey;
use berth_core::queue::Instant;
use berth_core::simulation::Event;

use super::super::scan::{Scanner, Wrong};
use super::super::time::{duration, end_of};
use super::{Comparison, Found, State, comparison};
use crate::simulate::{TYPES, message_of, type_of};

/// Something that has happened to an object: once at least, or so many times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happened {
    /// The event's type, one of [`TYPES`].
    pub kind: &'static str,
    /// The object; without a namespace it is in `default`, or in none.
    pub of: ObjectKey,
    /// Not before this.
    pub after: Option<Instant>,
    /// Not later than this.
    pub by: Option<Instant>,
    /// What the event says somewhere.
    pub contains: Option<String>,
    /// How many times.
    pub count: Option<Comparison>,
}

impl Happened {
    /// Reads what follows the event's type.
    pub(super) fn parse(scanner: &mut Scanner<'_>) -> Result<Self, Wrong> {
        let kind = TYPES.get(scanner.one_of(&TYPES)?).copied().unwrap_or_default();
        scanner.expect("of")?;
        let of = ObjectKey::parse(scanner.word("the object")?);
        let mut new = Self { kind, of, after: None, by: None, contains: None, count: None };
        loop {
            match scanner.peek() {
                "after" if scanner.take("after") => new.after = Some(duration(scanner)?),
                "by" if scanner.take("by") => new.by = Some(duration(scanner)?),
                "contains" if scanner.take("contains") => {
                    new.contains = Some(scanner.string()?.to_owned());
                }
                "count" if scanner.take("count") => new.count = Some(comparison(scanner)?),
                "" => return Ok(new),
                other => {
                    let all = "after, by, contains, count";
                    return Err(
                        scanner.wrong_next(format!("expected one of {all}; found {other:?}"))
                    );
                }
            }
        }
    }

    /// How it stands after these events.
    pub(super) fn evaluate<'e>(&self, events: impl Iterator<Item = &'e Event>) -> State {
        let mut meant: Vec<&Event> = events.filter(|event| self.is_about(event)).collect();
        let times = meant.len() as i64;
        match (self.count, meant.pop()) {
            (Some(count), _) => State { met: count.holds(times), found: Found::Number(times) },
            (None, Some(last)) => State { met: true, found: Found::At(last.at) },
            (None, None) => State { met: false, found: Found::Gone },
        }
    }

    fn is_about(&self, event: &Event) -> bool {
        let in_time = self.after.is_none_or(|after| event.at >= after)
            && self.by.is_none_or(|by| event.at <= end_of(by));
        let ObjectKey { namespace, name } = &event.key;
        let in_namespace = *namespace == self.of.namespace
            || (self.of.namespace.is_empty() && namespace == "default");
        in_time
            && *name == self.of.name
            && in_namespace
            && type_of(&event.what) == self.kind
            && self.contains.as_ref().is_none_or(|text| message_of(&event.what).contains(text))
    }
}
