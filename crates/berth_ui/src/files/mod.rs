//! Manifests in and out, with their dialogs: the part of the program that is fetched when it is first needed.
//!
//! Reading YAML, checking every field and writing objects back is a quarter of the program, and the cluster that the
//! page opens with needs none of it. See [`crate::parts`].

mod add;
mod dialogs;
mod heading;
mod read;
mod slowly;

use crate::app::{App, Heading, Source};
use crate::parts::{Call, Late, late};
use crate::state::Action;
use crate::tool::{Slot, task};
use crate::view::{Problem, ReportView, Severity};
use crate::{dom, engine};
use berth_core::playground::{Loading, Playground};
use berth_wire::lesson::is_lesson;
use berth_wire::manifest::{Entrance, Report};
use dialogs::Import;
use read::Settled;
use slowly::Pace;
use std::cell::RefCell;
use std::rc::Rc;
use yew::AttrValue;

late!(files, |app| {
    app.style(include_str!("../../../../web/styles/late/problems.css"));
    app.style(include_str!("../../../../web/styles/late/files.css"));
    Box::new(Files::default())
});

/// Up to this many bytes are read at once.
const AT_ONCE: usize = 1 << 20;

/// This part.
#[derive(Clone, Default)]
struct Files(Rc<RefCell<Reading>>);

/// What is read, and what came of it.
#[derive(Default)]
struct Reading {
    /// What was read last.
    sources: Rc<[Source]>,
    /// What that brought to light.
    report: Rc<ReportView>,
    /// How much is read, in thousandths, while it takes long.
    progress: Option<u16>,
    /// Counts what is read, so that what was cancelled ends.
    turn: u32,
}

impl Late for Files {
    fn call(&mut self, app: &mut App, call: Call) {
        match call {
            Call::Import => self.open_import(app),
            Call::Add(sources, name) => add::add(self, app, &sources, name),
            Call::Copy(objects, said) => {
                let report = Report::default();
                dom::copy_text(&berth_wire::export::yaml(&report, &objects));
                app.tell(said);
            }
            Call::Read(sources) => self.read(app, sources, Entrance::Paste),
            Call::Files(files) => {
                let (part, send) = (self.clone(), app.env().send.clone());
                let limit = Entrance::File.most_bytes() as u64;
                dom::read_files(&files, limit, move |read| {
                    let (part, sources) = (part.clone(), sources(read));
                    send.emit(task(move |app| match &sources {
                        Ok(sources) => part.read(app, Rc::clone(sources), Entrance::File),
                        Err(name) => part.too_large(app, name),
                    }));
                });
            }
            _ => {}
        }
    }
}

impl Files {
    fn open_import(&self, app: &mut App) {
        app.open(Slot::Over, Box::new(Import(self.clone())));
    }

    fn too_large(&self, app: &mut App, name: &AttrValue) {
        let limit = (Entrance::File.most_bytes() >> 20).to_string();
        let message = app.env().words.fill(crate::locale::Msg::TooLarge, &[("limit", &limit)]);
        let mut problem = Problem::general(Severity::Error, message);
        problem.source = name.clone();
        let report = ReportView { problems: vec![problem], ..ReportView::default() };
        self.0.borrow_mut().report = Rc::new(report);
        self.open_import(app);
    }

    /// Shows what was read with what is wrong with it.
    fn refuse(&self, app: &mut App, sources: Rc<[Source]>, view: ReportView) {
        self.next_turn();
        {
            let mut reading = self.0.borrow_mut();
            reading.sources = sources;
            reading.report = Rc::new(view);
        }
        self.open_import(app);
    }

