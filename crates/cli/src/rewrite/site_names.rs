//! The files of the captures of a site, with names as `wget --adjust-extension` gives them.

use std::borrow::Cow;
use std::collections::hash_map::{Entry, RandomState};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Mutex;

use relref::crawl::Normalizer;
use relref::percent::decode_leaving_illegal;
use relref::{UriRef, whatwg};
use relref_links::parallel::lock;
use tempfile::{SpooledTempFile, spooled_tempfile};

/// The most bytes of the name of a file or folder. File systems hold 255; the rest is room for a number.
const MAX_NAME: usize = 240;
/// The most bytes of all folders of a file together. Systems take paths of 4,096.
const MAX_FOLDERS: usize = 2048;
/// The most folders of a file, one in the other. A capture of 2 KB could make a thousand.
const MAX_DEPTH: usize = 32;
/// The list of pages, beside the folders of the hosts.
pub const INDEX: &str = "index.html";
/// Starts what no name of wget has: it is escaped there.
const MARK: &str = "%~";
/// More redirects are a loop.
const MAX_REDIRECTS: usize = 20;
/// The most bytes of a fragment that is kept: many could take much memory.
const MAX_FRAGMENT: usize = 256;
/// The bytes of a fragment that count as a redirect of their own.
const FRAGMENT_ROOM: usize = 64;

/// Memory: about 90 bytes for each capture, folder and redirect.
pub struct SiteNames {
    hasher: RandomState,
    normalizer: Normalizer,
    captures: HashMap<u64, Captured>,
    /// The redirects by the hashes of their URIs.
    redirects: HashMap<u64, Redirect>,
    /// How many files want a name.
    wanted: HashMap<u64, u32>,
    folders: HashSet<u64>,
    /// The names of all captures, for those that are found by a redirect: from their URIs, which are known then, others are made.
    names: Mutex<SpooledTempFile>,
    names_len: u64,
    /// How many more captures, folders and redirects there may be.
    room: u64,
    for_windows: bool,
}

struct Captured {
    /// Among all captures of the archives.
    index: u64,
    /// The number of the file, from 0, among those that want the same name.
    number: u32,
    ending: &'static str,
    /// The place of its name in [`SiteNames::names`].
    name_at: u64,
    name_len: u32,
    /// It is a style sheet with links.
    has_links: bool,
    /// The body is a part (RFC 9110 §15.3.7), which counts only if there is no whole one.
    is_part: bool,
}

struct Redirect {
    /// The hash of the URI without its fragment.
    target: u64,
    /// Counts in place of that of a link (RFC 9110 §10.2.2).
    fragment: Option<Box<str>>,
}

/// The reason why a capture has no name.
#[derive(Debug, PartialEq)]
pub enum Nameless {
    /// Its URI is invalid, or names no host.
    NoHost,
    /// There are too many.
    NoRoom,
}

impl SiteNames {
    /// With `for_windows`, names are those that Windows can have. There may be `room` captures, folders and redirects together.
    pub fn new(for_windows: bool, room: u64) -> Self {
        SiteNames {
            hasher: RandomState::new(),
            normalizer: Normalizer::safe(),
            captures: HashMap::new(),
            redirects: HashMap::new(),
            wanted: HashMap::new(),
            folders: HashSet::new(),
            names: Mutex::new(spooled_tempfile(1 << 20)),
            names_len: 0,
            room,
            for_windows,
        }
    }

    /// Adds a capture, unless its URI has one. `ending` is added to a name without it. A capture without a name is left out.
    pub fn add(&mut self, index: u64, uri: &str, ending: &'static str, is_part: bool) -> Result<(), Nameless> {
        let named = |uri: String| Some((wget_name(&uri, ending, self.for_windows)?, uri));
        let (name, uri) = self.normal(uri).and_then(named).ok_or(Nameless::NoHost)?;
        let compared = self.as_compared(&name).into_owned();
        let new = match self.captures.entry(self.hasher.hash_one(&uri)) {
            Entry::Vacant(new) => new,
            Entry::Occupied(mut known) => {
                if known.get().is_part && !is_part {
                    (known.get_mut().index, known.get_mut().is_part) = (index, false);
                }
                return Ok(());
            }
        };
        self.room = self.room.checked_sub(1).ok_or(Nameless::NoRoom)?;
        let mut hasher = self.hasher.build_hasher();
        for part in compared.split_inclusive('/') {
            if part.ends_with('/') {
                hasher.write(&part.as_bytes()[..part.len() - 1]);
                if self.folders.insert(hasher.clone().finish()) {
                    self.room = self.room.checked_sub(1).ok_or(Nameless::NoRoom)?;
                }
                hasher.write(b"/");
            } else {
                hasher.write(part.as_bytes());
            }
        }
        let wanted = self.wanted.entry(hasher.finish()).or_default();
        let (name_at, name_len) = (self.names_len, name.len() as u32);
        // Without it, redirects to the capture lead to nothing.
        if lock(&self.names).write_all(name.as_bytes()).is_ok() {
            self.names_len += u64::from(name_len);
        }
        new.insert(Captured { index, number: *wanted, ending, name_at, name_len, has_links: false, is_part });
        *wanted += 1;
        Ok(())
    }

