//! Starting other programs, and counting what their tests say.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};

/// How many tests passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    /// How many of those that passed did so when they were tried again.
    pub(crate) again: u64,
}

impl Tally {
    /// One check that has no tests of its own.
    pub(crate) const ONE_PASSED: Self = Self { passed: 1, failed: 0, again: 0 };
    /// One check that failed.
    pub(crate) const ONE_FAILED: Self = Self { passed: 0, failed: 1, again: 0 };

    /// An error when anything failed.
    pub(crate) fn into_result(self) -> Result<()> {
        if self.failed > 0 {
            bail!("{} failed", self.failed);
        }
        Ok(())
    }

    /// Adds what one line of a test program's output reports, if it is a summary line.
    fn read(&mut self, line: &str) {
        if let Some(rest) = line.trim_start().strip_prefix("test result:") {
            // libtest and wasm-bindgen-test: `test result: ok. 3 passed; 0 failed; …`
            self.passed += number_before(rest, " passed");
            self.failed += number_before(rest, " failed");
        } else if let Some(count) = line.strip_prefix("ℹ pass ") {
            // node --test
            self.passed += count.trim().parse().unwrap_or(0);
        } else if let Some(count) = line.strip_prefix("ℹ fail ") {
            self.failed += count.trim().parse().unwrap_or(0);
        }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.again += other.again;
    }
}

/// The number that stands right before `word` in `text`; 0 where there is none.
fn number_before(text: &str, word: &str) -> u64 {
    text.split(word)
        .next()
        .filter(|head| head.len() < text.len())
        .and_then(|head| head.split(|c: char| !c.is_ascii_digit()).next_back())
        .and_then(|digits| digits.parse().ok())
        .unwrap_or(0)
}

/// The cargo that started us.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(crate::workspace::root());
    // Set for our own package by the cargo that runs us; a child must find its own.
    command.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_PKG_NAME");
    command
}

/// Runs a program with its output on ours; an error when it cannot start or fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let name = describe(command);
    let status = command.status().with_context(|| format!("cannot start `{name}`"))?;
    if !status.success() {
        bail!("`{name}` failed ({status})");
    }
    Ok(())
}

/// Runs a program and returns its standard output.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let name = describe(command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start `{name}`"))?;
    if !output.status.success() {
        bail!("`{name}` failed ({})", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{name}` did not print UTF-8"))
}

/// Runs a test program, passing its output on as it comes and counting the tests it reports.
///
/// A program that fails without reporting a failed test counts as one failure.
pub(crate) fn run_tests(command: &mut Command) -> Result<Tally> {
    run_tests_reading(command, |_| ())
}

/// The same, handing each line to `read` as well.
pub(crate) fn run_tests_reading(
    command: &mut Command,
    mut read: impl FnMut(&str) + Send + 'static,
) -> Result<Tally> {
    let name = describe(command);
    let mut child =
        command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot start `{name}`"))?;
    let stdout = child.stdout.take().context("no standard output")?;
    let reader = thread::spawn(move || {
        let mut tally = Tally::default();
        let mut out = std::io::stdout();
        for line in BufReader::new(stdout).split(b'\n').map_while(std::result::Result::ok) {
            let line = String::from_utf8_lossy(&line);
            tally.read(&line);
            read(&line);
            // Nobody to tell when our own standard output is gone.
            let _ = writeln!(out, "{line}");
        }
        tally
    });
    let status = child.wait().with_context(|| format!("`{name}`"))?;
    let Ok(mut tally) = reader.join() else { bail!("reading the output of `{name}`") };
    if !status.success() && tally.failed == 0 {
        tally += Tally::ONE_FAILED;
    }
    Ok(tally)
}

fn describe(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|part| part.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn counts_what_test_programs_report() {
        let mut tally = Tally::default();
        for line in [
            "running 12 tests",
            "test a ... ok",
            "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.01s",
            "test result: FAILED. 10 passed; 2 failed; 0 ignored",
            "ℹ tests 5",
            "ℹ pass 4",
            "ℹ fail 1",
            "no tests to run!",
        ] {
            tally.read(line);
        }
        // 12 + 10 + 4 and 0 + 2 + 1
        assert_eq!(tally, Tally { passed: 26, failed: 3, again: 0 });
    }
}
