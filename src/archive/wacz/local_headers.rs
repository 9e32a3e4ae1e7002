//! The archives of a ZIP file without its directory, found by the headers before its entries.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use memchr::memchr;

use super::super::rewind::Rewind;
use super::directory::{MOST_ENTRIES, MOST_NAMES};
use super::entry::{Entry, HEADER, HEADER_MAGIC, Place, is_archive};

/// The magic numbers of an entry in the directory, and of what some writers put after the data of an entry.
const DIRECTORY_MAGIC: &[u8] = b"PK\x01\x02";
const DESCRIPTOR_MAGIC: &[u8] = b"PK\x07\x08";
/// The length in bytes of the longest descriptor: magic number, checksum, and two lengths.
const DESCRIPTOR: usize = 24;
/// The length in bytes of the longest header that is read.
const MOST_HEADER: usize = 8 << 10;

/// Finds the archives in the order of their headers. Those beyond the most that are read are left out.
///
/// # Errors
/// The file cannot be read.
pub(super) fn read(zip: &mut (impl Read + Seek)) -> io::Result<Vec<Entry>> {
    zip.seek(SeekFrom::Start(0))?;
    let mut input = Rewind::seekable(zip)?;
    let mut entries: Vec<Entry> = Vec::new();
    let mut names = 0;
    // The offset where the data of the last entry start, if their length is not known.
    let mut open = None;
    while let Some(at) = find_magic(&mut input)? {
        let bytes = input.peek(MOST_HEADER)?;
        let last = open.zip(entries.last_mut());
        if let Some((start, (checksum, len))) = open.and_then(|start| Some((start, descriptor(bytes, at - start)?))) {
            if let Some((_, entry)) = last {
                let place = &mut entry.place;
                (place.data, place.checksum, place.len) = (0..at - start, Some(checksum), Some(len));
            }
            open = None;
        } else if is_header(bytes) || bytes.starts_with(DIRECTORY_MAGIC) && is_plausible(bytes, 6, 10) {
            if let Some((start, entry)) = last {
                entry.place.data = 0..at - start;
            }
            open = None;
            if let Some((entry, header_len, len)) = parse(bytes, at) {
                let is_known = is_archive(entry.name.as_bytes());
                names += entry.name.len();
                if is_known && (entries.len() == MOST_ENTRIES || names > MOST_NAMES) {
                    return Ok(entries);
                }
                skip(&mut input, header_len as u64)?;
                match len {
                    Some(len) => skip(&mut input, len)?,
                    None if is_known => open = Some(at + header_len as u64),
                    None => {}
                }
                if is_known {
                    entries.push(entry);
                }
                continue;
            }
        }
        input.consume(2);
    }
    if let (Some(start), Some(entry)) = (open, entries.last_mut()) {
        entry.place.data = 0..input.offset().saturating_sub(start);
    }
    Ok(entries)
}

/// Goes to the next `PK`, and returns its offset; `None` at the end.
fn find_magic(input: &mut Rewind<impl Read>) -> io::Result<Option<u64>> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(None);
        }
        let len = buffer.len();
        match memchr(b'P', buffer) {
            None => input.consume(len),
            Some(at) => {
                input.consume(at);
                if input.peek(2)? == b"PK" {
                    return Ok(Some(input.offset()));
                }
                input.consume(1);
            }
        }
    }
}

fn skip(input: &mut Rewind<impl Read>, mut len: u64) -> io::Result<()> {
    while len > 0 {
        let part = input.fill_buf()?.len().min(usize::try_from(len).unwrap_or(usize::MAX));
        if part == 0 {
            break;
        }
        input.consume(part);
        len -= part as u64;
    }
    Ok(())
}

fn number(bytes: &[u8], at: usize, len: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + len)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// Reports whether these bytes start a header before data.
fn is_header(bytes: &[u8]) -> bool {
    bytes.starts_with(HEADER_MAGIC) && is_plausible(bytes, 4, 8)
}

/// Reports whether a version and a compression method, at these places, are ones that exist: compressed data may have the magic
/// number, too.
fn is_plausible(bytes: &[u8], version: usize, method: usize) -> bool {
    number(bytes, version, 1).is_some_and(|version| version <= 63)
        && number(bytes, method, 2).is_some_and(|method| method <= 99)
}

/// Returns the checksum and the length without compression in a descriptor that ends data of `len` bytes.
fn descriptor(bytes: &[u8], len: u64) -> Option<(u32, u64)> {
    let bytes = &bytes[..bytes.len().min(DESCRIPTOR)];
    let checksum = number(bytes.strip_prefix(DESCRIPTOR_MAGIC)?, 0, 4)? as u32;
    [4, 8].into_iter().find_map(|width| {
        (number(bytes, 8, width)? == len).then(|| number(bytes, 8 + width, width)).flatten().map(|len| (checksum, len))
    })
}

/// Parses a header. Returns also its length, and that of its data if it is known.
fn parse(bytes: &[u8], at: u64) -> Option<(Entry, usize, Option<u64>)> {
    if !is_header(bytes) {
        return None;
    }
    let get = |at, len| number(bytes, at, len);
    let (name_len, extra_len) = (get(26, 2)? as usize, get(28, 2)? as usize);
    let name = bytes.get(HEADER..HEADER + name_len)?;
    let flags = get(6, 2)?;
    let (mut compressed, mut len) = (get(18, 4)?, get(22, 4)?);
    if compressed == u64::from(u32::MAX) {
        (len, compressed) = long_lens(bytes.get(HEADER + name_len..)?.get(..extra_len)?)?;
    }
    // The lengths and the checksum may come after the data.
    let is_known = flags & 8 == 0 || compressed > 0;
    let place = Place {
        header: at,
        data: 0..compressed,
        method: get(8, 2)? as u16,
        is_encrypted: flags & 1 != 0,
        len: is_known.then_some(len),
        checksum: if is_known { Some(get(14, 4)? as u32) } else { None },
    };
    let name = String::from_utf8_lossy(name).into_owned();
    Some((Entry { name, place }, HEADER + name_len + extra_len, is_known.then_some(compressed)))
}

/// Returns the length without and with compression in the extra field of ZIP64.
fn long_lens(mut extra: &[u8]) -> Option<(u64, u64)> {
    loop {
        let (id, len) = (number(extra, 0, 2)?, number(extra, 2, 2)? as usize);
        if id == 1 {
            return Some((number(extra, 4, 8)?, number(extra, 12, 8)?));
        }
        extra = extra.get(4 + len..)?;
    }
}
