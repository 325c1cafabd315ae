//! The lessons' texts, in the order in which they are offered.

use super::tongues::Told;
use berth_wire::lesson::{Lesson, head, words};

/// The files of all lessons in a folder of `web/lessons`, in the order in which they are offered.
macro_rules! files {
    ($folder:literal) => {
        $crate::lessons::texts::files! {
            $folder:
            "one-zone-full",
            "L1",
            "L2",
            "L3",
            "L4",
            "L5",
            "L6",
            "L7",
            "L8",
            "L9",
            "L10",
            "L11",
            "L12",
            "L14",
            "L15",
            "L16",
            "L19",
            "L20",
            "L21",
            "L25",
            "L29",
            "L30",
            "L31",
            "L32",
            "L33",
            "L34",
            "L35",
            "L36",
            "S1",
            "S2",
            "S3",
            "S4",
            "S7",
            "S8",
            "S9",
            "S10",
            "S14",
            "S14-spread",
            "S16",
            "S18",
            "S18-spread",
            "S19",
        }
    };
    ($folder:literal: $($id:literal,)*) => {
        &[$(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/lessons/", $folder, $id, ".yaml"))),*]
    };
}
pub(super) use files;

/// The texts.
pub(super) static TEXTS: &[&str] = files!("");

/// Reads a lesson without its cluster; one of [`TEXTS`] says what it was told in the page's language.
pub(super) fn lesson(text: &str, told: Told) -> Option<Lesson> {
    let mut lesson = head(text).ok()?;
    let place = TEXTS.iter().position(|own| *own == text);
    if let Some(own) = place.and_then(|place| told.get(place))
        && let Ok(words) = words(own)
    {
        lesson.say(words);
    }
    Some(lesson)
}

#[cfg(test)]
mod tests {
    use super::TEXTS;
    use berth_wire::lesson::{head, is_lesson};
    use std::collections::BTreeSet;

    #[test]
    fn every_lesson_of_the_folder_is_offered_once() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/lessons");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let files = files.filter(|path| path.is_file());
        let files: BTreeSet<String> =
            files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        let offered: Vec<String> = TEXTS.iter().map(|text| head(text).unwrap().id).collect();
        assert_eq!(offered.len(), files.len());
        assert_eq!(offered.into_iter().collect::<BTreeSet<_>>(), files);
        assert!(TEXTS.iter().all(|text| is_lesson(text)));
    }
}
