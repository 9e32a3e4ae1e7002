//! Where the bytes of the files of a site are: in a folder, in an EPUB, or in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use super::paths::path_of;
use crate::page::{EpubFile, PageBytes, PageKind, Store};

/// The length in bytes of the longest page that is held in memory; a longer one is read as a stream.
const IN_MEMORY: u64 = 1 << 20;

/// The keys are the paths of files below the root.
pub(super) enum Contents {
    /// The files are those of the system.
    Folder,
    Epub {
        path: PathBuf,
        files: BTreeMap<Vec<u8>, EpubFile>,
    },
    Memory(BTreeMap<Vec<u8>, Vec<u8>>),
}

impl Contents {
    /// Finds the files of an EPUB. What is wrong with it is in the second result.
    pub(super) fn of_epub(path: &Path) -> io::Result<(Self, Vec<String>)> {
        let (files, damage) = EpubFile::all(&mut File::open(path)?)?;
        Ok((Contents::Epub { path: path.to_owned(), files }, damage))
    }

    /// Returns the paths of all files and folders, and whether they are folders, in the order of a walk.
    pub(super) fn paths(&self) -> Vec<(Vec<u8>, bool)> {
        let files: Vec<&Vec<u8>> = match self {
            Contents::Folder => Vec::new(),
            Contents::Epub { files, .. } => files.keys().collect(),
            Contents::Memory(files) => files.keys().collect(),
        };
        let mut folders = BTreeSet::<&[u8]>::new();
        for path in &files {
            // A folder that is known has all around it.
            for slash in memchr::memrchr_iter(b'/', path) {
                if !folders.insert(&path[..slash]) {
                    break;
                }
            }
        }
        let is_file = |path: &&Vec<u8>| !path.ends_with(b"/") && !folders.contains(&***path);
        let files = files.into_iter().filter(is_file).map(|path| (path.clone(), false));
        let mut all: Vec<_> = files.chain(folders.iter().map(|path| (path.to_vec(), true))).collect();
        all.sort_by(|(one, _), (other, _)| one.split(|byte| *byte == b'/').cmp(other.split(|byte| *byte == b'/')));
        all
    }

    /// Returns the path of a file as people see it.
    pub(super) fn shown(&self, root: &Path, path: &[u8]) -> PathBuf {
        match self {
            // A name may look like that of a drive, which would replace the root.
            Contents::Epub { .. } => {
                let mut shown = root.as_os_str().to_owned();
                shown.push("/");
                shown.push(&*path_of(path));
                shown.into()
            }
            // Without `./`, as people write it. To compare name by name is slow.
            _ if root.as_os_str().as_encoded_bytes().starts_with(b".") && root == Path::new(".") => {
                path_of(path).into_owned()
            }
            _ => root.join(path_of(path)),
        }
    }

    /// Opens a file, which stands at `shown` if the contents are those of a folder. Few bytes are in memory, in `buffer`.
    pub(super) fn open(&self, path: &[u8], shown: &Path, mut buffer: Vec<u8>) -> io::Result<PageBytes> {
        buffer.clear();
        let mut file = match self {
            Contents::Folder => File::open(shown)?,
            Contents::Epub { path: epub, files } => {
                let file = files.get(path).ok_or(io::ErrorKind::NotFound)?;
                return Store { buffer, ..Store::default() }.store(file.reader(&mut File::open(epub)?)?);
            }
            Contents::Memory(files) => {
                buffer.extend_from_slice(files.get(path).ok_or(io::ErrorKind::NotFound)?);
                return Ok(buffer.into());
            }
        };
        if file.metadata()?.len() > IN_MEMORY {
            return Ok(file.into());
        }
        file.by_ref().take(IN_MEMORY + 1).read_to_end(&mut buffer)?;
        if buffer.len() as u64 > IN_MEMORY {
            file.rewind()?;
            return Ok(file.into());
        }
        Ok(buffer.into())
    }

    /// Returns the length of a file in bytes, or 0 if it is not known.
    pub(super) fn len_of(&self, path: &[u8], shown: &Path) -> u64 {
        match self {
            Contents::Folder => fs::metadata(shown).map_or(0, |metadata| metadata.len()),
            Contents::Epub { files, .. } => files.get(path).map_or(0, EpubFile::len),
            Contents::Memory(files) => files.get(path).map_or(0, |bytes| bytes.len() as u64),
        }
    }

    /// Returns the kind that an EPUB gives one of its pages.
    pub(super) fn kind_of(&self, path: &[u8]) -> Option<PageKind> {
        match self {
            Contents::Epub { files, .. } => files.get(path)?.kind,
            _ => None,
        }
    }

    pub(super) fn is_folder(&self) -> bool {
        matches!(self, Contents::Folder)
    }

    pub(super) fn check_writable(&self) -> io::Result<()> {
        let what = "only the files of a folder are changed, not those in an EPUB or in memory";
        if self.is_folder() { Ok(()) } else { Err(io::Error::new(io::ErrorKind::Unsupported, what)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_below_the_current_folder_are_shown_without_it() {
        for (root, expected) in [
            (".", "a/b"),
            ("./", "a/b"),
            (".//", "a/b"),
            ("././.", "a/b"),
            ("./docs", "./docs/a/b"),
            (".docs", ".docs/a/b"),
            ("..", "../a/b"),
            ("docs/.", "docs/./a/b"),
        ] {
            let shown = Contents::Folder.shown(Path::new(root), b"a/b");
            assert_eq!(shown.as_os_str(), Path::new(expected).as_os_str(), "{root}");
        }
    }
}
