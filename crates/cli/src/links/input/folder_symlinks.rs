//! Symbolic links to folders, so that a walk reads each folder once.
//!
//! A *tree* is a folder that a walk reads together with all folders below it. The first tree is the folder where the walk starts.
//! If a symbolic link leads to a folder outside of all earlier trees, that folder is a new tree. So the real paths of the trees are
//! enough to know whether the walk reads a folder at another place. A tree takes about 0.3 KiB of memory until the walk ends.

use std::collections::HashMap;
use std::fs::canonicalize;
use std::io;
use std::path::{Path, PathBuf};

pub struct FolderSymlinks {
    start_folder: PathBuf,
    /// The path by which the walk reached each tree, by its real path. Empty until the first symbolic link to a folder.
    trees: HashMap<PathBuf, PathBuf>,
    /// Trees entered through symbolic links and not yet left, the innermost last: the real path, and the path of the walk.
    entered: Vec<(PathBuf, PathBuf)>,
}

#[derive(Debug, PartialEq)]
pub enum Destination {
    /// A folder that contains the symbolic link, by the path by which the walk reached it.
    Around(PathBuf),
    /// A folder that the walk reads at another place.
    Known,
    NewTree,
}

impl FolderSymlinks {
    pub fn new(start_folder: &Path) -> Self {
        FolderSymlinks { start_folder: start_folder.to_owned(), trees: HashMap::new(), entered: Vec::new() }
    }

    /// After [`Destination::NewTree`], the walk must read that folder next, and then call [`leave`](Self::leave).
    pub fn follow(&mut self, symlink: &Path) -> io::Result<Destination> {
        let real = canonicalize(symlink)?;
        if self.trees.is_empty() {
            self.trees.insert(canonicalize(&self.start_folder)?, self.start_folder.clone());
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
        self.entered.push((real, symlink.to_owned()));
        Ok(Destination::NewTree)
    }

    /// A tree that was reached through a symbolic link elsewhere must not be read again. `folder` must be below the innermost tree,
    /// without another symbolic link on the way.
    pub fn is_tree(&self, folder: &Path) -> bool {
        let Some((real, path)) = self.entered.last() else { return false };
        folder.strip_prefix(path).is_ok_and(|below| self.trees.contains_key(&real.join(below)))
    }

    /// Must be called when the walk has read all of the innermost tree.
    pub fn leave(&mut self) {
        self.entered.pop();
    }
}
