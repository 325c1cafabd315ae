//! What a language is, besides its words.

use std::borrow::Cow;
use yew::AttrValue;

/// A language.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// Its tag (BCP 47).
    pub tag: &'static str,
    /// How it counts.
    pub plural: Plural,
    /// Its table of that name, as text; empty if it has none.
    pub table: fn(&str) -> Cow<'static, str>,
}

impl Language {
    /// English. Its tables are in the messages themselves.
    pub const ENGLISH: Self =
        Self { tag: "en", plural: Plural::OneOther, table: |_| Cow::Borrowed("") };
}

/// The forms in which a language counts whole numbers, after the plural rules of Unicode CLDR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plural {
    /// One form: Chinese, Indonesian.
    Other,
    /// One, and all else: English.
    OneOther,
    /// 1, 21, 31…; 2–4, 22–24…; all else: Ukrainian.
    OneFewMany,
}

impl Plural {
    /// How many forms a text has.
    pub fn forms(self) -> usize {
        match self {
            Self::Other => 1,
            Self::OneOther => 2,
            Self::OneFewMany => 3,
        }
    }

    fn form(self, count: u32) -> usize {
        match (self, count % 10, count % 100) {
            (Self::Other, ..) => 0,
            (Self::OneOther, ..) => usize::from(count != 1),
            (Self::OneFewMany, 1, tens) if tens != 11 => 0,
            (Self::OneFewMany, 2..=4, tens) if !(12..=14).contains(&tens) => 1,
            (Self::OneFewMany, ..) => 2,
        }
    }

    /// The form of a text for a number, which fills `{n}`. A text with fewer forms says its last.
    pub(super) fn counted(self, text: &str, count: u32) -> AttrValue {
        let form = text.split('|').take(self.form(count) + 1).last().unwrap_or(text);
        form.replace("{n}", &count.to_string()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::Plural;

    #[test]
    fn each_language_counts_in_its_own_way() {
        let forms = |plural: Plural, text| {
            [0, 1, 2, 5, 11, 12, 21, 22, 25, 101, 111].map(|n| plural.counted(text, n).to_string())
        };
        let english =
            ["0 o", "1 i", "2 o", "5 o", "11 o", "12 o", "21 o", "22 o", "25 o", "101 o", "111 o"];
        assert_eq!(forms(Plural::OneOther, "{n} i|{n} o"), english);
        let ukrainian =
            ["0 m", "1 i", "2 f", "5 m", "11 m", "12 m", "21 i", "22 f", "25 m", "101 i", "111 m"];
        assert_eq!(forms(Plural::OneFewMany, "{n} i|{n} f|{n} m"), ukrainian);
        assert_eq!(Plural::Other.counted("{n} o", 1), "1 o");
    }
}
