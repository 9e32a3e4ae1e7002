//! The reader of archives that are compressed by Zstandard: it ends on any bytes, loses only the frame that is changed, and reads
//! the same from a stream and from a file.
//!
//! Input: options, and bytes whose meaning the lowest bit of the options chooses: an archive; blocks of records, separated by
//! slashes, each of which becomes a frame. The other bits choose a dictionary, bytes before the archive, and a byte that is
//! changed.

#![no_main]

use std::io::{Cursor, Read};

use libfuzzer_sys::{Corpus, fuzz_target};
use relref_fuzz::{Chunks, options};
use relref_links::archive::{Records, sniff};
use zstd::bulk::Compressor;

/// The most bytes that are read of a block.
const MOST: u64 = 1 << 20;

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, bytes)) = options(input) else { return Corpus::Reject };
    let _ = (sniff::is_archive(bytes), sniff::compression(bytes));
    if bits & 1 == 0 {
        let _ = (
            blocks(Records::new(Chunks::new(bytes.to_vec(), bits, true))),
            blocks(Records::seekable(Cursor::new(bytes))),
        );
        return Corpus::Keep;
    }
    written(bytes, bits >> 1);
    Corpus::Keep
});

/// Returns the blocks of the records that ended well, and the number of damages.
fn blocks<R: Read>(archive: std::io::Result<Records<R>>) -> (Vec<Vec<u8>>, usize) {
    let (mut all, mut damages) = (Vec::new(), 0);
    let Ok(mut archive) = archive else { return (all, 1) };
    while let Some(record) = archive.next_record() {
        let mut block = Vec::new();
        match record.is_ok().then(|| (&mut archive).take(MOST).read_to_end(&mut block)) {
            Some(Ok(_)) if archive.finish().is_ok() => all.push(block),
            _ => damages += 1,
        }
    }
    (all, damages)
}

/// Checks that records that are written as frames are read, all except those of the changed frame.
fn written(bytes: &[u8], bits: u32) {
    // Without what starts a record, or the frame of a dictionary.
    let plain: Vec<u8> = bytes.iter().map(|byte| if b"W]".contains(byte) { b'-' } else { *byte }).collect();
    let expected: Vec<Vec<u8>> = plain.split(|byte| *byte == b'/').map(<[u8]>::to_vec).collect();
    let dictionary: &[u8] = if bits & 1 != 0 { b"WARC/1.1\r\nWARC-Type: x\r\nContent-Length: " } else { b"" };
    let mut compressor = Compressor::with_dictionary(3, dictionary).unwrap();
    compressor.include_checksum(true).unwrap();
    let mut all = Vec::new();
    if !dictionary.is_empty() {
        let content = zstd::bulk::compress(dictionary, 3).unwrap();
        all.extend([b"\x5d\x2a\x4d\x18", &(content.len() as u32).to_le_bytes()[..], &content].concat());
    }
    let before = vec![b'('; (bits >> 1 & 0x3f) as usize];
    let mut frames = Vec::new();
    for block in &expected {
        let head = format!("WARC/1.1\r\nWARC-Type: x\r\nContent-Length: {}\r\n\r\n", block.len());
        frames.push(compressor.compress(&[head.as_bytes(), block, b"\r\n\r\n"].concat()).unwrap());
    }
    let start = before.len() + all.len();
    let mut all = [before.clone(), all, frames.concat()].concat();
    // A byte of one frame, or none.
    let at = start + (bits >> 7 & 0xfff) as usize;
    let change = (bits >> 19) as u8;
    let mut ends = frames.iter().scan(start, |end, frame| {
        *end += frame.len();
        Some(*end)
    });
    let changed = ends.position(|end| at < end).filter(|_| change != 0);
    if changed.is_some() {
        all[at] ^= change;
    }
    let (from_file, damages) = blocks(Records::seekable(Cursor::new(&all)));
    let (from_stream, _) = blocks(Records::new(Chunks::new(all, bits, true)));
    let unchanged = expected.iter().enumerate().filter(|(number, _)| Some(*number) != changed).map(|(_, block)| block);
    for block in unchanged {
        assert!(from_file.contains(block), "{block:?} is lost");
    }
    assert_eq!(from_file, from_stream);
    // Nothing is lost without a word, and nothing is damaged that was not changed.
    let is_damaged = changed.is_some() || !before.is_empty();
    assert!(if is_damaged { damages > 0 || from_file == expected } else { damages == 0 }, "{damages}");
}
