//! Writes repairs into pages: the reference that is meant, for each problem whose repair is certain.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::mem;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use relref::whatwg::Base;

use super::problem::Problem;
use super::site::Site;
use crate::files::{FolderLock, HeldFolder};
use crate::html::Options;
use crate::markdown::Renderer;
use crate::parallel::lock;
use crate::rewrite::renaming::path_bytes;
use crate::rewrite::{Asked, Content, Edit, LeftReason, Rewriter, Sealed, Totals};

/// The repairs of a page: the references that stand in place of those that do not work. A [`Rewriter`] writes them.
///
/// ```
/// use relref_links::check::{Fix, Options, Site};
/// use relref_links::rewrite::Rewriter;
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.md"), "[b](B.md#Top-1) [c](c.md)")?;
/// std::fs::write(folder.path().join("b.md"), "# Top 1")?;
/// let mut fix = Fix::default();
/// for problem in Site::open(folder.path(), Options::default())?.problems() {
///     fix.add(&problem?);
/// }
/// let base = relref::whatwg::Base::new("http://h/a.md")?;
/// let page = Rewriter::from(fix).markdown("[b](B.md#Top-1) [c](c.md)", None, &base).into_owned();
/// assert_eq!(String::from_utf8(page)?, "[b](b.md#Top-1) [c](c.md)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fix {
    /// The new references, by the elements, attributes and references of links, which tell what these mean.
    references: HashMap<[Box<str>; 3], NewReferences>,
    /// The bytes of all references.
    len: usize,
}

/// The new references for one, as different places have to write them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NewReferences {
    /// The file that they lead to.
    file: Option<PathBuf>,
    /// None where two links differ in what they mean, as those of pages in `srcdoc` can.
    texts: Vec<Box<str>>,
}

impl Fix {
    /// The most bytes of the references of a page. Those that would exceed them are left.
    const MAX_LEN: usize = 16 << 20;

    /// Adds the repair of a problem. Returns `false` if its meaning is not [certain](Problem::is_certain).
    pub fn add(&mut self, problem: &Problem) -> bool {
        let Some(new) = problem.suggestion.as_deref().filter(|_| problem.is_certain) else { return false };
        let len =
            self.len + problem.element.len() + problem.attribute.len() + problem.reference.len() + new.len() + 100;
        let key = [&problem.element, &problem.attribute, &problem.reference].map(|text| Box::from(&**text));
        if len > Self::MAX_LEN {
            return false;
        }
        self.len = len;
        let file = problem.suggested_file.clone();
        let known = self.references.entry(key).or_insert_with(|| NewReferences { file, texts: vec![new.into()] });
        match &mut known.texts {
            texts if known.file != problem.suggested_file => texts.clear(),
            texts if texts.is_empty() || texts.iter().any(|text| **text == *new) => {}
            texts => texts.push(new.into()),
        }
        !known.texts.is_empty()
    }

    /// Reports whether there is nothing to repair.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.references.is_empty()
    }
}

impl Sealed for Fix {
    fn choose<'l>(&mut self, asked: &Asked<'l, '_>) -> Result<Option<Cow<'l, str>>, LeftReason> {
        let link = asked.link;
        let key = [link.element, link.attribute, link.reference].map(Box::from);
        let Some(new) = self.references.get(&key).filter(|new| !new.texts.is_empty()) else { return Ok(None) };
        let fitting = new.texts.iter().find(|text| (asked.can_be)(text));
        fitting.map(|text| Some(text.to_string().into())).ok_or(LeftReason::Unwritable)
    }
}

/// A page with links to repair, from [`Site::each_fix`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PageFix {
    /// The path of its file: the root, and the path below it.
    pub path: PathBuf,
    /// Its URI.
    pub uri: String,
    /// The references to write.
    pub fix: Fix,
    lazy: bool,
    renderer: Option<Renderer>,
    /// The root, and the path of the page below it.
    root: Arc<HeldFolder>,
    below: PathBuf,
}

impl PageFix {
    /// Opens the page, in which no symbolic link leads elsewhere.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(&self) -> io::Result<File> {
        let (folder, name) = self.root.around(&self.below)?;
        folder.open_file(name)
    }

    /// Returns what the file holds, as [`Content::of_file`] does. A page of Markdown is MDX where its site's renderer reads it so.
    ///
    /// # Errors
    /// Those of the file.
    pub fn content(&self, file: impl Read + Seek) -> io::Result<Content> {
        Ok(Content::of_file(file, &self.path, &self.uri, true)?.rendered_by(self.renderer))
    }

    /// Returns a rewriter of the page, which is that of a [`Base`] with its [URI](PageFix::uri).
    #[must_use]
    pub fn into_rewriter<'e>(self) -> Rewriter<'e, Fix> {
        Rewriter::from(self.fix).options(Options { lazy: self.lazy, ..Options::default() })
    }

    /// Replaces the file at once by a repaired one, and returns the numbers of its references.
    ///
    /// # Errors
    /// The file cannot be read or replaced. [`InvalidData`](io::ErrorKind::InvalidData), after it was replaced, if a part could not be read.
    pub fn apply(self) -> io::Result<Totals> {
        self.apply_with(|_| ())
    }

    /// Does what [`apply`](PageFix::apply) does, and tells each edit before the file is replaced.
    ///
    /// # Errors
    /// The same as [`apply`](PageFix::apply).
    ///
    /// ```
    /// use relref_links::check::{Options, Site};
    ///
    /// let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("a.md"), "[b](B.md)")?;
    /// std::fs::write(folder.path().join("b.md"), "")?;
    /// let site = Site::open(folder.path(), Options::default())?;
    /// let show = |edit: relref_links::rewrite::Edit| println!("{} -> {}", edit.old, edit.new); // B.md -> b.md
    /// site.each_fix(|_| true, |page| page.apply_with(show).map(|totals| assert_eq!(totals.rewritten, 1)))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply_with(self, each: impl FnMut(Edit<'_>) + Send) -> io::Result<Totals> {
        let (folder, name) = self.root.around(&self.below)?;
        let (folder, name) = (folder, name.to_owned());
        let content = self.content(folder.open_file(&name)?)?;
        let base = Base::new(&self.uri).map_err(io::Error::other)?;
        let mut rewriter = self.into_rewriter().each_edit(each);
        rewriter.replace_in(&folder, &name, content, None, &base)?;
        Ok(rewriter.totals)
    }
}

