//! The gallery, as a tool.

use super::{course, progress, texts};
use crate::app::App;
use crate::components::{Gallery, GalleryEntry, GalleryProps};
use crate::tool::{Slot, Tool, task};
use berth_wire::lesson::{Lesson, head, write};
use std::rc::Rc;
use yew::{AttrValue, Html, html};

/// Opens the gallery; `mistakes` are what is wrong with a lesson that could not be opened.
pub(super) fn open(app: &mut App, mistakes: Vec<AttrValue>) {
    let entries = texts::TEXTS.iter().filter_map(|text| Some((*text, head(text).ok()?)));
    let entries = entries.map(|(text, lesson)| Rc::new(entry(text, lesson))).collect();
    app.open(
        Slot::Over,
        Box::new(Shown { entries, mistakes: mistakes.into(), done: progress::done().into() }),
    );
}

fn entry(text: &'static str, lesson: Lesson) -> GalleryEntry {
    let from = [&lesson.document, &lesson.thread].into_iter().flatten();
    let mut words = [lesson.id.as_str(), " ", &lesson.title].concat();
    for part in from.chain(&lesson.text) {
        words.push(' ');
        words.push_str(part);
    }
    GalleryEntry {
        text: AttrValue::Static(text),
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
    entries: Rc<[Rc<GalleryEntry>]>,
    mistakes: Rc<[AttrValue]>,
    done: Rc<[String]>,
}

impl Tool for Shown {
    fn view(&self, app: &App) -> Html {
        let send = &app.env().send;
        let props = GalleryProps {
            entries: Rc::clone(&self.entries),
            mistakes: Rc::clone(&self.mistakes),
            done: Rc::clone(&self.done),
            open: send.reform(|text: AttrValue| task(move |app| course::begin(app, &text))),
            forget: send.reform(|()| {
                task(|app| {
                    progress::forget();
                    open(app, Vec::new());
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
    let text = write::lesson(&app.cluster().name, pod.as_ref(), report, playground);
    app.save("lesson.yaml", &text);
}
