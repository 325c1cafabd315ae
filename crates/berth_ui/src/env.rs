//! What every component may use: the words and the way to say what the user wants.

use crate::app::Intent;
use crate::locale::{Language, Locale, Message, Table};
use yew::{Callback, hook, use_context};

/// The context that the application provides.
#[derive(Clone)]
pub struct Env {
    /// The words.
    pub words: Locale,
    /// Takes what the user wants.
    pub send: Callback<Intent>,
    /// The language.
    pub language: Language,
}

impl PartialEq for Env {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words && self.send == other.send
    }
}

impl Env {
    /// English words, which say what they want to `send`.
    pub fn english(send: Callback<Intent>) -> Self {
        Self { words: Locale::english(), send, language: Language::ENGLISH }
    }

    /// The words of a part of the program that has words of its own.
    pub fn table<M: Message>(&self) -> Table<M> {
        Table::read(&self.language)
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
    use_context::<Env>().unwrap_or_else(|| Env::english(Callback::noop()))
}
