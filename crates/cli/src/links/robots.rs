//! `--robots`: which links `robots.txt` disallows. The files of a folder are read when a link to their host is found.

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use relref::UriRef;
use relref::crawl::{OutOfScope, RobotsTxt};
use relref::whatwg::Url;
use relref_links::parallel::lock;

use super::replaced_files::ReplacedFiles;
use crate::args::Links;
use crate::lines::open;
use crate::output::{Output, shown};
use crate::quoting::file_name;

/// The files of hosts, for all threads.
pub struct Robots {
    path: PathBuf,
    agent: String,
    /// The origin and the rules of a single file; `None` for a folder.
    file: Option<(Origin, Rules)>,
    known: Mutex<KnownHosts>,
}

/// An error is about a file that cannot be read.
type Rules = Result<Arc<RobotsTxt>, Unread>;

#[derive(Clone, Copy)]
struct Unread;

#[derive(Default)]
struct KnownHosts {
    by_host: HashMap<String, Rules>,
    /// An estimate of the memory of all entries, in bytes.
    len: usize,
    /// The names of files, and why they cannot be read.
    problems: Vec<(String, String)>,
    /// The name of a file that is longer than the limit.
    long: Option<String>,
}

impl KnownHosts {
    const MAX_LEN: usize = 64 << 20;
    const MAX_PROBLEMS: usize = 100;
}

/// Why a link is not followed.
pub enum Disallowed {
    /// The number of the line.
    ByLine(u32),
    /// The file cannot be read. RFC 9309 §2.3.1.4 assumes that it disallows all.
    Unread,
}

impl Display for Disallowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Disallowed::ByLine(line) => {
                let why = OutOfScope::Robots { line };
                write!(f, "{}: {why}", why.name())
            }
            Disallowed::Unread => f.write_str("robots: robots.txt cannot be read"),
        }
    }
}

#[derive(PartialEq)]
struct Origin {
    scheme: String,
    /// The host without a final dot.
    host: String,
    /// `None` for the default of the scheme.
    port: Option<u16>,
}

impl Origin {
    /// `None` for a URI that is on no host.
    fn of(uri: &str) -> Option<Origin> {
        let url = Url::parse(uri).ok()?;
        let host = url.host().filter(|host| !host.is_empty() && url.scheme() != "file")?;
        let host = host.strip_suffix('.').unwrap_or(host);
        Some(Origin { scheme: url.scheme().to_owned(), host: host.to_owned(), port: url.port() })
    }

    /// The names without their ends that the file of a host may have: with A-labels, and with U-labels.
    fn file_names(&self) -> Vec<String> {
        let Origin { host, port, .. } = self;
        let unicode = Some(idna::domain_to_unicode(host).0).filter(|unicode| unicode != host);
        // No name leads out of the folder.
        let hosts =
            [host].into_iter().chain(&unicode).filter(|host| !host.starts_with('.') && !host.contains(['/', '\\']));
        match port {
            None => hosts.cloned().collect(),
            Some(port) => {
                hosts.flat_map(|host| [":", "+", "_"].map(|between| format!("{host}{between}{port}"))).collect()
            }
        }
    }
}

impl Robots {
    /// Reads a single file. The error has the path as a message shows it.
    pub fn new(args: &Links) -> Result<Option<Robots>, (String, io::Error)> {
        let Some(path) = args.robots.clone() else { return Ok(None) };
        let mut robots = Robots { path, agent: args.user_agent.clone(), file: None, known: Mutex::default() };
        robots.open(args.base.as_deref()).map_err(|error| (shown(&file_name(&robots.path)), error))?;
        Ok(Some(robots))
    }

    fn open(&mut self, base: Option<&str>) -> io::Result<()> {
        if self.path.is_dir() {
            return fs::read_dir(&self.path).map(drop);
        }
        let rules = Arc::new(self.read(&self.path)?);
        let origin = base.and_then(Origin::of);
        let origin = origin.ok_or_else(|| {
            io::Error::other("--base has no host: give the URI of the site, such as http://example.com/")
        })?;
        self.file = Some((origin, Ok(rules)));
        Ok(())
    }

