//! A small static server with the page's security headers.
//!
//! A thread for each connection and nothing more: `tiny_http`, which shares threads among connections, leaves one without
//! an answer when two come at once and one thread is free, and the page fetches dozens of modules at once.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use anyhow::{Context, Result};

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

/// The longest head of a request, in bytes.
const MOST_HEAD: u64 = 64 << 10;

/// Serves one folder on this machine only.
pub(crate) struct Server {
    listener: TcpListener,
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
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .with_context(|| format!("binding port {port}"))?;
        let mut mounts = mounts.to_vec();
        // The longest that fits is meant.
        mounts.sort_by_key(|mount| std::cmp::Reverse(mount.len()));
        Ok(Self { listener, folder, mounts, reload: None })
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
        self.listener.local_addr().unwrap_or_else(|_| SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))
    }

    /// Answers requests for ever, each connection on a thread of its own.
    pub(crate) fn serve(self) {
        let server = Arc::new(self);
        for stream in server.listener.incoming().flatten() {
            let server = Arc::clone(&server);
            // A client that went away is no error of ours.
            thread::spawn(move || drop(server.converse(&stream)));
        }
    }

    /// Answers the requests of one connection, until the client closes it.
    fn converse(&self, stream: &TcpStream) -> io::Result<()> {
        let mut reader = BufReader::new(stream);
        let mut writer = stream;
        while let Some(request) = head(&mut reader)? {
            let mut words = request.split(' ');
            let answer = match (words.next(), words.next()) {
                (Some("GET"), Some(url)) => self.answer(url)?,
                _ => Answer::empty("405 Method Not Allowed"),
            };
            answer.write(&mut writer)?;
        }
        Ok(())
    }

    fn answer(&self, url: &str) -> io::Result<Answer> {
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        if let Some(reload) = &self.reload {
            if path == VERSION_PATH {
                let after = query.strip_prefix("after=").unwrap_or_default();
                return Ok(Answer::new("text/plain", reload.version(after).into_bytes()));
            }
            if path == SCRIPT_PATH {
                return Ok(Answer::new("text/javascript", SCRIPT.as_bytes().to_vec()));
            }
        }
        let Some(file) = self.resolve(path) else {
            return Ok(Answer::empty("404 Not Found"));
        };
        if self.reload.is_some() && file.extension().is_some_and(|extension| extension == "html") {
            let page = std::fs::read_to_string(&file)?;
            let script =
                format!("<script type=\"module\" src=\"{SCRIPT_PATH}\"></script>\n  </head>");
            let page = page.replacen("</head>", &script, 1);
            return Ok(Answer::new(mime(&file), page.into_bytes()));
        }
        Ok(Answer::new(mime(&file), std::fs::read(&file)?))
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

/// The first line of the next request, whose head is read to its end; none if the client has no more.
fn head(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut reader = reader.take(MOST_HEAD);
    let mut first = String::new();
    if reader.read_line(&mut first)? == 0 {
        return Ok(None);
    }
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 && !line.trim_end().is_empty() {
        line.clear();
    }
    Ok(Some(first.trim_end().to_owned()))
}

/// What is sent back.
struct Answer {
    status: &'static str,
    mime: &'static str,
    body: Vec<u8>,
}

impl Answer {
    fn new(mime: &'static str, body: Vec<u8>) -> Self {
        Self { status: "200 OK", mime, body }
    }

    fn empty(status: &'static str) -> Self {
        Self { status, mime: "text/plain", body: Vec::new() }
    }

    fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let Self { status, mime, body } = self;
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {mime}\r\nContent-Length: {length}\r\n\
             Content-Security-Policy: {CONTENT_SECURITY_POLICY}\r\n\
             X-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n\r\n"
        );
        to.write_all(&[head.as_bytes(), body].concat())
    }
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
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;

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
    fn every_connection_is_answered_however_many_are_open() -> anyhow::Result<()> {
        let folder = std::env::temp_dir().join(format!("xtask-open-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("a.txt"), "here")?;
        let server = Server::bind(0, folder.clone(), &["/"])?;
        let address = server.address();
        std::thread::spawn(move || server.serve());
        // All are open at once, and each asks twice.
        let open: Vec<TcpStream> =
            (0..64).map(|_| TcpStream::connect(address)).collect::<Result<_, _>>()?;
        for mut stream in &open {
            for (path, status) in [("/a.txt", "200 OK"), ("/b.txt", "404 Not Found")] {
                stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes())?;
                let mut reader = BufReader::new(stream);
                let mut first = String::new();
                reader.read_line(&mut first)?;
                assert_eq!(first, format!("HTTP/1.1 {status}\r\n"));
                let mut length = 0;
                let mut line = String::new();
                while reader.read_line(&mut line)? > 0 && line != "\r\n" {
                    if let Some(number) = line.strip_prefix("Content-Length: ") {
                        length = number.trim_end().parse()?;
                    }
                    line.clear();
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body)?;
                assert_eq!(body, if path == "/a.txt" { b"here".to_vec() } else { Vec::new() });
            }
        }
        std::fs::remove_dir_all(&folder)?;
        Ok(())
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
