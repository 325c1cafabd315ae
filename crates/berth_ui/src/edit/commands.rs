//! The table of commands: a line each, by group, in the order in which they are listed.
//!
//! The palette, the menus, the page of shortcuts and the keys themselves are made from it. Another part of the program adds
//! its commands here: a line with words of `en-edit.txt`, a key or none, and the [`Call`] that it answers.

use super::things::{ON_BOARD, Sort, Thing};
use super::{Edit, EditMsg, foot, history, picked, shortcuts};
use crate::app::{App, Intent};
use crate::change::Change;
use crate::dom;
use crate::drag::{By, Input, Subject};
use crate::editor::Target;
use crate::languages::Tongue;
use crate::parts::Call;
use crate::state::{Action, Tab, Theme};
use crate::time::Tick;
use crate::tool::task;
use berth_core::api::Node;
use berth_core::operations::outage::is_unreachable;
use berth_core::playground::Playground;

/// A group of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// The whole cluster.
    Cluster,
    /// Taking back.
    History,
    /// New things.
    Add,
    /// What is selected.
    Selection,
    /// Pods.
    Pod,
    /// Nodes.
    Node,
    /// Columns.
    Zone,
    /// The scheduler at work.
    Scheduler,
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
            Self::Add => EditMsg::GroupAdd,
            Self::Selection => EditMsg::GroupSelection,
            Self::Pod => EditMsg::GroupPod,
            Self::Node => EditMsg::GroupNode,
            Self::Zone => EditMsg::GroupZone,
            Self::Scheduler => EditMsg::GroupScheduler,
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

    /// Asks for a change of what it is done to.
    fn change(&self, change: Change) {
        self.ask(Call::Change(change, self.things.into()));
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
    /// Whether it has a button in the bar of what is selected.
    pub(super) in_bar: bool,
    /// Why it cannot be done now, if it cannot.
    pub(super) unless: fn(&App, &[Thing]) -> Option<EditMsg>,
    /// Does it.
    pub(super) run: fn(&mut Scene<'_>),
}

/// It can always be done.
const ALWAYS: fn(&App, &[Thing]) -> Option<EditMsg> = |_, _| None;

/// A command that is done to nothing in particular.
const fn whole(
    group: Group,
    name: EditMsg,
    keys: &'static str,
    run: fn(&mut Scene<'_>),
) -> Command {
    on(group, name, keys, &[Sort::Whole], run)
}

/// A command that is done to things of these kinds.
const fn on(
    group: Group,
    name: EditMsg,
    keys: &'static str,
    on: &'static [Sort],
    run: fn(&mut Scene<'_>),
) -> Command {
    Command { group, name, keys, on, in_bar: false, unless: ALWAYS, run }
}

impl Command {
    /// The same, if nothing stands against it.
    const fn unless(self, unless: fn(&App, &[Thing]) -> Option<EditMsg>) -> Self {
        Self { unless, ..self }
    }

    /// The same, with a button in the bar of what is selected.
    const fn in_bar(self) -> Self {
        Self { in_bar: true, ..self }
    }
}

const THINGS: &[Sort] = &[Sort::Pod, Sort::Node];
const GROUND: &[Sort] = &[Sort::Whole, Sort::Ground];
const NODES: &[Sort] = &[Sort::Node, Sort::Zone];

/// Every command.
pub(super) const COMMANDS: &[Command] = &[
    whole(Group::Cluster, EditMsg::Import, "", |scene| scene.ask(Call::Import)),
    whole(Group::Cluster, EditMsg::Share, "", |scene| scene.ask(Call::Share)),
    whole(Group::Cluster, EditMsg::Rules, "", |scene| scene.ask(Call::Rules("#open-rules"))),
    whole(Group::Cluster, EditMsg::Lessons, "", |scene| scene.ask(Call::Lessons)),
    whole(Group::Cluster, EditMsg::EditClusterYaml, "", |scene| {
        scene.ask(Call::Yaml(Target::Cluster, ON_BOARD));
    }),
    whole(Group::Cluster, EditMsg::EditConfigurationYaml, "", |scene| {
        scene.ask(Call::Yaml(Target::Configuration, ON_BOARD));
    }),
    whole(Group::Cluster, EditMsg::Workloads, "", |scene| scene.change(Change::Workloads)),
    on(Group::History, EditMsg::Undo, "Ctrl+Z", GROUND, |scene| scene.ask(Intent::Undo))
        .unless(|app, _| app.engine().next_undo().is_none().then_some(EditMsg::NothingToUndo)),
    on(Group::History, EditMsg::Redo, "Ctrl+Shift+Z Ctrl+Y", GROUND, |scene| {
        scene.ask(Intent::Redo);
    })
    .unless(|app, _| app.engine().next_redo().is_none().then_some(EditMsg::NothingToRedo)),
    whole(Group::History, EditMsg::History, "H", |scene| history::open(scene.app)),
    on(
        Group::Add,
        EditMsg::AddNode,
        "N",
        &[Sort::Whole, Sort::Ground, Sort::Zone, Sort::Node],
        |scene| scene.change(Change::AddNode(false)),
    ),
    on(
        Group::Add,
        EditMsg::AddZone,
        "Shift+N",
        &[Sort::Whole, Sort::Ground, Sort::Zone],
        |scene| scene.change(Change::AddNode(true)),
    ),
    on(Group::Add, EditMsg::AddPod, "P", GROUND, |scene| scene.change(Change::AddPod)),
    on(Group::Add, EditMsg::AddWorkload, "Shift+P", GROUND, |scene| {
        scene.change(Change::AddWorkload);
    }),
    on(Group::Pod, EditMsg::Schedule, "", &[Sort::Pod], |scene| scene.change(Change::Schedule))
        .unless(all_placed)
        .in_bar(),
    on(Group::Pod, EditMsg::Return, "", &[Sort::Pod], |scene| scene.change(Change::Return))
        .unless(all_wait)
        .in_bar(),
    on(Group::Pod, EditMsg::Why, "", &[Sort::Pod], |scene| {
        if let Some(Thing::Pod(key)) = scene.things.first() {
            scene.ask(Intent::Select(Some(key.clone())));
        }
    })
    .unless(one),
    on(Group::Node, EditMsg::Cordon, "", NODES, |scene| scene.change(Change::Cordon(true)))
        .unless(|app, things| {
            (!any(app, things, |node| !node.spec.unschedulable)).then_some(EditMsg::IsCordoned)
        })
        .in_bar(),
    on(Group::Node, EditMsg::Uncordon, "", NODES, |scene| scene.change(Change::Cordon(false)))
        .unless(|app, things| {
            (!any(app, things, |node| node.spec.unschedulable)).then_some(EditMsg::IsNotCordoned)
        })
        .in_bar(),
    on(Group::Node, EditMsg::Drain, "", NODES, |scene| scene.change(Change::Drain)).in_bar(),
    on(Group::Node, EditMsg::Taint, "", NODES, |scene| scene.change(Change::Taint)),
    on(Group::Node, EditMsg::Label, "", NODES, |scene| scene.change(Change::Label)),
    on(Group::Node, EditMsg::Resize, "", NODES, |scene| scene.change(Change::Resize)),
    on(Group::Zone, EditMsg::Outage, "", NODES, |scene| scene.change(Change::Reach(false))).unless(
        |app, things| {
            (!any(app, things, |node| !is_unreachable(node))).then_some(EditMsg::IsUnreachable)
        },
    ),
    on(Group::Zone, EditMsg::Recover, "", NODES, |scene| scene.change(Change::Reach(true)))
        .unless(|app, things| (!any(app, things, is_unreachable)).then_some(EditMsg::IsReachable)),
    on(Group::Zone, EditMsg::Lose, "", &[Sort::Zone], |scene| scene.change(Change::Lose)),
    on(Group::Selection, EditMsg::Move, "", THINGS, |scene| {
        let subject = match scene.things.first() {
            Some(Thing::Pod(key)) => Subject::Pod(key.clone()),
            Some(Thing::Node(name)) => Subject::Node(name.clone()),
            _ => return,
        };
        scene.ask(Intent::Drag(Input::Lift { subject, by: By::Taps, over: None }));
    })
    .unless(one),
    on(Group::Selection, EditMsg::EditYaml, "E", THINGS, |scene| match scene.things.first() {
        Some(Thing::Pod(key)) => {
            scene.ask(Intent::Select(Some(key.clone())));
            scene.ask(Intent::OpenTab(Tab::Yaml));
        }
        Some(Thing::Node(name)) => scene.ask(Call::Yaml(Target::node(name), ON_BOARD)),
        _ => {}
    })
    .unless(one),
    on(Group::Selection, EditMsg::Duplicate, "Ctrl+D", THINGS, |scene| {
        scene.change(Change::Duplicate);
    })
    .in_bar(),
    on(Group::Selection, EditMsg::Copy, "Ctrl+C", THINGS, |scene| scene.change(Change::Copy))
        .in_bar(),
    on(Group::Selection, EditMsg::Delete, "Delete", THINGS, |scene| scene.change(Change::Delete))
        .in_bar(),
    on(Group::Selection, EditMsg::SelectMore, "", THINGS, |scene| {
        picked::more(scene.edit, scene.app, scene.things);
    }),
    whole(Group::Selection, EditMsg::ClearSelection, "", |scene| {
        picked::clear(scene.edit, scene.app);
    }),
    on(Group::Scheduler, EditMsg::ScheduleNext, "", GROUND, |scene| scene.ask(Call::Run(false)))
        .unless(no_next),
    on(Group::Scheduler, EditMsg::ScheduleAll, "", GROUND, |scene| scene.ask(Call::Run(true)))
        .unless(no_next),
    on(Group::Scheduler, EditMsg::Compare, "Shift+G", GROUND, |scene| {
        scene.ask(Call::Compare("#open-rules"));
    }),
    on(Group::Scheduler, EditMsg::Config, "G", GROUND, |scene| {
        scene.ask(Call::Config("#open-rules"));
    }),
    whole(Group::Scheduler, EditMsg::Simulate, "S", |scene| time(scene, Tick::Open)),
    whole(Group::Scheduler, EditMsg::TimePlay, "K", |scene| time(scene, Tick::Play)),
    whole(Group::Scheduler, EditMsg::TimeNext, "]", |scene| time(scene, Tick::Next)),
    whole(Group::Scheduler, EditMsg::TimePrevious, "[", |scene| time(scene, Tick::Previous)),
    whole(Group::Scheduler, EditMsg::TimePhase, ".", |scene| time(scene, Tick::Phase)),
    whole(Group::View, EditMsg::Find, "/", |scene| foot::search(scene.edit, scene.app)),
    whole(Group::View, EditMsg::TabFilter, "1", |scene| scene.ask(Intent::OpenTab(Tab::Filter)))
        .unless(no_pod),
    whole(Group::View, EditMsg::TabScore, "2", |scene| scene.ask(Intent::OpenTab(Tab::Score)))
        .unless(no_pod),
    whole(Group::View, EditMsg::TabPreemption, "3", |scene| {
        scene.ask(Intent::OpenTab(Tab::Preemption));
    })
    .unless(no_pod),
    whole(Group::View, EditMsg::TabYaml, "4", |scene| scene.ask(Intent::OpenTab(Tab::Yaml)))
        .unless(no_pod),
    whole(Group::View, EditMsg::WhyPanel, "Y", |scene| scene.ask(Call::Why(true))).unless(no_pod),
    whole(Group::View, EditMsg::Print, "", |scene| scene.ask(task(|_| dom::print()))),
    whole(Group::View, EditMsg::ThemeSystem, "", |scene| {
        scene.app.act(Action::Theme(Theme::System));
    }),
    whole(Group::View, EditMsg::ThemeLight, "", |scene| scene.app.act(Action::Theme(Theme::Light))),
    whole(Group::View, EditMsg::ThemeDark, "", |scene| scene.app.act(Action::Theme(Theme::Dark))),
    whole(Group::View, EditMsg::SpeakEnglish, "", |scene| scene.ask(Call::Speak(Tongue::English))),
    whole(Group::View, EditMsg::SpeakIndonesian, "", |scene| {
        scene.ask(Call::Speak(Tongue::Indonesian));
    }),
    whole(Group::View, EditMsg::SpeakUkrainian, "", |scene| {
        scene.ask(Call::Speak(Tongue::Ukrainian));
    }),
    whole(Group::View, EditMsg::SpeakChinese, "", |scene| scene.ask(Call::Speak(Tongue::Chinese))),
    whole(Group::Help, EditMsg::Palette, "Ctrl+K", |scene| scene.ask(Call::Palette)),
    whole(Group::Help, EditMsg::Shortcuts, "?", |scene| shortcuts::open(scene.app)),
    whole(Group::Help, EditMsg::LettersOff, "", |scene| letters(scene, true))
        .unless(|app, _| app.state().letters_off.then_some(EditMsg::LettersAreOff)),
    whole(Group::Help, EditMsg::LettersOn, "", |scene| letters(scene, false))
        .unless(|app, _| (!app.state().letters_off).then_some(EditMsg::LettersAreOn)),
];

/// Asks something of virtual time.
fn time(scene: &Scene<'_>, tick: Tick) {
    scene.ask(Call::Time(tick));
}

/// Turns keys without Ctrl off or on, also for the next visit.
fn letters(scene: &mut Scene<'_>, off: bool) {
    scene.app.act(Action::LettersOff(off));
    dom::remember("letters", if off { "off" } else { "on" });
}

/// Whether this is true of some node among things, or of a column's.
fn any(app: &App, things: &[Thing], is: impl Fn(&Node) -> bool) -> bool {
    let Some(cluster) = app.engine().playground().map(Playground::cluster) else { return false };
    let holds = |name: &str| {
        let node = cluster.node_named(name).and_then(|idx| cluster.node(idx)?.node.as_deref());
        node.is_some_and(&is)
    };
    things.iter().any(|thing| match thing {
        Thing::Node(name) => holds(name),
        Thing::Zone(id) => {
            let domain = app.cluster().domains.iter().find(|domain| domain.id() == *id);
            domain.is_some_and(|domain| domain.nodes.iter().any(|node| holds(&node.name)))
        }
        Thing::Pod(_) | Thing::Ground => false,
    })
}

fn no_next(app: &App, _: &[Thing]) -> Option<EditMsg> {
    (!app.cluster().has_next).then_some(EditMsg::NothingWaits)
}

fn no_pod(app: &App, _: &[Thing]) -> Option<EditMsg> {
    app.inspector().is_none().then_some(EditMsg::NoPodSelected)
}

fn one(_: &App, things: &[Thing]) -> Option<EditMsg> {
    (things.len() > 1).then_some(EditMsg::OnlyOne)
}

/// Whether a thing is a pod that waits.
fn waits(app: &App, thing: &Thing) -> bool {
    matches!(thing, Thing::Pod(key) if app.cluster().pending.iter().any(|pod| pod.key == *key))
}

fn all_placed(app: &App, things: &[Thing]) -> Option<EditMsg> {
    (!things.iter().any(|thing| waits(app, thing))).then_some(EditMsg::IsPlaced)
}

fn all_wait(app: &App, things: &[Thing]) -> Option<EditMsg> {
    things.iter().all(|thing| waits(app, thing)).then_some(EditMsg::Waits)
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
                [Sort::Node, Sort::Zone] => EditMsg::OnlyNodes,
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
    ("Shift+↓ Shift+↑", EditMsg::KeyNextFitting),
    ("Alt+Enter", EditMsg::KeyBypass),
    ("W", EditMsg::KeyWhy),
    ("Shift+← Shift+→ Shift+↑ Shift+↓", EditMsg::KeySelectStep),
    ("Shift+Click Ctrl+Click", EditMsg::KeySelect),
    ("Ctrl+A", EditMsg::KeySelectAll),
    ("Shift+F10", EditMsg::KeyMenu),
    ("Esc", EditMsg::KeyEscape),
];
