//! `cargo xtask build`: the static site.
//!
//! Every file but `index.html` and the notices has a hash of its content in its name, so it may be cached for
//! ever, and every reference is relative, so the folder works under any path.

pub(crate) mod module;
mod notices;
mod site_files;

pub(crate) use site_files::CONTENT_SECURITY_POLICY;

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::tools;

/// How the page is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Fast to compile, with checks and names.
    Dev,
    /// Small and fast to run.
    Release,
}

/// Builds the site into `dist`, replacing what is there. On an error what is there stays.
pub(crate) fn site(mode: Mode, dist: &Path) -> Result<()> {
    let start = Instant::now();
    tools::wasm_target()?;
    let bound = module::build(mode)?;
    let staging = dist.with_extension("new");
    if staging.exists() {
        fs::remove_dir_all(&staging).with_context(|| format!("removing {}", staging.display()))?;
    }
    fs::create_dir_all(&staging).with_context(|| format!("creating {}", staging.display()))?;
    site_files::write(&bound, &staging)?;
    notices::write(&staging)?;
    if dist.exists() {
        fs::remove_dir_all(dist).with_context(|| format!("removing {}", dist.display()))?;
    }
    fs::rename(&staging, dist).with_context(|| format!("moving the site to {}", dist.display()))?;
    println!("Built the site in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
