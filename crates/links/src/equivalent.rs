//! Prefixes of URIs whose percent-encoding may differ where that makes no difference (RFC 3986 §6.2.2): `/%7Eme/` is `/~me/`.

/// Returns what follows `prefix` in a URI.
pub(crate) fn strip_equivalent<'u>(uri: &'u str, prefix: &str) -> Option<&'u str> {
    // Most URIs have no escapes.
    if let Some(rest) = uri.strip_prefix(prefix) {
        return Some(rest);
    }
    let start = uri.as_bytes().get(..3 * prefix.len()).unwrap_or(uri.as_bytes());
    if memchr::memchr(b'%', start).is_none() && !prefix.contains('%') {
        return None;
    }
    let (mut uri, mut prefix) = (uri, prefix);
    while !prefix.is_empty() {
        let ((one, one_len), (other, other_len)) = (unit(uri)?, unit(prefix)?);
        if one != other {
            return None;
        }
        (uri, prefix) = (&uri[one_len..], &prefix[other_len..]);
    }
    Some(uri)
}

/// The first character or encoded octet, in normal form, and its length in bytes.
fn unit(text: &str) -> Option<(u32, usize)> {
    let first = text.chars().next()?;
    let digits = text.get(1..3).filter(|digits| first == '%' && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    let Some(octet) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
        return Some((u32::from(first), first.len_utf8()));
    };
    let is_unreserved = octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~');
    // An octet that stays encoded equals no character.
    Some((if is_unreserved { 0 } else { 1 << 24 } | u32::from(octet), 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_unreserved_characters_and_case_of_digits_do_not_count() {
        for (uri, prefix, expected) in [
            ("http://h/~me/x", "http://h/~me/", Some("x")),
            ("http://h/%7Eme/x", "http://h/~me/", Some("x")),
            ("http://h/~me/x", "http://h/%7eme/", Some("x")),
            ("http://h/%c3%a9", "http://h/%C3%A9", Some("")),
            ("http://h/%2Fx", "http://h//", None),
            ("http://h/%7", "http://h/~", None),
            ("http://h/é", "http://h/%C3%A9", None),
            ("http://h", "http://h/", None),
        ] {
            assert_eq!(strip_equivalent(uri, prefix), expected, "{uri} {prefix}");
        }
    }
}
