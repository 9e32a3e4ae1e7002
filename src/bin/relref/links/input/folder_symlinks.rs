//! Symbolic links to folders, and whether the folders that they lead to are read elsewhere.
//!
//! A tree is a folder that the walk reads together with all folders below it: the root of the walk, and each folder outside of
//! all earlier trees to which a symbolic link leads. So one real path for each tree is enough to tell of any folder whether it
//! is read elsewhere. A tree takes about 0.3 KiB of memory until the walk ends.

use std::collections::HashMap;
use std::fs::canonicalize;
use std::io;
use std::path::{Path, PathBuf};

/// The trees of a walk.
pub struct FolderSymlinks {
    root: PathBuf,
    /// The trees: from the real path of each to the path by which the walk reached it. It stays empty, and has not even the root,
    /// until the first symbolic link is met.
    trees: HashMap<PathBuf, PathBuf>,
    /// The real path and the path in the walk of each tree that the walk is in, the innermost last; without the root.
    inside: Vec<(PathBuf, PathBuf)>,
}

/// The folder that a symbolic link leads to.
#[derive(Debug, PartialEq)]
pub enum Destination {
    /// A folder that contains the symbolic link, and its path in the walk.
    Around(PathBuf),
    /// A folder that is read at another place.
    Known,
    /// The root of a new tree.
    NewTree,
}

impl FolderSymlinks {
    pub fn new(root: &Path) -> Self {
        FolderSymlinks { root: root.to_owned(), trees: HashMap::new(), inside: Vec::new() }
    }

    /// Finds the folder that a symbolic link leads to. Enters its tree if that is new.
    pub fn follow(&mut self, symlink: &Path) -> io::Result<Destination> {
        let real = canonicalize(symlink)?;
        if self.trees.is_empty() {
            self.trees.insert(canonicalize(&self.root)?, self.root.clone());
        }
        let mut is_known = false;
        for tree in real.ancestors() {
            let Some(path) = self.trees.get(tree) else { continue };
            is_known = true;
            let mut path = path.clone();
            // `join` would add a separator for an empty path.
            path.extend(real.strip_prefix(tree).into_iter().flatten());
            if symlink.starts_with(&path) {
                return Ok(Destination::Around(path));
            }
        }
        if is_known {
            return Ok(Destination::Known);
        }
        self.trees.insert(real.clone(), symlink.to_owned());
        self.inside.push((real, symlink.to_owned()));
        Ok(Destination::NewTree)
    }

    /// Reports whether a folder that the walk found without a symbolic link is a tree, which is read elsewhere. In the root's
    /// own tree there are no such folders.
    pub fn is_tree(&self, folder: &Path) -> bool {
        let Some((real, path)) = self.inside.last() else { return false };
        folder.strip_prefix(path).is_ok_and(|below| self.trees.contains_key(&real.join(below)))
    }

    /// Leaves the innermost tree.
    pub fn leave(&mut self) {
        self.inside.pop();
    }
}
