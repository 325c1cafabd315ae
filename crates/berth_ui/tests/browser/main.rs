//! The page in a real browser: components from fixed views, and the whole application in a shadow
//! root, by pointer and by keys.
#![cfg(target_arch = "wasm32")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod application;
mod components;
mod fixture;
mod stage;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
