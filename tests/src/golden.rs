//! The conformance corpus: what the real kube-scheduler v1.36.3 answered, in `tests/golden/*.jsonl.gz`.
//!
//! Every vector is a line with a question and the answer to it. The same code runs them natively
//! (`tests/tests/golden.rs`) and in the browser (`tests/web/golden.rs`), where a hash of all answers of a file,
//! `hashes.toml`, holds both to the same bytes.
//!
//! `schedule-extra` and `sequence-extra` have what the generator of the others does not reach: named corner cases,
//! then random ones. In `odd-schedule` are cycles that break off: plugins without their state, terms that do not
//! parse, profiles with points switched off. `lifecycle-odd` has what a generator of sensible objects does not make:
//! owners of other groups, shares that are none, preconditions of all sorts. `lifecycle-validate-odd` is full of faults
//! that the other files of validation do not have.
//! The `history` files have what happens in virtual time, from queues that back off to rollouts.
//! `lessons` are the clusters of `web/lessons`, as `tests/tests/lessons.rs` makes questions of them.
//! `schedule-victims` and `schedule-crowd` are about preemption, the latter with many pods on few nodes.

mod compare;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::Read;

use berth_wire::answer::answer_line;
use flate2::read::GzDecoder;
use serde_json::Value;

/// How many differing vectors of a file are shown.
const SHOWN: usize = 5;
/// How many differences of one vector are shown.
const SHOWN_EACH: usize = 8;

/// A file of vectors.
#[derive(Clone, Copy)]
pub struct File {
    /// Its name without `.jsonl.gz`.
    pub name: &'static str,
    gz: &'static [u8],
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// Every file of the corpus.
        pub const FILES: &[File] =
            &[$(File { name: $name, gz: include_bytes!(concat!("../golden/", $name, ".jsonl.gz")) }),*];
    };
}

files![
    "history-jobs",
    "history-nodes",
    "history-pdb",
    "history-preempt",
    "history-queue",
    "history-rollout",
    "history-spread",
    "history-workloads",
    "lessons",
    "lifecycle-admit-priority",
    "lifecycle-admit-priorityclass",
    "lifecycle-delete-pod",
    "lifecycle-evict",
    "lifecycle-eviction-grace",
    "lifecycle-eviction-rank",
    "lifecycle-kill-grace",
    "lifecycle-kill-pod",
    "lifecycle-node-selector",
    "lifecycle-odd",
    "lifecycle-pdb-status",
    "lifecycle-pod-grace",
    "lifecycle-qos",
    "lifecycle-quantity",
    "lifecycle-selector",
    "lifecycle-validate-config",
    "lifecycle-validate-node",
    "lifecycle-validate-odd",
    "lifecycle-validate-pdb",
    "lifecycle-validate-pod",
    "odd-schedule",
    "schedule-affinity",
    "schedule-config",
    "schedule-crowd",
    "schedule-defaults",
    "schedule-extra",
    "schedule-filters",
    "schedule-mixed",
    "schedule-nominated",
    "schedule-preempt",
    "schedule-preempt-choice",
    "schedule-resources",
    "schedule-spread",
    "schedule-spread-score",
    "schedule-victims",
    "sequence-affinity",
    "sequence-extra",
    "sequence-filters",
    "sequence-mixed",
    "sequence-resources",
    "sequence-spread",
];

/// What is recorded in `hashes.toml`.
pub const HASHES: &str = include_str!("../golden/hashes.toml");

/// What became of the vectors of one file.
pub struct Report {
    /// How many there are.
    pub total: usize,
    /// How many were answered as the scheduler does.
    pub exact: usize,
    /// A hash (FNV-1a, 64 bits, hexadecimal) of every answer, each with a line end.
    pub hash: String,
    /// The first differences, as text.
    pub differences: String,
}

/// Where two answers differ. `left_out` are keys that are compared nowhere.
pub fn differences(want: &Value, got: &Value, left_out: &[&str]) -> Vec<String> {
    compare::differences(want, got, left_out)
}

/// Every vector of the file.
///
/// # Panics
/// If the file is not one of vectors.
pub fn vectors(file: File) -> Vec<Value> {
    let vector = |line| serde_json::from_str(line).expect("a vector is JSON");
    text(file).lines().map(vector).collect()
}

fn text(file: File) -> String {
    let mut text = String::new();
    GzDecoder::new(file.gz).read_to_string(&mut text).expect("a vector file is compressed UTF-8");
    text
}

/// Answers every vector of the file and compares.
///
/// # Panics
/// If the file is not one of vectors.
pub fn run(file: File) -> Report {
    let text = text(file);
    let mut report = Report { total: 0, exact: 0, hash: String::new(), differences: String::new() };
    let mut hash = Fnv::default();
    for line in text.lines() {
        let answer = answer_line(line);
        hash.update(answer.as_bytes());
        hash.update(b"\n");
        let vector: Value = serde_json::from_str(line).expect("a vector is JSON");
        let want = ["answer", "answers", "history"].iter().find_map(|key| vector.get(key));
        let want = want.expect("a vector has an answer");
        let got: Value = serde_json::from_str(&answer).expect("an answer is JSON");
        let differences = compare::differences(want, &got, left_out(&vector));
        report.total += 1;
        if differences.is_empty() {
            report.exact += 1;
        } else if report.total - report.exact <= SHOWN {
            writeln!(report.differences, "  {}", name(&vector))
                .expect("a string can be written to");
            for difference in differences.iter().take(SHOWN_EACH) {
                writeln!(report.differences, "    {difference}")
                    .expect("a string can be written to");
            }
        }
    }
    report.hash = format!("{:016x}", hash.0);
    report
}

/// What an answer of this kind does not have: the object as the API server would keep it.
fn left_out(vector: &Value) -> &'static [&'static str] {
    match vector.get("kind").and_then(Value::as_str) {
        Some("validate-config" | "validate-node" | "validate-pod") => &["defaulted", "prepared"],
        _ => &[],
    }
}

fn name(vector: &Value) -> String {
    let question = ["scenario", "sequence", "input"].iter().find_map(|key| vector.get(key));
    match question.and_then(|q| q.get("name")).and_then(Value::as_str) {
        Some(name) => name.to_owned(),
        None => question.map(compare::shortened).unwrap_or_default(),
    }
}

/// Reads a file of `name = value` lines, values in quotes or bare, comments after `#`.
///
/// # Panics
/// If a line is neither.
pub fn records(text: &str) -> BTreeMap<&str, &str> {
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, value) = line.split_once('=').expect("a record is name = value");
            (name.trim(), value.trim().trim_matches('"'))
        })
        .collect()
}

/// FNV-1a: <http://www.isthe.com/chongo/tech/comp/fnv/>.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
