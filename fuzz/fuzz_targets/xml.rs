//! Links of pages read as XML: reading ends on any bytes, and finds in chunks what it finds in memory, each in its place.
//!
//! Input: options, page. The target `html` checks more laws of the same reader, and is slower for it.

#![no_main]

#[path = "../../crates/links/tests/html/laws.rs"]
#[allow(dead_code)]
mod laws;

use libfuzzer_sys::{Corpus, fuzz_target};
use relref_fuzz::options;
use relref_links::html::Pages;

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, page)) = options(input) else { return Corpus::Reject };
    let base = laws::LawBase::new(None);
    let mut pages = Pages::new();
    let options = &mut pages.options;
    (options.xml, options.rejected, options.places) = (true, true, bits & 1 != 0);
    (options.lazy, options.items, options.title) = (bits & 2 != 0, bits & 4 != 0, bits & 8 != 0);
    options.max_text = (bits >> 4) as usize % 64;
    let charset = ["utf-8", "utf-16le", "shift_jis"].get((bits >> 12) as usize % 16).copied();
    let links = laws::in_memory(&mut pages, &base, page, charset);
    assert_eq!(laws::pushed(&mut pages, &base, page, charset, 1 + (bits >> 16) as usize % 64), links);
    for link in &links {
        assert!(link.place.is_none_or(|place| place.start <= place.end && place.end <= page.len() as u64), "{link:?}");
    }
    Corpus::Keep
});
