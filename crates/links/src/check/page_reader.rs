//! Reads one page of a site: its ids, and its links.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek};
use std::mem;
use std::sync::{Arc, Mutex};

use relref::{AnyBase, RuleSet};

use super::fragments::FragmentHasher;
use super::lock::lock;
use super::site::Site;
use crate::archive::sniff::{self, is_svg};
use crate::html::{AskedPlaces, Kind, Link, Options, Part, Tree, WantedLinks};
use crate::page::{FileKind, LinkReader, Page, PageBytes, PageKind, Store, decoded_start};

/// The kinds of links that are checked: metadata names things, and need not lead anywhere.
const KINDS: [Kind; 5] = [Kind::Hyperlink, Kind::Resource, Kind::Form, Kind::Citation, Kind::Refresh];

/// The length in bytes of the longest page that is held in memory; a longer one is read as a stream.
const IN_MEMORY: u64 = 1 << 20;

/// The length in bytes of the longest URI that is built.
const MAX_URI: usize = 1 << 20;

pub(super) fn link_options() -> Options {
    Options { kinds: KINDS.to_vec(), max_uri: MAX_URI, ..Options::default() }
}

/// Keeps its buffers from page to page.
pub(super) struct PageReader<'s> {
    site: &'s Site,
    reader: LinkReader,
    parts: Arc<Mutex<Parts>>,
    buffer: Vec<u8>,
    wanted: Arc<WantedLinks>,
}

/// The parts of the page that is read.
struct Parts {
    hasher: FragmentHasher,
    page: u32,
    ids: Vec<u64>,
    base: Option<String>,
    /// The `id`s as they are, kept for suggestions.
    names: Option<Vec<String>>,
    /// Takes the ids of a page that has very many.
    overflow: Box<Overflow>,
    has_overflown: bool,
}

type Overflow = dyn FnMut(&mut Vec<u64>) + Send;

/// The most ids that a page keeps in memory.
const MAX_IDS: usize = 1 << 18;

/// The most `id`s that are kept for suggestions.
const MAX_NAMES: usize = 20_000;
/// The length in bytes of the longest `id` that is kept for suggestions.
const MAX_NAME_LEN: usize = 200;

impl Parts {
    fn add(&mut self, part: Part<'_>) {
        match part {
            Part::Base(uri) => {
                if self.base.as_deref() != Some(uri) {
                    self.base = Some(uri.to_owned());
                }
            }
            Part::Id(id) => match &mut self.names {
                Some(names) if names.len() < MAX_NAMES && id.len() <= MAX_NAME_LEN => names.push(id.to_owned()),
                Some(_) => {}
                None => {
                    self.ids.push(self.hasher.key(self.page, id));
                    if self.ids.len() == MAX_IDS {
                        self.has_overflown = true;
                        (self.overflow)(&mut self.ids);
                    }
                }
            },
        }
    }
}

/// A page that was read.
pub(super) struct ReadPage {
    pub(super) len: u64,
    /// HTML, in which fragments indicate elements.
    pub(super) is_html: bool,
}

impl<'s> PageReader<'s> {
    /// `overflow` takes the ids of a page that has very many, and leaves an empty list.
    pub(super) fn new(site: &'s Site, overflow: impl FnMut(&mut Vec<u64>) + Send + 'static) -> Self {
        let parts = Arc::new(Mutex::new(Parts {
            hasher: site.hasher.clone(),
            page: 0,
            ids: Vec::new(),
            base: None,
            names: None,
            overflow: Box::new(overflow),
            has_overflown: false,
        }));
        let mut reader = LinkReader::default();
        reader.pages.options = Options { places: true, ..link_options() };
        reader.pages.set_tree(Tree::new({
            let parts = Arc::clone(&parts);
            move |part| lock(&parts).add(part)
        }));
        PageReader { site, reader, parts, buffer: Vec::new(), wanted: Arc::default() }
    }

    /// Finds the places of the links for which the receiver asks, and no others.
    pub(super) fn with_asked(mut self, asked: &Arc<AskedPlaces>) -> Self {
        self.reader.pages.set_asked_places(Arc::clone(asked));
        self
    }

    /// Resolves only the links that [`problem_links`](Self::problem_links) passes on.
    pub(super) fn with_wanted(mut self, wants_ids: bool) -> Self {
        self.reader.pages.set_wanted_links(Arc::clone(&self.wanted), wants_ids);
        self
    }

