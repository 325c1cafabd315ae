//! The parts of the program that are fetched when they are first needed.
//!
//! The rest of the page reaches a part through one table of functions alone, so what only they need can be linked into
//! a module of its own: with the feature `split` it is, and `cargo xtask build` cuts there; without, everything is one
//! module and there is nothing to wait for.

use crate::files::{self, Files};
use crate::rules::{self, Rules};
use crate::tables::{self, Tables};

/// A part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Manifests in and out.
    Files,
    /// PriorityClasses and disruption budgets.
    Rules,
    /// The tables behind the verdict that are not open at first.
    Tables,
}

/// A part that has come.
#[derive(Clone, Copy, Debug)]
pub enum Fetched {
    /// Manifests in and out.
    Files(&'static Files),
    /// PriorityClasses and disruption budgets.
    Rules(&'static Rules),
    /// The tables behind the verdict that are not open at first.
    Tables(&'static Tables),
}

/// The part could not be fetched.
#[derive(Clone, Copy, Debug)]
pub struct NotFetched;

#[cfg(feature = "split")]
impl From<wasm_split_helpers::SplitLoaderError> for NotFetched {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}

impl Part {
    /// Fetches it, or finds it here.
    pub async fn fetch(self) -> Result<Fetched, NotFetched> {
        match self {
            Self::Files => files::fetch().await.map(Fetched::Files),
            Self::Rules => rules::fetch().await.map(Fetched::Rules),
            Self::Tables => tables::fetch().await.map(Fetched::Tables),
        }
    }
}

/// The parts that are here.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parts {
    /// Manifests in and out.
    pub files: Option<&'static Files>,
    /// PriorityClasses and disruption budgets.
    pub rules: Option<&'static Rules>,
    /// The tables behind the verdict that are not open at first.
    pub tables: Option<&'static Tables>,
}

impl Parts {
    /// Whether a part is here.
    pub fn has(&self, part: Part) -> bool {
        match part {
            Part::Files => self.files.is_some(),
            Part::Rules => self.rules.is_some(),
            Part::Tables => self.tables.is_some(),
        }
    }

    /// Adds one.
    pub fn add(&mut self, fetched: Fetched) {
        match fetched {
            Fetched::Files(files) => self.files = Some(files),
            Fetched::Rules(rules) => self.rules = Some(rules),
            Fetched::Tables(tables) => self.tables = Some(tables),
        }
    }
}
