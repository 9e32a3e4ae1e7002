//! The grammar of RFC 1808 §2.2: `URL`, `absoluteURL`, `generic-RL` and `relativeURL`. Its `uchar` is that of RFC 1738.

use super::cursor::{Checked, Cursor};
use super::rfc1738::{UCHAR, XCHAR};
use crate::percent::ByteSet;
use crate::uri::UriRef;

/// The characters of `pchar`, without escapes, as in the sets below.
const PCHAR: ByteSet = UCHAR.union(ByteSet::new(b":@&="));
/// There is no slash, so the first one ends it, also after a `?`.
const NET_LOC_CHARS: ByteSet = PCHAR.union(ByteSet::new(b";?"));
/// The characters of `path` after the first one: those of a segment, and the slash.
const PATH_CHARS: ByteSet = PCHAR.add(b'/');
const PARAMS_CHARS: ByteSet = PATH_CHARS.add(b';');

/// A text with a scheme is absolute (§2.4.2).
pub(super) fn url(uri: &UriRef<&str>) -> Checked {
    let text = uri.as_str();
    let body = Cursor::new(text, uri.scheme_end, uri.query_end);
    if uri.scheme().is_some() { absolute_part(body) } else { relative_part(body) }?;
    let mut fragment = Cursor::new(text, uri.query_end, text.len());
    fragment.take("#");
    fragment.expect_only(XCHAR, "a character of `fragment`")
}

/// Its second alternative permits every `generic-RL`, too.
pub(super) fn absolute(uri: &UriRef<&str>) -> Checked {
    absolute_part(Cursor::after_scheme(uri))
}

pub(super) fn generic(uri: &UriRef<&str>) -> Checked {
    relative_part(Cursor::after_scheme(uri))
}

/// Read literally, the grammar permits a scheme and colon as the start of an `fsegment`. By §2.4.2, such a text is absolute.
pub(super) fn relative(uri: &UriRef<&str>) -> Checked {
    relative_part(Cursor::without_scheme(uri)?)
}

fn absolute_part(cursor: Cursor) -> Checked {
    cursor.expect_only(XCHAR, "a character of `absoluteURL`")
}

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

/// Read literally: the first segment is not empty, so no slash starts it, and in `net_path` and `abs_path` not two.
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
