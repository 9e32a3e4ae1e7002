//! The grammar of RFC 2396, appendix A: `URI-reference`, `absoluteURI` and `relativeURI`.
//!
//! RFC 3986 kept the characters of most productions, so the sets are its own. An `authority` needs no closer look: `reg_name` permits
//! every `server`, and a `server` may be empty.

use super::cursor::{Checked, Cursor};
use crate::percent::ByteSet;
use crate::uri::UriRef;

/// The characters of `uric`, without escapes, as in the sets below.
const URIC: ByteSet = ByteSet::QUERY.complement();
const URIC_NO_SLASH: ByteSet = URIC.remove(b'/');
const REG_NAME_CHARS: ByteSet = ByteSet::SEGMENT.complement();
const PATH_CHARS: ByteSet = ByteSet::PATH.complement();
const REL_SEGMENT_CHARS: ByteSet = REG_NAME_CHARS.remove(b':');

pub(super) fn reference(uri: &UriRef<&str>) -> Checked {
    let text = uri.as_str();
    let body = Cursor::new(text, uri.scheme_end, uri.query_end);
    if uri.scheme().is_some() { absolute_part(body) } else { relative_part(body) }?;
    let mut fragment = Cursor::new(text, uri.query_end, text.len());
    fragment.take("#");
    fragment.expect_only(URIC, "a character of `fragment`")
}

pub(super) fn absolute(uri: &UriRef<&str>) -> Checked {
    absolute_part(Cursor::after_scheme(uri))
}

/// A `relativeURI` is not empty.
pub(super) fn relative(uri: &UriRef<&str>) -> Checked {
    let cursor = Cursor::without_scheme(uri)?;
    if cursor.rest().is_empty() {
        return Err(cursor.error("a `relativeURI`"));
    }
    relative_part(cursor)
}

/// Not empty, as printed. (RFC 3986, appendix D.2: "The ABNF has been corrected to allow the path component to be empty.")
fn absolute_part(mut cursor: Cursor) -> Checked {
    if cursor.peek() == Some(b'/') {
        return path_after_slash(cursor);
    }
    cursor.expect_one(URIC_NO_SLASH, "a `hier_part` or `opaque_part`")?;
    cursor.expect_only(URIC, "a character of `opaque_part`")
}

/// May be empty. As printed, a path is before every query, but appendix C.1 resolves `?y`: here the path may be missing.
fn relative_part(mut cursor: Cursor) -> Checked {
    if cursor.peek() == Some(b'/') {
        return path_after_slash(cursor);
    }
    cursor.take_many(REL_SEGMENT_CHARS)?;
    path_and_query(cursor, "a character of `rel_segment`")
}

fn path_after_slash(mut cursor: Cursor) -> Checked {
    if cursor.take("//") {
        cursor.take_many(REG_NAME_CHARS)?;
    }
    path_and_query(cursor, "a character of `authority`")
}

fn path_and_query(mut cursor: Cursor, mut expected: &'static str) -> Checked {
    if cursor.take("/") {
        cursor.take_many(PATH_CHARS)?;
        expected = "a character of `path_segments`";
    }
    if cursor.take("?") { cursor.expect_only(URIC, "a character of `query`") } else { cursor.expect_end(expected) }
}
