//! `cargo xtask`: everything the project does with itself.
//!
//! One module a task. Only `bin/wasm-tool.rs` is heavy to compile, and only the tasks that need it start it.

#![expect(clippy::print_stdout, reason = "a command-line program speaks on standard output")]

mod bench;
mod build;
mod e2e;
mod frames;
mod licences;
mod process;
mod serve;
mod size;
mod suites;
mod tools;
mod wasm_tests;
mod workspace;

use std::process::ExitCode;

use anyhow::{Context, Result, bail};

const USAGE: &str = "\
cargo xtask serve [--port N] [--release]   build, serve at http://127.0.0.1:8080/, rebuild and reload on change
cargo xtask build [--dev]                  write the static site to dist/
cargo xtask test [SUITE…]                  run every suite (or the named ones)
cargo xtask e2e [--dev] [NAME…]            build the site and drive it in Chromium (or the named cases)
cargo xtask size                           what the site weighs, against its budget
cargo xtask licences                       the licences of everything used, against deny.toml
cargo xtask bench [--small] [KIND…]         the engine beside the real scheduler (needs Go)
cargo xtask bench seek                      how fast a simulated hour is sought through in Chromium
cargo xtask frames [--runs N] [SIZE…]      what a frame costs the page's main thread, by a trace";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<ExitCode> {
    let Some((task, rest)) = args.split_first() else {
        println!("{USAGE}");
        return Ok(ExitCode::FAILURE);
    };
    match task.as_str() {
        "serve" => serve::run(&serve_options(rest)?),
        "build" => {
            let mode = match rest {
                [] => build::Mode::Release,
                [flag] if flag == "--release" => build::Mode::Release,
                [flag] if flag == "--dev" => build::Mode::Dev,
                _ => bail!("cargo xtask build [--dev]"),
            };
            build::site(mode, &workspace::dist()).map(|()| {
                println!("The site is in dist/: serve that folder from anywhere.");
            })
        }
        "test" => return suites::run(rest),
        "e2e" => e2e::run(&e2e::Options::parse(rest)).and_then(process::Tally::into_result),
        "size" => {
            let dist = workspace::dist();
            build::site(build::Mode::Release, &dist)?;
            size::check(&dist)
        }
        "licences" => licences::check().and_then(process::Tally::into_result),
        "bench" => bench::run(&bench::Options::parse(rest)?),
        "frames" => frames::run(&frames::Options::parse(rest)?),
        // Cargo starts this one, through `.cargo/config.toml`.
        "wasm-test-runner" => wasm_tests::runner(rest),
        "help" | "--help" | "-h" => {
            println!("{USAGE}");
            Ok(())
        }
        other => bail!("no task is called {other:?}\n{USAGE}"),
    }?;
    Ok(ExitCode::SUCCESS)
}

fn serve_options(args: &[String]) -> Result<serve::Options> {
    let mut options = serve::Options { port: 8080, mode: build::Mode::Dev };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--port" => {
                let port = args.next().context("--port needs a number")?;
                options.port = port.parse().with_context(|| format!("--port {port}"))?;
            }
            "--release" => options.mode = build::Mode::Release,
            other => bail!("cargo xtask serve does not know {other:?}"),
        }
    }
    Ok(options)
}
