//! What must hold in the browser: run by `cargo test --target wasm32-unknown-unknown -p berth_tests`.
#![cfg(target_arch = "wasm32")]

mod golden;
mod logarithm;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
