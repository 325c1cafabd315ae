//! What no compiler checks: the direction of dependencies, what every file begins with, and what may not be on the
//! page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/xtask is two folders down")
        .to_path_buf()
}

/// The files under `folder` whose names end in one of `endings`, each as its path from the root and its text.
fn files(folder: &str, endings: &[&str]) -> Vec<(String, String)> {
    fn collect(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder)
            .expect("a folder of the workspace")
            .map(|entry| entry.expect("an entry").path())
        {
            let name = entry.file_name().expect("a name").to_string_lossy();
            if entry.is_dir() && name != "target" && name != "node_modules" {
                collect(&entry, endings, found);
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push(entry);
            }
        }
    }
    let mut found = Vec::new();
    collect(&root().join(folder), endings, &mut found);
    found.sort();
    assert!(!found.is_empty(), "{folder} has no {endings:?}");
    found
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("UTF-8");
            (path.strip_prefix(root()).expect("under the root").display().to_string(), text)
        })
        .collect()
}

/// The lines that are no comments, numbered from one.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

#[test]
fn crates_depend_in_one_direction() {
    // What each crate may use of the others: ui → wire → core, cli → wire → core; xtask stands alone.
    let allowed: [(&str, &[&str]); 5] = [
        ("crates/berth_core", &[]),
        ("crates/berth_wire", &["berth_core"]),
        ("crates/berth_ui", &["berth_core", "berth_wire"]),
        ("crates/berth_cli", &["berth_core", "berth_wire"]),
        ("crates/xtask", &[]),
    ];
    for (folder, allowed) in allowed {
        let manifest =
            fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("a manifest");
        let manifest: toml::Table = manifest.parse().expect("TOML");
        let used: BTreeSet<&str> = manifest
            .get("dependencies")
            .and_then(toml::Value::as_table)
            .into_iter()
            .flat_map(toml::Table::keys)
            .map(String::as_str)
            .filter(|name| name.starts_with("berth_"))
            .collect();
        let extra: Vec<_> = used.iter().filter(|name| !allowed.contains(name)).collect();
        assert!(extra.is_empty(), "{folder} must not depend on {extra:?}");
    }
}

#[test]
fn every_crate_is_among_those_whose_dependencies_are_checked() {
    let found: BTreeSet<String> = fs::read_dir(root().join("crates"))
        .expect("crates/")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    let known = ["berth_core", "berth_wire", "berth_ui", "berth_cli", "xtask"].map(str::to_owned);
    assert_eq!(found, BTreeSet::from(known), "add the new crate to crates_depend_in_one_direction");
}

#[test]
fn the_engine_has_no_standard_library_and_no_serde() {
    let lib = fs::read_to_string(root().join("crates/berth_core/src/lib.rs")).expect("berth_core");
    assert!(lib.contains("#![no_std]"));
    let manifest =
        fs::read_to_string(root().join("crates/berth_core/Cargo.toml")).expect("a manifest");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let dependencies =
        manifest.get("dependencies").and_then(toml::Value::as_table).expect("dependencies");
    assert_eq!(dependencies.keys().collect::<Vec<_>>(), ["libm"]);
}

#[test]
fn every_module_says_what_it_is() {
    let mut silent = Vec::new();
    for (path, text) in files("crates", &[".rs"]).into_iter().chain(files("tests", &[".rs"])) {
        if !text.starts_with("//!") {
            silent.push(path);
        }
    }
    assert!(silent.is_empty(), "these do not begin with //!: {silent:#?}");
}

#[test]
fn the_page_has_no_inline_style_and_no_markup_from_text() {
    let forbidden =
        ["style=", "<style", "from_html_unchecked", "inner_html", "outer_html", "eval("];
    let mut found = Vec::new();
    for (path, text) in files("crates/berth_ui", &[".rs"]) {
        for (number, line) in code(&text) {
            for word in forbidden.iter().filter(|word| line.contains(**word)) {
                found.push(format!("{path}:{number}: {word}"));
            }
        }
    }
    assert!(found.is_empty(), "a strict Content-Security-Policy refuses these: {found:#?}");
}

#[test]
fn index_html_has_no_inline_script_or_style() {
    let page = fs::read_to_string(root().join("index.html")).expect("index.html");
    assert!(page.contains("http-equiv=\"Content-Security-Policy\" content=\"{{csp}}\""));
    for script in page.split("<script").skip(1) {
        let (tag, rest) = script.split_once('>').expect("a whole tag");
        assert!(tag.contains(" src=\""), "a script without src: <script{tag}>");
        assert!(rest.starts_with("</script>"), "a script with content: <script{tag}>");
    }
    for forbidden in [
        "<style",
        " style=",
        " onload=",
        " onclick=",
        " onerror=",
        "javascript:",
        "http://",
        "https://",
    ] {
        assert!(!page.contains(forbidden), "index.html has {forbidden}");
    }
}

#[test]
fn nothing_is_switched_off_or_left_for_later() {
    // Put together here, so that this file does not find itself.
    let words = [
        ["#[ig", "nore"].concat(),
        ["TO", "DO"].concat(),
        ["FIX", "ME"].concat(),
        ["test.sk", "ip("].concat(),
    ];
    let mut found = Vec::new();
    for (path, text) in
        files("crates", &[".rs"]).into_iter().chain(files("tests", &[".rs", ".mjs"]))
    {
        for (index, line) in text.lines().enumerate() {
            for word in words.iter().filter(|word| line.contains(word.as_str())) {
                found.push(format!("{path}:{}: {word}", index + 1));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
