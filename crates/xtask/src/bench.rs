//! `cargo xtask bench`: the engine, natively and in Chromium, beside the real scheduler: the same workloads, one program
//! after the other.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::build::{Mode, module};
use crate::serve::Server;
use crate::{process, tools, workspace};

/// The kinds that `oracle workload` can build.
const KINDS: [&str; 6] =
    ["basic", "spread", "spread-soft", "anti-affinity", "preferred-affinity", "mixed"];

/// A cluster's size.
struct Scale {
    nodes: u32,
    running: u32,
}

const SCALES: [Scale; 2] =
    [Scale { nodes: 1_000, running: 10_000 }, Scale { nodes: 5_000, running: 50_000 }];

/// What to measure.
pub(crate) struct Options {
    kinds: Vec<&'static str>,
    scales: &'static [Scale],
    waiting: u32,
}

impl Options {
    /// Reads `[--small] [--waiting N] [KIND…]`.
    pub(crate) fn parse(args: &[String]) -> Result<Self> {
        let mut options = Self { kinds: Vec::new(), scales: &SCALES, waiting: 300 };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--small" => options.scales = SCALES.get(..1).unwrap_or_default(),
                "--waiting" => {
                    let number = args.next().context("--waiting needs a number")?;
                    options.waiting =
                        number.parse().with_context(|| format!("--waiting {number}"))?;
                }
                name => match KINDS.iter().find(|kind| *kind == &name) {
                    Some(kind) => options.kinds.push(kind),
                    None => bail!("no workload is called {name:?}; there are {}", KINDS.join(", ")),
                },
            }
        }
        if options.kinds.is_empty() {
            options.kinds = KINDS.to_vec();
        }
        Ok(options)
    }
}

/// Runs all three on every kind and scale and prints a line for each.
pub(crate) fn run(options: &Options) -> Result<()> {
    let oracle = oracle()?;
    println!("Compiling berth");
    process::run(process::cargo().args([
        "build",
        "--quiet",
        "--release",
        "--package",
        "berth_cli",
    ]))?;
    let berth =
        workspace::target().join("release/berth").with_extension(std::env::consts::EXE_EXTENSION);
    let browser = Browser::prepare()?;
    println!(
        "{:<20} {:>6} {:>6} {:>7} {:>13} {:>13} {:>8} {:>13} {:>8} {:>10}",
        "kind",
        "nodes",
        "pods",
        "waiting",
        "oracle µs/pod",
        "berth µs/pod",
        "ratio",
        "wasm µs/pod",
        "ratio",
        "explain ms"
    );
    for Scale { nodes, running } in options.scales {
        for kind in &options.kinds {
            let file = browser.folder.join("workload.json");
            let mut workload = Command::new(&oracle);
            workload.args(["workload", "-kind", kind]);
            for (flag, value) in
                [("-nodes", *nodes), ("-running", *running), ("-waiting", options.waiting)]
            {
                workload.args([flag, &value.to_string()]);
            }
            workload.stdout(
                File::create(&file).with_context(|| format!("creating {}", file.display()))?,
            );
            process::run(&mut workload)?;
            let theirs = measure(&oracle, &file)?;
            let ours = measure(&berth, &file)?;
            let wasm = browser.measure()?;
            // All bind what fits; a different number means that they did not do the same work.
            let same = if theirs.bound == ours.bound && ours.bound == wasm.bound {
                String::new()
            } else {
                format!("   bound {}, {} and {}", theirs.bound, ours.bound, wasm.bound)
            };
            println!(
                "{kind:<20} {nodes:>6} {running:>6} {:>7} {:>13.1} {:>13.1} {:>7.1}× {:>13.1} {:>7.1}× {:>10.1}{same}",
                options.waiting,
                theirs.us_per_pod,
                ours.us_per_pod,
                theirs.us_per_pod / ours.us_per_pod,
                wasm.us_per_pod,
                theirs.us_per_pod / wasm.us_per_pod,
                wasm.explain_ms,
            );
            fs::remove_file(&file).with_context(|| format!("removing {}", file.display()))?;
        }
    }
    Ok(())
}

