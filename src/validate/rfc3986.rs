//! The grammars of RFC 3986, appendix A, and RFC 3987 §2.2, which only permits more characters: `URI-reference` and
//! `IRI-reference`. A `URI` or `IRI` is a reference with a scheme.

use core::net::Ipv6Addr;

use memchr::memchr;

use super::cursor::{Checked, Cursor};
use crate::percent::{ByteSet, is_ucschar};
use crate::uri::UriRef;

// The grammar of IRIs is that of URIs with more characters and an `i` before the names: one set of functions checks both.
/// The phrases are for messages: they name the productions.
pub(super) struct Phrases {
    /// In any component except the scheme, the port and an `IP-literal`.
    permits: fn(char) -> bool,
    permits_in_query: fn(char) -> bool,
    userinfo: &'static str,
    reg_name: &'static str,
    segment_nz_nc: &'static str,
    path: &'static str,
    query: &'static str,
    fragment: &'static str,
}

pub(super) const URI: Phrases = Phrases {
    permits: |_| false,
    permits_in_query: |_| false,
    userinfo: "a character of `userinfo`",
    reg_name: "a character of `reg-name`",
    segment_nz_nc: "a character of `segment-nz-nc`",
    path: "a character of `path`",
    query: "a character of `query`",
    fragment: "a character of `fragment`",
};

pub(super) const IRI: Phrases = Phrases {
    permits: is_ucschar,
    permits_in_query: |c| is_ucschar(c) || is_iprivate(c),
    userinfo: "a character of `iuserinfo`",
    reg_name: "a character of `ireg-name`",
    segment_nz_nc: "a character of `isegment-nz-nc`",
    path: "a character of `ipath`",
    query: "a character of `iquery`",
    fragment: "a character of `ifragment`",
};

fn is_iprivate(c: char) -> bool {
    matches!(u32::from(c), 0xE000..=0xF8FF | 0xF_0000..=0xF_FFFD | 0x10_0000..=0x10_FFFD)
}

/// The rules about `//` at the start of a path need no check: every split into components follows them.
pub(super) fn reference(grammar: &Phrases, uri: &UriRef<&str>) -> Checked {
    let text = uri.as_str();
    let part = |start, end| Cursor::new(text, start, end).permitting(grammar.permits);
    if let Some(authority) = uri.authority() {
        self::authority(grammar, part(uri.path_start - authority.len(), uri.path_start))?;
    }
    let path = part(uri.path_start, uri.path_end);
    if uri.scheme().is_none() && uri.authority().is_none() {
        let mut segment = path;
        segment.take_many(ByteSet::SEGMENT.add(b':').complement())?;
        if segment.peek() == Some(b':') {
            return Err(segment.error(grammar.segment_nz_nc));
        }
    }
    path.expect_only(ByteSet::PATH.complement(), grammar.path)?;
    let query = part(uri.path_end, uri.query_end).permitting(grammar.permits_in_query);
    component(query, "?", grammar.query)?;
    component(part(uri.query_end, text.len()), "#", grammar.fragment)
}

fn component(mut cursor: Cursor, delimiter: &str, expected: &'static str) -> Checked {
    cursor.take(delimiter);
    cursor.expect_only(ByteSet::QUERY.complement(), expected)
}

fn authority(grammar: &Phrases, mut cursor: Cursor) -> Checked {
    if let Some(len) = memchr(b'@', cursor.rest().as_bytes()) {
        cursor.limited_to(len).expect_only(ByteSet::USERINFO.complement(), grammar.userinfo)?;
        cursor.take_bytes(len + 1);
    }
    let expected = if cursor.take("[") {
        expect_ip_literal(&mut cursor)?;
        "`:` and a `port`"
    } else {
        // `IPv4address` is a `reg-name` as well.
        cursor.take_many(ByteSet::HOST.complement())?;
        grammar.reg_name
    };
    if !cursor.take(":") {
        return cursor.expect_end(expected);
    }
    cursor.take_while(|byte| byte.is_ascii_digit());
    cursor.expect_end("a digit of `port`")
}

/// Checks a part of a text as a `host`, without userinfo and port.
pub(crate) fn check_host(text: &str, start: usize, end: usize) -> Checked {
    let mut cursor = Cursor::new(text, start, end);
    if cursor.take("[") {
        expect_ip_literal(&mut cursor)?;
        return cursor.expect_end("the end of the `host` after `]`");
    }
    cursor.expect_only(ByteSet::HOST.complement(), URI.reg_name)
}

/// The standard library's parser accepts exactly `IPv6address`, so a zone identifier (RFC 6874) is an error.
fn expect_ip_literal(cursor: &mut Cursor) -> Checked {
    let Some(len) = memchr(b']', cursor.rest().as_bytes()) else {
        cursor.take_bytes(cursor.rest().len());
        return Err(cursor.error("`]` to end the `IP-literal`"));
    };
    let mut literal = cursor.limited_to(len);
    if literal.take("v") || literal.take("V") {
        literal.expect_some_while(|byte| byte.is_ascii_hexdigit(), "a hex digit of `IPvFuture`")?;
        literal.expect(".", "`.` of `IPvFuture`")?;
        // The characters of `userinfo`, without escapes.
        literal.expect_some_while(|byte| !ByteSet::USERINFO.contains(byte), "a character of `IPvFuture`")?;
        literal.expect_end("a character of `IPvFuture`")?;
    } else if literal.rest().parse::<Ipv6Addr>().is_err() {
        let len = ipv6_start_len(literal.rest().as_bytes());
        literal.take_bytes(len);
        return Err(literal.error(match len {
            0 => "an `IPv6address` or `IPvFuture`",
            _ => "the rest of an `IPv6address`",
        }));
    }
    cursor.take_bytes(len + 1);
    Ok(())
}

/// Returns how many bytes of a text that is no `IPv6address` could start one. An IPv4 address at the end is taken as a whole or not
/// at all.
fn ipv6_start_len(text: &[u8]) -> usize {
    let mut is_compressed = text.starts_with(b"::");
    let mut at = if is_compressed { 2 } else { 0 };
    // `::` is at least one piece.
    for pieces in 0.. {
        let digits = text[at..].iter().take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
        let is_ipv4 = text.get(at + digits) == Some(&b'.');
        if digits == 0 || is_ipv4 || pieces + usize::from(is_compressed) == 8 {
            break;
        }
        at += digits;
        match text[at..] {
            _ if pieces + usize::from(is_compressed) == 7 => break,
            [b':', b':', ..] if is_compressed => return at + 1,
            [b':', b':', ..] => {
                is_compressed = true;
                at += 2;
            }
            [b':', ..] => at += 1,
            _ => break,
        }
    }
    at
}