    /// `target` is absolute. The first counts.
    pub fn add_redirect(&mut self, uri: &str, target: &str) {
        let fragment = target.split_once('#').map(|(_, fragment)| fragment).filter(|text| text.len() <= MAX_FRAGMENT);
        let (Some(uri), Some(target)) = (self.normal(uri), self.normal(target)) else { return };
        let room = 1 + fragment.map_or(0, |fragment| fragment.len().div_ceil(FRAGMENT_ROOM)) as u64;
        if uri != target && self.room >= room {
            self.room -= room;
            let redirect = Redirect { target: self.hasher.hash_one(&target), fragment: fragment.map(Box::from) };
            self.redirects.entry(self.hasher.hash_one(&uri)).or_insert(redirect);
        }
    }

    /// Notes that the capture of a URI that counts is a style sheet with links.
    pub fn add_links(&mut self, index: u64, uri: &str) {
        let captured = self.normal(uri).and_then(|uri| self.captures.get_mut(&self.hasher.hash_one(&uri)));
        if let Some(captured) = captured.filter(|captured| captured.index == index) {
            captured.has_links = true;
        }
    }

    /// Reports whether the capture for a URI is a style sheet with links: nearly all of them change.
    pub fn changes(&self, uri: &str) -> bool {
        let key = self.normal(uri).map(|uri| self.hasher.hash_one(&uri));
        key.and_then(|key| self.captured(key)).is_some_and(|(captured, _)| captured.has_links)
    }

    /// Follows redirects, and returns the last fragment of those, too.
    fn captured(&self, mut key: u64) -> Option<(&Captured, Option<&str>)> {
        let mut fragment = None;
        for _ in 0..=MAX_REDIRECTS {
            if let Some(captured) = self.captures.get(&key) {
                return Some((captured, fragment));
            }
            let redirect = self.redirects.get(&key)?;
            fragment = redirect.fragment.as_deref().or(fragment);
            key = redirect.target;
        }
        None
    }

    /// The path of the file from the root of the copy, with slashes, for the capture that counts of a URI, or of those to which it
    /// redirects, and the fragment of the redirects.
    pub fn find(&self, uri: &str) -> Option<(String, Option<&str>)> {
        let uri = self.normal(uri)?;
        let key = self.hasher.hash_one(&uri);
        if let Some(captured) = self.captures.get(&key) {
            return Some((self.name(&uri, captured)?, None));
        }
        let (captured, fragment) = self.captured(key)?;
        Some((self.numbered(self.kept_name(captured).ok()?, captured), fragment))
    }

    fn kept_name(&self, captured: &Captured) -> io::Result<String> {
        let mut names = lock(&self.names);
        names.seek(SeekFrom::Start(captured.name_at))?;
        let mut name = String::new();
        (&mut *names).take(captured.name_len.into()).read_to_string(&mut name)?;
        Ok(name)
    }

    /// `None` if another capture counts.
    pub fn name_of(&self, index: u64, uri: &str) -> Option<String> {
        let uri = self.normal(uri)?;
        let captured = self.captures.get(&self.hasher.hash_one(&uri)).filter(|captured| captured.index == index)?;
        self.name(&uri, captured)
    }

    fn name(&self, uri: &str, captured: &Captured) -> Option<String> {
        Some(self.numbered(wget_name(uri, captured.ending, self.for_windows)?, captured))
    }

    fn numbered(&self, name: String, captured: &Captured) -> String {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(self.as_compared(&name).as_bytes());
        let is_free = captured.number == 0 && !self.folders.contains(&hasher.finish());
        if is_free { name } else { marked(&name, captured.number) }
    }

    /// On Windows, case makes no difference.
    fn as_compared<'n>(&self, name: &'n str) -> Cow<'n, str> {
        if self.for_windows { name.to_lowercase().into() } else { name.into() }
    }

    /// Returns the normal form of a URI, without its fragment. `None` if it is not a valid URL.
    fn normal(&self, uri: &str) -> Option<String> {
        let url = whatwg::Base::new(uri.split('#').next()?).ok()?;
        Some(self.normalizer.normalize(url.as_str()).unwrap_or_else(|_| url.as_str().into()))
    }
}

