//! A lesson that is being taken, and what its controls do.

use super::predict::{self, Guess};
use super::strip::Strip;
use super::tongues::{Follows, Shelf};
use super::{LessonMsg, LessonWords, gallery, progress, texts};
use crate::app::{App, Heading, Intent};
use crate::tool::{Slot, task};
use berth_wire::intake::{SEED, take_in};
use berth_wire::lesson::goal::State;
use berth_wire::lesson::{self, Lesson};
use std::cell::RefCell;
use std::rc::Rc;
use yew::AttrValue;

/// A lesson that is being taken.
#[derive(Clone)]
pub(super) struct Course(pub(super) Rc<RefCell<Taken>>);

/// How far the learner is.
pub(super) struct Taken {
    /// The file's text, to start over.
    pub(super) text: AttrValue,
    /// In which language it is shown.
    pub(super) follows: Follows,
    /// The lesson.
    pub(super) lesson: Rc<Lesson>,
    /// Which cluster it opened.
    pub(super) cluster: u32,
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

/// Opens a lesson, or says what is wrong with it.
pub(super) fn begin(app: &mut App, shelf: &Shelf, text: &AttrValue) {
    let lesson::Opened { lesson, report } = match lesson::read(text) {
        Ok(opened) => opened,
        Err(mistakes) => {
            let lines = mistakes.iter().map(|mistake| mistake.to_string().into());
            return gallery::open(app, shelf, lines.collect());
        }
    };
    let (follows, told) = Follows::begin(app, shelf);
    let lesson = texts::lesson(text, told).unwrap_or(lesson);
    let objects = take_in(&report, SEED).objects;
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
    let course = Course(Rc::new(RefCell::new(Taken {
        text: text.clone(),
        follows,
        lesson: Rc::new(lesson),
        cluster: cluster_of(app),
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
}

impl Course {
    /// The intent to change something about it, with the application at hand.
    pub(super) fn change(&self, change: impl Fn(&mut App, &mut Taken) + 'static) -> Intent {
        let course = self.clone();
        task(move |app| change(app, &mut course.0.borrow_mut()))
    }

    /// The intent to start over.
    pub(super) fn again(&self) -> Intent {
        let (shelf, text) = (self.shelf(), self.0.borrow().text.clone());
        task(move |app| begin(app, &shelf, &text))
    }

    /// The lesson after this one, if it is one of the gallery's.
    pub(super) fn next(&self) -> Option<Intent> {
        let id = self.0.borrow().lesson.id.clone();
        let mut rest = texts::TEXTS.iter().skip_while(|text| id_of(text) != id);
        let text = AttrValue::Static(rest.nth(1)?);
        let shelf = self.shelf();
        Some(task(move |app| begin(app, &shelf, &text)))
    }

    fn shelf(&self) -> Shelf {
        self.0.borrow().follows.shelf().clone()
    }
}

/// The id of one of the gallery's lessons, as its third line says.
fn id_of(text: &str) -> &str {
    text.lines().find_map(|line| line.strip_prefix("id: ")).unwrap_or_default()
}

impl Taken {
    /// Says everything in the page's language, if that has changed.
    pub(super) fn follow(&mut self, app: &App) {
        let told = self.follows.turn(app);
        let Some(lesson) = told.and_then(|told| texts::lesson(&self.text, told)) else { return };
        // The cluster is called as the lesson is.
        let title: AttrValue = lesson.title.clone().into();
        app.env().send(task(move |app| app.rename(title.clone())));
        self.lesson = Rc::new(lesson);
    }

    /// Looks the goals up, if something has changed since.
    pub(super) fn look(&mut self, app: &App) {
        let revision = app.engine().revision();
        let Some(playground) = app.engine().playground() else { return };
        if self.goals.0 == revision && !self.goals.1.is_empty() {
            return;
        }
        let mut scratch = playground.scratch();
        let states: Vec<State> =
            self.lesson.goal.iter().map(|goal| goal.evaluate(&mut scratch)).collect();
        if states.iter().all(|state| state.met) && !self.met {
            self.met = true;
            progress::mark(&self.lesson.id);
        }
        self.goals = (revision, states);
        // What was undone is to be played again.
        let commands = playground.log().count();
        if let Some(played) = &mut self.played {
            played.retain(|after| *after <= commands);
        }
    }

    /// Plays the next step of the solution.
    pub(super) fn play(&mut self, app: &mut App) {
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
