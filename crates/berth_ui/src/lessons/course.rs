//! A lesson that is being taken, and what its controls do.

use super::predict::{self, Guess};
use super::strip::Strip;
use super::texts::LESSONS;
use super::tongues::{Files, Follows, Shelf, spoken};
use super::{LessonMsg, LessonWords, gallery, progress};
use crate::app::{App, Heading, Intent};
use crate::parts::Call;
use crate::time::Stage;
use crate::tool::{Slot, task};
use berth_wire::intake::{SEED, take_in};
use berth_wire::lesson::goal::{Found, State};
use berth_wire::lesson::{self, Lesson};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use yew::AttrValue;

/// A lesson that is being taken.
#[derive(Clone)]
pub(super) struct Course(pub(super) Rc<RefCell<Taken>>);

/// How far the learner is.
pub(super) struct Taken {
    /// The file's text, to start over.
    pub(super) text: AttrValue,
    /// Its place in the gallery, if it is one of the gallery's.
    place: Option<usize>,
    /// In which language it is shown.
    pub(super) follows: Follows,
    /// The lesson.
    pub(super) lesson: Rc<Lesson>,
    /// Which cluster it opened.
    pub(super) cluster: u32,
    /// How it stands in time, if it is played there.
    pub(super) stage: Option<Rc<Stage>>,
    /// The goals as they stand, and at which revision.
    pub(super) goals: (u32, Vec<State>),
    /// Whether the goal was met once.
    pub(super) met: bool,
    /// The place of the text that is shown.
    pub(super) step: usize,
    /// How many hints are shown.
    pub(super) hints: usize,
    /// The solution, once it is shown: how many commands there were after each step that was played.
    pub(super) played: Option<Vec<usize>>,
    /// Why the last step could not be played.
    pub(super) failure: Option<AttrValue>,
    /// What the learner foretells.
    pub(super) guess: Option<Guess>,
}

/// Counts the clusters that were opened.
pub(super) fn cluster_of(app: &App) -> u32 {
    app.engine().revision() >> 20
}

/// Opens the lesson at a place of the gallery once its files are here.
pub(super) fn open(app: &mut App, shelf: &Shelf, place: usize) {
    let (tongue, own) = (spoken(app), shelf.clone());
    shelf.open(app, place, tongue, move |app, files| begin(app, &own, files, Some(place)));
}

/// Opens a lesson, or says what is wrong with it.
pub(super) fn begin(app: &mut App, shelf: &Shelf, files: &Files, place: Option<usize>) {
    let text = &files.text;
    let lesson::Opened { mut lesson, report } = match lesson::read(text) {
        Ok(opened) => opened,
        Err(mistakes) => {
            let lines = mistakes.iter().map(|mistake| mistake.to_string().into());
            return gallery::open(app, shelf, lines.collect());
        }
    };
    let (follows, _) = Follows::begin(app, shelf);
    say(&mut lesson, files);
    let stage = lesson.time.clone().map(|time| (time, report.clone()));
    // In time workloads make their pods when it begins.
    let objects = match stage {
        Some(_) => report.items.iter().map(|item| item.object.clone()).collect(),
        None => take_in(&report, SEED).objects,
    };
    let title: AttrValue = lesson.title.clone().into();
    if let Err(error) = app.engine_mut().open(title.clone(), report, objects) {
        return gallery::open(app, shelf, vec![error]);
    }
    app.close(Slot::Over);
    let pod = lesson.pod.as_ref().map(|pod| pod.to_string().into());
    app.opened(Heading { name: title.clone(), pod, story: AttrValue::default() });
    let words: LessonWords = app.env().table();
    app.tell(words.fill(LessonMsg::Lesson, &[("id", &lesson.id), ("title", &title)]));
    let guesses = lesson.predict.is_some();
    let lesson = Rc::new(lesson);
    let stage = stage.map(|(time, report)| {
        Rc::new(Stage {
            lesson: Rc::clone(&lesson),
            time,
            report,
            states: RefCell::new(vec![None; lesson.goal.len()]),
            openings: Cell::new(app.engine().openings()),
        })
    });
    let course = Course(Rc::new(RefCell::new(Taken {
        text: text.clone(),
        place,
        follows,
        lesson,
        cluster: cluster_of(app),
        stage: stage.clone(),
        goals: (0, Vec::new()),
        met: false,
        step: 0,
        hints: 0,
        played: None,
        failure: None,
        guess: None,
    })));
    app.open(Slot::Lesson, Box::new(Strip(course.clone())));
    if guesses {
        predict::begin(app, &course);
    }
    app.focus("#lesson-title");
    if let Some(stage) = stage {
        app.env().send(Call::Stage(stage, false));
    }
}

