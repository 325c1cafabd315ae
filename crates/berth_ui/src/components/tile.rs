//! The square in front of a pod: hue, pattern and letters of its app.

use crate::view::AppTile;
use yew::{Html, classes, html};

/// The class that carries a tile's hue and pattern.
pub(crate) fn app_class(style: u8) -> &'static str {
    const CLASSES: [&str; 8] =
        ["app-0", "app-1", "app-2", "app-3", "app-4", "app-5", "app-6", "app-7"];
    CLASSES.get(usize::from(style % 8)).copied().unwrap_or("app-0")
}

/// An app's square.
pub fn tile(app: &AppTile) -> Html {
    html! { <span class={classes!("tile", app_class(app.style))} aria-hidden="true">{app.letters.clone()}</span> }
}
