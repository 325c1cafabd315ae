//! The table of commands: a line each, by group, in the order in which they are listed.
//!
//! The palette, the menus, the page of shortcuts and the keys themselves are made from it. Another part of the program adds
//! its commands here: a line with words of `en-edit.txt`, a key or none, and the [`Call`] that it answers.

use super::things::{Sort, Thing};
use super::{Edit, EditMsg, palette, shortcuts};
use crate::app::{App, Intent};
use crate::drag::{By, Input, Subject};
use crate::parts::Call;
use crate::state::{Action, Tab, Theme};

/// A group of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// The whole cluster.
    Cluster,
    /// Taking back.
    History,
    /// The scheduler at work.
    Scheduler,
    /// A pod.
    Pod,
    /// What is shown, and how.
    View,
    /// About the page.
    Help,
}

impl Group {
    /// What it is called.
    pub(super) fn title(self) -> EditMsg {
        match self {
            Self::Cluster => EditMsg::GroupCluster,
            Self::History => EditMsg::GroupHistory,
            Self::Scheduler => EditMsg::GroupScheduler,
            Self::Pod => EditMsg::GroupPod,
            Self::View => EditMsg::GroupView,
            Self::Help => EditMsg::GroupHelp,
        }
    }
}

/// What a command is done with.
pub(super) struct Scene<'a> {
    /// The editor.
    pub(super) edit: &'a Edit,
    /// The application.
    pub(super) app: &'a mut App,
    /// What it is done to.
    pub(super) things: &'a [Thing],
}

impl Scene<'_> {
    /// Asks the page for something, once this is over.
    pub(super) fn ask(&self, intent: impl Into<Intent>) {
        self.app.env().send(intent);
    }
}

/// A command.
pub(super) struct Command {
    /// Where it is listed.
    pub(super) group: Group,
    /// What it is called.
    pub(super) name: EditMsg,
    /// The keys that mean it, separated by spaces: `Ctrl+Z`, `Shift+N`, `?`.
    pub(super) keys: &'static str,
    /// What it can be done to; several at once if they all are.
    pub(super) on: &'static [Sort],
    /// Why it cannot be done now, if it cannot.
    pub(super) unless: fn(&App, &[Thing]) -> Option<EditMsg>,
    /// Does it.
    pub(super) run: fn(&mut Scene<'_>),
}

/// It can always be done.
const ALWAYS: fn(&App, &[Thing]) -> Option<EditMsg> = |_, _| None;

/// It is done to nothing in particular.
const WHOLE: &[Sort] = &[Sort::Whole];

/// Every command.
pub(super) const COMMANDS: &[Command] = &[
    Command {
        group: Group::Cluster,
        name: EditMsg::Import,
        keys: "",
        on: WHOLE,
        unless: ALWAYS,
        run: |scene| scene.ask(Call::Import),
    },
    Command {
        group: Group::Cluster,
        name: EditMsg::Share,
        keys: "",
        on: WHOLE,
        unless: ALWAYS,
        run: |scene| scene.ask(Call::Share),
    },
    Command {
        group: Group::Cluster,
        name: EditMsg::Rules,
        keys: "",
        on: WHOLE,
        unless: ALWAYS,
        run: |scene| scene.ask(Call::Rules("#open-rules")),
    },
    Command {
        group: Group::Cluster,
        name: EditMsg::Lessons,
        keys: "",
        on: WHOLE,
        unless: ALWAYS,
        run: |scene| scene.ask(Call::Lessons),
    },
    Command {
        group: Group::History,
        name: EditMsg::Undo,
        keys: "Ctrl+Z",
        on: WHOLE,
        unless: |app, _| (!app.engine().can_undo()).then_some(EditMsg::NothingToUndo),
        run: |scene| scene.ask(Intent::Undo),
    },
    Command {
        group: Group::History,
        name: EditMsg::Redo,
        keys: "Ctrl+Shift+Z Ctrl+Y",
        on: WHOLE,
        unless: |app, _| (!app.engine().can_redo()).then_some(EditMsg::NothingToRedo),
        run: |scene| scene.ask(Intent::Redo),
    },
    Command {
        group: Group::Scheduler,
        name: EditMsg::ScheduleNext,
        keys: "",
        on: &[Sort::Whole, Sort::Tray],
        unless: no_next,
        run: |scene| scene.ask(Call::Run(false)),
    },
    Command {
        group: Group::Scheduler,
        name: EditMsg::ScheduleAll,
        keys: "",
        on: &[Sort::Whole, Sort::Tray],
        unless: no_next,
        run: |scene| scene.ask(Call::Run(true)),
    },
    Command {
        group: Group::Pod,
        name: EditMsg::Move,
        keys: "",
        on: &[Sort::Pod, Sort::Node],
        unless: |_, things| (things.len() > 1).then_some(EditMsg::OnlyOne),
        run: |scene| {
            let subject = match scene.things.first() {
                Some(Thing::Pod(key)) => Subject::Pod(key.clone()),
                Some(Thing::Node(name)) => Subject::Node(name.clone()),
                _ => return,
            };
            scene.ask(Intent::Drag(Input::Lift { subject, by: By::Taps, over: None }));
        },
    },
    Command {
        group: Group::View,
        name: EditMsg::TabFilter,
        keys: "1",
        on: WHOLE,
        unless: no_pod,
        run: |scene| scene.ask(Intent::OpenTab(Tab::Filter)),
    },
    Command {
        group: Group::View,
        name: EditMsg::TabScore,
        keys: "2",
        on: WHOLE,
        unless: no_pod,
        run: |scene| scene.ask(Intent::OpenTab(Tab::Score)),
    },
    Command {
        group: Group::View,
        name: EditMsg::TabPreemption,
        keys: "3",
        on: WHOLE,
        unless: no_pod,
        run: |scene| scene.ask(Intent::OpenTab(Tab::Preemption)),
    },
    Command {
        group: Group::View,
        name: EditMsg::ThemeSystem,
        keys: "",
        on: WHOLE,
        unless: ALWAYS,
        run: |scene| scene.app.act(Action::Theme(Theme::System)),
    },
    Command {
        group: Group::View,
        name: EditMsg::ThemeLight,
        keys: "",
        on: WHOLE,
        unless: ALWAYS,
        run: |scene| scene.app.act(Action::Theme(Theme::Light)),
    },
    Command {
        group: Group::View,
        name: EditMsg::ThemeDark,
        keys: "",
        on: WHOLE,
        unless: ALWAYS,
        run: |scene| scene.app.act(Action::Theme(Theme::Dark)),
    },
    Command {
        group: Group::Help,
        name: EditMsg::Palette,
        keys: "Ctrl+K",
        on: WHOLE,
        unless: ALWAYS,
        run: |scene| palette::open(scene.edit, scene.app),
    },
    Command {
        group: Group::Help,
        name: EditMsg::Shortcuts,
        keys: "?",
        on: WHOLE,
        unless: ALWAYS,
        run: |scene| shortcuts::open(scene.app),
    },
    Command {
        group: Group::Help,
        name: EditMsg::LettersOff,
        keys: "",
        on: WHOLE,
        unless: |app, _| app.state().letters_off.then_some(EditMsg::LettersAreOff),
        run: |scene| scene.app.act(Action::LettersOff(true)),
    },
    Command {
        group: Group::Help,
        name: EditMsg::LettersOn,
        keys: "",
        on: WHOLE,
        unless: |app, _| (!app.state().letters_off).then_some(EditMsg::LettersAreOn),
        run: |scene| scene.app.act(Action::LettersOff(false)),
    },
];

fn no_next(app: &App, _: &[Thing]) -> Option<EditMsg> {
    (!app.cluster().has_next).then_some(EditMsg::NothingWaits)
}

fn no_pod(app: &App, _: &[Thing]) -> Option<EditMsg> {
    app.inspector().is_none().then_some(EditMsg::NoPodSelected)
}

impl Command {
    /// Whether it is done to things of these kinds.
    pub(super) fn takes(&self, things: &[Thing]) -> bool {
        !things.is_empty() && things.iter().all(|thing| self.on.contains(&thing.sort()))
    }

