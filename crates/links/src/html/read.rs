//! Reads pages, from memory or from a stream: first for the facts about the whole page, then for its links.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::mem;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use html5gum::{IoReader, Readable, Reader};

use super::charset::{Detected, PRESCAN_LEN};
use super::link::Link;
use super::page_base::{NewBase, PageBase};
use super::pages::Pages;
use super::preview::{self, Facts, Preview};
use super::reporter::Reporter;
use super::utf8_reader::{ReadSeek, Utf8Reader};

/// The length in bytes of the buffer for a chunk: the most that is read from a stream at once.
pub(super) const CHUNK_LEN: usize = 1 << 16;

impl Pages {
    /// Reports whether a `<meta name=robots>` of a page asks robots to follow none of its links. That is also about the links in
    /// its HTTP head, which [`field_links`](super::field_links) reads before the page. `charset` is the page's character encoding
    /// if the caller knows it.
    ///
    /// ```
    /// use relref_links::html::Pages;
    ///
    /// assert!(Pages::new().page_nofollow(b"<a href=b><meta name=robots content='noindex, nofollow'>", None));
    /// ```
    pub fn page_nofollow(&mut self, page: &[u8], charset: Option<&'static Encoding>) -> bool {
        self.preview_bytes(page, charset, preview::CHARSET | preview::ROBOTS).0.nofollow
    }

    /// Returns the facts that must be known before the links of a page are reported.
    pub(super) fn sought(&self) -> Facts {
        preview::BASE | preview::CHARSET | if self.robots { preview::ROBOTS } else { 0 }
    }

