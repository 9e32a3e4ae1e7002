//! Reads one page of a site.

use std::io::{self, ErrorKind};
use std::mem;

use memchr::memrchr;
use relref::{AnyBase, RuleSet};

use super::known_ids::IdNames;
use super::paths::path_of;
use super::site::Site;
use crate::archive::sniff;
use crate::html::{Kind, Link, Locate, Options, PageSink, Pages};
use crate::markdown::Renderer;
use crate::page::{FileKind, LinkReader, Page, PageBytes, PageKind, Store, decoded_start};

/// The kinds of links that are checked: metadata names things, and need not lead anywhere.
pub(super) const KINDS: [Kind; 5] = [Kind::Hyperlink, Kind::Resource, Kind::Form, Kind::Citation, Kind::Refresh];

/// The length in bytes of the longest URI that is built.
const MAX_URI: usize = 1 << 20;

pub(super) fn link_options(kinds: &[Kind], lazy: bool) -> Options {
    Options { kinds: kinds.to_vec(), lazy, max_uri: MAX_URI, ..Options::default() }
}

/// Keeps its buffers from page to page.
pub(super) struct PageReader<'s> {
    site: &'s Site,
    reader: LinkReader,
    buffer: Vec<u8>,
}

/// A page that was read.
pub(super) struct ReadPage {
    pub(super) len: u64,
    /// HTML or SVG, in which fragments indicate elements.
    pub(super) is_html: bool,
}

impl<'s> PageReader<'s> {
    /// Its pages have links of these kinds.
    pub(super) fn new(site: &'s Site, kinds: &[Kind]) -> Self {
        let options = link_options(kinds, site.options.lazy);
        let reader = LinkReader { pages: Pages::with(options), ..LinkReader::default() };
        PageReader { site, reader, buffer: Vec::new() }
    }

    /// Passes the events of a file to `sink`; `None` if it is no page.
    pub(super) fn read(&mut self, file: u32, sink: &mut dyn PageSink) -> io::Result<Option<ReadPage>> {
        self.buffer.clear();
        let Some((mut page, is_html)) = self.open(file)? else { return Ok(None) };
        let len = page.bytes.len()?;
        let base =
            AnyBase::new(&page.uri, RuleSet::Whatwg).map_err(|why| io::Error::new(ErrorKind::InvalidInput, why))?;
        let done = self.reader.read_decoded(&mut page, (&base).into(), sink);
        if let PageBytes::Memory(bytes) = page.bytes {
            self.buffer = bytes;
        }
        done.map(|()| Some(ReadPage { len, is_html }))
    }

    /// Reports whether the page that was read last has this text. That of a long page is not known.
    pub(super) fn has_text(&self, text: &[u8]) -> bool {
        memchr::memmem::find(&self.buffer, text).is_some()
    }

    /// Reads the ids of a page. Of one that cannot be read to its end, these are the ids before that, and the length is 0.
    pub(super) fn ids(&mut self, file: u32) -> IdNames {
        let mut ids = Ids { names: IdNames::default(), renderer: self.site.renderer_of(file) };
        let read = self.read(file, &mut ids);
        ids.names.page_len = read.ok().flatten().map_or(0, |read| read.len);
        ids.names
    }

    fn open(&mut self, number: u32) -> io::Result<Option<(Page, bool)>> {
        let files = &self.site.files;
        let bytes = files.open(number, mem::take(&mut self.buffer))?;
        let mut page = Page::new(self.site.uri_of(number), bytes);
        let start = page.bytes.start()?;
        let is_unsure = files.kind(number) == FileKind::Unknown;
        let path = files.path(number);
        let stem = path_of(&path[..memrchr(b'.', path).unwrap_or(0)]);
        // `a.html.gz`: damage of it is told.
        let is_named_page = path.ends_with(b".gz") && FileKind::of(&stem) == FileKind::Page;
        let is_compressed = sniff::compression(&start).is_some();
        if let Some(coding) = sniff::compression(&start) {
            page.codings.push(coding.to_owned());
            // Faster than to decode all of a long text. A block of other codings may be longer than the start.
            let may_be_other = is_unsure && !is_named_page && coding != "gzip";
            if is_unsure && !is_named_page && !may_be_other {
                let start = decoded_start(&start, &page.codings);
                if PageKind::Unknown.of_start(&start, &page.uri) == PageKind::None {
                    return Ok(None);
                }
            }
            drop(start);
            match page.decode(&mut Store::default()) {
                Err(error) if may_be_other && is_damage(&error) => return Ok(None),
                done => done?,
            }
            if is_unsure {
                page.kind = PageKind::Unknown;
            }
        }
        let start = page.bytes.start()?;
        let kind = files.contents.kind_of(path).unwrap_or(PageKind::Unknown).of_start(&start, &page.uri);
        page.kind = match kind {
            PageKind::None if is_named_page && !is_compressed => {
                return Err(io::Error::new(ErrorKind::InvalidData, "it is not compressed, as its name says"));
            }
            PageKind::None if is_unsure => return Ok(None),
            // As `relref links` reads a file of that name.
            PageKind::None if files.kind(number) == FileKind::Css => PageKind::Css,
            PageKind::None => PageKind::Html.named(&page.uri),
            PageKind::Robots | PageKind::UrlList => return Ok(None),
            kind => kind,
        };
        let is_html = matches!(page.kind, PageKind::Html | PageKind::Markdown | PageKind::Mdx | PageKind::Xml);
        drop(start);
        if page.is_binary()? {
            return if is_unsure { Ok(None) } else { Err(io::Error::other("binary data, not a page")) };
        }
        Ok(Some((page, is_html)))
    }
}

/// Reports whether an error is that of bytes that cannot be decoded, rather than of the system or a limit.
fn is_damage(error: &io::Error) -> bool {
    use ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | Other | UnexpectedEof)
}

/// The ids of a page, for suggestions.
struct Ids {
    names: IdNames,
    renderer: Option<Renderer>,
}

impl PageSink for Ids {
    fn is_browser(&self) -> bool {
        true
    }

    fn wants_ids(&self) -> bool {
        true
    }

    fn renderer(&self) -> Option<Renderer> {
        self.renderer
    }

    fn wants_link(&mut self) -> bool {
        false
    }

    fn link(&mut self, _: &Link<'_>, _: &mut Locate<'_, '_>) -> io::Result<()> {
        Ok(())
    }

    fn id(&mut self, id: &str) {
        self.names.push(id);
    }
}
