//! Which encoding a page is in: what its first bytes, its caller and its `meta` elements say (HTML §13.2.3.2).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memmem};

/// How much of a page is looked at for its encoding.
pub(super) const HEAD: usize = 1024;

/// The encoding of a page, and how many bytes of its start are a byte order mark.
///
/// The mark wins over the label that the caller was told, as by an HTTP header, and that over what the page says of itself.
/// UTF-8 if nobody says a thing.
pub(super) fn of(page: &[u8], label: Option<&str>) -> (&'static Encoding, usize) {
    if let Some(found) = Encoding::for_bom(page) {
        return found;
    }
    let told = label.and_then(|label| Encoding::for_label(label.as_bytes()));
    (told.or_else(|| prescan(&page[..page.len().min(HEAD)])).unwrap_or(UTF_8), 0)
}

/// What the start of a page says of its encoding: "prescan a byte stream to determine its encoding", and "get an XML
/// encoding". One pass.
fn prescan(head: &[u8]) -> Option<&'static Encoding> {
    match head {
        [b'<', 0, b'?', 0, b'x', 0, ..] => return Some(UTF_16LE),
        [0, b'<', 0, b'?', 0, b'x', ..] => return Some(UTF_16BE),
        _ => {}
    }
    from_meta(head).or_else(|| from_xml(head))
}

fn from_meta(head: &[u8]) -> Option<&'static Encoding> {
    let mut rest = head;
    while let Some(at) = memchr(b'<', rest) {
        rest = &rest[at..];
        if rest.starts_with(b"<!--") {
            rest = &rest[memmem::find(&rest[2..], b"-->")? + 5..];
        } else if is_meta(rest) {
            rest = &rest[5..];
            if let Some(encoding) = meta(&mut rest)? {
                return Some(encoding);
            }
        } else if is_tag(rest) {
            let name_end = rest.iter().position(|&byte| byte == b'>' || byte.is_ascii_whitespace())?;
            rest = &rest[name_end..];
            while attribute(&mut rest)?.is_some() {}
        } else if matches!(rest, [_, b'!' | b'/' | b'?', ..]) {
            rest = &rest[memchr(b'>', rest)?..];
        } else {
            rest = &rest[1..];
        }
    }
    None
}

fn is_meta(rest: &[u8]) -> bool {
    let behind = rest.get(5).copied().unwrap_or(b'x');
    rest.get(1..5).is_some_and(|name| name.eq_ignore_ascii_case(b"meta"))
        && (behind == b'/' || behind.is_ascii_whitespace())
}

fn is_tag(rest: &[u8]) -> bool {
    matches!(rest, [_, first, ..] if first.is_ascii_alphabetic())
        || matches!(rest, [_, b'/', first, ..] if first.is_ascii_alphabetic())
}

/// The encoding that a `meta` element tells, if it does; `None` if the bytes end in it.
fn meta(rest: &mut &[u8]) -> Option<Option<&'static Encoding>> {
    let (mut pragma, mut content, mut charset) = (None, None, None);
    while let Some((name, value)) = attribute(rest)? {
        let known = [("http-equiv", &mut pragma), ("content", &mut content), ("charset", &mut charset)];
        if let Some((_, known)) = known.into_iter().find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes())) {
            // Of an attribute given twice, the first counts.
            known.get_or_insert(value);
        }
    }
    let is_pragma = pragma.is_some_and(|pragma| pragma.eq_ignore_ascii_case(b"content-type"));
    let label = charset.or_else(|| label_in(content.filter(|_| is_pragma)?));
    Some(label.and_then(Encoding::for_label).map(readable))
}

/// Bytes in which a page says so in US-ASCII are not UTF-16, and pages in a private encoding are read as if it were Western.
fn readable(encoding: &'static Encoding) -> &'static Encoding {
    match encoding {
        _ if encoding == UTF_16LE || encoding == UTF_16BE => UTF_8,
        _ if encoding == X_USER_DEFINED => WINDOWS_1252,
        _ => encoding,
    }
}

/// "Get an attribute": its name and value, an inner `None` at the end of the tag, an outer one at that of the bytes.
fn attribute<'h>(rest: &mut &'h [u8]) -> Option<Option<(&'h [u8], &'h [u8])>> {
    let skip = |rest: &mut &[u8]| {
        let spaces = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        *rest = &rest[spaces..];
    };
    let start = rest.iter().position(|&byte| !byte.is_ascii_whitespace() && byte != b'/')?;
    *rest = &rest[start..];
    if rest[0] == b'>' {
        return Some(None);
    }
    // An equals sign in front is part of the name.
    let ends = |&byte: &u8| matches!(byte, b'=' | b'/' | b'>') || byte.is_ascii_whitespace();
    let name_end = 1 + rest[1..].iter().position(ends)?;
    let name = &rest[..name_end];
    *rest = &rest[name_end..];
    skip(rest);
    if *rest.first()? != b'=' {
        return Some(Some((name, b"")));
    }
    *rest = &rest[1..];
    skip(rest);
    let quote = *rest.first()?;
    let value = if matches!(quote, b'"' | b'\'') {
        let end = memchr(quote, &rest[1..])?;
        let value = &rest[1..1 + end];
        *rest = &rest[end + 2..];
        value
    } else {
        let end = rest.iter().position(|&byte| byte == b'>' || byte.is_ascii_whitespace())?;
        let value = &rest[..end];
        *rest = &rest[end..];
        value
    };
    Some(Some((name, value)))
}

/// The label in `text/html; charset=…`: "extracting a character encoding from a meta element".
fn label_in(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content;
    loop {
        let name = rest.windows("charset".len()).position(|name| name.eq_ignore_ascii_case(b"charset"))?;
        rest = &rest[name + "charset".len()..];
        if let Some(value) = rest.trim_ascii_start().strip_prefix(b"=") {
            rest = value.trim_ascii_start();
            break;
        }
    }
    match *rest.first()? {
        quote @ (b'"' | b'\'') => Some(&rest[1..1 + memchr(quote, &rest[1..])?]),
        _ => rest.split(|&byte| byte == b';' || byte.is_ascii_whitespace()).next(),
    }
}

/// The encoding of an XML declaration, which some pages have.
fn from_xml(head: &[u8]) -> Option<&'static Encoding> {
    let declaration = head.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr(b'>', declaration)?];
    let behind = &declaration[memmem::find(declaration, b"encoding")? + "encoding".len()..];
    let value = behind.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *value.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let label = &value[1..1 + memchr(quote, &value[1..])?];
    Encoding::for_label(label).map(readable)
}
