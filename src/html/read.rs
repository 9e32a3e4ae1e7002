//! Reads pages, from memory or from a stream: first for what must be known about the whole page, then for its links.

use alloc::string::String;
use core::mem;
use std::io::{self, SeekFrom};

use encoding_rs::{CoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use html5gum::{IoReader, Readable, Reader};

use super::attribute::{Attribute, AttributeSet, Reported};
use super::base_element;
use super::charset::{Detected, HEAD};
use super::finder::{Finder, LinkFinder};
use super::limits::Limits;
use super::link::Link;
use super::page_base::{NewBase, PageBase};

use super::pages::Pages;
use super::preview::{Preview, Sought};
use super::reporter::Reporter;
use super::search::SearchOutcome;
use super::tag::MAX_RETAINED;
use super::utf8_reader::{Stream, Utf8Reader, read_full};

/// The most bytes of a stream that are read at once.
const CHUNK: usize = 1 << 16;

impl Pages {
    /// Reports the links of a page in memory. `document` is the base by the page's own URI.
    pub(super) fn read_bytes(
        &mut self,
        page: &[u8],
        charset: Option<&'static Encoding>,
        document: PageBase<'_>,
        each: &mut dyn FnMut(Link<'_>) -> io::Result<()>,
    ) {
        let detected = Detected::new(page, charset);
        let bytes = &page[detected.mark_len..];
        let mut text = mem::take(&mut self.text);
        let preview = self.preview_bytes(bytes, detected, self.sought(), &mut text);
        let page = if preview.encoding == UTF_8 { bytes } else { text.as_bytes() };
        // In memory nothing fails, and no tag is too long.
        let Ok(_) = self.report(page.to_reader(), preview, document, each, usize::MAX);
        self.keep_text(text);
    }

    /// Reports whether a page in memory asks robots to follow none of its links.
    pub(super) fn robots_of_bytes(&mut self, page: &[u8], charset: Option<&'static Encoding>) -> bool {
        let detected = Detected::new(page, charset);
        let mut text = mem::take(&mut self.text);
        let preview = self.preview_bytes(&page[detected.mark_len..], detected, Self::ROBOTS, &mut text);
        self.keep_text(text);
        preview.nofollow
    }

    /// The sorts of tags that are sought only to know what a page asks of robots.
    const ROBOTS: Sought = Sought { base: false, charset: true, robots: true };

    /// Returns the sorts of tags that are sought before the links. The caller leaves out `charset` if the detected character
    /// encoding is not tentative.
    fn sought(&self) -> Sought {
        Sought { base: true, charset: true, robots: self.robots }
    }

    /// Reads a page in memory, without its byte order mark, until the tags that are sought are found. If its character encoding is
    /// not UTF-8, `text` then holds the decoded page.
    fn preview_bytes(&mut self, bytes: &[u8], detected: Detected, mut sought: Sought, text: &mut String) -> Preview {
        let Detected { mut encoding, is_tentative, .. } = detected;
        sought.charset &= is_tentative;
        loop {
            text.clear();
            let page = if encoding == UTF_8 { bytes } else { decode(bytes, encoding, text) };
            let Ok(preview) = self.preview(page.to_reader(), encoding, sought.may_be_in(page, encoding), usize::MAX);
            match preview.other_encoding {
                Some(other) => (encoding, sought.charset) = (other, false),
                None => return preview,
            }
        }
    }

    /// Keeps the buffer of a decoded page for the next page, unless it is large.
    fn keep_text(&mut self, mut text: String) {
        text.clear();
        text.shrink_to(MAX_RETAINED);
        self.text = text;
    }

    /// Reports the links of a page that is read as a stream, from the stream's position. `document` is the base by the page's own
    /// URI.
    pub(super) fn read_stream(
        &mut self,
        page: &mut dyn Stream,
        charset: Option<&'static Encoding>,
        document: PageBase<'_>,
        each: &mut dyn FnMut(Link<'_>) -> io::Result<()>,
    ) -> io::Result<SearchOutcome> {
        let mut chunks = mem::take(&mut self.chunks);
        chunks.resize(2 * CHUNK, 0);
        let (chunk, input) = chunks.split_at_mut(CHUNK);
        let preview = self.preview_stream(page, charset, self.sought(), chunk, input)?;
        let reader = IoReader::new_with_buffer(Utf8Reader::new(page, preview.encoding, input), chunk);
        let outcome = self.report(reader, preview, document, each, Self::LONGEST_TAG);
        self.chunks = chunks;
        outcome
    }

    /// Reports whether a page that is read as a stream asks robots to follow none of its links. Then sets the stream back to its
    /// position before the call.
    pub(super) fn robots_of_stream(
        &mut self,
        page: &mut dyn Stream,
        charset: Option<&'static Encoding>,
    ) -> io::Result<bool> {
        let start = page.stream_position()?;
        let mut chunks = mem::take(&mut self.chunks);
        chunks.resize(2 * CHUNK, 0);
        let (chunk, input) = chunks.split_at_mut(CHUNK);
        let preview = self.preview_stream(page, charset, Self::ROBOTS, chunk, input)?;
        self.chunks = chunks;
        page.seek(SeekFrom::Start(start))?;
        Ok(preview.nofollow)
    }

    /// Reads a stream from its position until the tags that are sought are found. Then sets the stream to the start of the page,
    /// after its byte order mark. `chunk` and `input` are buffers.
    fn preview_stream(
        &mut self,
        page: &mut dyn Stream,
        charset: Option<&'static Encoding>,
        mut sought: Sought,
        chunk: &mut [u8],
        input: &mut [u8],
    ) -> io::Result<Preview> {
        let start = page.stream_position()?;
        let head = read_full(page, &mut chunk[..HEAD])?;
        let Detected { mut encoding, mark_len, is_tentative } = Detected::new(&chunk[..head], charset);
        let start = SeekFrom::Start(start + mark_len as u64);
        sought.charset &= is_tentative;
        let preview = loop {
            page.seek(start)?;
            // In UTF-8 the letters of tags are the same bytes, decoded or not.
            let found = if encoding == UTF_8 {
                sought.may_be_in_stream(&mut *page, encoding, chunk)?
            } else {
                sought.may_be_in_stream(Utf8Reader::new(page, encoding, input), encoding, chunk)?
            };
            page.seek(start)?;
            let reader = IoReader::new_with_buffer(Utf8Reader::new(page, encoding, input), &mut *chunk);
            let preview = self.preview(reader, encoding, found, Self::LONGEST_TAG)?;
            match preview.other_encoding {
                Some(other) => (encoding, sought.charset) = (other, false),
                None => break preview,
            }
        };
        page.seek(start)?;
        Ok(preview)
    }

    /// Reads a page that is decoded to UTF-8 until the tags that are sought are found. `encoding` is its character encoding before
    /// it was decoded. Tags and texts of `style` elements with more bytes than `max_tag`
    /// are skipped.
    fn preview<R: Reader>(
        &mut self,
        page: R,
        encoding: &'static Encoding,
        sought: Sought,
        max_tag: usize,
    ) -> Result<Preview, R::Error> {
        let mut preview = Preview::new(encoding, sought);
        if !preview.is_done() {
            self.page.read(page, &mut Finder::Preview(&mut preview), max_tag)?;
        }
        Ok(preview)
    }

    /// Reports the links of a page that is decoded to UTF-8. `preview` says what its tags say about the whole page, and `document`
    /// is the base by its own URI. Tags and texts of `style` elements with more bytes than `max_tag`
    /// are skipped.
    fn report<R: Reader>(
        &mut self,
        page: R,
        preview: Preview,
        document: PageBase<'_>,
        each: &mut dyn FnMut(Link<'_>) -> io::Result<()>,
        max_tag: usize,
    ) -> Result<SearchOutcome, R::Error> {
        let Preview { encoding, base: href, nofollow, .. } = preview;
        let is_unicode = [UTF_8, UTF_16LE, UTF_16BE].contains(&encoding);
        let mut copy = None;
        let document = document.in_encoding(Some(encoding).filter(|_| !is_unicode), self.legacy_queries, &mut copy);
        let uri = href.and_then(|href| base_element::uri(&href, document));
        let base = uri.as_deref().map(|uri| NewBase::new(uri, document));
        let base = base.as_ref().map_or(document, NewBase::as_page_base);
        let mut wanted = self.wanted();
        if self.max_text > 0 {
            wanted.insert(Attribute::Alt);
        }
        let reporter = Reporter {
            document,
            buffers: &mut self.buffers,
            page_nofollow: nofollow,
            each,
            failure: None,
            kinds: &self.kinds,
            followable: self.followable,
            limits: Limits { max_uri: self.max_uri, rest: self.max_total },
            max_text: self.max_text,
        };
        let mut finder = Finder::Links(LinkFinder { base, wanted, reporter });
        let outcome = self.page.read(page, &mut finder, max_tag);
        self.page.clear();
        self.buffers.clear();
        outcome
    }

    /// Returns the attributes whose values are needed to report links with these options, without the texts of links.
    pub(super) fn wanted(&self) -> AttributeSet {
        AttributeSet::reported(|by| match by {
            Reported::Always => true,
            Reported::Lazy => self.lazy,
            Reported::Items => self.items,
        })
    }
}

/// Decodes a page and appends it to `text`, and returns all of `text` as bytes.
fn decode<'t>(page: &[u8], encoding: &'static Encoding, text: &'t mut String) -> &'t [u8] {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut rest = page;
    loop {
        text.reserve(rest.len().max(64));
        let (result, read, _) = decoder.decode_to_string(rest, text, true);
        rest = &rest[read..];
        if result == CoderResult::InputEmpty {
            return text.as_bytes();
        }
    }
}
