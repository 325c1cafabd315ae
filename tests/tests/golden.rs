//! The conformance corpus, natively. `BERTH_RECORD=1` writes what it found instead of checking it.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use berth_tests::golden::{FILES, File, Report, records, run};

const HOW: &str = "to record it: BERTH_RECORD=1 cargo test -p berth_tests --test golden";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

/// Half the files on a thread of its own: there are two cores at least.
fn run_all() -> BTreeMap<&'static str, Report> {
    let reports = |odd: usize| {
        let files = FILES.iter().enumerate().filter(move |(i, _)| i % 2 == odd);
        files.map(|(_, file)| (file.name, run(*file))).collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(move || reports(1));
        let mut all = reports(0);
        all.extend(other.join().expect("a vector file can be run"));
        all.into_iter().collect()
    })
}

#[test]
fn corpus() {
    let reports = run_all();
    if std::env::var_os("BERTH_RECORD").is_some() {
        record(&reports);
        return;
    }
    // Without a file every answer is to be exact.
    let exact = std::fs::read_to_string(folder().join("exact.toml")).unwrap_or_default();
    let hashes = std::fs::read_to_string(folder().join("hashes.toml")).unwrap_or_default();
    let (exact, hashes) = (records(&exact), records(&hashes));
    let mut wrong = String::new();
    for (name, report) in &reports {
        let Report { total, exact: got, hash, differences } = report;
        // A vector file that is not listed is wholly exact.
        let want = exact.get(name).map_or(*total, |n| n.parse().expect("a count is a number"));
        if *got < want {
            writeln!(wrong, "{name}: {got} of {total} exact, {want} before\n{differences}")
        } else if *got > want {
            writeln!(wrong, "{name}: {got} of {total} exact, recorded as {want}; {HOW}")
        } else if hashes.get(name) != Some(&hash.as_str()) {
            writeln!(
                wrong,
                "{name}: the answers are {hash}, recorded as {:?}; {HOW}",
                hashes.get(name)
            )
        } else {
            Ok(())
        }
        .expect("a string can be written to");
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn record(reports: &BTreeMap<&str, Report>) {
    let mut hashes = String::from(
        "# Hashes of all answers, a vector file a line. Written by the golden test.\n",
    );
    let mut exact =
        String::from("# How many answers are exact, for each vector file with others.\n");
    for (name, report) in reports {
        writeln!(hashes, "{name} = \"{}\"", report.hash).expect("a string can be written to");
        if report.exact < report.total {
            writeln!(exact, "{name} = {}", report.exact).expect("a string can be written to");
        }
    }
    let write = |file: &str, text: String| {
        std::fs::write(folder().join(file), text).expect("the folder of vectors can be written to");
    };
    write("hashes.toml", hashes);
    if reports.values().any(|report| report.exact < report.total) {
        write("exact.toml", exact);
    } else if folder().join("exact.toml").exists() {
        std::fs::remove_file(folder().join("exact.toml"))
            .expect("the folder of vectors can be written to");
    }
}

#[test]
fn every_file_is_run() {
    let entries = std::fs::read_dir(folder()).expect("the folder of vectors can be read");
    let names = entries
        .map(|e| e.expect("an entry can be read").file_name().to_string_lossy().into_owned());
    let mut found: Vec<String> =
        names.filter_map(|n| n.strip_suffix(".jsonl.gz").map(str::to_owned)).collect();
    found.sort();
    let known: Vec<&str> = FILES.iter().map(|File { name, .. }| *name).collect();
    assert_eq!(found, known);
}
