//! The readers of MHTML and EPUB files: they end on any bytes, a stream has the parts that a file has, and the pages of an EPUB have
//! no more bytes than it can hold.
//!
//! Input: options, and a message or a ZIP file. The options say where it is cut, and which byte is changed.

#![no_main]

use std::io::{Cursor, Read};

use libfuzzer_sys::{Corpus, fuzz_target};
use relref_fuzz::{Chunks, options};
use relref_links::page::{Captures, Store, is_epub, other_kind};

/// Returns the URIs, offsets and bytes of the pages, and the problems.
fn read<R: Read>(mut captures: Captures<R>) -> Vec<(String, u64, Vec<u8>)> {
    let mut all = Vec::new();
    let mut store = Store { max_page: 1 << 20, ..Store::default() };
    while let Some(page) = captures.next_stored(&mut store) {
        all.push(match page {
            Ok(mut page) => {
                let mut bytes = Vec::new();
                page.bytes.reader().read_to_end(&mut bytes).unwrap();
                page.links().for_each(drop);
                (page.uri, page.offset.unwrap(), bytes)
            }
            Err(problem) => (problem.error.to_string(), problem.offset, Vec::new()),
        });
    }
    all
}

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, bytes)) = options(input) else { return Corpus::Reject };
    let mut bytes = bytes.to_vec();
    if bits & 1 != 0 {
        bytes.truncate((bits >> 2) as usize % (bytes.len() + 1));
    }
    if let (true, Some(byte)) = (bits & 2 != 0, bytes.get_mut((bits >> 8) as usize & 0xffff)) {
        *byte ^= bits as u8 | 4;
    }
    let _ = other_kind(&bytes);
    if bytes.starts_with(b"PK") {
        let _ = is_epub(Cursor::new(&bytes));
        let pages = read(Captures::epub(Cursor::new(&bytes), "epub:///").unwrap());
        let len: usize = pages.iter().map(|(.., bytes)| bytes.len()).sum();
        assert!(len <= 1032 * bytes.len(), "{len} bytes of {}", bytes.len());
        return Corpus::Keep;
    }
    let parts = read(Captures::mhtml(&*bytes));
    assert_eq!(parts, read(Captures::mhtml(Chunks::new(&bytes, bits, true))));
    Corpus::Keep
});
