//! The archive reader: it ends on any bytes, and reads the same from a stream and from a file.
//!
//! Input: options, and bytes whose meaning the three lowest bits of the options choose: blocks of records to be written; an
//! archive; an archive whose records become gzip members, one byte of which is changed; an HTTP response; a body to be encoded; an
//! archive whose pages are read.

#![no_main]

use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use libfuzzer_sys::{Corpus, fuzz_target};
use relref_fuzz::{Chunks, options};
use relref_links::archive::{Body, Damage, Record, Records, sniff};
use relref_links::page::{Captures, LinkReader, Store};

/// The most bytes of a decoded body that are read, because a small body can become very large.
const MOST: u64 = 1 << 20;

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, bytes)) = options(input) else { return Corpus::Reject };
    match bits & 7 {
        4 | 5 => written(bytes, bits >> 3),
        0 => archive(&longer(bytes, bits >> 2), bits >> 2),
        1 => archive(&members(&longer(bytes, bits >> 2), bits >> 2), bits >> 2),
        2 | 6 => response(bytes, bits >> 2),
        7 => pages(&longer(bytes, bits >> 2), bits >> 2),
        _ => body(bytes, bits >> 2),
    }
    Corpus::Keep
});

/// A record with its block, or damage, as a reader of an archive reports it. `end` is the error of a record that did not end well.
#[derive(Debug, PartialEq)]
enum Shown {
    Record { offset: u64, fields: [String; 3], is_truncated: bool, block: Vec<u8>, end: Result<(), (u64, String)> },
    Damage(u64, String),
}

impl Shown {
    fn offset(&self) -> u64 {
        match self {
            Shown::Record { offset, .. } | Shown::Damage(offset, _) => *offset,
        }
    }
}

/// Returns all records and damages of an archive. `read` returns the bytes of a record's block that it read.
fn shown<R: Read>(mut archive: Records<R>, mut read: impl FnMut(&mut Records<R>) -> Vec<u8>) -> Vec<Shown> {
    let mut all = Vec::new();
    while let Some(record) = archive.next_record() {
        all.push(match record {
            Ok(Record { offset, kind, target_uri, content_type, truncated, .. }) => {
                let block = read(&mut archive);
                let end = archive.finish().map_err(|damage| (damage.offset, damage.reason.to_string()));
                Shown::Record { offset, fields: [kind, target_uri, content_type], is_truncated: truncated, block, end }
            }
            Err(Damage { offset, reason, .. }) => Shown::Damage(offset, reason.to_string()),
        });
    }
    all
}

/// Checks that records that are written as uncompressed text or as gzip members are read, in the format of WARC or of ARC. `bytes`
/// are their blocks, with slashes between them. In an uncompressed archive, the first record may claim more bytes than it has.
fn written(bytes: &[u8], bits: u32) {
    let (is_gzip, is_arc) = (bits & 1 != 0, bits >> 11 & 1 != 0);
    let more = if is_gzip { 0 } else { (bits >> 1) as usize & 0x3ff };
    // No record starts in a block.
    let plain: Vec<u8> = bytes.iter().map(|byte| if matches!(byte, b'W' | b':') { b'w' } else { *byte }).collect();
    let (mut all, mut starts, mut end) = (Vec::new(), Vec::new(), 0);
    for (number, block) in plain.split(|byte| *byte == b'/').enumerate() {
        let claimed = block.len() + if number == 0 { more } else { 0 };
        let head = match is_arc {
            true => format!("http://h/{number} 127.0.0.1 20080430204825 text/html {claimed}\n"),
            false => format!("WARC/1.1\r\nWARC-Type: {number}\r\nContent-Length: {claimed}\r\n\r\n"),
        };
        starts.push((all.len() as u64, block.to_vec()));
        let record = [head.as_bytes(), block, if is_arc { b"\n" } else { b"\r\n\r\n" }].concat();
        if number == 0 {
            end = head.len() + claimed;
        }
        all.extend(if is_gzip { gzip(&record) } else { record });
    }
    // Where a record ends within the bytes after another, it contains whole records, and this cannot be detected.
    let after = all.get(end..).unwrap_or_default();
    let next = after.iter().position(|byte| !b"\r\n".contains(byte)).map_or(&[][..], |at| &after[at..]);
    let is_swallowed = match is_arc {
        true => next.is_empty() || next.starts_with(b"http://h/"),
        false => after.starts_with(b"\r\n\r\n") || b"WARC/".starts_with(&next[..next.len().min(5)]),
    };
    if all.len() >= 64 << 10 || (more > 0 && is_swallowed && end <= all.len()) {
        return;
    }
    let whole = |archive: &mut dyn Read| {
        let mut block = Vec::new();
        archive.read_to_end(&mut block).unwrap();
        block
    };
    let from_file = shown(Records::from_file(file(&all)).unwrap(), |archive| whole(archive));
    let from_stream = shown(Records::new(Chunks::new(all, bits, true)).unwrap(), |archive| whole(archive));
    for shown in [from_file, from_stream] {
        let well = shown.iter().filter_map(|shown| match shown {
            Shown::Record { offset, block, end: Ok(()), .. } => Some((*offset, block.clone())),
            _ => None,
        });
        let is_damaged = usize::from(more > 0);
        assert!(well.eq(starts.iter().skip(is_damaged).cloned()), "{more}: {shown:?}");
        assert!(is_damaged > 0 || shown.len() == starts.len(), "{shown:?}");
    }
}

