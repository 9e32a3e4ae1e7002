//! The style sheets of a folder that a rewriting changes, so that no `integrity` guards their old bytes.

use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs::File;
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use relref::percent::{ByteSet, decode_lossy, encode_with};
use relref::{AnyBase, RuleSet, whatwg};

use super::file::Content;
use super::mapping::Mapping;
use super::renaming::path_bytes;
use super::rewriter::Rewriter;
use crate::files::{EntryKind, Patterns, Walk};
use crate::parallel::lock;

/// The style sheets below a folder whose bytes change when its files are rewritten: [`Mapping::drop_integrity`] asks for them. A sheet is
/// read when it is asked about first.
///
/// Memory: about 20 bytes for each style sheet that was asked about or changed, and, once one was, 10 for each file.
///
/// ```
/// use relref::{RuleSet, whatwg};
/// use relref_links::rewrite::{ChangedSheets, Mapping, Mode, Rewriter};
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.css"), "p { background: url(a.png) }")?;
/// std::fs::write(folder.path().join("b.css"), "p { color: red }")?;
/// let mapping = || Mapping::new(Mode::Rooted);
/// let sheets = ChangedSheets::new(folder.path(), "http://h/", RuleSet::Whatwg, mapping());
/// let page = "<link rel=stylesheet integrity=sha256-x href=a.css><link rel=stylesheet integrity=sha256-y href=b.css>";
/// let mapping = mapping().drop_integrity(move |uri| sheets.changes(uri));
/// let page = Rewriter::from(mapping).html(page, None, &whatwg::Base::new("http://h/")?).into_owned();
/// let expected = "<link rel=stylesheet href=/a.css><link rel=stylesheet integrity=sha256-y href=/b.css>";
/// assert_eq!(String::from_utf8(page)?, expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ChangedSheets {
    /// The URI of the root, as it is given and as browsers write it, without the slash at its end, and its path.
    bases: [String; 2],
    root: PathBuf,
    /// The files and folders that are rewritten.
    paths: Vec<PathBuf>,
    has_ignored: bool,
    excluded: Option<Patterns>,
    /// Where the file for a URI is, if not below the base: its path from the root, percent-encoded.
    find: Option<FindPath>,
    rules: RuleSet,
    hasher: RandomState,
    known: Mutex<Known>,
}

type FindPath = Box<dyn Fn(&str) -> Option<String> + Send + Sync>;

struct Known {
    rewriter: Rewriter<'static, Mapping>,
    /// The answers so far, by hashes of the real paths of style sheets.
    changes: HashMap<u64, bool>,
    /// The hashes of the real paths of all files that are rewritten, if they are; `None` until one is asked about.
    files: Option<HashSet<u64>>,
}

impl fmt::Debug for ChangedSheets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangedSheets").field("root", &self.root).field("paths", &self.paths).finish_non_exhaustive()
    }
}

impl ChangedSheets {
    /// All files below `root`, whose URI is `base`, are rewritten by `rules` with this mapping.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>, base: &str, rules: RuleSet, mapping: Mapping) -> Self {
        let known = Known { rewriter: Rewriter::from(mapping), changes: HashMap::new(), files: None };
        let without_query =
            |uri: &str| String::from(uri.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/'));
        let as_browsers_write = whatwg::Base::new(base).map_or_else(|_| String::new(), |base| base.as_str().to_owned());
        let root = root.into();
        ChangedSheets {
            bases: [base, &as_browsers_write].map(without_query),
            paths: vec![root.clone()],
            root,
            has_ignored: true,
            excluded: None,
            find: None,
            rules,
            hasher: RandomState::new(),
            known: Mutex::new(known),
        }
    }

    /// Only these files and folders are rewritten.
    #[must_use]
    pub fn only(mut self, paths: Vec<PathBuf>) -> Self {
        self.paths = paths;
        self
    }

    /// What git ignores is not rewritten: see [`Walk::without_ignored`].
    #[must_use]
    pub fn without_ignored(mut self) -> Self {
        self.has_ignored = false;
        self
    }

    /// Files that these match are not rewritten.
    #[must_use]
    pub fn excluded(mut self, excluded: Patterns) -> Self {
        self.excluded = Some(excluded);
        self
    }

    /// The path of the file for a URI from the root, percent-encoded, is what `find` returns.
    #[must_use]
    pub fn find(mut self, find: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        self.find = Some(Box::new(find));
        self
    }

    /// Notes that a file has been rewritten in its place: that it would stay now means nothing.
    pub fn add_changed(&self, path: &Path) {
        if let Ok(path) = path.canonicalize() {
            lock(&self.known).changes.insert(self.hasher.hash_one(path), true);
        }
    }

    /// Reports whether the file for a URI is a style sheet that the rewriting changes.
    #[must_use]
    pub fn changes(&self, uri: &str) -> bool {
        let uri = uri.split('#').next().unwrap_or_default();
        let Known { rewriter, changes, files } = &mut *lock(&self.known);
        // An old name of the site, as the mapping has it.
        let mapped = || self.path(&rewriter.choose.page_uri(uri));
        let Some(path) = self.path(uri).or_else(mapped) else { return false };
        let Ok(real) = self.root.join(&path).canonicalize() else { return false };
        let key = self.hasher.hash_one(&real);
        if !files.get_or_insert_with(|| self.files()).contains(&key) {
            return false;
        }
        *changes.entry(key).or_insert_with(|| {
            rewriter.choose.set_page(&encode_with(&path_bytes(&path), ByteSet::PATH).to_string());
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
            let walk = if self.has_ignored { walk } else { walk.without_ignored() };
            let files = walk.flatten().filter(|entry| {
                let path = entry.path.strip_prefix(given).unwrap_or(&entry.path);
                entry.kind == EntryKind::File && !self.excluded.as_ref().is_some_and(|excluded| excluded.has(path))
            });
            let itself = given.is_file().then(|| given.clone());
            let real = files.map(|entry| entry.path).chain(itself).filter_map(|path| path.canonicalize().ok());
            found.extend(real.map(|path| self.hasher.hash_one(path)));
        }
        found
    }

    /// The path from the root.
    fn path(&self, uri: &str) -> Option<PathBuf> {
        let path = match &self.find {
            Some(find) => find(uri)?,
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
        let base = AnyBase::new(uri, self.rules).map_err(io::Error::other)?;
        rewriter.file(Content::Css, file, None, &base, io::sink())
    }
}
