//! The style sheets that a rewriting changes, so that no `integrity` guards their old bytes.

use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use relref::percent::decode_lossy;
use relref::{RuleSet, whatwg};
use relref_links::files::{EntryKind, Patterns, Walk};
use relref_links::parallel::lock;
use relref_links::rewrite::{Content, Mapping, Rewriter};

use super::mirror::Mirror;
use crate::args::Rewrite;
use crate::base::new_base;
use crate::file_uri::uri_path;

/// Memory: about 20 bytes for each style sheet that was asked about or changed, and, once one was, 10 for each file.
pub struct Sheets {
    /// The URI of the root, as it is given and as browsers write it, and its path.
    bases: [String; 2],
    root: PathBuf,
    /// The files and folders that are rewritten.
    paths: Vec<PathBuf>,
    has_all: bool,
    excluded: Patterns,
    mirror: Option<Arc<Mirror>>,
    rules: RuleSet,
    hasher: RandomState,
    known: Mutex<Known>,
}

struct Known {
    rewriter: Rewriter<'static, Mapping>,
    /// The answers so far, by hashes of the real paths of style sheets.
    changes: HashMap<u64, bool>,
    /// The hashes of the real paths of all files that are rewritten, if they are; `None` until one is asked about.
    files: Option<HashSet<u64>>,
}

impl Sheets {
    /// With the mapping that pages have. The arguments were checked.
    pub fn new(args: &Rewrite, excluded: Patterns, mirror: Option<Arc<Mirror>>, mapping: Mapping) -> Self {
        let known = Known { rewriter: Rewriter::from(mapping), changes: HashMap::new(), files: None };
        let without_query =
            |uri: &str| String::from(uri.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/'));
        let as_browsers_write =
            whatwg::Base::new(args.base()).map_or_else(|_| String::new(), |base| base.as_str().to_owned());
        // Where several folders have one URI, it is not known which file is meant.
        let is_clear = args.root_folder.is_some() || args.paths.len() == 1;
        Sheets {
            bases: [args.base(), &as_browsers_write].map(without_query),
            root: args.root().into(),
            paths: if is_clear { args.paths.clone() } else { Vec::new() },
            has_all: args.no_ignore || args.output.is_some(),
            excluded,
            mirror,
            rules: args.rules,
            hasher: RandomState::new(),
            known: Mutex::new(known),
        }
    }

    /// Notes that a file has been rewritten in its place: that it would stay now means nothing.
    pub fn add_changed(&self, path: &Path) {
        if let Ok(path) = path.canonicalize() {
            lock(&self.known).changes.insert(self.hasher.hash_one(path), true);
        }
    }

    /// Reports whether the file for a URI is a style sheet that the rewriting changes.
    pub fn changes(&self, uri: &str) -> bool {
        let uri = uri.split('#').next().unwrap_or_default();
        let Known { rewriter, changes, files } = &mut *lock(&self.known);
        // An old name of the site, as `--map` has it.
        let mapped = || self.path(&rewriter.choose.page_uri(uri));
        let Some(path) = self.path(uri).or_else(mapped) else { return false };
        let Ok(real) = self.root.join(&path).canonicalize() else { return false };
        let key = self.hasher.hash_one(&real);
        if !files.get_or_insert_with(|| self.files()).contains(&key) {
            return false;
        }
        *changes.entry(key).or_insert_with(|| {
            rewriter.choose.set_page(&uri_path(&path));
            let before = rewriter.totals.edits();
            // As little is said of it as of a sheet that stays.
            let _ = self.rewrite(rewriter, uri, &real);
            rewriter.totals.edits() > before
        })
    }

    /// Walks as the rewriting does.
    fn files(&self) -> HashSet<u64> {
        let mut found = HashSet::new();
        for given in &self.paths {
            let walk = Walk::new(given).without_following();
            let walk = if self.has_all { walk } else { walk.without_ignored() };
            let files = walk.flatten().filter(|entry| {
                let path = entry.path.strip_prefix(given).unwrap_or(&entry.path);
                entry.kind == EntryKind::File && !self.excluded.has(path)
            });
            let itself = given.is_file().then(|| given.clone());
            let real = files.map(|entry| entry.path).chain(itself).filter_map(|path| path.canonicalize().ok());
            found.extend(real.map(|path| self.hasher.hash_one(path)));
        }
        found
    }

    /// The path from the root.
    fn path(&self, uri: &str) -> Option<PathBuf> {
        let path = match &self.mirror {
            Some(mirror) => mirror.find(uri)?,
            None => {
                let below = |base: &String| uri.strip_prefix(base)?.strip_prefix('/');
                self.bases.iter().filter(|base| !base.is_empty()).find_map(below)?.split('?').next()?.into()
            }
        };
        Some(PathBuf::from(&*decode_lossy(&path)))
    }

    fn rewrite(&self, rewriter: &mut Rewriter<'static, Mapping>, uri: &str, path: &Path) -> io::Result<()> {
        let mut file = File::open(path)?;
        if Content::of_file(&mut file, path, uri, false)? != Content::Css {
            return Ok(());
        }
        let base = new_base(uri, self.rules, false).map_err(io::Error::other)?;
        rewriter.file(Content::Css, file, None, &base, io::sink())
    }
}
