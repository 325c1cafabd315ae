//! The gallery, as a tool.

use super::tongues::{Follows, Shelf, Told};
use super::{course, progress, texts};
use crate::app::App;
use crate::components::{Gallery, GalleryEntry, GalleryProps};
use crate::tool::{Slot, Tool, task};
use berth_wire::lesson::{Lesson, write};
use std::rc::Rc;
use yew::{AttrValue, Html, html};

/// Opens the gallery; `mistakes` are what is wrong with a lesson that could not be opened.
pub(super) fn open(app: &mut App, shelf: &Shelf, mistakes: Vec<AttrValue>) {
    let (follows, told) = Follows::begin(app, shelf);
    let (entries, done) = (entries(told), progress::done().into());
    app.open(Slot::Over, Box::new(Shown { follows, entries, mistakes: mistakes.into(), done }));
}

fn entries(told: Told) -> Rc<[Rc<GalleryEntry>]> {
    let lessons = (0..texts::LESSONS.len()).filter_map(|place| texts::entry(place, told));
    lessons.map(|lesson| Rc::new(entry(lesson))).collect()
}

fn entry(lesson: Lesson) -> GalleryEntry {
    let from = [&lesson.document, &lesson.thread].into_iter().flatten();
    let mut words = [lesson.id.as_str(), " ", &lesson.title].concat();
    for part in from {
        words.push(' ');
        words.push_str(part);
    }
    GalleryEntry {
        words: words.to_lowercase(),
        id: lesson.id.into(),
        title: lesson.title.into(),
        document: lesson.document.map(Into::into),
        thread: lesson.thread.map(Into::into),
        questions: lesson.questions,
    }
}

/// The gallery.
struct Shown {
    follows: Follows,
    entries: Rc<[Rc<GalleryEntry>]>,
    mistakes: Rc<[AttrValue]>,
    done: Rc<[String]>,
}

impl Tool for Shown {
    fn follow(&mut self, app: &App) {
        if let Some(told) = self.follows.turn(app) {
            self.entries = entries(told);
        }
    }

    fn view(&self, app: &App) -> Html {
        let send = &app.env().send;
        let (opens, forgets) = (self.follows.shelf().clone(), self.follows.shelf().clone());
        let props = GalleryProps {
            entries: Rc::clone(&self.entries),
            mistakes: Rc::clone(&self.mistakes),
            done: Rc::clone(&self.done),
            open: send.reform(move |id: AttrValue| {
                let shelf = opens.clone();
                task(move |app| {
                    if let Some(place) = texts::place_of(&id) {
                        course::open(app, &shelf, place);
                    }
                })
            }),
            forget: send.reform(move |()| {
                let shelf = forgets.clone();
                task(move |app| {
                    progress::forget();
                    open(app, &shelf, Vec::new());
                })
            }),
            make: send.reform(|()| task(make)),
            close: send.reform(|()| task(|app| app.close(Slot::Over))),
        };
        html! { <Gallery ..props /> }
    }
}

/// Saves a lesson whose cluster is the one that was opened, and whose solution is what was done since.
fn make(app: &mut App) {
    let pod = app.state().selected.as_deref().map(berth_core::api::ObjectKey::parse);
    let (report, _) = app.engine().objects();
    let Some(playground) = app.engine().playground() else { return };
    let text = write::lesson(&app.cluster().name, pod.as_ref(), &report, playground);
    app.save("lesson.yaml", &text);
}
