//! The folder that is checked: its files, and what is known of each.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

use relref::percent::{ByteSet, decode_leaving_illegal, encode_with};
use relref::whatwg;

use super::contents::Contents;
use super::files::{Ending, Files};
use super::forge::Forge;
use super::fragment_key::{FragmentHasher, FragmentKeys};
use super::fragments::decoded_fragment;
use super::options::Options;
use super::problem::Unread;
use super::renderers::Renderers;
use super::structure::{Sections, Structure};
use crate::equivalent::strip_equivalent;
use crate::files::Patterns;
use crate::markdown::Renderer;
use crate::page::is_epub_file;
use crate::rewrite::renaming::path_bytes;

/// A folder that is a copy of a site, whose links can be checked.
///
/// Memory: the names of all files; 16 MiB for each of two lists of fragments, of which more are in temporary files; 40 MiB for problems and
/// ids, without which more pages are read twice; and what reading a page takes in each thread: at most about 30 MiB.
pub struct Site {
    pub(super) files: Files,
    /// Files that may be pages and whose links are checked, in their order.
    pub(super) pages: Vec<u32>,
    pub(super) is_part: bool,
    pub(super) unread: Vec<Unread>,
    pub(super) options: Options,
    /// The URI of the root, with a slash at its end.
    pub(super) root: String,
    /// The forge that shows the root at `root`, if it does.
    pub(super) forge: Option<Forge>,
    pub(super) renderers: Renderers,
    /// It has sources, so that other files of it may be templates.
    pub(super) has_markdown: bool,
    repository: Option<Repository>,
    /// The length of the part of `root` before its path.
    server_len: usize,
    pub(super) hasher: FragmentHasher,
    /// [`HTML`], [`IS_NEEDED`], [`IS_READ`] and [`IS_LINKED`] of each file. Read for each link, as `states` is not.
    pub(super) flags: Box<[AtomicU8]>,
    pub(super) states: Box<[FileState]>,
    pub(super) bytes_read: AtomicU64,
    /// `None` if they are not wanted.
    pub(super) sections: Option<Sections>,
    /// Links to renamed files that leave out an ending which is not tried: each of [`LEFT_OUT`](super::renamed::LEFT_OUT).
    pub(super) untried: [AtomicU64; 3],
}

/// The problems of a file, as far as they are known.
#[derive(Default)]
pub(super) struct FileState {
    /// The number of its first links after which none can have a problem; [`ALL_LINKS`] if all must be read, and 0 if the file has
    /// no problems.
    pub(super) links_to_report: AtomicU32,
    /// The bits of the links that may have a problem.
    pub(super) problem_links: AtomicU64,
}

pub(super) const ALL_LINKS: u32 = u32::MAX;

/// The bit of a link in [`FileState::problem_links`], by its number.
pub(super) fn link_bit(link: u32) -> u64 {
    1 << (link % u64::BITS)
}

/// Fragments indicate elements in it.
pub(super) const HTML: u8 = 1;
/// A link leads to a fragment in it.
pub(super) const IS_NEEDED: u8 = 2;
pub(super) const IS_READ: u8 = 4;
/// Another page links to it.
pub(super) const IS_LINKED: u8 = 8;

/// The most bytes of paths of pages to which nothing links.
const MAX_UNLINKED_LEN: usize = 1 << 20;

/// The URI of a root that has none. RFC 6761 §6.4: no server has such a name.
const NO_BASE: &str = "http://site.invalid/";

/// A URI below the root.
pub(super) struct Below<'u> {
    /// The part that follows the root's.
    pub(super) rest: &'u str,
    /// It is that of the root, without the slash at its end.
    pub(super) is_root_without_slash: bool,
}

/// The length in bytes of the longest page of Markdown that may be read while others are: its tree, in memory, takes up to a hundred times
/// as much.
const LARGE_MARKDOWN: u64 = 128 << 10;

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Site").field("root", &self.files.root).field("options", &self.options).finish_non_exhaustive()
    }
}

