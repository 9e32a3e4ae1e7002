//! A site whose files are renamed, by a move: which pages change, and where each link leads by the files that exist.

use std::fs::{self, File};
use std::io::{self, Error, ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use relref::percent::{ByteSet, decode_leaving_illegal, encode_with};
use relref::whatwg::Base;

use super::files::{Found, last_name};
use super::judge::{Judge, LinkTarget, READMES, file_path};
use super::renderers::Renderers;
use super::site::Site;
use crate::html::{Link, Options};
use crate::rewrite::renaming::{Lead, path_bytes};
use crate::rewrite::{Content, Renames, Renaming, Rewriter};

/// A page with the references that it needs once files have other names, from [`Site::renamed_pages`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenamedPage {
    /// The path that its file will have: the root, and the path below it.
    pub path: PathBuf,
    /// The path that the file has now.
    pub old_path: PathBuf,
    /// The bytes that the file needs at `path`.
    pub bytes: Vec<u8>,
    /// How many references are others.
    pub rewritten: u64,
}

impl Site {
    /// Returns the pages whose references change when files get other names. Nothing is renamed or written. One page at a time is in memory.
    /// [`renaming`](Site::renaming) has the references alone.
    ///
    /// # Errors
    /// The root cannot be read. The iterator returns the errors of pages.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use relref_links::check::{Options, Site};
    ///
    /// let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("a.md"), "[b](b.md)")?;
    /// std::fs::write(folder.path().join("b.md"), "[a](a.md)")?;
    /// let site = Arc::new(Site::open(folder.path(), Options::default())?);
    /// for page in site.renamed_pages([("a.md", "docs/a.md")])? {
    ///     let page = page?;
    ///     let expected = if page.path.ends_with("docs/a.md") { "[b](../b.md)" } else { "[a](docs/a.md)" };
    ///     assert_eq!(String::from_utf8(page.bytes)?, expected);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn renamed_pages(
        self: &Arc<Self>,
        renames: impl Into<Renames>,
    ) -> io::Result<impl Iterator<Item = io::Result<RenamedPage>>> {
        let renames = renames.into();
        let options = Options { lazy: true, ..Options::default() };
        let mut rewriter = Rewriter::from(self.renaming(renames.clone())).options(options);
        Ok(self.page_files()?.filter_map(move |(old_path, uri)| {
            let mut rewrite = || {
                let mut file = File::open(&old_path)?;
                let content = self.content(&mut file, &old_path)?;
                let (base, mut bytes) = (Base::new(&uri).map_err(Error::other)?, Vec::new());
                let before = rewriter.totals.rewritten;
                match rewriter.file(content, file, None, &base, &mut bytes) {
                    // Parts that cannot be read stay as they are.
                    Err(error) if error.kind() != ErrorKind::InvalidData => return Err(error),
                    _ => {}
                }
                Ok((bytes, rewriter.totals.rewritten - before))
            };
            let page = match rewrite() {
                Ok((_, 0)) => return None,
                Ok(page) => page,
                Err(error) => return Some(Err(error)),
            };
            let (bytes, rewritten) = page;
            let below = path_bytes(old_path.strip_prefix(&self.files.root).unwrap_or(&old_path));
            let path = self.files.full_path(&renames.new_path(&below));
            Some(Ok(RenamedPage { path, old_path, bytes, rewritten }))
        }))
    }

    /// Returns the site as it was before files got other names: its pages have their old URIs, and are read where they are now.
    ///
    /// # Errors
    /// [`AlreadyExists`](ErrorKind::AlreadyExists) if a file has the old name of another.
    pub fn before(mut self, renames: Renames) -> io::Result<Site> {
        let collision = || Error::new(ErrorKind::AlreadyExists, "a file has the old name of another");
        self.files = self.files.before(renames).ok_or_else(collision)?;
        self.renderers = Renderers::new(&self.files, self.options.ids);
        Ok(self)
    }

    /// Returns what a file holds, as [`Content::of_file`] does by its present path: the root, and the path below it. A page of Markdown is
    /// MDX where the site's renderer reads it so.
    ///
    /// # Errors
    /// Those of the file.
    ///
    /// ```
    /// use relref_links::check::{Options, Site};
    /// use relref_links::rewrite::Content;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let page = folder.path().join("a.md");
    /// std::fs::write(folder.path().join("docusaurus.config.js"), "")?;
    /// std::fs::write(&page, "import X from './x';")?;
    /// let site = Site::open(folder.path(), Options::default())?;
    /// assert_eq!(site.content(std::fs::File::open(&page)?, &page)?, Content::Mdx);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn content(&self, file: impl Read + Seek, path: &Path) -> io::Result<Content> {
        let below = path_bytes(path.strip_prefix(&self.files.root).unwrap_or(path));
        let below = self.files.old_path(&below);
        let uri = format!("{}{}", self.root, encode_with(&below, ByteSet::PATH));
        Ok(Content::of_file(file, path, &uri, false)?.rendered_by(Some(self.renderers.of(&below))))
    }

    /// Returns the paths and the URIs of the files that may be pages. Those that are symbolic links, or below one, are left out: their
    /// links are relative to another place, too, or they are no part of the site.
    ///
    /// # Errors
    /// The root cannot be read.
    pub fn page_files(&self) -> io::Result<impl Iterator<Item = (PathBuf, String)>> {
        self.files.contents.check_writable()?;
        let root = fs::canonicalize(&self.files.root)?;
        let files = self.pages.iter().map(|page| (self.full_path(*page), self.uri_of(*page)));
        // The pages of a folder come one after another, so that it is followed once for all of them.
        let mut last = (PathBuf::new(), false);
        Ok(files.filter(move |(path, _)| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            if last.0 != folder {
                last = (folder.to_owned(), self.is_at_its_place(folder, &root));
            }
            last.1 && !path.is_symlink()
        }))
    }

    /// Returns the references that keep the links of the site when files get other names. It knows the files of the site: to a folder by its
    /// index, and by an ending that the server adds.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use relref::whatwg::Base;
    /// use relref_links::check::{Options, Site};
    /// use relref_links::rewrite::Rewriter;
    ///
    /// let folder = tempfile::tempdir()?;
    /// std::fs::create_dir(folder.path().join("a"))?;
    /// std::fs::write(folder.path().join("a/index.html"), "")?;
    /// std::fs::write(folder.path().join("b.html"), "<a href=a/>")?;
    /// let site = Arc::new(Site::open(folder.path(), Options::default())?);
    /// let mut rewriter = Rewriter::from(site.renaming([("a/index.html", "c/index.html")]));
    /// let (_, uri) = site.page_files()?.last().unwrap();
    /// assert_eq!(*rewriter.html("<a href=a/>", None, &Base::new(uri)?), *b"<a href=c/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn renaming(self: &Arc<Self>, renames: impl Into<Renames>) -> Renaming {
        let site = Arc::clone(self);
        let renaming = Renaming::new(&self.root, renames).expect("the root was checked");
        let others = self.forge.as_ref().map_or(Vec::new(), |forge| forge.others.clone());
        renaming.finding(others, move |renames, link, [base, page]| site.lead(renames, link, base, page))
    }

    /// Reports whether the path to a file leads through no symbolic link below the root, whose canonical path is `real_root`.
    pub(super) fn is_at_its_place(&self, path: &Path, real_root: &Path) -> bool {
        let below = path.strip_prefix(&self.files.root).unwrap_or(path);
        fs::canonicalize(path).is_ok_and(|real| real == real_root.join(below))
    }

    fn lead(&self, renames: &Renames, link: &Link<'_>, base: &str, page: &str) -> Lead {
        let page_path = self.below_root(page).map(|below| decode_leaving_illegal(below.rest).to_bytes());
        let Some(page_path) = page_path else { return Lead::Stays };
        let Some(number) = self.files.file_at(&page_path) else { return Lead::Stays };
        let mut judge = Judge::new(self, number);
        if base != page {
            judge.set_base(base);
        }
        let Some(target) = judge.target_in_site(link) else { return Lead::Out };
        let asked = file_path(&target.path);
        let new = match target.found {
            Found::Nothing if self.is_on_disk(&asked) => renames.new_path(&asked).into_owned(),
            // What does not exist has no other place, but from that of its page, or in a folder that moves with it.
            Found::Nothing if climbs(link.reference) && *renames.new_path(&page_path) != *page_path => {
                renames.new_path(&asked).into_owned()
            }
            Found::Nothing => {
                self.note_untried(renames, &asked, &target.path);
                return Lead::Stays;
            }
            Found::File(file) => self.new_file_path(renames, &asked, file),
            Found::Index { .. } | Found::FolderWithoutIndex { .. } => {
                self.new_folder_path(renames, &asked, &judge, &target)
            }
        };
        let is_file = self.files.file_at(&renames.old_path(&new)).is_some();
        match self.renderers.site_root(&page_path).filter(|_| target.site_root_len > 0) {
            Some(root) => below_site_root(renames, root, &page_path, [asked, new], is_file),
            None => Lead::To { asked, new, is_file },
        }
    }

    fn note_untried(&self, renames: &Renames, asked: &[u8], path: &str) {
        let is_renamed = |path: Vec<u8>| *renames.new_path(&path) != *path && self.files.file_at(&path).is_some();
        let found = LEFT_OUT.iter().position(|ending| is_renamed([asked, b".", ending.as_bytes()].concat()));
        if let Some(ending) = found.filter(|_| !path.ends_with('/')) {
            self.untried[ending].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns the endings with which links would lead to files that get other names, if the server added them and they were among
    /// [`try_ext`](super::Options::try_ext), and the numbers of these links: of those that a [renaming](Self::renaming) of this site has
    /// left as they were.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use relref_links::check::{Options, Site};
    ///
    /// let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("a.html"), "<a href=b>")?;
    /// std::fs::write(folder.path().join("b.html"), "")?;
    /// let site = Arc::new(Site::open(folder.path(), Options::default())?);
    /// assert_eq!(site.renamed_pages([("b.html", "c.html")])?.count(), 0);
    /// assert_eq!(site.untried_endings(), [("html", 1)]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn untried_endings(&self) -> Vec<(&'static str, u64)> {
        let counts = LEFT_OUT.into_iter().zip(self.untried.iter().map(|count| count.load(Ordering::Relaxed)));
        counts.filter(|(_, count)| *count > 0).collect()
    }

    /// The path by which a file is asked for when it has its new name.
    fn new_file_path(&self, renames: &Renames, asked: &[u8], file: u32) -> Vec<u8> {
        let path = self.files.path(file);
        let new = renames.new_path(path);
        // Through a symbolic link, the way may be another.
        let new = if *new == *path { renames.new_path(asked) } else { new };
        let without = |ending: &[u8]| new.strip_suffix(ending).map_or_else(|| new.to_vec(), <[u8]>::to_vec);
        match () {
            () if path == asked || *new == *asked => new.into_owned(),
            () if *new == *renames.new_path(asked) => new.into_owned(),
            () if path.starts_with(asked) && path[asked.len()..].starts_with(b".") => without(&path[asked.len()..]),
            // A page of a book, by its source.
            () if asked.ends_with(b".html") && new.ends_with(b".md") => {
                let folder = &new[..new.len() - last_name(&new).len()];
                let page = if last_name(&new) == b"README.md" { [folder, b"index"].concat() } else { without(b".md") };
                [&page[..], b".html"].concat()
            }
            () => new.into_owned(),
        }
    }

    /// The path by which a folder, or the page that stands for it, is asked for when these have their new names.
    fn new_folder_path(&self, renames: &Renames, asked: &[u8], judge: &Judge<'_>, target: &LinkTarget<'_>) -> Vec<u8> {
        let folder = renames.new_path(asked);
        let page = match target.found {
            // The folder itself is shown, with its README below.
            _ if judge.renderer.is_some() && target.fragment.is_empty() => None,
            _ if judge.renderer.is_some() => self.files.first_in(asked, &READMES),
            Found::Index { file, .. } => Some(file),
            _ => None,
        };
        let Some(page) = page.filter(|_| *folder == *asked) else { return folder.into_owned() };
        let page = renames.new_path(self.files.path(page));
        let name = last_name(&page);
        let names = self.options.index.iter().map(String::as_bytes);
        let is_index = names.chain(READMES.map(str::as_bytes).into_iter().filter(|_| judge.renderer.is_some()));
        if is_index.into_iter().any(|index| index == name) {
            let folder = &page[..page.len() - name.len()];
            folder.strip_suffix(b"/").unwrap_or(folder).to_vec()
        } else {
            page.into_owned()
        }
    }

    /// Reports whether there is something that the site leaves out, such as what git ignores.
    fn is_on_disk(&self, path: &[u8]) -> bool {
        self.files.full_path(path).symlink_metadata().is_ok()
    }
}

