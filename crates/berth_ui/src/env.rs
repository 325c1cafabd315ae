//! What every component may use: the words and the way to say what the user wants.

use crate::app::Intent;
use crate::locale::{Locale, Message, Table};
use yew::{Callback, hook, use_context};

/// The context that the application provides.
#[derive(Clone, PartialEq)]
pub struct Env {
    /// The words.
    pub words: Locale,
    /// Takes what the user wants.
    pub send: Callback<Intent>,
}

impl Env {
    /// The words of a part of the program that has words of its own.
    pub fn table<M: Message>(&self) -> Table<M> {
        Table::read_english()
    }

    /// Says what the user wants.
    pub fn send(&self, intent: impl Into<Intent>) {
        self.send.emit(intent.into());
    }

    /// A callback that says it: one function for every intent, so that the page carries it once.
    pub fn on<E: 'static>(&self, intent: Intent) -> Callback<E> {
        let send = self.send.clone();
        Callback::from(move |_: E| send.emit(intent.clone()))
    }
}

/// The context; outside an application, English words and nobody listening.
#[hook]
pub fn use_env() -> Env {
    use_context::<Env>().unwrap_or_else(|| Env { words: Locale::english(), send: Callback::noop() })
}
