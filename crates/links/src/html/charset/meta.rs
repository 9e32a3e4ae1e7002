//! Reads `meta` tags in bytes that are not read as HTML.
//! This finds a declaration before a page is read as HTML, or shows that there is none.
//!
//! Functions that read a part of the page take it off the start of `rest`. They return `None` if the bytes end in that part.

use std::sync::LazyLock;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memmem};

use crate::html::values::nofollow::has_nofollow;

/// The attributes of a `meta` tag that may state a character encoding or `nofollow`. If one is given twice, the first counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Meta<'h> {
    pub(crate) charset: Option<&'h [u8]>,
    pub(crate) content: Option<&'h [u8]>,
    pub(crate) http_equiv: Option<&'h [u8]>,
    pub(crate) name: Option<&'h [u8]>,
}

impl<'h> Meta<'h> {
    pub(crate) const PREFIX_LEN: usize = 5;

    /// The first byte of `rest` must be `<`.
    pub(crate) fn is_at_start_of(rest: &[u8]) -> bool {
        let is_name_end = |byte: &u8| *byte == b'/' || byte.is_ascii_whitespace();
        rest.get(1..Self::PREFIX_LEN).is_some_and(|name| name.eq_ignore_ascii_case(b"meta"))
            && rest.get(Self::PREFIX_LEN).is_some_and(is_name_end)
    }

    /// `rest` must start after `<meta`. The `>` at the end of the tag stays.
    pub(crate) fn read(rest: &mut &'h [u8]) -> Option<Self> {
        let mut meta = Meta::default();
        while let TagPart::Attribute(name, value) = tag_part(rest)? {
            let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
            let known = match name.len() {
                4 if is(b"name") => &mut meta.name,
                7 if is(b"charset") => &mut meta.charset,
                7 if is(b"content") => &mut meta.content,
                10 if is(b"http-equiv") => &mut meta.http_equiv,
                _ => continue,
            };
            known.get_or_insert(value);
        }
        Some(meta)
    }

    /// "Prescan a byte stream to determine its encoding": `content` does not count with a `charset`, even an unknown one.
    pub(crate) fn prescanned(&self) -> Option<&'static Encoding> {
        let label = self.charset.or_else(|| label_in(self.content_type()?));
        label.and_then(for_label).map(readable)
    }

    /// If `charset` is no known label, `content` counts (HTML §13.2.6.4.4, §13.2.3.5).
    pub(crate) fn declared(&self) -> Option<&'static Encoding> {
        let in_content = || for_label(label_in(self.content_type()?)?);
        self.charset.and_then(for_label).or_else(in_content).map(readable)
    }

    fn content_type(&self) -> Option<&'h [u8]> {
        self.content.filter(|_| self.http_equiv.is_some_and(|name| name.eq_ignore_ascii_case(b"content-type")))
    }

    pub(crate) fn is_nofollow(&self) -> bool {
        self.name.is_some_and(|name| name.trim_ascii().eq_ignore_ascii_case(b"robots"))
            && self.content.is_some_and(has_nofollow)
    }

    /// A reader of HTML may read such a value as another one.
    pub(crate) fn has_character_references(&self) -> bool {
        let values = [self.charset, self.content, self.http_equiv, self.name];
        values.into_iter().flatten().any(|value| memchr(b'&', value).is_some())
    }
}

pub(crate) enum SearchResult {
    /// A tag that is sought, or one whose meaning is not known.
    Found,
    /// The length of the bytes, or the start of a tag without its end: from there on, search again with the bytes that follow.
    NoneBefore(usize),
}

