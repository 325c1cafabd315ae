//! The one machine behind dragging, tapping and moving by keyboard.
//!
//! It knows neither the page nor the engine: [`Drag::step`] takes what happened and returns the
//! next state and what to do about it. [`crate::dom::pointer`] and the key handlers feed it.

#[cfg(test)]
mod tests;

use yew::AttrValue;

/// How far a pointer may wander, in CSS pixels, before a press is a drag (mouse) or a scroll
/// (touch).
pub const THRESHOLD: i32 = 5;
/// How long a finger must rest, in milliseconds, before it picks up what is under it.
pub const HOLD_MS: i32 = 250;

/// What can be picked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A pod, by `namespace/name`.
    Pod(AttrValue),
    /// A node, by name.
    Node(AttrValue),
}

/// Where something can be put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A node, by name.
    Node(AttrValue),
    /// A column of the board, by its label value.
    Zone(AttrValue),
    /// The queue.
    Queue,
}

/// What presses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grip {
    /// A mouse or a pen: moving it is enough.
    Mouse,
    /// A finger: it scrolls unless it rests first.
    Touch,
}

/// Who holds the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The pointer with this id.
    Pointer(i32),
    /// The arrow keys.
    Keys,
    /// Nobody: the next tap on a target drops it.
    Taps,
}

/// The state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Drag {
    /// Nothing is going on.
    #[default]
    Idle,
    /// A pointer is down and has not decided yet.
    Pressed {
        /// What is under it.
        subject: Subject,
        /// The pointer's id.
        pointer: i32,
        /// What kind of pointer.
        grip: Grip,
        /// Where it went down, in CSS pixels.
        at: (i32, i32),
    },
    /// Something is held.
    Held {
        /// What.
        subject: Subject,
        /// By whom.
        by: By,
        /// The target under it.
        over: Option<Target>,
    },
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A pointer went down on a subject.
    Press { subject: Subject, pointer: i32, grip: Grip, at: (i32, i32) },
    /// A pointer moved, over this target.
    Move { pointer: i32, at: (i32, i32), over: Option<Target> },
    /// A pointer has been down for [`HOLD_MS`].
    Rested { pointer: i32 },
    /// A pointer went up. `bypass` is the Alt key.
    Release { pointer: i32, over: Option<Target>, bypass: bool },
    /// Space, or "Move to…".
    Lift { subject: Subject, by: By, over: Option<Target> },
    /// An arrow key chose a target.
    Aim(Target),
    /// Enter on the aimed target, or a tap on one. `bypass` places without asking the scheduler.
    Drop { target: Option<Target>, bypass: bool },
    /// Escape, a lost or cancelled pointer, a second tap on the subject.
    Abort,
}

/// What to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// The subject left its place.
    Lifted(Subject),
    /// Another target is under it.
    Aimed(Subject, Option<Target>),
    /// It was put on a target.
    Dropped { subject: Subject, target: Target, bypass: bool },
    /// It goes back.
    Returned(Subject),
}

impl Drag {
    /// What is held, if anything is.
    pub fn held(&self) -> Option<&Subject> {
        match self {
            Self::Held { subject, .. } => Some(subject),
            _ => None,
        }
    }

    /// The pod that is held.
    pub fn held_pod(&self) -> Option<&AttrValue> {
        match self.held() {
            Some(Subject::Pod(key)) => Some(key),
            _ => None,
        }
    }

    /// The node that is held.
    pub fn held_node(&self) -> Option<&AttrValue> {
        match self.held() {
            Some(Subject::Node(name)) => Some(name),
            _ => None,
        }
    }

    /// The target under what is held.
    pub fn over(&self) -> Option<&Target> {
        match self {
            Self::Held { over, .. } => over.as_ref(),
            _ => None,
        }
    }

    /// Who holds.
    pub fn by(&self) -> Option<By> {
        match self {
            Self::Held { by, .. } => Some(*by),
            _ => None,
        }
    }

    /// The next state, and what to do.
    #[must_use]
    pub fn step(self, input: Input) -> (Self, Effect) {
        match (self, input) {
            (Self::Idle, Input::Press { subject, pointer, grip, at }) => {
                (Self::Pressed { subject, pointer, grip, at }, Effect::None)
            }
            (Self::Idle | Self::Pressed { .. }, Input::Lift { subject, by, over }) => {
                (Self::Held { subject: subject.clone(), by, over }, Effect::Lifted(subject))
            }
            (
                Self::Pressed { subject, pointer, grip, at: start },
                Input::Move { pointer: moved, at, over },
            ) if pointer == moved => {
                if distance(start, at) <= THRESHOLD {
                    return (Self::Pressed { subject, pointer, grip, at: start }, Effect::None);
                }
                match grip {
                    Grip::Mouse => {
                        let by = By::Pointer(pointer);
                        (Self::Held { subject: subject.clone(), by, over }, Effect::Lifted(subject))
                    }
                    Grip::Touch => (Self::Idle, Effect::None),
                }
            }
            (
                Self::Pressed { subject, pointer, grip: Grip::Touch, .. },
                Input::Rested { pointer: rested },
            ) if pointer == rested => {
                let by = By::Pointer(pointer);
                (Self::Held { subject: subject.clone(), by, over: None }, Effect::Lifted(subject))
            }
            (Self::Pressed { pointer, .. }, Input::Release { pointer: up, .. })
                if pointer == up =>
            {
                (Self::Idle, Effect::None)
            }
            (Self::Pressed { .. }, Input::Abort) => (Self::Idle, Effect::None),
            (
                Self::Held { subject, by: By::Pointer(pointer), over },
                Input::Move { pointer: moved, over: now, .. },
            ) if pointer == moved => {
                let effect = if over == now {
                    Effect::None
                } else {
                    Effect::Aimed(subject.clone(), now.clone())
                };
                (Self::Held { subject, by: By::Pointer(pointer), over: now }, effect)
            }
            (
                Self::Held { subject, by: By::Pointer(pointer), .. },
                Input::Release { pointer: up, over, bypass },
            ) if pointer == up => finish(subject, over, bypass),
            (Self::Held { subject, by: By::Keys, .. }, Input::Aim(target)) => {
                let effect = Effect::Aimed(subject.clone(), Some(target.clone()));
                (Self::Held { subject, by: By::Keys, over: Some(target) }, effect)
            }
            (
                Self::Held { subject, by: By::Keys | By::Taps, over },
                Input::Drop { target, bypass },
            ) => finish(subject, target.or(over), bypass),
            (Self::Held { subject, .. }, Input::Abort) => (Self::Idle, Effect::Returned(subject)),
            (state, _) => (state, Effect::None),
        }
    }
}

fn finish(subject: Subject, target: Option<Target>, bypass: bool) -> (Drag, Effect) {
    match target {
        // A node cannot stand on a node: it goes to that node's column, which the page looks up.
        Some(target) => (Drag::Idle, Effect::Dropped { subject, target, bypass }),
        None => (Drag::Idle, Effect::Returned(subject)),
    }
}

fn distance(a: (i32, i32), b: (i32, i32)) -> i32 {
    a.0.abs_diff(b.0).max(a.1.abs_diff(b.1)).try_into().unwrap_or(i32::MAX)
}