    fn rules(&self, origin: &Origin, replaced: &ReplacedFiles) -> Rules {
        if let Some((of_file, rules)) = &self.file {
            return if of_file == origin { rules.clone() } else { Ok(Arc::default()) };
        }
        let Some(name) = origin.file_names().into_iter().next() else { return Ok(Arc::default()) };
        if let Some(rules) = lock(&self.known).by_host.get(&name) {
            return rules.clone();
        }
        let (rules, len) = match self.read_first(origin, replaced) {
            Ok((rules, len)) => (Ok(Arc::new(rules)), len),
            Err((path, error)) => {
                let (mut known, name) = (lock(&self.known), shown(&file_name(&path)));
                if known.problems.len() < KnownHosts::MAX_PROBLEMS
                    && known.problems.iter().all(|(other, _)| *other != name)
                {
                    known.problems.push((name, error.to_string()));
                }
                (Err(Unread), 0)
            }
        };
        let mut known = lock(&self.known);
        // An entry takes at most eight times its line.
        let len = name.len() + 256 + 8 * len;
        if known.len + len > KnownHosts::MAX_LEN {
            known.by_host.clear();
            known.len = 0;
        }
        known.len += len;
        known.by_host.insert(name, rules.clone());
        rules
    }

    /// Returns the rules of the first file of a host that exists, and its length. An error has the path.
    fn read_first(
        &self,
        origin: &Origin,
        replaced: &ReplacedFiles,
    ) -> Result<(RobotsTxt, usize), (PathBuf, io::Error)> {
        for name in origin.file_names() {
            for path in [self.path.join(&name).join("robots.txt"), self.path.join(name + ".txt")] {
                let metadata = match fs::metadata(&path) {
                    Err(error) if is_missing(&error) => continue,
                    metadata => metadata.map_err(|error| (path.clone(), error))?,
                };
                let rules = match metadata.is_file() {
                    // A named pipe would block.
                    false => Err(io::Error::other("not a regular file")),
                    true => replaced.check(&path, &metadata).and_then(|()| self.read(&path)),
                };
                let len = usize::try_from(metadata.len()).map_or(RobotsTxt::MAX_LEN, |len| len.min(RobotsTxt::MAX_LEN));
                return rules.map(|rules| (rules, len)).map_err(|error| (path, error));
            }
        }
        Ok((RobotsTxt::default(), 0))
    }

    fn read(&self, path: &Path) -> io::Result<RobotsTxt> {
        let mut text = Vec::new();
        // One byte more shows that there are more.
        open(path)?.take(RobotsTxt::MAX_LEN as u64 + 1).read_to_end(&mut text)?;
        if text.starts_with(b"\x1f\x8b") || text.starts_with(b"\x28\xb5\x2f\xfd") {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "it is compressed: robots.txt is uncompressed text",
            ));
        }
        let robots = RobotsTxt::parse(text);
        if robots.ignored_len() > 0 {
            lock(&self.known).long.get_or_insert_with(|| shown(&file_name(path)));
        }
        Ok(robots.for_agent(&self.agent))
    }

    /// Reports the files that could not be read, and one of which only the start was read.
    pub fn report(&self, out: &mut Output) {
        let known = lock(&self.known);
        for (name, why) in &known.problems {
            out.problem(name, why);
        }
        if let Some(name) = &known.long {
            out.note(format_args!("{name}: only the first 500 KiB of a robots.txt count"));
        }
    }
}

fn is_missing(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | InvalidInput)
}

/// The rules for the links of one page. Many are on one host.
pub struct PageRobots<'r> {
    robots: &'r Robots,
    replaced: &'r ReplacedFiles,
    /// The scheme and authority of the last link.
    origin: String,
    rules: Rules,
}

impl<'r> PageRobots<'r> {
    pub fn new(robots: &'r Robots, replaced: &'r ReplacedFiles) -> Self {
        PageRobots { robots, replaced, origin: String::new(), rules: Ok(Arc::default()) }
    }

    /// Returns `None` for a link that may be followed.
    pub fn check(&mut self, uri: &str) -> Option<Disallowed> {
        let split = UriRef::new(uri);
        let len = split.scheme()?.len() + "://".len() + split.authority()?.len();
        if self.origin != uri[..len] {
            uri[..len].clone_into(&mut self.origin);
            self.rules = match Origin::of(&self.origin) {
                Some(origin) => self.robots.rules(&origin, self.replaced),
                None => Ok(Arc::default()),
            };
        }
        match &self.rules {
            Ok(rules) => rules.rule("*", uri).filter(|rule| !rule.allows).map(|rule| Disallowed::ByLine(rule.line)),
            Err(Unread) => Some(Disallowed::Unread),
        }
    }
}
