//! The files of a folder and of all folders below it, in the order of their names, with symbolic links as such. Files that are being
//! written are left out.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::replace::is_new_file;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    File,
    Folder,
    Symlink,
    /// A named pipe, socket or device.
    Special,
}

/// Paths are relative to the folder.
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
