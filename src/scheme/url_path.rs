//! The url-path of RFC 1738 §3.1, which is the text after the host and its slash, and the ways in which views split it.

use crate::error::Error;
use crate::percent::{Decode, decode_bytes};
use crate::uri::UriRef;

/// The path, and the query with its `?`: in most schemes of RFC 1738 an ordinary character (§5, `fsegment`, `psegment`, `article`).
pub(super) fn path_and_query<'a>(uri: &UriRef<&'a str>) -> &'a str {
    &uri.as_str()[uri.path_start..uri.query_end]
}

/// Returns the url-path of RFC 1738 §3.1: a path without its first slash; `None` if `path` is empty.
pub(super) fn url_path(path: &str) -> Option<&str> {
    path.strip_prefix('/').or(non_empty(path))
}

pub(super) fn non_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

pub(super) fn split_at_delimiter<'a>(text: &'a str, delimiter: &str) -> (&'a str, Option<&'a str>) {
    text.split_once(delimiter).map_or((text, None), |(before, after)| (before, Some(after)))
}

/// A slash at the start does not count: `/` has one segment, which is empty, and the empty path has none.
pub(super) fn raw_segments(path: &str) -> impl Iterator<Item = &str> {
    url_path(path).into_iter().flat_map(|path| path.split('/'))
}

pub(super) fn segments<'a>(path: &'a str) -> impl Iterator<Item = Result<Decode<'a>, Error>> + use<'a> {
    raw_segments(path).map(decode_bytes)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn the_first_slash_does_not_belong_to_the_url_path() {
        assert_eq!(
            [url_path(""), url_path("/"), url_path("a/b"), url_path("//a")],
            [None, Some(""), Some("a/b"), Some("/a")]
        );
        let segments = |path| raw_segments(path).collect::<Vec<_>>();
        assert_eq!(segments(""), [""; 0]);
        assert_eq!(segments("/"), [""]);
        assert_eq!(segments("//a%2Fb/"), ["", "a%2Fb", ""]);
    }
}
