//! Reads pages, from memory or in chunks: first for the facts about the whole page, then for its links.

mod carry;
mod link_pass;
mod previewing;
mod transcoder;

use std::borrow::Cow;
use std::io::{self, Read, Seek, SeekFrom};

use encoding_rs::{Encoding, UTF_8};

pub(super) use self::carry::{Carry, MAX_TAG_LEN};
pub(super) use self::link_pass::LinkPass;
use self::previewing::Previewing;
pub(crate) use self::transcoder::Transcoder;
use super::charset::detected::{Detected, GUESS_LEN, PRESCAN_LEN};
use super::limits::MAX_KEPT_LEN;
use super::link::Link;
use super::link_resolver::LinkBuffers;
use super::options::Options;
use super::page_base::PageBase;
use super::page_sink::PageSink;
use super::places::Positions;
use super::preview::{self, Facts, Preview};
use super::rendered::Rendered;
use super::tokens::scanner::{After, Scanner};
use crate::utf8_reader::{Utf8Reader, read_some};

pub(super) const CHUNK_LEN: usize = 1 << 16;

pub(super) trait SeekRead: Read + Seek {}

impl<R: Read + Seek> SeekRead for R {}

/// Empty between pages, but kept.
#[derive(Default)]
pub(super) struct Buffers {
    scanner: Scanner,
    carry: Carry,
    /// A chunk that is read, and then bytes to decode.
    chunk: Vec<u8>,
    /// The decoded text of a page whose character encoding is not ASCII-compatible.
    text: Vec<u8>,
    pub(super) links: LinkBuffers,
    chunked: Chunked,
}

/// The facts about a page that comes in chunks, as far as they are known.
#[derive(Default)]
struct Chunked {
    /// That the caller knows.
    charset: Option<&'static Encoding>,
    /// The start of the page says nothing about its character encoding.
    may_guess: bool,
    preview: Option<Previewing>,
    link_pass: Option<LinkPass>,
    transcoder: Option<Transcoder>,
    failure: Option<io::Error>,
}

impl Buffers {
    /// Each page starts with this, as the one before may have ended early.
    pub(super) fn clear(&mut self) {
        self.scanner.clear();
        self.carry.clear();
        self.text.clear();
        self.text.shrink_to(MAX_KEPT_LEN);
        self.links.clear();
        self.chunked = Chunked::default();
    }

    /// Sets whether the next page is XML.
    pub(super) fn set_xml(&mut self, is_xml: bool) {
        self.scanner.set_xml(is_xml);
    }

