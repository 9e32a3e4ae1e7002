//! Symbolic links to folders, so that a walk reads each folder once.
//!
//! A *tree* is a folder that a walk reads together with all folders below it. The first tree is the folder where the walk starts.
//! If a symbolic link leads to a folder outside of all earlier trees, that folder is a new tree. So the real paths of the trees are
//! enough to know whether the walk reads a folder at another place. A tree takes about 0.3 KiB of memory until the walk ends.

use std::collections::HashMap;
use std::fs::canonicalize;
use std::io;
use std::path::{Path, PathBuf};

/// The trees of a walk. A tree is a folder that the walk reads together with all folders below it: the folder where the walk
/// starts, or one outside of it to which a symbolic link leads.
pub struct FolderSymlinks {
    /// The path of the folder where the walk starts.
    start_folder: PathBuf,
    /// The trees: for the real path of each, the path by which the walk reached it. Empty until the walk meets the first symbolic
    /// link to a folder.
    trees: HashMap<PathBuf, PathBuf>,
    /// The trees that the walk has entered through symbolic links and not yet left, the innermost last. Each is a real path and the
    /// path by which the walk reached it.
    entered: Vec<(PathBuf, PathBuf)>,
}

/// The kind of folder to which a symbolic link leads.
#[derive(Debug, PartialEq)]
pub enum Destination {
    /// A folder that contains the symbolic link. The value is the path by which the walk reached that folder.
    Around(PathBuf),
    /// A folder in a known tree, so the walk reads it at another place.
    Known,
    /// A folder outside of all known trees. It is now a tree.
    NewTree,
}

impl FolderSymlinks {
    /// Returns the trees of a walk that starts at `start_folder`: only this folder.
    pub fn new(start_folder: &Path) -> Self {
        FolderSymlinks { start_folder: start_folder.to_owned(), trees: HashMap::new(), entered: Vec::new() }
    }

    /// Finds the folder to which the symbolic link at this path leads. If the folder is outside of all trees, adds it as a tree.
    /// Then the walk must read the folder next, and call [`leave`](Self::leave) after it.
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

    /// Reports whether a folder is a tree that the walk has reached through a symbolic link elsewhere. Then the walk must not read
    /// the folder again. `folder` must be below the innermost tree, without another symbolic link on the way.
    pub fn is_tree(&self, folder: &Path) -> bool {
        let Some((real, path)) = self.entered.last() else { return false };
        folder.strip_prefix(path).is_ok_and(|below| self.trees.contains_key(&real.join(below)))
    }

    /// Notes that the walk has read all of the innermost tree.
    pub fn leave(&mut self) {
        self.entered.pop();
    }
}
