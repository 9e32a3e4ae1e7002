//! Where symbolic links to folders lead: back, to a folder that has a place of its own in the walk, or out of it.
//!
//! A tree is a folder that the walk reads with all that is below it: the walk's root, and each folder outside of all trees to
//! which a link led. So a few real paths, one a tree, tell of any folder whether it is read elsewhere. Each tree takes about 0.3
//! KiB of memory until the walk ends.

use std::collections::HashMap;
use std::fs::canonicalize;
use std::io;
use std::path::{Path, PathBuf};

use crate::escape::file_name;

/// The trees of a walk.
pub struct Trees {
    root: PathBuf,
    /// The place in the walk of each tree, by its real path. Before the first link there is none, not even the root's.
    places: HashMap<PathBuf, PathBuf>,
    /// The real path and the place of each tree that the walk is in, the innermost last; without the root's.
    inside: Vec<(PathBuf, PathBuf)>,
}

/// Where a link to a folder leads.
pub enum Leads {
    /// To a folder that the link is in.
    Back(String),
    /// To a folder that is read at another place.
    Known,
    /// To the root of a new tree.
    Out,
}

impl Trees {
    pub fn new(root: &Path) -> Self {
        Trees { root: root.to_owned(), places: HashMap::new(), inside: Vec::new() }
    }

    /// Finds where a link leads; enters the tree if it is a new one.
    pub fn follow(&mut self, link: &Path) -> io::Result<Leads> {
        let real = canonicalize(link)?;
        if self.places.is_empty() {
            self.places.insert(canonicalize(&self.root)?, self.root.clone());
        }
        let mut known = false;
        for tree in real.ancestors() {
            let Some(place) = self.places.get(tree) else { continue };
            known = true;
            let mut place = place.clone();
            // Without the separator that an empty path would add.
            place.extend(real.strip_prefix(tree).into_iter().flatten());
            if link.starts_with(&place) {
                return Ok(Leads::Back(format!("a link back to {}", file_name(&place))));
            }
        }
        if known {
            return Ok(Leads::Known);
        }
        self.places.insert(real.clone(), link.to_owned());
        self.inside.push((real, link.to_owned()));
        Ok(Leads::Out)
    }

    /// Reports whether a folder, no link, is a tree of its own. In the tree of the walk's root there is none.
    pub fn is_tree(&self, folder: &Path) -> bool {
        let Some((real, place)) = self.inside.last() else { return false };
        folder.strip_prefix(place).is_ok_and(|below| self.places.contains_key(&real.join(below)))
    }

    /// Goes out of the innermost tree.
    pub fn leave(&mut self) {
        self.inside.pop();
    }
}