/// The engine as it ships, in Chromium: `tests/perf`.
struct Browser {
    chromium: PathBuf,
    /// What is served: the module, its page, and the workload.
    folder: PathBuf,
    url: String,
}

impl Browser {
    fn prepare() -> Result<Self> {
        let chromium = tools::chromium()?.browser;
        tools::wasm_target()?;
        tools::npm_packages()?;
        println!("Compiling the engine for the browser");
        let module = module::compile(
            Mode::Release,
            &["--package", "berth_tests", "--example", "bench_page"],
        )?
        .join("examples/bench_page.wasm");
        let folder = workspace::target().join("bench");
        module::bind(Mode::Release, &module, &folder)?;
        for name in ["index.html", "bench.js"] {
            let from = workspace::root().join("tests/perf").join(name);
            fs::copy(&from, folder.join(name))
                .with_context(|| format!("copying {}", from.display()))?;
        }
        let server = Server::bind(0, folder.clone(), &["/"])?;
        let url = format!("http://{}/", server.address());
        thread::spawn(move || server.serve());
        Ok(Self { chromium, folder, url })
    }

    /// Measures the workload that is in the folder.
    fn measure(&self) -> Result<Measured> {
        Measured::read(&process::output(
            Command::new("node")
                .arg(workspace::root().join("tests/perf/run.mjs"))
                .arg(&self.url)
                .env("BERTH_CHROMIUM", &self.chromium),
        )?)
    }
}

/// What one program says of one workload.
struct Measured {
    us_per_pod: f64,
    bound: u64,
    /// Milliseconds that one full explanation took, where that was measured.
    explain_ms: f64,
}

impl Measured {
    fn read(line: &str) -> Result<Self> {
        let said: Value =
            serde_json::from_str(line).with_context(|| format!("not a measurement: {line}"))?;
        Ok(Self {
            us_per_pod: said["us_per_pod"]
                .as_f64()
                .with_context(|| format!("no us_per_pod in {line}"))?,
            bound: said["bound"].as_u64().with_context(|| format!("no bound in {line}"))?,
            explain_ms: said["explain_ms"].as_f64().unwrap_or(f64::NAN),
        })
    }
}

fn measure(program: &Path, workload: &Path) -> Result<Measured> {
    let input = File::open(workload).with_context(|| format!("opening {}", workload.display()))?;
    Measured::read(&process::output(Command::new(program).arg("bench").stdin(Stdio::from(input)))?)
}

/// Builds the Go program of `tests/oracle`.
fn oracle() -> Result<PathBuf> {
    if tools::find(&["go"]).is_none() {
        bail!(
            "the real scheduler is a Go program: install Go (the version in tests/oracle/go.mod or later) to compare"
        );
    }
    println!("Compiling tests/oracle (minutes the first time: it downloads Kubernetes)");
    let program =
        workspace::target().join("oracle/oracle").with_extension(std::env::consts::EXE_EXTENSION);
    process::run(
        Command::new("go")
            .args(["build", "-o"])
            .arg(&program)
            .arg(".")
            .current_dir(workspace::root().join("tests/oracle")),
    )?;
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn takes_kinds_and_a_number() -> anyhow::Result<()> {
        let args = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let options = Options::parse(&args("spread mixed --small --waiting 50"))?;
        assert_eq!(
            (options.kinds, options.scales.len(), options.waiting),
            (vec!["spread", "mixed"], 1, 50)
        );
        assert_eq!(Options::parse(&[])?.kinds.len(), 6);
        assert!(Options::parse(&args("sprad")).is_err());
        assert!(Options::parse(&args("--waiting many")).is_err());
        Ok(())
    }
}
