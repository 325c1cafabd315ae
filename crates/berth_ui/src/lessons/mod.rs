//! Lessons: the gallery, the strip above the board that leads through one, and "predict first". A part of the program that
//! is fetched when it is first needed, see [`crate::parts`].

mod course;
mod gallery;
mod predict;
mod progress;
mod strip;
mod texts;
mod tongues;
mod words;

pub use words::{LessonMsg, LessonWords};

use crate::app::App;
use crate::parts::{Call, Late, late};
use berth_core::playground::Machine;
use tongues::{Files, Shelf};

late!(lessons, |app| {
    app.style(include_str!("../../../../web/styles/late/lessons.css"));
    // Solutions let the scheduler work through its queue.
    app.engine_mut().run_by(Machine::WHOLE);
    Box::new(Lessons::default())
});

/// This part, with what lessons say.
#[derive(Default)]
struct Lessons(Shelf);

impl Late for Lessons {
    fn call(&mut self, app: &mut App, call: Call) {
        let tongue = tongues::spoken(app);
        let shelf = self.0.clone();
        match self.0.told(tongue) {
            Some(_) => answer(app, &shelf, &call),
            None => self.0.fetch(app, tongue, move |app| answer(app, &shelf, &call)),
        }
    }
}

fn answer(app: &mut App, shelf: &Shelf, call: &Call) {
    match call {
        Call::Lessons => gallery::open(app, shelf, Vec::new()),
        Call::Lesson(text) => {
            let files = Files { text: text.clone(), words: None };
            course::begin(app, shelf, &files, None);
        }
        _ => {}
    }
}
