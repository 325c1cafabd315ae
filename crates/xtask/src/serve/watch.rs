//! Whether the sources changed, by looking at them: no library, every platform, a few hundred files.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// How many source files there are, and when the newest was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint {
    files: u64,
    bytes: u64,
    newest: Option<SystemTime>,
}

impl Fingerprint {
    /// What the page is built from, as it is now.
    pub(super) fn take(root: &Path) -> Self {
        let mut found = Self { files: 0, bytes: 0, newest: None };
        for source in [
            "crates/berth_core",
            "crates/berth_wire",
            "crates/berth_ui",
            "web",
            "index.html",
            "Cargo.toml",
        ] {
            found.add(&root.join(source));
        }
        found
    }

    // What cannot be read (a file removed while we look) is left out: the next look sees it.
    fn add(&mut self, path: &Path) {
        let Ok(metadata) = fs::metadata(path) else { return };
        if metadata.is_dir() {
            if path.file_name().is_some_and(|name| name == "node_modules") {
                return;
            }
            for entry in fs::read_dir(path).into_iter().flatten().filter_map(Result::ok) {
                self.add(&entry.path());
            }
            return;
        }
        self.files += 1;
        self.bytes += metadata.len();
        self.newest = self.newest.max(metadata.modified().ok());
    }
}

#[cfg(test)]
mod tests {
    use super::Fingerprint;

    #[test]
    fn sees_a_file_change_come_and_go() -> std::io::Result<()> {
        let root = std::env::temp_dir().join(format!("xtask-watch-{}", std::process::id()));
        let web = root.join("web");
        std::fs::create_dir_all(web.join("node_modules"))?;
        let empty = Fingerprint::take(&root);
        std::fs::write(web.join("a.css"), "a")?;
        let one = Fingerprint::take(&root);
        std::fs::write(web.join("a.css"), "ab")?;
        let longer = Fingerprint::take(&root);
        std::fs::write(web.join("node_modules/tool.js"), "x")?;
        let with_tool = Fingerprint::take(&root);
        std::fs::remove_file(web.join("a.css"))?;
        let gone = Fingerprint::take(&root);
        std::fs::remove_dir_all(&root)?;
        assert_ne!(empty, one);
        assert_ne!(one, longer);
        assert_eq!(longer, with_tool);
        assert_eq!(empty, gone);
        Ok(())
    }
}