impl Site {
    /// Repairs each link whose meaning is certain, in its file, and returns the problems of this kind in the pages that changed.
    /// Those that are left, also where no other reference can be written, are [problems](Site::problems) of the site when it is opened
    /// again.
    ///
    /// # Errors
    /// As [`each_fix`](Site::each_fix), and those of [`PageFix::apply`]: pages before are repaired.
    ///
    /// ```
    /// use relref_links::check::{Options, Site};
    ///
    /// let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("a.md"), "[b](B.md) [c](c.md)")?;
    /// std::fs::write(folder.path().join("b.md"), "# Top")?;
    /// for problem in Site::open(folder.path(), Options::default())?.fix()? {
    ///     println!("{problem}"); // ../a.md:1:5: wrong-case: B.md …
    /// }
    /// let left: Vec<_> = Site::open(folder.path(), Options::default())?.problems().collect::<Result<_, _>>()?;
    /// assert_eq!((left.len(), left[0].reference.as_str()), (1, "c.md"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fix(&self) -> io::Result<Vec<Problem>> {
        // Of the page that is written next, then of those that were.
        let (found, fixed) = (Mutex::new(Vec::<Problem>::new()), Mutex::new(Vec::new()));
        let wants = |problem: &Problem| {
            if problem.is_certain {
                lock(&found).push(problem.clone());
            }
            true
        };
        let write = |page: PageFix| {
            let path = page.path.clone();
            let is_written = page.apply()?.rewritten > 0;
            let mut found = lock(&found);
            lock(&fixed).extend(found.drain(..).filter(|problem| is_written && problem.page == path));
            Ok(())
        };
        let _lock = self.lock()?;
        self.each_fix(wants, write)?;
        Ok(mem::take(&mut *lock(&fixed)))
    }

    /// Locks the folder of the site, as [`HeldFolder::lock`] does, while its pages are repaired. [`fix`](Site::fix) does it itself.
    ///
    /// # Errors
    /// Those of the lock; the site is no folder.
    ///
    /// ```
    /// use relref_links::check::{Options, Site};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let site = Site::open(folder.path(), Options::default())?;
    /// let lock = site.lock()?;
    /// site.each_fix(|_| true, |page| page.apply().map(|_| ()))?;
    /// drop(lock);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn lock(&self) -> io::Result<FolderLock> {
        self.files.contents.check_writable()?;
        HeldFolder::open(&self.files.root)?.lock()
    }

    /// Passes each page with links whose meaning is certain to `each`, if `wants` returns true for the problem of one. Pages that are
    /// symbolic links, or below one, are left out: their links are relative to another place, too, or they are no part of the site.
    ///
    /// # Errors
    /// As [`each_problem`](Site::each_problem), and those of `each`.
    ///
    /// ```
    /// use relref_links::check::{Options, Site};
    ///
    /// let folder = tempfile::tempdir()?;
    /// std::fs::create_dir(folder.path().join("docs"))?;
    /// std::fs::write(folder.path().join("README.md"), "See [the guide](guide.md \"guide.md\") and [more](more.md).\n")?;
    /// std::fs::write(folder.path().join("docs/guide.md"), "# Guide\n")?;
    /// let site = Site::open(folder.path(), Options::default())?;
    /// site.each_fix(|_| true, |page| page.apply().map(|_| ()))?;
    /// let page = std::fs::read_to_string(folder.path().join("README.md"))?;
    /// assert_eq!(page, "See [the guide](docs/guide.md \"guide.md\") and [more](more.md).\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn each_fix(
        &self,
        mut wants: impl FnMut(&Problem) -> bool + Send,
        mut each: impl FnMut(PageFix) -> io::Result<()> + Send,
    ) -> io::Result<()> {
        self.files.contents.check_writable()?;
        let root = fs::canonicalize(&self.files.root)?;
        let held = Arc::new(HeldFolder::open(&self.files.root)?);
        let mut pass = |path: &Path, fix: Fix| {
            if fix.is_empty() || !self.is_at_its_place(path, &root) {
                return Ok(());
            }
            let below = path.strip_prefix(&self.files.root).unwrap_or(path);
            let uri = self.uri_at(below);
            let renderer = Some(self.renderers.of(&path_bytes(below)));
            let (path, below, root) = (path.to_owned(), below.to_owned(), Arc::clone(&held));
            each(PageFix { path, uri, fix, lazy: self.options.lazy, renderer, root, below })
        };
        let (mut page, mut fix, mut done) = (PathBuf::new(), Fix::default(), Ok(()));
        self.each_problem(|found| {
            let Ok(problem) = found else { return ControlFlow::Continue(()) };
            if problem.page != page {
                let last = mem::replace(&mut page, problem.page.clone());
                done = pass(&last, mem::take(&mut fix));
            }
            if wants(&problem) {
                fix.add(&problem);
            }
            if done.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        done.and_then(|()| pass(&page, fix))
    }
}
