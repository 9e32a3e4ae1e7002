//! The links in fields of HTTP heads: `Location`, `Content-Location`, `Link` and `Refresh`.
//! (RFC 9110 §10.2.2 and §8.7, RFC 8288, HTML §7.4.3.)

use std::borrow::Cow;
use std::ops::Range;

use relref::percent::{ByteSet, encode_with};
use relref::whatwg;

use super::clean::{kept_range, prefix};
use super::field_error::FieldError;
use super::references::{MAX_ANCHOR_LEN, MAX_HREFLANG_LEN, MAX_MEDIA_LEN};
use super::rel::link_kind;
use super::{refresh, srcset};
use crate::html::kind::Kind;
use crate::html::link::FoundLink;
use crate::html::link::LinkBuf;
use crate::html::occurrence::Occurrence;
use crate::html::page_uri::PageUri;
use crate::html::pages::listed_links;
use crate::html::places::{Places, Positions, TextOffsets};

/// Reports whether [`field_links`] reads a field of an HTTP head with this name, which may be in any case.
#[must_use]
pub fn is_link_field(name: &str) -> bool {
    LINK_FIELDS.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// In lower case, as [`each_field_link`] reports them.
const LINK_FIELDS: [&str; 4] = ["location", "content-location", "link", "refresh"];

/// Returns the links in the value of a field of an HTTP head, as [`each_field_link`] finds them. Parts that cannot be read are left
/// out. `uri` is the URI of the response, as [`links`](crate::html::links) takes it. The place of a link is that in the value; it has none in a
/// quoted string, and in a value that is not UTF-8. All links are in memory.
///
/// # Errors
/// `uri` is a text and no absolute URL.
///
/// ```
/// use relref_links::html::field_links;
///
/// let links = field_links("Link", "<?page=2>; rel=next, <style.css>; rel=stylesheet", "http://example.com/a/")?;
/// let next = links.iter().find(|link| link.rel == "next").unwrap();
/// assert_eq!(next.uri, "http://example.com/a/?page=2");
/// assert_eq!(next.place.map(|place| (place.start, place.end)), Some((1, 8)));
/// assert_eq!(field_links("Location", "/b", "http://example.com/a")?[0].uri, "http://example.com/b");
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
#[doc(alias = "http_field_links")]
#[doc(alias = "header_links")]
#[doc(alias = "parse_link_header")]
pub fn field_links(name: &str, value: impl AsRef<[u8]>, uri: impl PageUri) -> Result<Vec<LinkBuf>, whatwg::Error> {
    let text = escaped_text(value.as_ref());
    // Escapes move what comes after them.
    let is_written_so = matches!(text, Cow::Borrowed(_));
    let mut places = Places::new(None, 0, TextOffsets::Same(0), Positions::Lines);
    listed_links(uri, |links| {
        // The links that can be read are there.
        let _ = each_placed_link(name, &text, |link, range| {
            let range = range.filter(|_| is_written_so).map(|range| {
                let kept = kept_range(&text[range.clone()]);
                range.start + kept.start..range.start + kept.end
            });
            let located = range.and_then(|range| Occurrence::new(text.as_bytes(), &[], None).at(&mut places, range));
            links.add_located(link, located)
        });
    })
}

/// Reports the links in the value of a field of an HTTP head to `each`, until it returns false. Reports none if
/// [`is_link_field`] is false for `name`. All references are relative to the URI of the response.
///
/// The element is `http`, the attribute the name in lower case. `Location` and `Refresh` are refreshes, `Content-Location` is
/// metadata, and the kind of a `Link` depends on its relation types, as that of a `link` element. Bytes that are not UTF-8 are
/// percent-encoded. The images of `imagesrcset` are links, too.
///
/// # Errors
/// The reason why a part of a `Link` cannot be read: a reference without `<` and `>`, or a quoted string without its end. Links
/// that can be read are reported.
///
/// ```
/// use relref_links::html::{Kind, each_field_link};
///
/// let mut found = Vec::new();
/// each_field_link("LINK", b"<a>; rel=\"next\"; title=\"x, <y>\"", |link| {
///     found.push((link.attribute.to_string(), link.rel.to_string(), link.reference.to_string(), link.kind));
///     true
/// })?;
/// assert_eq!(found, [("link".into(), "next".into(), "a".into(), Kind::Hyperlink)]);
/// # Ok::<(), relref_links::html::FieldError>(())
/// ```
pub fn each_field_link(
    name: &str,
    value: impl AsRef<[u8]>,
    mut each: impl FnMut(FoundLink<'_>) -> bool,
) -> Result<(), FieldError> {
    each_placed_link(name, &escaped_text(value.as_ref()), |link, _| each(link))
}

/// Does what [`each_field_link`] does, and passes where the reference is in the value; `None` in a quoted string.
pub(crate) fn each_placed_link(
    name: &str,
    value: &str,
    mut each: impl FnMut(FoundLink<'_>, Option<Range<usize>>) -> bool,
) -> Result<(), FieldError> {
    let Some(attribute) = LINK_FIELDS.into_iter().find(|known| name.eq_ignore_ascii_case(known)) else { return Ok(()) };
    let (kind, reference) = match attribute {
        "link" => return each_link_in_field(value, &mut each),
        "refresh" => (Kind::Refresh, refresh::reference(value)),
        "location" => (Kind::Refresh, Some(value)),
        _ => (Kind::Metadata, Some(value)),
    };
    if let Some(reference) = reference {
        // It is a part of the value.
        let start = reference.as_ptr() as usize - value.as_ptr() as usize;
        each(FoundLink::new("http", attribute, kind, reference), Some(start..start + reference.len()));
    }
    Ok(())
}

/// Receives a link and its place.
type EachPlaced<'e> = dyn FnMut(FoundLink<'_>, Option<Range<usize>>) -> bool + 'e;

/// Passes each link that can be read (RFC 8288 appendix B.2).
fn each_link_in_field(value: &str, each: &mut EachPlaced<'_>) -> Result<(), FieldError> {
    let mut rest = value;
    let mut damage = Ok(());
    let space = |c: char| c.is_ascii_whitespace();
    loop {
        rest = rest.trim_start_matches(|c: char| space(c) || c == ',');
        if rest.is_empty() {
            return damage;
        }
        let start = value.len() - rest.len() + 1;
        let target = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
        let Some((target, after)) = target else {
            damage = Err(FieldError::Target);
            // Another target may follow.
            match rest.find('<') {
                Some(at @ 1..) => rest = &rest[at..],
                _ => return damage,
            }
            continue;
        };
        rest = after;
        // Of several, the first counts (RFC 8288 §3.3, §3.4.1); of `hreflang`, which names one of several languages, too.
        const KNOWN: [&str; 5] = ["rel", "hreflang", "media", "anchor", "imagesrcset"];
        let mut parameters = [const { None }; KNOWN.len()];
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
                            damage = Err(FieldError::QuotedString);
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
            if let Some(known) = KNOWN.iter().position(|known| name.eq_ignore_ascii_case(known)) {
                parameters[known].get_or_insert(found);
            }
        }
        let [rel, hreflang, media, anchor, images] =
            parameters.each_ref().map(|value: &Option<Cow<'_, str>>| value.as_deref().unwrap_or_default());
        let mut link = FoundLink { rel, ..FoundLink::new("http", "link", link_kind(rel), target) };
        (link.hreflang, link.media) = (prefix(hreflang, MAX_HREFLANG_LEN), prefix(media, MAX_MEDIA_LEN));
        link.anchor = prefix(anchor, MAX_ANCHOR_LEN);
        let mut wants_more = each(link, Some(start..start + target.len()));
        // HTML §4.2.4.4, "process a link header".
        srcset::candidates(images, |reference| {
            let image = FoundLink { kind: Kind::Resource, reference, ..link };
            wants_more = wants_more && each(image, None);
        });
        if !wants_more {
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
    if let Ok(text) = std::str::from_utf8(value) {
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
    use super::*;

    fn found(name: &str, value: &[u8]) -> (String, bool) {
        let mut all = Vec::new();
        let done = each_field_link(name, value, |link| {
            let of = if link.anchor.is_empty() { String::new() } else { format!("{}: ", link.anchor) };
            all.push(format!("{of}{} {:?} {}", link.kind, link.rel, link.reference));
            true
        });
        (all.join(", "), done.is_ok())
    }

    #[test]
    fn places_are_in_the_value() {
        let placed = |name: &str, value: &[u8]| {
            let links = field_links(name, value, "http://h/").unwrap();
            let text = |link: &LinkBuf| Some((link.reference.clone(), link.place?));
            links
                .iter()
                .map(|link| {
                    text(link).map(|(reference, place)| {
                        assert_eq!(value[place.start as usize..place.end as usize], *reference.as_bytes());
                        (reference, place.column, place.column_utf16)
                    })
                })
                .collect::<Vec<_>>()
        };
        let at = |reference: &str, column, utf16| Some((reference.to_owned(), column, utf16));
        let field = "<a>; title=\"\u{1f600}\", < \u{e9} >; imagesrcset=\"b 1x\", <>".as_bytes();
        assert_eq!(placed("Link", field), [at("a", 2, 2), at("\u{e9}", 19, 20), None, at("", 45, 46)]);
        assert_eq!(placed("refresh", b"5; url='x y'"), [at("x y", 9, 9)]);
        assert_eq!(placed("Location", b"/a\xe9"), [None]);
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
            (
                "link",
                b"<a>; rel=preload; imagesrcset=\"b 1x, c 2x\", <d>",
                "resource \"preload\" a, resource \"preload\" b, resource \"preload\" c, metadata \"\" d",
            ),
            ("link", b"<a>; anchor=\"#x\"; rel=next; anchor=y", "#x: hyperlink \"next\" a"),
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