    /// Returns the preview, with only facts in `sought`, and the page without its byte order mark, as it is scanned.
    pub(super) fn preview_bytes<'p>(
        &mut self,
        page: &'p [u8],
        charset: Option<&'static Encoding>,
        mut sought: Facts,
    ) -> (Preview, Cow<'p, [u8]>) {
        self.clear();
        let scanner = &mut self.scanner;
        let Detected { mut charset, bom_len, is_tentative, is_default } =
            Detected::new(page, charset, scanner.is_xml());
        if !is_tentative {
            sought &= !preview::CHARSET;
        }
        loop {
            let text = scannable(&page[bom_len..], charset);
            // In XML, names may have prefixes.
            let found = if scanner.is_xml() { sought } else { preview::may_be_in(&text, sought, charset) };
            let mut preview = Preview::new(charset, bom_len, found);
            scanner.scan(&text, After::Nothing, &mut preview);
            scanner.clear();
            match preview.other_charset {
                Some(other) => (charset, sought) = (other, sought & !preview::CHARSET),
                None => {
                    if is_default && preview.charset == UTF_8 {
                        preview.charset = preview::guessed_charset(page);
                    }
                    return (preview, text);
                }
            }
        }
    }

    /// Like [`preview_bytes`](Self::preview_bytes), without facts in tags too long to be kept. Stays after the byte order mark.
    pub(super) fn preview_stream(
        &mut self,
        max_tag: usize,
        page: &mut dyn SeekRead,
        charset: Option<&'static Encoding>,
        mut sought: Facts,
    ) -> io::Result<Preview> {
        self.clear();
        let Buffers { scanner, carry, chunk, .. } = self;
        let start = page.stream_position()?;
        let mut first_bytes = Vec::with_capacity(PRESCAN_LEN);
        (&mut *page).take(PRESCAN_LEN as u64).read_to_end(&mut first_bytes)?;
        let Detected { mut charset, bom_len, is_tentative, is_default } =
            Detected::new(&first_bytes, charset, scanner.is_xml());
        let start = SeekFrom::Start(start + bom_len as u64);
        if !is_tentative {
            sought &= !preview::CHARSET;
        }
        chunk.resize(2 * CHUNK_LEN, 0);
        let (chunk, input) = chunk.split_at_mut(CHUNK_LEN);
        loop {
            page.seek(start)?;
            let found = match scanner.is_xml() {
                true => sought,
                false => preview::may_be_in_stream(scannable_stream(page, charset, input), sought, charset, chunk)?,
            };
            page.seek(start)?;
            let mut preview = Preview::new(charset, bom_len, found);
            let mut text = scannable_stream(page, charset, input);
            while preview.seeks_any() {
                carry.check(max_tag)?;
                let len = read_some(&mut text, chunk)?;
                carry.scan(&chunk[..len], len == 0, max_tag, |chunk, after| scanner.scan(chunk, after, &mut preview));
                if len == 0 {
                    break;
                }
            }
            drop(text);
            carry.clear();
            scanner.clear();
            match preview.other_charset {
                Some(other) => (charset, sought) = (other, sought & !preview::CHARSET),
                None => {
                    page.seek(start)?;
                    if is_default && preview.charset == UTF_8 {
                        first_bytes.clear();
                        (&mut *page).take(GUESS_LEN as u64).read_to_end(&mut first_bytes)?;
                        preview.charset = preview::guessed_charset(&first_bytes);
                        page.seek(start)?;
                    }
                    return Ok(preview);
                }
            }
        }
    }

    /// Reports the links of a page in another markup, in the HTML that it is rendered to.
    #[cfg_attr(not(feature = "markdown"), allow(dead_code))]
    pub(super) fn links_of_rendered(
        &mut self,
        options: &Options,
        rendered: Rendered,
        preview: Preview,
        own_base: PageBase<'_>,
        sink: &mut dyn PageSink,
    ) -> io::Result<()> {
        let Rendered { html, parts, charset, ids } = rendered;
        ids.iter().for_each(|id| sink.id(id));
        let mut pass = LinkPass::new(options, preview, own_base, sink.positions());
        pass.set_source(parts, charset);
        pass.scan(options, own_base, &mut self.scanner, &mut self.links, (&html, After::Nothing), sink);
        self.finish(options, &mut pass, sink)
    }

    /// `page` is as [`preview_bytes`](Self::preview_bytes) returns it.
    pub(super) fn links_of_bytes(
        &mut self,
        options: &Options,
        page: &[u8],
        text: &[u8],
        preview: Preview,
        own_base: PageBase<'_>,
        sink: &mut dyn PageSink,
    ) -> io::Result<()> {
        let page_len = (page.len() - preview.bom_len) as u64;
        let mut pass = LinkPass::new(options, preview, own_base, sink.positions());
        pass.set_page_len(page_len);
        let mut decoded = Vec::new();
        let text = match pass.points() {
            Some(points) => {
                let bom_len = points.front().map_or(0, |(_, offset)| *offset as usize);
                Transcoder::new(pass.charset).decode(&page[bom_len..], true, &mut decoded, pass.points());
                &decoded
            }
            None => text,
        };
        pass.scan(options, own_base, &mut self.scanner, &mut self.links, (text, After::Nothing), sink);
        self.finish(options, &mut pass, sink)
    }

    fn finish(&mut self, options: &Options, pass: &mut LinkPass, sink: &mut dyn PageSink) -> io::Result<()> {
        let done = pass.finish(options, &self.scanner, &mut self.links, sink);
        self.clear();
        done
    }
}

/// A page that comes in chunks, from [`Pages::start`](super::Pages::start). The links are the same whatever the chunks are: those of
/// [`Pages::links`](super::Pages::links), unless [`finish`](ChunkedPage::finish) fails, or the page is in a character encoding that it
/// nowhere declares.
///
/// Links are reported as soon as they are settled. A `base` element, the declaration of a character encoding, a title and a rule for
/// robots change the links before them, too. So a page waits in memory until its head ends and 1,024 bytes follow, or until it has
/// all of them that are sought. The head ends at `</head>`, or after the first start tag that no head has, such as `<body>`. What
/// comes later counts up to the first link. After links, it is ignored, and [`finish`](ChunkedPage::finish) says so.
///
/// ```
/// use relref::whatwg::Base;
/// use relref_links::html::Pages;
///
/// let (base, mut pages) = (Base::new("http://example.com/")?, Pages::new());
/// let (mut page, mut uris) = (pages.start(&base), Vec::new());
/// page.push("<title>News</title><base href=/a/>", |_| {});
/// page.push("<body><p><a href=b>".to_owned() + &" ".repeat(1024), |link| uris.push(link.uri.to_owned()));
/// assert_eq!(uris, ["http://example.com/a/b"]); // before the page ends
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
///
/// With [`Options::late_base`], they count wherever they are, and a page without them waits for its end. A page waits for at most
/// [`MAX_TAG_LEN`](super::Pages::MAX_TAG_LEN) bytes and a chunk. A tag, and the text of a `style` element, waits until it is complete,
/// up to the same length. So memory does not grow with the page. Time is linear in its length, if it comes byte by byte, too.
pub struct ChunkedPage<'b> {
    options: &'b Options,
    buffers: &'b mut Buffers,
    /// See [`Pages::head_nofollow`](super::Pages::head_nofollow).
    head_nofollow: bool,
    own_base: PageBase<'b>,
}

