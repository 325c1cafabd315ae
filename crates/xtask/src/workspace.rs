//! Where things are in the workspace.

use std::path::{Path, PathBuf};

/// The workspace's root folder.
pub(crate) fn root() -> PathBuf {
    // Cargo sets the variable for whatever it runs; the compiled-in value serves a program started by hand.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest.ancestors().nth(2).map_or(manifest.clone(), Path::to_path_buf)
}

/// The finished static site.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// Cargo's target folder.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// The folder with the npm packages' manifest.
pub(crate) fn web() -> PathBuf {
    root().join("web")
}