/// `None` if the URI names no host.
fn wget_name(uri: &str, ending: &str, for_windows: bool) -> Option<String> {
    let uri = UriRef::new(uri);
    let scheme = uri.scheme()?;
    if !["http", "https", "ftp"].iter().any(|known| known.eq_ignore_ascii_case(scheme)) {
        return None;
    }
    let component = |part: &str| component(part, for_windows);
    let host = uri.authority()?.rsplit('@').next().filter(|host| !host.is_empty())?;
    let host =
        match host.rsplit_once(':').filter(|(_, port)| for_windows && port.bytes().all(|byte| byte.is_ascii_digit())) {
            Some((host, port)) => format!("{}+{port}", component(host)),
            None => component(host),
        };
    let (folders, file) = uri.path().rsplit_once('/').unwrap_or(("", uri.path()));
    let folders = folders.split('/').filter(|folder| !folder.is_empty());
    let folders = folders.map(|folder| shortened(component(folder), "")).collect::<Vec<_>>();
    let (depth, folders) = (folders.len(), folders.join("/"));
    let mut file = match (file, ending) {
        ("", ".xhtml") => "index.xhtml".into(),
        ("", _) => INDEX.into(),
        _ => component(file),
    };
    if let Some(query) = uri.query() {
        file.push(if for_windows { '@' } else { '?' });
        file.push_str(&component(query));
    }
    let has_ending = match ending {
        ".html" => [".html", ".htm"].iter().any(|known| ends_with(&file, known)),
        ".xhtml" => [".xhtml", ".xht"].iter().any(|known| ends_with(&file, known)),
        ending => ends_with(&file, ending),
    };
    let host = if host == INDEX { marked(INDEX, 0) } else { shortened(host, "") };
    let is_cut = folders.len() > MAX_FOLDERS || depth > MAX_DEPTH;
    let folders = if is_cut { format!("{MARK}{:016x}", fnv(&folders)) } else { folders };
    let file = shortened(file, if has_ending { "" } else { ending });
    Some(if folders.is_empty() { format!("{host}/{file}") } else { format!("{host}/{folders}/{file}") })
}

fn ends_with(file: &str, ending: &str) -> bool {
    file.len() >= ending.len() && file.as_bytes()[file.len() - ending.len()..].eq_ignore_ascii_case(ending.as_bytes())
}

/// Decodes a part of a URI, and escapes what a name cannot have. It is no `.` or `..`, and names no other folder.
fn component(part: &str, for_windows: bool) -> String {
    let bytes = decode_leaving_illegal(part).to_bytes();
    let mut name = String::with_capacity(bytes.len());
    let escape = |name: &mut String, bytes: &[u8]| bytes.iter().for_each(|byte| name.push_str(&format!("%{byte:02X}")));
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            let is_free = !c.is_control() && c != '/' && !(for_windows && "\\:*?\"<>|".contains(c));
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
    match &*name {
        "." | ".." => name.replace('.', "%2E"),
        name if is_of_repository(name) => format!("%{:02X}{}", name.as_bytes()[0], &name[1..]),
        _ if !for_windows => name,
        _ => {
            if is_device(&name) {
                name.replace_range(..1, &format!("%{:02X}", name.as_bytes()[0]));
            }
            // Windows removes them.
            match name.pop() {
                Some(last @ ('.' | ' ')) => escape(&mut name, &[last as u8]),
                last => name.extend(last),
            }
            name
        }
    }
}

/// Reports whether programs for version control take a folder with this name, or with a file of this name, for a repository: the
/// configuration of one can name commands that they run. File systems may ignore case.
fn is_of_repository(name: &str) -> bool {
    let starts = [".git", ".hg", ".svn", ".bzr", ".jj", ".pijul", ".fslckout", "_darcs", "_FOSSIL_", "git~", "CVS"];
    let is_start = |start: &str| name.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start));
    starts.into_iter().any(is_start) || name.eq_ignore_ascii_case("HEAD")
}

