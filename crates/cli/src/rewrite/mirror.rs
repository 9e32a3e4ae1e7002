//! The files of a copy of a site, by the URIs that they stand for.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::ffi::OsStr;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

use icu_normalizer::ComposingNormalizerBorrowed;
use relref::UriRef;
use relref::crawl::Normalizer;
use relref::percent::{ByteSet, decode_lossy, encode_with};
use relref_links::files::{EntryKind, Walk};

use crate::file_uri::uri_path;
use crate::links::input::uri_below;

/// The files of a copy, by the normal forms of their URIs. A file whose name is the path of a URI comes before one whose name wget has made
/// from it, and that before one which a server would find: `about.html` for `about`.
///
/// Memory: the names of all files and folders, without their paths, and about 60 bytes for each.
pub struct Mirror {
    hasher: RandomState,
    names: Vec<NameBelow>,
    /// The places in `names` of files, by hashes of their URIs.
    files: HashMap<u64, u32>,
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
        let (files, symlinks, names) = (HashMap::new(), HashMap::new(), Vec::new());
        let (hasher, normalizer) = (RandomState::new(), Normalizer::safe());
        let mut mirror = Mirror { hasher, names, files, symlinks, normalizer, has_hosts: hosts };
        let uri_of = |path: &Path, index: Option<&[String]>| match host_base(base, path).filter(|_| hosts) {
            Some((base, path)) => uri_below(&base, path, index),
            None => uri_below(base, path, index),
        };
        let files = mirror.add_names(root);
        for names in [None, Some(index), Some(&[][..])] {
            for &file in &files {
                mirror.add(&uri_of(&mirror.path(file), names), file);
            }
        }
        for &file in &files {
            let uri = uri_of(&mirror.path(file), Some(index));
            let clean = uri.strip_suffix(".html").or(uri.strip_suffix(".htm")).or(uri.strip_suffix('/'));
            clean.into_iter().for_each(|uri| mirror.add(uri, file));
        }
        for entry in Walk::new(root).flatten() {
            if let EntryKind::OtherFolder(target) = entry.kind {
                let path = entry.path.strip_prefix(root).unwrap_or(&entry.path);
                let target = target.strip_prefix(root).unwrap_or(&target).to_owned();
                let (from, to) = (mirror.normal(&uri_of(path, None)), mirror.normal(&uri_of(&target, None)));
                mirror.symlinks.insert(from + "/", to + "/");
            }
        }
        mirror
    }

    /// Returns the path of the file for a URI, percent-encoded.
    pub fn find(&self, uri: &str) -> Option<String> {
        let mut uri = self.normal(uri);
        for _ in 0..MAX_SYMLINKS {
            if let Some(file) = self.files.get(&self.hasher.hash_one(&uri)) {
                return Some(uri_path(&self.path(*file)));
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
        let key = self.hasher.hash_one(self.normal(uri));
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

    /// The normal form of a URI, without empty segments, and with its path in the normalization form C.
    fn normal(&self, uri: &str) -> String {
        let uri =
            self.normalizer.normalize(uri).map_or_else(|_| Cow::Borrowed(uri), |normal| normal.to_string().into());
        let parts = UriRef::new(&*uri);
        let scheme = if self.has_hosts { "" } else { parts.scheme().unwrap_or_default() };
        let authority = parts.authority().unwrap_or_default();
        let mut path = Cow::Borrowed(parts.path());
        while path.contains("//") {
            path = path.replace("//", "/").into();
        }
        if path.contains('%') {
            let decoded = decode_lossy(&path);
            let composed = ComposingNormalizerBorrowed::new_nfc();
            if !decoded.contains('\u{FFFD}') && !composed.is_normalized(&decoded) {
                path = encode_with(composed.normalize(&decoded).as_bytes(), ByteSet::PATH).to_string().into();
            }
        }
        let query = parts.query().map(|query| ["?", query].concat()).unwrap_or_default();
        [scheme, "://", authority, &path, &query].concat()
    }
}

/// The URI of the folder of a host, and the path in it, for a path whose first name is the host.
fn host_base<'p>(base: &str, path: &'p Path) -> Option<(String, &'p Path)> {
    let mut names = path.components();
    let host = names.next()?.as_os_str().to_str()?;
    let scheme = UriRef::new(base).scheme().unwrap_or("http");
    Some((format!("{scheme}://{host}/"), names.as_path()))
}

/// The URI of a file in a folder that has a folder for each host.
pub fn host_uri(base: &str, path: &Path) -> String {
    match host_base(base, path) {
        Some((base, path)) => uri_below(&base, path, None::<&[&str]>),
        None => uri_below(base, path, None::<&[&str]>),
    }
}
