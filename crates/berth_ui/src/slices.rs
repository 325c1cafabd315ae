//! Long work in slices: after each the browser may draw and take input.

use crate::app::Intent;
use crate::dom;
use crate::tool::task;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use yew::Callback;

/// How long a slice goes on, in milliseconds. One step is never cut.
const SLICE: f64 = 12.0;
/// After how many milliseconds what was found is drawn.
const DRAW: f64 = 120.0;

/// Work that goes on step by step.
pub trait Sliced {
    /// Asks the engine one question more. False once nothing is left.
    fn step(&mut self) -> bool;
}

/// Works until nothing is left, or nobody holds the work any more. What was found is drawn on the way and at the end.
pub fn run<W: Sliced + 'static>(work: &Rc<RefCell<W>>, send: Callback<Intent>) {
    let work: Weak<RefCell<W>> = Rc::downgrade(work);
    dom::spawn(async move {
        let mut drawn = js_sys::Date::now();
        loop {
            dom::breathe().await;
            // Whoever drops the work ends it.
            let Some(work) = work.upgrade() else { return };
            let goes_on = work.try_borrow_mut().is_ok_and(|mut work| slice(&mut *work));
            let now = js_sys::Date::now();
            if !goes_on || now - drawn >= DRAW {
                drawn = now;
                send.emit(task(|_| {}));
            }
            if !goes_on {
                return;
            }
        }
    });
}

/// Goes on for a slice. False once nothing is left.
fn slice(work: &mut impl Sliced) -> bool {
    let end = js_sys::Date::now() + SLICE;
    while work.step() {
        if js_sys::Date::now() >= end {
            return true;
        }
    }
    false
}