/// Reports whether Windows takes a name for that of a device, whatever its ending.
fn is_device(name: &str) -> bool {
    let name = name.split(['.', ' ']).next().unwrap_or_default().to_ascii_uppercase();
    let is_numbered = |device: &str| {
        let number = name.strip_prefix(device);
        number.is_some_and(|number| {
            matches!(number, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
        })
    };
    matches!(&*name, "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$") || is_numbered("COM") || is_numbered("LPT")
}

/// Returns a name with its ending, and with a hash of the name if it is cut.
fn shortened(name: String, ending: &str) -> String {
    let name = name + ending;
    if name.len() <= MAX_NAME {
        return name;
    }
    let (stem, ending) = split_ending(&name);
    let end = (0..=MAX_NAME - 18 - ending.len()).rev().find(|end| stem.is_char_boundary(*end)).unwrap_or(0);
    format!("{}{MARK}{:016x}{ending}", &stem[..end], fnv(&name))
}

/// Adds a mark and a number to a path, before its ending, which tells browsers the type of the file.
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn file(names: &SiteNames, uri: &str) -> Option<String> {
        names.find(uri).map(|(name, _)| name)
    }
    use crate::links::input::uri_below;

    /// The names are those that wget 1.21 gives, except for the marked ones and octets that are no characters.
    #[test]
    fn names_are_those_of_wget() {
        for (uri, ending, expected) in [
            ("http://h", ".html", "h/index.html"),
            ("https://u:p@h:8080/a/b/?", ".html", "h:8080/a/b/index.html?.html"),
            ("http://h/a//b", ".html", "h/a/b.html"),
            ("http://h/a.HTM", ".html", "h/a.HTM"),
            ("http://h/", ".xhtml", "h/index.xhtml"),
            ("http://h/a.html", ".xhtml", "h/a.html.xhtml"),
            ("http://h/a.xht", ".xhtml", "h/a.xht"),
            ("http://h/p.php?id=3", ".html", "h/p.php?id=3.html"),
            ("http://h/p.php?u=http://h/a%20b&c=%2F", ".html", "h/p.php?u=http:%2F%2Fh%2Fa b&c=%2F.html"),
            ("http://h/c.css?v=5.1", ".css", "h/c.css?v=5.1.css"),
            ("http://h/i.png?x=1", "", "h/i.png?x=1"),
            ("http://h/%D0%BD%D0%BE", "", "h/но"),
            ("http://h/%E6%97%A5.HTML?x", ".html", "h/日.HTML?x.html"),
            ("http://h/s%3Fx%2Fy", "", "h/s?x%2Fy"),
            ("http://h/x%25y%zz", "", "h/x%y%zz"),
            ("http://h/%7F%C2%80%01", "", "h/%7F%C2%80%01"),
            ("http://h/caf%E9", "", "h/caf%E9"),
            ("http://bücher.example/a", "", "xn--bcher-kva.example/a"),
            ("http://[2001:db8::1]/a", "", "[2001:db8::1]/a"),
            ("http://h/%2e%2E/..%2F/.%2e/...", "", "h/..."),
            ("http://../a", "", "%2E%2E/a"),
            ("http://./%2F", "", "%2E/%2F"),
            ("http://.git/config", "", "%2Egit/config"),
            ("http://h/.GIT%41/.hgx/HEAD", "", "h/%2EGITA/%2Ehgx/%48EAD"),
            ("http://index.html/a", "", "index%~0.html/a"),
            ("http://h/a%25~0", "", "h/a%25~0"),
        ] {
            let mut names = SiteNames::new(false, 1000);
            assert_eq!(names.add(0, uri, ending, false), Ok(()), "{uri}");
            assert_eq!(file(&names, uri).as_deref(), Some(expected));
            assert_eq!(names.name_of(0, &format!("{uri}#f")).as_deref(), Some(expected));
            assert_eq!(names.name_of(1, uri), None);
        }
        for uri in ["urn:x", "file:///a", "data:,x", "http://", "/a", "", "http://a%2Fb/"] {
            assert_eq!(SiteNames::new(false, 1000).add(0, uri, "", false), Err(Nameless::NoHost), "{uri}");
        }
    }

    #[test]
    fn windows_can_have_its_names() {
        for (uri, ending, expected) in [
            ("http://h:8080/p.php?id=3", ".html", "h+8080/p.php@id=3.html"),
            ("http://[2001:db8::1]:81/a", "", "[2001%3Adb8%3A%3A1]+81/a"),
            ("http://[2001:db8::1]/a", "", "[2001%3Adb8%3A%3A1]/a"),
            ("http://h/a:b*c%22d%3Cе%7C%5C", "", "h/a%3Ab%2Ac%22d%3Cе%7C%5C"),
            ("http://h/con/Aux.html/nul", ".html", "h/%63on/%41ux.html/%6Eul.html"),
            ("http://h/console/COM1.tar.gz", "", "h/console/%43OM1.tar.gz"),
            ("http://h/a./b%20/...", "", "h/a%2E/b%20/..%2E"),
            ("http://h/日.?x=%3F", "", "h/日%2E@x=%3F"),
        ] {
            let mut names = SiteNames::new(true, 1000);
            assert_eq!(names.add(0, uri, ending, false), Ok(()), "{uri}");
            assert_eq!(file(&names, uri).as_deref(), Some(expected));
        }
        // Case makes no difference.
        let mut names = SiteNames::new(true, 1000);
        let uris = ["http://h/Привет", "http://h/привет", "http://h/ПРИВЕТ/x"];
        (0..).zip(uris).for_each(|(index, uri)| names.add(index, uri, "", false).unwrap());
        assert_eq!(uris.map(|uri| file(&names, uri).unwrap()), ["h/Привет%~0", "h/привет%~1", "h/ПРИВЕТ/x"]);
    }

    /// The readers of copies find the URIs again.
    #[test]
    fn names_can_be_read_back() {
        for uri in [
            "http://h/",
            "http://h/a/?b=c",
            "http://h/p.php?id=3&a%5B%5D=x%20y",
            "http://h/%D0%BD.png",
            "http://h/a%2Fb",
        ] {
            let mut names = SiteNames::new(false, 1000);
            names.add(0, uri, ".css", false).unwrap();
            names.add(1, "http://h/x", "", false).unwrap();
            let name = file(&names, uri).unwrap();
            let name = name.strip_prefix("h/").unwrap();
            let name = if uri.contains('?') { name } else { name.strip_suffix(".css").unwrap() };
            assert_eq!(uri_below("http://h/", name.as_ref(), Some(&["index.html"])), uri);
        }
    }

    #[test]
    fn each_file_has_a_name_of_its_own() {
        let mut names = SiteNames::new(false, 1000);
        let long = "日".repeat(200);
        let uris = [
            "http://h/a",
            "https://h/a",
            "http://h/a/b",
            "http://h/a/b/",
            "http://h/a/b/index.html",
            "http://h/a%~0",
            "http://h/a%~1",
            &format!("http://h/{long}1.png"),
            &format!("http://h/{long}2.png"),
            &format!("http://h/{long}1.png?{long}"),
            &format!("http://h/{}x", "d/".repeat(2000)),
        ];
        for (index, uri) in uris.iter().enumerate() {
            names.add(index as u64, uri, "", false).unwrap();
        }
        let found: Vec<String> = uris.iter().map(|uri| file(&names, uri).unwrap()).collect();
        let expected =
            ["h/a%~0", "h/a%~1", "h/a/b%~0", "h/a/b/index.html", "h/a/b/index%~1.html", "h/a%25~0", "h/a%25~1"];
        assert_eq!(found[..7], expected);
        assert!(found[7].starts_with("h/日") && found[7].ends_with(".png"), "{}", found[7]);
        let distinct: HashSet<&String> = found.iter().collect();
        assert_eq!(distinct.len(), uris.len(), "{found:?}");
        assert!(found.iter().all(|name| name.split('/').all(|part| part.len() <= 255) && name.len() < 3000));
        // No file is a folder of another.
        let is_folder = |name: &String| found.iter().any(|other| other.starts_with(&format!("{name}/")));
        assert!(!found.iter().any(is_folder), "{found:?}");
    }

    #[test]
    fn folders_and_files_are_bounded() {
        let mut names = SiteNames::new(false, 100);
        let deep = |index: u64| format!("http://h/{index}/{}x", "a/".repeat(30));
        let added = (0..10).map(|index| names.add(index, &deep(index), "", false)).filter(Result::is_ok).count();
        assert_eq!(added, 3);
        assert_eq!(
            (file(&names, &deep(2)).is_some(), file(&names, &deep(3)), names.name_of(3, &deep(3))),
            (true, None, None)
        );
        let name = wget_name(&format!("http://h/{}x", "a/".repeat(1000)), "", false).unwrap();
        assert_eq!(name.split('/').count(), 3, "{name}");
    }

    #[test]
    fn redirects_are_followed_to_their_end() {
        let mut names = SiteNames::new(false, 1000);
        for (from, to) in
            [("a", "b#f"), ("b", "c"), ("c", "c#f"), ("d", "a#"), ("x", "y"), ("y", "x"), ("z", "none"), ("a", "x")]
        {
            names.add_redirect(&format!("http://h/{from}"), &format!("http://h/{to}"));
        }
        names.add(0, "http://h/c", "", false).unwrap();
        let find = |path: &str| names.find(&format!("http://h/{path}"));
        let found = [Some("f"), None, None, Some("f")].map(|fragment| Some(("h/c".to_owned(), fragment)));
        assert_eq!(["a", "b", "c", "d"].map(find), found);
        assert_eq!(["x", "y", "z", "none"].map(find), [const { None }; 4]);
    }
}
