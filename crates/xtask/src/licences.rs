//! `cargo xtask licences`: the licence of every crate and npm package, against the list in `deny.toml`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;
use spdx::{Expression, LicenseReq};

use crate::process::{self, Tally};
use crate::{tools, workspace};

/// Checks crates, npm packages and advisories.
pub(crate) fn check() -> Result<Tally> {
    let allowed = Allowed::read(&workspace::root().join("deny.toml"))?;
    let mut tally = Tally::default();
    tally += report("crates", &allowed.refused(&crates()?));
    tools::npm_packages()?;
    tally += report("npm packages", &allowed.refused(&npm_packages()?));
    match tools::cargo_deny() {
        Ok(cargo_deny) => tally += cargo_deny_check(&cargo_deny),
        Err(error) => {
            println!("advisories: not checked, cargo-deny cannot be had here ({error:#})");
        }
    }
    Ok(tally)
}

/// The licences that may be used.
struct Allowed {
    /// By everything.
    licences: BTreeSet<String>,
    /// By one crate besides: its name, and the licence.
    exceptions: BTreeSet<(String, String)>,
}

/// A package, as "name version", and what it says its licence is.
struct Package {
    name: String,
    licence: String,
}

impl Allowed {
    /// Reads `licenses.allow`.
    fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        let config: toml::Table =
            text.parse().with_context(|| format!("reading {}", path.display()))?;
        Self::of(&config).with_context(|| format!("reading {}", path.display()))
    }

    /// Reads `licenses.allow` and `licenses.exceptions`.
    fn of(config: &toml::Table) -> Result<Self> {
        let licenses = config.get("licenses").context("there is no [licenses]")?;
        let texts = |table: &toml::Value| -> Option<BTreeSet<String>> {
            let list = table.get("allow")?.as_array()?;
            Some(list.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect())
        };
        let mut exceptions = BTreeSet::new();
        let listed = licenses.get("exceptions").and_then(toml::Value::as_array);
        for exception in listed.into_iter().flatten() {
            let name = exception.get("crate").and_then(toml::Value::as_str);
            let name = name.context("an exception names no crate")?;
            for licence in texts(exception).context("an exception has no `allow`")? {
                exceptions.insert((name.to_owned(), licence));
            }
        }
        let licences = texts(licenses).context("there is no licenses.allow")?;
        Ok(Self { licences, exceptions })
    }

    /// Whether a package, "name version", may be used.
    fn allows(&self, package: &str, licence: &str) -> bool {
        let name = package.split(' ').next().unwrap_or_default();
        let own = self.exceptions.iter().filter(|(of, _)| of == name).map(|(_, licence)| licence);
        allows(licence, &self.licences.iter().chain(own).map(String::as_str).collect::<Vec<_>>())
    }

    /// Those that may not be used, each as a sentence.
    fn refused(&self, packages: &[Package]) -> Vec<String> {
        let mut refused = vec![];
        if packages.is_empty() {
            refused.push("no package was found".to_owned());
        }
        for Package { name, licence } in packages {
            if !self.allows(name, licence) {
                refused.push(format!("{name}: {licence:?} is not allowed by deny.toml"));
            }
        }
        if refused.is_empty() {
            println!("{} packages: all licences are allowed", packages.len());
        }
        refused
    }
}

/// Whether the licences named suffice for an expression such as `MIT OR (Apache-2.0 AND Unicode-3.0)`.
pub(crate) fn allows(expression: &str, licences: &[&str]) -> bool {
    // Older crates write `MIT/Apache-2.0`.
    Expression::parse_mode(expression, spdx::ParseMode::LAX).is_ok_and(|expression| {
        expression
            .evaluate(|required: &LicenseReq| licences.contains(&required.to_string().as_str()))
    })
}

fn report(what: &str, refused: &[String]) -> Tally {
    for line in refused {
        println!("error: {what}: {line}");
    }
    if refused.is_empty() { Tally::ONE_PASSED } else { Tally::ONE_FAILED }
}

/// Every crate of Cargo.lock that any feature on any platform could use.
fn crates() -> Result<Vec<Package>> {
    let metadata = process::output(process::cargo().args([
        "metadata",
        "--format-version=1",
        "--all-features",
    ]))?;
    let metadata: Value = serde_json::from_str(&metadata).context("cargo metadata")?;
    Ok(metadata["packages"].as_array().into_iter().flatten().map(package).collect())
}

