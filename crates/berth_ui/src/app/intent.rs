//! What the user wants.

use crate::cursor::Step;
use crate::drag::Input;
use crate::parts::{Call, New, NotFetched, Part};
use crate::state::{Action, Tab};
use crate::tool::Task;
use std::rc::Rc;
use yew::AttrValue;

/// Anything the user asks for.
#[derive(Clone, Debug)]
pub enum Intent {
    /// A change of what the page remembers.
    Do(Action),
    /// Select a pod, or none.
    Select(Option<AttrValue>),
    /// Select a node, or none.
    SelectNode(Option<AttrValue>),
    /// Something for the drag machine.
    Drag(Input),
    /// Put a pod on a node.
    Place {
        /// `namespace/name`.
        pod: AttrValue,
        /// The node.
        node: AttrValue,
        /// Whether to set `spec.nodeName` without asking the scheduler.
        bypass: bool,
    },
    /// Let the scheduler place a pod.
    Schedule(AttrValue),
    /// Let a pod preempt, and put it where room was made.
    Preempt(AttrValue),
    /// Take a pod off its node.
    Release(AttrValue),
    /// Undo the last change.
    Undo,
    /// Make it again.
    Redo,
    /// A part of the program has come, or could not.
    Fetched(Part, Result<New, NotFetched>),
    /// Ask a part of the program for something.
    Call(Call),
    /// Do what a part of the program wants done.
    Task(Task),
    /// Give the inspector its place back.
    CloseSide,
    /// Show the cell where a plugin first refuses a node.
    OpenRefusal(AttrValue),
    /// Open a tab and go there.
    OpenTab(Tab),
    /// Move the keyboard's place on the board.
    Walk(Step),
    /// While something is held, go to the next node that fits; true goes down.
    NextFitting(bool),
    /// Scroll to a column of the board.
    Show(AttrValue),
    /// Say why the node at the keyboard's place is refused or chosen.
    Why,
}

impl Intent {
    /// The part of the program that it takes, if not the page's own.
    pub(super) fn needs(&self) -> Option<Part> {
        match self {
            Self::Call(call) => call.part(),
            Self::OpenTab(tab) => Call::Tab(*tab).part(),
            _ => None,
        }
    }
}

impl From<Call> for Intent {
    fn from(call: Call) -> Self {
        Self::Call(call)
    }
}

impl From<Action> for Intent {
    fn from(action: Action) -> Self {
        Self::Do(action)
    }
}

/// A change of one field of a pod. Indices count the pod's constraints; what is typed is read by the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum PodEdit {
    /// One more spread constraint.
    AddConstraint,
    /// One fewer.
    RemoveConstraint(usize),
    /// `topologyKey`.
    TopologyKey(usize, AttrValue),
    /// `maxSkew`.
    MaxSkew(usize, AttrValue),
    /// `minDomains`; empty unsets it.
    MinDomains(usize, AttrValue),
    /// `whenUnsatisfiable`: true for `DoNotSchedule`.
    WhenUnsatisfiable(usize, bool),
    /// `labelSelector` in kubectl's notation.
    Selector(usize, AttrValue),
    /// `matchLabelKeys`, separated by commas.
    MatchLabelKeys(usize, AttrValue),
    /// `nodeAffinityPolicy`: true for `Honor`.
    AffinityPolicy(usize, bool),
    /// `nodeTaintsPolicy`: true for `Honor`.
    TaintsPolicy(usize, bool),
    /// `priority`.
    Priority(AttrValue),
    /// `priorityClassName`, and with it what admission makes of the class.
    PriorityClass(AttrValue),
    /// `preemptionPolicy`: true for `Never`.
    NeverPreempts(bool),
    /// The same for a pod that has no class any more.
    WithoutClass(Rc<PodEdit>),
    /// A label: `key=value`.
    Label(AttrValue),
    /// Its removal.
    Unlabel(AttrValue),
    /// A container's request of a resource; empty for none.
    Request(AttrValue, AttrValue),
}

impl PodEdit {
    /// The control where the field is edited.
    pub fn control(&self) -> AttrValue {
        let (name, index) = match self {
            Self::AddConstraint | Self::RemoveConstraint(_) => return "constraints".into(),
            Self::TopologyKey(index, _) => ("topologyKey", index),
            Self::MaxSkew(index, _) => ("maxSkew", index),
            Self::MinDomains(index, _) => ("minDomains", index),
            Self::WhenUnsatisfiable(index, _) => ("whenUnsatisfiable", index),
            Self::Selector(index, _) => ("labelSelector", index),
            Self::MatchLabelKeys(index, _) => ("matchLabelKeys", index),
            Self::AffinityPolicy(index, _) => ("nodeAffinityPolicy", index),
            Self::TaintsPolicy(index, _) => ("nodeTaintsPolicy", index),
            Self::Priority(_) => return "priority".into(),
            Self::PriorityClass(_) => return "priorityClassName".into(),
            Self::NeverPreempts(_) => return "preemptionPolicy".into(),
            Self::WithoutClass(edit) => return edit.control(),
            Self::Label(_) | Self::Unlabel(_) => return "labels".into(),
            Self::Request(resource, _) => return ["request-", resource].concat().into(),
        };
        [name, "-", &index.to_string()].concat().into()
    }

    /// The value that it gives the field.
    pub fn value(&self) -> AttrValue {
        let word =
            |which: bool, [yes, no]: [&'static str; 2]| (if which { yes } else { no }).into();
        match self {
            Self::AddConstraint | Self::RemoveConstraint(_) => AttrValue::default(),
            Self::TopologyKey(_, text)
            | Self::MaxSkew(_, text)
            | Self::MinDomains(_, text)
            | Self::Selector(_, text)
            | Self::MatchLabelKeys(_, text)
            | Self::Priority(text)
            | Self::PriorityClass(text)
            | Self::Label(text)
            | Self::Request(_, text) => text.clone(),
            Self::WhenUnsatisfiable(_, hard) => word(*hard, ["DoNotSchedule", "ScheduleAnyway"]),
            Self::AffinityPolicy(_, honor) | Self::TaintsPolicy(_, honor) => {
                word(*honor, ["Honor", "Ignore"])
            }
            Self::NeverPreempts(never) => word(*never, ["Never", "PreemptLowerPriority"]),
            Self::WithoutClass(edit) => edit.value(),
            // As kubectl writes that a label is not there.
            Self::Unlabel(key) => ["!", key].concat().into(),
        }
    }
}

/// A text that was read, with the file's name; empty when pasted.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The file.
    pub name: AttrValue,
    /// The text.
    pub text: AttrValue,
}
