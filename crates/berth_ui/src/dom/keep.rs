//! The address, and the state that it may hold.

use super::Listener;
use web_sys::window;
use yew::Callback;

/// What the cluster is kept under.
pub const KEPT: &str = "berth";

/// The part of the address after `#`.
pub fn fragment() -> String {
    let hash = window().and_then(|window| window.location().hash().ok()).unwrap_or_default();
    hash.strip_prefix('#').map(str::to_owned).unwrap_or_default()
}

/// The address up to the `#`, which is its last character.
pub fn address() -> String {
    let address = window().and_then(|window| window.location().href().ok()).unwrap_or_default();
    let page = address.split_once('#').map_or(&*address, |(page, _)| page);
    [page, "#"].concat()
}

/// Whether the address holds a state.
pub fn has_link() -> bool {
    fragment().starts_with(berth_wire::link::PREFIX)
}

/// Does something whenever the address holds another state.
pub fn on_link(act: Callback<()>) -> Option<Listener> {
    let window = window()?;
    Some(Listener::new(&window, "hashchange", move |_| {
        if has_link() {
            act.emit(());
        }
    }))
}
