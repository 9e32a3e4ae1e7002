//! Detects the character encoding of a page (HTML §13.2.3.2).

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};
use memchr::{memchr, memmem};
use relref::private::has_letters;

use super::meta::{Meta, SearchResult, TagPart, readable, search, tag_part};
use crate::utf16::{ascii_start, utf_16_by_nuls};

/// The bytes at the start of a page in which its character encoding is searched (HTML §13.2.3.2).
pub(crate) const PRESCAN_LEN: usize = 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Detected {
    pub(crate) charset: &'static Encoding,
    /// The length, in bytes, of the byte order mark; 0 without one.
    pub(crate) bom_len: usize,
    /// A `meta` that is found later, when the page is read as HTML, may declare another, which then counts (HTML §13.2.3.5).
    pub(crate) is_tentative: bool,
    /// UTF-8, as nothing at the start says what it is.
    pub(crate) is_default: bool,
}

impl Detected {
    /// `start` is the whole page, or has at least [`PRESCAN_LEN`] bytes. The caller knows `known`, for example from an HTTP head. In XML, no
    /// `meta` counts.
    pub(crate) fn new(start: &[u8], known: Option<&'static Encoding>, is_xml: bool) -> Self {
        let certain = |charset, bom_len| Detected { charset, bom_len, is_tentative: false, is_default: false };
        if let Some((charset, bom_len)) = Encoding::for_bom(start) {
            return certain(charset, bom_len);
        }
        if is_xml {
            return certain(xml_charset(start, known).0, 0);
        }
        if let Some(charset) = known {
            return certain(charset, 0);
        }
        let start = &start[..start.len().min(PRESCAN_LEN)];
        if let Some(charset) = utf_16_by_nuls(start).filter(|_| ascii_start(start).starts_with(b"<?x")) {
            return certain(charset, 0);
        }
        match from_meta(start) {
            Some((charset, is_tentative)) => Detected { charset, bom_len: 0, is_tentative, is_default: false },
            None => {
                let charset = from_xml(start);
                let is_default = charset.is_none();
                Detected { charset: charset.unwrap_or(UTF_8), bom_len: 0, is_tentative: true, is_default }
            }
        }
    }
}

/// The bytes at the start of a page by which its encoding is guessed: more take too long.
pub(crate) const GUESS_LEN: usize = 1 << 20;

/// Guesses the character encoding of a page that is not UTF-8 and has no label that says what it is, as Firefox does without a look at
/// the host. `None` for UTF-8. `start` is the whole page, or has at least [`GUESS_LEN`] bytes. `declares_any` reports whether a reader of
/// HTML finds a declaration in it.
pub(crate) fn guessed(start: &[u8], declares_any: impl FnOnce(&[u8]) -> bool) -> Option<&'static Encoding> {
    let start = &start[..start.len().min(GUESS_LEN)];
    // A character that is cut at the end says nothing.
    let is_other = std::str::from_utf8(start).is_err_and(|error| error.error_len().is_some());
    // The search may find something in a comment, an attribute or a title.
    let may_declare = || matches!(search(start, |meta| meta.declared().is_some()), SearchResult::Found);
    if !is_other || may_declare() && declares_any(start) {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(start, true);
    Some(detector.guess(None, Utf8Detection::Deny))
}

/// Returns the character encoding that a page declares itself, as browsers find it in its first 1,024 bytes: a byte order mark, a
/// `meta` element or an XML declaration. `start` has these bytes, or the whole page.
///
/// ```
/// use relref_links::html::declared_charset;
///
/// let name = |page: &[u8]| declared_charset(page).map(|charset| charset.name());
/// assert_eq!(name(b"<title>x</title><meta charset=koi8-r>"), Some("KOI8-R"));
/// assert_eq!(name(b"\xEF\xBB\xBF<p>"), Some("UTF-8"));
/// assert_eq!(name("<p>日本".as_bytes()), None);
/// ```
pub fn declared_charset(start: impl AsRef<[u8]>) -> Option<&'static Encoding> {
    let start = start.as_ref();
    let start = &start[..start.len().min(PRESCAN_LEN)];
    let marked = Encoding::for_bom(start).map(|(charset, _)| charset);
    marked.or_else(|| from_meta(start).map(|(charset, _)| charset)).or_else(|| from_xml(start))
}

