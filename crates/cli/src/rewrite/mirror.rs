//! The files of a copy of a site, by the URIs that they stand for.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::ffi::OsStr;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

use relref::crawl::Normalizer;
use relref_links::files::{EntryKind, Walk};

use crate::file_uri::uri_path;
use crate::links::input::uri_below;

/// The index file of a folder.
const INDEX: &[&str] = &["index.html"];

/// The files of a copy, by the normal forms of their URIs. A file whose name is the path of a URI comes before one whose name wget has made
/// from it.
///
/// Memory: the names of all files and folders, without their paths, and about 60 bytes for each.
pub struct Mirror {
    hasher: RandomState,
    normalizer: Normalizer,
    names: Vec<NameBelow>,
    /// The places in `names` of files, by hashes of their URIs.
    files: HashMap<u64, u32>,
}

/// A name in a folder.
struct NameBelow {
    /// The place of the folder in the list; that of the name itself for one in the root.
    folder: u32,
    name: Box<OsStr>,
}

impl Mirror {
    pub fn new(root: &Path, base: &str) -> Self {
        let mut mirror = Mirror {
            hasher: RandomState::new(),
            normalizer: Normalizer::safe(),
            names: Vec::new(),
            files: HashMap::new(),
        };
        // The folders on the way to the current name.
        let (mut folders, mut files) = (Vec::new(), Vec::new());
        for entry in Walk::new(root).without_following().flatten() {
            let path = entry.path.strip_prefix(root).unwrap_or(&entry.path);
            let Ok(place) = u32::try_from(mirror.names.len()) else { break };
            folders.truncate(path.components().count().saturating_sub(1));
            let folder = folders.last().copied().unwrap_or(place);
            mirror.names.push(NameBelow { folder, name: path.file_name().unwrap_or_default().into() });
            match entry.kind {
                EntryKind::Folder => folders.push(place),
                EntryKind::File | EntryKind::Symlink => files.push(place),
                _ => {}
            }
        }
        for index in [None, Some(INDEX)] {
            for &file in &files {
                let key = mirror.key(&uri_below(base, &mirror.path(file), index));
                mirror.files.entry(key).or_insert(file);
            }
        }
        mirror
    }

    /// Returns the path of the file for a URI, percent-encoded.
    pub fn find(&self, uri: &str) -> Option<String> {
        self.files.get(&self.key(uri)).map(|file| uri_path(&self.path(*file)))
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

    fn key(&self, uri: &str) -> u64 {
        self.hasher.hash_one(self.normalizer.normalize(uri).unwrap_or_else(|_| uri.into()))
    }
}
