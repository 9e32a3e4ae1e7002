//! The files of a folder and of all folders below it, and those of a copy of a site by the URIs that they stand for.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use relref::crawl::Normalizer;

use super::replace::is_new_file;
use crate::file_uri::uri_path;
use crate::links::input::uri_below;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    File,
    Folder,
    Symlink,
    /// A named pipe, socket or device.
    Special,
}

/// In the order of their names, with symbolic links as such. Files that are being written are left out. Paths are relative to the
/// folder.
pub struct Files {
    root: PathBuf,
    /// The next is last.
    stack: Vec<(Entry, PathBuf)>,
}

impl Files {
    pub fn new(root: &Path) -> Self {
        Files { root: root.to_owned(), stack: vec![(Entry::Folder, PathBuf::new())] }
    }

    fn push_entries(&mut self, folder: &Path) -> io::Result<()> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(self.root.join(folder))? {
            let entry = entry?;
            if is_new_file(&entry.file_name()) {
                continue;
            }
            let kind = match entry.file_type()? {
                kind if kind.is_symlink() => Entry::Symlink,
                kind if kind.is_dir() => Entry::Folder,
                kind if kind.is_file() => Entry::File,
                _ => Entry::Special,
            };
            entries.push((kind, folder.join(entry.file_name())));
        }
        entries.sort_by(|(_, a), (_, b)| b.cmp(a));
        self.stack.append(&mut entries);
        Ok(())
    }
}

/// An error is about the folder with this path.
impl Iterator for Files {
    type Item = (Entry, PathBuf, io::Result<()>);

    fn next(&mut self) -> Option<Self::Item> {
        let (entry, path) = self.stack.pop()?;
        let read = if entry == Entry::Folder { self.push_entries(&path) } else { Ok(()) };
        Some((entry, path, read))
    }
}

/// The index file of a folder.
const INDEX: &[&str] = &["index.html"];

/// The paths of the files of a copy, by the normal forms of their URIs. A file whose name is the path of a URI comes before one whose name
/// wget has made from it.
pub struct Mirror {
    files: HashMap<String, String>,
    normalizer: Normalizer,
}

impl Mirror {
    pub fn new(root: &Path, base: &str) -> Self {
        let mut mirror = Mirror { files: HashMap::new(), normalizer: Normalizer::safe() };
        for index in [None, Some(INDEX)] {
            let files = Files::new(root).filter(|(entry, ..)| matches!(entry, Entry::File | Entry::Symlink));
            for (_, path, _) in files {
                let uri = mirror.normal(&uri_below(base, &path, index));
                mirror.files.entry(uri).or_insert_with(|| uri_path(&path));
            }
        }
        mirror
    }

    pub fn find(&self, uri: &str) -> Option<String> {
        self.files.get(&self.normal(uri)).cloned()
    }

    fn normal(&self, uri: &str) -> String {
        self.normalizer.normalize(uri).unwrap_or_else(|_| uri.into())
    }
}
