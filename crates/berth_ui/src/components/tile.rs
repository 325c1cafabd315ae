//! The square in front of a pod: hue, pattern and letters of its app.

use crate::view::AppTile;
use yew::{Html, Properties, classes, component, html};

/// The class that carries a tile's hue and pattern.
pub fn app_class(style: u8) -> &'static str {
    const CLASSES: [&str; 8] = ["app-0", "app-1", "app-2", "app-3", "app-4", "app-5", "app-6", "app-7"];
    CLASSES.get(usize::from(style % 8)).copied().unwrap_or("app-0")
}

/// Properties of [`Tile`].
#[derive(PartialEq, Properties)]
pub struct TileProps {
    /// The app.
    pub app: AppTile,
}

/// An app's square.
#[component]
pub fn Tile(props: &TileProps) -> Html {
    html! {
        <span class={classes!("tile", app_class(props.app.style))} aria-hidden="true">{props.app.letters.clone()}</span>
    }
}