    /// Returns the preview of a page in memory, and the page, decoded to UTF-8 and without its byte order mark. The preview has
    /// only facts that are in `sought`. `charset` is the character encoding that the caller knows.
    ///
    /// First searches the bytes of the page. Reads it as HTML only if its tags may state a sought fact, and until these facts are
    /// found. If a `meta` declares another character encoding, does both again with that one.
    pub(super) fn preview_bytes<'p>(
        &mut self,
        page: &'p [u8],
        charset: Option<&'static Encoding>,
        mut sought: Facts,
    ) -> (Preview, Cow<'p, [u8]>) {
        let Detected { mut charset, bom_len, is_tentative } = Detected::new(page, charset);
        if !is_tentative {
            sought &= !preview::CHARSET;
        }
        loop {
            let text = decoded(&page[bom_len..], charset);
            let mut preview = Preview::new(charset, preview::may_be_in(&text, sought, charset));
            let Ok(_) = self.page_buffers.read(text.to_reader(), &mut preview, usize::MAX);
            match preview.other_charset {
                Some(other) => (charset, sought) = (other, sought & !preview::CHARSET),
                None => return (preview, text),
            }
        }
    }

    /// Does what [`page_nofollow`](Pages::page_nofollow) does for a page that is read as a stream. Then sets the stream back to its
    /// position before the call.
    ///
    /// # Errors
    /// Those of the stream, whose position is then not set back.
    pub fn page_nofollow_from<R: Read + Seek>(
        &mut self,
        mut page: R,
        charset: Option<&'static Encoding>,
    ) -> io::Result<bool> {
        let start = page.stream_position()?;
        let preview = self.preview_stream(&mut page, charset, preview::CHARSET | preview::ROBOTS)?;
        page.seek(SeekFrom::Start(start))?;
        Ok(preview.nofollow)
    }

    /// Returns the preview of a page that starts at the position of a stream. The preview has only facts that are in `sought`.
    /// `charset` is the character encoding that the caller knows. Leaves the stream at the start of the page, after its byte
    /// order mark.
    ///
    /// Reads the stream in the same steps as [`preview_bytes`](Pages::preview_bytes) reads bytes. A fact in a tag that is too long
    /// to be kept is not found.
    ///
    /// # Errors
    /// Those of the stream, whose position is then not known.
    pub(super) fn preview_stream(
        &mut self,
        page: &mut dyn ReadSeek,
        charset: Option<&'static Encoding>,
        mut sought: Facts,
    ) -> io::Result<Preview> {
        let start = page.stream_position()?;
        let mut first_bytes = Vec::with_capacity(PRESCAN_LEN);
        (&mut *page).take(PRESCAN_LEN as u64).read_to_end(&mut first_bytes)?;
        let Detected { mut charset, bom_len, is_tentative } = Detected::new(&first_bytes, charset);
        let start = SeekFrom::Start(start + bom_len as u64);
        if !is_tentative {
            sought &= !preview::CHARSET;
        }
        let mut chunks = self.take_chunks();
        let (chunk, input) = chunks.split_at_mut(CHUNK_LEN);
        let preview = (|| loop {
            page.seek(start)?;
            // In UTF-8 the letters of tags are the same bytes, decoded or not.
            let found = if charset == UTF_8 {
                preview::may_be_in_stream(&mut *page, sought, charset, chunk)?
            } else {
                preview::may_be_in_stream(Utf8Reader::new(page, charset, input), sought, charset, chunk)?
            };
            page.seek(start)?;
            let mut preview = Preview::new(charset, found);
            let reader = IoReader::new_with_buffer(Utf8Reader::new(page, charset, input), chunk);
            self.page_buffers.read(reader, &mut preview, Self::MAX_TAG_LEN)?;
            match preview.other_charset {
                Some(other) => (charset, sought) = (other, sought & !preview::CHARSET),
                None => break page.seek(start).map(|_| preview),
            }
        })();
        self.chunks = chunks;
        preview
    }

    /// Takes two buffers for a stream out of `self.chunks`. Each is one half of the result, of [`CHUNK_LEN`] bytes: the first for a
    /// chunk of the page as UTF-8, the second for bytes before they are decoded. The caller puts them back after reading the page.
    pub(super) fn take_chunks(&mut self) -> Vec<u8> {
        let mut chunks = mem::take(&mut self.chunks);
        chunks.resize(2 * CHUNK_LEN, 0);
        chunks
    }

    /// Reports the links of a page to `each`. `page` is decoded to UTF-8, `preview` is of this page, and `own_base` is the
    /// page's own URI as a base. `max_len` is the greatest length in bytes of the name of a start tag, of the needed values of one
    /// tag together, and of the text of a `style` element. What exceeds it is left out: the end of a name, a whole value or text.
    ///
    /// # Errors
    /// The outer result has the error of reading the page. The inner one has that of `each`, which ends the reading, or
    /// [`InvalidData`](ErrorKind::InvalidData) if something was left out.
    pub(super) fn report<R: Reader>(
        &mut self,
        page: R,
        preview: Preview,
        own_base: PageBase<'_>,
        each: &mut dyn FnMut(Link<'_>) -> io::Result<()>,
        max_len: usize,
    ) -> Result<io::Result<()>, R::Error> {
        let Preview { charset, base: href, nofollow, .. } = preview;
        let is_unicode = [UTF_8, UTF_16LE, UTF_16BE].contains(&charset);
        let mut copy = None;
        let own_base = own_base.in_charset(Some(charset).filter(|_| !is_unicode), self.legacy_queries, &mut copy);
        let base = href.and_then(|href| NewBase::of_element(&href, own_base));
        let base = base.as_ref().map_or(own_base, NewBase::as_page_base);
        let mut buffers = mem::take(&mut self.page_buffers);
        let mut reporter = Reporter { base, ..Reporter::new(self, own_base, each) };
        reporter.page_nofollow |= nofollow;
        let is_incomplete = buffers.read(page, &mut reporter, max_len);
        reporter.close_anchor();
        let failure = reporter.failure;
        self.page_buffers = buffers;
        self.link_buffers.clear();
        let is_incomplete = is_incomplete?;
        Ok(match failure {
            Some(error) => Err(error),
            None if is_incomplete => {
                Err(io::Error::new(ErrorKind::InvalidData, "links in a tag or a style sheet of more than 8 MiB"))
            }
            None => Ok(()),
        })
    }
}

/// Returns the text of a page as UTF-8. `charset` is the page's character encoding. Borrows if that is UTF-8, whose invalid bytes
/// stay. Borrows with most others, too, if the page is all US-ASCII.
fn decoded<'p>(page: &'p [u8], charset: &'static Encoding) -> Cow<'p, [u8]> {
    if charset == UTF_8 {
        return Cow::Borrowed(page);
    }
    match charset.decode_without_bom_handling(page).0 {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

#[cfg(test)]
mod tests;
