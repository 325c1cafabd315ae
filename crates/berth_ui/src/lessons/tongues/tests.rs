//! What the lessons say in other languages: all of it, with every name and number of the English lines, and not in
//! English.

use super::Told;
use crate::languages::tests::read as table;
use crate::lessons::texts::{LESSONS, entry, files};
use berth_wire::lesson::{Lesson, head, read, words};
use std::collections::{BTreeMap, BTreeSet};

const LANGUAGES: [(&str, Told); 3] =
    [("id", files!("id/")), ("uk", files!("uk/")), ("zh", files!("zh/"))];

/// What Kubernetes says stays as it is.
const MESSAGES: [&str; 5] = [
    "Insufficient cpu",
    "No preemption victims found",
    "not eligible due to a terminating pod on the nominated node",
    "not eligible due to preemptionPolicy=Never",
    "not helpful",
];

/// The buttons that lessons name, by their keys: they are called as the page calls them.
const BUTTONS: [&str; 3] = ["preempt", "rules-title", "schedule-all"];

/// Names of objects that are also words of the sentences about them.
const ALSO_WORDS: [&str; 6] = ["empty", "even", "first", "higher", "lower", "second"];

/// A line of a lesson in English and in another language.
struct Line {
    place: String,
    english: String,
    own: String,
}

