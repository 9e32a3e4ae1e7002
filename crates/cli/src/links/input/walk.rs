//! A walk through a folder and all folders below it. It finds files in the order of their names, and reads each folder once.

use std::ffi::OsString;
use std::fs::{self, FileType};
use std::io::{self, ErrorKind};
use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};

use relref_links::page::FileKind;

use super::folder_symlinks::{Destination, FolderSymlinks};
use super::names::{FolderNames, NameKind, NameStack};
use crate::links::temp_file::temp_error;
use crate::quoting::file_name;

/// On Unix, all names can be read.
const NOT_UNICODE: &str = "its name is not Unicode";

/// The folders may have any number of names, and be at any depth.
pub struct Walk {
    start_folder: PathBuf,
    /// The next name is on the top. Below the names in a folder lies the folder's own, where the walk leaves it.
    stack: NameStack,
    /// The path of the current folder as bytes, with a separator at its end.
    folder: Vec<u8>,
    symlinks: FolderSymlinks,
    /// Not yet returned.
    problems: Vec<Unreadable>,
    /// Last taken off the stack. A folder's name gets a separator at its end when the walk enters it, and keeps it on the stack.
    name: Vec<u8>,
    /// Files whose names show that they are neither pages nor archives.
    pub skipped: u64,
    /// Named pipes, sockets and devices, which are not opened: reading a pipe may never end.
    pub special: u64,
}

#[derive(Debug)]
pub struct Unreadable {
    pub path: PathBuf,
    pub why: String,
}

impl Unreadable {
    fn new(path: &Path, why: impl ToString) -> Self {
        Unreadable { path: path.to_owned(), why: why.to_string() }
    }
}

impl Walk {
    pub fn new(folder: &Path) -> Self {
        let mut walk = Walk {
            start_folder: folder.to_owned(),
            stack: NameStack::default(),
            folder: Vec::new(),
            symlinks: FolderSymlinks::new(folder),
            problems: Vec::new(),
            name: Vec::new(),
            skipped: 0,
            special: 0,
        };
        // `join` adds a separator if the path does not end with one.
        let prefix = bytes_of(folder.join("").into_os_string()).map_err(|_| Unreadable::new(folder, NOT_UNICODE));
        let read = prefix.and_then(|prefix| {
            walk.folder = prefix;
            walk.push_names(folder)
        });
        walk.problems.extend(read.err());
        walk
    }

    /// Visits `name`. Returns a file that may be a page or an archive; fails for a symbolic link to a folder that contains it.
    fn visit(&mut self, mut kind: NameKind) -> Result<Option<PathBuf>, Unreadable> {
        if let NameKind::FolderEnd | NameKind::SymlinkEnd = kind {
            self.folder.truncate(self.folder.len() - self.name.len());
            if kind == NameKind::SymlinkEnd {
                self.symlinks.leave();
            }
            return Ok(None);
        }
        let path = path_of(&[&self.folder[..], &self.name[..]].concat());
        if kind == NameKind::Unknown {
            let metadata = fs::symlink_metadata(&path).map_err(|error| Unreadable::new(&path, error))?;
            match kind_of(metadata.file_type()) {
                Some(known) => kind = known,
                None => {
                    self.special += 1;
                    return Ok(None);
                }
            }
        }
        match kind {
            NameKind::File => return Ok(self.may_be_input(&path).then_some(path)),
            NameKind::Folder if !self.symlinks.is_tree(&path) => self.enter(&path, NameKind::FolderEnd)?,
            NameKind::Symlink => {
                let metadata = match fs::metadata(&path) {
                    Ok(metadata) => metadata,
                    Err(error) if error.kind() == ErrorKind::NotFound => return self.visit_broken_symlink(&path),
                    Err(error) => return Err(Unreadable::new(&path, error)),
                };
                if !metadata.is_dir() {
                    self.special += u64::from(!metadata.is_file());
                    return Ok((metadata.is_file() && self.may_be_input(&path)).then_some(path));
                }
                match self.symlinks.follow(&path).map_err(|error| Unreadable::new(&path, error))? {
                    Destination::Around(folder) => {
                        return Err(Unreadable::new(&path, format!("a symbolic link back to {}", file_name(&folder))));
                    }
                    Destination::Known => {}
                    Destination::NewTree => self.enter(&path, NameKind::SymlinkEnd)?,
                }
            }
            _ => {}
        }
        Ok(None)
    }

    /// A link whose name shows that no page is missing counts as any such file.
    fn visit_broken_symlink(&mut self, path: &Path) -> Result<Option<PathBuf>, Unreadable> {
        if !self.may_be_input(path) {
            return Ok(None);
        }
        let target = fs::read_link(path).map_err(|error| Unreadable::new(path, error))?;
        Err(Unreadable::new(path, format!("a broken symbolic link to {}", file_name(&target))))
    }

