//! Pointer events turned into inputs of the drag machine.

use super::{Listener, closest, hit, scroll_at_edge, set_css};
use crate::app::Intent;
use crate::drag::{Grip, HOLD_MS, Input};
use crate::parts::Call;
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlElement, PointerEvent};
use yew::{Callback, NodeRef, TargetCast};

/// The pointer that is down, if one is.
#[derive(Default)]
pub struct Pointer {
    /// The element that captured it.
    captured: RefCell<Option<Element>>,
    /// Whether the click that ends this press belongs to a drag.
    swallow: Cell<bool>,
    /// The running wait for a finger to rest.
    rest: RefCell<Option<Rest>>,
    /// Where the pointer is.
    at: Cell<(i32, i32)>,
}

/// A wait that ends when it is dropped.
struct Rest {
    timer: i32,
    _handler: Closure<dyn FnMut()>,
}

impl Drop for Rest {
    fn drop(&mut self) {
        if let Some(window) = web_sys::window() {
            window.clear_timeout_with_handle(self.timer);
        }
    }
}

impl Pointer {
    /// A pointer went down somewhere on the page.
    pub fn down(&self, event: &PointerEvent, send: &Callback<Intent>) {
        self.swallow.set(false);
        self.at.set((event.client_x(), event.client_y()));
        if event.button() != 0 || !event.is_primary() || event.ctrl_key() {
            return;
        }
        let Some((subject, element)) =
            event.target_dyn_into::<Element>().and_then(|hit| closest(&hit))
        else {
            return;
        };
        let pointer = event.pointer_id();
        let grip = if event.pointer_type() == "touch" { Grip::Touch } else { Grip::Mouse };
        // Without capture the drag still works while the pointer stays on the page.
        let _ = element.set_pointer_capture(pointer);
        self.captured.replace(Some(element));
        if grip == Grip::Touch {
            self.rest.replace(wait(pointer, send.clone()));
        }
        let at = (event.client_x(), event.client_y());
        send.emit(Intent::Drag(Input::Press { subject, pointer, grip, at }));
    }

    /// It moved. `ghost` is the thing drawn under it.
    pub fn moved(
        &self,
        event: &PointerEvent,
        held: bool,
        ghost: &NodeRef,
        send: &Callback<Intent>,
    ) {
        let Some(element) = self.captured.borrow().clone() else { return };
        let at = (event.client_x(), event.client_y());
        self.at.set(at);
        if held {
            self.swallow.set(true);
            self.place(ghost);
            scroll_at_edge(&element, at.0, at.1);
        }
        let over = hit(&element, at.0, at.1);
        send.emit(Intent::Drag(Input::Move { pointer: event.pointer_id(), at, over }));
    }

    /// Moves the ghost to the pointer.
    pub fn place(&self, ghost: &NodeRef) {
        let (x, y) = self.at.get();
        if let Some(ghost) = ghost.cast::<HtmlElement>() {
            set_css(
                &ghost,
                "translate",
                &["calc(", &x.to_string(), "px - 24px) calc(", &y.to_string(), "px - 12px)"]
                    .concat(),
            );
        }
    }

    /// It went up. A finger that rested and did not move asks for the menu.
    pub fn up(&self, event: &PointerEvent, held: bool, send: &Callback<Intent>) {
        self.rest.replace(None);
        let Some(element) = self.captured.replace(None) else { return };
        if held && !self.swallow.get() && event.pointer_type() == "touch" {
            send.emit(Intent::Drag(Input::Abort));
            send.emit(Call::Edit(event.clone().into(), element).into());
            return;
        }
        let over = hit(&element, event.client_x(), event.client_y());
        let pointer = event.pointer_id();
        send.emit(Intent::Drag(Input::Release { pointer, over, bypass: event.alt_key() }));
    }

    /// The browser took it away.
    pub fn cancel(&self, send: &Callback<Intent>) {
        self.rest.replace(None);
        if self.captured.replace(None).is_some() {
            send.emit(Intent::Drag(Input::Abort));
        }
    }

    /// Lets the captured element go, after Escape.
    pub fn forget(&self) {
        self.rest.replace(None);
        self.captured.replace(None);
    }

    /// Whether a click only ends a drag. Asking forgets it.
    pub fn swallows_click(&self) -> bool {
        self.swallow.replace(false)
    }
}

/// Says that a finger rested, unless dropped before.
fn wait(pointer: i32, send: Callback<Intent>) -> Option<Rest> {
    let handler = Closure::<dyn FnMut()>::new(move || {
        send.emit(Intent::Drag(Input::Rested { pointer }));
    });
    let window = web_sys::window()?;
    let timer = window
        .set_timeout_with_callback_and_timeout_and_arguments_0(
            handler.as_ref().unchecked_ref(),
            HOLD_MS,
        )
        .ok()?;
    Some(Rest { timer, _handler: handler })
}

/// Keeps the page from scrolling under a finger that holds something.
pub fn hold_still(root: &Element, held: impl Fn() -> bool + 'static) -> Listener {
    Listener::new(root, "touchmove", move |event| {
        if held() && event.cancelable() {
            event.prevent_default();
        }
    })
}
