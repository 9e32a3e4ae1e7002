//! The rules for robots in `meta` elements and in the HTTP field `X-Robots-Tag`: whether they may follow the links of a page.

use memchr::memchr;

/// Reports whether a field of an HTTP head asks robots to follow no link of the response: it is `X-Robots-Tag`, and `nofollow` or
/// `none` is among its rules for all robots. The name may be in upper or lower case.
///
/// Rules after the name of a robot are for that robot only, up to the end of the value. For the rule in pages, see
/// [`Options::robots`](crate::html::Options::robots).
///
/// ```
/// use relref_links::html::field_nofollow;
///
/// assert!(field_nofollow("X-Robots-Tag", "noindex, NoFollow"));
/// assert!(!field_nofollow("X-Robots-Tag", "noindex, examplebot: nofollow"));
/// ```
#[must_use]
pub fn field_nofollow(name: &str, value: impl AsRef<[u8]>) -> bool {
    if !name.eq_ignore_ascii_case("X-Robots-Tag") {
        return false;
    }
    for rule in value.as_ref().split(|&byte| byte == b',') {
        let colon = memchr(b':', rule);
        let before = rule[..colon.unwrap_or(rule.len())].trim_ascii();
        // The date of `unavailable_after` may have a comma, and then a time.
        let is_name = !before.is_empty() && !before.iter().any(u8::is_ascii_whitespace);
        match colon {
            None if has_nofollow(rule) => return true,
            Some(_) if is_name && !VALUED.iter().any(|known| before.eq_ignore_ascii_case(known)) => return false,
            _ => {}
        }
    }
    false
}

/// The rules for robots that have a colon and a value.
const VALUED: [&[u8]; 4] = [b"max-image-preview", b"max-snippet", b"max-video-preview", b"unavailable_after"];

pub(crate) fn has_nofollow(rules: &[u8]) -> bool {
    let mut rules = rules.split(|&byte| byte == b',' || byte.is_ascii_whitespace());
    rules.any(|rule| rule.eq_ignore_ascii_case(b"nofollow") || rule.eq_ignore_ascii_case(b"none"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_for_all_robots_count() {
        for (value, expected) in [
            ("nofollow", true),
            ("NONE", true),
            (" noindex ,\tnofollow ", true),
            ("noindex nofollow", true),
            ("noindex", false),
            ("nofollowing, no follow", false),
            ("", false),
            (",:,", false),
            ("max-snippet: 20, nofollow", true),
            ("unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow", true),
            ("unavailable_after: Friday, 25-Jun-10 15:00:00 GMT, none", true),
            ("nofollow, otherbot: noindex", true),
            ("otherbot: noindex, nofollow", false),
            ("otherbot : nofollow", false),
            ("otherbot: none\n, none", false),
        ] {
            assert_eq!(field_nofollow("X-Robots-Tag", value.as_bytes()), expected, "{value}");
            assert!(!field_nofollow("Robots", value.as_bytes()));
        }
        assert!(field_nofollow("x-robots-tag", b"\xff, nofollow"));
    }
}
