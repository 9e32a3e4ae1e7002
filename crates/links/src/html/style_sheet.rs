//! The links of style sheets, which are read in chunks.

use std::io::{self, ErrorKind, Read};
use std::mem;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use memchr::memmem;
use relref::whatwg;

use super::kind::Kind;
use super::link::{FoundLink, LinkBuf};
use super::occurrence::Occurrence;
use super::page_uri::PageUri;
use super::pages::listed_links;
use super::places::Positions;
use super::places::{Places, TextOffsets};
use super::read::{CHUNK_LEN, Carry, Transcoder};
use super::tokens::attribute::Syntax;
use super::tokens::character_references::TextKind;
use super::tokens::element::Element;
use super::values::clean::{kept_range, to_text};
use super::values::css::{CssScanner, CssUrl, written_range};
use super::values::references::is_local_url;
use crate::utf8_reader::read_some;

/// Returns every link of a style sheet, in its order: each `url()`, `src()`, string of `image-set()` and `@import`, with its URI.
/// `sheet` is text or bytes, and `uri` its own URI, as [`html::links`](super::links) takes it. The element of the links is `css`, and the
/// attribute `import` or `url`. Queries are in UTF-8 (CSS Values 4 §4.5.4).
///
/// # Errors
/// `uri` is a text and no absolute URL.
///
/// ```
/// use relref_links::css;
///
/// let sheet = "@import 'print.css'; body { background: url(../a.png) }";
/// let links = css::links(sheet, "http://example.com/css/main.css")?;
/// assert_eq!((links[0].attribute.as_str(), links[0].uri.as_str()), ("import", "http://example.com/css/print.css"));
/// assert_eq!((links[1].attribute.as_str(), links[1].uri.as_str()), ("url", "http://example.com/a.png"));
/// assert_eq!(links[1].place.map(|place| (place.line, place.column)), Some((1, 45)));
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
pub fn links(sheet: impl AsRef<[u8]>, uri: impl PageUri) -> Result<Vec<LinkBuf>, whatwg::Error> {
    listed_links(uri, |links| {
        // No stream, no error; and a token that is too long for a stream is no link that a browser reads.
        let add = |link: FoundLink<'_>, occurrence: Option<Occurrence<'_>>| links.add_located(link, occurrence);
        let _ = each_css_place(sheet.as_ref(), None, Positions::Lines, add);
    })
}

/// Finds the links of a style sheet, as [`links`] does, without resolving them. [`Pages::found_links`](super::Pages::found_links) resolves and filters them.
/// Ends when `each` returns false.
///
/// The character encoding is that of a byte order mark, else `charset` if the caller knows it, for example from an HTTP head, else
/// the one that `@charset` names, else UTF-8 (CSS Syntax §3.2). Reads the sheet in chunks: memory does not grow with it.
///
/// # Errors
/// Those of `sheet`. [`InvalidData`](ErrorKind::InvalidData), after all links, if a string or URL of more than 8 MiB was left out.
///
/// ```
/// use relref_links::css;
///
/// let mut references = Vec::new();
/// css::each_link(&b"@charset \"koi8-r\"; a { b: url('\xC1') }"[..], None, |link| {
///     references.push(link.reference.to_owned());
///     true
/// })?;
/// assert_eq!(references, ["а"]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn each_link(
    sheet: impl Read,
    charset: Option<&'static Encoding>,
    mut each: impl FnMut(FoundLink<'_>) -> bool,
) -> io::Result<()> {
    each_css_place(sheet, charset, Positions::Unknown, |link, _| each(link))
}

/// Does what [`each_link`] does, and also finds where references stand, if `positions` says so.
pub(crate) fn each_css_place(
    sheet: impl Read,
    charset: Option<&'static Encoding>,
    positions: Positions,
    mut each: impl FnMut(FoundLink<'_>, Option<Occurrence<'_>>) -> bool,
) -> io::Result<()> {
    let mut reader = SheetReader::new(sheet, charset, positions)?;
    loop {
        reader.scan(&mut each);
        if !reader.read_chunk()? {
            return reader.finish();
        }
    }
}

/// A style sheet that is read in chunks.
pub(crate) struct SheetReader<R> {
    sheet: R,
    /// Empty after the last one.
    pub(crate) chunk: Vec<u8>,
    pub(crate) charset: &'static Encoding,
    /// The length, in bytes, of the byte order mark, as long as it is not read; 0 after that.
    bom_len: usize,
    places: Option<Places>,
    transcoder: Transcoder,
    carry: Carry,
    scanner: CssScanner,
    text: Vec<u8>,
    wants_more: bool,
}

