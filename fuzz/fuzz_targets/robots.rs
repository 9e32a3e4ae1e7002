//! Rules of `robots.txt`: answers are those of a naive reader, for a file as it is and for the rules of one crawler alone.
//!
//! Input: options (not used), then the name of a crawler, a URI and the file, with a line break between them.

#![no_main]

#[path = "../../tests/crawl/robots_checks.rs"]
mod checks;

use libfuzzer_sys::{Corpus, fuzz_target};
use relref_fuzz::options;

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((_, rest)) = options(input) else { return Corpus::Reject };
    let mut parts = rest.splitn(3, |byte| *byte == b'\n');
    let (Some(agent), Some(uri), Some(text)) = (parts.next(), parts.next(), parts.next()) else {
        return Corpus::Reject;
    };
    let (Ok(agent), Ok(uri)) = (std::str::from_utf8(agent), std::str::from_utf8(uri)) else { return Corpus::Reject };
    checks::check(text, agent, uri);
    Corpus::Keep
});
