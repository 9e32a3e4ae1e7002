//! Detects the character encoding of a page (HTML §13.2.3.2).
//!
//! Functions that read a part of the page take it off the start of `rest`. They return `None` if the bytes end in that part.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memmem};

/// The number of bytes at the start of a page that are searched for a declaration.
pub(super) const HEAD: usize = 1024;

/// Returns the character encoding of a page, and the length in bytes of its byte order mark.
///
/// The mark counts before the label of the caller, and that before a declaration in the page. A label that the Encoding
/// Standard does not list does not count. A page without any of these is UTF-8.
pub(super) fn detect(page: &[u8], label: Option<&str>) -> (&'static Encoding, usize) {
    if let Some(found) = Encoding::for_bom(page) {
        return found;
    }
    let known = label.and_then(|label| Encoding::for_label(label.as_bytes()));
    (known.or_else(|| declared(&page[..page.len().min(HEAD)])).unwrap_or(UTF_8), 0)
}

/// Returns the character encoding that the start of a page declares: "prescan a byte stream to determine its encoding", and
/// "get an XML encoding". One pass.
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    match head {
        [b'<', 0, b'?', 0, b'x', 0, ..] => Some(UTF_16LE),
        [0, b'<', 0, b'?', 0, b'x', ..] => Some(UTF_16BE),
        _ => from_meta(head).or_else(|| from_xml(head)),
    }
}

/// Returns the character encoding of the first `meta` that declares one.
fn from_meta(head: &[u8]) -> Option<&'static Encoding> {
    let mut rest = head;
    while let Some(at) = memchr(b'<', rest) {
        rest = &rest[at..];
        if rest.starts_with(b"<!--") {
            rest = &rest[memmem::find(&rest[2..], b"-->")? + 5..];
        } else if is_meta(rest) {
            rest = &rest[5..];
            if let Some(encoding) = declared_by(read_meta(&mut rest)?) {
                return Some(encoding);
            }
        } else if is_tag(rest) {
            let name_end = rest.iter().position(|&byte| byte == b'>' || byte.is_ascii_whitespace())?;
            rest = &rest[name_end..];
            while let TagPart::Attribute(..) = TagPart::read(&mut rest)? {}
        } else if matches!(rest, [_, b'!' | b'/' | b'?', ..]) {
            rest = &rest[memchr(b'>', rest)?..];
        } else {
            rest = &rest[1..];
        }
    }
    None
}

fn is_meta(rest: &[u8]) -> bool {
    let is_name_end = |byte: &u8| *byte == b'/' || byte.is_ascii_whitespace();
    rest.get(1..5).is_some_and(|name| name.eq_ignore_ascii_case(b"meta")) && rest.get(5).is_some_and(is_name_end)
}

fn is_tag(rest: &[u8]) -> bool {
    matches!(rest, [_, first, ..] | [_, b'/', first, ..] if first.is_ascii_alphabetic())
}

/// Reads the attributes of a `meta`, up to the end of the tag. Returns the values of `http-equiv`, `content` and `charset`. Of
/// an attribute given twice, the first counts.
fn read_meta<'h>(rest: &mut &'h [u8]) -> Option<[Option<&'h [u8]>; 3]> {
    let mut values = [None; 3];
    while let TagPart::Attribute(name, value) = TagPart::read(rest)? {
        let names = ["http-equiv", "content", "charset"];
        if let Some(at) = names.iter().position(|known| name.eq_ignore_ascii_case(known.as_bytes())) {
            values[at].get_or_insert(value);
        }
    }
    Some(values)
}

/// Returns the character encoding that a `meta` with these values declares.
fn declared_by([http_equiv, content, charset]: [Option<&[u8]>; 3]) -> Option<&'static Encoding> {
    let is_content_type = http_equiv.is_some_and(|name| name.eq_ignore_ascii_case(b"content-type"));
    let label = charset.or_else(|| label_in(content.filter(|_| is_content_type)?));
    label.and_then(Encoding::for_label).map(readable)
}

/// Returns the character encoding with which a page is read that declares this one. A declaration in US-ASCII bytes is not in
/// UTF-16. The private one, `x-user-defined`, is read as Western.
fn readable(encoding: &'static Encoding) -> &'static Encoding {
    match encoding {
        _ if encoding == UTF_16LE || encoding == UTF_16BE => UTF_8,
        _ if encoding == X_USER_DEFINED => WINDOWS_1252,
        _ => encoding,
    }
}

/// A part of a tag after its name.
enum TagPart<'h> {
    /// The name and the value of an attribute.
    Attribute(&'h [u8], &'h [u8]),
    End,
}

