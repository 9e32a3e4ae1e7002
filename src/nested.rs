//! Nested URIs: bases that contain another URI, such as that of an archived page.

use crate::uri::{UriRef, scheme_end};

/// Splits a URI before the innermost URI in it. Returns the text before that, and the innermost URI.
///
/// The innermost URI is the last `scheme:/` that follows a slash, the `=` of a query, or the colon of a scheme that is at the start
/// or itself follows one of these, as in `view-source:http://h/`. One that is percent-encoded or comes after `#` does not count, and
/// neither does a drive letter: one letter and one slash, `C:/`. A URI that contains no other is its own innermost one.
///
/// No document says where URIs are nested; this is a decision. Cost: one pass.
///
/// ```
/// use relref::split_nested;
///
/// let page = "https://web.archive.org/web/2020/http://example.com/a?b";
/// assert_eq!(split_nested(page), ("https://web.archive.org/web/2020/", "http://example.com/a?b"));
/// assert_eq!(split_nested("view-source:http://h/"), ("view-source:", "http://h/"));
/// assert_eq!(split_nested("http://proxy/get?url=http://h/a"), ("http://proxy/get?url=", "http://h/a"));
/// assert_eq!(split_nested("http://h/login?back=http%3A//h/a").0, "");
/// ```
#[must_use]
pub fn split_nested(uri: &(impl AsRef<str> + ?Sized)) -> (&str, &str) {
    let uri = uri.as_ref();
    let bytes = &uri.as_bytes()[..UriRef::split(uri).query_end];
    // The byte after the last delimiter, if a URI may start there.
    let mut start = Some(0);
    let (mut is_in_query, mut innermost) = (false, 0);
    // One pass with one place remembered. To search the rest for a scheme at each slash would take quadratic time on a path of
    // slashes.
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'/' => start = Some(at + 1),
            b'=' if is_in_query => start = Some(at + 1),
            b'?' => is_in_query = true,
            b':' => {
                let scheme = start.filter(|&start| start + scheme_end(&bytes[start..=at]) == at + 1);
                let is_drive_letter = |start| at - start == 1 && bytes.get(at + 2) != Some(&b'/');
                if let (Some(start), Some(b'/')) = (scheme.filter(|&start| !is_drive_letter(start)), bytes.get(at + 1))
                {
                    innermost = start;
                }
                start = scheme.map(|_| at + 1);
            }
            _ => {}
        }
    }
    uri.split_at(innermost)
}