/// The endings of pages that links to clean URLs leave out.
pub(super) const LEFT_OUT: [&str; 3] = ["html", "htm", "md"];

/// Where a reference leads that means paths from the folder of the sources, unless its page leaves that folder.
fn below_site_root(renames: &Renames, root: &[u8], page: &[u8], [asked, new]: [Vec<u8>; 2], is_file: bool) -> Lead {
    let asked = without_folder(&asked, root).unwrap_or(&asked).to_vec();
    let new_root = renames.new_path(root);
    if without_folder(&renames.new_path(page), &new_root).is_none() {
        return Lead::To { asked, new, is_file };
    }
    match without_folder(&new, &new_root) {
        Some(new) => Lead::To { asked, new: new.to_vec(), is_file },
        None => Lead::Lost,
    }
}

/// Returns the path from a folder; `None` if it does not lead into it.
pub(super) fn without_folder<'p>(path: &'p [u8], folder: &[u8]) -> Option<&'p [u8]> {
    let rest = path.strip_prefix(folder)?;
    if folder.is_empty() || rest.is_empty() { Some(rest) } else { rest.strip_prefix(b"/") }
}

/// Reports whether a reference starts with `..`.
fn climbs(reference: &str) -> bool {
    reference.trim_start_matches("./").starts_with("..")
}