    /// Puts `name` back with the kind `end`, where the walk leaves the folder, and the names in the folder above it.
    fn enter(&mut self, path: &Path, end: NameKind) -> Result<(), Unreadable> {
        self.name.extend_from_slice(MAIN_SEPARATOR_STR.as_bytes());
        self.folder.extend_from_slice(&self.name);
        self.stack.push(end, &self.name).map_err(|error| self.abort(error))?;
        self.push_names(path)
    }

    /// A name or listing that cannot be read is a problem, and names may be missing. A failed temporary file ends the walk.
    fn push_names(&mut self, folder: &Path) -> Result<(), Unreadable> {
        let mut names = FolderNames::default();
        for entry in fs::read_dir(folder).map_err(|error| Unreadable::new(folder, error))? {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.problems.push(Unreadable::new(folder, error));
                    break;
                }
            };
            let Some(kind) = entry.file_type().map_or(Some(NameKind::Unknown), kind_of) else {
                self.special += 1;
                continue;
            };
            let name = match bytes_of(entry.file_name()) {
                Ok(name) => name,
                Err(name) => {
                    self.problems.push(Unreadable::new(&folder.join(name), NOT_UNICODE));
                    continue;
                }
            };
            if kind == NameKind::File && !self.may_be_input(&path_of(&name)) {
                continue;
            }
            names.add(kind, name).map_err(|error| self.abort(error))?;
        }
        let stack = &mut self.stack;
        names.each_reversed(|kind, name| stack.push(kind, name)).map_err(|error| self.abort(error))
    }

    /// Counts other files in `skipped`.
    fn may_be_input(&mut self, path: &Path) -> bool {
        let may_be_input = FileKind::of(path) != FileKind::Other;
        self.skipped += u64::from(!may_be_input);
        may_be_input
    }

    /// Ends the walk after an error of a temporary file.
    fn abort(&mut self, error: io::Error) -> Unreadable {
        self.stack = NameStack::default();
        Unreadable::new(&self.start_folder, temp_error(error))
    }
}

/// Yields files that may be pages or archives. An error is a path that cannot be read.
impl Iterator for Walk {
    type Item = Result<PathBuf, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(problem) = self.problems.pop() {
                return Some(Err(problem));
            }
            let kind = match self.stack.pop(&mut self.name) {
                Ok(kind) => kind?,
                Err(error) => return Some(Err(self.abort(error))),
            };
            match self.visit(kind) {
                Ok(None) => {}
                Ok(Some(path)) => return Some(Ok(path)),
                Err(problem) => return Some(Err(problem)),
            }
        }
    }
}

/// `None` for anything else than a file, a folder or a symbolic link.
fn kind_of(of: FileType) -> Option<NameKind> {
    match () {
        () if of.is_file() => Some(NameKind::File),
        () if of.is_dir() => Some(NameKind::Folder),
        () if of.is_symlink() => Some(NameKind::Symlink),
        () => None,
    }
}

/// Elsewhere than on Unix, a name that is not Unicode is the error.
#[cfg(unix)]
fn bytes_of(name: OsString) -> Result<Vec<u8>, OsString> {
    use std::os::unix::ffi::OsStringExt;
    Ok(name.into_vec())
}

#[cfg(unix)]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn bytes_of(name: OsString) -> Result<Vec<u8>, OsString> {
    name.into_string().map(String::into_bytes)
}

#[cfg(not(unix))]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes `files` in a folder, and symbolic links, each a name and its target. Returns the paths that a walk through the folder
    /// finds, relative to the folder.
    fn walk(files: &[&str], symlinks: &[(&str, &str)]) -> Vec<String> {
        let site = tempfile::tempdir().unwrap();
        for file in files {
            let path = site.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        for (name, target) in symlinks {
            #[cfg(unix)]
            std::os::unix::fs::symlink(target, site.path().join(name)).unwrap();
        }
        let short = |path: &Path| path.strip_prefix(site.path()).unwrap().to_str().unwrap().to_owned();
        let found = Walk::new(site.path()).map(|found| match found {
            Ok(path) => short(&path),
            Err(unread) => {
                format!("{}: {}", short(&unread.path), unread.why.replace(site.path().to_str().unwrap(), ""))
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
        let found = walk(
            &["a/x.html", "z/y.html"],
            &[("a/back", ".."), ("b", "z"), ("c.html", "a/x.html"), ("d", "none"), ("e.js", "none")],
        );
        let broken = "d: a broken symbolic link to none";
        assert_eq!(found, ["a/back: a symbolic link back to ", "a/x.html", "c.html", broken, "z/y.html"]);
    }

    #[test]
    fn a_start_folder_that_is_missing_is_a_problem() {
        let site = tempfile::tempdir().unwrap();
        let found: Vec<_> = Walk::new(&site.path().join("none")).collect();
        assert!(matches!(&found[..], [Err(unread)] if unread.path.ends_with("none")));
    }
}
