//! The English tables.

use super::{Locale, Message, Msg, RoomMsg, ScoreMsg, Table};
use crate::languages::tests::read;

/// Words are found by their place, so the table and the messages have the same keys in the same order.
fn every_line_has_its_message<M: Message>() {
    let table = read(M::TABLE);
    let lines = table.lines().map(|line| line.split_once(" = ").expect("a line is `key = text`"));
    let (keys, words): (Vec<&str>, Vec<&str>) = lines.unzip();
    assert_eq!(keys, M::KEYS);
    assert_eq!(M::ENGLISH.lines().collect::<Vec<_>>(), words);
}

#[test]
fn every_message_has_its_words_and_every_word_its_message() {
    every_line_has_its_message::<Msg>();
    every_line_has_its_message::<RoomMsg>();
    every_line_has_its_message::<crate::edit::EditMsg>();
    every_line_has_its_message::<crate::advice::AdviceMsg>();
    every_line_has_its_message::<crate::lessons::LessonMsg>();
    every_line_has_its_message::<crate::rules::RuleMsg>();
    every_line_has_its_message::<crate::scale::ScaleMsg>();
    every_line_has_its_message::<crate::share::ShareMsg>();
    every_line_has_its_message::<ScoreMsg>();
    every_line_has_its_message::<crate::why::WhyMsg>();
}

#[test]
fn blanks_and_numbers_are_filled() {
    let words = Locale::english();
    assert_eq!(words.count(Msg::Nodes, 1), "1 node");
    assert_eq!(words.count(Msg::Nodes, 7), "7 nodes");
    assert_eq!(words.fill(Msg::Rank, &[("rank", "2"), ("of", "3")]), "rank 2 of 3");
    let words = Table::<RoomMsg>::read_english();
    assert_eq!(words.text(RoomMsg::RoomKept), "kept");
}
