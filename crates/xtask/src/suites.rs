//! `cargo xtask test`: every suite, then one line a suite and the total.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::process::{self, Tally};
use crate::{build, e2e, licences, size, tools, wasm_tests, workspace};

struct Suite {
    name: &'static str,
    what: &'static str,
    run: fn() -> Result<Tally>,
}

/// In order: what is quick to fail first.
const SUITES: [Suite; 7] = [
    Suite { name: "fmt", what: "rustfmt", run: fmt },
    Suite {
        name: "licences",
        what: "licences of crates and npm packages, advisories",
        run: licences::check,
    },
    Suite { name: "clippy", what: "clippy, warnings denied", run: clippy },
    Suite { name: "native", what: "cargo test --workspace", run: native },
    Suite { name: "wasm", what: "wasm tests in headless Chromium", run: wasm_tests::run },
    Suite { name: "size", what: "the release site against its budget", run: built_size },
    Suite {
        name: "e2e",
        what: "the release site in Chromium, with axe-core",
        run: site_in_browser,
    },
];

/// Runs the named suites, or all. Every suite runs whatever the others did.
pub(crate) fn run(names: &[String]) -> Result<ExitCode> {
    if let Some(unknown) = names.iter().find(|name| !SUITES.iter().any(|suite| suite.name == *name))
    {
        let known: Vec<_> = SUITES.iter().map(|suite| suite.name).collect();
        bail!("no suite is called {unknown:?}; there are {}", known.join(", "));
    }
    let chosen: Vec<&Suite> = SUITES
        .iter()
        .filter(|suite| names.is_empty() || names.iter().any(|name| name == suite.name))
        .collect();
    let mut results: Vec<(&Suite, Tally, Duration)> = Vec::new();
    for (index, suite) in chosen.iter().enumerate() {
        println!("\n== {}/{} {}: {}", index + 1, chosen.len(), suite.name, suite.what);
        let start = Instant::now();
        let tally = match (suite.run)() {
            // A suite that finds nothing to run has lost its tests.
            Ok(tally) if tally == Tally::default() => {
                println!("error: no test was run");
                Tally::ONE_FAILED
            }
            Ok(tally) => tally,
            Err(error) => {
                println!("error: {error:#}");
                Tally::ONE_FAILED
            }
        };
        results.push((suite, tally, start.elapsed()));
    }
    let mut total = Tally::default();
    println!();
    for (suite, tally, time) in results {
        println!(
            "{:<9} {:>5} passed {:>4} failed {:>7.1} s   {}",
            suite.name,
            tally.passed,
            tally.failed,
            time.as_secs_f64(),
            suite.what
        );
        if tally.again > 0 {
            println!("{:>15} passed only when tried again: see above which", tally.again);
        }
        total += tally;
    }
    println!("{} passed, {} failed", total.passed, total.failed);
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// One check that has no tests of its own.
fn one(checked: Result<()>) -> Tally {
    match checked {
        Ok(()) => Tally::ONE_PASSED,
        Err(error) => {
            println!("error: {error:#}");
            Tally::ONE_FAILED
        }
    }
}

fn fmt() -> Result<Tally> {
    process::run(process::cargo().args(["fmt", "--all", "--", "--check"]))
        .map(|()| Tally::ONE_PASSED)
}

fn clippy() -> Result<Tally> {
    tools::wasm_target()?;
    let deny = ["--", "-D", "warnings"];
    let mut tally = one(process::run(
        process::cargo().args(["clippy", "--quiet", "--workspace", "--all-targets"]).args(deny),
    ));
    // The page again as it ships: much of it exists only for the browser.
    tally += one(process::run(
        process::cargo()
            .args(["clippy", "--quiet", "--package", "berth_ui", "--package", "berth_tests"])
            .args(["--all-targets", "--target", tools::WASM])
            .args(deny),
    ));
    tally += one(process::run(
        process::cargo()
            .args(["clippy", "--quiet", "--package", "xtask", "--features", "wasm-tool"])
            .args(deny),
    ));
    Ok(tally)
}

fn native() -> Result<Tally> {
    process::run_tests(process::cargo().args(["test", "--workspace", "--no-fail-fast"]))
}

fn built_size() -> Result<Tally> {
    let dist = workspace::dist();
    build::site(build::Mode::Release, &dist)?;
    Ok(one(size::check(&dist)))
}

fn site_in_browser() -> Result<Tally> {
    e2e::run(&e2e::Options::parse(&[]))
}
