//! What a learner is asked to foretell, and what the scheduler says.

use berth_core::api::ObjectKey;
use berth_core::playground::Playground;

use super::goal::{best, fitting, victims};

/// A question with its answer, in the order of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prediction {
    /// On which nodes does the pod fit?
    Fit(Vec<String>),
    /// Which node does the scheduler take? Any of these.
    Best(Vec<String>),
    /// Which pods have to go?
    Victims(Vec<String>),
}

impl Prediction {
    /// The answer as the lesson gives it.
    pub fn answer(&self) -> &[String] {
        match self {
            Self::Fit(names) | Self::Best(names) | Self::Victims(names) => names,
        }
    }

    /// The same question with the answer that the engine gives. The cluster is as before afterwards.
    #[must_use]
    pub fn asked(&self, playground: &mut Playground, pod: &ObjectKey) -> Self {
        match self {
            Self::Fit(_) => Self::Fit(fitting(playground, pod)),
            Self::Best(_) => Self::Best(best(playground, pod)),
            Self::Victims(_) => Self::Victims(victims(playground, pod)),
        }
    }

    /// Whether what was marked is right: all of the answer and nothing else, or one of the nodes that tie for best.
    pub fn is_met_by(&self, marked: &[String]) -> bool {
        let answer = self.answer();
        let all_right = marked.iter().all(|name| answer.contains(name));
        match self {
            Self::Best(_) => all_right && !marked.is_empty(),
            Self::Fit(_) | Self::Victims(_) => {
                all_right && answer.iter().all(|name| marked.contains(name))
            }
        }
    }
}
