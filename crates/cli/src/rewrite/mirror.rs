//! The files of a copy of a site, by the URIs that they stand for.

use std::borrow::Cow;
use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

use icu_normalizer::ComposingNormalizerBorrowed;
use relref::UriRef;
use relref::crawl::Normalizer;
use relref::percent::decode_lossy;
use relref_links::files::{EntryKind, Walk};
use relref_links::page::FileKind;

use crate::file_uri::uri_path;
use crate::links::input::uri_below;

/// The files of a copy, by their URIs as these are [compared](ComparedUri). A file whose name is the path of a URI comes before one whose
/// name wget has made from it, and that before one which a server would find: `about.html` for `about`.
///
/// Memory: the names of all files and folders, without their paths, and about 60 bytes for each.
pub struct Mirror {
    hasher: RandomState,
    names: Vec<NameBelow>,
    /// The places in `names` of files, by hashes of their URIs.
    files: HashMap<u64, u32>,
    /// Hashes of the paths of files, where each host has a folder.
    paths: HashSet<u64>,
    /// The folder that a symbolic link leads to, by the URI of the link.
    symlinks: HashMap<String, String>,
    normalizer: Normalizer,
    /// The scheme does not matter where each host has a folder.
    has_hosts: bool,
}

/// A name in a folder.
struct NameBelow {
    /// The place of the folder in the list; that of the name itself for one in the root.
    folder: u32,
    name: Box<OsStr>,
}

/// The most symbolic links, one leading to the next, that are followed.
const MAX_SYMLINKS: usize = 40;

impl Mirror {
    /// With `hosts`, the folder has a folder for each host.
    pub fn new(root: &Path, base: &str, index: &[String], hosts: bool) -> Self {
        let mut mirror = Mirror {
            hasher: RandomState::new(),
            names: Vec::new(),
            files: HashMap::new(),
            paths: HashSet::new(),
            symlinks: HashMap::new(),
            normalizer: Normalizer::safe(),
            has_hosts: hosts,
        };
        let uri_of = |path: &Path, index: Option<&[String]>| match host_base(base, path).filter(|_| hosts) {
            Some((base, path)) => uri_below(&base, path, index),
            None => uri_below(base, path, index),
        };
        let files = mirror.add_names(root);
        if hosts {
            let hash = |file: &u32| Some(mirror.hasher.hash_one(mirror.path(*file).to_str()?));
            mirror.paths = files.iter().filter_map(hash).collect();
        }
        for names in [None, Some(index), Some(&[][..])] {
            for &file in &files {
                mirror.add(&uri_of(&mirror.path(file), names), file);
            }
        }
        // As `check` has it, a page comes before a folder of its name. wget adds `.css` to style sheets of other names.
        for endings in [&[".html", ".htm"][..], &["/"], &[".css"]] {
            for &file in &files {
                let uri = uri_of(&mirror.path(file), Some(index));
                let clean = endings.iter().find_map(|ending| uri.strip_suffix(ending));
                clean.into_iter().for_each(|uri| mirror.add(uri, file));
            }
        }
        for entry in Walk::new(root).flatten() {
            if let EntryKind::OtherFolder(target) = entry.kind {
                let path = entry.path.strip_prefix(root).unwrap_or(&entry.path);
                let target = target.strip_prefix(root).unwrap_or(&target).to_owned();
                let [from, to] = [path, &target].map(|path| mirror.compared(&uri_of(path, None)).path + "/");
                mirror.symlinks.insert(from, to);
            }
        }
        mirror
    }

    /// Returns the path of the file for a URI, percent-encoded.
    pub fn find(&self, uri: &str) -> Option<String> {
        let ComparedUri { path, query } = self.compared(uri);
        let find = |uri: String| self.file_at(uri).map(|file| self.path(file));
        let Some(query) = query else { return find(path).map(|path| uri_path(&path)) };
        // The URI of a page that is named `list.html` in the copy may be `list`.
        let stem = || path.strip_suffix(".html").or(path.strip_suffix(".htm"));
        let with_query = find([&path, "?", &query].concat())
            .or_else(|| find([stem()?, "?", &query].concat()))
            .or_else(|| find([&path, "@", &query].concat()));
        // A file other than a page is the same with each query, which tells its version to caches.
        let without = || find(path.clone()).filter(|file| query.is_empty() || FileKind::of(file) != FileKind::Page);
        with_query.or_else(without).map(|path| uri_path(&path))
    }

    /// Reports whether there is a file at a path.
    pub fn has(&self, path: &str) -> bool {
        self.paths.contains(&self.hasher.hash_one(path))
    }