debug_fields!([] ChunkedPage<'_>: options);

impl<'b> ChunkedPage<'b> {
    pub(super) fn new(
        options: &'b Options,
        buffers: &'b mut Buffers,
        head_nofollow: bool,
        own_base: PageBase<'b>,
    ) -> Self {
        ChunkedPage { options, buffers, head_nofollow, own_base }
    }

    pub(super) fn previewed(mut self, preview: Preview, positions: Positions) -> Self {
        self.start_link_pass(preview, positions);
        self
    }

    fn start_link_pass(&mut self, mut preview: Preview, positions: Positions) {
        preview.nofollow |= self.head_nofollow;
        let pass = LinkPass::new(self.options, preview, self.own_base, positions);
        let chunked = &mut self.buffers.chunked;
        chunked.transcoder = (!pass.charset.is_ascii_compatible()).then(|| Transcoder::new(pass.charset));
        chunked.link_pass = Some(pass);
    }

    /// Sets the page's character encoding, if it is known, for example from an HTTP head (see [`charset()`](super::charset())). Call
    /// it before the first chunk.
    #[must_use]
    pub fn charset(self, charset: Option<&'static Encoding>) -> Self {
        self.buffers.chunked.charset = charset;
        self
    }

    /// Takes the next bytes of the page, of any number, and reports the links that are settled.
    pub fn push(&mut self, chunk: impl AsRef<[u8]>, mut each: impl FnMut(Link<'_>)) {
        self.push_to(chunk.as_ref(), &mut |link: &Link<'_>| {
            each(*link);
            Ok(())
        });
    }

    pub(crate) fn push_to(&mut self, chunk: &[u8], sink: &mut dyn PageSink) {
        if self.buffers.chunked.failure.is_none() {
            self.buffers.chunked.failure = self.add(chunk, false, sink).err();
        }
    }

    /// Ends the page, and reports the other links.
    ///
    /// # Errors
    /// [`InvalidData`](io::ErrorKind::InvalidData), after all links, if a tag or a `style` element was left out because it was longer
    /// than [`MAX_TAG_LEN`](super::Pages::MAX_TAG_LEN), or if a `base` element, a character encoding or a rule for robots was ignored because
    /// it came after links that did not wait for it. [`FileTooLarge`](io::ErrorKind::FileTooLarge) by [`Options::max_tag`].
    pub fn finish(self, mut each: impl FnMut(Link<'_>)) -> io::Result<()> {
        self.finish_to(&mut |link: &Link<'_>| {
            each(*link);
            Ok(())
        })
    }

    pub(crate) fn finish_to(mut self, sink: &mut dyn PageSink) -> io::Result<()> {
        let done = self.buffers.chunked.failure.take().map_or_else(|| self.end(sink), Err);
        self.buffers.clear();
        done
    }

    pub(super) fn add_all(&mut self, page: &mut dyn Read, sink: &mut dyn PageSink) -> io::Result<()> {
        let mut chunk = std::mem::take(&mut self.buffers.chunk);
        chunk.resize(2 * CHUNK_LEN, 0);
        let mut read_all = || loop {
            match read_some(page, &mut chunk[..CHUNK_LEN])? {
                0 => return self.end(sink),
                len => self.add(&chunk[..len], false, sink)?,
            }
        };
        let done = read_all();
        self.buffers.chunk = chunk;
        self.buffers.clear();
        done
    }

    /// The length of the page after which links may still be found, if they have places.
    pub(crate) fn read_len(&self) -> u64 {
        self.buffers.chunked.link_pass.as_ref().map_or(0, LinkPass::read_len)
    }

    fn add(&mut self, bytes: &[u8], is_last: bool, sink: &mut dyn PageSink) -> io::Result<()> {
        if self.buffers.chunked.link_pass.is_some() {
            return self.find_links(bytes, is_last, sink);
        }
        self.buffers.carry.bytes.extend_from_slice(bytes);
        self.preview(is_last, sink)
    }

    fn end(&mut self, sink: &mut dyn PageSink) -> io::Result<()> {
        self.add(b"", true, sink)?;
        let pass = self.buffers.chunked.link_pass.take();
        pass.map_or(Ok(()), |mut pass| self.buffers.finish(self.options, &mut pass, sink))
    }

    fn find_links(&mut self, bytes: &[u8], is_last: bool, sink: &mut dyn PageSink) -> io::Result<()> {
        let (options, own_base) = (self.options, self.own_base);
        let Buffers { scanner, carry, text, links, chunked, .. } = &mut *self.buffers;
        let Some(pass) = &mut chunked.link_pass else { return Ok(()) };
        let bytes = match &mut chunked.transcoder {
            Some(transcoder) => {
                text.clear();
                transcoder.decode(bytes, is_last, text, pass.points());
                if is_last {
                    pass.set_page_len(transcoder.page_len());
                }
                &*text
            }
            None => bytes,
        };
        let max_tag = options.max_tag;
        carry.scan(bytes, is_last, max_tag, |chunk, after| {
            pass.scan(options, own_base, scanner, links, (chunk, after), sink)
        });
        pass.failure.take().map_or_else(|| carry.check(max_tag), Err)
    }

    /// Searches what is held for facts. Once these are known, as far as they ever are, finds the links in it.
    fn preview(&mut self, is_last: bool, sink: &mut dyn PageSink) -> io::Result<()> {
        let sought = preview::sought(self.options);
        let Buffers { carry, text, scanner, chunked, .. } = &mut *self.buffers;
        let held = &mut carry.bytes;
        if chunked.preview.is_none() {
            if held.len() < PRESCAN_LEN && !is_last {
                return Ok(());
            }
            let Detected { charset, bom_len, is_tentative, is_default } =
                Detected::new(held, chunked.charset, scanner.is_xml());
            held.drain(..bom_len);
            chunked.may_guess = is_default;
            let sought = sought & if is_tentative { u8::MAX } else { !preview::CHARSET };
            chunked.preview = Some(Previewing::new(Preview::new(charset, bom_len, sought), self.options.late_base));
        }
        let Some(previewing) = &mut chunked.preview else { return Ok(()) };
        while let Some(charset) = previewing.search(held, text, scanner, is_last) {
            let preview = Preview::new(charset, previewing.preview.bom_len, sought & !preview::CHARSET);
            *previewing = Previewing::new(preview, self.options.late_base);
            text.clear();
            scanner.clear();
        }
        let settled_len = previewing.settled_len();
        let waits = previewing.preview.seeks_any() && settled_len.is_none();
        if waits && !is_last && held.len() <= MAX_TAG_LEN {
            return Ok(());
        }
        text.clear();
        scanner.clear();
        let held = std::mem::take(held);
        if let Some(previewing) = chunked.preview.take() {
            let mut preview = previewing.preview;
            // Behind what is settled, there may be others.
            if is_last && settled_len.is_none() {
                preview.end();
            }
            if chunked.may_guess && preview.charset == UTF_8 {
                let settled = &held[..settled_len.map_or(held.len(), |len| len.min(held.len()))];
                preview.charset = preview::guessed_charset(settled);
            }
            preview.end_title();
            self.start_link_pass(preview, sink.positions());
        }
        self.find_links(&held, is_last, sink)
    }
}

/// Borrows a page in an ASCII-compatible character encoding, whose markup is found in its bytes, and otherwise decodes it.
fn scannable<'p>(page: &'p [u8], charset: &'static Encoding) -> Cow<'p, [u8]> {
    if charset.is_ascii_compatible() {
        return Cow::Borrowed(page);
    }
    match charset.decode_without_bom_handling(page).0 {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// Like [`scannable`]. `input` is a buffer for bytes to decode.
fn scannable_stream<'r>(
    page: &'r mut dyn SeekRead,
    charset: &'static Encoding,
    input: &'r mut [u8],
) -> Box<dyn Read + 'r> {
    if charset.is_ascii_compatible() { Box::new(page) } else { Box::new(Utf8Reader::new(page, charset, input)) }
}

#[cfg(test)]
mod tests;
