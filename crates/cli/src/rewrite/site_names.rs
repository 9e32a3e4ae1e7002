//! The files of the captures of a site, with names as `wget --adjust-extension` gives them.

use std::collections::hash_map::{Entry, RandomState};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher};

use relref::crawl::Normalizer;
use relref::percent::decode_leaving_illegal;
use relref::{UriRef, whatwg};

/// In bytes. File systems hold 255; the rest is room for a number.
const MAX_NAME: usize = 240;
/// In bytes, of all folders of a file. Systems take paths of 4,096.
const MAX_FOLDERS: usize = 2048;
/// The list of pages, beside the folders of the hosts.
pub const INDEX: &str = "index.html";
/// Starts what no name of wget has: it is escaped there.
const MARK: &str = "%~";
/// More redirects are a loop.
const MAX_REDIRECTS: usize = 20;

/// Memory: about 60 bytes for each capture and folder, and the targets of redirects.
pub struct SiteNames {
    hasher: RandomState,
    normalizer: Normalizer,
    captures: HashMap<u64, Captured>,
    redirects: HashMap<u64, Box<str>>,
    /// How many files want a name.
    wanted: HashMap<u64, u32>,
    folders: HashSet<u64>,
}

struct Captured {
    /// Among all captures of the archives.
    index: u64,
    /// Of the file, among those that want the same name.
    number: u32,
    ending: &'static str,
}

impl SiteNames {
    pub fn new() -> Self {
        SiteNames {
            hasher: RandomState::new(),
            normalizer: Normalizer::safe(),
            captures: HashMap::new(),
            redirects: HashMap::new(),
            wanted: HashMap::new(),
            folders: HashSet::new(),
        }
    }

    /// Adds a capture, unless its URI has one. `ending` is added to a name without it. Returns `false` if the URI is invalid or
    /// names no host: the capture is then left out.
    pub fn add(&mut self, index: u64, uri: &str, ending: &'static str) -> bool {
        let named = |uri: String| Some((wget_name(&uri, ending)?, uri));
        let Some((name, uri)) = self.normal(uri).and_then(named) else { return false };
        let Entry::Vacant(new) = self.captures.entry(self.hasher.hash_one(&uri)) else { return true };
        let mut hasher = self.hasher.build_hasher();
        for part in name.split_inclusive('/') {
            if part.ends_with('/') {
                hasher.write(&part.as_bytes()[..part.len() - 1]);
                self.folders.insert(hasher.clone().finish());
                hasher.write(b"/");
            } else {
                hasher.write(part.as_bytes());
            }
        }
        let wanted = self.wanted.entry(hasher.finish()).or_default();
        new.insert(Captured { index, number: *wanted, ending });
        *wanted += 1;
        true
    }

    /// `target` is absolute. The first counts.
    pub fn add_redirect(&mut self, uri: &str, target: &str) {
        let (Some(uri), Some(target)) = (self.normal(uri), self.normal(target)) else { return };
        if uri != target {
            self.redirects.entry(self.hasher.hash_one(&uri)).or_insert(target.into());
        }
    }

    /// The path of the file from the root of the copy, with slashes, for the capture that counts of a URI, or of those to which it
    /// redirects.
    pub fn find(&self, uri: &str) -> Option<String> {
        let mut uri = self.normal(uri)?;
        for _ in 0..=MAX_REDIRECTS {
            let key = self.hasher.hash_one(&uri);
            if let Some(captured) = self.captures.get(&key) {
                return self.name(&uri, captured);
            }
            uri = self.redirects.get(&key)?.clone().into();
        }
        None
    }

    /// `None` if another capture counts.
    pub fn name_of(&self, index: u64, uri: &str) -> Option<String> {
        let uri = self.normal(uri)?;
        let captured = self.captures.get(&self.hasher.hash_one(&uri)).filter(|captured| captured.index == index)?;
        self.name(&uri, captured)
    }

    fn name(&self, uri: &str, captured: &Captured) -> Option<String> {
        let name = wget_name(uri, captured.ending)?;
        let mut hasher = self.hasher.build_hasher();
        hasher.write(name.as_bytes());
        let is_free = captured.number == 0 && !self.folders.contains(&hasher.finish());
        Some(if is_free { name } else { marked(&name, captured.number) })
    }