impl Site {
    /// Finds the files in a folder, and in those below it. A folder that a symbolic link leads to is read once.
    ///
    /// The path may also be that of an EPUB: a site whose files are those in the EPUB, at paths such as `book.epub!/text/a.xhtml`. It has
    /// no index files, no other endings are tried, and it is not [repaired](Self::fix).
    ///
    /// # Errors
    /// The folder cannot be read, or has 2^26 files or more. [`InvalidInput`](ErrorKind::InvalidInput) if the URI of the root is not valid, or has
    /// no host and is not `file:`. What cannot be read below the folder is a problem of the check.
    pub fn open(root: impl AsRef<Path>, mut options: Options) -> io::Result<Site> {
        let root = root.as_ref();
        if !is_epub_file(root)? {
            let (files, unread) = Files::walk(root, options.git_ignore)?;
            let repository = if options.base.is_none() { Repository::around(root) } else { None };
            return Ok(Site { repository, ..Site::of(files, unread, options)? });
        }
        let (contents, damage) = Contents::of_epub(root)?;
        (options.index, options.try_ext) = (Vec::new(), Vec::new());
        let mut inside = root.as_os_str().to_owned();
        inside.push("!");
        let unread = damage.into_iter().map(|why| Unread::new(root, why)).collect();
        Site::of(Files::of_contents(inside.into(), contents)?, unread, options)
    }

