//! The links in fields of HTTP heads: `Location`, `Content-Location`, `Link` and `Refresh`.
//! (RFC 9110 §10.2.2 and §8.7, RFC 8288, HTML §7.4.3.)

use alloc::borrow::Cow;
use alloc::string::String;

use relref::percent::{ByteSet, encode_with};

use super::refresh;
use super::rel::link_kind;
use crate::html::link::FoundLink;
use crate::html::link::Kind;

/// Reports whether [`field_links`] reads a field of an HTTP head with this name, which may be in any case.
#[must_use]
pub fn is_link_field(name: &str) -> bool {
    LINK_FIELDS.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// In lower case, as [`field_links`] reports them.
const LINK_FIELDS: [&str; 4] = ["location", "content-location", "link", "refresh"];

/// Reports the links in the value of a field of an HTTP head to `each`, until it returns false. Reports none if
/// [`is_link_field`] is false for `name`. All references are relative to the URI of the response.
///
/// The element is `http`, the attribute the name in lower case. `Location` and `Refresh` are refreshes, `Content-Location` is
/// metadata, and the kind of a `Link` depends on its relation types, as that of a `link` element. Bytes that are not UTF-8 are
/// percent-encoded.
///
/// # Errors
/// The reason why a part of a `Link` cannot be read: a reference without `<` and `>`, or a quoted string without its end. Links
/// that can be read are reported.
///
/// ```
/// use relref_links::html::{Kind, field_links};
///
/// let mut found = Vec::new();
/// field_links("LINK", b"<a>; rel=\"next\"; title=\"x, <y>\"", |link| {
///     found.push((link.attribute.to_string(), link.rel.to_string(), link.reference.to_string(), link.kind));
///     true
/// })?;
/// assert_eq!(found, [("link".into(), "next".into(), "a".into(), Kind::Hyperlink)]);
/// # Ok::<(), &str>(())
/// ```
pub fn field_links(name: &str, value: &[u8], mut each: impl FnMut(FoundLink<'_>) -> bool) -> Result<(), &'static str> {
    let Some(attribute) = LINK_FIELDS.into_iter().find(|known| name.eq_ignore_ascii_case(known)) else { return Ok(()) };
    let value = escaped_text(value);
    let mut each =
        |kind, rel: &str, reference: &str| each(FoundLink { element: "http", attribute, kind, rel, reference });
    let (kind, reference) = match attribute {
        "link" => return each_link_in_field(&value, &mut |rel, reference| each(link_kind(rel), rel, reference)),
        "refresh" => (Kind::Refresh, refresh::reference(&value)),
        "location" => (Kind::Refresh, Some(&*value)),
        _ => (Kind::Metadata, Some(&*value)),
    };
    reference.map(|reference| each(kind, "", reference));
    Ok(())
}

/// Passes `rel` (empty without one) and reference of each link that can be read (RFC 8288 appendix B.2).
fn each_link_in_field(value: &str, each: &mut dyn FnMut(&str, &str) -> bool) -> Result<(), &'static str> {
    let mut rest = value;
    let mut damage = Ok(());
    let space = |c: char| c.is_ascii_whitespace();
    loop {
        rest = rest.trim_start_matches(|c: char| space(c) || c == ',');
        if rest.is_empty() {
            return damage;
        }
        let target = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
        let Some((target, after)) = target else {
            damage = Err("a target of its Link field has no `<` and `>`");
            // Another target may follow.
            match rest.find('<') {
                Some(at @ 1..) => rest = &rest[at..],
                _ => return damage,
            }
            continue;
        };
        rest = after;
        let mut rel = None;
        loop {
            rest = rest.trim_start_matches(space);
            let Some(parameter) = rest.strip_prefix(';') else { break };
            let parameter = parameter.trim_start_matches(space);
            let end = parameter.find(|c: char| space(c) || matches!(c, '=' | ';' | ',')).unwrap_or(parameter.len());
            let (name, after) = parameter.split_at(end);
            rest = after.trim_start_matches(space);
            let mut found = Cow::Borrowed("");
            if let Some(after) = rest.strip_prefix('=') {
                let after = after.trim_start_matches(space);
                rest = match after.strip_prefix('"') {
                    Some(quoted) => {
                        let (text, after, is_closed) = quoted_string(quoted);
                        if !is_closed {
                            damage = Err("a quoted string of its Link field has no end");
                        }
                        found = Cow::Owned(text);
                        after
                    }
                    None => {
                        let end = after.find([';', ',']).unwrap_or(after.len());
                        found = Cow::Borrowed(after[..end].trim_end_matches(space));
                        &after[end..]
                    }
                };
            }
            // Of several, the first counts (RFC 8288 §3.3).
            if name.eq_ignore_ascii_case("rel") && rel.is_none() {
                rel = Some(found);
            }
        }
        if !each(rel.as_deref().unwrap_or_default(), target) {
            return damage;
        }
        // The text after a quoted string, up to the next link.
        rest = &rest[rest.find(',').unwrap_or(rest.len())..];
    }
}

/// `quoted` starts after its opening quote. Returns the unescaped text, the rest, and true if there is a closing quote.
fn quoted_string(quoted: &str) -> (String, &str, bool) {
    let mut text = String::new();
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => return (text, chars.as_str(), true),
            '\\' => text.extend(chars.next()),
            _ => text.push(c),
        }
    }
    (text, "", false)
}

