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

/// A workload that `oracle workload` can build, and how it is measured.
#[derive(Debug, PartialEq)]
struct Kind {
    name: &'static str,
    scales: &'static [Scale],
    /// Pods that wait, if nothing else is asked for.
    waiting: u32,
}

/// A cluster's size.
#[derive(Debug, PartialEq)]
struct Scale {
    nodes: u32,
    running: u32,
}

/// A kind whose pods are scheduled one after another.
const fn scheduling(name: &'static str) -> Kind {
    const SCALES: &[Scale] =
        &[Scale { nodes: 1_000, running: 10_000 }, Scale { nodes: 5_000, running: 50_000 }];
    Kind { name, scales: SCALES, waiting: 300 }
}

const KINDS: [Kind; 7] = [
    scheduling("basic"),
    scheduling("spread"),
    scheduling("spread-soft"),
    scheduling("anti-affinity"),
    scheduling("preferred-affinity"),
    scheduling("mixed"),
    // Every node is full and a candidate: preemption is dry-run on all of them.
    Kind { name: "preempt", scales: &[Scale { nodes: 1_000, running: 30_000 }], waiting: 11 },
];

/// What to measure.
pub(crate) struct Options {
    kinds: Vec<&'static Kind>,
    /// Only the first scale of each kind.
    small: bool,
    waiting: Option<u32>,
    /// How fast a simulated hour is sought through, in Chromium.
    seek: bool,
}

impl Options {
    /// Reads `[--small] [--waiting N] [seek] [KIND…]`.
    pub(crate) fn parse(args: &[String]) -> Result<Self> {
        let mut options = Self { kinds: Vec::new(), small: false, waiting: None, seek: false };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--small" => options.small = true,
                "seek" => options.seek = true,
                "--waiting" => {
                    let number = args.next().context("--waiting needs a number")?;
                    let number = number.parse().with_context(|| format!("--waiting {number}"))?;
                    options.waiting = Some(number);
                }
                name => {
                    let kind = KINDS.iter().find(|kind| kind.name == name);
                    options.kinds.push(kind.with_context(|| {
                        let names = KINDS.map(|kind| kind.name).join(", ");
                        format!("no workload is called {name:?}; there are {names}")
                    })?);
                }
            }
        }
        if options.kinds.is_empty() && !options.seek {
            options.kinds = KINDS.iter().collect();
        }
        Ok(options)
    }

    /// Every kind at each of its scales.
    fn workloads(&self) -> impl Iterator<Item = (&'static Kind, &'static Scale)> {
        let most = if self.small { 1 } else { usize::MAX };
        self.kinds
            .iter()
            .flat_map(move |kind| kind.scales.iter().take(most).map(move |scale| (*kind, scale)))
    }
}

/// Runs all three on every kind and scale and prints a line for each.
pub(crate) fn run(options: &Options) -> Result<()> {
    if options.seek {
        println!("{}", Browser::prepare()?.ask("?seek")?);
    }
    if options.kinds.is_empty() {
        return Ok(());
    }
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
        "{:<20} {:>6} {:>6} {:>7} {:>13} {:>13} {:>8} {:>13} {:>8} {:>10}   done by each",
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
    let file = browser.folder.join("workload.json");
    let mut same = true;
    for (kind, Scale { nodes, running }) in options.workloads() {
        let waiting = options.waiting.unwrap_or(kind.waiting);
        let mut workload = Command::new(&oracle);
        workload.args(["workload", "-kind", kind.name]);
        for (flag, value) in [("-nodes", *nodes), ("-running", *running), ("-waiting", waiting)] {
            workload.args([flag, &value.to_string()]);
        }
        workload
            .stdout(File::create(&file).with_context(|| format!("creating {}", file.display()))?);
        process::run(&mut workload)?;
        let theirs = measure(&oracle, &file)?;
        let ours = measure(&berth, &file)?;
        let wasm = browser.measure()?;
        println!(
            "{:<20} {nodes:>6} {running:>6} {waiting:>7} {:>13.1} {:>13.1} {:>7.1}× {:>13.1} {:>7.1}× {:>10.1}   {}",
            kind.name,
            theirs.us_per_pod,
            ours.us_per_pod,
            theirs.us_per_pod / ours.us_per_pod,
            wasm.us_per_pod,
            theirs.us_per_pod / wasm.us_per_pod,
            wasm.explain_ms,
            theirs.done,
        );
        if theirs.done != ours.done || ours.done != wasm.done {
            println!("{:<20} but berth {}, in wasm {}", "", ours.done, wasm.done);
            same = false;
        }
        fs::remove_file(&file).with_context(|| format!("removing {}", file.display()))?;
    }
    if !same {
        bail!("not all did the same work");
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
        Measured::read(&self.ask("")?)
    }

    /// What the page says.
    fn ask(&self, query: &str) -> Result<String> {
        process::output(
            Command::new("node")
                .arg(workspace::root().join("tests/perf/run.mjs"))
                .arg(format!("{}{query}", self.url))
                .env("BERTH_CHROMIUM", &self.chromium),
        )
    }
}

/// What one program says of one workload.
struct Measured {
    us_per_pod: f64,
    /// How many pods found a node, or what preemption found: a different number means that another
    /// program did not do the same work.
    done: Value,
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
            done: said.get("done").with_context(|| format!("no done in {line}"))?.clone(),
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
        let options = Options::parse(&args("spread preempt --small --waiting 50"))?;
        assert_eq!(options.waiting, Some(50));
        let sizes = |options: &Options| -> Vec<(&str, u32)> {
            options.workloads().map(|(kind, scale)| (kind.name, scale.running)).collect()
        };
        assert_eq!(sizes(&options), [("spread", 10_000), ("preempt", 30_000)]);
        let basic = sizes(&Options::parse(&args("basic"))?);
        assert_eq!(basic, [("basic", 10_000), ("basic", 50_000)]);
        assert_eq!(Options::parse(&[])?.kinds.len(), 7);
        let seek = Options::parse(&args("seek"))?;
        assert!(seek.seek && seek.kinds.is_empty());
        assert!(Options::parse(&args("sprad")).is_err());
        assert!(Options::parse(&args("--waiting many")).is_err());
        Ok(())
    }
}
