//! Where the parts of a view stand in its text.

use core::ops::Range;

use crate::uri::UriRef;

/// All between the authority and the fragment: the path, and the query with its question mark, which is an ordinary
/// character in most schemes of RFC 1738 (§5, `fsegment`, `psegment`, `article`).
pub(super) fn rest<'a>(uri: &UriRef<'a>) -> &'a str {
    &uri.as_str()[uri.path_start..uri.query_end]
}

/// The url-path of RFC 1738 §3.1, to which the slash behind the host does not belong; `None` if even that is missing.
pub(super) fn url_path(rest: &str) -> Option<&str> {
    match rest.strip_prefix('/') {
        Some(path) => Some(path),
        None => (!rest.is_empty()).then_some(rest),
    }
}

/// The range of a part of a text in that text; its end, if a caller has put another text into a view.
pub(super) fn range(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr().wrapping_sub(text.as_ptr().addr());
    match start.checked_add(part.len()) {
        Some(end) if end <= text.len() => start..end,
        _ => text.len()..text.len(),
    }
}
