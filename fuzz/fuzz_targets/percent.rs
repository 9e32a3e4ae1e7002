//! Percent-encoding and decoding, with every set of the documents and with any set.
//!
//! Input: options, eight octets of a set, octets.

#![no_main]

#[path = "../../tests/percent/checks.rs"]
mod checks;

use libfuzzer_sys::{Corpus, fuzz_target};
use relref::percent::{ByteSet, decode_bytes, encode_latin1};
use relref_fuzz::{check_error, options};

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, rest)) = options(input) else { return Corpus::Reject };
    let Some((set, bytes)) = rest.split_at_checked(8) else { return Corpus::Reject };
    checks::check(bytes, ByteSet::new(set), bits as usize);
    if let Ok(text) = std::str::from_utf8(bytes) {
        checks::check_decoding(text);
        let errors = [decode_bytes(text).err(), encode_latin1(text, ByteSet::RFC1630).err()];
        errors.iter().flatten().for_each(|error| check_error(error, text));
    }
    Corpus::Keep
});
