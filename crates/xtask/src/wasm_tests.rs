//! Tests in wasm, in headless Chromium.

use anyhow::Result;

use crate::process::{self, Tally};
use crate::{build, tools, workspace};

/// The crates whose tests run in the browser.
const PACKAGES: [&str; 2] = ["berth_tests", "berth_ui"];

/// How long one test program may take in the browser, in seconds: the corpus of vectors is one program.
const TIMEOUT_SECONDS: &str = "300";

/// `cargo test --target wasm32-unknown-unknown` of every crate that has tests for the browser.
pub(crate) fn run() -> Result<Tally> {
    tools::wasm_target()?;
    tools::chromium()?;
    let mut command = process::cargo();
    command.args(["test", "--target", tools::WASM, "--no-fail-fast"]);
    for package in PACKAGES {
        command.args(["--package", package]);
    }
    process::run_tests(&mut command)
}

/// Runs one test program: what cargo starts in place of it. `args` are the program and its arguments.
pub(crate) fn runner(args: &[String]) -> Result<()> {
    let chromium = tools::chromium()?;
    let settings = workspace::root().join("tests/web/webdriver.json");
    let mut command = build::module::wasm_tool();
    command
        .arg("test-runner")
        .args(args.iter().filter(|arg| *arg != "--quiet"))
        .env("CHROMEDRIVER", chromium.driver)
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", settings);
    if std::env::var_os("WASM_BINDGEN_TEST_TIMEOUT").is_none() {
        command.env("WASM_BINDGEN_TEST_TIMEOUT", TIMEOUT_SECONDS);
    }
    process::run(&mut command)
}