/// Every package under `web/node_modules`.
fn npm_packages() -> Result<Vec<Package>> {
    let mut found = Vec::new();
    collect_npm(&workspace::web().join("node_modules"), &mut found)?;
    Ok(found)
}

fn collect_npm(folder: &Path, found: &mut Vec<Package>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let entry = entry?.path();
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') || !entry.is_dir() {
            continue;
        }
        if name.starts_with('@') {
            collect_npm(&entry, found)?;
            continue;
        }
        let manifest = entry.join("package.json");
        let text = fs::read_to_string(&manifest)
            .with_context(|| format!("reading {}", manifest.display()))?;
        let manifest: Value =
            serde_json::from_str(&text).with_context(|| format!("{}", manifest.display()))?;
        found.push(package(&manifest));
        let nested = entry.join("node_modules");
        if nested.is_dir() {
            collect_npm(&nested, found)?;
        }
    }
    Ok(())
}

/// Cargo's metadata and npm's manifests use the same three names.
fn package(manifest: &Value) -> Package {
    let text = |key: &str| manifest[key].as_str().unwrap_or_default();
    Package {
        name: format!("{} {}", text("name"), text("version")),
        licence: text("license").to_owned(),
    }
}

/// cargo-deny's own checks; advisories only when their database can be had.
fn cargo_deny_check(cargo_deny: &Path) -> Tally {
    let deny = |checks: &[&str]| -> Result<()> {
        process::run(
            Command::new(cargo_deny)
                .args(["--all-features", "check"])
                .args(checks)
                .current_dir(workspace::root()),
        )
    };
    let mut tally = match deny(&["licenses", "bans", "sources"]) {
        Ok(()) => Tally::ONE_PASSED,
        Err(error) => report("cargo-deny", &[format!("{error:#}")]),
    };
    let fetched =
        Command::new(cargo_deny).args(["fetch", "db"]).current_dir(workspace::root()).output();
    if fetched.is_ok_and(|fetched| fetched.status.success()) {
        tally += match deny(&["advisories"]) {
            Ok(()) => Tally::ONE_PASSED,
            Err(error) => report("advisories", &[format!("{error:#}")]),
        };
    } else {
        println!("advisories: not checked, the database cannot be had here");
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::{Allowed, Package};

    fn allowed(text: &str) -> Allowed {
        Allowed::of(&text.parse().unwrap()).unwrap()
    }

    #[test]
    fn an_expression_is_allowed_when_its_allowed_parts_suffice() {
        let allowed = allowed("[licenses]\nallow = ['MIT', 'Apache-2.0', 'Unicode-3.0']");
        let allows = |licence| allowed.allows("a 1", licence);
        assert!(allows("MIT"));
        assert!(allows("MIT/Apache-2.0"));
        assert!(allows("GPL-3.0 OR MIT"));
        assert!(allows("(MIT OR Apache-2.0) AND Unicode-3.0"));
        assert!(!allows("GPL-3.0"));
        assert!(!allows("MIT AND GPL-3.0"));
        assert!(!allows(""));
        assert!(!allows("SEE LICENSE IN terms.txt"));
    }

    #[test]
    fn an_exception_holds_for_its_crate_alone() {
        let allowed = allowed(
            "[licenses]\nallow = ['MIT']\nexceptions = [{ crate = 'a', allow = ['CC0-1.0'] }]",
        );
        assert!(allowed.allows("a 1", "CC0-1.0"));
        assert!(allowed.allows("a 1", "MIT"));
        assert!(!allowed.allows("a 1", "GPL-3.0"));
        assert!(!allowed.allows("ab 1", "CC0-1.0"));
    }

    #[test]
    fn nothing_found_is_not_nothing_wrong() {
        let allowed = allowed("[licenses]\nallow = ['MIT']");
        assert_eq!(allowed.refused(&[]).len(), 1);
        let package = Package { name: "a 1".to_owned(), licence: "GPL-2.0-only".to_owned() };
        assert_eq!(
            allowed.refused(&[package]),
            ["a 1: \"GPL-2.0-only\" is not allowed by deny.toml"]
        );
    }
}