    /// What it is done to, of the things at hand.
    pub(super) fn subjects<'t>(&self, things: &'t [Thing]) -> &'t [Thing] {
        if self.takes(things) { things } else { &[] }
    }

    /// Why it cannot be done to the things at hand, if it cannot.
    pub(super) fn hindrance(&self, app: &App, things: &[Thing]) -> Option<EditMsg> {
        let whole = self.on.contains(&Sort::Whole);
        if !whole && !self.takes(things) {
            return Some(match self.on {
                [Sort::Pod] => EditMsg::OnlyPods,
                [Sort::Node] => EditMsg::OnlyNodes,
                [Sort::Zone] => EditMsg::OnlyZones,
                _ => EditMsg::OnlyThings,
            });
        }
        (self.unless)(app, self.subjects(things))
    }

    /// Does it, or says why it cannot be done.
    pub(super) fn perform(&self, edit: &Edit, app: &mut App, things: &[Thing]) {
        match self.hindrance(app, things) {
            Some(why) => {
                let text = app.env().table().text(why);
                app.tell(text);
            }
            None => (self.run)(&mut Scene { edit, app, things: self.subjects(things) }),
        }
    }

    /// Whether a key means it.
    pub(super) fn has_key(&self, key: &str) -> bool {
        self.keys.split(' ').any(|own| own == key)
    }
}

/// Keys that the page itself knows, and what they do.
pub(super) const OTHER_KEYS: &[(&str, EditMsg)] = &[
    ("← → ↑ ↓", EditMsg::KeyWalk),
    ("Ctrl+↑ Ctrl+↓", EditMsg::KeyZones),
    ("Home End", EditMsg::KeyEnds),
    ("Enter", EditMsg::KeyOpen),
    ("Space M", EditMsg::KeyPickUp),
    ("Shift+↑ Shift+↓", EditMsg::KeyNextFitting),
    ("Alt+Enter", EditMsg::KeyBypass),
    ("W", EditMsg::KeyWhy),
    ("Esc", EditMsg::KeyEscape),
];