/// Checks that the pages of any bytes have the same links and problems in memory and in files.
fn pages(bytes: &[u8], bits: u32) {
    let read = |records, in_memory| {
        let mut captures = Captures::from(records);
        let mut store = Store { in_memory, max_page: MOST, ..Store::default() };
        let (mut reader, mut found) = (LinkReader::default(), Vec::new());
        while let Some(page) = captures.next_stored(&mut store) {
            match page {
                Ok(mut page) => {
                    let done = reader.links(&mut page, |link| {
                        found.push(format!("{} {}", link.reference, link.uri));
                        Ok(())
                    });
                    found.extend(done.err().map(|error| error.to_string()));
                }
                Err(problem) => found.push(problem.to_string()),
            }
        }
        (found, captures.skipped())
    };
    // The start of an archive that Zstandard compressed may be damaged.
    let Ok(records) = Records::from_file(file(bytes)) else { return };
    let in_memory = read(records, 1 << 20);
    let in_files = read(Records::from_file(file(bytes)).unwrap(), (bits & 0x3f) as usize);
    assert_eq!(in_memory, in_files);
}

/// Returns bytes as a gzip member.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns the records and damages outside of damaged gzip members, and one damage for each damaged member. How much of such a
/// member is read depends on how many bytes come at a time.
fn outside_damage(all: Vec<Shown>) -> Vec<Shown> {
    let damage = |shown: &Shown| match shown {
        Shown::Damage(offset, why) | Shown::Record { end: Err((offset, why)), .. } => {
            why.starts_with("its gzip member is damaged").then_some(*offset)
        }
        Shown::Record { .. } => None,
    };
    let offsets: Vec<u64> = all.iter().filter_map(damage).collect();
    let outside = all.into_iter().filter(|shown| !offsets.contains(&shown.offset()));
    outside.chain(offsets.iter().map(|offset| Shown::Damage(*offset, String::new()))).collect()
}

/// Checks that the same is read from a file, from a stream in chunks, and from a stream whose blocks are not read. From the first
/// head on, a stream can go back only within the reader's buffer. So for an archive that is longer than the buffer, only the
/// records before the first damage are compared.
fn archive(bytes: &[u8], bits: u32) {
    let is_short = bytes.len() < 64 << 10;
    let stream = || Records::new(Chunks::new(bytes.to_vec(), bits, true));
    let file = match Records::from_file(file(bytes)) {
        Ok(file) => file,
        Err(error) => {
            assert_eq!(stream().err().map(|other| other.to_string()), Some(error.to_string()));
            return;
        }
    };
    let whole = shown(file, |archive| {
        let mut block = Vec::new();
        // A read that fails is reported by `finish`.
        let _ = archive.take(MOST).read_to_end(&mut block);
        block
    });
    assert!(whole.iter().all(|shown| shown.offset() <= bytes.len() as u64), "{whole:?}");

    let parts = shown(stream().unwrap(), |archive| {
        let (mut block, mut part) = (Vec::new(), vec![0; [1, 3, 100, 1 << 16][bits as usize % 4]]);
        while block.len() < MOST as usize {
            let room = part.len().min(MOST as usize - block.len());
            match archive.read(&mut part[..room]) {
                Ok(0) | Err(_) => break,
                Ok(read) => block.extend_from_slice(&part[..read]),
            }
        }
        block
    });
    if !is_short {
        let is_well = |shown: &&Shown| matches!(shown, Shown::Record { end: Ok(()), .. });
        assert!(whole.iter().take_while(is_well).eq(parts.iter().take_while(is_well)), "{bits}");
        assert_eq!(whole.iter().all(|shown| is_well(&shown)), parts.iter().all(|shown| is_well(&shown)));
        return;
    }
    let (whole, parts) = (outside_damage(whole), outside_damage(parts));
    assert_eq!(whole, parts);
    let blind = outside_damage(shown(stream().unwrap(), |_| Vec::new()));
    assert_eq!(whole.len(), blind.len());
    for (whole, blind) in whole.into_iter().zip(blind) {
        match (whole, blind) {
            (Shown::Record { offset, fields, end, .. }, Shown::Record { offset: o, fields: f, end: e, .. }) => {
                assert_eq!((offset, fields, end), (o, f, e));
            }
            (whole, blind) => assert_eq!(whole, blind),
        }
    }
}

