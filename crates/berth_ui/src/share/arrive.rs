//! A link that comes in by the address.

use super::card::Card;
use super::state::show;
use crate::app::App;
use crate::tool::Slot;
use berth_wire::link::{LinkError, QUIET_WORK, State};

/// Opens a link, asks before long work, or says what is wrong with it. What is open stays until a link is good.
pub(super) fn arrive(app: &mut App, fragment: &str) {
    match State::open(fragment) {
        Ok(state) if state.work() > QUIET_WORK => {
            let card = Card::work(app, state);
            app.open(Slot::Board, Box::new(card));
            app.focus("#card-title");
        }
        Ok(state) => finish(app, state),
        Err(error) => refuse(app, &error),
    }
}

/// Shows what a link holds.
pub(super) fn finish(app: &mut App, state: State) {
    if let Err(error) = show(app, state) {
        refuse(app, &error);
    }
}

fn refuse(app: &mut App, error: &LinkError) {
    let card = Card::refused(app, error);
    app.open(Slot::Board, Box::new(card));
    app.focus("#card-title");
}