    fn file_at(&self, mut uri: String) -> Option<u32> {
        for _ in 0..MAX_SYMLINKS {
            if let Some(file) = self.files.get(&self.hasher.hash_one(&uri)) {
                return Some(*file);
            }
            let ends = memchr::memchr_iter(b'/', uri.as_bytes()).map(|end| end + 1);
            let mut links = ends.filter_map(|end| Some((end, self.symlinks.get(&uri[..end])?)));
            uri = links.next().map(|(end, target)| [target, &uri[end..]].concat())?;
        }
        None
    }

    /// Adds the names of all files and folders, and returns the places of the files.
    fn add_names(&mut self, root: &Path) -> Vec<u32> {
        // The folders on the way to the current name.
        let (mut folders, mut files) = (Vec::new(), Vec::new());
        for entry in Walk::new(root).without_following().flatten() {
            let path = entry.path.strip_prefix(root).unwrap_or(&entry.path);
            let Ok(place) = u32::try_from(self.names.len()) else { break };
            folders.truncate(path.components().count().saturating_sub(1));
            let folder = folders.last().copied().unwrap_or(place);
            self.names.push(NameBelow { folder, name: path.file_name().unwrap_or_default().into() });
            match entry.kind {
                EntryKind::Folder => folders.push(place),
                EntryKind::File | EntryKind::Symlink => files.push(place),
                _ => {}
            }
        }
        files
    }

    /// The first file with a URI counts.
    fn add(&mut self, uri: &str, file: u32) {
        let ComparedUri { path, query } = self.compared(uri);
        let key = query
            .map_or_else(|| self.hasher.hash_one(&path), |query| self.hasher.hash_one([&path, "?", &query].concat()));
        self.files.entry(key).or_insert(file);
    }

    fn path(&self, mut place: u32) -> PathBuf {
        let mut names = Vec::new();
        loop {
            let NameBelow { folder, name } = &self.names[place as usize];
            names.push(&**name);
            if *folder == place {
                break;
            }
            place = *folder;
        }
        names.into_iter().rev().collect()
    }

    fn compared(&self, uri: &str) -> ComparedUri {
        let uri =
            self.normalizer.normalize(uri).map_or_else(|_| Cow::Borrowed(uri), |normal| normal.to_string().into());
        let parts = UriRef::new(&*uri);
        let scheme = match parts.scheme().unwrap_or_default() {
            // A site has the same pages by both.
            "http" | "https" => "",
            _ if self.has_hosts => "",
            scheme => scheme,
        };
        let mut path = Cow::Borrowed(parts.path());
        while path.contains("//") {
            path = path.replace("//", "/").into();
        }
        let path = path.split("%2F").map(plain).collect::<Vec<_>>().join("%2F");
        let path = [scheme, "://", parts.authority().unwrap_or_default(), &path].concat();
        ComparedUri { path, query: parts.query().map(plain).map(Cow::into_owned) }
    }
}

/// A URI as it is compared: what names of files do not tell apart is the same. Its parts are without escapes, but for that of a slash in the
/// path, without empty segments, and in the normalization form C.
struct ComparedUri {
    /// The path, with the scheme and the authority before it.
    path: String,
    query: Option<String>,
}

/// A text without escapes, in the normalization form C; as it is if they are not of UTF-8.
fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return text.into();
    }
    let decoded = decode_lossy(text);
    if decoded.contains('\u{FFFD}') {
        return text.into();
    }
    ComposingNormalizerBorrowed::new_nfc().normalize(&decoded).into_owned().into()
}

/// The URI of the folder of a host, and the path in it, for a path whose first name is the host.
fn host_base<'p>(base: &str, path: &'p Path) -> Option<(String, &'p Path)> {
    let mut names = path.components();
    let host = names.next()?.as_os_str().to_str()?;
    // Windows has no colon in names.
    let is_port = |(_, port): &(&str, &str)| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let host = match host.rsplit_once('+').filter(is_port) {
        Some((name, port)) => format!("{name}:{port}"),
        None => host.to_owned(),
    };
    let scheme = UriRef::new(base).scheme().unwrap_or("http");
    Some((format!("{scheme}://{host}/"), names.as_path()))
}

/// The URI for which a file stands in a copy that wget has made, with a folder for each host or without.
pub fn mirrored_uri(base: &str, path: &Path, index: &[String], hosts: bool) -> String {
    match host_base(base, path).filter(|_| hosts) {
        Some((base, path)) => uri_below(&base, path, Some(index)),
        None => uri_below(base, path, Some(index)),
    }
}
