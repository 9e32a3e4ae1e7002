//! The style sheets that a rewriting changes, so that no `integrity` guards their old bytes.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::fs::File;
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use relref::RuleSet;
use relref::percent::decode_lossy;
use relref_links::files::Patterns;
use relref_links::parallel::lock;
use relref_links::rewrite::{Content, Mapping, Rewriter};

use super::mirror::Mirror;
use crate::args::Rewrite;
use crate::base::new_base;
use crate::file_uri::uri_path;

/// Memory: about 20 bytes for each style sheet that was asked about or changed.
pub struct Sheets {
    /// The URI of the root, and its path.
    base: String,
    root: PathBuf,
    /// The real paths of what is rewritten.
    paths: Vec<PathBuf>,
    excluded: Patterns,
    mirror: Option<Arc<Mirror>>,
    rules: RuleSet,
    hasher: RandomState,
    known: Mutex<Known>,
}

struct Known {
    rewriter: Rewriter<'static, Mapping>,
    /// What is known of style sheets, by hashes of their real paths.
    changes: HashMap<u64, bool>,
}

impl Sheets {
    /// With the mapping that pages have. The arguments were checked.
    pub fn new(args: &Rewrite, excluded: Patterns, mirror: Option<Arc<Mirror>>, mapping: Mapping) -> Self {
        let known = Known { rewriter: Rewriter::from(mapping), changes: HashMap::new() };
        Sheets {
            base: args.base().split(['?', '#']).next().unwrap_or_default().trim_end_matches('/').into(),
            root: args.root().into(),
            paths: args.paths.iter().filter_map(|path| path.canonicalize().ok()).collect(),
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
        let Some(path) = self.path(uri) else { return false };
        let Ok(real) = self.root.join(&path).canonicalize() else { return false };
        let is_rewritten =
            |below: &Path| real == below || real.strip_prefix(below).is_ok_and(|path| !self.excluded.has(path));
        if !self.paths.iter().any(|below| is_rewritten(below)) {
            return false;
        }
        let Known { rewriter, changes } = &mut *lock(&self.known);
        *changes.entry(self.hasher.hash_one(&real)).or_insert_with(|| {
            rewriter.choose.set_page(&uri_path(&path));
            let before = rewriter.totals.edits();
            // As little is said of it as of a sheet that stays.
            let _ = self.rewrite(rewriter, uri, &real);
            rewriter.totals.edits() > before
        })
    }

    /// The path from the root.
    fn path(&self, uri: &str) -> Option<PathBuf> {
        let path = match &self.mirror {
            Some(mirror) => mirror.find(uri)?,
            None => uri.strip_prefix(&self.base)?.strip_prefix('/')?.split('?').next()?.into(),
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
