//! Reads pages, from memory or from a stream: first for the facts about the whole page, then for its links.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::mem;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use html5gum::IoReader;

use super::charset::detected::{Detected, PRESCAN_LEN};
use super::link::Link;
use super::options::Options;
use super::page_base::{NewBase, PageBase};
use super::preview::{self, Facts, Preview};
use super::reporter::{LinkBuffers, Reporter};
use super::tokens::emitter::{PageBuffers, read_page, scan_page};
use crate::utf8_reader::Utf8Reader;

pub(super) const CHUNK_LEN: usize = 1 << 16;

pub(super) trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

/// In bytes of UTF-8: of a tag, and of the text of a `style` element.
pub(super) const MAX_TAG_LEN: usize = 8 << 20;

/// Empty between pages, but kept.
#[derive(Default)]
pub(super) struct Buffers {
    tokens: PageBuffers,
    /// See [`take_chunks`](Self::take_chunks).
    chunks: Vec<u8>,
    pub(super) links: LinkBuffers,
}

pub(super) fn sought(options: &Options) -> Facts {
    preview::BASE | preview::CHARSET | if options.robots { preview::ROBOTS } else { 0 }
}

impl Buffers {
    /// Returns the preview, with only facts in `sought`, and the page as UTF-8 without its byte order mark.
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
            scan_page(&mut self.tokens, &text, &mut preview);
            match preview.other_charset {
                Some(other) => (charset, sought) = (other, sought & !preview::CHARSET),
                None => return (preview, text),
            }
        }
    }

    /// Like [`preview_bytes`](Self::preview_bytes), without facts in tags too long to be kept. Stays after the byte order mark.
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
                preview::may_be_in_stream(Utf8Reader::new(&mut *page, charset, &mut *input), sought, charset, chunk)?
            };
            page.seek(start)?;
            let mut preview = Preview::new(charset, found);
            let reader = IoReader::new_with_buffer(Utf8Reader::new(&mut *page, charset, &mut *input), chunk);
            read_page(&mut self.tokens, reader, &mut preview, MAX_TAG_LEN)?;
            match preview.other_charset {
                Some(other) => (charset, sought) = (other, sought & !preview::CHARSET),
                None => break page.seek(start).map(|_| preview),
            }
        })();
        self.chunks = chunks;
        preview
    }

    /// Two halves of [`CHUNK_LEN`]: for the page as UTF-8, and for bytes to decode. The caller puts them back into `chunks`.
    fn take_chunks(&mut self) -> Vec<u8> {
        let mut chunks = mem::take(&mut self.chunks);
        chunks.resize(2 * CHUNK_LEN, 0);
        chunks
    }

    /// `page` is at its start, after its byte order mark.
    pub(super) fn report_stream(
        &mut self,
        options: &Options,
        page: &mut dyn ReadSeek,
        preview: Preview,
        own_base: PageBase<'_>,
        each: &mut dyn FnMut(Link<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut chunks = self.take_chunks();
        let (chunk, input) = chunks.split_at_mut(CHUNK_LEN);
        let page = IoReader::new_with_buffer(Utf8Reader::new(page, preview.charset, input), chunk);
        let read =
            |tokens: &mut PageBuffers, reporter: &mut Reporter<'_>| read_page(tokens, page, reporter, MAX_TAG_LEN);
        let done = self.report(options, read, preview, own_base, each);
        self.chunks = chunks;
        done?
    }

    /// `page` is in UTF-8, without a byte order mark.
    pub(super) fn report_bytes(
        &mut self,
        options: &Options,
        page: &[u8],
        preview: Preview,
        own_base: PageBase<'_>,
        each: &mut dyn FnMut(Link<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let read = |tokens: &mut PageBuffers, reporter: &mut Reporter<'_>| {
            scan_page(tokens, page, reporter);
            Ok::<_, Infallible>(false)
        };
        let Ok(done) = self.report(options, read, preview, own_base, each);
        done
    }

    /// `read` returns true if something was too long to be kept. The outer error is that of reading; the inner one that of `each`, or
    /// [`InvalidData`](ErrorKind::InvalidData) if `read` returned true.
    fn report<E>(
        &mut self,
        options: &Options,
        read: impl FnOnce(&mut PageBuffers, &mut Reporter<'_>) -> Result<bool, E>,
        preview: Preview,
        own_base: PageBase<'_>,
        each: &mut dyn FnMut(Link<'_>) -> io::Result<()>,
    ) -> Result<io::Result<()>, E> {
        let Preview { charset, base: href, nofollow, .. } = preview;
        let is_unicode = [UTF_8, UTF_16LE, UTF_16BE].contains(&charset);
        let mut copy = None;
        let own_base = own_base.in_charset(Some(charset).filter(|_| !is_unicode), options.legacy_queries, &mut copy);
        let base = href.and_then(|href| NewBase::of_element(&href, own_base));
        let base = base.as_ref().map_or(own_base, NewBase::as_page_base);
        let reporter = Reporter::new(options, &mut self.links, own_base, each);
        let mut reporter = Reporter { base, page_nofollow: nofollow, ..reporter };
        let is_incomplete = read(&mut self.tokens, &mut reporter);
        reporter.close_anchor();
        let failure = reporter.failure;
        self.links.clear();
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

/// Borrows if the page is UTF-8, whose invalid bytes stay, and with most other encodings if it is all US-ASCII.
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
