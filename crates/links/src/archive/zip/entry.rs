//! An entry of a ZIP file: its offset, and the reader of its bytes.

use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;

use flate2::Crc;

use super::super::codec::{Codec, Container};
use super::super::codec_reader::CodecReader;
use super::super::damage::{invalid, is_damage};
use super::super::records::ReadSeek;
use super::super::sniff::ZIP_START;

/// The length in bytes of the header before the data, without the name and the extra fields.
pub(super) const HEADER_LEN: usize = 30;

pub(crate) struct Entry {
    /// The name as [`name_of`] returns it.
    pub(crate) name: String,
    /// The offset of the header before the data.
    pub(crate) header: u64,
    /// Offsets in the ZIP file. Before [`find_data`](Entry::find_data) was called, only the length is right.
    pub(super) data: Range<u64>,
    /// 0 for none, 8 for deflate.
    pub(super) method: u16,
    pub(super) is_encrypted: bool,
    /// The length of the data in bytes, without the compression of the ZIP file.
    pub(super) len: Option<u64>,
    /// The CRC-32 without the compression of the ZIP file.
    pub(super) checksum: Option<u32>,
}

/// Bytes that are not UTF-8, and `%`, are percent-encoded.
pub(crate) fn name_of(bytes: &[u8]) -> String {
    let mut name = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        name += &chunk.valid().replace('%', "%25");
        chunk.invalid().iter().for_each(|byte| name += &format!("%{byte:02X}"));
    }
    name
}

/// Little-endian, of `len` bytes; `None` if there are fewer.
pub(super) fn number(bytes: &[u8], at: usize, len: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + len)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

impl Entry {
    pub(crate) fn is_uncompressed(&self) -> bool {
        self.method == 0
    }

    /// The length of the data in bytes, without the compression of the ZIP file, if that is known.
    #[cfg(feature = "check")]
    pub(crate) fn len(&self) -> Option<u64> {
        self.len
    }

    #[cfg(feature = "page")]
    pub(crate) fn compressed_len(&self) -> u64 {
        self.data.end - self.data.start
    }

    /// Returns the wanted entries of this one, which is a ZIP file itself, as entries of the file around it, and the damage.
    pub(in super::super) fn entries_within(
        &self,
        zip: &mut impl ReadSeek,
        wanted: super::Wanted<'_>,
    ) -> io::Result<(Vec<Entry>, Vec<String>)> {
        if !self.is_uncompressed() || self.is_encrypted {
            return Err(invalid("it is compressed or encrypted in the ZIP file around it: not read"));
        }
        let start = self.data.start;
        let (mut found, problems) = super::find(&mut EntryReader::new(zip, self)?, wanted)?;
        for entry in &mut found {
            entry.name = format!("{}/{}", self.name, entry.name);
            entry.header += start;
            entry.data = entry.data.start + start..entry.data.end + start;
        }
        Ok((found, problems))
    }

    /// Returns damage in spite of which the data were found. Fails if neither the magic number nor the name is there.
    pub(super) fn find_data(&mut self, zip: &mut dyn ReadSeek, file_len: u64) -> io::Result<Option<String>> {
        let at = self.header;
        if at >= file_len {
            return Err(invalid(format!("its entry at byte {at} is damaged: the file ends before it")));
        }
        let mut header = Vec::with_capacity(HEADER_LEN);
        zip.seek(SeekFrom::Start(at))?;
        (&mut *zip).take(HEADER_LEN as u64).read_to_end(&mut header)?;
        let [name_len, extra_len] = [26, 28].map(|place| number(&header, place, 2).unwrap_or_default());
        let mut damage = None;
        if !header.starts_with(ZIP_START) {
            let mut found = Vec::new();
            zip.take(name_len).read_to_end(&mut found)?;
            if found.is_empty() || name_of(&found) != self.name {
                return Err(invalid(format!("its entry at byte {at} is damaged: no header is there")));
            }
            damage = Some(format!("the header of its entry at byte {at} is damaged"));
        }
        let start = at + HEADER_LEN as u64 + name_len + extra_len;
        let end = start.saturating_add(self.data.end - self.data.start);
        if end > file_len {
            damage = Some(format!("its entry at byte {at} ends early: {} bytes are missing", end - file_len));
        }
        self.data = start.min(file_len)..end.min(file_len);
        Ok(damage)
    }
}

