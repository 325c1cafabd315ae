//! `cargo xtask frames`: what a frame costs the page's main thread while dragging and per edit, measured by a trace of
//! Chromium in `tests/perf/frames.mjs`. No part of the tests: the numbers depend on the machine.

use std::process::Command;
use std::thread;

use anyhow::{Context, Result};

use crate::serve::Server;
use crate::{build, process, tools, workspace};

/// What to measure.
#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    /// How often.
    runs: u32,
    /// Names of sizes, which the script knows; all when empty.
    sizes: Vec<String>,
}

impl Options {
    /// Reads `[--runs N] [SIZE…]`.
    pub(crate) fn parse(args: &[String]) -> Result<Self> {
        let mut options = Self { runs: 3, sizes: Vec::new() };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            if arg == "--runs" {
                let number = args.next().context("--runs needs a number")?;
                options.runs = number.parse().with_context(|| format!("--runs {number}"))?;
            } else {
                options.sizes.push(arg.clone());
            }
        }
        Ok(options)
    }
}

/// Builds the site and measures it.
pub(crate) fn run(options: &Options) -> Result<()> {
    let dist = workspace::dist();
    build::site(build::Mode::Release, &dist)?;
    let chromium = tools::chromium()?.browser;
    tools::npm_packages()?;
    let server = Server::bind(0, dist, &["/"])?;
    let url = format!("http://{}/", server.address());
    thread::spawn(move || server.serve());
    process::run(
        Command::new("node")
            .arg(workspace::root().join("tests/perf/frames.mjs"))
            .arg(url)
            .arg(options.runs.to_string())
            .args(&options.sizes)
            .env("BERTH_CHROMIUM", chromium),
    )
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn takes_a_number_and_sizes() -> anyhow::Result<()> {
        let args = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let options = Options::parse(&args("small --runs 1"))?;
        assert_eq!(options, Options { runs: 1, sizes: vec!["small".to_owned()] });
        assert_eq!(Options::parse(&[])?.runs, 3);
        assert!(Options::parse(&args("--runs many")).is_err());
        Ok(())
    }
}
