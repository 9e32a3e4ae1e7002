//! Style sheets that are files, in any chunks and character encoding.

use std::io::{self, ErrorKind, Read};

use encoding_rs::{EUC_JP, KOI8_R, UTF_8, WINDOWS_1251};
use quickcheck::{Arbitrary, Gen, quickcheck};
use relref::whatwg::Base;
use relref_links::css;
use relref_links::html::links;

/// Returns the references and attributes.
fn found(sheet: impl Read, charset: Option<&'static encoding_rs::Encoding>) -> (Vec<(String, String)>, io::Result<()>) {
    let mut found = Vec::new();
    let done = css::each_link(sheet, charset, |link| {
        assert_eq!((link.element, link.rel), ("css", ""));
        found.push((link.attribute.to_owned(), link.reference.to_owned()));
        true
    });
    (found, done)
}

fn references(sheet: &[u8], charset: Option<&'static encoding_rs::Encoding>) -> Vec<String> {
    let (found, done) = found(sheet, charset);
    done.unwrap();
    found.into_iter().map(|(_, reference)| reference).collect()
}

#[test]
fn imports_are_told_from_other_urls() {
    let sheet = "@import 'a'; @import url(b) screen; @import url('c'); @namespace url(x); d { e: url(f) src('g') } @font-face \
        { src: url(h) format('woff2'), local('i') } j { k: image-set('l' 1x, url(m) 2x) }";
    let (found, _) = found(sheet.as_bytes(), None);
    let found: Vec<String> = found.into_iter().map(|(attribute, reference)| attribute + " " + &reference).collect();
    assert_eq!(found, ["import a", "import b", "import c", "url f", "url g", "url h", "url l", "url m"]);
    let links: Vec<String> = css::links(sheet, "http://h/s/x.css").unwrap().into_iter().map(|link| link.uri).collect();
    assert_eq!(links[..2], ["http://h/s/a", "http://h/s/b"]);
}

/// CSS Values 4 §4.5.1: it names an element of a page that is not known.
#[test]
fn a_fragment_is_no_link_of_a_sheet() {
    assert_eq!(references(b"a{b:url(#c) url( '#d' ) url(e#f) url(\"\\23 g\")}", None), ["e#f"]);
}

/// CSS Syntax §3.2.
#[test]
fn a_mark_before_a_label_before_a_rule() {
    let koi8 = b"@charset \"koi8-r\"; a{b:url('\xC1')}";
    assert_eq!(references(koi8, None), ["а"]);
    assert_eq!(references(koi8, Some(WINDOWS_1251)), ["Б"]);
    assert_eq!(references(&[b"\xEF\xBB\xBF", &koi8[..]].concat(), Some(KOI8_R)), ["\u{FFFD}"]);
    assert_eq!(references(b"@charset \"utf-16le\"; a{b:url('\xD0\xB4')}", None), ["д"]);
    for no_rule in [
        &b"@charset 'koi8-r'; a{b:url('\xD0\xB4')}"[..],
        b" @charset \"koi8-r\";a{b:url(\xD0\xB4)}",
        b"@charset \"x\";url(\xD0\xB4)",
    ] {
        assert_eq!(references(no_rule, None), ["д"], "{}", no_rule.escape_ascii());
    }
    let utf_16: Vec<u8> = "\u{FEFF}a{b:url(д)}".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(references(&utf_16, Some(UTF_8)), ["д"]);
    let (euc, _, _) = EUC_JP.encode("/* 日本語 */ p { background: url(画像.png) }");
    assert_eq!(references(&euc, Some(EUC_JP)), ["画像.png"]);
    // Queries are in UTF-8, whatever the sheet is.
    assert_eq!(css::links(b"@charset \"koi8-r\";a{b:url(?\xC1)}", "http://h/").unwrap()[0].uri, "http://h/?%D0%B0");
}

