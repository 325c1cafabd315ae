//! The site's own files: page, bootstrap, styles, icon.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use super::module;
use crate::workspace;

/// What the page may load. No inline script, no inline style, nothing from elsewhere.
pub(crate) const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
     style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'";

/// Writes the whole site but the notices. `bound` is what wasm-bindgen wrote.
pub(super) fn write(bound: &Path, dist: &Path) -> Result<()> {
    let root = workspace::root();
    let web = workspace::web();
    let wasm = hashed(dist, "berth", "wasm", &read(&bound.join("berth_bg.wasm"))?)?;
    let glue = glue(bound, dist)?;
    let css = hashed(dist, "berth", "css", styles(&web.join("styles"))?.as_bytes())?;
    let icon = hashed(dist, "icon", "svg", &read(&web.join("icon.svg"))?)?;
    lessons(&web.join("lessons"), "lesson", dist)?;
    let boot = fill(&text(&web.join("boot.js"))?, &[("glue", &glue), ("wasm", &wasm)])?;
    let boot = hashed(dist, "boot", "js", boot.as_bytes())?;
    // The glue names its snippets itself, and their folder carries a hash already.
    copy_folder(&bound.join("snippets"), &dist.join("snippets"))?;
    let page = fill(
        &text(&root.join("index.html"))?,
        &[
            ("csp", CONTENT_SECURITY_POLICY),
            ("css", &css),
            ("icon", &icon),
            ("glue", &glue),
            ("boot", &boot),
        ],
    )?;
    put(&dist.join("index.html"), page.as_bytes())
}

/// The glue and, where the module has parts, what fetches them. Returns the glue's name.
fn glue(bound: &Path, dist: &Path) -> Result<String> {
    const GLUE: &str = "berth.js";
    let glue = text(&bound.join(GLUE))?;
    let script = bound.join(module::PARTS);
    if !script.exists() {
        return hashed(dist, "berth", "js", glue.as_bytes());
    }
    let mut script = bare(&text(&script)?);
    for part in module::parts(bound)? {
        let stem = part.trim_start_matches("split_").trim_end_matches(".wasm");
        let name = hashed(dist, stem, "wasm", &read(&bound.join(&part))?)?;
        script = script.replace(&part, &name);
    }
    // Each of the two names the other, so they share a hash of what both say before they do.
    let hash = hash(&[glue.as_bytes(), script.as_bytes()].concat())?;
    let (glue_name, parts_name) = (format!("berth-{hash}.js"), format!("parts-{hash}.js"));
    // The module knows the script by the name that it was bound with: only where it is fetched from changes.
    let own = |name: &str| format!("from \"./{name}\"");
    put(&dist.join(&parts_name), script.replace(&own(GLUE), &own(&glue_name)).as_bytes())?;
    put(&dist.join(&glue_name), glue.replace(&own(module::PARTS), &own(&parts_name)).as_bytes())?;
    Ok(glue_name)
}

/// The script without the lines that only say which part is for what: a third of what it weighs.
fn bare(script: &str) -> String {
    let is_comment = |line: &str| line.starts_with("/*") && line.ends_with("*/");
    script.lines().filter(|line| !is_comment(line.trim())).flat_map(|line| [line, "\n"]).collect()
}

/// All style sheets, in the order of their names, without comments and indentation.
fn styles(folder: &Path) -> Result<String> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .with_context(|| format!("reading {}", folder.display()))?
        .collect::<std::io::Result<Vec<_>>>()?
        .into_iter()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "css"))
        .collect();
    files.sort();
    let mut all = String::new();
    for file in files {
        all.push_str(&text(&file)?);
        all.push('\n');
    }
    Ok(tightened(&all))
}

/// A style sheet without comments, indentation and empty lines. No string of ours holds what opens a comment.
fn tightened(css: &str) -> String {
    let mut bare = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, comment)) = rest.split_once("/*") {
        bare.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    bare.push_str(rest);
    let mut tight = String::with_capacity(bare.len());
    for line in bare.lines().map(str::trim).filter(|line| !line.is_empty()) {
        tight.push_str(line);
        tight.push('\n');
    }
    tight
}

/// Replaces every `{{name}}`. A placeholder without a value is an error.
fn fill(template: &str, values: &[(&str, &str)]) -> Result<String> {
    let mut filled = template.to_owned();
    for (name, value) in values {
        filled = filled.replace(&format!("{{{{{name}}}}}"), value);
    }
    if let Some((_, rest)) = filled.split_once("{{") {
        bail!(
            "nothing fills the placeholder {{{{{}}}}}",
            rest.split("}}").next().unwrap_or_default()
        );
    }
    Ok(filled)
}

/// Writes a file whose name carries the hash of its content; returns the name.
fn hashed(dist: &Path, stem: &str, extension: &str, content: &[u8]) -> Result<String> {
    let name = format!("{stem}-{}.{extension}", hash(content)?);
    put(&dist.join(&name), content)?;
    Ok(name)
}

/// Writes each lesson, and what it says in other languages: a file each, by the name that `lessons/texts.rs` of the page
/// works out of the same text.
fn lessons(folder: &Path, stem: &str, dist: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let stem = format!("{stem}-{name}");
        if path.is_dir() {
            lessons(&path, &stem, dist)?;
        } else {
            let content = read(&path)?;
            put(&dist.join(format!("{stem}-{:08x}.yaml", fnv(&content))), &content)?;
        }
    }
    Ok(())
}

/// FNV-1a in 32 bits: what the page, too, can work out when it is compiled.
fn fnv(content: &[u8]) -> u32 {
    let step = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    content.iter().fold(0x811c_9dc5, step)
}

/// As much of a content's hash as a name carries: there are hundreds of names, and nothing in them can be compressed.
fn hash(content: &[u8]) -> Result<String> {
    let mut hash = String::new();
    for byte in Sha256::digest(content).iter().take(4) {
        write!(hash, "{byte:02x}")?;
    }
    Ok(hash)
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    if !from.exists() {
        return Ok(());
    }
    fs::create_dir_all(to).with_context(|| format!("creating {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("reading {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            put(&target, &read(&entry.path())?)?;
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("reading {}", path.display()))
}

fn text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}

fn put(path: &Path, content: &[u8]) -> Result<()> {
    fs::write(path, content).with_context(|| format!("writing {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{bare, fill, fnv, tightened};

    #[test]
    fn lessons_are_named_as_the_page_names_them() {
        // Test vectors of FNV-1a; `lessons/texts.rs` is held against the same.
        let hashes = ["", "a", "foobar"].map(|text| fnv(text.as_bytes()));
        assert_eq!(hashes, [0x811c_9dc5, 0xe40c_292c, 0xbf9c_f968]);
    }

    #[test]
    fn the_script_keeps_its_code() {
        let script = "const a = 1; /* kept */\n/* advice, time */\n  /* why */\nload(a);\n";
        assert_eq!(bare(script), "const a = 1; /* kept */\nload(a);\n");
    }

    #[test]
    fn styles_keep_their_rules_and_lose_their_comments() {
        let css = "/* one\n   two */\n.a {\n  color: red; /* why */\n\n}\n/* open";
        assert_eq!(tightened(css), ".a {\ncolor: red;\n}\n");
    }

    #[test]
    fn fills_every_placeholder_or_says_which_is_left() {
        assert_eq!(fill("a {{x}} b {{x}}", &[("x", "1")]).ok().as_deref(), Some("a 1 b 1"));
        let error = fill("{{x}} {{y}}", &[("x", "1")]).map_err(|error| error.to_string());
        assert_eq!(error, Err("nothing fills the placeholder {{y}}".to_owned()));
    }
}
