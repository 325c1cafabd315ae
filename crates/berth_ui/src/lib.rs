//! The page: what the scheduler would do with a pod, and why.
//!
//! * [`view`] is what is drawn, as plain data; [`components`] draw it.
//! * [`engine`] is the only part that knows the scheduler: it runs commands and makes views.
//! * [`edit`] has every command, [`change`] what changes nodes, pods and workloads, [`files`] reads and writes manifests,
//!   [`config`] edits the scheduler's configuration, [`rules`] priority classes and budgets, [`share`] makes links and files, [`tables`] are those behind the
//!   verdict, [`why`] tells how it came about, [`advice`] says what would change it, [`lessons`] lead through clusters
//!   with a question, [`time`] simulates it; each is one of the [`parts`] that are fetched when they are first needed, and brings [`tool`]s.
//! * [`state`] is what the page remembers besides, [`drag`] and [`cursor`] how things are moved.
//! * [`slices`] is how long work leaves the browser time to draw.
//! * [`app`] ties them together, and [`dom`] is the only part that speaks to the browser.

pub mod advice;
pub mod app;
pub mod change;
pub mod components;
pub mod config;
pub mod cursor;
pub mod dom;
pub mod drag;
pub mod edit;
pub mod editor;
pub mod engine;
pub mod env;
pub mod fields;
pub mod files;
pub mod languages;
pub mod lessons;
pub mod locale;
pub mod parts;
pub mod rules;
pub mod scale;
pub mod share;
pub mod slices;
pub mod state;
pub mod tables;
pub mod time;
pub mod tool;
pub mod view;
pub mod why;

use wasm_bindgen::prelude::wasm_bindgen;

/// Starts the app; the glue calls it when the module is ready.
#[wasm_bindgen(start)]
pub fn start() {
    yew::Renderer::<app::App>::new().render();
}
