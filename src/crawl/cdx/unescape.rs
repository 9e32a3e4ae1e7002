//! `fully_decoded`: decodes escapes until none is left.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use memchr::memchr;

use crate::percent::octet;

/// Decodes escapes again and again: `%2541` becomes `%41`, then `A`. An illegal escape stays.
///
/// Escapes do not overlap, so their order does not matter: one pass decodes each as soon as its last digit is appended to the
/// result. The decoded octet can then be the last digit of another escape.
pub(super) fn fully_decoded(text: &str) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    let Some(first) = memchr(b'%', bytes) else { return Cow::Borrowed(bytes) };
    let mut out = Vec::with_capacity(bytes.len());
    out.extend_from_slice(&bytes[..first]);
    // An escape may decode to the `%` or a digit of another one, as in `%2525`. Each octet is appended, and the end of the output
    // tested again: so one pass does what decoding again and again does, which could take quadratic time.
    for &byte in &bytes[first..] {
        out.push(byte);
        while let Some(octet) = out.len().checked_sub(3).and_then(|at| octet(&out[at..])) {
            out.truncate(out.len() - 3);
            out.push(octet);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use alloc::borrow::Cow;
    use alloc::string::String;
    use alloc::vec::Vec;

    use quickcheck::quickcheck;

    use super::fully_decoded;
    use crate::percent::decode_leaving_illegal;

    /// Decodes the whole text again and again.
    fn naive(text: &str) -> Vec<u8> {
        let mut octets = text.as_bytes().to_vec();
        loop {
            // Each octet as a character, so that those that are not UTF-8 stay.
            let text: String = octets.iter().map(|&octet| char::from(octet)).collect();
            let decoded: Vec<u8> = text
                .split_inclusive(|c: char| !c.is_ascii())
                .flat_map(|part| {
                    let (ascii, last) = match part.chars().next_back() {
                        Some(last) if !last.is_ascii() => (&part[..part.len() - last.len_utf8()], Some(last as u8)),
                        _ => (part, None),
                    };
                    decode_leaving_illegal(ascii).chain(last).collect::<Vec<_>>()
                })
                .collect();
            if decoded == octets {
                return octets;
            }
            octets = decoded;
        }
    }

    #[test]
    fn escapes_that_come_about_are_decoded() {
        assert!(matches!(fully_decoded("a b"), Cow::Borrowed(b"a b")));
        for (text, expected) in [
            ("%2541", "A"),
            ("%%3431", "C1"),
            ("%4%31", "A"),
            ("%%", "%%"),
            ("%zz", "%zz"),
            ("%252525", "%"),
            ("a%", "a%"),
        ] {
            assert_eq!(*fully_decoded(text), *expected.as_bytes(), "{text}");
        }
    }

    quickcheck! {
        fn the_order_does_not_matter(choices: Vec<u8>) -> bool {
            let text: String = choices.iter().map(|choice| ["%", "2", "5", "4", "1", "%25", "%c3", "f"][usize::from(choice % 8)]).collect();
            *fully_decoded(&text) == *naive(&text)
        }
    }
}