/// Returns the character encoding of XML, and the length, in bytes, of its byte order mark, or 0. `start` must have the whole XML
/// declaration if there is one.
pub(crate) fn xml_charset(start: &[u8], known: Option<&'static Encoding>) -> (&'static Encoding, usize) {
    // A mark, then `known`, then UTF-16 as the first characters show it (XML 1.0, appendix F), then the declaration.
    let by_start = || known.or_else(|| utf_16_by_nuls(start)).or_else(|| from_xml(start)).unwrap_or(UTF_8);
    Encoding::for_bom(start).unwrap_or_else(|| (by_start(), 0))
}

/// "Prescan a byte stream to determine its encoding". A comment or tag without an end also ends the search.
///
/// The second value is true if the result is tentative: when the page is read as HTML, another `meta` may be the first one.
fn from_meta(start: &[u8]) -> Option<(&'static Encoding, bool)> {
    // Those of `charset`, which each declaration has.
    if !has_letters(start, *b"rse") {
        return None;
    }
    let mut rest = start;
    let mut is_tentative = false;
    while let Some(at) = memchr(b'<', rest) {
        rest = &rest[at..];
        if rest.starts_with(b"<!--") {
            let len = memmem::find(&rest[2..], b"-->")? + 5;
            // In HTML, `--!>` ends a comment too.
            is_tentative |= memmem::find(&rest[..len], b"--!>").is_some();
            rest = &rest[len..];
        } else if Meta::is_at_start_of(rest) {
            rest = &rest[Meta::PREFIX_LEN..];
            let meta = Meta::read(&mut rest)?;
            if let Some(charset) = meta.prescanned() {
                return Some((charset, is_tentative));
            }
            is_tentative |= meta.has_character_references() || meta.declared().is_some();
        } else if is_tag(rest) {
            let name_end = rest.iter().position(|&byte| byte == b'>' || byte.is_ascii_whitespace())?;
            // After other tags, this may be the text of a script or a title.
            let tag_name = &rest[if rest[1] == b'/' { 2 } else { 1 }..name_end];
            let is = |name: &&[u8]| tag_name.eq_ignore_ascii_case(name);
            is_tentative |= ![&b"html"[..], b"head", b"link", b"base"].iter().any(is);
            rest = &rest[name_end..];
            while let TagPart::Attribute(..) = tag_part(&mut rest)? {}
        } else if matches!(rest, [_, b'!' | b'/' | b'?', ..]) {
            rest = &rest[memchr(b'>', rest)?..];
        } else {
            rest = &rest[1..];
        }
    }
    None
}

fn is_tag(rest: &[u8]) -> bool {
    matches!(rest, [_, first, ..] | [_, b'/', first, ..] if first.is_ascii_alphabetic())
}

/// "Get an XML encoding". `None` without a declaration at the start, or without a known label in quotes.
fn from_xml(start: &[u8]) -> Option<&'static Encoding> {
    let declaration = start.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr(b'>', declaration)?];
    let rest = &declaration[memmem::find(declaration, b"encoding")? + "encoding".len()..];
    let value = rest.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *value.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let label = &value[1..1 + memchr(quote, &value[1..])?];
    // Unlike other labels, this one must have no white space around it.
    let charset = if label.iter().all(|&byte| byte > b' ') { Encoding::for_label(label) } else { None };
    charset.map(readable)
}

#[cfg(test)]
mod tests {
    use encoding_rs::{ISO_8859_2, KOI8_R, SHIFT_JIS, WINDOWS_1251};

    use super::*;
    use crate::html::preview::declares_charset;

    /// Detects the character encoding of a page. Returns its name in lower case, with `?` if it is tentative.
    fn detected(page: &[u8], known: Option<&'static Encoding>) -> (String, usize) {
        let Detected { charset, bom_len, is_tentative, .. } = Detected::new(page, known, false);
        (charset.name().to_ascii_lowercase() + if is_tentative { "?" } else { "" }, bom_len)
    }

    #[test]
    fn a_byte_order_mark_before_a_label_before_a_declaration() {
        let page = b"\xEF\xBB\xBF<meta charset=koi8-r>";
        for (page, known, expected, bom_len) in [
            (&page[..], Some(SHIFT_JIS), "utf-8", 3),
            (&page[3..], Some(SHIFT_JIS), "shift_jis", 0),
            (&page[3..], None, "koi8-r", 0),
            (b"", None, "utf-8?", 0),
            (b"<?xml encoding='koi8-r'?><p>", None, "koi8-r?", 0),
            (b"\xFF\xFE<\0", None, "utf-16le", 2),
            (b"<\0?\0x\0m\0", None, "utf-16le", 0),
            (b"\0<\0?\0x\0m", None, "utf-16be", 0),
            (b"<\0?\0", None, "utf-8?", 0),
        ] {
            assert_eq!(detected(page, known), (expected.to_owned(), bom_len), "{page:?}");
        }
    }