    /// Reads texts: little at once, much in slices with the page drawn in between.
    fn read(&self, app: &mut App, sources: Rc<[Source]>, entrance: Entrance) {
        if let [source] = &*sources
            && is_lesson(&source.text)
        {
            return app.env().send(Call::Lesson(source.text.clone()));
        }
        let bytes: usize = sources.iter().map(|source| source.text.len()).sum();
        let turn = self.next_turn();
        if bytes <= AT_ONCE {
            let mut reader = read::reader(&sources, entrance);
            while !reader.step(usize::MAX).finished {}
            let report = reader.finish();
            self.finish(app, sources, report);
            return;
        }
        self.0.borrow_mut().progress = Some(0);
        self.open_import(app);
        let mut pace = Pace { part: self.clone(), send: app.env().send.clone(), turn };
        let words = app.env().words.clone();
        dom::spawn(async move {
            // Cancelled, or something else is read by now, if nothing comes of it.
            let Some(opening) = slowly::open(&sources, entrance, &words, &mut pace).await else {
                return;
            };
            // The cluster first: what a pod of it is told takes a while too.
            let pod = opening.settled.heading.pod.clone();
            let opened = matches!(opening.playground, Some(Ok(_)));
            let Pace { part, send, .. } = pace;
            let opening = RefCell::new(Some(opening));
            send.emit(task(move |app| {
                if let Some(opening) = opening.borrow_mut().take() {
                    let open =
                        |app: &mut App, heading: Heading| app.opened_with(heading.story, None);
                    part.show(app, Rc::clone(&sources), opening, open);
                }
            }));
            if !opened {
                return;
            }
            dom::breathe().await;
            send.emit(task(move |app| {
                let first = || app.engine().first_waiting();
                let pod = app.state().selected.clone().or_else(|| pod.clone()).or_else(first);
                app.act(Action::Select(pod));
            }));
        });
    }

    /// What is read by now is not wanted any more; the number of what comes next.
    fn next_turn(&self) -> u32 {
        let mut reading = self.0.borrow_mut();
        reading.turn = reading.turn.wrapping_add(1);
        reading.progress = None;
        reading.turn
    }

    /// Opens what was read.
    fn finish(&self, app: &mut App, sources: Rc<[Source]>, report: Report) {
        let settled = read::settle(&sources, &report, &app.env().words);
        let loading = settled.objects.as_ref().map(|objects| engine::loading(&report, objects));
        let playground = loading.map(|loading| loading.map(Loading::finish));
        self.show(app, sources, Opening { report, settled, playground }, App::opened);
    }

    /// Shows what was read, and the cluster that it came to by `open`.
    fn show(
        &self,
        app: &mut App,
        sources: Rc<[Source]>,
        opening: Opening,
        open: fn(&mut App, Heading),
    ) {
        let Opening { report, settled: Settled { heading, mut view, objects }, playground } =
            opening;
        let mut opened = false;
        match (objects, playground) {
            (Some(objects), Some(Ok(playground))) => {
                app.engine_mut().show(heading.name.clone(), report, objects, playground);
                opened = true;
            }
            (_, Some(Err(error))) => {
                view.problems.insert(0, Problem::general(Severity::Error, error));
            }
            _ => {}
        }
        let quiet = view.problems.is_empty() && view.notes.is_empty();
        {
            let mut reading = self.0.borrow_mut();
            reading.sources = sources;
            reading.report = Rc::new(view);
            reading.progress = None;
        }
        if opened {
            open(app, heading);
        }
        if opened && quiet {
            app.close(Slot::Over);
        } else {
            self.open_import(app);
        }
    }
}

/// What was read, ready to be shown.
struct Opening {
    /// What was read.
    report: Report,
    /// What it says.
    settled: Settled,
    /// The cluster that it comes to, or the engine's error; none if what was read has errors.
    playground: Option<Result<Playground, AttrValue>>,
}

/// The texts of opened files, or the name of one that is too large.
fn sources(files: Vec<dom::Opened>) -> Result<Rc<[Source]>, AttrValue> {
    let mut sources = Vec::new();
    for (name, text) in files {
        let Ok(text) = text else { return Err(name.into()) };
        sources.push(Source { name: name.into(), text: text.into() });
    }
    Ok(sources.into())
}
