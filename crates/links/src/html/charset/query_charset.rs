//! Percent-encodes queries in the character encoding of their page (URL Standard §4.4, query state).

use std::borrow::Cow;
use std::fmt::Write;

use encoding_rs::{EncoderResult, Encoding, UTF_8};
use relref::UriRef;
use relref::percent::{ByteSet, encode_with};
use relref::whatwg::QueryCharset;

use crate::html::kind::is_fetched;

/// Returns a character encoding as a base of the URL Standard takes it: see [`whatwg::Base::query_charset`]. `None` for UTF-8, and
/// for UTF-16 and others in which no query is written (Encoding Standard §4.3, *get an output encoding*).
///
/// [`whatwg::Base::query_charset`]: relref::whatwg::Base::query_charset
///
/// ```
/// use encoding_rs::WINDOWS_1251;
/// use relref::whatwg::Base;
/// use relref_links::html::query_charset;
///
/// let base = Base::new("http://example.com/")?.query_charset(query_charset(WINDOWS_1251));
/// assert_eq!(base.resolve("?ж")?, "http://example.com/?%E6");
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
#[must_use]
pub fn query_charset(charset: &'static Encoding) -> Option<QueryCharset> {
    let charset = charset.output_encoding();
    (charset != UTF_8).then_some(QueryCharset { name: charset.name(), encode: encode_query })
}

/// Does what [`QueryCharset::encode`] must do.
fn encode_query(charset: &str, mut query: &str, set: ByteSet, out: &mut String) {
    let mut encoder = Encoding::for_label(charset.as_bytes()).unwrap_or(UTF_8).new_encoder();
    loop {
        let mut bytes = [0; 128];
        let (result, read, written) = encoder.encode_from_utf8_without_replacement(query, &mut bytes, true);
        query = &query[read..];
        out.extend(encode_with(&bytes[..written], set));
        match result {
            EncoderResult::InputEmpty => return,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(c) => {
                write!(out, "%26%23{}%3B", u32::from(c)).expect("a string takes all");
            }
        }
    }
}

/// Percent-encodes the query in `charset`. Characters that are not US-ASCII become bytes; those of them in the special-query
/// percent-encode set (URL Standard §1.3) become escapes: in Shift_JIS, `ソ` becomes `%83\`. A character that `charset` lacks
/// becomes `%26%23NNN%3B`, where `NNN` is its code point in decimal. One pass.
pub(crate) fn with_encoded_query<'r>(
    reference: &'r str,
    base_scheme: &str,
    charset: Option<&'static Encoding>,
) -> Cow<'r, str> {
    let Some(charset) = charset else { return Cow::Borrowed(reference) };
    let split = UriRef::new(reference);
    let Some(query) = split.query().filter(|query| !query.is_ascii()) else { return Cow::Borrowed(reference) };
    if !is_fetched(split.scheme().unwrap_or(base_scheme)) {
        return Cow::Borrowed(reference);
    }
    let mut out = String::with_capacity(reference.len() * 2);
    let query_end = reference.len() - split.fragment().map_or(0, |fragment| fragment.len() + 1);
    out.push_str(&reference[..query_end - query.len()]);
    let mut encoder = charset.new_encoder();
    for (at, c) in query.char_indices() {
        let mut text = &query[at..at + c.len_utf8()];
        loop {
            let mut bytes = [0; 16];
            let (result, read, written) = encoder.encode_from_utf8_without_replacement(text, &mut bytes, false);
            text = &text[read..];
            // A US-ASCII character stays as it is; the bytes that the encoder writes before it are percent-encoded.
            let kept = usize::from(c.is_ascii()).min(written);
            push_bytes(&bytes[..written - kept], &mut out);
            out.extend(bytes[written - kept..written].iter().map(|&byte| char::from(byte)));
            match result {
                EncoderResult::Unmappable(c) => {
                    let _ = write!(out, "%26%23{}%3B", u32::from(c));
                }
                EncoderResult::InputEmpty => break,
                EncoderResult::OutputFull => {}
            }
        }
    }
    let mut bytes = [0; 16];
    let (_, _, written) = encoder.encode_from_utf8_without_replacement("", &mut bytes, true);
    push_bytes(&bytes[..written], &mut out);
    out.push_str(&reference[query_end..]);
    Cow::Owned(out)
}

fn push_bytes(bytes: &[u8], out: &mut String) {
    out.extend(encode_with(bytes, ByteSet::WHATWG_SPECIAL_QUERY));
}

#[cfg(test)]
mod tests {
    use encoding_rs::{ISO_2022_JP, SHIFT_JIS, WINDOWS_1251};

    use super::*;

    #[test]
    fn only_queries_of_fetched_schemes_are_encoded() {
        for (reference, base_scheme, expected) in [
            ("ж?ж#ж", "http", "ж?%E6#ж"),
            ("ж?ж", "FILE", "ж?%E6"),
            ("ж?ж", "mailto", "ж?ж"),
            ("https:?ж", "mailto", "https:?%E6"),
            ("mailto:?ж", "http", "mailto:?ж"),
            ("ж#?ж", "http", "ж#?ж"),
            ("?a b", "http", "?a b"),
        ] {
            assert_eq!(with_encoded_query(reference, base_scheme, Some(WINDOWS_1251)), expected, "{reference}");
        }
        assert!(matches!(with_encoded_query("?ж", "http", None), Cow::Borrowed("?ж")));
        assert!(matches!(with_encoded_query("?x", "http", Some(WINDOWS_1251)), Cow::Borrowed("?x")));
    }

    #[test]
    fn us_ascii_stays_and_other_octets_are_percent_encoded() {
        for (query, charset, expected) in [
            ("?<жa%\"", WINDOWS_1251, "?<%E6a%\""),
            ("?≡ソ", SHIFT_JIS, "?%81%DF%83\\"),
            // The character encoding lacks the character.
            ("?‽ж", WINDOWS_1251, "?%26%238253%3B%E6"),
            // The character encoding switches to another set of characters and back, also at the end.
            ("?日a", ISO_2022_JP, "?%1B$BF|%1B(Ba"),
            ("?日", ISO_2022_JP, "?%1B$BF|%1B(B"),
        ] {
            assert_eq!(with_encoded_query(query, "http", Some(charset)), expected, "{query}");
        }
    }
}
