//! The wasm module and its glue: compile, bind, optimise.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::Mode;
use crate::{process, tools, workspace};

/// The folder with `berth.js`, `berth_bg.wasm` and, when a dependency has any, `snippets/`.
pub(super) fn build(mode: Mode) -> Result<PathBuf> {
    println!("Compiling the page");
    let module = compile(mode, &["--package", "berth_ui", "--lib"])?.join("berth_ui.wasm");
    let bound = workspace::target().join("bound").join(profile(mode).1);
    bind(mode, &module, &bound)?;
    Ok(bound)
}

/// The name of the profile, and of the folder that cargo makes for it.
fn profile(mode: Mode) -> (&'static str, &'static str) {
    match mode {
        Mode::Dev => ("dev", "debug"),
        Mode::Release => ("web", "web"),
    }
}

/// Compiles what `what` names as the page is compiled; returns the folder that it is in.
pub(crate) fn compile(mode: Mode, what: &[&str]) -> Result<PathBuf> {
    let (profile, folder) = profile(mode);
    process::run(
        process::cargo().args(["build", "--target", tools::WASM, "--profile", profile]).args(what),
    )?;
    Ok(workspace::target().join(tools::WASM).join(folder))
}

/// Writes a module's glue and the module as it ships to the folder `bound`, replacing what is there.
pub(crate) fn bind(mode: Mode, module: &Path, bound: &Path) -> Result<()> {
    println!("Binding the module");
    if bound.exists() {
        fs::remove_dir_all(bound).with_context(|| format!("removing {}", bound.display()))?;
    }
    process::run(wasm_tool().arg("bind").arg(module).arg(bound).arg(if mode == Mode::Dev {
        "dev"
    } else {
        "release"
    }))?;
    if mode == Mode::Release {
        optimise(&bound.join("berth_bg.wasm"))?;
    }
    Ok(())
}

/// The program of `bin/wasm-tool.rs`, compiled when need be.
pub(crate) fn wasm_tool() -> Command {
    let mut command = process::cargo();
    command.args([
        "run",
        "--quiet",
        "--package",
        "xtask",
        "--features",
        "wasm-tool",
        "--bin",
        "wasm-tool",
        "--",
    ]);
    command
}

/// Runs `wasm-opt` over the module, when it can be had.
fn optimise(module: &Path) -> Result<()> {
    if let Err(error) = tools::npm_packages() {
        println!("The module is not optimised: wasm-opt cannot be had ({error:#})");
        return Ok(());
    }
    println!("Optimising the module");
    let optimised = module.with_extension("optimised");
    process::run(
        Command::new("node")
            .arg(workspace::web().join("node_modules/binaryen/bin/wasm-opt"))
            // Chosen by the compressed size: from `-O2` on, and with `-Os` and `-Oz`, the module gets smaller and its
            // brotli a tenth larger, because what was alike no longer is.
            .arg("-O1")
            // Exactly what the compiler may have used. With `--all-features` wasm-opt writes encodings that
            // browsers do not read yet.
            .args(target_features()?)
            .arg(module)
            .arg("-o")
            .arg(&optimised),
    )?;
    fs::rename(&optimised, module).with_context(|| format!("replacing {}", module.display()))
}

/// The features that rustc turns on for the target, as wasm-opt's flags.
fn target_features() -> Result<Vec<String>> {
    let cfg =
        process::output(Command::new("rustc").args(["--print", "cfg", "--target", tools::WASM]))?;
    Ok(features_as_flags(&cfg))
}

fn features_as_flags(cfg: &str) -> Vec<String> {
    cfg.lines()
        .filter_map(|line| line.strip_prefix("target_feature=\"")?.strip_suffix('"'))
        .map(|feature| match feature {
            // The one name that differs between LLVM and Binaryen.
            "nontrapping-fptoint" => "--enable-nontrapping-float-to-int".to_owned(),
            same => format!("--enable-{same}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::features_as_flags;

    #[test]
    fn features_are_named_one_by_one() {
        let cfg = "panic=\"unwind\"\ntarget_feature=\"bulk-memory\"\ntarget_feature=\"nontrapping-fptoint\"\n";
        assert_eq!(
            features_as_flags(cfg),
            ["--enable-bulk-memory", "--enable-nontrapping-float-to-int"]
        );
    }
}
