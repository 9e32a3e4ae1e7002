//! A walk through a folder and the folders below it. It finds their files in the order of their names, and reads each folder once.

use std::fs::{self, FileType};
use std::io;
use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};

use super::file_kind::FileKind;
use super::folder_names::FolderNames;
use super::folder_symlinks::{Destination, FolderSymlinks};
use super::name_stack::{NameKind, NameStack};
use super::path_bytes::{bytes_of, path_of};
use crate::links::temp_file::temp_error;
use crate::quoting::file_name;

/// The message about a name that has no bytes, on systems other than Unix.
const NOT_UNICODE: &str = "its name is not Unicode";

/// A walk through a folder. A folder may have any number of names and be at any depth.
pub struct Walk {
    root: PathBuf,
    /// The names that are not visited yet, with the next one on top. Below the names in a folder is the end of the folder.
    stack: NameStack,
    /// The path of the folder that is being visited, with a separator at its end.
    path: Vec<u8>,
    /// The trees of the walk.
    symlinks: FolderSymlinks,
    /// The problems that are not returned yet.
    unread: Vec<Unread>,
    /// The name that was last taken off the stack.
    name: Vec<u8>,
    /// The number of files that are neither pages nor archives by their names.
    pub skipped: u64,
}

/// A path that cannot be read, and the reason.
#[derive(Debug)]
pub struct Unread {
    pub path: PathBuf,
    pub why: String,
}

impl Unread {
    /// Returns the problem of a path, with its reason.
    fn new(path: &Path, why: impl ToString) -> Self {
        Unread { path: path.to_owned(), why: why.to_string() }
    }
}

impl Walk {
    /// Starts a walk: reads the names in the root.
    pub fn new(root: &Path) -> Self {
        let mut walk = Walk {
            root: root.to_owned(),
            stack: NameStack::default(),
            path: Vec::new(),
            symlinks: FolderSymlinks::new(root),
            unread: Vec::new(),
            name: Vec::new(),
            skipped: 0,
        };
        // `join` adds a separator if the root does not end with one.
        let prefix = bytes_of(root.join("").into_os_string()).map_err(|_| Unread::new(root, NOT_UNICODE));
        let read = prefix.and_then(|prefix| {
            walk.path = prefix;
            walk.read(root)
        });
        walk.unread.extend(read.err());
        walk
    }

    /// Visits the name that was last taken off the stack: enters a folder, or leaves one if the name is its end. Returns the path
    /// of a file that may be a page or an archive, and otherwise `None`. An error is a path that cannot be read, or a symbolic link
    /// back to a folder around it.
    fn visit(&mut self, mut kind: NameKind) -> Result<Option<PathBuf>, Unread> {
        if let NameKind::End | NameKind::EndOfSymlink = kind {
            self.path.truncate(self.path.len() - self.name.len());
            if kind == NameKind::EndOfSymlink {
                self.symlinks.leave();
            }
            return Ok(None);
        }
        let path = path_of(&[&self.path[..], &self.name[..]].concat());
        if kind == NameKind::Unknown {
            let metadata = fs::symlink_metadata(&path).map_err(|error| Unread::new(&path, error))?;
            match kind_of(metadata.file_type()) {
                Some(known) => kind = known,
                None => return Ok(None),
            }
        }
        match kind {
            NameKind::File => return Ok(self.may_be_input(&path).then_some(path)),
            NameKind::Folder if !self.symlinks.is_tree(&path) => self.enter(&path, NameKind::End)?,
            NameKind::Symlink => {
                let metadata = fs::metadata(&path).map_err(|error| Unread::new(&path, error))?;
                if !metadata.is_dir() {
                    return Ok((metadata.is_file() && self.may_be_input(&path)).then_some(path));
                }
                match self.symlinks.follow(&path).map_err(|error| Unread::new(&path, error))? {
                    Destination::Around(folder) => {
                        return Err(Unread::new(&path, format!("a symbolic link back to {}", file_name(&folder))));
                    }
                    Destination::Known => {}
                    Destination::NewTree => self.enter(&path, NameKind::EndOfSymlink)?,
                }
            }
            _ => {}
        }
        Ok(None)
    }

    /// Enters the folder whose name was last taken off the stack. `end` is the kind of its end on the stack.
    fn enter(&mut self, path: &Path, end: NameKind) -> Result<(), Unread> {
        self.name.extend_from_slice(MAIN_SEPARATOR_STR.as_bytes());
        self.path.extend_from_slice(&self.name);
        self.stack.push(end, &self.name).map_err(|error| self.end(error))?;
        self.read(path)
    }

