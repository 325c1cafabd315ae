//! `cargo xtask serve`: build, serve, rebuild on change, reload the page.

mod server;
mod watch;

pub(crate) use server::Server;

use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::build::{self, Mode};
use crate::workspace;

/// What `serve` was asked for.
pub(crate) struct Options {
    pub(crate) port: u16,
    pub(crate) mode: Mode,
}

/// How often the sources are looked at.
const POLL: Duration = Duration::from_millis(300);

/// Serves until the program is ended.
pub(crate) fn run(options: &Options) -> Result<()> {
    // Bound first: a port that is taken is said before the build, not after it.
    let folder = workspace::target().join("site").join(match options.mode {
        Mode::Dev => "dev",
        Mode::Release => "release",
    });
    let server = Server::bind(options.port, folder.clone(), &["/"])
        .with_context(|| {
            format!("port {} of 127.0.0.1 (choose another with --port)", options.port)
        })?
        .with_reload();
    let mut seen = watch::Fingerprint::take(&workspace::root());
    std::fs::create_dir_all(folder.parent().unwrap_or(&folder))?;
    if let Err(error) = build::site(options.mode, &folder) {
        if !folder.join("index.html").exists() {
            return Err(error);
        }
        println!("error: {error:#}\nServing what was built before; waiting for a change.");
    }
    let address = server.address();
    let reload = server.reloader();
    thread::spawn(move || server.serve());
    println!("Serving at http://{address}/");
    loop {
        thread::sleep(POLL);
        let now = watch::Fingerprint::take(&workspace::root());
        if now == seen {
            continue;
        }
        seen = now;
        println!("Something changed: building again");
        match build::site(options.mode, &folder) {
            Ok(()) => {
                reload.page_changed();
                println!("Serving at http://{address}/");
            }
            Err(error) => println!("error: {error:#}\nThe page stays as it was."),
        }
    }
}
