//! Lessons in time: what happens whatever the learner does, what the solution asks for, and the goals on the way.

mod course;
mod question;
mod read;
#[cfg(test)]
mod tests;

use berth_core::queue::Instant;
use berth_core::simulation::{Command, Kubelet};

pub use course::{Begun, Unbegun};

use super::scan::{Scanner, Wrong};
use crate::steps::parse_time;

/// The longest that a lesson takes: an hour.
pub const LONGEST: Instant = Instant(3_600_000_000_000);

/// What is said of something that a lesson cannot have which is not in time.
pub(super) const TIMELESS: &str = "only lessons with a time have this";

/// What is said of a request in one line is no longer than this.
const LINE: usize = 100;

/// Times are told in milliseconds: a moment is the end of its millisecond.
const REST: i64 = 999_999;

/// The time of a lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    /// When it ends; goals that do not say when are looked at then.
    pub until: Instant,
    /// What decides among equals.
    pub seed: u64,
    /// How long things take.
    pub kubelet: Kubelet,
    /// The same as it is written, as JSON.
    pub kubelet_text: String,
    /// What happens whatever the learner does, in order.
    pub given: Vec<Request>,
    /// What the solution asks for, in order.
    pub solution: Vec<Request>,
}

/// A request with its time.
#[derive(Clone, Debug)]
pub struct Request {
    /// When.
    pub at: Instant,
    /// As it is written, as JSON.
    pub text: String,
    /// What.
    pub command: Command,
}

impl Request {
    /// What it is, in a line: as it is written if that is short, else what it is about.
    pub fn line(&self) -> String {
        if self.text.len() <= LINE {
            return self.text.clone();
        }
        let (kind, key) = self.command.target();
        format!("{} s: {} {key}", self.at.0 as f64 / 1e9, kind.as_str())
    }
}

impl PartialEq for Request {
    /// The text says everything about the command.
    fn eq(&self, other: &Self) -> bool {
        (self.at, &self.text) == (other.at, &other.text)
    }
}

impl Time {
    /// What happens by itself, and what the solution asks for if it is played, in order.
    pub(super) fn requests(&self, solved: bool) -> Vec<&Request> {
        let solution = if solved { &*self.solution } else { &[] };
        let mut all: Vec<&Request> = self.given.iter().chain(solution).collect();
        all.sort_by_key(|request| request.at);
        all
    }
}

/// The end of the millisecond that begins then.
pub fn end_of(at: Instant) -> Instant {
    at.after(REST)
}

/// Reads a duration.
pub(super) fn duration(scanner: &mut Scanner<'_>) -> Result<Instant, Wrong> {
    let word = scanner.word("the time")?;
    time(word).map_err(|message| scanner.wrong_word(word, message))
}

/// A time in a lesson.
fn time(text: &str) -> Result<Instant, String> {
    let at = Instant(parse_time(text)?);
    if (Instant(0)..=LONGEST).contains(&at) {
        Ok(at)
    } else {
        Err(format!("a lesson lasts an hour at most, not {text}"))
    }
}
