//! `cargo xtask size`: what the site weighs.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Wasm, glue and styles together, brotli: above this the check fails.
const HARD_BYTES: usize = 250_000;
/// What we want it to be.
const WANTED_BYTES: usize = 180_000;

/// The hard budget of one kind of file, brotli, in bytes. What has none here is not part of starting the page.
fn budget(name: &str) -> Option<usize> {
    let extension = name.rsplit('.').next()?;
    match extension {
        "wasm" => Some(225_000),
        "js" if name.starts_with("boot-") => Some(1_000),
        "js" | "css" => Some(15_000),
        "html" | "svg" => Some(2_000),
        _ => None,
    }
}

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
    let mut total = Size::default();
    let mut over = Vec::new();
    println!("{:<34} {:>9} {:>9} {:>9} {:>9}", "file", "raw", "gzip", "brotli", "budget");
    for name in &names {
        let size = measure(&dist.join(name))?;
        let limit = budget(name);
        let shown = limit.map_or_else(|| "-".to_owned(), |limit| limit.to_string());
        println!("{name:<34} {:>9} {:>9} {:>9} {shown:>9}", size.raw, size.gzip, size.brotli);
        if limit.is_some_and(|limit| size.brotli > limit) {
            over.push(name.clone());
        }
        if matches!(name.rsplit('.').next(), Some("wasm" | "js" | "css")) {
            total.raw += size.raw;
            total.gzip += size.gzip;
            total.brotli += size.brotli;
        }
    }
    println!(
        "{:<34} {:>9} {:>9} {:>9} {HARD_BYTES:>9}   (wanted: {WANTED_BYTES})",
        "wasm + glue + css", total.raw, total.gzip, total.brotli
    );
    if total.brotli > HARD_BYTES {
        over.push("wasm + glue + css".to_owned());
    }
    if !over.is_empty() {
        bail!("above the budget: {}", over.join(", "));
    }
    Ok(())
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