/// Returns a file that has these bytes. The next byte to read is the first.
fn file(bytes: &[u8]) -> File {
    thread_local!(static FILE: RefCell<File> = RefCell::new(tempfile::tempfile().unwrap()));
    FILE.with_borrow_mut(|file| {
        file.set_len(0).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.write_all(bytes).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.try_clone().unwrap()
    })
}

/// Returns the bytes, for some options with very many spaces in their middle.
fn longer(bytes: &[u8], bits: u32) -> Vec<u8> {
    let (at, many) = ((bits >> 5) as usize % (bytes.len() + 1), (bits >> 13) as usize & 0x7ffff);
    match bits & 0x1f {
        0x1f => [&bytes[..at], &vec![b' '; many], &bytes[at..]].concat(),
        _ => bytes.to_vec(),
    }
}

/// Returns an archive in which each record is a gzip member. One byte is changed, unless the options choose none.
fn members(bytes: &[u8], bits: u32) -> Vec<u8> {
    let mut starts: Vec<usize> = memchr::memmem::find_iter(bytes, b"WARC/").collect();
    starts.extend(memchr::memmem::find_iter(bytes, b"\nhttp://").map(|at| at + 1));
    starts.push(bytes.len());
    starts.sort_unstable();
    let mut all = Vec::new();
    let mut from = 0;
    for start in starts.into_iter().filter(|start| *start > 0) {
        all.extend(gzip(&bytes[from..start]));
        from = start;
    }
    let (at, change) = ((bits >> 3) as usize & 0xffff, (bits >> 19) as u8);
    if let Some(byte) = all.get_mut(at) {
        *byte ^= change;
    }
    all
}

/// Checks that the page in a response is the same, read in chunks or at once.
fn response(bytes: &[u8], bits: u32) {
    let _ = (sniff::is_html(bytes), sniff::is_binary(bytes), sniff::is_archive(bytes));
    let head = format!("WARC/1.1\r\nWARC-Type: response\r\nContent-Length: {}\r\n\r\n", bytes.len());
    let record = [head.as_bytes(), bytes, b"\r\n\r\n"].concat();
    assert_eq!(page(&record[..]), page(Chunks::new(&record, bits, true)));
}

/// Returns a text that shows all that is read of the first page of an archive, or its problem.
fn page(archive: impl Read + Send) -> String {
    let mut records = Records::new(archive).unwrap();
    let mut page = match records.next_capture() {
        Some(Ok(page)) => page,
        Some(Err(damage)) => return damage.to_string(),
        None => return String::new(),
    };
    assert!(page.codings.iter().all(|coding| !coding.is_empty() && coding != "identity"));
    let mut text = Vec::new();
    let done = page.body().and_then(|body| body.take(MOST).read_to_end(&mut text));
    let done = done.map_err(|error| error.to_string());
    format!("{:?}", (page.status, page.media_type, page.charset, page.codings, page.head_damage, done, text))
}

/// Checks that a body is restored after it was encoded by up to four codings.
fn body(bytes: &[u8], bits: u32) {
    let mut coded = bytes.to_vec();
    let mut codings = Vec::new();
    for place in 0..(bits & 7).min(4) {
        let coding = ["chunked", "gzip", "deflate"][(bits >> (3 + 2 * place)) as usize % 3];
        codings.push(coding.to_owned());
        coded = match coding {
            "chunked" => {
                let size = 1 + (bits >> 11) as usize % 300;
                let chunks = coded
                    .chunks(size)
                    .flat_map(|part| [format!("{:X}\r\n", part.len()).as_bytes(), part, b"\r\n"].concat());
                chunks.chain(*b"0\r\n\r\n").collect()
            }
            "gzip" => gzip(&coded),
            _ => {
                let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(&coded).unwrap();
                encoder.finish().unwrap()
            }
        };
    }
    let mut again = Vec::new();
    let mut body = Body::new(Chunks::new(&coded, bits >> 8, true), coded.len() as u64, &codings).unwrap();
    body.read_to_end(&mut again).unwrap();
    assert_eq!(again, bytes, "{codings:?}");
}
