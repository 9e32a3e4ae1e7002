//! The reader of pages: its options, and how it is called.

use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;
use std::io::{self, Read, Seek};

use encoding_rs::Encoding;
use html5gum::{IoReader, Readable};

use super::link::{Kind, Link};
use super::page_base::PageBase;
use super::page_buffers::PageBuffers;
use super::read::CHUNK_LEN;
use super::reporter::{LinkBuffers, until_break_off};
use super::utf8_reader::Utf8Reader;

/// A reader of pages, which reports their links. Use one for many pages: it keeps its buffers from page to page,
/// except that for the text of a page in memory that is not UTF-8.
///
/// ```
/// use relref_links::html::{Kind, Pages};
/// use relref::whatwg::Base;
///
/// let page = b"<a href=intro rel=next>go on</a><img src=a.png srcset='a.png, b.png 2x'>";
/// let base = Base::new("http://example.com/docs/")?;
/// let mut found = Vec::new();
/// Pages::new().links(page, None, &base, |link| {
///     found.push((link.kind, link.attribute.to_string(), link.uri.to_string()));
/// });
/// assert_eq!(found[0], (Kind::Hyperlink, "href".into(), "http://example.com/docs/intro".into()));
/// assert_eq!(found[1], (Kind::Resource, "src".into(), "http://example.com/docs/a.png".into()));
/// assert_eq!(found[3], (Kind::Resource, "srcset".into(), "http://example.com/docs/b.png".into()));
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
pub struct Pages {
    /// True to also report lazy-loading attributes, from which scripts load images later: `data-src`, `data-srcset`,
    /// `data-original`, `data-href`. False by default.
    pub lazy: bool,
    /// True to also report `itemtype` and `itemid`, which name items of a vocabulary. False by default.
    pub items: bool,
    /// True to find out, before the links of a page are reported, whether a `<meta name=robots>` asks robots to follow none of
    /// them: see [`Link::page_nofollow`]. HTTP heads may ask the same: see [`field_nofollow`](super::field_nofollow). For the links
    /// of the HTTP head itself, see [`page_nofollow`](Pages::page_nofollow). False by default.
    pub robots: bool,
    /// True to percent-encode queries by a rule set, too, as browsers do in pages that are neither UTF-8 nor UTF-16, and as the
    /// servers of such pages expect. Each character that is not US-ASCII is written as its bytes in the page's character encoding;
    /// those bytes that are not US-ASCII, and few others, become escapes. Only the schemes `http`, `https`, `ftp` and `file` count.
    /// [`uri`](Link::uri) changes, [`reference`](Link::reference) does not. False by default, as rule sets encode nothing. By the
    /// URL Standard, queries are always encoded in this way (§4.4, query state).
    pub legacy_queries: bool,
    /// The kinds of the links that are reported; all kinds if empty. The URIs of other links are not built, and do not count
    /// for the limits.
    pub kinds: Vec<Kind>,
    /// True to report only [fetchable](Link::is_fetchable) links. Other links are treated like those of kinds that are not in
    /// `kinds`. False by default.
    pub fetchable: bool,
    /// The length in bytes of the longest URI that is built. A link with a longer URI is reported as [rejected](Link::rejected),
    /// and so is a link relative to a longer `codebase`. By the URL Standard, a link is also rejected if its reference needs
    /// encoding and this reference, or the base that it is relative to, is itself longer. No limit by default.
    pub max_uri: usize,
    /// The length in bytes that the URIs of a page may have together. The first link beyond it and all links after that one are
    /// reported as [rejected](Link::rejected). With a limit proportional to the page's length, time is linear in that length.
    /// By the URL Standard, some URIs that are longer than `max_uri` count, too. No limit by default.
    pub max_total: u64,
    /// The length in bytes of the longest [text](Link::text) of a link. A longer text is shortened, in whole characters. With 0,
    /// the default, links have no text, and texts cost nothing.
    ///
    /// With texts, an `a` and the links in it are reported when its text is complete, still in the order of the page: at its
    /// end, or before, when the text is as long as it may be, or 256 links or 64 KiB of links wait for it.
    pub max_text: usize,
    /// True if it is known, before the page is read, that robots should follow none of its links.
    pub(crate) head_nofollow: bool,
    /// Empty between pages.
    pub(super) page_buffers: PageBuffers,
    /// See [`take_chunks`](Pages::take_chunks).
    pub(super) chunks: Vec<u8>,
    /// Empty between pages.
    pub(super) link_buffers: LinkBuffers,
}

impl Pages {
    /// The length in bytes of UTF-8 of the longest tag, and of the longest text of a `style` element, that is read in a stream.
    pub const MAX_TAG_LEN: usize = 8 << 20;

    /// Returns a reader of pages with all options off and no limits.
    pub fn new() -> Self {
        Pages {
            lazy: false,
            items: false,
            robots: false,
            legacy_queries: false,
            kinds: Vec::new(),
            fetchable: false,
            max_uri: usize::MAX,
            max_total: u64::MAX,
            max_text: 0,
            head_nofollow: false,
            page_buffers: PageBuffers::default(),
            chunks: Vec::new(),
            link_buffers: LinkBuffers::default(),
        }
    }