    /// Calls `each` with the links of a file that may have problems, with their places, and with the number of links up to each; `None`
    /// if it is no page.
    pub(super) fn problem_links(
        &mut self,
        file: u32,
        mask: u64,
        mut each: impl FnMut(&Link<'_>, u32, &dyn Fn() -> Option<String>) -> io::Result<()>,
    ) -> io::Result<Option<ReadPage>> {
        self.wanted.start(mask);
        let (wanted, mut count) = (Arc::clone(&self.wanted), 0_u32);
        self.links(file, |link, base| {
            count = count.saturating_add(1);
            let is_wanted = wanted.wants_next();
            wanted.count_link();
            if is_wanted { each(link, count, base) } else { Ok(()) }
        })
    }

    /// Calls `each` with the links of a file; `None` if it is no page. `each` also gets a function for the URI of the page's `base`.
    pub(super) fn links(
        &mut self,
        file: u32,
        mut each: impl FnMut(&Link<'_>, &dyn Fn() -> Option<String>) -> io::Result<()>,
    ) -> io::Result<Option<ReadPage>> {
        {
            let mut parts = lock(&self.parts);
            (parts.page, parts.base, parts.has_overflown) = (file, None, false);
            parts.ids.clear();
        }
        let Some((mut page, is_html)) = self.open(file)? else { return Ok(None) };
        let len = page.bytes.len()?;
        let base =
            AnyBase::new(&page.uri, RuleSet::Whatwg).map_err(|why| io::Error::new(ErrorKind::InvalidInput, why))?;
        let parts = Arc::clone(&self.parts);
        let page_base = || lock(&parts).base.clone();
        let done = self.reader.decoded_links(&mut page, &base, |link| each(link, &page_base));
        if let PageBytes::Memory(bytes) = page.bytes {
            self.buffer = bytes;
        }
        done.map(|()| Some(ReadPage { len, is_html }))
    }

    /// Takes the ids of the page that was read last. `None` if it has very many, of which all are known elsewhere.
    pub(super) fn take_ids<T>(&mut self, take: impl FnOnce(Option<&mut Vec<u64>>) -> T) -> T {
        let mut parts = lock(&self.parts);
        if parts.has_overflown {
            let Parts { overflow, ids, .. } = &mut *parts;
            overflow(ids);
            return take(None);
        }
        take(Some(&mut parts.ids))
    }

    /// Returns the first ids of a page, as they are.
    pub(super) fn ids(&mut self, file: u32) -> Vec<String> {
        lock(&self.parts).names = Some(Vec::new());
        // A page that cannot be read has no ids.
        let _ = self.links(file, |_, _| Ok(()));
        lock(&self.parts).names.take().unwrap_or_default()
    }

    fn open(&mut self, number: u32) -> io::Result<Option<(Page, bool)>> {
        let files = &self.site.files;
        let mut file = File::open(files.full_path(files.path(number)))?;
        let len = file.metadata()?.len();
        let bytes: PageBytes = if len <= IN_MEMORY {
            let mut buffer = mem::take(&mut self.buffer);
            buffer.clear();
            file.by_ref().take(IN_MEMORY + 1).read_to_end(&mut buffer)?;
            if buffer.len() as u64 > IN_MEMORY {
                file.rewind()?;
                file.into()
            } else {
                buffer.into()
            }
        } else {
            file.into()
        };
        let mut page = Page::new(self.site.uri_of(number), bytes);
        let start = page.bytes.start()?;
        let is_unsure = files.kind(number) == FileKind::Unknown;
        if let Some(coding) = sniff::compression(&start) {
            page.codings.push(coding.to_owned());
            // Faster than to decode all of a long text. A block of other codings may be longer than the start.
            if is_unsure && coding == "gzip" {
                let start = decoded_start(&start, &page.codings);
                if PageKind::Unknown.of_start(&start, &page.uri) == PageKind::None {
                    return Ok(None);
                }
            }
            drop(start);
            match page.decode(&mut Store::default()) {
                Err(_) if is_unsure => return Ok(None),
                done => done?,
            }
            if is_unsure {
                page.kind = PageKind::Unknown;
            }
        }
        let start = page.bytes.start()?;
        let kind = PageKind::Unknown.of_start(&start, &page.uri);
        page.kind = match kind {
            PageKind::None if is_unsure => return Ok(None),
            // As `relref links` reads a file of that name.
            PageKind::None if files.kind(number) == FileKind::Css => PageKind::Css,
            PageKind::None => PageKind::Html,
            PageKind::Robots => return Ok(None),
            kind => kind,
        };
        let is_html = page.kind == PageKind::Html && !is_svg(&start);
        drop(start);
        if page.is_binary()? {
            return if is_unsure { Ok(None) } else { Err(io::Error::other("binary data, not a page")) };
        }
        Ok(Some((page, is_html)))
    }
}
