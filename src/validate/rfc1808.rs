//! The grammar of RFC 1808 §2.2: `URL`, `absoluteURL`, `generic-RL` and `relativeURL`. Its `uchar` is that of RFC 1738.

use super::cursor::{Checked, Cursor};
use super::rfc1738::{UCHAR, XCHAR};
use crate::percent::ByteSet;
use crate::uri::UriRef;

/// The characters of `pchar`, without escapes.
const PCHAR: ByteSet = UCHAR.union(ByteSet::new(b":@&="));
/// The characters of `net_loc`, without escapes. It has no slash, so the first one ends it, also after a `?`.
const NET_LOC_CHARS: ByteSet = PCHAR.union(ByteSet::new(b";?"));
/// The characters of `path` after the first, without escapes: the characters of a segment, and the slash.
const PATH_CHARS: ByteSet = PCHAR.add(b'/');
/// The characters of `params`, without escapes: those of a `param`, and the semicolon.
const PARAMS_CHARS: ByteSet = PATH_CHARS.add(b';');

/// Checks that a text is a `URL`: `( absoluteURL | relativeURL ) [ "#" fragment ]`. A text with a scheme is absolute (§2.4.2).
pub(super) fn url(uri: &UriRef<&str>) -> Checked {
    let text = uri.as_str();
    let body = Cursor::new(text, uri.scheme_end, uri.query_end);
    if uri.scheme().is_some() { absolute_part(body) } else { relative_part(body) }?;
    let mut fragment = Cursor::new(text, uri.query_end, text.len());
    fragment.take("#");
    fragment.expect_only(XCHAR, "a character of `fragment`")
}

/// Checks that a text with a scheme is an `absoluteURL`. Its second alternative permits every `generic-RL`, too.
pub(super) fn absolute(uri: &UriRef<&str>) -> Checked {
    absolute_part(Cursor::after_scheme(uri))
}

/// Checks that a text with a scheme is a `generic-RL`.
pub(super) fn generic(uri: &UriRef<&str>) -> Checked {
    relative_part(Cursor::after_scheme(uri))
}

/// Checks that a text is a `relativeURL`. The printed grammar, read literally, permits every scheme and colon as the start of an
/// `fsegment`. By §2.4.2 such a text is parsed as absolute, so here it is not relative.
pub(super) fn relative(uri: &UriRef<&str>) -> Checked {
    relative_part(Cursor::without_scheme(uri)?)
}

fn absolute_part(cursor: Cursor) -> Checked {
    cursor.expect_only(XCHAR, "a character of `absoluteURL`")
}

/// Checks that the rest is a `relativeURL`: `net_path | abs_path | rel_path`.
fn relative_part(mut cursor: Cursor) -> Checked {
    if cursor.take("//") {
        cursor.take_many(NET_LOC_CHARS)?;
        if !cursor.take("/") {
            return cursor.expect_end("a character of `net_loc`");
        }
    } else {
        cursor.take("/");
    }
    rel_path(cursor)
}

/// Checks that the rest is a `rel_path`: `[ path ] [ ";" params ] [ "?" query ]`, read literally: its first segment is not empty, so
/// a slash comes neither first in it nor, in `net_path` and `abs_path`, twice at its start.
fn rel_path(mut cursor: Cursor) -> Checked {
    let mut expected = "a character of `fsegment`";
    if cursor.take_one(PCHAR)? {
        cursor.take_many(PATH_CHARS)?;
        expected = "a character of `path`";
    }
    if cursor.take(";") {
        cursor.take_many(PARAMS_CHARS)?;
        expected = "a character of `params`";
    }
    if cursor.take("?") { cursor.expect_only(XCHAR, "a character of `query`") } else { cursor.expect_end(expected) }
}