    /// Without its fragment. `None` if it is no valid URL.
    fn normal(&self, uri: &str) -> Option<String> {
        let url = whatwg::Base::new(uri.split('#').next()?).ok()?;
        Some(self.normalizer.normalize(url.as_str()).unwrap_or_else(|_| url.as_str().into()))
    }
}

/// `None` if the URI names no host.
fn wget_name(uri: &str, ending: &str) -> Option<String> {
    let uri = UriRef::new(uri);
    let scheme = uri.scheme()?;
    if !["http", "https", "ftp"].iter().any(|known| known.eq_ignore_ascii_case(scheme)) {
        return None;
    }
    let host = component(uri.authority()?.rsplit('@').next().filter(|host| !host.is_empty())?);
    let (folders, file) = uri.path().rsplit_once('/').unwrap_or(("", uri.path()));
    let folders = folders.split('/').filter(|folder| !folder.is_empty()).map(component);
    let folders = folders.map(|folder| shortened(folder, "")).collect::<Vec<_>>().join("/");
    let mut file = if file.is_empty() { INDEX.into() } else { component(file) };
    if let Some(query) = uri.query() {
        file.push(if cfg!(windows) { '@' } else { '?' });
        file.push_str(&component(query));
    }
    let has_ending = match ending {
        ".html" => [".html", ".htm"].iter().any(|known| ends_with(&file, known)),
        ending => ends_with(&file, ending),
    };
    let host = if host == INDEX { marked(INDEX, 0) } else { shortened(host, "") };
    let folders = if folders.len() > MAX_FOLDERS { format!("{MARK}{:016x}", fnv(&folders)) } else { folders };
    let file = shortened(file, if has_ending { "" } else { ending });
    Some(if folders.is_empty() { format!("{host}/{file}") } else { format!("{host}/{folders}/{file}") })
}

fn ends_with(file: &str, ending: &str) -> bool {
    file.len() >= ending.len() && file.as_bytes()[file.len() - ending.len()..].eq_ignore_ascii_case(ending.as_bytes())
}

/// Decodes a part of a URI, and escapes what a name cannot have. It is no `.` or `..`, and names no other folder.
fn component(part: &str) -> String {
    let bytes = decode_leaving_illegal(part).to_bytes();
    let mut name = String::with_capacity(bytes.len());
    let escape = |name: &mut String, bytes: &[u8]| bytes.iter().for_each(|byte| name.push_str(&format!("%{byte:02X}")));
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            let is_free = !c.is_control() && c != '/' && !(cfg!(windows) && "\\:*?\"<>|".contains(c));
            if c == '~' && name.ends_with('%') {
                name.push_str("25~");
            } else if is_free {
                name.push(c);
            } else {
                escape(&mut name, c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        escape(&mut name, chunk.invalid());
    }
    if matches!(&*name, "." | "..") { name.replace('.', "%2E") } else { name }
}

/// With its ending, and a hash of the name if it is cut.
fn shortened(name: String, ending: &str) -> String {
    let name = name + ending;
    if name.len() <= MAX_NAME {
        return name;
    }
    let (stem, ending) = split_ending(&name);
    let end = (0..=MAX_NAME - 18 - ending.len()).rev().find(|end| stem.is_char_boundary(*end)).unwrap_or(0);
    format!("{}{MARK}{:016x}{ending}", &stem[..end], fnv(&name))
}

/// Before its ending, which tells browsers the type of the file.
fn marked(path: &str, number: u32) -> String {
    let (stem, ending) = split_ending(path);
    format!("{stem}{MARK}{number}{ending}")
}

fn split_ending(name: &str) -> (&str, &str) {
    let at = name.rfind('.').filter(|at| name.len() - at <= 16 && !name[*at..].contains('/'));
    name.split_at(at.unwrap_or(name.len()))
}

/// FNV-1a, the same in each run and on each machine. That two names may have the same does not matter: their files are then numbered.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
