//! Finds the entries of a ZIP file without its directory, by the headers before the data of its entries.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Read, SeekFrom};

use super::super::records::ReadSeek;
use super::super::rewind::Rewind;
use super::super::sniff::ZIP_START;
use super::entry::{Entry, HEADER_LEN, name_of, number};
use super::{Room, Wanted};

const DIRECTORY_MAGIC: &[u8] = b"PK\x01\x02";
/// The magic number of a data descriptor. Some writers put one, with the checksum and the lengths, after the data of an entry.
const DESCRIPTOR_MAGIC: &[u8] = b"PK\x07\x08";
const MAX_DESCRIPTOR_LEN: usize = 24;
/// The rest of a longer extra field is skipped.
const MAX_HEADER_LEN: usize = 64 << 10;

/// Returns the wanted entries without those at the offsets `known`, by offset. The first one without room ends the search.
pub(super) fn read(
    zip: &mut dyn ReadSeek,
    wanted: Wanted<'_>,
    known: &BTreeSet<u64>,
    room: &mut Room,
) -> io::Result<Vec<Entry>> {
    zip.seek(SeekFrom::Start(0))?;
    let mut input = Rewind::seekable(zip)?;
    let mut entries: Vec<Entry> = Vec::new();
    // The offset where the data of the last entry start, if their length is not known.
    let mut open = None;
    while input.find(b'P', 2, |bytes| bytes == b"PK")? {
        let at = input.offset();
        let bytes = input.peek(MAX_HEADER_LEN)?;
        let last = open.zip(entries.last_mut());
        if let Some((start, (checksum, len))) = open.and_then(|start| Some((start, descriptor(bytes, at - start)?))) {
            if let Some((_, entry)) = last {
                (entry.data, entry.checksum, entry.len) = (0..at - start, Some(checksum), Some(len));
            }
            open = None;
        } else if is_header(bytes) || bytes.starts_with(DIRECTORY_MAGIC) && is_plausible(bytes, 6, 10) {
            if let Some((start, entry)) = last {
                entry.data = 0..at - start;
            }
            open = None;
            if let Some((entry, header_len, compressed_len)) = parse_header(bytes, at) {
                let is_new = wanted(&entry.name) && !known.contains(&at);
                if is_new && !room.take(&entry.name) {
                    return Ok(entries);
                }
                let start = at + header_len;
                if input.ends_before(start)?.is_some() {
                    // The header is cut short, or a length in it is wrong.
                    input.consume(HEADER_LEN);
                } else {
                    skip(&mut input, header_len)?;
                    match compressed_len {
                        Some(len) if is_end(&mut input, start.saturating_add(len))? => skip(&mut input, len)?,
                        // The data are cut short, or their length is wrong: entries may be in them.
                        Some(_) => {}
                        None => open = is_new.then_some(start),
                    }
                }
                if is_new {
                    entries.push(entry);
                }
                continue;
            }
        }
        input.consume(2);
    }
    if let (Some(start), Some(entry)) = (open, entries.last_mut()) {
        entry.data = 0..input.offset().saturating_sub(start);
    }
    Ok(entries)
}

/// Reports whether the data of an entry may end at `offset`: the file ends there, or a magic number may start there.
fn is_end(input: &mut Rewind<impl Read>, offset: u64) -> io::Result<bool> {
    if input.ends_before(offset)?.is_some() {
        return Ok(false);
    }
    Ok(input.look_at(offset, 2)?.is_none_or(|next| b"PK".starts_with(&next)))
}

fn skip(input: &mut Rewind<impl Read>, len: u64) -> io::Result<()> {
    io::copy(&mut input.take(len), &mut io::sink()).map(|_| ())
}

fn is_header(bytes: &[u8]) -> bool {
    bytes.starts_with(ZIP_START) && is_plausible(bytes, 4, 8)
}

fn is_plausible(bytes: &[u8], version: usize, method: usize) -> bool {
    // Compressed data may have a magic number by chance, but then hardly these numbers.
    number(bytes, version, 1).is_some_and(|version| version <= 63)
        && number(bytes, method, 2).is_some_and(|method| method <= 99)
}

/// Returns the checksum and the length without compression; `None` if the length with compression is not `compressed_len`.
fn descriptor(bytes: &[u8], compressed_len: u64) -> Option<(u32, u64)> {
    let bytes = &bytes[..bytes.len().min(MAX_DESCRIPTOR_LEN)];
    let checksum = number(bytes.strip_prefix(DESCRIPTOR_MAGIC)?, 0, 4)? as u32;
    [4, 8].into_iter().find_map(|width| {
        (number(bytes, 8, width)? == compressed_len).then_some((checksum, number(bytes, 8 + width, width)?))
    })
}

/// Returns the entry, the length of the header, and, if known, that of the compressed data. Extra fields may be cut short.
fn parse_header(bytes: &[u8], at: u64) -> Option<(Entry, u64, Option<u64>)> {
    if !is_header(bytes) {
        return None;
    }
    let get = |at, len| number(bytes, at, len);
    let (name_len, extra_len) = (get(26, 2)? as usize, get(28, 2)? as usize);
    let name = bytes.get(HEADER_LEN..HEADER_LEN + name_len)?;
    let flags = get(6, 2)?;
    let (mut compressed_len, mut len) = (get(18, 4)?, get(22, 4)?);
    if compressed_len == u64::from(u32::MAX) {
        let extra = bytes.get(HEADER_LEN + name_len..)?;
        (len, compressed_len) = long_lens(&extra[..extra_len.min(extra.len())]).unwrap_or((len, compressed_len));
    }
    // The lengths and the checksum may come after the data.
    let is_known = flags & 8 == 0 || compressed_len > 0;
    let entry = Entry {
        name: name_of(name),
        header: at,
        data: 0..compressed_len,
        method: get(8, 2)? as u16,
        is_encrypted: flags & 1 != 0,
        len: is_known.then_some(len),
        checksum: if is_known { Some(get(14, 4)? as u32) } else { None },
    };
    Some((entry, (HEADER_LEN + name_len + extra_len) as u64, is_known.then_some(compressed_len)))
}

/// Returns the lengths without and with compression from the ZIP64 field. Its own length may be wrong, and is not used.
fn long_lens(mut extra: &[u8]) -> Option<(u64, u64)> {
    loop {
        let (id, len) = (number(extra, 0, 2)?, number(extra, 2, 2)? as usize);
        if id == 1 {
            return Some((number(extra, 4, 8)?, number(extra, 12, 8)?));
        }
        extra = extra.get(4 + len..)?;
    }
}