impl Course {
    /// The intent to change something about it, with the application at hand.
    pub(super) fn change(&self, change: impl Fn(&mut App, &mut Taken) + 'static) -> Intent {
        let course = self.clone();
        task(move |app| change(app, &mut course.0.borrow_mut()))
    }

    /// The intent to start over.
    pub(super) fn again(&self) -> Intent {
        let (shelf, place, text) = {
            let taken = self.0.borrow();
            (taken.follows.shelf().clone(), taken.place, taken.text.clone())
        };
        task(move |app| match place {
            Some(place) => open(app, &shelf, place),
            None => begin(app, &shelf, &Files { text: text.clone(), words: None }, None),
        })
    }

    /// The lesson after this one, if it is one of the gallery's.
    pub(super) fn next(&self) -> Option<Intent> {
        let taken = self.0.borrow();
        let next = taken.place? + 1;
        let shelf = taken.follows.shelf().clone();
        (next < LESSONS.len()).then(|| task(move |app| open(app, &shelf, next)))
    }
}

impl Course {
    /// Says from now on what these files say.
    fn turn(&self, app: &mut App, files: &Files) {
        let Ok(mut lesson) = lesson::head(&files.text) else { return };
        say(&mut lesson, files);
        // The cluster is called as the lesson is.
        app.rename(lesson.title.clone().into());
        self.0.borrow_mut().lesson = Rc::new(lesson);
        app.tell(AttrValue::default());
    }
}

/// Has a lesson say what its files say.
fn say(lesson: &mut Lesson, files: &Files) {
    if let Some(text) = &files.words
        && let Ok(words) = lesson::words(text)
    {
        lesson.say(words);
    }
}

impl Taken {
    /// Says everything in the page's language once that is here, if it has changed.
    pub(super) fn follow(&mut self, course: &Course, app: &App) {
        let (Some(tongue), Some(place)) = (self.follows.next(app), self.place) else { return };
        let (shelf, course) = (self.follows.shelf().clone(), course.clone());
        app.env().send(task(move |app| {
            let course = course.clone();
            shelf.open(app, place, tongue, move |app, files| course.turn(app, files));
        }));
    }

    /// Whether its cluster is still the one that is shown.
    pub(super) fn stays(&self, app: &App) -> bool {
        match &self.stage {
            Some(stage) => stage.openings.get() == app.engine().openings(),
            None => self.cluster == cluster_of(app),
        }
    }

    /// Takes in how the goals stand.
    fn know(&mut self, revision: u32, states: Vec<State>) {
        if states.iter().all(|state| state.met) && !self.met {
            self.met = true;
            progress::mark(&self.lesson.id);
        }
        self.goals = (revision, states);
    }

    /// Looks the goals up, if something has changed since.
    pub(super) fn look(&mut self, app: &App) {
        if let Some(stage) = self.stage.clone() {
            let unknown = || State { met: false, found: Found::Text(String::new()) };
            let states = stage.states.borrow();
            let states = states.iter().map(|state| state.clone().unwrap_or_else(unknown));
            return self.know(0, states.collect());
        }
        let revision = app.engine().revision();
        let Some(playground) = app.engine().playground() else { return };
        if self.goals.0 == revision && !self.goals.1.is_empty() {
            return;
        }
        let mut scratch = playground.scratch();
        let states: Vec<State> =
            self.lesson.goal.iter().map(|goal| goal.evaluate(&mut scratch)).collect();
        let commands = playground.log().count();
        self.know(revision, states);
        // What was undone is to be played again.
        if let Some(played) = &mut self.played {
            played.retain(|after| *after <= commands);
        }
    }

    /// Plays the next step of the solution.
    pub(super) fn play(&mut self, app: &mut App) {
        if let Some(stage) = &self.stage {
            self.played = Some(Vec::new());
            return app.env().send(Call::Stage(Rc::clone(stage), true));
        }
        let words: LessonWords = app.env().table();
        let Some(played) = &mut self.played else {
            self.played = Some(Vec::new());
            return;
        };
        let Some(step) = self.lesson.solution.get(played.len()) else { return };
        let Some(playground) = app.engine_mut().playground_mut() else { return };
        match step.carry_out(playground) {
            Ok(_) => {
                played.push(playground.log().count());
                self.failure = None;
                app.tell(step.text.clone().into());
            }
            Err(failure) => {
                let blanks = [("error", &*failure.to_string())];
                let text = words.fill(LessonMsg::SolutionFailed, &blanks);
                self.failure = Some(text.clone());
                app.tell(text);
            }
        }
    }
}
