//! Links of pages, under any character encoding and any options: the laws of `crates/links/tests/html/laws.rs`.
//!
//! Input: options, label of a character encoding (none if empty), line break, page.

#![no_main]

#[path = "../../crates/links/tests/html/laws.rs"]
mod laws;

use libfuzzer_sys::{Corpus, fuzz_target};
use relref::Rules;
use relref_fuzz::{Chunks, mix, options};
use relref_links::html::Pages;

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, rest)) = options(input) else { return Corpus::Reject };
    let line = rest.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let label = String::from_utf8_lossy(&rest[..line]);
    let charset = (line > 0).then_some(&*label);
    let page = rest.get(line + 1..).unwrap_or_default();

    // Number 7 is the URL Standard; 6 used to be the first rule set again.
    let rules = if bits & 8 == 0 { Rules::ALL.get((bits >> 4) as usize % 7).copied() } else { Some(mix(bits >> 4)) };
    let base = laws::LawBase::new(rules);
    let mut pages = Pages::new();
    (pages.options.lazy, pages.options.items, pages.options.legacy_queries) =
        (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0);
    (pages.options.title, pages.options.xml) = (bits >> 28 & 1 != 0, bits >> 29 & 1 != 0);
    let limits = ((bits >> 12) as usize % 64, u64::from(bits >> 18) % 1024);
    laws::check(&mut pages, &base, page, charset, limits, || Chunks::new(page, bits >> 8, true));
    Corpus::Keep
});
