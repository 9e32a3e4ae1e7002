//! Pages in other character encodings: how the encoding is found, how links are read, and how queries are encoded.

use encoding_rs::{Encoding, SHIFT_JIS, UTF_16BE, UTF_16LE};
use relref::{Base, ErrorKind, Rules};
use relref_links::html::{self, Options, Pages};

use super::laws::charset_of;
use super::markup::{URI, base};

/// Returns the references of a page. `charset` is the label that the caller knows. Checks that they are the same in a stream.
fn references(page: &[u8], charset: Option<&str>) -> Vec<String> {
    let mut pages = Pages::with(Options { late_base: true, ..Options::default() });
    let (mut found, mut streamed) = (Vec::new(), Vec::new());
    pages.links(page, charset_of(charset), &base(), |link| found.push(link.reference.to_string()));
    let each = |link: relref_links::html::Link<'_>| {
        streamed.push(link.reference.to_string());
        Ok(())
    };
    pages.links_from(std::io::Cursor::new(page), charset_of(charset), &base(), each).unwrap();
    assert_eq!(found, streamed);
    found
}

/// Returns a text in UTF-16. `bytes` gives the order of the bytes of a unit.
fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

/// Returns the text that a byte becomes in a link at the end of a page. `charset` is the label that the caller knows.
fn byte(byte: u8, page: &str, charset: Option<&str>) -> String {
    let mut bytes = page.as_bytes().to_vec();
    bytes.extend_from_slice(b"<a href=");
    bytes.push(byte);
    bytes.push(b'>');
    references(&bytes, charset).pop().unwrap()
}

#[test]
fn the_label_of_the_caller_counts() {
    assert_eq!(byte(0xE6, "", Some("windows-1251")), "ж");
    assert_eq!(byte(0xE6, "", Some(" CP1251 ")), "ж");
    assert_eq!(byte(0xE6, "", Some("iso-8859-1")), "æ");
    assert_ne!(byte(0xE6, "", None), "\u{fffd}");
    let page = SHIFT_JIS.encode("<a href='日本?ソ=表'>").0;
    assert_eq!(references(&page, Some("Shift_JIS")), ["日本?ソ=表"]);
    assert_eq!(references(b"<a href=x>", Some("replacement")), [""; 0]);
}

#[test]
fn an_unknown_label_is_an_error() {
    let error = html::charset("utf-9").unwrap_err();
    assert_eq!((error.kind(), error.position()), (ErrorKind::UnknownName, 4));
    assert_eq!(error.to_string(), "not a label of the Encoding Standard; did you mean utf-8?");
}

#[test]
fn the_declaration_in_the_page_counts() {
    for page in [
        "<meta charset=windows-1251>",
        "<META CHARSET = 'Windows-1251' />",
        "<!-- <meta charset=utf-8> --><meta charset=windows-1251>",
        "<title a='<meta charset=utf-8>'></title b='>'><!x><?y><meta charset=windows-1251>",
        "<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>",
        "<meta content=\"text/html; Charset = 'windows-1251'\" http-equiv=content-type>",
        "<meta http-equiv=content-type content=\"charset x; charset=windows-1251; y\">",
        "<meta name=x><meta charset=nonsense><meta charset=windows-1251>",
        "<meta content='charset=utf-8'><meta charset=windows-1251>",
        "<meta charset=windows-1251 charset=utf-8>",
        "<meta http-equiv=content-type content='charset=utf-8' charset=windows-1251>",
        "<meta charset=windows-1251 http-equiv=content-type content='charset=utf-8'>",
        "<meta charset=nonsense http-equiv=content-type content='charset=windows-1251'>",
        // Not what looks like a declaration to those who read no HTML.
        "<script>'<meta charset=utf-8>'</script><meta charset=windows-1251>",
        "<title><meta charset=koi8-r></title><meta charset=windows-1251>",
        "<!-- --!><meta charset=windows-1251><!-- --><meta charset=utf-8>",
        "<?xml encoding='koi8-r'?><p><meta charset=windows-1251>",
        "<meta charset='&#119;indows-1251'>",
        "<meta charset=windows-1251><meta charset=utf-8>",
        "<svg><style><meta charset=windows-1251></style></svg>",
        "<template><meta charset=windows-1251></template>",
        "<?xml version='1.0' encoding = \"windows-1251\"?>",
    ] {
        assert_eq!(byte(0xE6, page, None), "ж", "{page}");
        assert_eq!(byte(0xE6, page, Some("latin1")), "æ", "{page}");
    }
    for page in [
        "<p charset=windows-1251>",
        "<metas charset=windows-1251>",
        "<!-- <meta charset=windows-1251> -->",
        "<meta http-equiv=refresh content='charset=windows-1251'>",
        "<meta http-equiv=content-type content='charset'>",
        "<meta http-equiv=content-type content='charset=\"windows-1251'>",
        " <?xml version='1.0' encoding='windows-1251'?>",
    ] {
        // It is guessed.
        assert_ne!(byte(0xE6, page, None), "ж", "{page}");
    }
    assert_eq!(byte(0xE6, "<meta charset=utf-16>", None), "\u{fffd}");
    assert_eq!(byte(0x80, "<meta charset=x-user-defined>", None), "€");
}

