//! `push_segments`: appends a path segment by segment, with or without its dot segments.

use alloc::string::String;

use memchr::{memchr, memrchr};

/// Appends a rooted path; `push` must append each segment in the form to write, without a slash. Those that it appends as `.` or
/// `..` are removed as in RFC 3986 §5.2.4 if `removes_dots` is true.
///
/// The engine's `resolve::dots::Path` keeps segments of the given text, but here `push` may make an escape a dot. It also
/// allocates for more than sixteen segments, which a normalizer must not do.
pub(super) fn push_segments(
    path: &str,
    removes_dots: bool,
    has_authority: bool,
    out: &mut String,
    push: impl Fn(&str, &mut String),
) {
    // A `..` removes what is written back to the slash before it. Each byte that is searched for that slash is then removed, so that
    // all searches together take linear time.
    let start = out.len();
    let mut rest = path.strip_prefix('/');
    while let Some(segments) = rest {
        let end = memchr(b'/', segments.as_bytes());
        rest = end.map(|end| &segments[end + 1..]);
        let at = out.len();
        out.push('/');
        push(&segments[..end.unwrap_or(segments.len())], out);
        let parent = match &out[at + 1..] {
            _ if !removes_dots => continue,
            "." => at,
            ".." => memrchr(b'/', &out.as_bytes()[start..at]).map_or(start, |slash| start + slash),
            _ => continue,
        };
        out.truncate(parent);
        if rest.is_none() {
            out.push('/');
        }
    }
    if removes_dots && !has_authority && out[start..].starts_with("//") {
        out.insert_str(start, "/.");
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    use quickcheck::quickcheck;

    use super::push_segments;
    use crate::{Rules, Segments};

    fn without_dots(path: &str, has_authority: bool) -> String {
        let mut out = String::from("a:");
        push_segments(path, true, has_authority, &mut out, |segment, out| out.push_str(&segment.replace('D', ".")));
        out.split_off(2)
    }

    #[test]
    fn dots_that_are_pushed_are_removed() {
        assert_eq!(without_dots("/a/b/D./c/D", true), "/a/c/");
        assert_eq!(without_dots("/a/..//b", false), "/.//b");
    }

    quickcheck! {
        fn the_engine_removes_the_same(choices: Vec<u8>) -> bool {
            let segments = ["", ".", "..", "a", "b.", "..."];
            let path: String = choices.iter().map(|choice| format!("/{}", segments[usize::from(choice % 6)])).collect();
            let mut expected = Segments::new(&path);
            expected.remove_dots(Rules::RFC3986);
            path.is_empty() || without_dots(&path, true) == expected.to_string()
        }
    }
}
