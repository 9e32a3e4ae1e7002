//! The outlinks in the `metadata` records of the crawler Heritrix.

use crate::html::{FoundLink, Kind};

/// The length in bytes of the longest context that is kept, the same as that of names in pages.
const MAX_CONTEXT_LEN: usize = 64;

/// Reports the outlinks in the fields of a `metadata` record (`application/warc-fields`) to `each`, until it returns false. These
/// are the links that the crawler Heritrix found in a page, also in its scripts: fields `outlink: URI HOP CONTEXT`.
///
/// | hop | kind |
/// |---|---|
/// | `L` (link), `M` (manifest, such as a sitemap) | `hyperlink` |
/// | `E` (embedded), `X` (speculative: a text of a script that looks like a URI) | `resource` |
/// | `S` (submission) | `form` |
/// | `R` (redirect) | `refresh` |
/// | others, such as `I` (implied) and `P` (prerequisite) | `metadata` |
///
/// | context | element | attribute |
/// |---|---|---|
/// | `a/@href` | `a` | `href` |
/// | `Location:`, as other HTTP fields | `http` | `location` |
/// | others up to 64 bytes, such as `=JS_MISC` | empty | the context in lower case |
///
/// Other fields are left out: `via` is the page that led to this one. Bytes that are not UTF-8 become U+FFFD.
///
/// ```
/// use relref_links::archive::each_outlink;
///
/// let fields = "via: http://h/\r\nhopsFromSeed: L\r\noutlink: http://h/b L a/@href\r\noutlink: http://h/c.js X =JS_MISC\r\n";
/// let mut found = Vec::new();
/// each_outlink(fields, |link| {
///     found.push(format!("{} {} {} {}", link.kind, link.element, link.attribute, link.reference));
///     true
/// });
/// assert_eq!(found, ["hyperlink a href http://h/b", "resource  =js_misc http://h/c.js"]);
/// ```
pub fn each_outlink(fields: impl AsRef<[u8]>, mut each: impl FnMut(FoundLink<'_>) -> bool) {
    let mut context_lower = String::new();
    for field in outlinks(fields.as_ref()) {
        let field = String::from_utf8_lossy(field);
        let (uri, hop, context) = parts(&field);
        let kind = match hop {
            "L" | "M" => Kind::Hyperlink,
            "E" | "X" => Kind::Resource,
            "S" => Kind::Form,
            "R" => Kind::Refresh,
            _ => Kind::Metadata,
        };
        context_lower.clear();
        context_lower.push_str(if context.len() > MAX_CONTEXT_LEN { "" } else { context });
        context_lower.make_ascii_lowercase();
        let (element, attribute) = match (context_lower.split_once("/@"), context_lower.strip_suffix(':')) {
            (Some(names), _) => names,
            (None, Some(field)) => ("http", field),
            (None, None) => ("", &*context_lower),
        };
        if !each(FoundLink::new(element, attribute, kind, uri)) {
            return;
        }
    }
}

/// Reports whether the fields of a `metadata` record have an outlink.
#[cfg(any(test, feature = "page"))]
pub(crate) fn has_outlinks(fields: &[u8]) -> bool {
    outlinks(fields).next().is_some()
}

fn outlinks(fields: &[u8]) -> impl Iterator<Item = &[u8]> {
    const NAME: &[u8] = b"outlink:";
    fields.split(|byte| *byte == b'\n').filter_map(|line| {
        let (name, value) = line.split_at_checked(NAME.len())?;
        name.eq_ignore_ascii_case(NAME).then(|| value.trim_ascii())
    })
}

/// A URI may have spaces; hop and context have none, and a context may be missing.
fn parts(field: &str) -> (&str, &str, &str) {
    let is_hop = |text: &str| matches!(text.as_bytes(), [b'A'..=b'Z']);
    let Some((rest, last)) = field.rsplit_once(' ') else { return (field, "", "") };
    if is_hop(last) {
        return (rest.trim_end(), last, "");
    }
    match rest.trim_end().rsplit_once(' ') {
        Some((uri, hop)) if is_hop(hop) => (uri.trim_end(), hop, last),
        _ => (field.split(' ').next().unwrap_or(field), "", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(fields: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        each_outlink(fields, |link| {
            found.push(format!("{}@{} {} {}", link.element, link.attribute, link.kind, link.reference));
            true
        });
        assert_eq!(has_outlinks(fields), !found.is_empty());
        found
    }

    #[test]
    fn outlinks_have_a_hop_and_a_context() {
        for (field, expected) in [
            ("http://h/a L a/@href", "a@href hyperlink http://h/a"),
            ("http://h/%D1%8F E IMG/@SRC", "img@src resource http://h/%D1%8F"),
            ("http://사이트.example/ L a/@href", "a@href hyperlink http://사이트.example/"),
            ("http://h/ R Location:", "http@location refresh http://h/"),
            ("http://h/?q S form/@action", "form@action form http://h/?q"),
            ("http://h/favicon.ico I =INFERRED_MISC", "@=inferred_misc metadata http://h/favicon.ico"),
            ("dns:h P =PREREQ_MISC", "@=prereq_misc metadata dns:h"),
            ("http://h/map L ", "@ hyperlink http://h/map"),
            ("http://h/a b L a/@href", "a@href hyperlink http://h/a b"),
            ("http://h/a X", "@ resource http://h/a"),
            ("http://h/a", "@ metadata http://h/a"),
            ("http://h/a what is this", "@ metadata http://h/a"),
        ] {
            assert_eq!(found(format!("via: http://v/\r\nOutlink: {field}\r\n").as_bytes()), [expected], "{field}");
        }
        let long = format!("outlink: http://h/ L {}/@href", "a".repeat(99));
        assert_eq!(found(long.as_bytes()), ["@ hyperlink http://h/"]);
        assert_eq!(found(b"outlinks: a\nxoutlink: b\n outlink: c\noutlink"), [""; 0]);
        assert_eq!(found(b"outlink: http://h/\xff L a/@href"), ["a@href hyperlink http://h/\u{fffd}"]);
    }
}
