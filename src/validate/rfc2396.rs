//! The grammar of RFC 2396, appendix A: `URI-reference`, `absoluteURI` and `relativeURI`.
//!
//! RFC 3986 kept the characters of most productions, so the sets are its own. An `authority` needs no closer look: `reg_name` permits
//! every `server`, and a `server` may be empty.

use super::cursor::{Checked, Cursor};
use crate::percent::ByteSet;
use crate::uri::UriRef;

/// The characters of `uric`, without escapes.
const URIC: ByteSet = ByteSet::QUERY.complement();
/// The characters of `uric_no_slash`, without escapes.
const URIC_NO_SLASH: ByteSet = URIC.remove(b'/');
/// The characters of `reg_name`, without escapes.
const REG_NAME_CHARS: ByteSet = ByteSet::SEGMENT.complement();
/// The characters of `path_segments`, without escapes: those of `pchar`, the semicolon and the slash.
const PATH_CHARS: ByteSet = ByteSet::PATH.complement();
/// The characters of `rel_segment`, without escapes.
const REL_SEGMENT_CHARS: ByteSet = REG_NAME_CHARS.remove(b':');

/// Checks that a text is a `URI-reference`: `[ absoluteURI | relativeURI ] [ "#" fragment ]`.
pub(super) fn reference(uri: &UriRef<&str>) -> Checked {
    let text = uri.as_str();
    let body = Cursor::new(text, uri.scheme_end, uri.query_end);
    if uri.scheme().is_some() { absolute_part(body) } else { relative_part(body) }?;
    let mut fragment = Cursor::new(text, uri.query_end, text.len());
    fragment.take("#");
    fragment.expect_only(URIC, "a character of `fragment`")
}

/// Checks that a text with a scheme is an `absoluteURI`.
pub(super) fn absolute(uri: &UriRef<&str>) -> Checked {
    absolute_part(Cursor::after_scheme(uri))
}

/// Checks that a text is a `relativeURI`, which is not empty.
pub(super) fn relative(uri: &UriRef<&str>) -> Checked {
    let cursor = Cursor::without_scheme(uri)?;
    if cursor.rest().is_empty() {
        return Err(cursor.error("a `relativeURI`"));
    }
    relative_part(cursor)
}

/// Checks that the rest is an `absoluteURI` without its scheme: `hier_part | opaque_part`. It is not empty, as printed. (RFC 3986,
/// appendix D.2: "The ABNF has been corrected to allow the path component to be empty.")
fn absolute_part(mut cursor: Cursor) -> Checked {
    if cursor.peek() == Some(b'/') {
        return path_after_slash(cursor);
    }
    cursor.expect_one(URIC_NO_SLASH, "a `hier_part` or `opaque_part`")?;
    cursor.expect_only(URIC, "a character of `opaque_part`")
}

/// Checks that the rest is a `relativeURI`, or empty. The printed grammar has a path before every query, so that `?y` is not
/// derivable, although appendix C.1 resolves it. Here the path may be missing before a query.
fn relative_part(mut cursor: Cursor) -> Checked {
    if cursor.peek() == Some(b'/') {
        return path_after_slash(cursor);
    }
    cursor.take_many(REL_SEGMENT_CHARS)?;
    path_and_query(cursor, "a character of `rel_segment`")
}

/// Checks that the rest is `( net_path | abs_path ) [ "?" query ]`. It must start with a slash.
fn path_after_slash(mut cursor: Cursor) -> Checked {
    if cursor.take("//") {
        cursor.take_many(REG_NAME_CHARS)?;
    }
    path_and_query(cursor, "a character of `authority`")
}

/// Checks that the rest is `[ abs_path ] [ "?" query ]`. If neither comes next, `expected` is the phrase for the message.
fn path_and_query(mut cursor: Cursor, mut expected: &'static str) -> Checked {
    if cursor.take("/") {
        cursor.take_many(PATH_CHARS)?;
        expected = "a character of `path_segments`";
    }
    if cursor.take("?") { cursor.expect_only(URIC, "a character of `query`") } else { cursor.expect_end(expected) }
}
