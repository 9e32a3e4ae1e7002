//! Paths being written segment by segment, without their dot segments.

use alloc::string::String;

use memchr::{memchr, memrchr};

/// Appends a rooted path; each segment as `push` appends it, and without the dot segments that then are there if `dots`
/// says so (RFC 3986 §5.2.4). Without an authority the path must not come to look like one: `/.` goes in front.
///
/// `push` appends no slash. Cost: one pass; what `..` takes away is looked at once more.
pub(crate) fn push_path(
    path: &str,
    dots: bool,
    has_authority: bool,
    out: &mut String,
    push: impl Fn(&str, &mut String),
) {
    let start = out.len();
    let mut rest = path.strip_prefix('/');
    while let Some(segments) = rest {
        let end = memchr(b'/', segments.as_bytes());
        rest = end.map(|end| &segments[end + 1..]);
        let at = out.len();
        out.push('/');
        push(&segments[..end.unwrap_or(segments.len())], out);
        let parent = match &out[at + 1..] {
            _ if !dots => continue,
            "." => at,
            ".." => memrchr(b'/', &out.as_bytes()[start..at]).map_or(start, |slash| start + slash),
            _ => continue,
        };
        out.truncate(parent);
        if rest.is_none() {
            out.push('/');
        }
    }
    if dots && !has_authority && out[start..].starts_with("//") {
        out.insert_str(start, "/.");
    }
}
