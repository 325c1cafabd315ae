//! What the lessons say in the languages besides English: a part of the program for each language, fetched when the
//! gallery or a lesson is first opened in it.

use crate::app::App;
use crate::languages::Tongue;
use crate::locale::Msg;
use crate::parts::NotFetched;
use crate::tool::task;
use std::cell::RefCell;
use std::rc::Rc;

#[cfg(test)]
mod tests;

/// The words of each lesson, as files, in the order in which the lessons are offered; empty in English.
pub(super) type Told = &'static [&'static str];

/// Defines a module with `fetch`, which fetches the words of a folder, or finds them here.
macro_rules! tongue {
    ($name:ident, $part:ident, $folder:literal) => {
        mod $name {
            use super::Told;
            use crate::lessons::texts::files;
            use crate::parts::NotFetched;

            /// Fetches the words, or finds them here.
            #[cfg(feature = "split")]
            #[wasm_split_helpers::wasm_split($part, fallible)]
            pub(super) fn fetch() -> Result<Told, NotFetched> {
                Ok(files!($folder))
            }

            /// Fetches the words, or finds them here.
            #[cfg(not(feature = "split"))]
            pub(super) async fn fetch() -> Result<Told, NotFetched> {
                Ok(files!($folder))
            }
        }
    };
}

tongue!(chinese, lessons_zh, "zh/");
tongue!(indonesian, lessons_id, "id/");
tongue!(ukrainian, lessons_uk, "uk/");

async fn fetch(tongue: Tongue) -> Result<Told, NotFetched> {
    match tongue {
        Tongue::Chinese => chinese::fetch().await,
        Tongue::English => Ok(&[]),
        Tongue::Indonesian => indonesian::fetch().await,
        Tongue::Ukrainian => ukrainian::fetch().await,
    }
}

/// The language that the page speaks.
pub(super) fn spoken(app: &App) -> Tongue {
    Tongue::of(app.env().language.tag).unwrap_or(Tongue::English)
}

/// The words that have come. Cloning is cheap: all clones are one shelf.
#[derive(Clone, Default)]
pub(super) struct Shelf(Rc<RefCell<Vec<(Tongue, Told)>>>);

impl Shelf {
    /// The words of a language, if they are here.
    pub(super) fn told(&self, tongue: Tongue) -> Option<Told> {
        if tongue == Tongue::English {
            return Some(&[]);
        }
        self.0.borrow().iter().find(|(of, _)| *of == tongue).map(|(_, told)| *told)
    }

    /// Has the words of a language fetched; then, whether or not they could be, does what follows.
    pub(super) fn fetch(&self, app: &App, tongue: Tongue, then: impl Fn(&mut App) + 'static) {
        let (shelf, send) = (self.clone(), app.env().send.clone());
        crate::dom::spawn(async move {
            let told = fetch(tongue).await;
            send.emit(task(move |app| {
                match told {
                    Ok(told) if shelf.told(tongue).is_none() => {
                        shelf.0.borrow_mut().push((tongue, told));
                    }
                    Ok(_) => {}
                    Err(NotFetched) => app.tell(app.env().words.text(Msg::SayNotFetched)),
                }
                then(app);
            }));
        });
    }
}

/// In which language something shows lessons, and in which it wants to.
#[derive(Clone)]
pub(super) struct Follows {
    shelf: Shelf,
    shown: Tongue,
    wanted: Tongue,
}

impl Follows {
    /// Begins in the page's language; in English if its words are not here.
    pub(super) fn begin(app: &App, shelf: &Shelf) -> (Self, Told) {
        let wanted = spoken(app);
        let told = shelf.told(wanted);
        let shown = if told.is_some() { wanted } else { Tongue::English };
        (Self { shelf: shelf.clone(), shown, wanted }, told.unwrap_or_default())
    }

    /// The shelf.
    pub(super) fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// The words to be shown from now on, if the page speaks another language; they are fetched if they are not here.
    pub(super) fn turn(&mut self, app: &App) -> Option<Told> {
        let tongue = spoken(app);
        if tongue == self.shown {
            return None;
        }
        let told = self.shelf.told(tongue);
        if told.is_some() {
            self.shown = tongue;
        } else if tongue != self.wanted {
            self.shelf.fetch(app, tongue, |_| {});
        }
        self.wanted = tongue;
        told
    }
}
