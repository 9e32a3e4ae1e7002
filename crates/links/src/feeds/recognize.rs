//! Recognizes sitemaps and feeds by their first bytes.

use memchr::{memchr, memmem};

use crate::utf16;

const ROOT_ELEMENTS: [&str; 7] = ["urlset", "sitemapindex", "rss", "feed", "RDF", "ncx", "smil"];

/// The root of the package document of an EPUB. Files of other kinds have the name, too.
const PACKAGE: &str = "package";

/// The namespaces of package documents (EPUB 3.3 §5.1; Open eBook 1.0).
const PACKAGE_NAMESPACES: [&[u8]; 2] = [b"//www.idpf.org/2007/opf", b"//openebook.org/namespaces/oeb-package/"];

pub(super) fn is_root_element(name: &str) -> bool {
    ROOT_ELEMENTS.contains(&local_name(name)) || local_name(name) == PACKAGE
}

/// Reports whether the root of a text with this start is one of [`ROOT_ELEMENTS`], or that of the package document of an EPUB.
fn has_known_root(start: &[u8]) -> bool {
    let is_package = || {
        let start = utf16::ascii_start(start);
        PACKAGE_NAMESPACES.iter().any(|namespace| memmem::find(&start, namespace).is_some())
    };
    has_root(start, |name| is_root_element(name) && (local_name(name) != PACKAGE || is_package()))
}

/// Reports whether a document with this root has absolute URIs only: a sitemap, RSS 2.0 or RSS 1.0.
pub(super) fn needs_absolute(root: &str) -> bool {
    matches!(local_name(root), "urlset" | "sitemapindex" | "rss" | "RDF")
}

/// Removes the namespace prefix: `loc` of `image:loc`.
pub(super) fn local_name(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// Reports whether a text is a sitemap or a feed: XML whose root element is `urlset`, `sitemapindex`, `rss`, `feed`, `RDF`, `ncx` or `smil`, or
/// whose `DOCTYPE` names one of these, or the package document of an EPUB. Messages such as those of PHP may be before it. `start` must have the first bytes of the text, up to the end of that name; 1 KiB is enough
/// for nearly all texts.
#[must_use]
pub fn is_feed(start: impl AsRef<[u8]>) -> bool {
    let start = start.as_ref();
    has_known_root(start) || has_root_after(start, &MESSAGES)
}

/// The elements in which PHP writes messages.
const MESSAGES: [&str; 5] = ["b", "br", "i", "p", "strong"];

/// The elements of HTML, and its document type, that servers write before XML.
#[cfg(feature = "page")]
const HTML: [&str; 15] =
    ["!doctype", "b", "br", "center", "div", "font", "hr", "i", "link", "meta", "p", "pre", "script", "span", "strong"];

/// Reports whether a feed follows text and elements of HTML, in a text that is XML by its media type or name.
#[cfg(feature = "page")]
pub(crate) fn is_feed_after_html(start: &[u8]) -> bool {
    has_root_after(start, &HTML)
}

/// Reports whether a feed follows text and these elements.
fn has_root_after(start: &[u8], elements: &[&str]) -> bool {
    let text = utf16::ascii_start(start);
    let mut rest = &*text;
    while let Some(at) = memchr(b'<', rest) {
        let tag = &rest[at..];
        rest = &tag[1..];
        match rest {
            [b'?', b'x', b'm', b'l', ..] => return has_known_root(tag),
            [b'!', b'-', b'-', ..] => continue,
            _ => {}
        }
        let name = name_at(rest.strip_prefix(b"/").unwrap_or(rest));
        if !elements.iter().any(|element| name.eq_ignore_ascii_case(element)) {
            return ROOT_ELEMENTS.contains(&local_name(name));
        }
        if rest[0] != b'/' && name.eq_ignore_ascii_case("script") {
            rest = memmem::find(rest, b"</").map_or(&[][..], |end| &rest[end..]);
        }
    }
    false
}

/// Does what [`is_feed`] does, for other names of the root element.
pub(crate) fn has_root(start: impl AsRef<[u8]>, is_root: impl Fn(&str) -> bool) -> bool {
    let text = utf16::ascii_start(start.as_ref());
    let mut rest = text.trim_ascii_start();
    loop {
        let end = match rest {
            [b'<', b'?', ..] => "?>",
            [b'<', b'!', b'-', ..] => "-->",
            // A DOCTYPE names the root.
            [b'<', b'!', kind @ ..] => {
                let is_doctype = kind.get(..7).is_some_and(|kind| kind.eq_ignore_ascii_case(b"DOCTYPE"));
                return is_doctype && is_root(name_at(kind[7..].trim_ascii_start()));
            }
            [b'<', name @ ..] => return is_root(name_at(name)),
            _ => return false,
        };
        let Some(at) = memmem::find(rest, end.as_bytes()) else { return false };
        rest = rest[at + end.len()..].trim_ascii_start();
    }
}

/// Returns the name of an element with which a text starts.
fn name_at(text: &[u8]) -> &str {
    let end = text.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/' | b'['));
    std::str::from_utf8(&text[..end.unwrap_or(text.len())]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_doctypes_before_the_root_are_skipped() {
        for (start, expected) in [
            ("<!-- gen --><urlset>", true),
            ("<?xml version='1.0'?>\n<!-- <html> -->\n<!-- --><feed>", true),
            ("<!DOCTYPE urlset><urlset>", true),
            ("<!DOCTYPE rdf:RDF[", true),
            ("<!doctype html><rss>", false),
            ("<!DOCTYPE svg PUBLIC '' [<!ENTITY r '<rss>'>]><svg>", false),
            ("<!-- gen --><p>", false),
            ("<div>x</div><rss>", false),
            ("<!DOCTYPE", false),
            ("<!", false),
        ] {
            assert_eq!(is_feed(start.as_bytes()), expected, "{start}");
        }
    }
}
