//! Listeners that the framework cannot attach.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, EventTarget};

/// A listener that goes when it is dropped.
pub struct Listener {
    target: EventTarget,
    kind: &'static str,
    handler: Closure<dyn FnMut(Event)>,
}

impl Listener {
    /// Listens to an event. The handler may prevent the default action.
    pub fn new(
        target: &EventTarget,
        kind: &'static str,
        handler: impl FnMut(Event) + 'static,
    ) -> Self {
        let handler = Closure::<dyn FnMut(Event)>::new(handler);
        let options = js_sys::Object::new();
        // Touch listeners are passive unless they say otherwise.
        let _ = js_sys::Reflect::set(&options, &"passive".into(), &false.into());
        let _ = target.add_event_listener_with_callback_and_add_event_listener_options(
            kind,
            handler.as_ref().unchecked_ref(),
            options.unchecked_ref(),
        );
        Self { target: target.clone(), kind, handler }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self
            .target
            .remove_event_listener_with_callback(self.kind, self.handler.as_ref().unchecked_ref());
    }
}
