//! Which lessons the learner has done, kept by the browser.

use crate::dom;

/// The key under which it is kept.
const KEY: &str = "berth.lessons-done";

/// The ids of the lessons that are done.
pub(super) fn done() -> Vec<String> {
    dom::remembered(KEY).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

/// One more is done.
pub(super) fn mark(id: &str) {
    let mut ids = done();
    if !ids.iter().any(|other| other == id) {
        ids.push(id.to_owned());
        dom::remember(KEY, &ids.join(" "));
    }
}

/// None is done.
pub(super) fn forget() {
    dom::forget(KEY);
}
