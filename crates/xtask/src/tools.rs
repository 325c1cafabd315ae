//! The programs that the tasks need, found, installed where that is possible, and named where it is not.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::process;
use crate::workspace;

/// The target that the page is compiled for.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// Makes sure that rustc can compile for wasm.
pub(crate) fn wasm_target() -> Result<()> {
    let libdir = process::output(Command::new("rustc").args([
        "--print",
        "target-libdir",
        "--target",
        WASM,
    ]))?;
    if Path::new(libdir.trim()).is_dir() {
        return Ok(());
    }
    println!("Installing the target {WASM}");
    process::run(Command::new("rustup").args(["target", "add", WASM])).with_context(|| {
        format!("install the Rust target {WASM}: `rustup target add {WASM}`, or your distribution's package of it")
    })
}

/// Where a program is, searching `PATH`.
pub(crate) fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find_map(|folder| {
        names
            .iter()
            .map(|name| folder.join(name).with_extension(std::env::consts::EXE_EXTENSION))
            .find(|candidate| candidate.is_file())
    })
}

/// A browser and its driver.
pub(crate) struct Chromium {
    pub(crate) browser: PathBuf,
    pub(crate) driver: PathBuf,
}

/// Chromium and chromedriver: from `CHROME` and `CHROMEDRIVER`, from `PATH`, or installed.
pub(crate) fn chromium() -> Result<Chromium> {
    let look = || {
        let browser = std::env::var_os("CHROME").map(PathBuf::from).or_else(|| {
            find(&[
                "chromium",
                "chromium-browser",
                "google-chrome",
                "google-chrome-stable",
                "chrome",
            ])
        });
        let driver = std::env::var_os("CHROMEDRIVER")
            .map(PathBuf::from)
            .or_else(|| find(&["chromedriver", "chromium.chromedriver"]));
        Some(Chromium { browser: browser?, driver: driver? })
    };
    if let Some(found) = look() {
        return Ok(found);
    }
    apt_install(&["chromium", "chromium-driver"])?;
    look().context(
        "Chromium and chromedriver are needed. Install both (Debian: `apt-get install chromium chromium-driver`; \
         elsewhere Chrome, and the chromedriver of the same major version), \
         or say where they are in CHROME and CHROMEDRIVER",
    )
}

/// `node` and `npm`, installed when missing.
fn node() -> Result<()> {
    if find(&["node"]).is_none() || find(&["npm"]).is_none() {
        apt_install(&["nodejs", "npm"])?;
    }
    if find(&["node"]).is_none() || find(&["npm"]).is_none() {
        bail!("Node.js 20 or later with npm is needed: install it and run this again");
    }
    Ok(())
}

/// The packages of `web/package-lock.json` (wasm-opt, axe-core, playwright-core), installed when missing.
pub(crate) fn npm_packages() -> Result<()> {
    node()?;
    let web = workspace::web();
    let wanted = std::fs::read(web.join("package-lock.json")).context("web/package-lock.json")?;
    // A copy of the lock as it was when the packages were installed: reinstall exactly when it changed.
    let installed = web.join("node_modules/.installed-lock.json");
    if std::fs::read(&installed).is_ok_and(|lock| lock == wanted) {
        return Ok(());
    }
    println!("Installing the npm packages of web/package-lock.json");
    process::run(
        Command::new(npm())
            .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"])
            .current_dir(&web),
    )
    .context("the npm packages are needed: run `npm ci` in web/")?;
    std::fs::write(&installed, wanted).with_context(|| format!("writing {}", installed.display()))
}

fn npm() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}

/// The version of cargo-deny that is installed where there is none.
const CARGO_DENY: &str = "cargo-deny@0.20.2";

/// cargo-deny: from `PATH`, or installed into the target folder.
pub(crate) fn cargo_deny() -> Result<PathBuf> {
    let tools = workspace::target().join("tools");
    let own = tools.join("bin/cargo-deny").with_extension(std::env::consts::EXE_EXTENSION);
    if let Some(found) = find(&["cargo-deny"]).or_else(|| own.is_file().then(|| own.clone())) {
        return Ok(found);
    }
    println!("Installing {CARGO_DENY} into {} (minutes, once)", tools.display());
    // Unoptimised: it is compiled once and runs for a second. A registry that lags behind may lack a version that
    // its lock file names, so the second attempt resolves anew.
    let install = |locked: &[&str]| {
        process::run(
            process::cargo()
                .args([
                    "install",
                    CARGO_DENY,
                    "--debug",
                    "--no-default-features",
                    "--quiet",
                    "--root",
                ])
                .arg(&tools)
                .arg("--target-dir")
                .arg(tools.join("target"))
                .args(locked),
        )
    };
    install(&["--locked"]).or_else(|_| install(&[]))?;
    // Only the program is wanted, not the gigabyte it was made from.
    std::fs::remove_dir_all(tools.join("target"))
        .context("removing what cargo-deny was built from")?;
    Ok(own)
}

/// Installs Debian packages when this is Debian (or its kin) and we are root; elsewhere does nothing, and the
/// caller says what is missing.
fn apt_install(packages: &[&str]) -> Result<()> {
    let root = Command::new("id")
        .arg("-u")
        .stderr(Stdio::null())
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    if !root || !Path::new("/etc/debian_version").exists() || find(&["apt-get"]).is_none() {
        return Ok(());
    }
    println!("Installing {}", packages.join(" "));
    process::run(Command::new("apt-get").args(["update", "-q"]))?;
    process::run(
        Command::new("apt-get")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .args(["install", "-q", "-y"])
            .args(packages),
    )
}
