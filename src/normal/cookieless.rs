//! The path segments in which ASP.NET writes session ids for clients without cookies.

use alloc::string::String;

use memchr::memchr;

use super::push_within::push_within;

/// The number of letters and digits in a session id; other ids of ASP.NET are longer.
const ID_LEN: usize = 24;

/// Never removes the last segment of the path that `out` ends with, since it names the page.
pub(super) fn drop_cookieless_segments(start: usize, out: &mut String) {
    // The segments that stay are appended to the text, and the old path is removed at once in the end. To remove each segment
    // where it stands would move all that follows it, each time.
    let end = out.len();
    let mut at = start;
    while let Some(len) = memchr(b'/', &out.as_bytes()[at + 1..end]) {
        let next = at + 1 + len;
        if !is_cookieless(&out[at + 1..next]) {
            push_within(out, at..next);
        }
        at = next;
    }
    push_within(out, at..end);
    out.drain(start..end);
}

/// In `(X(1)S(…)A(…)F(…))` are ids of a session, an anonymous and a logged-in user; ASP.NET 1.1 writes `(…)`, with a session id.
fn is_cookieless(segment: &str) -> bool {
    let Some(mut rest) = segment.strip_prefix('(').and_then(|segment| segment.strip_suffix(')')) else { return false };
    let is_id_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if rest.len() == ID_LEN && rest.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return true;
    }
    if rest.is_empty() {
        return false;
    }
    while !rest.is_empty() {
        let Some((field, after)) = rest.split_once(')') else { return false };
        let is_known = match field.split_once('(') {
            Some(("X" | "x", value)) => value == "1",
            Some(("S" | "s" | "A" | "a" | "F" | "f", id)) => id.len() >= ID_LEN && id.bytes().all(is_id_byte),
            _ => false,
        };
        if !is_known {
            return false;
        }
        rest = after;
    }
    true
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::{drop_cookieless_segments, is_cookieless};

    #[test]
    fn only_ids_of_asp_net_are_recognized() {
        for segment in [
            "(S(lit3py55t21z5v55vlm25s55))",
            "(X(1)S(lit3py55t21z5v55vlm25s55))",
            "(x(1))",
            "(A(lit3py55t21z5v55vlm25-_x)F(lit3py55t21z5v55vlm25s5556))",
            "(lit3py55t21z5v55vlm25s55)",
        ] {
            assert!(is_cookieless(segment), "{segment}");
        }
        for segment in [
            "",
            "(",
            ")",
            "()",
            "(())",
            "(S)",
            "(X(2))",
            "(S(it3py55t21z5v55vlm25s55))",
            "(it3py55t21z5v55vlm25s55)",
            "(lit3py55t21z5v55vlm25-_x)",
            "(A(lit3py55t21z5v55vlm25-_x)F(it3py55t21z5v55vlm25s55))",
            "(B(lit3py55t21z5v55vlm25s55))",
            "(S(lit3py55t21z5v55vlm25s5ж))",
            "(S())",
            "(S(lit3py55t21z5v55vlm25s55)",
            "((lit3py55t21z5v55vlm25s55))",
        ] {
            assert!(!is_cookieless(segment), "{segment}");
        }
    }

    #[test]
    fn the_last_segment_stays() {
        let id = "(S(lit3py55t21z5v55vlm25s55))";
        for (path, expected) in [("/ID/ID/ж/ID/ID", "/ж/ID"), ("/ID/", "/"), ("/ID", "/ID"), ("/a//ID//", "/a///")] {
            let mut out = String::from("a//") + &path.replace("ID", id);
            drop_cookieless_segments(3, &mut out);
            assert_eq!(out, String::from("a//") + &expected.replace("ID", id), "{path}");
        }
    }
}
