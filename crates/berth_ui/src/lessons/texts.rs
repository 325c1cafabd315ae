//! The lessons in the order in which they are offered: what the gallery shows of each, and the file that has the rest,
//! which is fetched when the lesson is opened. All of it is worked out of the files when this is compiled.

use berth_wire::lesson::{Lesson, listed, words};

/// A lesson, or what it says in another language.
#[derive(Debug)]
pub(super) struct Known {
    /// The path of its file in `web/lessons`, without its ending: `L1`, `uk/L1`.
    path: &'static str,
    /// The lines of the file that the gallery shows.
    head: &'static [u8],
    /// The hash of the file.
    hash: u32,
    /// The file.
    #[cfg(test)]
    pub(super) text: &'static str,
}

/// The lines that the gallery shows, by how they begin.
const SHOWN: [&str; 5] = ["id: ", "title: ", "questions: ", "document: ", "thread: "];

/// All lessons in a folder of `web/lessons`, in the order in which they are offered.
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
            "L13",
            "L14",
            "L15",
            "L16",
            "L17",
            "L18",
            "L19",
            "L20",
            "L21",
            "L22",
            "L23",
            "L24",
            "L25",
            "L26",
            "L27",
            "L28",
            "L29",
            "L30",
            "L31",
            "L32",
            "L33",
            "L34",
            "L35",
            "L36",
            "L37",
            "L41",
            "L42",
            "L43",
            "L44",
            "L45",
            "L46",
            "L47",
            "L48",
            "G1",
            "G2",
            "G3",
            "P7",
            "P11",
            "P13",
            "P19",
            "P21",
            "S1",
            "S2",
            "S3",
            "S4",
            "S5",
            "S6",
            "S7",
            "S8",
            "S9",
            "S10",
            "S11",
            "S12",
            "S13",
            "S14",
            "S14-spread",
            "S15",
            "S16",
            "S17",
            "S18",
            "S18-spread",
            "S19",
            "T14",
            "P20",
        }
    };
    ($folder:literal: $($id:literal,)*) => {
        const { &[$({
            const TEXT: &str =
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/lessons/", $folder, $id, ".yaml"));
            const HEAD: [u8; $crate::lessons::texts::shown_length(TEXT)] = $crate::lessons::texts::shown(TEXT);
            $crate::lessons::texts::Known::new(
                concat!($folder, $id),
                &HEAD,
                $crate::lessons::texts::hash(TEXT),
                #[cfg(test)]
                TEXT,
            )
        }),*] }
    };
}
pub(super) use files;

/// The lessons.
pub(super) static LESSONS: &[Known] = files!("");

impl Known {
    pub(super) const fn new(
        path: &'static str,
        head: &'static [u8],
        hash: u32,
        #[cfg(test)] text: &'static str,
    ) -> Self {
        Self {
            path,
            head,
            hash,
            #[cfg(test)]
            text,
        }
    }

    /// What the gallery shows, as it stands in the file.
    fn head(&self) -> &'static str {
        str::from_utf8(self.head).unwrap_or_default()
    }

    /// The name that its file has on the site; `xtask build` gives the same.
    pub(super) fn address(&self) -> String {
        format!("lesson-{}-{:08x}.yaml", self.path.replace('/', "-"), self.hash)
    }
}

/// The place of a lesson, by its id.
pub(super) fn place_of(id: &str) -> Option<usize> {
    LESSONS.iter().position(|known| known.path == id)
}

/// As much of a lesson as the gallery shows, in the page's language as far as that has it.
pub(super) fn entry(place: usize, told: &[Known]) -> Option<Lesson> {
    let mut lesson = listed(LESSONS.get(place)?.head()).ok()?;
    if let Some(own) = told.get(place)
        && let Ok(words) = words(own.head())
    {
        lesson.say(words);
    }
    Some(lesson)
}

/// FNV-1a in 32 bits.
pub(super) const fn hash(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let (mut hash, mut at) = (0x811c_9dc5_u32, 0);
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

/// How long the lines are that the gallery shows.
pub(super) const fn shown_length(text: &str) -> usize {
    copied(text, &mut [])
}

/// The lines that the gallery shows.
pub(super) const fn shown<const N: usize>(text: &str) -> [u8; N] {
    let mut out = [0; N];
    copied(text, &mut out);
    out
}

/// Copies the lines that the gallery shows, as far as there is room, and says how long they are.
const fn copied(text: &str, out: &mut [u8]) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut length) = (0, 0);
    // The first document only.
    while at < bytes.len() && !begins(bytes, at, "---") {
        let mut wanted = false;
        let mut place = 0;
        while place < SHOWN.len() {
            wanted = wanted || begins(bytes, at, SHOWN[place]);
            place += 1;
        }
        let mut ended = false;
        while at < bytes.len() && !ended {
            if wanted {
                if length < out.len() {
                    out[length] = bytes[at];
                }
                length += 1;
            }
            ended = bytes[at] == b'\n';
            at += 1;
        }
    }
    length
}

/// Whether a line begins so.
const fn begins(bytes: &[u8], at: usize, start: &str) -> bool {
    let start = start.as_bytes();
    let mut length = 0;
    while length < start.len() && at + length < bytes.len() && bytes[at + length] == start[length] {
        length += 1;
    }
    length == start.len()
}

#[cfg(test)]
mod tests {
    use super::{LESSONS, entry, hash, place_of};
    use berth_wire::lesson::{Lesson, head, is_lesson};
    use std::collections::BTreeSet;

    #[test]
    fn every_lesson_of_the_folder_is_offered_once() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/lessons");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let files = files.filter(|path| path.is_file());
        let files: BTreeSet<String> =
            files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        let offered: Vec<String> =
            LESSONS.iter().map(|known| head(known.text).unwrap().id).collect();
        assert_eq!(offered.len(), files.len());
        assert_eq!(offered.into_iter().collect::<BTreeSet<_>>(), files);
        assert!(LESSONS.iter().all(|known| is_lesson(known.text)));
    }

    #[test]
    fn the_gallery_shows_what_the_files_say() {
        for (place, known) in LESSONS.iter().enumerate() {
            let Lesson { id, title, questions, document, thread, .. } = head(known.text).unwrap();
            assert_eq!(place_of(&id), Some(place));
            let shown = entry(place, &[]).unwrap();
            assert_eq!((shown.id, shown.title), (id, title), "each on a line of its own");
            let rest = (shown.questions, shown.document, shown.thread);
            assert_eq!(rest, (questions, document, thread), "each on a line of its own");
            assert!(known.head.len() < known.text.len() / 2);
        }
    }

    #[test]
    fn files_are_named_by_their_hash() {
        // Test vectors of FNV-1a.
        assert_eq!((hash(""), hash("a"), hash("foobar")), (0x811c_9dc5, 0xe40c_292c, 0xbf9c_f968));
        let address = LESSONS[place_of("L1").unwrap()].address();
        let hash = address.strip_prefix("lesson-L1-").unwrap().strip_suffix(".yaml").unwrap();
        assert_eq!(hash.len(), 8, "{address}");
    }
}