impl<R: Read> SheetReader<R> {
    /// Reads the first chunk.
    pub(crate) fn new(mut sheet: R, charset: Option<&'static Encoding>, positions: Positions) -> io::Result<Self> {
        let mut chunk = Vec::new();
        sheet.by_ref().take(START_LEN as u64).read_to_end(&mut chunk)?;
        let (charset, bom_len) = css_charset(&chunk, charset);
        Ok(SheetReader {
            sheet,
            chunk,
            charset,
            bom_len,
            places: (positions != Positions::Unknown).then(|| {
                Places::new(None, bom_len as u64, TextOffsets::Points([(0, bom_len as u64)].into()), positions)
            }),
            transcoder: Transcoder::new(charset),
            carry: Carry::default(),
            scanner: CssScanner::default(),
            text: Vec::new(),
            wants_more: true,
        })
    }

    /// Returns false after the last chunk, which is empty, and if no more links are wanted.
    pub(crate) fn read_chunk(&mut self) -> io::Result<bool> {
        if self.chunk.is_empty() || !self.wants_more {
            return Ok(false);
        }
        self.chunk.resize(CHUNK_LEN, 0);
        let len = read_some(&mut self.sheet, &mut self.chunk)?;
        self.chunk.truncate(len);
        Ok(true)
    }

    /// Finds the links of the chunk, until `each` returns false.
    pub(crate) fn scan(&mut self, each: &mut dyn FnMut(FoundLink<'_>, Option<Occurrence<'_>>) -> bool) {
        let SheetReader { chunk, places, transcoder, carry, scanner, text, wants_more, .. } = self;
        let is_last = chunk.is_empty();
        text.clear();
        let start = mem::take(&mut self.bom_len);
        transcoder.decode(&chunk[start..], is_last, text, places.as_mut().and_then(Places::points));
        if let Some(places) = places.as_mut().filter(|_| is_last) {
            places.page_len = transcoder.page_len();
        }
        carry.scan(text, is_last, usize::MAX, |bytes, after| {
            let text = to_text(bytes);
            let len = scanner.scan(&text, after, &mut |CssUrl { url, start, is_import }| {
                // It names an element of the page that has the sheet.
                if is_local_url(url) {
                    return true;
                }
                let attribute = if is_import { "import" } else { "url" };
                let pieces = [(0..bytes.len(), TextKind::RawText)];
                let before = text.as_bytes()[..start].last().copied();
                let occurrence = Occurrence::new(bytes, &pieces, None).with(Syntax::Css, Element::Style, before);
                let located = |places| occurrence.at(places, written_range(&text, start, url, kept_range(url)));
                let link = FoundLink::new("css", attribute, Kind::Resource, url);
                *wants_more = each(link, places.as_mut().and_then(located));
                *wants_more
            });
            if let Some(places) = places {
                places.end_chunk(bytes, len);
            }
            if *wants_more { len } else { bytes.len() }
        });
    }

    /// The length of the sheet after which links may still be found.
    pub(crate) fn read_len(&self) -> u64 {
        if self.chunk.is_empty() { u64::MAX } else { self.places.as_ref().map_or(0, Places::read_len) }
    }

    pub(crate) fn finish(&self) -> io::Result<()> {
        if self.scanner.is_incomplete && self.wants_more {
            return Err(io::Error::new(ErrorKind::InvalidData, "links in a string or URL of more than 8 MiB"));
        }
        Ok(())
    }
}

/// The bytes at the start in which `@charset` is sought.
const START_LEN: usize = 1024;

/// Returns the character encoding of a style sheet, and the length, in bytes, of its byte order mark, or 0 (CSS Syntax §3.2,
/// "determine the fallback encoding").
pub(crate) fn css_charset(start: &[u8], known: Option<&'static Encoding>) -> (&'static Encoding, usize) {
    let start = &start[..start.len().min(START_LEN)];
    let declared = || {
        let label = start.strip_prefix(b"@charset \"")?;
        let charset = Encoding::for_label(&label[..memmem::find(label, b"\";")?])?;
        Some(if charset == UTF_16BE || charset == UTF_16LE { UTF_8 } else { charset })
    };
    Encoding::for_bom(start).unwrap_or_else(|| (known.or_else(declared).unwrap_or(UTF_8), 0))
}