impl<'h> TagPart<'h> {
    /// Reads a part: "get an attribute".
    fn read(rest: &mut &'h [u8]) -> Option<Self> {
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
}

/// Returns the label in `text/html; charset=…`: "extracting a character encoding from a meta element".
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

/// Returns the character encoding of an XML declaration, which some pages have.
fn from_xml(head: &[u8]) -> Option<&'static Encoding> {
    let declaration = head.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr(b'>', declaration)?];
    let rest = &declaration[memmem::find(declaration, b"encoding")? + "encoding".len()..];
    let value = rest.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *value.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let label = &value[1..1 + memchr(quote, &value[1..])?];
    Encoding::for_label(label).map(readable)
}

#[cfg(test)]
mod tests {
    use encoding_rs::{ISO_8859_2, KOI8_R, SHIFT_JIS, WINDOWS_1251};

    use super::*;

    #[test]
    fn a_mark_before_a_label_before_a_declaration() {
        let page = b"\xEF\xBB\xBF<meta charset=koi8-r>";
        assert_eq!(detect(page, Some("shift_jis")), (UTF_8, 3));
        assert_eq!(detect(&page[3..], Some("shift_jis")), (SHIFT_JIS, 0));
        assert_eq!(detect(&page[3..], Some("no label")), (KOI8_R, 0));
        assert_eq!(detect(&page[3..], None), (KOI8_R, 0));
        assert_eq!(detect(b"", None), (UTF_8, 0));
        assert_eq!(detect(b"\xFF\xFE<\0", None), (UTF_16LE, 2));
    }

    #[test]
    fn an_xml_declaration_in_utf_16() {
        assert_eq!(declared(b"<\0?\0x\0m\0"), Some(UTF_16LE));
        assert_eq!(declared(b"\0<\0?\0x\0m"), Some(UTF_16BE));
        assert_eq!(declared(b"<\0?\0"), None);
    }

    #[test]
    fn parts_of_a_tag() {
        let mut rest = &b" / a =b c = 'd e'=f/g h=\"\"i>rest"[..];
        let mut found = Vec::new();
        while let Some(TagPart::Attribute(name, value)) = TagPart::read(&mut rest) {
            found.push([name, value].map(|bytes| std::str::from_utf8(bytes).unwrap()));
        }
        assert_eq!(found, [["a", "b"], ["c", "d e"], ["=f", ""], ["g", ""], ["h", ""], ["i", ""]]);
        assert_eq!(rest, b">rest");
        for cut in ["", " ", "a", "a=", "a ='", "a='b", "a=b", "/"] {
            assert!(TagPart::read(&mut cut.as_bytes()).is_none(), "{cut}");
        }
    }

    #[test]
    fn the_first_meta_that_declares_a_known_encoding_counts() {
        let page = b"<meta charset=x><META/charset=koi8-r><meta charset=shift_jis>";
        assert_eq!(from_meta(page), Some(KOI8_R));
        // The end of a comment may overlap its start.
        assert_eq!(from_meta(b"<!--><meta charset=koi8-r>"), Some(KOI8_R));
        // A tag that is cut off ends the search, and what it declares does not count.
        assert_eq!(from_meta(b"<meta charset=koi8-r "), None);
        assert_eq!(from_meta(b"<a title='<meta charset=koi8-r>"), None);
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

    #[test]
    fn an_xml_declaration_needs_quotes() {
        assert_eq!(from_xml(b"<?xml encoding = 'iso-8859-2' ?>"), Some(ISO_8859_2));
        assert_eq!(from_xml(b"<?xml encoding=\"windows-1251\"?>"), Some(WINDOWS_1251));
        assert_eq!(from_xml(b"<?xml encoding='utf-16'?>"), Some(UTF_8));
        for other in
            ["<?xml encoding=koi8-r?>", "<?xml encoding='koi8-r'", "<?xml ?> encoding='koi8-r'>", "encoding='koi8-r'"]
        {
            assert_eq!(from_xml(other.as_bytes()), None, "{other}");
        }
    }
}
