//! Lessons: the gallery, the strip above the board that leads through one, and "predict first". A part of the program that
//! is fetched when it is first needed, see [`crate::parts`].

mod course;
mod gallery;
mod predict;
mod progress;
mod strip;
mod texts;
mod words;

pub use words::{LessonMsg, LessonWords};

use crate::app::App;
use crate::parts::{Call, Late, late};
use berth_core::playground::Machine;

late!(lessons, |app| {
    app.style(include_str!("../../../../web/styles/late/lessons.css"));
    // Solutions let the scheduler work through its queue.
    app.engine_mut().run_by(Machine::WHOLE);
    Box::new(Lessons)
});

/// This part.
struct Lessons;

impl Late for Lessons {
    fn call(&mut self, app: &mut App, call: Call) {
        match call {
            Call::Lessons => gallery::open(app, Vec::new()),
            Call::Lesson(text) => course::begin(app, &text),
            _ => {}
        }
    }
}
