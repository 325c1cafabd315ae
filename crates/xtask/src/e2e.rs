//! `cargo xtask e2e`: the finished site in real Chromium, driven from `tests/e2e`.

mod failures;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;

use anyhow::{Context, Result, bail};

use crate::process::{self, Tally};
use crate::serve::Server;
use crate::{build, tools, workspace};
use failures::Failures;

/// A path that is not the root: the site must work there too.
const BASE: &str = "/some/base/";
/// Milliseconds after which a case has failed: one that waits for ever would hold up all others.
const LONGEST: u32 = 180_000;
/// So many cases may fail and be tried again. More are no accident of a busy machine.
const MOST_AGAIN: usize = 5;

/// Which site is driven, and by which cases.
pub(crate) struct Options {
    /// What `serve` shows is built quickly, but has no parts to fetch: cases about fetching fail there.
    pub(crate) mode: build::Mode,
    /// Parts of the names of the cases' files; none for all cases.
    pub(crate) names: Vec<String>,
}

impl Options {
    /// Reads `[--dev] [NAME…]`.
    pub(crate) fn parse(args: &[String]) -> Self {
        let (flags, names): (Vec<_>, Vec<_>) = args.iter().cloned().partition(|arg| arg == "--dev");
        let mode = if flags.is_empty() { build::Mode::Release } else { build::Mode::Dev };
        Self { mode, names }
    }
}

/// Builds the site and runs the named cases, or all.
pub(crate) fn run(options: &Options) -> Result<Tally> {
    let names = &options.names;
    let site = match options.mode {
        build::Mode::Release => workspace::dist(),
        build::Mode::Dev => workspace::target().join("site").join("e2e"),
    };
    if let Some(parent) = site.parent() {
        std::fs::create_dir_all(parent)?;
    }
    build::site(options.mode, &site)?;
    let chromium = tools::chromium()?;
    tools::npm_packages()?;
    let folder = workspace::root().join("tests/e2e");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .with_context(|| format!("reading {}", folder.display()))?
        .filter_map(std::result::Result::ok)
        .map(|entry| entry.path())
        .filter(|path| is_meant(path, names))
        .collect();
    files.sort();
    if files.is_empty() {
        bail!("no case of tests/e2e is called {}", names.join(" or "));
    }
    let server = Server::bind(0, site, &["/", BASE])?;
    let url = format!("http://{}/", server.address());
    let fixtures = Server::bind(0, folder.join("fixtures"), &["/"])?;
    let fixtures_url = format!("http://{}/", fixtures.address());
    thread::spawn(move || server.serve());
    thread::spawn(move || fixtures.serve());
    let failures = Arc::new(Mutex::new(Failures::default()));
    let cases = |pattern: Option<String>, files: &[PathBuf]| {
        let failures = Arc::clone(&failures);
        process::run_tests_reading(
            Command::new("node")
                .args(["--test", "--test-reporter=spec", "--test-concurrency=1"])
                .arg(format!("--test-timeout={LONGEST}"))
                .args(pattern.map(|pattern| format!("--test-name-pattern={pattern}")))
                .args(files)
                .current_dir(&folder)
                // Colours would stand between us and the counts.
                .env_remove("FORCE_COLOR")
                .env("BERTH_URL", &url)
                .env("BERTH_BASE_URL", format!("{}{}", url.trim_end_matches('/'), BASE))
                .env("BERTH_FIXTURES_URL", &fixtures_url)
                .env("BERTH_CHROMIUM", &chromium.browser),
            move |line| {
                if let Ok(mut failures) = failures.lock() {
                    failures.read(line);
                }
            },
        )
    };
    let first = cases(None, &files)?;
    let failed = failures.lock().map(|failures| failures.cases.clone()).unwrap_or_default();
    if failed.is_empty() || failed.len() > MOST_AGAIN || failed.len() as u64 != first.failed {
        return Ok(first);
    }
    println!("\n{} failed and are tried once more, each alone:", failed.len());
    let mut tally = first;
    for case in &failed {
        println!("{}: {}", case.file, case.name);
        let file = folder.join(&case.file);
        let again = cases(Some(case.pattern()), &[file])?;
        if again.failed == 0 && again.passed == 1 {
            tally.failed -= 1;
            tally.passed += 1;
            tally.again += 1;
        }
    }
    Ok(tally)
}

/// Whether a file holds cases, and its own name has one of these in it.
fn is_meant(path: &Path, names: &[String]) -> bool {
    let Some(file) = path.file_name().and_then(|file| file.to_str()) else { return false };
    file.ends_with(".test.mjs")
        && (names.is_empty() || names.iter().any(|name| file.contains(name.as_str())))
}

#[cfg(test)]
mod tests {
    use super::is_meant;
    use std::path::Path;

    #[test]
    fn a_case_is_named_by_its_file_alone() {
        let meant = |path: &str, names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            is_meant(Path::new(path), &names)
        };
        assert!(meant("/home/yaml/tests/e2e/why.test.mjs", &[]));
        assert!(meant("/home/yaml/tests/e2e/why.test.mjs", &["share", "why"]));
        assert!(meant("/home/yaml/tests/e2e/why.test.mjs", &["why.test.mjs"]));
        assert!(!meant("/home/yaml/tests/e2e/why.test.mjs", &["yaml"]));
        assert!(!meant("/home/yaml/tests/e2e/why.test.mjs", &["e2e"]));
        assert!(!meant("/home/yaml/tests/e2e/harness.mjs", &[]));
    }
}
