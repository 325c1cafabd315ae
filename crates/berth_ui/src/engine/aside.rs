//! Another cluster in the place of the one that is shown, for a while.

use super::{Engine, Texts};
use berth_core::api::{Object, ObjectKey};
use berth_core::collections::Set;
use berth_core::playground::Playground;
use berth_wire::manifest::Report;
use std::mem::swap;

/// A cluster that is not shown, with what is remembered of it.
#[derive(Default)]
pub struct Aside {
    playground: Option<Playground>,
    start: Vec<Object>,
    bypassed: Set<(ObjectKey, String)>,
    report: Report,
    texts: Texts,
}

impl Aside {
    /// A cluster of these objects that nobody has read from anywhere.
    pub fn new(start: Vec<Object>, playground: Playground) -> Self {
        let configuration = Some(playground.configuration().clone());
        let report = Report { configuration, ..Report::default() };
        Self { playground: Some(playground), start, report, ..Self::default() }
    }
}

impl Engine {
    /// Shows another cluster, and puts the one that is shown aside. Its name and the looks of its apps stay.
    pub fn exchange(&mut self, other: &mut Aside) {
        swap(&mut self.playground, &mut other.playground);
        swap(&mut self.start, &mut other.start);
        swap(&mut self.bypassed, &mut other.bypassed);
        swap(&mut self.report, &mut other.report);
        swap(&mut self.texts, &mut other.texts);
        self.opened += 1;
    }
}
