//! A walk through a folder and all folders below it, in the order of names, and what becomes of symbolic links. It reads each folder once.

use std::collections::HashMap;
use std::fmt;
use std::fs::{canonicalize, metadata};
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::git_ignore::GitIgnore;

/// A file or folder that a walk has found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct WalkEntry {
    /// The path, which starts with that of the walk's folder.
    pub path: PathBuf,
    /// The kind of file.
    pub kind: EntryKind,
}

/// The kind of an [`WalkEntry`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntryKind {
    /// A regular file, or a symbolic link to one that is followed.
    File,
    /// A folder, or a symbolic link to one that is followed. What is in it comes next.
    Folder,
    /// A folder that the walk reads at another path, which starts with that of the walk's folder. If it is around the symbolic link that
    /// leads to it, `path` starts with that path.
    OtherFolder(PathBuf),
    /// A symbolic link that is not followed, or leads nowhere.
    Symlink,
    /// A named pipe, socket or device.
    Special,
}

/// A file or folder that cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub struct Unreadable {
    /// The path of a folder, or of a name in it.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

/// The files and folders below a folder, in the order of their names. Symbolic links are followed, but each folder is read once: at its
/// own place below the folder or, if it is outside, at the first symbolic link to it.
///
/// Memory: the names in the folders on the way to the current one, and about 0.3 KiB for each folder outside.
///
/// ```
/// use relref_links::files::{EntryKind, Walk};
///
/// let folder = tempfile::tempdir()?;
/// std::fs::create_dir(folder.path().join("b"))?;
/// std::fs::write(folder.path().join("b/c.html"), "")?;
/// std::fs::write(folder.path().join("a.html"), "")?;
/// let entries: Vec<_> = Walk::new(folder.path()).collect::<Result<_, _>>().unwrap();
/// let kinds: Vec<_> = entries.iter().map(|entry| &entry.kind).collect();
/// assert_eq!(kinds, [&EntryKind::File, &EntryKind::Folder, &EntryKind::File]);
/// assert_eq!(entries[2].path, folder.path().join("b/c.html"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Walk {
    root: PathBuf,
    follows: bool,
    /// The folders that the walk has reached by the root's name or through a symbolic link, and not yet left; the innermost is last.
    trees: Vec<EnteredFolder>,
    /// The paths of the walk to all trees so far, by their real paths. So few are enough to know whether the walk reads a folder at
    /// another place: a tree has all folders below it. Empty until the first symbolic link to a folder.
    paths: HashMap<PathBuf, PathBuf>,
    /// What is left out; `None` for nothing.
    ignored: Option<GitIgnore>,
}

/// A folder that the walk reads together with all folders below it.
struct EnteredFolder {
    /// Empty for the root, which can hold no other tree.
    real: PathBuf,
    path: PathBuf,
    entries: walkdir::IntoIter,
}

impl EnteredFolder {
    fn new(real: PathBuf, path: PathBuf) -> Self {
        // The paths of a folder differ in their names only. To take these out of them takes ten times as long.
        let by_path = |a: &DirEntry, b: &DirEntry| a.path().as_os_str().cmp(b.path().as_os_str());
        let entries = WalkDir::new(&path).min_depth(1).sort_by(by_path).into_iter();
        EnteredFolder { real, path, entries }
    }
}

impl fmt::Debug for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Walk").field("root", &self.root).finish_non_exhaustive()
    }
}

impl Walk {
    /// The folder itself is no entry. If it cannot be read, that is the only one.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let root = folder.into();
        let trees = vec![EnteredFolder::new(PathBuf::new(), root.clone())];
        Walk { root, follows: true, trees, paths: HashMap::new(), ignored: None }
    }

    /// Follows no symbolic link.
    #[must_use]
    pub fn without_following(mut self) -> Self {
        self.follows = false;
        self
    }

    /// Leaves out what git ignores in the repository of the folder, and its own folder `.git`. The folder itself may be ignored.
    #[must_use]
    pub fn without_ignored(mut self) -> Self {
        self.ignored = GitIgnore::of(&self.root);
        self
    }

    fn symlink(&mut self, path: &Path) -> io::Result<EntryKind> {
        match metadata(path) {
            _ if !self.follows => Ok(EntryKind::Symlink),
            Ok(target) if target.is_dir() => self.folder_symlink(path),
            Ok(target) if target.is_file() => Ok(EntryKind::File),
            Ok(_) => Ok(EntryKind::Special),
            Err(_) => Ok(EntryKind::Symlink),
        }
    }

    /// Enters the folder if it is a new tree.
    fn folder_symlink(&mut self, symlink: &Path) -> io::Result<EntryKind> {
        let real = canonicalize(symlink)?;
        if self.paths.is_empty() {
            self.paths.insert(canonicalize(&self.root)?, self.root.clone());
        }
        let places = real.ancestors().filter_map(|tree| {
            let mut path = self.paths.get(tree)?.clone();
            // `join` would add a separator for an empty path.
            path.extend(real.strip_prefix(tree).into_iter().flatten());
            Some(path)
        });
        let places: Vec<PathBuf> = places.collect();
        let around = places.iter().find(|place| symlink.starts_with(place));
        if let Some(place) = around.or(places.first()) {
            return Ok(EntryKind::OtherFolder(place.clone()));
        }
        self.paths.insert(real.clone(), symlink.to_owned());
        self.trees.push(EnteredFolder::new(real, symlink.to_owned()));
        Ok(EntryKind::Folder)
    }

    /// Returns the path at which the walk has read a folder of the current tree, if an earlier symbolic link led to it.
    fn earlier_path(&self, folder: &Path) -> Option<&PathBuf> {
        let EnteredFolder { real, path, .. } = self.trees.last().filter(|tree| !tree.real.as_os_str().is_empty())?;
        self.paths.get(&real.join(folder.strip_prefix(path).ok()?))
    }
}

