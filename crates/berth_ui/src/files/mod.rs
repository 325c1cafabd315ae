//! Manifests in and out, with their dialogs: the part of the program that is fetched when it is first needed.
//!
//! Reading YAML, checking every field and writing objects back is a quarter of the program, and the cluster that the
//! page opens with needs none of it. The rest of the page reaches it through [`Files`] alone: see [`crate::parts`].

mod examples;
mod read;

pub use examples::{Heading, TEXTS, name};

use crate::app::Source;
use crate::components::{ExportPanel, ImportPanel, ImportPanelProps};
use crate::locale::Locale;
use crate::parts::NotFetched;
use crate::view::ReportView;
use berth_core::api::Object;
pub use berth_wire::manifest::{Entrance, Progress, Report};
use yew::{AttrValue, Html, html};

/// What this part can do.
#[derive(Debug)]
pub struct Files {
    /// Starts reading all sources as one input.
    pub reader: for<'s> fn(&'s [Source], Entrance) -> Box<dyn Reading + 's>,
    /// Makes a cluster's objects of what was read.
    pub settle: fn(&[Source], &Report, &Locale) -> Settled,
    /// The objects as YAML, with what the input says beyond what Berth knows.
    pub yaml: fn(&Report, &[Object]) -> AttrValue,
    /// The import dialog.
    pub import_dialog: fn(ImportPanelProps) -> Html,
    /// The export dialog around a text.
    pub export_dialog: fn(AttrValue) -> Html,
}

/// Reading in slices.
pub trait Reading {
    /// Reads about so many bytes.
    fn step(&mut self, bytes: usize) -> Progress;
    /// What was read.
    fn finish(self: Box<Self>) -> Report;
}

/// What reading came to.
#[derive(Debug)]
pub struct Settled {
    /// What the input says of itself.
    pub heading: Heading,
    /// The problems, and what was expanded or adopted.
    pub view: ReportView,
    /// The objects of a cluster that runs the input: workloads have their pods, pods have their priority. None when
    /// the input has an error.
    pub objects: Option<Vec<Object>>,
}

/// Fetches this part, or finds it here.
#[cfg(feature = "split")]
#[wasm_split_helpers::wasm_split(files, fallible)]
pub fn fetch() -> Result<&'static Files, NotFetched> {
    Ok(&FILES)
}

/// Fetches this part, or finds it here.
#[cfg(not(feature = "split"))]
#[expect(clippy::unused_async, reason = "the same as what the feature `split` makes of it")]
pub async fn fetch() -> Result<&'static Files, NotFetched> {
    Ok(&FILES)
}

static FILES: Files = Files {
    reader: read::reader,
    settle: read::settle,
    yaml: |report, objects| berth_wire::export::yaml(report, objects).into(),
    import_dialog: |props| html! { <ImportPanel ..props /> },
    export_dialog: |text| html! { <ExportPanel {text} /> },
};
