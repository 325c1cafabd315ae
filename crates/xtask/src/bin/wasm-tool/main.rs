//! What needs the libraries of wasm's tools: cutting a module into parts, binding it, ordering its functions, and running
//! wasm tests in a browser.
//!
//! `xtask` starts this program; it is a program of its own so that every other task compiles in seconds.

mod order;

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut args = std::env::args_os();
    let program = args.next().unwrap_or_default();
    let task = args.next().unwrap_or_default();
    let rest: Vec<OsString> = args.collect();
    match task.to_str() {
        Some("bind") => match rest.as_slice() {
            [input, out_dir, mode] => bind(input.as_ref(), out_dir.as_ref(), mode == "dev"),
            _ => bail!("usage: wasm-tool bind INPUT.wasm OUT_DIR dev|release"),
        },
        Some("split") => match rest.as_slice() {
            [input, out_dir] => split(input.as_ref(), out_dir.as_ref()),
            _ => bail!("usage: wasm-tool split INPUT.wasm OUT_DIR"),
        },
        Some("order") => rest.iter().try_for_each(|module| order(module.as_ref())),
        Some("test-runner") => wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(
            std::iter::once(program).chain(rest),
        ),
        _ => bail!("usage: wasm-tool split|bind|order|test-runner …"),
    }
}

/// Writes `main.wasm`, a module for each part that is fetched later, and `parts.js`, which fetches them.
fn split(input: &Path, out_dir: &Path) -> Result<()> {
    let module = std::fs::read(input).with_context(|| format!("reading {}", input.display()))?;
    let main = out_dir.join("main.wasm");
    let mut options = wasm_split_cli_support::Options::new(&module);
    options.output_dir = out_dir;
    options.main_out_path = &main;
    options.link_name = "./parts.js";
    options.main_module = "./berth.js";
    let split = wasm_split_cli_support::transform(options)
        .map_err(|error| anyhow::anyhow!("splitting {}: {error:#}", input.display()))?;
    if split.split_modules.is_empty() {
        bail!("{} has no part that could be fetched later", input.display());
    }
    Ok(())
}

/// Puts the functions of a module into an order that compresses well.
fn order(module: &Path) -> Result<()> {
    let bytes = std::fs::read(module).with_context(|| format!("reading {}", module.display()))?;
    let ordered = order::order(&bytes).with_context(|| format!("{}", module.display()))?;
    std::fs::write(module, ordered).with_context(|| format!("writing {}", module.display()))
}

/// Writes `berth.js` and `berth_bg.wasm` to `out_dir`. `dev` keeps function names for readable stack traces.
fn bind(input: &Path, out_dir: &Path, dev: bool) -> Result<()> {
    let mut output = Bindgen::new()
        .input_path(input)
        .out_name("berth")
        .web(true)?
        .typescript(false)
        // The bootstrap names the module: its own name carries a hash that the glue cannot know.
        .omit_default_module_path(true)
        // The parts that come later put their functions into the module's own table.
        .keep_lld_exports(true)
        .debug(dev)
        .remove_name_section(!dev)
        .remove_producers_section(!dev)
        .generate_output()
        .with_context(|| format!("binding {}", input.display()))?;
    // A browser has no module called `env`: such an import means that something in the tree expected an
    // operating system, and the page would fail to start.
    let foreign: Vec<&str> = output
        .wasm()
        .imports
        .iter()
        .filter(|import| import.module == "env")
        .map(|import| import.name.as_str())
        .collect();
    if !foreign.is_empty() {
        bail!(
            "the module imports from `env`, which no browser has: {}\n\
             Something in the dependencies of berth_ui calls the system (a clock, a random number, C code).",
            foreign.join(", ")
        );
    }
    output.emit(out_dir).with_context(|| format!("writing to {}", out_dir.display()))
}