/// The bytes of an entry, without its compression. After them an error follows if their checksum is wrong. An entry that is not
/// compressed can seek.
pub(crate) struct EntryReader<R> {
    data: Data<R>,
    checksum: Option<u32>,
    crc: Crc,
    /// The number of first bytes of the archive that are in `crc`.
    checked: u64,
    /// The length that the ZIP file states, without its compression.
    len: Option<u64>,
}

#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
enum Data<R> {
    Uncompressed(FilePart<R>),
    Deflated(CodecReader<BufReader<FilePart<R>>>),
}

impl<R: Read + Seek> EntryReader<R> {
    /// [`find_data`](Entry::find_data) must have found the data.
    pub(crate) fn new(mut zip: R, entry: &Entry) -> io::Result<Self> {
        let unsupported = |why: String| Err(io::Error::new(ErrorKind::Unsupported, why));
        zip.seek(SeekFrom::Start(entry.data.start))?;
        let section = FilePart { zip, range: entry.data.clone(), at: entry.data.start };
        let data = match entry.method {
            _ if entry.is_encrypted => return unsupported(String::from("it is encrypted")),
            0 => Data::Uncompressed(section),
            8 => Data::Deflated(CodecReader::new(
                BufReader::with_capacity(32 << 10, section),
                Codec::deflate(Container::Bare),
            )),
            other => return unsupported(format!("its compression method in the ZIP file, {other}, is unknown")),
        };
        Ok(EntryReader { data, checksum: entry.checksum, crc: Crc::new(), checked: 0, len: entry.len })
    }

    /// Checks no length or checksum.
    fn read_data(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match &mut self.data {
            Data::Uncompressed(section) => section.read(into),
            Data::Deflated(stream) => stream.read(into).map_err(|error| match is_damage(&error) {
                true => io::Error::other(format!("its entry in the ZIP file is damaged: {error}")),
                false => error,
            }),
        }
    }

    fn check_checksum(&self) -> io::Result<()> {
        // Data that are cut short, or not all read, have other damage, which their reader finds.
        let is_whole = self.len.is_none_or(|len| self.checked >= len);
        match self.checksum {
            Some(checksum) if is_whole && checksum != self.crc.sum() => {
                Err(io::Error::other("the checksum of its entry in the ZIP file is wrong"))
            }
            _ => Ok(()),
        }
    }
}

impl<R: Read + Seek> Read for EntryReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        let (at, most) = match &self.data {
            Data::Uncompressed(section) => (section.at - section.range.start, None),
            Data::Deflated(_) => (self.checked, self.len),
        };
        let left = most.map_or(u64::MAX, |most| most - at);
        if left == 0 {
            return match self.read_data(&mut [0])? {
                0 => self.check_checksum().map(|()| 0),
                _ => Err(io::Error::other("its entry in the ZIP file is longer than it says")),
            };
        }
        let len = usize::try_from(left).map_or(into.len(), |left| left.min(into.len()));
        let read = self.read_data(&mut into[..len])?;
        // Bytes that are read again are already in the checksum.
        if let Some(new) = self.checked.checked_sub(at).and_then(|known| into[..read].get(known as usize..)) {
            self.crc.update(new);
            self.checked += new.len() as u64;
        }
        if read == 0 {
            self.check_checksum()?;
        }
        Ok(read)
    }
}

impl<R: Read + Seek> Seek for EntryReader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.data {
            Data::Uncompressed(section) => section.seek(to),
            Data::Deflated(_) => Err(ErrorKind::Unsupported.into()),
        }
    }
}

struct FilePart<R> {
    zip: R,
    range: Range<u64>,
    /// The offset in the whole file, at which `zip` is.
    at: u64,
}

impl<R: Read> Read for FilePart<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let rest = self.range.end.saturating_sub(self.at);
        let len = usize::try_from(rest).map_or(into.len(), |rest| rest.min(into.len()));
        let read = self.zip.read(&mut into[..len])?;
        self.at += read as u64;
        Ok(read)
    }
}

impl<R: Seek> Seek for FilePart<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (from, by) = match to {
            SeekFrom::Start(by) => (self.range.start, i64::try_from(by).map_err(io::Error::other)?),
            SeekFrom::End(by) => (self.range.end, by),
            SeekFrom::Current(by) => (self.at, by),
        };
        let to = from.checked_add_signed(by).filter(|to| *to >= self.range.start);
        let to = to.ok_or(ErrorKind::InvalidInput)?;
        self.at = self.zip.seek(SeekFrom::Start(to))?;
        Ok(self.at - self.range.start)
    }
}
