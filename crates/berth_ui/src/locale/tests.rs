//! The English table.

use super::{ENGLISH, Locale, Msg, entries};

#[test]
fn every_message_has_its_words_and_every_word_its_message() {
    for msg in Msg::ALL {
        assert_eq!(
            entries(ENGLISH).filter(|(key, _)| *key == msg.key()).count(),
            1,
            "{}",
            msg.key()
        );
    }
    for (key, _) in entries(ENGLISH) {
        assert!(Msg::ALL.iter().any(|msg| msg.key() == key), "{key} is not used");
    }
}

#[test]
fn the_order_of_the_enum_is_the_order_of_the_table() {
    for (index, msg) in Msg::ALL.iter().enumerate() {
        assert_eq!(*msg as usize, index);
    }
}

#[test]
fn blanks_and_numbers_are_filled() {
    let words = Locale::english();
    assert_eq!(words.count(Msg::Nodes, 1), "1 node");
    assert_eq!(words.count(Msg::Nodes, 7), "7 nodes");
    assert_eq!(words.fill(Msg::Rank, &[("rank", "2"), ("of", "3")]), "rank 2 of 3");
}
