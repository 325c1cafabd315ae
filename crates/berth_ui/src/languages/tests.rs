//! Every language says everything, with the same blanks and its own number of forms.

use super::{chinese::CHINESE, indonesian::INDONESIAN, ukrainian::UKRAINIAN};
use crate::locale::Language;
use std::collections::BTreeSet;

const LANGUAGES: [(&str, Language); 3] = [("zh", CHINESE), ("id", INDONESIAN), ("uk", UKRAINIAN)];

fn folder() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/locales")
}

/// The names of the English tables.
fn tables() -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder()).expect("the tables are there") {
        let name = entry.expect("it can be read").file_name().into_string().expect("it is a name");
        let name = name.strip_suffix(".txt").expect("only tables are there").to_owned();
        if name == "en" || name.starts_with("en-") {
            names.push(name);
        }
    }
    names
}

fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().map(|line| line.split_once(" = ").expect("a line is `key = text`"))
}

/// The `{name}` blanks of a text.
fn blanks(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect()
}

/// The text of a table.
pub(crate) fn read(table: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{table}.txt"))).expect("the table is there")
}

#[test]
fn every_language_says_everything_with_the_same_blanks_and_its_own_forms() {
    let mut wrong = Vec::new();
    for table in tables() {
        let english = read(&table);
        for (code, language) in LANGUAGES {
            let own = (language.table)(&table);
            let keys =
                |text: &str| -> Vec<String> { lines(text).map(|(key, _)| key.into()).collect() };
            if keys(&own) != keys(&english) {
                wrong.push(format!("{code} {table}: other keys, or in another order"));
                continue;
            }
            for ((key, text), (_, said)) in lines(&english).zip(lines(&own)) {
                let counts = text.contains('|') && text.contains("{n}");
                let forms = said.split('|').count();
                if counts && forms != 1 && forms != language.plural.forms() {
                    wrong.push(format!("{code} {table}: {key} has {forms} forms"));
                }
                let (first, all) = (text.split('|').next().unwrap_or_default(), blanks(text));
                for form in said.split(if counts { '|' } else { '\n' }) {
                    if blanks(form) != all && blanks(form) != blanks(first) {
                        wrong.push(format!("{code} {table}: {key} has other blanks: {form}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
