//! The reader of WACZ files: it ends on any bytes, and the archives in a file have together no more bytes than the file.
//!
//! Input: options, and a ZIP file. The options say where it is cut, and which byte is changed.

#![no_main]

use std::io::{Cursor, Read};

use libfuzzer_sys::{Corpus, fuzz_target};
use relref_fuzz::options;
use relref_links::archive::Wacz;

/// The most bytes that are read of a block.
const MOST: u64 = 1 << 20;

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, bytes)) = options(input) else { return Corpus::Reject };
    let mut bytes = bytes.to_vec();
    if bits & 1 != 0 {
        bytes.truncate((bits >> 2) as usize % (bytes.len() + 1));
    }
    if let (true, Some(byte)) = (bits & 2 != 0, bytes.get_mut((bits >> 8) as usize & 0xffff)) {
        *byte ^= bits as u8 | 4;
    }
    let len = bytes.len() as u64;
    let mut wacz = Wacz::new(Cursor::new(bytes)).unwrap();
    let (mut archives, mut inflated) = (0, 0);
    while let Some(archive) = wacz.next_archive() {
        let Ok(mut archive) = archive else { continue };
        archives += 1;
        assert!(archive.name.contains("archive"), "{}", archive.name);
        let Ok(mut records) = archive.records() else { continue };
        while let Some(record) = records.next_record() {
            if record.is_ok() {
                let mut block = Vec::new();
                let _ = (&mut records).take(MOST).read_to_end(&mut block);
                let _ = records.finish();
            }
        }
        inflated += records.bytes_read();
    }
    // Headers have 30 bytes, and deflate makes 1032 bytes of one.
    assert!(archives * 30 <= len && inflated <= 1032 * len, "{archives} archives, {inflated} of {len} bytes");
    Corpus::Keep
});
