//! Rewriting of pages, style sheets and feeds, under any character encoding and in any mode: the laws of
//! `crates/links/tests/rewrite/laws.rs` and `feed_laws.rs`.
//!
//! Input: options, label of a character encoding (none if empty), line break, page.

#![no_main]

#[path = "../../crates/links/tests/rewrite/feed_laws.rs"]
mod feed_laws;
#[path = "../../crates/links/tests/rewrite/laws.rs"]
mod laws;

use encoding_rs::Encoding;
use laws::{CASES, URIS};
use libfuzzer_sys::{Corpus, fuzz_target};
use relref::whatwg::Base;
use relref_fuzz::options;

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, rest)) = options(input) else { return Corpus::Reject };
    let line = rest.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let charset = Encoding::for_label(&rest[..line]);
    let page = rest.get(line + 1..).unwrap_or_default();
    let base = Base::new(URIS[bits as usize % URIS.len()]).unwrap();
    let case = &CASES[(bits >> 8) as usize % CASES.len()];
    laws::check(page, charset, &base, case);
    laws::check_sheet(page, charset, &base, case);
    feed_laws::check(page, &base, case);
    Corpus::Keep
});