/// Bytes that are not UTF-8 become escapes, as in browsers.
fn escaped_text(value: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = core::str::from_utf8(value) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(value.len());
    for part in value.utf8_chunks() {
        text.push_str(part.valid());
        text.extend(encode_with(part.invalid(), ByteSet::EMPTY));
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::*;

    fn found(name: &str, value: &[u8]) -> (String, bool) {
        let mut all = Vec::new();
        let done = field_links(name, value, |link| {
            all.push(format!("{} {:?} {}", link.kind, link.rel, link.reference));
            true
        });
        (all.join(", "), done.is_ok())
    }

    #[test]
    fn fields_have_links() {
        for (name, value, expected) in [
            ("location", &b"/a b"[..], "refresh \"\" /a b"),
            ("LOCATION", b"\xe9\xc3\xa9", "refresh \"\" %E9\u{e9}"),
            ("Content-Location", b"x", "metadata \"\" x"),
            ("Refresh", b"5; url='x y'", "refresh \"\" x y"),
            ("Refresh", b"5", ""),
            ("Other", b"x", ""),
            ("Link", b"<a>", "metadata \"\" a"),
            ("link", b"<a>;rel=next;rel=prev , <b>; REL = \"a b\"", "hyperlink \"next\" a, hyperlink \"a b\" b"),
            ("link", b", <a>; title=\"\\\"<x>, \\\\\"; rel=icon,<b>", "resource \"icon\" a, metadata \"\" b"),
            ("link", b"<a>; rel=\"a\\b\"x, <b>;;rel", "hyperlink \"ab\" a, metadata \"\" b"),
            ("link", b"<a,b;c>\r\n ; rel=next", "hyperlink \"next\" a,b;c"),
            ("link", b"", ""),
        ] {
            assert_eq!(found(name, value), (expected.to_string(), true), "{name}");
        }
    }

    #[test]
    fn damaged_links_cost_only_themselves() {
        for (value, expected) in [
            (&b"<a>; rel=\"next, <b>"[..], "hyperlink \"next, <b>\" a"),
            (b"<a", ""),
            (b"a>; rel=next, <b>; rel=prev", "hyperlink \"prev\" b"),
            ("é, <b>".as_bytes(), "metadata \"\" b"),
            (b"<a>; rel=\"\\", "metadata \"\" a"),
        ] {
            assert_eq!(found("link", value), (expected.to_string(), false), "{value:?}");
        }
        let long = [b"<a>; x=\"".repeat(100_000), b"<".repeat(1 << 20), b"x,".repeat(1 << 20)].concat();
        assert!(!found("link", &long).1);
    }
}
