//! Work that takes longer than a frame.

use std::future::Future;
use wasm_bindgen_futures::JsFuture;

/// Runs a task beside the page.
pub fn spawn(task: impl Future<Output = ()> + 'static) {
    wasm_bindgen_futures::spawn_local(task);
}

/// Lets the browser draw and take input, then goes on.
pub async fn breathe() {
    pause(0).await;
}

/// Goes on after so many milliseconds.
pub async fn pause(milliseconds: i32) {
    let promise = js_sys::Promise::new(&mut |done, _| {
        if let Some(window) = web_sys::window() {
            // Only a full timer queue fails, and there is none.
            let _ =
                window.set_timeout_with_callback_and_timeout_and_arguments_0(&done, milliseconds);
        }
    });
    // The promise is never rejected.
    let _ = JsFuture::from(promise).await;
}
