//! The whole state of a page in a link: what is under study, what was done to it, and what is looked at.
//!
//! A state is one JSON object in Kubernetes' own words, deflated and put behind `#`, so that it never
//! reaches a server. Replaying the log is deterministic: a link holds no results. It holds only what the scheduler reads:
//! [`State::strip`] says what is left out. Autosave keeps the same text.
//!
//! A link is a stranger's text: everything has a limit, everything is checked before anything is done with it, and what
//! is refused says why.

mod command;
mod content;
mod envelope;
mod object;
mod outcome;
mod present;
mod strip;
#[cfg(test)]
mod tests;

use std::fmt;

use berth_core::api::{Object, ObjectKey};
use berth_core::framework::config::Configuration;
use berth_core::playground::{Command, Playground};

pub use envelope::PREFIX;
pub use outcome::outcome;
pub use present::present;

/// The most nodes that a link may hold.
pub const MOST_NODES: usize = 5_000;
/// The most pods.
pub const MOST_PODS: usize = 50_000;
/// The most commands, those of batches included.
pub const MOST_COMMANDS: usize = 10_000;
/// What a link may make the scheduler do without being asked, in nodes looked at.
pub const QUIET_WORK: u64 = 2_000_000;

/// Everything that a link holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// What the cluster is called; may be empty.
    pub name: String,
    /// What there is to see in it; may be empty.
    pub story: String,
    /// The objects before the first command, in their order.
    pub objects: Vec<Object>,
    /// The configuration before the first command.
    pub configuration: Configuration,
    /// The commands: those that are done, then those that were taken back, in the order in which they would be done
    /// again.
    pub log: Vec<Command>,
    /// How many of them are done.
    pub cursor: u32,
    /// The pod that is looked at.
    pub selected: Option<ObjectKey>,
    /// The label key of the board's columns; none if nobody chose one.
    pub columns: Option<String>,
    /// What the cluster comes to (see [`outcome`]); none if nobody looked.
    pub outcome: Option<u32>,
}

/// Why a link cannot be made or opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// It is longer than any link may be.
    TooLong {
        /// Its length in characters.
        length: usize,
        /// The most.
        most: usize,
    },
    /// The end is missing.
    Cut {
        /// How many characters there should be.
        expected: usize,
        /// How many there are.
        got: usize,
    },
    /// It is not what was shared: a character is another one, or it never was a link.
    Damaged,
    /// Its format is of another version.
    Version,
    /// It holds more text than any link may.
    TooMuch {
        /// The most bytes.
        most: usize,
    },
    /// What it holds is no state: where, and why.
    Content(String),
    /// A command of it cannot be carried out.
    Replay {
        /// The how manieth, from 1.
        number: u32,
        /// The engine's words.
        why: String,
    },
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { length, most } => {
                write!(f, "the link has {length} characters, and may have {most}")
            }
            Self::Cut { expected, got } => {
                write!(f, "the link is cut: {got} of {expected} characters are here")
            }
            Self::Damaged => f.write_str("the link was changed on its way"),
            Self::Version => f.write_str("the link is of a version that is not known here"),
            Self::TooMuch { most } => write!(f, "the link holds more than {most} bytes"),
            Self::Content(why) => write!(f, "the link holds no state: {why}"),
            Self::Replay { number, why } => write!(f, "step {number} cannot be done: {why}"),
        }
    }
}

impl std::error::Error for LinkError {}

impl State {
    /// The fragment of a link, without `#`. What [`State::strip`] takes away is not in it.
    pub fn seal(&self) -> Result<String, LinkError> {
        envelope::seal(&self.text())
    }

    /// The text that a link holds: JSON.
    pub fn text(&self) -> String {
        let mut state = self.clone();
        state.strip();
        content::write(&state)
    }

    /// Reads the fragment of a link, without `#`.
    pub fn open(fragment: &str) -> Result<Self, LinkError> {
        content::read(&envelope::open(fragment)?)
    }

    /// Reads the text that a link holds.
    pub fn read(text: &str) -> Result<Self, LinkError> {
        let most = crate::manifest::Entrance::InflatedLink.most_bytes();
        if text.len() > most {
            return Err(LinkError::TooMuch { most });
        }
        content::read(text)
    }

    /// Whether a fragment wants to be a link of this kind.
    pub fn is_in(fragment: &str) -> bool {
        fragment.starts_with(PREFIX)
    }

    /// How many nodes the scheduler looks at when the log is replayed, at most.
    pub fn work(&self) -> u64 {
        let count = |pods: bool| {
            let pod = |object: &&Object| matches!(object, Object::Pod(_)) == pods;
            self.objects.iter().filter(pod).count() as u64
        };
        let put = command::count(&self.log, |command| matches!(command, Command::Put(_)));
        let (nodes, pods) = (count(false) + put, count(true) + put);
        self.log.iter().map(|command| command::work(command, nodes, pods)).sum()
    }

    /// Does again what was done to a playground that holds the objects: all of the log, then back to the cursor.
    /// `done` is told of each command and what came of it.
    pub fn replay(
        &self,
        playground: &mut Playground,
        mut done: impl FnMut(&Command, &berth_core::playground::Outcome),
    ) -> Result<(), LinkError> {
        for (index, command) in self.log.iter().enumerate() {
            let applied = playground.apply(command.clone()).map_err(|error| LinkError::Replay {
                number: index as u32 + 1,
                why: error.to_string(),
            })?;
            done(command, &applied.outcome);
        }
        // A command that comes to nothing here is no step.
        let done = playground.log().count() as u32;
        for _ in self.cursor..done {
            playground.undo();
        }
        Ok(())
    }
}
