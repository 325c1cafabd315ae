//! What the lessons say: what the gallery shows of them in the languages besides English, a part of the program for each
//! language, fetched when the gallery or a lesson is first opened in it; and their files, each fetched when it is needed.

use super::texts::{Known, LESSONS};
use crate::app::App;
use crate::dom;
use crate::languages::Tongue;
use crate::locale::Msg;
use crate::parts::NotFetched;
use crate::tool::task;
use std::cell::RefCell;
use std::rc::Rc;
use yew::AttrValue;

#[cfg(test)]
mod tests;

/// The words of each lesson, in the order in which the lessons are offered; empty in English.
pub(super) type Told = &'static [Known];

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

/// The file of a lesson, and what it says in another language.
#[derive(Clone, Debug)]
pub(super) struct Files {
    /// The lesson.
    pub(super) text: AttrValue,
    /// Its words; none in English.
    pub(super) words: Option<AttrValue>,
}

/// What has come. Cloning is cheap: all clones are one shelf.
#[derive(Clone, Default)]
pub(super) struct Shelf(Rc<RefCell<Kept>>);

#[derive(Default)]
struct Kept {
    told: Vec<(Tongue, Told)>,
    /// Files, by their addresses.
    files: Vec<(String, AttrValue)>,
}

impl Shelf {
    /// The words of a language, if they are here.
    pub(super) fn told(&self, tongue: Tongue) -> Option<Told> {
        if tongue == Tongue::English {
            return Some(&[]);
        }
        self.0.borrow().told.iter().find(|(of, _)| *of == tongue).map(|(_, told)| *told)
    }

    /// Has the words of a language fetched; then, whether or not they could be, does what follows.
    pub(super) fn fetch(&self, app: &App, tongue: Tongue, then: impl Fn(&mut App) + 'static) {
        let (shelf, send) = (self.clone(), app.env().send.clone());
        dom::spawn(async move {
            let told = shelf.bring_told(tongue).await;
            send.emit(task(move |app| {
                if told.is_err() {
                    app.tell(app.env().words.text(Msg::SayNotFetched));
                }
                then(app);
            }));
        });
    }

    /// Has the files of the lesson at a place fetched, in a language; then does what follows, or says that it cannot.
    pub(super) fn open(
        &self,
        app: &mut App,
        place: usize,
        tongue: Tongue,
        then: impl Fn(&mut App, &Files) + 'static,
    ) {
        let (shelf, send) = (self.clone(), app.env().send.clone());
        app.tell(app.env().words.text(Msg::SayFetching));
        dom::spawn(async move {
            let files = shelf.bring(place, tongue).await;
            send.emit(task(move |app| match &files {
                Ok(files) => then(app, files),
                Err(NotFetched) => app.tell(app.env().words.text(Msg::SayNotFetched)),
            }));
        });
    }

    async fn bring_told(&self, tongue: Tongue) -> Result<Told, NotFetched> {
        if let Some(told) = self.told(tongue) {
            return Ok(told);
        }
        let told = fetch(tongue).await?;
        self.0.borrow_mut().told.push((tongue, told));
        Ok(told)
    }

    async fn bring(&self, place: usize, tongue: Tongue) -> Result<Files, NotFetched> {
        let told = self.bring_told(tongue).await?;
        let text = self.bring_file(LESSONS.get(place).ok_or(NotFetched)?).await?;
        let words = match told.get(place) {
            Some(own) => Some(self.bring_file(own).await?),
            None => None,
        };
        Ok(Files { text, words })
    }

    async fn bring_file(&self, known: &Known) -> Result<AttrValue, NotFetched> {
        let address = known.address();
        let kept = |kept: &Kept| {
            kept.files.iter().find(|(of, _)| *of == address).map(|(_, text)| text.clone())
        };
        if let Some(text) = kept(&self.0.borrow()) {
            return Ok(text);
        }
        let text: AttrValue = dom::fetched(&address).await.ok_or(NotFetched)?.into();
        self.0.borrow_mut().files.push((address, text.clone()));
        Ok(text)
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

    /// The language to be shown from now on, if the page speaks another that was not asked for yet.
    pub(super) fn next(&mut self, app: &App) -> Option<Tongue> {
        let tongue = spoken(app);
        (std::mem::replace(&mut self.wanted, tongue) != tongue).then_some(tongue)
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
