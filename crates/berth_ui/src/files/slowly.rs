//! Reading and opening much, a slice at a time, with the page drawn in between.

use super::{Files, Opening, read};
use crate::app::{Intent, Source};
use crate::locale::Locale;
use crate::tool::task;
use crate::{dom, engine};
use berth_core::api::Object;
use berth_core::playground::Playground;
use berth_wire::intake::{Intake, SEED, Taking};
use berth_wire::manifest::{Entrance, Reader, Report};
use yew::{AttrValue, Callback};

/// So many bytes are read between two frames.
const BYTES: usize = 256 << 10;
/// So many objects are looked at.
const OBJECTS: usize = 2000;
/// Where reading ends and where loading begins, in thousandths of the whole.
const READ: u64 = 600;
const TAKEN: u64 = 750;
const LOADED: u64 = 1000;

/// Who is told how far the work is, and whether it is to go on.
pub(super) struct Pace {
    pub(super) part: Files,
    pub(super) send: Callback<Intent>,
    pub(super) turn: u32,
}

impl Pace {
    /// Says how far the work is and lets the page be drawn. Returns whether to go on.
    async fn breathe(&mut self, thousandths: u64) -> bool {
        self.part.0.borrow_mut().progress = Some(thousandths.min(1000) as u16);
        self.send.emit(task(|_| {}));
        dom::breathe().await;
        self.part.0.borrow().turn == self.turn
    }
}

/// Reads all sources as one input, and loads what they come to. Nothing if it was stopped.
pub(super) async fn open(
    sources: &[Source],
    entrance: Entrance,
    words: &Locale,
    pace: &mut Pace,
) -> Option<Opening> {
    let report = report(sources, entrance, pace).await?;
    let intake = if report.has_errors() { None } else { Some(intake(&report, pace).await?) };
    let settled = read::settled(sources, &report, intake, words);
    let playground = match &settled.objects {
        Some(objects) => Some(playground(&report, objects, pace).await?),
        None => None,
    };
    Some(Opening { report, settled, playground })
}

async fn report(sources: &[Source], entrance: Entrance, pace: &mut Pace) -> Option<Report> {
    let mut reader = read::reader(sources, entrance);
    loop {
        let progress = reader.step(BYTES);
        if progress.finished {
            return Some(Reader::finish(reader));
        }
        let share = progress.done as u64 * READ / progress.total.max(1) as u64;
        if !pace.breathe(share).await {
            return None;
        }
    }
}

async fn intake(report: &Report, pace: &mut Pace) -> Option<Intake> {
    let mut taking = Taking::new(report, SEED);
    loop {
        if !pace.breathe(READ).await {
            return None;
        }
        if !taking.step(OBJECTS) {
            return Some(taking.finish());
        }
    }
}

async fn playground(
    report: &Report,
    objects: &[Object],
    pace: &mut Pace,
) -> Option<Result<Playground, AttrValue>> {
    let mut loading = match engine::loading(report, objects) {
        Ok(loading) => loading,
        Err(error) => return Some(Err(error)),
    };
    let mut loaded = 0;
    loop {
        let share = loaded as u64 * (LOADED - TAKEN) / objects.len().max(1) as u64;
        if !pace.breathe(TAKEN + share).await {
            return None;
        }
        if !loading.step(OBJECTS) {
            break;
        }
        loaded += OBJECTS;
    }
    // The last of it and showing it take their time, each alone.
    if !pace.breathe(LOADED).await {
        return None;
    }
    let playground = loading.finish();
    pace.breathe(LOADED).await.then_some(Ok(playground))
}