#[test]
fn a_declaration_counts_wherever_it_is() {
    let meta = "<meta charset=windows-1251>";
    let page = |spaces: usize| format!("{}{meta}", " ".repeat(spaces));
    for spaces in [1024 - meta.len(), 1025 - meta.len(), 1024, 5000, 65_520, 65_530, 200_000] {
        assert_eq!(byte(0xE6, &page(spaces), None), "ж", "{spaces}");
        assert_eq!(byte(0xE6, &page(spaces), Some("koi8-r")), "Ф", "{spaces}");
        assert_eq!(byte(0xE6, &format!("\u{feff}{}", page(spaces)), None), "\u{fffd}", "{spaces}");
    }
    // Also links and a `base` before it are read again; what looks like a declaration is none.
    for text in [
        "<!-- <meta charset=koi8-r> -->",
        "<script><meta charset=koi8-r></script>",
        "<p title='<meta charset=koi8-r>'>",
    ] {
        let text = " ".repeat(1000) + &text.repeat(100);
        let page = [b"<a href='\xe6'><base href='\xe6/'>", text.as_bytes(), meta.as_bytes()].concat();
        assert_eq!(references(&page, None), ["ж"], "{text}");
        assert_eq!(html::links(&page, &base()).unwrap()[0].uri, "http://h/a/ж/ж", "{text}");
        // Then it is guessed.
        assert_ne!(references(&page[..page.len() - meta.len()], None), ["\u{fffd}"], "{text}");
    }
    // The first counts, also if it declares what the page is read in.
    let page = |first: &str| [" ".repeat(2000).as_str(), first, "<meta charset=koi8-r>"].concat();
    assert_eq!(byte(0xE6, &page("<meta charset=utf-8>"), None), "\u{fffd}");
    assert_eq!(byte(0xE6, &page("<meta charset=windows-1251>"), None), "ж");
    assert_eq!(byte(0xE6, &page("<meta charset=what>"), None), "Ф");
    // Markup may be cut off after the first kilobyte.
    for len in 0..60 {
        for start in [
            "<!--",
            "<meta ",
            "<meta a",
            "<meta a=",
            "<meta a='",
            "<meta a=b",
            "<a",
            "<!x",
            "<a b",
            "<?xml encoding=''",
        ] {
            let page = format!("{}{start}{}", " ".repeat(1024 - len), "x".repeat(80));
            assert_eq!(references(page.as_bytes(), None), [""; 0]);
        }
    }
}

#[test]
fn utf_16() {
    let text = "<base href='/ж/'><a href='日&amp;本'>x</a>";
    for (encoding, bytes) in [(UTF_16LE, u16::to_le_bytes as fn(u16) -> [u8; 2]), (UTF_16BE, u16::to_be_bytes)] {
        let page = utf16(text, bytes);
        assert_eq!(references(&page, Some(encoding.name())), ["日&本"]);
        let marked = [&bytes(0xFEFF)[..], &page].concat();
        // The mark counts before the label of the caller.
        for label in [None, Some("windows-1251"), Some("utf-16le"), Some("utf-16be")] {
            assert_eq!(references(&marked, label), ["日&本"]);
        }
        let xml = utf16(&format!("<?xml version='1.0'?>{text}"), bytes);
        assert_eq!(references(&xml, None), ["日&本"]);
    }
    // Half a character, at the end and elsewhere.
    let mut page = utf16("<a href=x><a href='\u{1f600}'>", u16::to_le_bytes);
    page.push(b'<');
    assert_eq!(references(&page, Some("utf-16le")), ["x", "\u{1f600}"]);
    page.drain(page.len() - 7..page.len() - 5);
    assert_eq!(references(&page, Some("utf-16le")), ["x", "\u{fffd}"]);
}

#[test]
fn a_byte_order_mark_of_utf_8() {
    let page = "\u{feff}<a href=é>".as_bytes();
    assert_eq!(references(page, Some("windows-1251")), ["é"]);
    assert_eq!(references("\u{feff}".as_bytes(), None), [""; 0]);
    // Elsewhere it is a character.
    assert_eq!(references("<a href='\u{feff}x'>".as_bytes(), None), ["\u{feff}x"]);
}

