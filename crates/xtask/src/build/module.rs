//! The wasm module and its glue: compile, split, bind, optimise.
//!
//! The module that ships is cut where `berth_ui::files` says so: what only that part needs becomes a module of its own,
//! fetched when it is first needed. Development builds stay whole.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::Mode;
use crate::{process, tools, workspace};

/// The script that fetches the parts, and the name it has until it carries a hash.
pub(super) const PARTS: &str = "parts.js";

/// Modules up to this many bytes are left as they are: there are many, starting `wasm-opt` for each takes longer than
/// all else, and there is nothing to gain.
const SMALL: u64 = 8 << 10;

/// The folder with `berth.js`, `berth_bg.wasm` and, when a dependency has any, `snippets/`; in a release also `parts.js`
/// and the modules that it fetches.
pub(super) fn build(mode: Mode) -> Result<PathBuf> {
    println!("Compiling the page");
    let bound = workspace::target().join("bound").join(profile(mode).1);
    let what = ["--package", "berth_ui", "--lib"];
    if mode == Mode::Dev {
        bind(mode, &compile(mode, &what)?.join("berth_ui.wasm"), &bound)?;
        return Ok(bound);
    }
    let module = compile_with_relocations(&what)?.join("berth_ui.wasm");
    println!("Splitting the module");
    let split = workspace::target().join("split");
    renew(&split)?;
    process::run(wasm_tool().arg("split").arg(module).arg(&split))?;
    bind(mode, &split.join("main.wasm"), &bound)?;
    copy(&split.join(PARTS), &bound.join(PARTS))?;
    let mut modules = vec![bound.join("berth_bg.wasm")];
    for part in parts(&split)? {
        let target = bound.join(&part);
        copy(&split.join(&part), &target)?;
        if fs::metadata(&target)?.len() > SMALL {
            optimise(&target)?;
        }
        modules.push(target);
    }
    println!("Ordering the functions");
    process::run(wasm_tool().arg("order").args(modules))?;
    Ok(bound)
}

/// The names of the modules in a folder that are fetched later.
pub(super) fn parts(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_module = path.extension().is_some_and(|extension| extension == "wasm");
        if is_module && !["main.wasm", "berth_bg.wasm"].contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
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

/// The same for the module that ships, in parts, with what splitting it needs: where each function and each datum is
/// referred to, and names.
fn compile_with_relocations(what: &[&str]) -> Result<PathBuf> {
    let (profile, folder) = profile(Mode::Release);
    process::run(
        process::cargo()
            .args(["rustc", "--target", tools::WASM, "--profile", profile])
            .args(what)
            .args(["--features", "split", "--crate-type", "cdylib"])
            .args(["--config", "profile.web.strip=false"])
            .args(["--config", &without_paths()?])
            .args(["--", "-Clink-arg=--emit-relocs"]),
    )?;
    Ok(workspace::target().join(tools::WASM).join(folder))
}

/// The setting that replaces the paths which messages of panics name: nobody should learn from the page on what machine
/// it was built, and every machine should build the same bytes.
fn without_paths() -> Result<String> {
    let home = std::env::var_os("CARGO_HOME").map_or_else(
        || std::env::home_dir().map(|home| home.join(".cargo")),
        |home| Some(PathBuf::from(home)),
    );
    let registry = home.context("where cargo keeps its registry")?.join("registry/src");
    let version = process::output(Command::new("rustc").arg("-vV"))?;
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: "));
    let sysroot = process::output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let flags = [
        format!("--remap-path-prefix={}=dependencies", registry.display()),
        // Where the standard library's sources are installed, rustc names them instead of what it was built from.
        format!(
            "--remap-path-prefix={}/lib/rustlib/src/rust=/rustc/{}",
            sysroot.trim(),
            commit.unwrap_or_default()
        ),
    ];
    Ok(format!("target.{}.rustflags={}", tools::WASM, serde_json::Value::from(flags.to_vec())))
}

/// Writes a module's glue and the module as it ships to the folder `bound`, replacing what is there.
pub(crate) fn bind(mode: Mode, module: &Path, bound: &Path) -> Result<()> {
    println!("Binding the module");
    renew(bound)?;
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

/// Makes an empty folder, whatever was there.
fn renew(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to)
        .map(|_| ())
        .with_context(|| format!("copying {} to {}", from.display(), to.display()))
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
            // Chosen by the compressed size. `-O2` at once, `-Os` and `-Oz` make a smaller module whose brotli is a tenth
            // larger, because what was alike no longer is; after `-O1` it helps, and so does what makes code more alike.
            .args(["-O1", "-O2", "--shrink-level", "1", "--dealign", "--merge-locals"])
            .args(["--strip-debug", "--strip-producers"])
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