    /// Reports every link of a page to `each`, in the order of the page.
    ///
    /// `charset` is the page's character encoding if the caller knows it, for example from an HTTP head (see
    /// [`charset()`](super::charset())). `base` is the page's own URI: a `&`[`whatwg::Base`](relref::whatwg::Base), to resolve as
    /// browsers do, or a `&`[`Base`](relref::Base), to resolve by its rule set.
    ///
    /// Cost: one pass of the html5gum tokenizer, and another up to the `base` element if there is one. If a `meta` declares another
    /// character encoding than the start of the page, the page is read once more up to that `meta`. With warm buffers nothing is
    /// allocated for a link, except for one with a `codebase`, a CSS escape, a query to encode, or bytes that are no characters. A
    /// page that is not UTF-8 is first decoded as a whole.
    pub fn links<'b>(
        &mut self,
        page: &[u8],
        charset: Option<&'static Encoding>,
        base: impl Into<PageBase<'b>>,
        mut each: impl FnMut(Link<'_>),
    ) {
        let each = |link: Link<'_>| {
            each(link);
            ControlFlow::<()>::Continue(())
        };
        let _ = self.try_links(page, charset, base, each);
    }

    /// Like [`links`](Pages::links) until `each` breaks off; returns what it broke off with. The rest of the page is not read.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use relref::whatwg::Base;
    /// use relref_links::html::Pages;
    ///
    /// let page = b"<link rel=icon href=i><link rel=canonical href=/c><a href=d>";
    /// let canonical = Pages::new().try_links(page, None, &Base::new("http://h/a")?, |link| match link.rel {
    ///     "canonical" => ControlFlow::Break(String::from(link.uri)),
    ///     _ => ControlFlow::Continue(()),
    /// });
    /// assert_eq!(canonical.break_value().as_deref(), Some("http://h/c"));
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    pub fn try_links<'b, B>(
        &mut self,
        page: &[u8],
        charset: Option<&'static Encoding>,
        base: impl Into<PageBase<'b>>,
        each: impl FnMut(Link<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        until_break_off(each, |each| {
            let (preview, text) = self.preview_bytes(page, charset, self.sought());
            // In memory nothing fails, and no tag is too long.
            let Ok(_) = self.report(text.to_reader(), preview, base.into(), each, usize::MAX);
        })
    }

    /// Reports every link of a page that is read as a stream to `each`, in the order of the page.
    ///
    /// The page starts at the stream's position. It is read twice, first to search its bytes for `base` and `meta` elements, then
    /// for its links. It is read once more up to the `base` element if there is one. If a `meta` declares another character
    /// encoding than the start of the page, it is read from the start again. Memory does not grow with the page. It grows with the
    /// longest tag and the longest text of a `style` element, as far as they matter and up to [`MAX_TAG_LEN`](Pages::MAX_TAG_LEN).
    /// In html5gum, it also grows with the longest name right after `</` in a script or other raw text.
    ///
    /// # Errors
    /// Those of the stream and those of `each`, which end the reading. [`InvalidData`](io::ErrorKind::InvalidData), after all other
    /// links, if a tag or a `style` element was too long to be read.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use relref::whatwg::Base;
    /// use relref_links::html::Pages;
    ///
    /// let base = Base::new("http://h/a").unwrap();
    /// let page = Cursor::new(b"\xFF\xFE<\0a\0 \0h\0r\0e\0f\0=\0x\0>\0");
    /// let mut uris = Vec::new();
    /// Pages::new().links_from(page, None, &base, |link| Ok(uris.push(link.uri.to_string())))?;
    /// assert_eq!(uris, ["http://h/x"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn links_from<'b, R: Read + Seek>(
        &mut self,
        mut page: R,
        charset: Option<&'static Encoding>,
        base: impl Into<PageBase<'b>>,
        mut each: impl FnMut(Link<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let preview = self.preview_stream(&mut page, charset, self.sought())?;
        let mut chunks = self.take_chunks();
        let (chunk, input) = chunks.split_at_mut(CHUNK_LEN);
        let page = IoReader::new_with_buffer(Utf8Reader::new(&mut page, preview.charset, input), chunk);
        let done = self.report(page, preview, base.into(), &mut each, Self::MAX_TAG_LEN);
        self.chunks = chunks;
        done?
    }
}

impl Default for Pages {
    fn default() -> Self {
        Pages::new()
    }
}

/// Shows the options, not the buffers.
impl fmt::Debug for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pages { lazy, items, robots, legacy_queries, kinds, fetchable, max_uri, max_total, max_text, .. } = self;
        let mut out = f.debug_struct("Pages");
        out.field("lazy", lazy).field("items", items).field("robots", robots);
        out.field("legacy_queries", legacy_queries).field("kinds", kinds).field("fetchable", fetchable);
        out.field("max_uri", max_uri).field("max_total", max_total).field("max_text", max_text);
        out.finish_non_exhaustive()
    }
}
