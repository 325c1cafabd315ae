//! Runs the command.

use std::path::Path;
use std::process::{Command, Output};

/// What `berth` does with these arguments, in a folder of this crate.
pub(crate) fn run(folder: &str, command: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_berth"))
        .arg(command)
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
        .env("COLUMNS", "100")
        .output()
        .expect("berth can be run")
}

/// Checks a report, and that nothing else is said.
#[track_caller]
pub(crate) fn check(output: &Output, code: i32, report: &str) {
    assert_eq!(String::from_utf8_lossy(&output.stdout), report);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(code));
}

/// Checks that input was refused, and the first words of why.
#[track_caller]
pub(crate) fn refused(output: &Output, beginning: &str) {
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.starts_with(beginning), "{told}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert_eq!(output.status.code(), Some(2));
}