#[test]
fn a_token_that_is_too_long_loses_only_itself() {
    let len = 9 << 20;
    for (long, is_lost) in [
        (format!("/* {} url(x) */", "*".repeat(len)), false),
        (format!("a{{b:url({})}}", "x\\)".repeat(len / 3)), true),
        (format!("a{{b:url('{}')}}", "x\\'".repeat(len / 3)), true),
        (format!("a{{b:'{}\n}}", "x".repeat(len)), true),
        (format!("{}url(c) ", "x".repeat(len)), false),
        (format!("@import{}'w';", " ".repeat(len)), false),
        (format!("a{{ {} }}", "b: c; ".repeat(len / 6)), false),
    ] {
        let sheet = format!("@import 'first'; {long} last{{b:url(last)}}");
        let (found, done) = found(sheet.as_bytes(), None);
        let mut found: Vec<_> = found.iter().map(|(_, reference)| &**reference).collect();
        found.retain(|reference| *reference != "w");
        assert_eq!(found, ["first", "last"], "{}", &long[..20]);
        assert_eq!(
            done.map_err(|error| error.kind()),
            if is_lost { Err(ErrorKind::InvalidData) } else { Ok(()) },
            "{}",
            &long[..20]
        );
    }
}

#[test]
fn reading_ends_when_no_more_links_are_needed() {
    let mut count = 0;
    let sheet = "a{b:url(c)}".repeat(100_000);
    css::each_link(sheet.as_bytes(), None, |_| {
        count += 1;
        count < 3
    })
    .unwrap();
    assert_eq!(count, 3);
}

/// Parts of CSS, in any order.
#[derive(Clone, Debug)]
struct Soup(String);

impl Arbitrary for Soup {
    fn arbitrary(g: &mut Gen) -> Self {
        const PARTS: &[&str] = &[
            "url(",
            "URL( ",
            "\\75rl(",
            "src(",
            "image-set(",
            "@import ",
            "@import",
            "@namespace ",
            "'",
            "\"",
            ")",
            "(",
            "{",
            "}",
            "[",
            "]",
            "a",
            "é",
            "日本",
            "\u{1F600}",
            "\\",
            "\\000061 ",
            "\\\n",
            "\r\n",
            "\r",
            "\n",
            " ",
            "/*",
            "*/",
            "/",
            "*",
            "<!--",
            "-->",
            "<",
            "!",
            "-",
            "1e",
            "+1",
            "#",
            "@",
            ".",
            "\0",
            "\u{FFFD}",
            ";",
            ":",
            "u",
            "rl(x)",
            "x.png",
            "</style",
            "\u{FEFF}",
        ];
        Soup((0..usize::arbitrary(g) % 40).map(|_| *g.choose(PARTS).unwrap()).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let text: Vec<char> = self.0.chars().collect();
        Box::new(text.shrink().map(|text| Soup(text.into_iter().collect())))
    }
}

/// Gives a byte at a time, of which each one needs another chunk.
struct Bytes<'b>(&'b [u8]);

impl Read for Bytes<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = out.len().min(1);
        self.0.read(&mut out[..len])
    }
}

quickcheck! {
    /// Also those of a `style` element.
    fn chunks_have_the_links_of_the_whole(soup: Soup) -> bool {
        let Soup(sheet) = soup;
        // Filled up so that the first bytes, in which the character encoding is sought, end in the middle.
        let sheet = format!("{}{sheet}", "/**/".repeat(254));
        let whole = links(format!("<style>{sheet}"), "http://h/").unwrap();
        let whole: Vec<String> = whole.into_iter().map(|link| link.reference).collect();
        if sheet.contains("</style") || sheet.contains('\u{FEFF}') {
            return true;
        }
        // HTML normalizes these before CSS sees them.
        let found = references(sheet.replace("\r\n", "\n").replace('\r', "\n").as_bytes(), None);
        let clean = |references: Vec<String>| -> Vec<String> {
            let cleaned = references.iter().map(|reference| reference.trim_matches(|c| c <= ' ').replace(['\t', '\n', '\r'], ""));
            // A fragment names an element of the page, which a sheet alone does not know. Nor does it know what is valid: `/\` is not.
            let is_link = |reference: &str| Base::new("http://h/").unwrap().resolve(reference).is_ok();
            cleaned.filter(|reference| !reference.is_empty() && !reference.starts_with('#') && is_link(reference)).collect()
        };
        let (by_bytes, _) = self::found(Bytes(sheet.as_bytes()), None);
        let (at_once, _) = self::found(sheet.as_bytes(), None);
        by_bytes == at_once && clean(found) == clean(whole)
    }
}
