//! Lessons: a cluster with a question about it, a goal, hints and a solution, in a file that a person writes.
//!
//! A file is a stream of YAML documents: first the lesson (`kind: Lesson`), then the objects of its cluster, which
//! [`crate::manifest`] reads. `docs/lessons.md` describes it.
//!
//! - [`read`] reads a file, [`head`] only its first document, [`listed`] some lines of that, [`write`](mod@write) makes one of a cluster and its log;
//! - [`words`] reads what a lesson says in another language, [`Lesson::say`] lets the lesson say it;
//! - [`goal`] is the language of goals: facts about a cluster, read with a place for every error, and evaluated;
//! - [`step`] is the language of solutions: what a person would do, carried out as ordinary commands;
//! - [`time`] is what lessons in virtual time have beside;
//! - [`predict`] holds what a learner expects against what the scheduler says.

pub mod goal;
pub mod predict;
mod read;
mod scan;
pub mod step;
#[cfg(test)]
mod tests;
pub mod time;
pub mod write;

use berth_core::api::ObjectKey;

pub use goal::Goal;
pub use predict::Prediction;
pub use read::{head, is_lesson, listed, read, words};
pub use step::Step;
pub use time::Time;

use crate::manifest::Report;
use crate::tree::Position;

/// The `apiVersion` of a lesson.
pub const API_VERSION: &str = "berth/v1";
/// Its `kind`.
pub const KIND: &str = "Lesson";

/// A lesson without its cluster.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lesson {
    /// What it is known by; no other lesson has it.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// The questions that it answers.
    pub questions: Vec<Question>,
    /// The section of a reference document that it is about.
    pub document: Option<String>,
    /// The thread in which users asked: `owner/repository#number`.
    pub thread: Option<String>,
    /// The pod that it is about.
    pub pod: Option<ObjectKey>,
    /// What happens in virtual time, if the lesson is played in it.
    pub time: Option<Time>,
    /// What there is to see, step by step.
    pub text: Vec<String>,
    /// What the learner is asked to foretell.
    pub predict: Option<Prediction>,
    /// What is to be reached: all of these.
    pub goal: Vec<Goal>,
    /// Help, one after the other.
    pub hints: Vec<String>,
    /// Why it is so, once the goal is met.
    pub explanation: Vec<String>,
    /// One way to the goal: what is done on the board, in a lesson in time before that begins.
    pub solution: Vec<Step>,
}

/// What a lesson says in another language: a file of its own, with as many lines in each list as the lesson has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// The lesson's id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// The section of a reference document that it is about.
    pub document: Option<String>,
    /// What there is to see, step by step.
    pub text: Vec<String>,
    /// Help, one after the other.
    pub hints: Vec<String>,
    /// Why it is so.
    pub explanation: Vec<String>,
}

impl Lesson {
    /// Says these words instead of its own.
    pub fn say(&mut self, words: Words) {
        self.title = words.title;
        self.document = words.document;
        self.text = words.text;
        self.hints = words.hints;
        self.explanation = words.explanation;
    }
}

/// What a lesson helps with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// "Why is it Pending?"
    Pending,
    /// "Why did it evict that one?"
    Evicted,
    /// "Why is it not even?"
    Uneven,
}

impl Question {
    /// All of them, with the words of the file.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Pending, "pending"), (Self::Evicted, "evicted"), (Self::Uneven, "uneven")];
}

/// A lesson with its cluster.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The lesson.
    pub lesson: Lesson,
    /// The objects and the configuration.
    pub report: Report,
}

/// Something wrong in a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Where.
    pub position: Position,
    /// What.
    pub message: String,
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.position.line, self.position.column, self.message)
    }
}

/// A pod's key as lessons write it: without a namespace it is in `default`.
pub(crate) fn pod_key(text: &str) -> ObjectKey {
    let key = ObjectKey::parse(text);
    if key.namespace.is_empty() { ObjectKey::new("default", key.name) } else { key }
}
