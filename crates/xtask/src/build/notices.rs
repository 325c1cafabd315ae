//! The notices of what ships: the licence of every crate that is compiled into the module.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{licences, process, tools, workspace};

/// The file's name in the site.
pub(crate) const FILE: &str = "THIRD-PARTY-NOTICES.txt";

/// Writes the notices file into the site.
pub(super) fn write(dist: &Path) -> Result<()> {
    let root = workspace::root();
    let metadata = process::output(process::cargo().args([
        "metadata",
        "--format-version=1",
        "--filter-platform",
        tools::WASM,
        "--features",
        "berth_ui/split",
    ]))?;
    let metadata: Value = serde_json::from_str(&metadata).context("cargo metadata")?;
    let mut text = String::from("Berth\n\n");
    for own in ["NOTICE", "LICENSE"] {
        let path = root.join(own);
        text.push_str(
            &fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?,
        );
        text.push('\n');
    }
    text.push_str(
        "\nThe module contains the Rust standard library (MIT OR Apache-2.0, the Rust project's contributors)\n\
         and the following crates.\n",
    );
    // Many crates carry the same text to the letter: each text stands once.
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in shipped(&metadata, "berth_ui") {
        let name = format!("{} {}", str_of(&package["name"]), str_of(&package["version"]));
        let licence = str_of(&package["license"]);
        let own = licence_texts(Path::new(str_of(&package["manifest_path"])))?;
        write!(text, "  {name}: {licence}")?;
        if own.is_empty() {
            // The Apache licence stands above already; any other text would be missing.
            if !licences::allows(licence, &["Apache-2.0"]) {
                bail!("{name} ({licence}) brings no licence text, and the notices need it");
            }
            let authors: Vec<&str> = list_of(&package["authors"]).map(str_of).collect();
            write!(text, " (used under Apache-2.0, above; by {})", authors.join(", "))?;
        }
        text.push('\n');
        for licence in own {
            texts.entry(licence).or_default().insert(name.clone());
        }
    }
    for (licence, names) in texts {
        let names: Vec<String> = names.into_iter().collect();
        write!(text, "\n{}\n{}\n\n{}\n", "-".repeat(100), names.join(", "), licence.trim_end())?;
    }
    fs::write(dist.join(FILE), text).context("writing the notices")
}

fn str_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The packages from a registry whose code ends in `package`'s module, by name.
fn shipped<'a>(metadata: &'a Value, package: &str) -> Vec<&'a Value> {
    let list = |value: &'a Value| value.as_array().map(Vec::as_slice).unwrap_or_default();
    let packages: BTreeMap<&str, &Value> = list(&metadata["packages"])
        .iter()
        .map(|package| (str_of(&package["id"]), package))
        .collect();
    let nodes: BTreeMap<&str, &Value> = list(&metadata["resolve"]["nodes"])
        .iter()
        .map(|node| (str_of(&node["id"]), node))
        .collect();
    // A procedural macro runs in the compiler; neither it nor what it depends on ships.
    let is_macro = |package: &Value| {
        list_of(&package["targets"])
            .any(|target| list_of(&target["kind"]).any(|kind| kind == "proc-macro"))
    };
    let mut waiting: Vec<&str> = packages
        .values()
        .filter(|found| found["name"] == package)
        .map(|found| str_of(&found["id"]))
        .collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if packages.get(id).is_none_or(|package| is_macro(package)) || !seen.insert(id) {
            continue;
        }
        let Some(node) = nodes.get(id) else { continue };
        for dependency in list(&node["deps"]) {
            if list_of(&dependency["dep_kinds"]).any(|kind| kind["kind"].is_null()) {
                waiting.push(str_of(&dependency["pkg"]));
            }
        }
    }
    let mut shipped: Vec<&Value> = seen
        .into_iter()
        .filter_map(|id| packages.get(id).copied())
        .filter(|package| !package["source"].is_null())
        .collect();
    shipped.sort_by_key(|package| (str_of(&package["name"]), str_of(&package["version"])));
    shipped
}

fn list_of(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The texts of the licence files that stand beside a manifest.
fn licence_texts(manifest: &Path) -> Result<Vec<String>> {
    let Some(folder) = manifest.parent() else { return Ok(Vec::new()) };
    let mut files: Vec<_> = fs::read_dir(folder)
        .with_context(|| format!("reading {}", folder.display()))?
        .filter_map(std::result::Result::ok)
        .filter(|entry| {
            let name = entry.file_name().to_string_lossy().to_ascii_uppercase();
            ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"]
                .iter()
                .any(|start| name.starts_with(start))
        })
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
        .iter()
        .map(|file| fs::read_to_string(file).with_context(|| format!("reading {}", file.display())))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{shipped, str_of};

    #[test]
    fn only_what_is_compiled_into_the_module_ships() {
        let package = |id: &str, kind: &str, registry: bool| {
            json!({"id": id, "name": id, "version": "1", "targets": [{"kind": [kind]}],
                   "source": if registry { json!("registry") } else { json!(null) }})
        };
        let dep = |id: &str, kind: Option<&str>| json!({"pkg": id, "dep_kinds": [{"kind": kind}]});
        let metadata = json!({
            "packages": [
                package("page", "cdylib", false), package("used", "lib", true), package("deep", "lib", true),
                package("macro", "proc-macro", true), package("syn", "lib", true), package("test", "lib", true),
            ],
            "resolve": {"nodes": [
                {"id": "page", "deps": [dep("used", None), dep("macro", None), dep("test", Some("dev"))]},
                {"id": "used", "deps": [dep("deep", None)]},
                {"id": "macro", "deps": [dep("syn", None)]},
                {"id": "deep", "deps": []}, {"id": "syn", "deps": []}, {"id": "test", "deps": []},
            ]},
        });
        let names: Vec<&str> =
            shipped(&metadata, "page").iter().map(|package| str_of(&package["name"])).collect();
        // The page itself is ours; `macro` and what only it needs stay in the compiler; `test` is for tests.
        assert_eq!(names, ["deep", "used"]);
    }
}
