//! The first bytes of an input, which show what it is, and the endings of names that only the command knows.

use std::fs::{File, Metadata};
use std::io::{self, Cursor, Read, Seek};
use std::path::Path;

use relref_links::archive::sniff::{
    DAMAGED_START_LEN, ZIP_START, compression, holds_compressed_record, holds_record, is_archive, is_binary, is_html,
    is_mhtml, read_start,
};
use relref_links::archive::{Body, sniff};
use relref_links::feeds::is_feed;
use relref_links::page::other_kind;
use relref_links::parallel::{Claimant, Use};

use super::pool::decode_in_thread;

/// An opened file, which is at its start, and its first bytes.
pub struct OpenedFile {
    pub file: File,
    pub metadata: Metadata,
    pub start: FirstBytes,
}

impl OpenedFile {
    pub fn new(path: &Path, claimant: &Claimant) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let (metadata, start) = (file.metadata()?, FirstBytes::read(&mut file, claimant)?);
        file.rewind()?;
        Ok(OpenedFile { file, metadata, start })
    }
}

/// The first bytes of an input, with and without its compression.
pub struct FirstBytes {
    /// The bytes that were read from the input so far, compressed if the input is.
    pub raw: Vec<u8>,
    /// The name of the compression: `gzip` or `zstd`. `None` if the input is not compressed.
    pub coding: Option<&'static str>,
    /// The first bytes without the compression. Empty if the input is not compressed.
    decompressed: Vec<u8>,
}

impl FirstBytes {
    /// The length, in bytes, that [`Body`] is told to expect, as the real length is not known. It then decodes enough for a block
    /// of Zstandard (128 KiB), and not much more.
    const BODY_LEN: u64 = 8 << 10;

    /// Reads as many bytes as are needed to recognize a page, a feed or an archive. If a decoder is needed, waits until its memory
    /// is available. If the compression is damaged, the bytes without compression end there, which is no error.
    pub fn read(from: &mut (dyn Read + Send), claimant: &Claimant) -> io::Result<Self> {
        let mut raw = Vec::with_capacity(sniff::START_LEN);
        read_start(&mut *from, &mut raw)?;
        let Some(coding) = compression(&raw) else {
            return Ok(FirstBytes { raw, coding: None, decompressed: Vec::new() });
        };
        let codings = [coding.to_owned()];
        let memory = Body::memory(&raw, &codings);
        let _memory = claimant.claim(Use::Memory, memory)?;
        decode_in_thread(memory, move || {
            let mut decompressed = Vec::with_capacity(sniff::START_LEN);
            let mut reads = AppendedReads { start: Cursor::new(raw), rest: from };
            let read =
                Body::new(&mut reads, Self::BODY_LEN, &codings).and_then(|body| read_start(body, &mut decompressed));
            match read {
                Err(error) if error.raw_os_error().is_some() => Err(error),
                _ => Ok(FirstBytes { raw: reads.start.into_inner(), coding: Some(coding), decompressed }),
            }
        })
    }

    pub fn uncompressed(&self) -> &[u8] {
        if self.coding.is_some() { &self.decompressed } else { &self.raw }
    }

    pub fn is_archive(&self) -> bool {
        is_archive(self.uncompressed()) || is_archive(&self.raw)
    }

    /// Reports whether the stream with these first bytes is an archive, also if the archive starts with damage. The stream must be
    /// an archive or a page. `stream` has the bytes after the first ones. Reads more of them into `raw` if they may show an
    /// archive.
    pub fn is_archive_stream(&mut self, stream: &mut dyn Read) -> io::Result<bool> {
        let uncompressed = self.uncompressed();
        if self.is_archive() || self.coding.is_some() && uncompressed.is_empty() {
            return Ok(true);
        }
        if is_html(uncompressed) || is_feed(uncompressed) {
            return Ok(false);
        }
        if holds_record(uncompressed)? {
            return Ok(true);
        }
        let is_binary = is_binary(uncompressed);
        stream.take(DAMAGED_START_LEN.saturating_sub(self.raw.len()) as u64).read_to_end(&mut self.raw)?;
        // A text may be a page about archives.
        Ok(holds_compressed_record(&self.raw) || is_binary && holds_record(&*self.raw)?)
    }
}

/// A reader of `start` and then of `rest`. It appends to `start` the bytes that it reads from `rest`.
struct AppendedReads<R> {
    start: Cursor<Vec<u8>>,
    rest: R,
}

impl<R: Read> Read for AppendedReads<R> {
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

/// Letters may be in upper or lower case.
pub fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|end| endings.iter().any(|ending| end.eq_ignore_ascii_case(ending)))
}

pub fn has_zip_name(path: &Path) -> bool {
    has_ending(path, &["wacz", "epub"])
}

/// True for the names of MHTML files and mails.
pub fn has_mhtml_name(path: &Path) -> bool {
    has_ending(path, &["mht", "mhtml", "eml"])
}

/// True for an MHTML file or a mail by its first bytes without compression, or by its name if they are not those of a page.
pub fn is_mhtml_file(path: &Path, start: &[u8]) -> bool {
    is_mhtml(start) || has_mhtml_name(path) && !is_html(start) && !is_feed(start) && other_kind(start).is_none()
}

/// True for an archive, an MHTML file or a ZIP file by its first bytes. False if the file cannot be read.
pub fn is_archive_file(path: &Path) -> bool {
    let mut start = Vec::new();
    File::open(path).is_ok_and(|file| read_start(file, &mut start).is_ok()) && is_archive_start(path, &start)
}

/// Reports the same of a file with these first bytes.
pub fn is_archive_start(path: &Path, start: &[u8]) -> bool {
    // That of a compressed mail is known only by its name.
    let is_compressed_mail = || compression(start).is_some() && has_mhtml_name(&path.with_extension(""));
    is_archive(start) || start.starts_with(ZIP_START) || is_mhtml_file(path, start) || is_compressed_mail()
}
