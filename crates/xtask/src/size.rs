//! `cargo xtask size`: what the site weighs.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Wasm, glue and styles of the page together, brotli: above this the check fails.
const MOST_BYTES: usize = 250_000;
/// What we want it to be.
const WANTED_BYTES: usize = 180_000;
/// What the total is called.
const TOTAL: &str = "wasm + glue + css";

/// The module that the page starts with: how its name begins. Other modules are parts that are fetched when they are
/// first needed, and chunks that some of them share.
const START: &str = "berth-";
/// The parts that read and write manifests, and what they have in common with others: how their names begin.
const FILES: [&str; 3] = ["files-", "share-", "chunk_"];
/// The budget of each of these.
const FILES_BYTES: usize = 120_000;
/// The part that simulates time: the API server, the controllers, the kubelets.
const TIME: &str = "time-";
/// Its budget.
const TIME_BYTES: usize = 220_000;
/// The part that reads lessons, with the steps and goals that are in them, and judges what the learner does.
const LESSONS: &str = "lessons-";
/// Its budget.
const LESSONS_BYTES: usize = 90_000;
/// The budget of every other part.
const PART: usize = 60_000;
/// The budget of a lesson, in one language.
const LESSON: usize = 6_000;

/// The hard budget of one kind of file, brotli, in bytes. What has none here is not part of the page.
fn budget(name: &str) -> Option<usize> {
    let extension = name.rsplit('.').next()?;
    match extension {
        "wasm" if name.starts_with(START) => Some(235_000),
        "wasm" if FILES.iter().any(|start| name.starts_with(start)) => Some(FILES_BYTES),
        "wasm" if name.starts_with(TIME) => Some(TIME_BYTES),
        "wasm" if name.starts_with(LESSONS) => Some(LESSONS_BYTES),
        "wasm" => Some(PART),
        "yaml" => Some(LESSON),
        "js" if name.starts_with("boot-") => Some(1_000),
        "js" | "css" => Some(15_000),
        "html" | "svg" => Some(2_000),
        _ => None,
    }
}

/// What one file weighs, in bytes.
#[derive(Clone, Copy, Default)]
struct Size {
    raw: usize,
    gzip: usize,
    brotli: usize,
}

/// Prints every file's size and fails when one, or the total, is above its budget.
pub(crate) fn check(dist: &Path) -> Result<()> {
    let mut names = Vec::new();
    collect(dist, "", &mut names)?;
    names.sort();
    let mut files = Vec::new();
    for name in names {
        let size = measure(&dist.join(&name))?;
        files.push((name, size));
    }
    println!("{:<34} {:>9} {:>9} {:>9} {:>9}", "file", "raw", "gzip", "brotli", "budget");
    for (name, size) in &files {
        let limit = budget(name).map_or_else(|| "-".to_owned(), |limit| limit.to_string());
        println!("{name:<34} {:>9} {:>9} {:>9} {limit:>9}", size.raw, size.gzip, size.brotli);
    }
    let total = total(&files);
    println!(
        "{TOTAL:<34} {:>9} {:>9} {:>9} {MOST_BYTES:>9}   (wanted: {WANTED_BYTES})",
        total.raw, total.gzip, total.brotli
    );
    let over = over_budget(&files);
    if !over.is_empty() {
        bail!("above the budget: {}", over.join(", "));
    }
    Ok(())
}

/// Whether a file is fetched when it is first needed.
fn later(name: &str) -> bool {
    name.rsplit('.').next() == Some("wasm") && !name.starts_with(START)
}

/// What has to arrive before the page works.
fn total(files: &[(String, Size)]) -> Size {
    files
        .iter()
        .filter(|(name, _)| matches!(name.rsplit('.').next(), Some("wasm" | "js" | "css")))
        .filter(|(name, _)| !later(name))
        .fold(Size::default(), |total, (_, size)| Size {
            raw: total.raw + size.raw,
            gzip: total.gzip + size.gzip,
            brotli: total.brotli + size.brotli,
        })
}

/// What is above its budget.
fn over_budget(files: &[(String, Size)]) -> Vec<&str> {
    let mut over: Vec<&str> = files
        .iter()
        .filter(|(name, size)| budget(name).is_some_and(|limit| size.brotli > limit))
        .map(|(name, _)| name.as_str())
        .collect();
    if total(files).brotli > MOST_BYTES {
        over.push(TOTAL);
    }
    over
}

fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), names)?;
        } else {
            names.push(name);
        }
    }
    Ok(())
}

fn measure(file: &Path) -> Result<Size> {
    let content = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&content)?;
    let mut packed = Vec::new();
    let params = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 24, ..Default::default() };
    brotli::BrotliCompress(&mut content.as_slice(), &mut packed, &params)?;
    Ok(Size { raw: content.len(), gzip: gzip.finish()?.len(), brotli: packed.len() })
}

#[cfg(test)]
mod tests {
    use super::{Size, over_budget};

    fn file(name: &str, brotli: usize) -> (String, Size) {
        (name.to_owned(), Size { brotli, ..Size::default() })
    }

    #[test]
    fn one_byte_above_a_budget_is_above() {
        assert_eq!(over_budget(&[file("berth-1.css", 15_000)]), Vec::<&str>::new());
        assert_eq!(over_budget(&[file("berth-1.css", 15_001)]), ["berth-1.css"]);
        assert_eq!(over_budget(&[file("THIRD-PARTY-NOTICES.txt", 999_999)]), Vec::<&str>::new());
    }

    #[test]
    fn together_they_may_not_use_up_what_each_may() {
        // 230,000 + 10,000 + 10,000 = 250,000, and one more. What comes later does not count.
        let with_css = |css| {
            [
                file("berth-1.wasm", 230_000),
                file("berth-1.js", 10_000),
                file("berth-1.css", css),
                file("files-1.wasm", 120_000),
                file("rules-1.wasm", 60_000),
            ]
        };
        assert_eq!(over_budget(&with_css(10_000)), Vec::<&str>::new());
        assert_eq!(over_budget(&with_css(10_001)), ["wasm + glue + css"]);
    }
}