    /// Returns a site whose files are these, by their paths below the root, with `/` between names. Of two with one path, the last is kept.
    ///
    /// ```
    /// use relref_links::check::{Options, Site};
    ///
    /// let site = Site::in_memory([("a.html", "<a href=b.html#top><a href=c.html>"), ("b.html", "")], Options::default())?;
    /// let problems: Vec<_> = site.problems().map(|problem| problem.unwrap().to_string()).collect();
    /// assert_eq!(problems, ["a.html:1:28: missing: c.html (c.html)"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn in_memory<P: Into<String>, B: Into<Vec<u8>>>(
        files: impl IntoIterator<Item = (P, B)>,
        options: Options,
    ) -> io::Result<Site> {
        let files = files.into_iter().map(|(path, bytes)| (path.into().into_bytes(), bytes.into())).collect();
        Site::of(Files::of_contents(PathBuf::new(), Contents::Memory(files))?, Vec::new(), options)
    }

    fn of(files: Files, unread: Vec<Unread>, options: Options) -> io::Result<Site> {
        let invalid = |why: &dyn fmt::Display| io::Error::new(ErrorKind::InvalidInput, why.to_string());
        let base = options.base.as_deref().unwrap_or(NO_BASE);
        let base = whatwg::Base::new(base).map_err(|why| invalid(&why))?;
        let uri = base.as_str().split(['?', '#']).next().unwrap_or_default();
        let scheme_len = base.scheme().len();
        let Some(after) = uri[scheme_len..].strip_prefix("://") else {
            return Err(invalid(&"it has no host, so that nothing is relative to it"));
        };
        let server_len = scheme_len + "://".len() + after.find('/').unwrap_or(after.len());
        let slash = if uri.ends_with('/') { "" } else { "/" };
        let root_uri = format!("{uri}{slash}");
        let excluded = Patterns::new(&options.exclude)?;
        let mut pages = files.pages();
        if !excluded.is_empty() {
            pages.retain(|page| !excluded.has(&*String::from_utf8_lossy(files.path(*page))));
        }
        let renderers = Renderers::new(&files, options.ids);
        let has_markdown = pages.iter().any(|page| files.is_markdown(*page));
        if files.len() > FragmentHasher::MAX_PAGES {
            return Err(io::Error::other("it has 2^26 files or more"));
        }
        let flags = (0..files.len()).map(|_| AtomicU8::default()).collect();
        let states = (0..files.len()).map(|_| FileState::default()).collect();
        let (hasher, bytes_read) = (FragmentHasher::default(), AtomicU64::new(0));
        let sections = options.structure.then(|| Sections::new(&files, &pages));
        Ok(Site {
            files,
            pages,
            // A link may lead to a file that is left out.
            is_part: !excluded.is_empty(),
            unread,
            options,
            forge: Forge::of(&root_uri),
            renderers,
            has_markdown,
            repository: None,
            root: root_uri,
            server_len,
            hasher,
            flags,
            states,
            bytes_read,
            sections,
            untried: Default::default(),
        })
    }

    /// Checks only the links of these files, and of the pages in these folders, which must be below the root. Other pages are read for what
    /// these link to.
    ///
    /// # Errors
    /// The first file or folder that is not below the root, or does not exist.
    pub fn only(mut self, pages: impl IntoIterator<Item = impl AsRef<Path>>) -> io::Result<Site> {
        let mut numbers = Vec::new();
        for page in pages {
            let page = page.as_ref();
            let found = self.files.pages_at(page)?;
            numbers.extend(found.ok_or_else(|| {
                let why = format!("it is not in {}", self.files.root.display());
                io::Error::new(ErrorKind::NotFound, why)
            })?);
        }
        numbers.sort_unstable();
        numbers.dedup();
        // What is excluded stays so, also if it is named: a hook names all files that changed.
        let excluded = Patterns::new(&self.options.exclude)?;
        numbers.retain(|page| !excluded.has(&*String::from_utf8_lossy(self.files.path(*page))));
        (self.pages, self.is_part) = (numbers, true);
        Ok(self)
    }

    /// Returns the renderers by which the headings of the Markdown pages have ids, sorted by name.
    #[must_use]
    pub fn renderers(&self) -> Vec<Renderer> {
        let mut used: Vec<_> = self.pages.iter().filter_map(|page| self.renderer_of(*page)).collect();
        used.sort_by_key(Renderer::to_string);
        used.dedup();
        used
    }

    pub(super) fn is_large_markdown(&self, page: u32) -> bool {
        let is_large = || self.files.byte_len(page) > LARGE_MARKDOWN;
        self.files.is_markdown(page) && is_large()
    }

    /// Returns the number of files that may be pages, by their names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Reports whether there is no file that may be a page.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Returns the bytes of pages that were read so far, by a check in another thread.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    /// Returns the bytes that these files have together. Costs a system call for each.
    #[must_use]
    pub fn total_bytes(&self) -> u64 {
        self.pages.iter().map(|page| self.files.byte_len(*page)).fold(0, u64::saturating_add)
    }

    /// Returns the sections of the site and the links between them, with [`Options::structure`](Options::structure), and the pages that
    /// nothing links to, as far as they were found: call it after [`each_problem`](Site::each_problem).
    #[must_use]
    pub fn structure(&self) -> Structure {
        let (sections, links) =
            self.sections.as_ref().map(|sections| sections.with_links(&self.pages)).unwrap_or_default();
        let home = self.files.index_of_root(&self.options.index);
        let is_image = |page: &u32| self.files.ending(*page) == Ending::Svg;
        let is_unlinked = |page: &&u32| {
            self.has(**page, HTML) && !self.has(**page, IS_LINKED) && Some(**page) != home && !is_image(page)
        };
        let mut room = MAX_UNLINKED_LEN;
        let unlinked = self.pages.iter().filter(is_unlinked).map(|page| self.full_path(*page));
        let has_room = |path: &PathBuf| {
            room = room.saturating_sub(path.as_os_str().len() + size_of::<PathBuf>());
            room > 0
        };
        let unlinked = unlinked.take_while(has_room).collect();
        let unlinked_count = self.pages.iter().filter(is_unlinked).count() as u64;
        Structure { sections, links, unlinked, unlinked_count }
    }

    /// The part below the root of an encoded path in the repository around it.
    pub(super) fn own_part<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(&self.repository.as_ref()?.own_path)
    }

    /// Reports whether an encoded path is that of something in the repository around the root.
    pub(super) fn is_in_repository(&self, path: &str) -> bool {
        let Some(Repository { root, .. }) = &self.repository else { return false };
        let decoded = decode_leaving_illegal(path).to_bytes();
        let Ok(path) = std::str::from_utf8(&decoded) else { return false };
        let is_name = |part| matches!(part, Component::Normal(name) if !name.eq_ignore_ascii_case(".git"));
        let found = root.join(path);
        Path::new(path).components().all(is_name) && if path.ends_with('/') { found.is_dir() } else { found.exists() }
    }

    pub(super) fn full_path(&self, file: u32) -> PathBuf {
        self.files.full_path(self.files.path(file))
    }

    pub(super) fn uri_of(&self, file: u32) -> String {
        format!("{}{}", self.root, encode_with(self.files.path(file), ByteSet::PATH))
    }

    /// The URI of a file, by its path below the root.
    pub(super) fn uri_at(&self, path: &Path) -> String {
        format!("{}{}", self.root, encode_with(&path_bytes(path), ByteSet::PATH))
    }

    /// The scheme, host and port of the root.
    pub(super) fn server(&self) -> &str {
        &self.root[..self.server_len]
    }

    /// False if the root is known to be that of its host, which no `..` leads out of.
    pub(super) fn may_be_left(&self) -> bool {
        self.options.base.is_none() || self.root.len() > self.server_len + 1
    }

    pub(super) fn below_root<'u>(&self, uri: &'u str) -> Option<Below<'u>> {
        if let Some(rest) = strip_equivalent(uri, &self.root) {
            return Some(Below { rest, is_root_without_slash: false });
        }
        if let Some(rest) = self.forge.as_ref().and_then(|forge| forge.below(uri)) {
            return Some(Below { rest, is_root_without_slash: false });
        }
        let root = &self.root[..self.root.len() - 1];
        let rest = strip_equivalent(uri, root)?;
        let is_root_without_slash = rest.is_empty() || rest.starts_with(['?', '#']);
        is_root_without_slash.then_some(Below { rest, is_root_without_slash })
    }

    /// `None` unless the file is Markdown.
    pub(super) fn renderer_of(&self, file: u32) -> Option<Renderer> {
        self.files.is_markdown(file).then(|| self.renderers.of(self.files.path(file)))
    }

    /// Returns a URI as a problem shows it: without the server of a root that has no URI.
    pub(super) fn shown<'u>(&self, uri: &'u str) -> &'u str {
        match self.options.base {
            None => uri.strip_prefix(self.server()).unwrap_or(uri),
            Some(_) => uri,
        }
    }

    pub(super) fn fragment_keys(&self, page: u32, fragment: &str) -> FragmentKeys {
        let decoded = decoded_fragment(fragment);
        let renderer = self.renderer_of(page);
        if let Some(renderer @ (Renderer::GitHub | Renderer::GitLab)) = renderer {
            // Their scripts add this to a fragment, and look for an id with it.
            let decoded = decoded.strip_prefix("user-content-").unwrap_or(&decoded);
            let lower = (renderer == Renderer::GitHub).then(|| decoded.to_lowercase()).filter(|lower| lower != decoded);
            let written = lower.map(|lower| self.hasher.key(page, &lower));
            return FragmentKeys { decoded: self.hasher.key(page, decoded), written };
        }
        // A script of rustdoc marks the lines `3-7` of source code, each of which has its own id.
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_source = self.files.ending(page) == Ending::RustSource;
        let lines = if is_source { decoded.split_once('-') } else { None };
        let lines = lines.filter(|(first, last)| is_number(first) && is_number(last));
        let decoded = lines.map_or(&*decoded, |(_, last)| last);
        let written = (decoded != fragment).then(|| self.hasher.key(page, fragment));
        FragmentKeys { decoded: self.hasher.key(page, decoded), written }
    }

    pub(super) fn flag(&self, file: u32, flag: u8) {
        let flags = &self.flags[file as usize];
        // Most are set already, and then nothing is written that the other threads have.
        if flags.load(Ordering::Relaxed) & flag == 0 {
            flags.fetch_or(flag, Ordering::Relaxed);
        }
    }

    pub(super) fn flag_problems(&self, page: u32, links_to_report: u32, problem_links: u64) {
        self.state(page).links_to_report.fetch_max(links_to_report, Ordering::Relaxed);
        self.state(page).problem_links.fetch_or(problem_links, Ordering::Relaxed);
    }

    pub(super) fn has(&self, file: u32, flag: u8) -> bool {
        self.flags[file as usize].load(Ordering::Relaxed) & flag != 0
    }

    pub(super) fn state(&self, file: u32) -> &FileState {
        &self.states[file as usize]
    }
}

/// The repository in whose folder the root is.
struct Repository {
    root: PathBuf,
    /// The path of the site's root in it, encoded, with a slash after it.
    own_path: String,
}

impl Repository {
    /// `None` if the folder is the root of a repository itself.
    fn around(folder: &Path) -> Option<Self> {
        let folder = folder.canonicalize().ok()?;
        let root = folder.ancestors().find(|folder| folder.join(".git").exists())?;
        let own_path = folder.strip_prefix(root).ok().filter(|path| !path.as_os_str().is_empty())?;
        let own_path = format!("{}/", encode_with(&path_bytes(own_path), ByteSet::PATH));
        Some(Repository { root: root.to_owned(), own_path })
    }
}
