//! What the browser keeps for the page. It may keep nothing: then nothing is remembered, and nothing fails.

use super::KEPT;
use web_sys::Storage;

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}

/// What was remembered under a name.
pub fn remembered(name: &str) -> Option<String> {
    storage()?.get_item(name).ok()?
}

/// Remembers a text under a name.
pub fn remember(name: &str, text: &str) {
    if let Some(storage) = storage() {
        // Full or refused.
        let _ = storage.set_item(name, text);
    }
}

/// Forgets what was remembered under a name.
pub fn forget(name: &str) {
    if let Some(storage) = storage() {
        // Refused.
        let _ = storage.remove_item(name);
    }
}

/// Forgets everything that was remembered: all names begin with [`KEPT`].
pub fn forget_all() {
    let Some(storage) = storage() else { return };
    let count = storage.length().unwrap_or(0);
    let names: Vec<String> = (0..count).filter_map(|at| storage.key(at).ok()?).collect();
    for name in names.iter().filter(|name| name.starts_with(KEPT)) {
        forget(name);
    }
}

/// The language that the browser's user reads best, as a tag.
pub fn language() -> Option<String> {
    web_sys::window()?.navigator().language()
}
