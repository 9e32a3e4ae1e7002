//! How pages are read: in memory or as a stream, first for the base, then for the links.

use alloc::string::String;
use alloc::vec::Vec;
use core::{fmt, mem};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

use encoding_rs::{CoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use html5gum::{IoReader, Readable, Reader};
use memchr::memmem;

use super::finder::{Buffers, Finder, ITEMS, LAZY, Links, Output};
use super::link::{Kind, Link};
use super::scanner::scan;
use super::source::{Source, Stream, fill, retry};
use super::tag::{KEPT, Tag};
use super::{charset, query};
use crate::base::Base;
use crate::error::Error;
use crate::rules::Rules;
use crate::uri::UriRef;

/// How much of a stream is read at once.
const CHUNK: usize = 1 << 16;

/// How pages are read. Made once for many pages, it keeps its buffers warm between them.
///
/// ```
/// use relref::html::{Kind, Pages};
/// use relref::Rules;
///
/// let page = b"<a href=intro rel=next>go on</a><img src=a.png srcset='a.png, b.png 2x'>";
/// let mut found = Vec::new();
/// let mut pages = Pages::new(Rules::RFC3986);
/// pages.links(page, None, "http://example.com/docs/", |link| {
///     found.push((link.kind, link.attribute.to_string(), link.uri.to_string()));
/// })?;
/// assert_eq!(found[0], (Kind::Hyperlink, "href".into(), "http://example.com/docs/intro".into()));
/// assert_eq!(found[1], (Kind::Resource, "src".into(), "http://example.com/docs/a.png".into()));
/// assert_eq!(found[3], (Kind::Resource, "srcset".into(), "http://example.com/docs/b.png".into()));
/// # Ok::<(), relref::Error>(())
/// ```
pub struct Pages {
    /// The rule set by which references are resolved.
    pub rules: Rules,
    /// Whether attributes count from which scripts load images later: `data-src`, `data-srcset`, `data-href`,
    /// `data-original`. Off at first.
    pub lazy: bool,
    /// Whether `itemtype` and `itemid` count, which name things of a vocabulary. Off at first.
    pub items: bool,
    /// Whether the queries of a page that is neither UTF-8 nor UTF-16 are percent-encoded in the page's encoding where they
    /// are not US-ASCII, as browsers do (URL Standard §4.4, query state): such servers expect it. It is the URI that changes,
    /// not the reference as written. Off at first, for resolving encodes nothing.
    pub legacy_queries: bool,
    /// The kinds of the links that are handed over; all kinds if there are none. The URIs of other links are not built, and do
    /// not count for the limits.
    pub kinds: Vec<Kind>,
    /// True if only links that [can be followed](Link::is_followable) are handed over; the others are treated as those of other
    /// kinds. Off by default.
    pub followable: bool,
    /// The length in bytes of the longest URI that is built: a link with a longer one is handed over as
    /// [rejected](Link::rejected), and so is one relative to a longer `codebase`. No limit by default.
    pub max_uri: usize,
    /// The bytes that the URIs of a page may have in all. The link with which they would have more and those after it are handed
    /// over as [rejected](Link::rejected). With a limit proportional to the page's length, time is linear in that length. No
    /// limit by default.
    pub max_uris: u64,
    tag: Tag,
    buffers: Buffers,
    /// The page, decoded, if it is in memory and not UTF-8.
    text: String,
    /// What is read of a stream.
    chunks: Vec<u8>,
}

impl Pages {
    /// The longest tag, and the longest text of a `style` element, of a stream, in bytes of UTF-8.
    pub const LONGEST_TAG: usize = 8 << 20;

    /// Pages whose references are resolved by a rule set.
    pub fn new(rules: Rules) -> Self {
        Pages {
            rules,
            lazy: false,
            items: false,
            legacy_queries: false,
            kinds: Vec::new(),
            followable: false,
            max_uri: usize::MAX,
            max_uris: u64::MAX,
            tag: Tag::default(),
            buffers: Buffers::default(),
            text: String::new(),
            chunks: Vec::new(),
        }
    }

    /// Hands over every link of a page, in the order of the document.
    ///
    /// `charset` is what the caller knows of the page's encoding, as from an HTTP header; `uri` is where the page was found.
    ///
    /// Cost: one pass of the html5gum tokenizer, and another up to the `base` element if there is one. Nothing is allocated
    /// for a link once the buffers are warm, but for one with a `codebase`, an escape of CSS, a query to be encoded or bytes
    /// that are no characters. A page that is not UTF-8 is decoded first, as a whole.
    ///
    /// # Errors
    /// The page's URI is not absolute, as in [`Base::new`].
    pub fn links(
        &mut self,
        page: &[u8],
        charset: Option<&str>,
        uri: &str,
        mut each: impl FnMut(Link<'_>),
    ) -> Result<(), Error> {
        let document = Base::new(uri, self.rules)?;
        let (encoding, mark) = charset::of(page, charset);
        let mut text = mem::take(&mut self.text);
        let mut page = &page[mark..];
        if encoding != UTF_8 {
            decode(page, encoding, &mut text);
            page = text.as_bytes();
        }
        let base = if may_have_base(page) { self.base(page.to_reader(), usize::MAX) } else { Ok(None) };
        let Ok(base) = base;
        let mut each = |link: Link<'_>| {
            each(link);
            Ok(())
        };
        let Ok(_) = self.scan(page.to_reader(), encoding, &document, base, &mut each, usize::MAX);
        text.clear();
        text.shrink_to(KEPT);
        self.text = text;
        Ok(())
    }

    /// Hands over every link of a page that is read as a stream, in the order of the document.
    ///
    /// The page is read twice, from where the stream stands: for the letters of a `base` element, and for its links; and up to
    /// the `base` element once more, if there is one. The memory that it takes does not grow with the page, only with its
    /// longest tag and the longest text of a `style` element, as far as they matter, and these not beyond
    /// [`LONGEST_TAG`](Pages::LONGEST_TAG); and, in html5gum, with the longest word right behind `</` in a script or other raw
    /// text.
    ///
    /// # Errors
    /// Those of the stream and those of `each`, with which reading ends. [`InvalidInput`](ErrorKind::InvalidInput) if the
    /// page's URI is not absolute, as in [`Base::new`]. [`InvalidData`](ErrorKind::InvalidData), after all other links, if
    /// some were in a tag or a `style` element too long.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use relref::{Rules, html::Pages};
    ///
    /// let page = Cursor::new(b"\xFF\xFE<\0a\0 \0h\0r\0e\0f\0=\0x\0>\0");
    /// let mut uris = Vec::new();
    /// Pages::new(Rules::RFC3986).links_from(page, None, "http://h/a", |link| Ok(uris.push(link.uri.to_string())))?;
    /// assert_eq!(uris, ["http://h/x"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn links_from<R: Read + Seek>(
        &mut self,
        mut page: R,
        charset: Option<&str>,
        uri: &str,
        mut each: impl FnMut(Link<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.stream(&mut page, charset, uri, &mut each)
    }

    fn stream(
        &mut self,
        page: &mut dyn Stream,
        charset: Option<&str>,
        uri: &str,
        each: &mut dyn FnMut(Link<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let document = Base::new(uri, self.rules).map_err(|error| io::Error::new(ErrorKind::InvalidInput, error))?;
        let mut chunks = mem::take(&mut self.chunks);
        chunks.resize(2 * CHUNK, 0);
        let (chunk, input) = chunks.split_at_mut(CHUNK);
        let start = page.stream_position()?;
        let head = fill(page, &mut chunk[..charset::HEAD])?;
        let (encoding, mark) = charset::of(&chunk[..head], charset);
        let start = start + mark as u64;

        page.seek(SeekFrom::Start(start))?;
        let mut base = None;
        // In UTF-8 the letters are what they are.
        let may_have_base = match encoding == UTF_8 {
            true => stream_may_have_base(&mut *page, chunk),
            false => stream_may_have_base(Source::new(page, encoding, input), chunk),
        };
        if may_have_base? {
            page.seek(SeekFrom::Start(start))?;
            let source = Source::new(page, encoding, input);
            base = self.base(IoReader::new_with_buffer(source, chunk), Self::LONGEST_TAG)?;
        }
        page.seek(SeekFrom::Start(start))?;
        let source = Source::new(page, encoding, input);
        let reader = IoReader::new_with_buffer(source, chunk);
        let is_short = self.scan(reader, encoding, &document, base, each, Self::LONGEST_TAG)??;
        self.chunks = chunks;
        match is_short {
            false => Ok(()),
            true => Err(io::Error::new(ErrorKind::InvalidData, "links in a tag or a style sheet of more than 8 MiB")),
        }
    }

    /// The reference of the base element that counts, if there is one.
    fn base<R: Reader>(&mut self, page: R, room: usize) -> Result<Option<String>, R::Error> {
        let mut base = None;
        scan(page, &mut self.tag, Finder::Base(&mut base), room)?;
        Ok(base)
    }

    /// Hands over the links. The outer error is one of reading, the inner one of `each`.
    fn scan<R: Reader>(
        &mut self,
        page: R,
        encoding: &'static Encoding,
        document: &Base<'_>,
        base: Option<String>,
        each: &mut dyn FnMut(Link<'_>) -> io::Result<()>,
        room: usize,
    ) -> Result<io::Result<bool>, R::Error> {
        let is_unicode = [UTF_8, UTF_16LE, UTF_16BE].contains(&encoding);
        let queries = (self.legacy_queries && !is_unicode).then_some(encoding);
        let base = base.and_then(|href| base_uri(&href, document, queries));
        let base = base.as_deref().unwrap_or(document.as_str());
        let base = Base::new(base, self.rules).expect("a resolved reference is absolute");
        let unwanted = if self.lazy { 0 } else { LAZY } | if self.items { 0 } else { ITEMS };
        let mut failure = None;
        let (max_uri, left) = (self.max_uri, self.max_uris);
        let (kinds, followable) = (&*self.kinds, self.followable);
        let out = Output {
            buffers: &mut self.buffers,
            queries,
            each,
            failure: &mut failure,
            kinds,
            followable,
            max_uri,
            left,
        };
        let links = Links { base, unwanted, out };
        let is_short = scan(page, &mut self.tag, Finder::Links(links), room);
        self.tag.clear();
        self.buffers.clear();
        let is_short = is_short?;
        Ok(failure.map_or(Ok(is_short), Err))
    }
}

/// The options; the buffers are nobody's business.
impl fmt::Debug for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pages { rules, lazy, items, legacy_queries, kinds, followable, max_uri, max_uris, .. } = self;
        let mut out = f.debug_struct("Pages");
        out.field("rules", rules).field("lazy", lazy).field("items", items).field("legacy_queries", legacy_queries);
        out.field("kinds", kinds).field("followable", followable);
        out.field("max_uri", max_uri).field("max_uris", max_uris);
        out.finish_non_exhaustive()
    }
}

/// What a `base` means; nothing if no reference can be relative to it (HTML §4.2.3, "set the frozen base URL").
fn base_uri(href: &str, document: &Base<'_>, queries: Option<&'static Encoding>) -> Option<String> {
    let uri = String::from(document.resolve(&query::encode(href, document.scheme(), queries)));
    let scheme = UriRef::new(&uri).scheme().unwrap_or_default();
    let is_bad = ["data", "javascript"].into_iter().any(|bad| scheme.eq_ignore_ascii_case(bad));
    (!is_bad).then_some(uri)
}

/// Whether a `base` element may be in a page: its letters are somewhere.
fn may_have_base(page: &[u8]) -> bool {
    let is_base = |at: usize| page.get(at + 1..at + 5).is_some_and(|name| name.eq_ignore_ascii_case(b"base"));
    memmem::find_iter(page, b"<b").any(is_base) || memmem::find_iter(page, b"<B").any(is_base)
}

/// The same of a stream, which is read up to there.
fn stream_may_have_base(mut page: impl Read, chunk: &mut [u8]) -> io::Result<bool> {
    let mut kept = 0;
    loop {
        let len = kept + retry(&mut page, &mut chunk[kept..])?;
        if len == kept || may_have_base(&chunk[..len]) {
            return Ok(len > kept);
        }
        // Its letters may be in two pieces.
        kept = len.min("<base".len() - 1);
        chunk.copy_within(len - kept..len, 0);
    }
}

/// A page as UTF-8.
fn decode(page: &[u8], encoding: &'static Encoding, text: &mut String) {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut rest = page;
    loop {
        text.reserve(rest.len().max(64));
        let (result, read, _) = decoder.decode_to_string(rest, text, true);
        rest = &rest[read..];
        if result == CoderResult::InputEmpty {
            return;
        }
    }
}