impl Iterator for Walk {
    type Item = Result<WalkEntry, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = loop {
            let EnteredFolder { real, path, entries } = self.trees.last_mut()?;
            let found = entries.next();
            let is_ignored = match (&found, &mut self.ignored) {
                (Some(Ok(found)), Some(ignored)) => ignored.has_found(path, real, found),
                _ => false,
            };
            match found {
                Some(Ok(found)) if is_ignored => {
                    if found.file_type().is_dir() {
                        entries.skip_current_dir();
                    }
                }
                Some(found) => break found,
                None => drop(self.trees.pop()),
            }
        };
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                let path = error.path().unwrap_or(&self.root).to_owned();
                let error = error.into_io_error().unwrap_or_else(|| io::Error::other("it cannot be read"));
                return Some(Err(Unreadable { path, error }));
            }
        };
        let kind = match found.file_type() {
            kind if kind.is_file() => Ok(EntryKind::File),
            kind if kind.is_symlink() => self.symlink(found.path()),
            kind if !kind.is_dir() => Ok(EntryKind::Special),
            _ => match self.earlier_path(found.path()).cloned() {
                None => Ok(EntryKind::Folder),
                Some(place) => {
                    if let Some(tree) = self.trees.last_mut() {
                        tree.entries.skip_current_dir();
                    }
                    Ok(EntryKind::OtherFolder(place))
                }
            },
        };
        let path = found.into_path();
        Some(match kind {
            Ok(kind) => Ok(WalkEntry { path, kind }),
            Err(error) => Err(Unreadable { path, error }),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Makes `files` in a folder, and symbolic links, each a name and its target. Returns what a walk through the folder finds but
    /// for folders, relative to the folder.
    fn walk(files: &[&str], symlinks: &[(&str, &str)], follows: bool) -> Vec<String> {
        let site = tempfile::tempdir().unwrap();
        let root = site.path().join("top");
        fs::create_dir(&root).unwrap();
        for file in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        for (name, target) in symlinks {
            #[cfg(unix)]
            std::os::unix::fs::symlink(target, root.join(name)).unwrap();
        }
        let short = |path: &Path| path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        let walk = Walk::new(&root);
        let walk = if follows { walk } else { walk.without_following() };
        let found = walk.filter_map(|found| {
            let WalkEntry { path, kind } = found.unwrap();
            Some(match kind {
                EntryKind::Folder => return None,
                EntryKind::File => short(&path),
                EntryKind::OtherFolder(other) => format!("{} is {}", short(&path), short(&other)),
                kind => format!("{} {kind:?}", short(&path)),
            })
        });
        found.collect()
    }

    #[test]
    fn files_are_in_the_order_of_their_names() {
        let found = walk(&["b/z.html", "b/a/x", "b.html", "a.png", "c.warc.gz", "B.htm", "b/a.html", "ba"], &[], true);
        assert_eq!(found, ["B.htm", "a.png", "b/a/x", "b/a.html", "b/z.html", "b.html", "ba", "c.warc.gz"]);
        assert!(walk(&[], &[], true).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn each_folder_is_read_once() {
        let files = ["a/x.html", "z/y.html", "../out/in/o.html", "../out/p.html"];
        let symlinks = [
            ("a/back", ".."),
            ("b", "z"),
            ("c.html", "a/x.html"),
            ("d", "none"),
            ("e", "../out/in"),
            ("f", "../out"),
            ("f/g", "../top/e"),
            ("h", "../out/in"),
        ];
        let found = walk(&files, &symlinks, true);
        let expected = [
            "a/back is ",
            "a/x.html",
            "b is z",
            "c.html",
            "d Symlink",
            "e/o.html",
            "f/g is e",
            "f/in is e",
            "f/p.html",
            "h is e",
            "z/y.html",
        ];
        assert_eq!(found, expected);
        let found = walk(&files, &symlinks[..4], false);
        assert_eq!(found, ["a/back Symlink", "a/x.html", "b Symlink", "c.html Symlink", "d Symlink", "z/y.html"]);
    }

    #[test]
    fn a_folder_that_is_missing_is_unreadable() {
        let site = tempfile::tempdir().unwrap();
        let found: Vec<_> = Walk::new(site.path().join("none")).collect();
        assert!(matches!(&found[..], [Err(unread)] if unread.path.ends_with("none")));
    }
}
