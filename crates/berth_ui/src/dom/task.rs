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

/// Goes on when the browser draws next; gives when that is, in milliseconds.
pub async fn frame() -> f64 {
    let promise = js_sys::Promise::new(&mut |done, _| {
        if let Some(window) = web_sys::window() {
            // Nothing fails here: the function is one.
            let _ = window.request_animation_frame(&done);
        }
    });
    JsFuture::from(promise).await.ok().and_then(|at| at.as_f64()).unwrap_or_default()
}

/// Whether the reader wants nothing to move by itself.
pub fn prefers_still() -> bool {
    let asked = web_sys::window()
        .and_then(|window| window.match_media("(prefers-reduced-motion: reduce)").ok().flatten());
    asked.is_some_and(|asked| asked.matches())
}
