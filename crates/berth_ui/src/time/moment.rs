//! A moment on the board: time takes the board's place, shows itself there, and gives it back.

use super::panel::Panel;
use super::run::{Run, Shared, Start};
use super::{Stage, TimeMsg, words};
use crate::app::App;
use crate::engine::Aside;
use crate::tool::Slot;
use berth_core::api::{Kind, Object, Time};
use berth_core::cluster::Cluster;
use berth_core::playground::{Command, Machine, Playground};
use berth_core::simulation::{Objects, Parameters};
use std::cell::RefCell;
use std::rc::Rc;

/// What has the focus once time is there, and once it is over.
const ON_PLAY: &str = "#time-play";
const ON_OPEN: &str = ".work [aria-keyshortcuts=S]";

/// Takes the cluster on the board into a timeline, and shows that.
pub(super) fn enter(app: &mut App, stage: Option<Rc<Stage>>) -> Option<Shared> {
    let (configuration, seed) = {
        let playground = app.engine().playground()?;
        (playground.configuration().clone(), playground.seed())
    };
    let (_, objects) = app.engine().objects();
    let mut parameters = Parameters { epoch: latest(&objects), seed, ..Parameters::default() };
    let start = match stage {
        None => Start::Board(objects),
        Some(stage) => {
            parameters.kubelet = stage.time.kubelet.clone();
            let changed = app.engine().playground().is_some_and(|own| own.log().count() > 0);
            Start::Lesson(stage, changed.then(|| (objects, configuration.clone())))
        }
    };
    let run = match Run::new(start, configuration, parameters) {
        Ok(run) => run,
        Err(error) => {
            app.tell(error.into());
            return None;
        }
    };
    let run = Rc::new(RefCell::new(run));
    put(&run, app, true);
    app.open(Slot::Time, Box::new(Panel::new(&run, app)));
    app.focus(ON_PLAY);
    let said = words(app).text(TimeMsg::SayOpened);
    app.tell(said);
    Some(run)
}

/// When the last thing happened that objects tell of: time begins there.
fn latest(objects: &[Object]) -> Time {
    let times = objects.iter().flat_map(|object| {
        let started = match object {
            Object::Pod(pod) => pod.status.start_time,
            _ => None,
        };
        [object.metadata().creation_timestamp, started]
    });
    times.flatten().max().unwrap_or(Time(0))
}

/// Shows the moment that the timeline is at.
pub(super) fn show(run: &Shared, app: &mut App) {
    put(run, app, false);
    let mut run = run.borrow_mut();
    let Run { told, charts, timeline, at, .. } = &mut *run;
    *at = timeline.now();
    told.follow(timeline);
    charts.follow(timeline);
}

/// Begins anew.
pub(super) fn restart(run: &Shared, app: &mut App) {
    run.borrow_mut().restart();
    show(run, app);
}

/// Puts the cluster on the board as it is at the moment, if something has happened since it was put there.
fn put(run: &Shared, app: &mut App, first: bool) {
    let mut run = run.borrow_mut();
    let state = run.timeline.state();
    let made = Some((run.timeline.current(), state.steps()));
    let touched = app.engine().revision() != run.revision;
    if run.made == made && !touched && !first {
        return;
    }
    let Ok(playground) = Playground::of_moment(state, run.configuration().clone(), Machine::LIGHT)
    else {
        return;
    };
    let mut board = Aside::new(state.objects().iter().cloned().collect(), playground);
    app.engine_mut().exchange(&mut board);
    if first {
        run.aside = board;
    }
    run.made = made;
    run.openings = app.engine().openings();
    if let Some(stage) = &run.stage {
        stage.openings.set(run.openings);
    }
    run.revision = app.engine().revision();
}

/// Gives the board back: as it was, or as it is at this moment, which is one step for undo.
pub(super) fn leave(run: &Shared, app: &mut App, keep: bool) {
    let words = words(app);
    let mut known = run.borrow_mut();
    app.engine_mut().exchange(&mut known.aside);
    if let Some(stage) = &known.stage {
        stage.openings.set(app.engine().openings());
    }
    app.close(Slot::Time);
    app.focus(ON_OPEN);
    if !keep {
        app.tell(words.text(TimeMsg::SayClosed));
        return;
    }
    let clock = super::run::clock(known.at);
    let objects = known.timeline.state().objects();
    let Some(playground) = app.engine_mut().playground_mut() else { return };
    let commands = difference(playground.cluster(), objects);
    let name = words.fill(TimeMsg::DidKeep, &[("time", &clock)]);
    let said = match playground.apply(Command::Batch { name: name.to_string(), commands }) {
        Ok(_) => name,
        Err(error) => error.to_string().into(),
    };
    app.tell(said);
}

/// What time changes by itself: the rest stays as it is on the board.
fn is_moved(kind: Kind) -> bool {
    matches!(kind, Kind::Node | Kind::Pod | Kind::Workload(_))
}

/// The commands that lead from a cluster to what there is at a moment.
fn difference(cluster: &Cluster, objects: &Objects) -> Vec<Command> {
    let mut commands = Vec::new();
    let mut drop = |kind: Kind, key| {
        if objects.get(kind, &key).is_none() {
            commands.push(Command::Drop(kind, key));
        }
    };
    for (_, info) in cluster.pods() {
        drop(Kind::Pod, info.key());
    }
    for ((kind, key), _) in cluster.workloads() {
        drop(Kind::Workload(*kind), key.clone());
    }
    for node in cluster.order().iter().filter_map(|idx| cluster.node(*idx)?.node.as_deref()) {
        drop(Kind::Node, node.metadata.key());
    }
    let (pods, others): (Vec<&Object>, Vec<&Object>) = objects
        .iter()
        .filter(|object| is_moved(object.kind()))
        .filter(|object| cluster.get(object.kind(), &object.key()).as_ref() != Some(*object))
        .partition(|object| object.kind() == Kind::Pod);
    commands.extend(others.into_iter().chain(pods).cloned().map(Command::Put));
    commands
}
