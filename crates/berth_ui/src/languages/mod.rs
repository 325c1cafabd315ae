//! The languages besides English: each is a part of the program that is fetched when it is chosen.

pub mod chinese;
pub mod indonesian;
#[cfg(test)]
pub(crate) mod tests;
pub mod ukrainian;

use crate::app::App;
use crate::locale::Language;
use crate::parts::{Call, Late, Part};

/// A language that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tongue {
    /// 简体中文.
    Chinese,
    /// English.
    English,
    /// Bahasa Indonesia.
    Indonesian,
    /// Українська.
    Ukrainian,
}

impl Tongue {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::English, Self::Indonesian, Self::Ukrainian, Self::Chinese];

    /// Its tag (BCP 47).
    pub fn tag(self) -> &'static str {
        match self {
            Self::Chinese => "zh-CN",
            Self::English => "en",
            Self::Indonesian => "id",
            Self::Ukrainian => "uk",
        }
    }

    /// What it calls itself.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chinese => "简体中文",
            Self::English => "English",
            Self::Indonesian => "Bahasa Indonesia",
            Self::Ukrainian => "Українська",
        }
    }

    /// The one that a tag means, if it is one of them: the first two letters count.
    pub fn of(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tongue| tag.get(..2) == tongue.tag().get(..2))
    }

    /// The part that has its words; English comes with the page.
    pub fn part(self) -> Option<Part> {
        match self {
            Self::Chinese => Some(Part::Chinese),
            Self::English => None,
            Self::Indonesian => Some(Part::Indonesian),
            Self::Ukrainian => Some(Part::Ukrainian),
        }
    }
}

/// The part of a language.
struct Speaks(Language);

impl Late for Speaks {
    fn call(&mut self, app: &mut App, call: Call) {
        if let Call::Speak(_) = call {
            app.speak(self.0);
        }
    }
}

/// A language's tables by their names: one line for each English table.
macro_rules! tables {
    ($code:literal) => {
        |table| {
            use $crate::languages::text;
            std::borrow::Cow::Borrowed(match table {
                "en" => text!($code, ""),
                "en-advice" => text!($code, "-advice"),
                "en-config" => text!($code, "-config"),
                "en-edit" => text!($code, "-edit"),
                "en-editor" => text!($code, "-editor"),
                "en-fields" => text!($code, "-fields"),
                "en-lessons" => text!($code, "-lessons"),
                "en-preemption" => text!($code, "-preemption"),
                "en-rules" => text!($code, "-rules"),
                "en-scale" => text!($code, "-scale"),
                "en-score" => text!($code, "-score"),
                "en-share" => text!($code, "-share"),
                "en-time" => text!($code, "-time"),
                "en-why" => text!($code, "-why"),
                _ => "",
            })
        }
    };
}

/// A table of a language.
macro_rules! text {
    ($code:literal, $table:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../web/locales/",
            $code,
            $table,
            ".txt"
        ))
    };
}
pub(crate) use {tables, text};
