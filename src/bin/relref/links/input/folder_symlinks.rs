//! Symbolic links to folders. They show whether a walk reads the folder that a link leads to at another place.
//!
//! A tree is a folder that the walk reads together with all folders below it. The root of the walk is a tree. If a symbolic link
//! leads to a folder outside of all earlier trees, that folder is a tree, too. So the real paths of the trees are enough to know
//! for each folder whether it is read at another place. A tree takes about 0.3 KiB of memory until the walk ends.

use std::collections::HashMap;
use std::fs::canonicalize;
use std::io;
use std::path::{Path, PathBuf};

/// The trees of a walk.
pub struct FolderSymlinks {
    /// The path of the root of the walk.
    root: PathBuf,
    /// The paths of the trees in the walk, by their real paths. Empty, even without the root, until the walk meets the first
    /// symbolic link.
    trees: HashMap<PathBuf, PathBuf>,
    /// The trees in which the walk is now, without the root: the real path and the path in the walk of each. The innermost tree is
    /// last.
    inside: Vec<(PathBuf, PathBuf)>,
}

/// The folder to which a symbolic link leads.
#[derive(Debug, PartialEq)]
pub enum Destination {
    /// A folder that contains the symbolic link. The value is the path of the folder in the walk.
    Around(PathBuf),
    /// A folder that is read at another place.
    Known,
    /// A folder that is not read at another place. It is a new tree.
    NewTree,
}

impl FolderSymlinks {
    /// Returns the trees of a walk that starts at `root`.
    pub fn new(root: &Path) -> Self {
        FolderSymlinks { root: root.to_owned(), trees: HashMap::new(), inside: Vec::new() }
    }

    /// Finds the folder to which a symbolic link leads. If it is a new tree, enters the tree.
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

    /// Reports whether a folder is a tree, which is read at another place. The walk must have found the folder without a symbolic
    /// link. Outside of trees that were entered through symbolic links, there are no such folders.
    pub fn is_tree(&self, folder: &Path) -> bool {
        let Some((real, path)) = self.inside.last() else { return false };
        folder.strip_prefix(path).is_ok_and(|below| self.trees.contains_key(&real.join(below)))
    }

    /// Leaves the innermost tree. Must be called when the walk has read it.
    pub fn leave(&mut self) {
        self.inside.pop();
    }
}
