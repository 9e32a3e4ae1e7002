//! The grammars of RFC 3986, appendix A: `URI-reference`, and `URI`, which is a reference with a scheme.

use core::net::Ipv6Addr;

use memchr::memchr;

use super::cursor::{Checked, Cursor};
use crate::percent::ByteSet;
use crate::uri::UriRef;

/// Checks that a text is a `URI-reference`. The rules about `//` at the start of a path need no check: every split into components
/// follows them.
pub(super) fn reference(uri: &UriRef<&str>) -> Checked {
    let text = uri.as_str();
    if let Some(authority) = uri.authority() {
        self::authority(Cursor::new(text, uri.path_start - authority.len(), uri.path_start))?;
    }
    let path = Cursor::new(text, uri.path_start, uri.path_end);
    if uri.scheme().is_none() && uri.authority().is_none() {
        let mut segment = path;
        segment.take_many(ByteSet::SEGMENT.add(b':').complement())?;
        if segment.peek() == Some(b':') {
            return Err(segment.error("a character of `segment-nz-nc`"));
        }
    }
    path.expect_only(ByteSet::PATH.complement(), "a character of `path`")?;
    component(Cursor::new(text, uri.path_end, uri.query_end), "?", "a character of `query`")?;
    component(Cursor::new(text, uri.query_end, text.len()), "#", "a character of `fragment`")
}

/// Checks that the rest is empty, or `delimiter` and then a `query` or `fragment`. The delimiter is `?` or `#`. If not, `expected`
/// is the phrase for the message.
fn component(mut cursor: Cursor, delimiter: &str, expected: &'static str) -> Checked {
    cursor.take(delimiter);
    cursor.expect_only(ByteSet::QUERY.complement(), expected)
}

/// Checks that the rest is an `authority`: `[ userinfo "@" ] host [ ":" port ]`; the port may be void.
fn authority(mut cursor: Cursor) -> Checked {
    if let Some(len) = memchr(b'@', cursor.rest().as_bytes()) {
        cursor.limited_to(len).expect_only(ByteSet::USERINFO.complement(), "a character of `userinfo`")?;
        cursor.take_bytes(len + 1);
    }
    let expected = if cursor.take("[") {
        expect_ip_literal(&mut cursor)?;
        "`:` and a `port`"
    } else {
        // `IPv4address` is a `reg-name` as well.
        cursor.take_many(ByteSet::HOST.complement())?;
        "a character of `reg-name`"
    };
    if !cursor.take(":") {
        return cursor.expect_end(expected);
    }
    cursor.take_while(|byte| byte.is_ascii_digit());
    cursor.expect_end("a digit of `port`")
}

/// Takes the rest of an `IP-literal`, up to and with its `]`. Its `[` must already be taken. Fails if the text is no `IP-literal`.
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
        return Err(literal.error("an `IPv6address` or `IPvFuture`"));
    }
    cursor.take_bytes(len + 1);
    Ok(())
}
