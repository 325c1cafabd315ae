//! The page.

use wasm_bindgen::prelude::wasm_bindgen;
use yew::{Html, component, html};

#[component]
fn App() -> Html {
    html! {
        <main>
            <h1>{ "Berth" }</h1>
        </main>
    }
}

/// Starts the app; the glue calls it when the module is ready.
#[wasm_bindgen(start)]
pub fn start() {
    yew::Renderer::<App>::new().render();
}