/// The lists of lines that a lesson has.
fn lists(lesson: &Lesson) -> [(&'static str, Vec<String>); 5] {
    [
        ("title", vec![lesson.title.clone()]),
        ("document", lesson.document.iter().cloned().collect()),
        ("text", lesson.text.clone()),
        ("hints", lesson.hints.clone()),
        ("explanation", lesson.explanation.clone()),
    ]
}

/// All lines of a language.
fn lines(code: &str, told: Told) -> Vec<Line> {
    let mut lines = Vec::new();
    for (known, own) in LESSONS.iter().zip(told) {
        let text = known.text;
        let english = head(text).expect("a lesson");
        let mut lesson = english.clone();
        lesson.say(words(own.text).expect("its words"));
        let own = lesson;
        for ((list, english), (_, own)) in lists(&english).into_iter().zip(lists(&own)) {
            for (at, (english, own)) in english.into_iter().zip(own).enumerate() {
                let place = format!("{code}/{} {list} {}", head(text).unwrap().id, at + 1);
                lines.push(Line { place, english, own });
            }
        }
    }
    lines
}

/// Fails with every line of every language about which the check says something.
fn check_lines(check: impl Fn(&str, &Line) -> Vec<String>) {
    let mut wrong = Vec::new();
    for (code, told) in LANGUAGES {
        for line in lines(code, told) {
            let found = check(code, &line);
            wrong.extend(found.iter().map(|what| format!("{}: {what}: {}", line.place, line.own)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The words of a line that are written in ASCII, without the marks around them.
fn ascii_words(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_./=#".contains(c);
    let words =
        line.split(move |c| !is_part(c)).map(|word| word.trim_matches(['.', '-', '/', '=']));
    // English has several CPUs.
    words.map(|word| word.strip_suffix('s').filter(|one| is_capital(one)).unwrap_or(word))
}

/// Whether a word has capital letters only.
fn is_capital(word: &str) -> bool {
    word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase())
}

/// Whether a word is a name, a number or code: no word of a sentence looks like this.
fn is_name(word: &str) -> bool {
    let parts = || word.split('-');
    word.contains(|c: char| c.is_ascii_digit() || "_./=#".contains(c))
        || word.get(1..).is_some_and(|rest| rest.contains(|c: char| c.is_ascii_uppercase()))
        || parts().count() > 1 && parts().next_back().is_some_and(|last| last.len() == 1)
}

/// How often each thing is there.
fn counted<'a>(things: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, u32> {
    let mut counts = BTreeMap::new();
    for thing in things {
        *counts.entry(thing).or_default() += 1;
    }
    counts
}

#[test]
fn every_lesson_is_told_in_every_language_line_by_line() {
    for (code, told) in LANGUAGES {
        assert_eq!(told.len(), LESSONS.len());
        for (place, (known, own)) in LESSONS.iter().zip(told).enumerate() {
            let english = head(known.text).unwrap();
            let own = words(own.text).unwrap_or_else(|mistakes| panic!("{code}: {mistakes:?}"));
            assert_eq!(own.id, english.id, "{code}");
            let shown = entry(place, told).unwrap();
            assert_eq!((&shown.title, &shown.document), (&own.title, &own.document), "{code}");
            let mut told = english.clone();
            told.say(own);
            let lengths = |lesson: &Lesson| lists(lesson).map(|(_, list)| list.len());
            assert_eq!(lengths(&told), lengths(&english), "{code}/{}", english.id);
            assert!(lists(&told).iter().all(|(_, list)| list.iter().all(|line| !line.is_empty())));
        }
    }
}

#[test]
fn a_folder_has_no_other_lessons() {
    for (code, told) in LANGUAGES {
        let folder = format!("{}/../../web/lessons/{code}", env!("CARGO_MANIFEST_DIR"));
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), told.len(), "{code}");
    }
}

#[test]
fn names_and_numbers_stay_as_they_are() {
    check_lines(|_, line| {
        let names = |text| counted(ascii_words(text).filter(|word| is_name(word)));
        let own = names(&line.own);
        let mut wrong = Vec::new();
        for (name, count) in names(&line.english) {
            let found = own.get(name).copied().unwrap_or_default();
            if found < count {
                wrong.push(format!("{name} is there {found} times, not {count}"));
            }
        }
        for sign in ["×", "−", "³¹"] {
            if line.english.matches(sign).count() != line.own.matches(sign).count() {
                wrong.push(format!("other signs {sign}"));
            }
        }
        wrong
    });
}

#[test]
fn kubernetes_words_inside_sentences_stay_as_they_are() {
    let buttons: String = BUTTONS.map(|key| line_of("en", key)).join(" ");
    check_lines(|_, line| {
        let own: BTreeSet<&str> = ascii_words(&line.own).collect();
        let mut before = ".";
        let mut wrong = Vec::new();
        for word in line.english.split(' ') {
            let begins = before.ends_with(['.', ':', '?']);
            before = word;
            let word = ascii_words(word).next().unwrap_or_default();
            let capital = word.starts_with(|c: char| c.is_ascii_uppercase());
            if capital && word != "I" && !begins && !buttons.contains(word) && !own.contains(word) {
                wrong.push(format!("{word} is missing"));
            }
        }
        wrong
    });
}

#[test]
fn objects_are_called_by_their_names() {
    let mut names = BTreeMap::new();
    for known in LESSONS {
        let opened = read(known.text).unwrap();
        let objects = opened.report.items.iter().map(|item| item.object.key().name);
        names.insert(opened.lesson.id, objects.collect::<BTreeSet<String>>());
    }
    check_lines(|_, line| {
        let id = line.place.split(['/', ' ']).nth(1).unwrap();
        let own: BTreeSet<&str> = ascii_words(&line.own).collect();
        let names = ascii_words(&line.english).filter(|word| names[id].contains(*word));
        let names = names.filter(|name| !ALSO_WORDS.contains(name) && !own.contains(name));
        names.map(|name| format!("{name} is missing")).collect()
    });
}

/// The words for a key in the page's table of a language.
fn line_of(code: &str, key: &str) -> String {
    let table = table(code);
    let mut lines = table.lines().filter_map(|line| line.split_once(" = "));
    lines.find(|(own, _)| *own == key).expect("a line of the table").1.to_owned()
}

#[test]
fn buttons_are_called_as_the_page_calls_them_and_messages_as_kubernetes_does() {
    check_lines(|code, line| {
        let mut wrong = Vec::new();
        for key in BUTTONS {
            let (english, own) = (line_of("en", key), line_of(code, key));
            let words = [" ", &line.english, " "].concat();
            let named = words.split(&english).skip(1);
            let named = named.filter(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()));
            if named.count() > 0 && !line.own.contains(&own) {
                wrong.push(format!("{own} is missing"));
            }
        }
        let messages = MESSAGES.iter().filter(|message| line.english.contains(**message));
        wrong.extend(messages.filter(|said| !line.own.contains(**said)).map(|of| (*of).into()));
        wrong
    });
}

#[test]
fn no_english_sentence_is_left() {
    check_lines(|code, line| {
        let mut wrong = Vec::new();
        let plain = |word: &str| word.chars().all(|c| c.is_ascii_lowercase());
        if line.own == line.english
            && ascii_words(&line.own).any(|word| !is_name(word) && plain(word) && !word.is_empty())
        {
            wrong.push("the same as in English".to_owned());
        }
        // Three words in a row that could be of an English sentence; Indonesian looks no different.
        let mut text = line.own.clone();
        for message in MESSAGES {
            text = text.replace(message, "");
        }
        let words: Vec<&str> = text.split(' ').collect();
        let english = |words: &[&str]| words.iter().all(|word| !word.is_empty() && plain(word));
        if code != "id" && words.windows(3).any(english) {
            wrong.push("English words".to_owned());
        }
        wrong
    });
}
