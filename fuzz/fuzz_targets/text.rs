//! URIs in running text: what `unwrap` finds, by another way too, and what `wrap` writes.
//!
//! Input: options (the low byte is the width), a text.

#![no_main]

#[path = "../../tests/text/checks.rs"]
mod checks;

use libfuzzer_sys::{Corpus, fuzz_target};
use relref_fuzz::{split_line, text};

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, text)) = text(input) else { return Corpus::Reject };
    checks::check_found(text);
    let (before, rest) = split_line(text);
    let (uri, after) = split_line(rest);
    let [before, after] = [before, after].map(|prose| prose.replace(['<', '>'], "-"));
    let width = bits as usize & 0xff;
    for uri in [uri.to_string(), format!("x-y:{uri}")] {
        for width in [width, width % 24, usize::MAX] {
            checks::check_wrapped(&uri, width, &before, &after);
        }
    }
    Corpus::Keep
});
