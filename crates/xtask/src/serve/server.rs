//! A small static server with the page's security headers.

use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use anyhow::{Result, anyhow};
use tiny_http::{Header, Request, Response, StatusCode};

use crate::build::CONTENT_SECURITY_POLICY;

/// Where the reload script asks whether the page changed.
const VERSION_PATH: &str = "/__reload/version";
const SCRIPT_PATH: &str = "/__reload/reload.js";

/// Asks until the version changes, then reloads. The server holds each question open, so this costs nothing.
const SCRIPT: &str = "\
const ask = async after => (await fetch(`/__reload/version?after=${after}`)).text();
let version;
for (;;) {
  try {
    const now = await ask(version ?? \"\");
    if (version !== undefined && now !== version) location.reload();
    version = now;
  } catch {
    await new Promise(done => setTimeout(done, 500));
  }
}
";

/// How long a question is held open before the same version is answered.
const HOLD: Duration = Duration::from_secs(20);

/// Serves one folder on this machine only.
pub(crate) struct Server {
    http: tiny_http::Server,
    folder: PathBuf,
    mounts: Vec<&'static str>,
    reload: Option<Reloader>,
}

/// Tells the open pages that there is a new one.
#[derive(Clone)]
pub(crate) struct Reloader(Arc<(Mutex<u128>, Condvar)>);

impl Reloader {
    /// Begins at the time of day: a page opened before this server started is out of date too.
    fn new() -> Self {
        let now = UNIX_EPOCH.elapsed().map_or(0, |since| since.as_millis());
        Self(Arc::new((Mutex::new(now), Condvar::new())))
    }

    /// Makes every open page reload.
    pub(crate) fn page_changed(&self) {
        let (version, changed) = &*self.0;
        if let Ok(mut version) = version.lock() {
            *version += 1;
            changed.notify_all();
        }
    }

    /// The version, once it differs from `after` or the wait is over.
    fn version(&self, after: &str) -> String {
        let (version, changed) = &*self.0;
        let Ok(guard) = version.lock() else { return String::new() };
        match changed.wait_timeout_while(guard, HOLD, |version| version.to_string() == after) {
            Ok((version, _)) => version.to_string(),
            Err(_) => String::new(),
        }
    }
}

impl Server {
    /// Binds a port of the loopback address; 0 takes any. The folder shows at every mount, each beginning and
    /// ending with a slash.
    pub(crate) fn bind(port: u16, folder: PathBuf, mounts: &[&'static str]) -> Result<Self> {
        let http = tiny_http::Server::http((Ipv4Addr::LOCALHOST, port))
            .map_err(|error| anyhow!("{error}"))?;
        let mut mounts = mounts.to_vec();
        // The longest that fits is meant.
        mounts.sort_by_key(|mount| std::cmp::Reverse(mount.len()));
        Ok(Self { http, folder, mounts, reload: None })
    }

    /// Adds the script that reloads the page to every page served.
    pub(crate) fn with_reload(mut self) -> Self {
        self.reload = Some(Reloader::new());
        self
    }

    /// What makes the open pages reload.
    pub(crate) fn reloader(&self) -> Reloader {
        self.reload.clone().unwrap_or_else(Reloader::new)
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.http
            .server_addr()
            .to_ip()
            .unwrap_or_else(|| SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))
    }

    /// Answers requests for ever, each on a thread of its own.
    pub(crate) fn serve(self) {
        let server = Arc::new(self);
        for request in server.http.incoming_requests() {
            let server = Arc::clone(&server);
            // A client that went away is no error of ours.
            thread::spawn(move || drop(server.answer(request)));
        }
    }

    fn answer(&self, request: Request) -> std::io::Result<()> {
        let url = request.url().to_owned();
        let (path, query) = url.split_once('?').unwrap_or((&url, ""));
        if let Some(reload) = &self.reload {
            if path == VERSION_PATH {
                let after = query.strip_prefix("after=").unwrap_or_default();
                return respond(request, "text/plain", reload.version(after).into_bytes());
            }
            if path == SCRIPT_PATH {
                return respond(request, "text/javascript", SCRIPT.as_bytes().to_vec());
            }
        }
        let Some(file) = self.resolve(path) else {
            return request.respond(Response::empty(StatusCode(404)));
        };
        if self.reload.is_some() && file.extension().is_some_and(|extension| extension == "html") {
            let page = std::fs::read_to_string(&file)?;
            let script =
                format!("<script type=\"module\" src=\"{SCRIPT_PATH}\"></script>\n  </head>");
            return respond(
                request,
                mime(&file),
                page.replacen("</head>", &script, 1).into_bytes(),
            );
        }
        let mut response = Response::from_file(File::open(&file)?);
        for header in headers(mime(&file)) {
            response.add_header(header);
        }
        request.respond(response)
    }

    /// The file that a path of a URL names: never one outside of the folder.
    fn resolve(&self, path: &str) -> Option<PathBuf> {
        let relative = self.mounts.iter().find_map(|mount| path.strip_prefix(mount))?;
        let relative = Path::new(relative);
        if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        let mut file = self.folder.join(relative);
        if file.is_dir() {
            file.push("index.html");
        }
        file.is_file().then_some(file)
    }
}

fn respond(request: Request, mime: &str, body: Vec<u8>) -> std::io::Result<()> {
    let mut response = Response::from_data(body);
    for header in headers(mime) {
        response.add_header(header);
    }
    request.respond(response)
}

fn headers(mime: &str) -> Vec<Header> {
    [
        ("Content-Type", mime),
        ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
        ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "no-cache"),
    ]
    .into_iter()
    .filter_map(|(name, value)| Header::from_bytes(name, value).ok())
    .collect()
}

fn mime(file: &Path) -> &'static str {
    match file.extension().and_then(std::ffi::OsStr::to_str) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        Some("txt" | "yaml") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::{Reloader, Server};

    #[test]
    fn a_waiting_page_hears_of_the_change() {
        let reloader = Reloader::new();
        // A page that knows nothing is answered at once, one that is up to date when there is news.
        let first = reloader.version("");
        let waiting = {
            let (reloader, first) = (reloader.clone(), first.clone());
            std::thread::spawn(move || reloader.version(&first))
        };
        reloader.page_changed();
        let second = waiting.join().expect("the question is answered");
        assert_ne!(first, second);
        assert_eq!(reloader.version(&first), second);
    }

    #[test]
    fn a_path_never_leaves_the_folder() -> anyhow::Result<()> {
        let folder = std::env::temp_dir().join(format!("xtask-server-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("site"))?;
        std::fs::write(folder.join("secret.txt"), "")?;
        std::fs::write(folder.join("site/index.html"), "")?;
        let server = Server::bind(0, folder.join("site"), &["/", "/some/base/"])?;
        let index = folder.join("site/index.html");
        assert_eq!(server.resolve("/"), Some(index.clone()));
        assert_eq!(server.resolve("/index.html"), Some(index.clone()));
        assert_eq!(server.resolve("/some/base/index.html"), Some(index));
        assert_eq!(server.resolve("/../secret.txt"), None);
        assert_eq!(server.resolve("/some/base/../../../secret.txt"), None);
        assert_eq!(server.resolve("//etc/passwd"), None);
        assert_eq!(server.resolve("/missing.js"), None);
        std::fs::remove_dir_all(&folder)?;
        Ok(())
    }
}
