//! The first bytes of an input, as they are and without its compression. They show what the input is.

use std::io::{self, Cursor, Read};

use relref::archive::sniff::{
    DAMAGED_START, compression, holds_compressed_record, holds_record, is_archive, is_binary, is_html, read_start,
};
use relref::archive::{Body, sniff};
use relref::feeds::is_feed;

use super::own_thread::decode_in_thread;
use super::pool::{Claimant, Use};

/// The first bytes of an input.
pub struct Start {
    /// All bytes that were read from the input so far, as they are.
    pub raw: Vec<u8>,
    /// The name of the compression: `gzip` or `zstd`. `None` if the input is not compressed.
    pub coding: Option<&'static str>,
    /// The first bytes without compression. Empty if the input is not compressed.
    inflated: Vec<u8>,
}

impl Start {
    /// A length in bytes by which [`Body`] reads enough for a block of Zstandard, 128 KiB, and not much more.
    const COMPRESSED: u64 = 8 << 10;

    /// Reads enough bytes to recognize a page, a feed or an archive. Claims the memory of the decoder, if one is needed. If the
    /// compression is damaged, the decoded bytes end there, without an error.
    pub fn read(mut from: impl Read + Send, claimant: &Claimant) -> io::Result<Self> {
        let mut raw = Vec::with_capacity(sniff::LEN);
        read_start(&mut from, &mut raw)?;
        let Some(coding) = compression(&raw) else {
            return Ok(Start { raw, coding: None, inflated: Vec::new() });
        };
        let codings = [coding.to_owned()];
        let memory = Body::memory(&raw, &codings);
        let _memory = claimant.claim(Use::Page, memory)?;
        decode_in_thread(memory, move || {
            let mut inflated = Vec::with_capacity(sniff::LEN);
            let mut kept = Kept { start: Cursor::new(raw), rest: from };
            let read =
                Body::new(&mut kept, Self::COMPRESSED, &codings).and_then(|body| read_start(body, &mut inflated));
            match read {
                Err(error) if error.raw_os_error().is_some() => Err(error),
                _ => Ok(Start { raw: kept.start.into_inner(), coding: Some(coding), inflated }),
            }
        })
    }

    /// Returns the first bytes of the input without its compression.
    pub fn decoded(&self) -> &[u8] {
        if self.coding.is_some() { &self.inflated } else { &self.raw }
    }

    /// Reports whether the input is an archive by its first bytes.
    pub fn is_archive(&self) -> bool {
        is_archive(self.decoded()) || is_archive(&self.raw)
    }

    /// Reports whether a stream with this start is an archive, also one with a damaged start. The caller must know that it is an
    /// archive or a page. More of the stream is appended to the start if that may show an archive.
    pub fn is_archive_stream(&mut self, stream: impl Read) -> io::Result<bool> {
        let decoded = self.decoded();
        if self.is_archive() || self.coding.is_some() && decoded.is_empty() {
            return Ok(true);
        }
        if is_html(decoded) || is_feed(decoded) {
            return Ok(false);
        }
        if holds_record(decoded)? {
            return Ok(true);
        }
        let is_binary = is_binary(decoded);
        stream.take(DAMAGED_START.saturating_sub(self.raw.len()) as u64).read_to_end(&mut self.raw)?;
        // A text may be a page about archives.
        Ok(holds_compressed_record(&self.raw) || is_binary && holds_record(&*self.raw)?)
    }
}

/// Reports whether an input with these first bytes is a ZIP file, such as a WACZ.
pub fn is_zip_start(start: &[u8]) -> bool {
    start.starts_with(b"PK\x03\x04")
}

/// A reader that reads `start` and then `rest`. It appends to `start` what it reads of `rest`.
struct Kept<R> {
    start: Cursor<Vec<u8>>,
    rest: R,
}

impl<R: Read> Read for Kept<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.start.read(into)? {
            0 => {}
            read => return Ok(read),
        }
        let read = self.rest.read(into)?;
        self.start.get_mut().extend_from_slice(&into[..read]);
        self.start.set_position(self.start.get_ref().len() as u64);
        Ok(read)
    }
}