/// The start of a tag in lower and in upper case. Made once: on a small page, that takes as long as the search.
pub(crate) type Starts = LazyLock<[memmem::Finder<'static>; 2]>;

static STARTS: Starts = LazyLock::new(|| [b"<m", b"<M"].map(memmem::Finder::new));

/// A `meta` tag with `<m` or a character reference in it counts as found, because only a reader of HTML knows its meaning. So the
/// result may be wrong if a tag is found, but never if none is. One pass.
pub(crate) fn search(bytes: &[u8], is_sought: impl Fn(&Meta<'_>) -> bool) -> SearchResult {
    let mut end = bytes.len();
    for start in &*STARTS {
        for at in start.find_iter(bytes) {
            let tag = &bytes[at..];
            if tag.len() <= Meta::PREFIX_LEN && b"<meta"[..tag.len()].eq_ignore_ascii_case(tag) {
                end = end.min(at);
            }
            if !Meta::is_at_start_of(tag) {
                continue;
            }
            let mut rest = &tag[Meta::PREFIX_LEN..];
            let Some(meta) = Meta::read(&mut rest) else {
                // Only the last one can be in two chunks.
                end = end.min(at);
                break;
            };
            let tag = &tag[Meta::PREFIX_LEN..tag.len() - rest.len()];
            let has_other = STARTS.iter().any(|start| start.find(tag).is_some());
            if has_other || meta.has_character_references() || is_sought(&meta) {
                return SearchResult::Found;
            }
        }
    }
    SearchResult::NoneBefore(end)
}

fn for_label(label: &[u8]) -> Option<&'static Encoding> {
    // Most pages have it, and to look it up takes as long as to report a link.
    if label.eq_ignore_ascii_case(b"utf-8") { Some(UTF_8) } else { Encoding::for_label(label) }
}

/// Declared in US-ASCII bytes, UTF-16, which has no such bytes, means UTF-8, and `x-user-defined` windows-1252.
pub(crate) fn readable(charset: &'static Encoding) -> &'static Encoding {
    match charset {
        _ if charset == UTF_16LE || charset == UTF_16BE => UTF_8,
        _ if charset == X_USER_DEFINED => WINDOWS_1252,
        _ => charset,
    }
}

pub(crate) enum TagPart<'h> {
    /// Name and value, as written, without quotes. The value is empty if there is none.
    Attribute(&'h [u8], &'h [u8]),
    End,
}

/// "Get an attribute". The `>` at the end of the tag stays.
pub(crate) fn tag_part<'h>(rest: &mut &'h [u8]) -> Option<TagPart<'h>> {
    let start = rest.iter().position(|&byte| !byte.is_ascii_whitespace() && byte != b'/')?;
    *rest = &rest[start..];
    if rest[0] == b'>' {
        return Some(TagPart::End);
    }
    // A name may start with an equals sign.
    let ends = |&byte: &u8| matches!(byte, b'=' | b'/' | b'>') || byte.is_ascii_whitespace();
    let name_end = 1 + rest[1..].iter().position(ends)?;
    let name = &rest[..name_end];
    *rest = rest[name_end..].trim_ascii_start();
    if *rest.first()? != b'=' {
        return Some(TagPart::Attribute(name, b""));
    }
    *rest = rest[1..].trim_ascii_start();
    let value = match *rest.first()? {
        quote @ (b'"' | b'\'') => {
            let end = memchr(quote, &rest[1..])?;
            let value = &rest[1..1 + end];
            *rest = &rest[end + 2..];
            value
        }
        _ => {
            let end = rest.iter().position(|&byte| byte == b'>' || byte.is_ascii_whitespace())?;
            let value = &rest[..end];
            *rest = &rest[end..];
            value
        }
    };
    Some(TagPart::Attribute(name, value))
}

/// "Extracting a character encoding from a meta element".
fn label_in(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content;
    loop {
        let name = rest.windows("charset".len()).position(|name| name.eq_ignore_ascii_case(b"charset"))?;
        rest = rest[name + "charset".len()..].trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            rest = value.trim_ascii_start();
            break;
        }
    }
    match *rest.first()? {
        quote @ (b'"' | b'\'') => Some(&rest[1..1 + memchr(quote, &rest[1..])?]),
        _ => rest.split(|&byte| byte == b';' || byte.is_ascii_whitespace()).next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_tag() {
        let mut rest = &b" / a =b c = 'd e'=f/g h=\"\"i>rest"[..];
        let mut found = Vec::new();
        while let Some(TagPart::Attribute(name, value)) = tag_part(&mut rest) {
            found.push([name, value].map(|bytes| std::str::from_utf8(bytes).unwrap()));
        }
        assert_eq!(found, [["a", "b"], ["c", "d e"], ["=f", ""], ["g", ""], ["h", ""], ["i", ""]]);
        assert_eq!(rest, b">rest");
        for cut in ["", " ", "a", "a=", "a ='", "a='b", "a=b", "/"] {
            assert!(tag_part(&mut cut.as_bytes()).is_none(), "{cut}");
        }
    }

    #[test]
    fn labels_in_content() {
        for (content, label) in [
            ("text/html; charset=koi8-r", Some("koi8-r")),
            ("CHARSET = 'a b' c", Some("a b")),
            ("charset charset=a;b", Some("a")),
            ("charset=a b", Some("a")),
            ("charset='a", None),
            ("charset=", None),
            ("charset", None),
            ("", None),
        ] {
            assert_eq!(label_in(content.as_bytes()), label.map(str::as_bytes), "{content}");
        }
    }
}