    /// Pushes the names in a folder on the stack. Leaves out files that are neither pages nor archives by their names.
    fn read(&mut self, folder: &Path) -> Result<(), Unread> {
        let mut names = FolderNames::default();
        for entry in fs::read_dir(folder).map_err(|error| Unread::new(folder, error))? {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.unread.push(Unread::new(folder, error));
                    break;
                }
            };
            let Some(kind) = entry.file_type().map_or(Some(NameKind::Unknown), kind_of) else { continue };
            let name = match bytes_of(entry.file_name()) {
                Ok(name) => name,
                Err(name) => {
                    self.unread.push(Unread::new(&folder.join(name), NOT_UNICODE));
                    continue;
                }
            };
            if kind == NameKind::File && !self.may_be_input(&path_of(&name)) {
                continue;
            }
            names.add(kind, name).map_err(|error| self.end(error))?;
        }
        let stack = &mut self.stack;
        names.each_reversed(|kind, name| stack.push(kind, name)).map_err(|error| self.end(error))
    }

    /// Reports whether a file of this name may be a page or an archive. Counts it if not.
    fn may_be_input(&mut self, path: &Path) -> bool {
        let may_be_input = FileKind::of(path) != FileKind::Other;
        self.skipped += u64::from(!may_be_input);
        may_be_input
    }

    /// Ends the walk, because its names are lost with a temporary file. Returns the problem.
    fn end(&mut self, error: io::Error) -> Unread {
        self.stack = NameStack::default();
        Unread::new(&self.root, temp_error(error))
    }
}

/// Yields the paths of files that may be pages or archives, and the paths that cannot be read.
impl Iterator for Walk {
    type Item = Result<PathBuf, Unread>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(unread) = self.unread.pop() {
                return Some(Err(unread));
            }
            let kind = match self.stack.pop(&mut self.name) {
                Ok(kind) => kind?,
                Err(error) => return Some(Err(self.end(error))),
            };
            match self.visit(kind) {
                Ok(None) => {}
                Ok(Some(path)) => return Some(Ok(path)),
                Err(unread) => return Some(Err(unread)),
            }
        }
    }
}

/// Returns the kind of a name in a folder. Returns `None` if it is not a file, a folder or a symbolic link.
fn kind_of(of: FileType) -> Option<NameKind> {
    match () {
        () if of.is_file() => Some(NameKind::File),
        () if of.is_dir() => Some(NameKind::Folder),
        () if of.is_symlink() => Some(NameKind::Symlink),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes the files of a folder, and returns what a walk through it finds, without the path of the folder.
    fn walk(files: &[&str], symlinks: &[(&str, &str)]) -> Vec<String> {
        let root = tempfile::tempdir().unwrap();
        for file in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        for (name, target) in symlinks {
            #[cfg(unix)]
            std::os::unix::fs::symlink(target, root.path().join(name)).unwrap();
        }
        let short = |path: &Path| path.strip_prefix(root.path()).unwrap().to_str().unwrap().to_owned();
        let found = Walk::new(root.path()).map(|found| match found {
            Ok(path) => short(&path),
            Err(unread) => {
                format!("{}: {}", short(&unread.path), unread.why.replace(root.path().to_str().unwrap(), ""))
            }
        });
        found.collect()
    }

    #[test]
    fn files_are_in_the_order_of_their_names() {
        let found = walk(&["b/z.html", "b/a/x", "b.html", "a.png", "c.warc.gz", "B.htm", "b/a.html", "ba"], &[]);
        assert_eq!(found, ["B.htm", "b/a/x", "b/a.html", "b/z.html", "b.html", "ba", "c.warc.gz"]);
        assert!(walk(&[], &[]).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn symlinks_are_followed_once() {
        let found =
            walk(&["a/x.html", "z/y.html"], &[("a/back", ".."), ("b", "z"), ("c.html", "a/x.html"), ("d", "none")]);
        assert_eq!(found[..3], ["a/back: a symbolic link back to ", "a/x.html", "c.html"]);
        assert!(found[3].starts_with("d: ") && found[4..] == ["z/y.html"], "{found:?}");
    }

    #[test]
    fn a_root_that_is_missing_is_a_problem() {
        let root = tempfile::tempdir().unwrap();
        let found: Vec<_> = Walk::new(&root.path().join("none")).collect();
        assert!(matches!(&found[..], [Err(unread)] if unread.path.ends_with("none")));
    }
}