    #[test]
    fn a_declaration_is_tentative_where_a_reader_of_html_may_see_another() {
        for (start, is_tentative) in [
            ("<!DOCTYPE html><html lang=en><head><!-- x --><link href=x><base href=y></head>", false),
            ("<meta name=x content='charset=utf-8'><META http-equiv=refresh>", false),
            ("<title>", true),
            ("<script>", true),
            ("<!-- x --!> -->", true),
            ("<meta name='&'>", true),
            ("<meta charset=x http-equiv=content-type content='charset=utf-8'>", true),
        ] {
            let expected = if is_tentative { "koi8-r?" } else { "koi8-r" };
            assert_eq!(detected(format!("{start}<meta charset=koi8-r>").as_bytes(), None).0, expected, "{start}");
        }
    }

    #[test]
    fn what_is_not_utf_8_is_guessed() {
        let russian = WINDOWS_1251.encode("Все счастливые семьи похожи друг на друга").0;
        let japanese = SHIFT_JIS.encode("吾輩は猫である。名前はまだ無い。どこで生れたか").0;
        for (page, expected) in [
            (&b"<p>D\xe9j\xe0 vu, \xe7a va bien"[..], Some("windows-1252")),
            (&russian, Some("windows-1251")),
            (&japanese, Some("Shift_JIS")),
            ("<p>é日本".as_bytes(), None),
            (b"<p>plain", None),
            (&"<p>é".as_bytes()[..4], None),
            (b"<meta charset=utf-8><p>\xe9 \xe9", None),
            (b"", None),
        ] {
            assert_eq!(guessed(page, declares_charset).map(Encoding::name), expected, "{page:?}");
        }
    }

    #[test]
    fn only_a_declaration_that_is_read_prevents_a_guess() {
        let russian = WINDOWS_1251.encode("Все счастливые семьи похожи друг на друга").0;
        let declaration = "<meta charset=utf-8>";
        for (before, after, is_read) in [
            ("", "", true),
            ("<template>", "", true),
            ("<!-- x --!>", "-->", true),
            ("<!--", "-->", false),
            ("<a title='", "'>", false),
            ("<!x ", "", false),
            ("<?x ", "", false),
            ("</x ", "", false),
            ("<title>", "</title>", false),
            ("<script>", "</script>", false),
            ("<textarea>", "</textarea>", false),
        ] {
            let page = [format!("{before}{declaration}{after}").as_bytes(), &russian].concat();
            let expected = if is_read { None } else { Some(WINDOWS_1251) };
            assert_eq!(guessed(&page, declares_charset), expected, "{before}");
        }
    }

    #[test]
    fn the_first_meta_that_declares_a_known_charset_counts() {
        let page = b"<meta charset=x><META/charset=koi8-r><meta charset=shift_jis>";
        assert_eq!(from_meta(page), Some((KOI8_R, false)));
        // The end of a comment may overlap its start.
        assert_eq!(from_meta(b"<!--><meta charset=koi8-r>"), Some((KOI8_R, false)));
        // A tag that is cut short ends the search, and what it declares does not count.
        assert_eq!(from_meta(b"<meta charset=koi8-r "), None);
        assert_eq!(from_meta(b"<a title='<meta charset=koi8-r>"), None);
    }

    #[test]
    fn an_xml_declaration_needs_quotes() {
        assert_eq!(from_xml(b"<?xml encoding = 'iso-8859-2' ?>"), Some(ISO_8859_2));
        assert_eq!(from_xml(b"<?xml encoding=\"windows-1251\"?>"), Some(WINDOWS_1251));
        assert_eq!(from_xml(b"<?xml encoding='utf-16'?>"), Some(UTF_8));
        for other in [
            "<?xml encoding=koi8-r?>",
            "<?xml encoding='koi8-r'",
            "<?xml ?> encoding='koi8-r'>",
            "encoding='koi8-r'",
            "<?xml encoding=' koi8-r'?>",
        ] {
            assert_eq!(from_xml(other.as_bytes()), None, "{other}");
        }
    }
}