#[test]
fn bytes_that_are_not_utf_8_are_replaced() {
    for (bytes, expected) in [
        (&b"\xff"[..], "\u{fffd}"),
        (b"a\xc3", "a\u{fffd}"),
        (b"\xe2\x82b", "\u{fffd}b"),
        (b"\xe2\x82\xac", "€"),
        (b"\xed\xa0\x80", "\u{fffd}\u{fffd}\u{fffd}"),
        (b"\xc3&#xe9;", "\u{fffd}é"),
    ] {
        for (start, charset) in [("<meta charset=utf-8>", None), ("", Some("utf-8"))] {
            let links = [b"<a href='", bytes, b"'><\xff><p style='a: url(", bytes, b")'>"].concat();
            assert_eq!(references(&[start.as_bytes(), &links].concat(), charset), [expected, expected]);
        }
    }
}

/// Returns the URI of a link in a page in a character encoding, with its query encoded as browsers do. `uri` is the page's URI.
fn sent(reference: &str, encoding: &'static Encoding, uri: &str) -> String {
    let mut pages = Pages::new();
    pages.options.legacy_queries = true;
    let text = format!("<a href='{reference}'>");
    let page = encoding.new_encoder().encode_from_utf8_to_vec_without_loss(&text);
    let mut found = String::new();
    let base = Base::new(uri, Rules::RFC3986).unwrap();
    pages.links(&page, Some(encoding), &base, |link| found.push_str(link.uri));
    found
}

trait Lossless {
    fn encode_from_utf8_to_vec_without_loss(self, text: &str) -> Vec<u8>;
}

impl Lossless for encoding_rs::Encoder {
    /// Encodes a text. Characters that the character encoding lacks become character references.
    fn encode_from_utf8_to_vec_without_loss(mut self, text: &str) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len() * 16 + 64);
        let _ = self.encode_from_utf8_to_vec(text, &mut out, true);
        out
    }
}

#[test]
fn queries_are_encoded_in_the_page_s_encoding() {
    let label = |label: &str| Encoding::for_label(label.as_bytes()).unwrap();
    let cyrillic = label("windows-1251");
    assert_eq!(sent("ж?ж#ж", cyrillic, URI), "http://h/a/ж?%E6#ж");
    assert_eq!(sent("?a=ж&b=c d+%E6", cyrillic, URI), "http://h/a/page.html?a=%E6&b=c d+%E6");
    assert_eq!(sent("?≡", SHIFT_JIS, URI), "http://h/a/page.html?%81%DF");
    // The second byte of this one is a backslash.
    assert_eq!(sent("?ソ", SHIFT_JIS, URI), "http://h/a/page.html?%83\\");
    assert_eq!(sent("?‽", cyrillic, URI), "http://h/a/page.html?%26%238253%3B");
    assert_eq!(sent("?¥x", label("iso-2022-jp"), URI), "http://h/a/page.html?%1B(J\\x%1B(B");
    assert_eq!(sent("?日a", label("iso-2022-jp"), URI), "http://h/a/page.html?%1B$BF|%1B(Ba");
    assert_eq!(sent("?\u{1f600}", label("gb18030"), URI), "http://h/a/page.html?%949%FC6");
}

#[test]
fn some_queries_stay() {
    let cyrillic = Encoding::for_label(b"windows-1251").unwrap();
    // Queries of UTF-8 and UTF-16 pages, and of other schemes, stay UTF-8.
    assert_eq!(sent("?ж", encoding_rs::UTF_8, URI), "http://h/a/page.html?ж");
    assert_eq!(sent("x-y:z?ж", cyrillic, URI), "x-y:z?ж");
    assert_eq!(sent("?ж", cyrillic, "x-y:z"), "x-y:z?ж");
    assert_eq!(sent("http://h/?ж", cyrillic, "x-y:z"), "http://h/?%E6");
    let mut found = String::new();
    let page = b"<a href='?\xe6'>";
    Pages::new().links(page, charset_of(Some("windows-1251")), &base(), |link| found.push_str(link.uri));
    assert_eq!(found, "http://h/a/page.html?ж");
}

#[test]
fn bases_are_encoded_and_references_are_not() {
    let mut pages = Pages::new();
    pages.options.legacy_queries = true;
    let mut found = |page: &[u8]| {
        let mut found = Vec::new();
        let each = |link: relref_links::html::Link<'_>| found.push([link.reference, link.uri].map(String::from));
        pages.links(page, charset_of(Some("windows-1251")), &base(), each);
        found
    };
    let (query, fragment) = ("http://h/a/page.html?%E6", "http://h/a/page.html?%E6#x");
    assert_eq!(found(b"<base href='?\xe6'><a href='#x'><a href='?\xe6'>"), [["#x", fragment], ["?ж", query]]);
    assert_eq!(found(b"<object codebase='?\xe6' data='#x'>"), [["?ж", query], ["#x", fragment]]);
}
