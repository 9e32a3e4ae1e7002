//! The facts about a page and its elements that links have: title, character encoding, language and media query.

use std::io::Cursor;

use relref_links::html::{LinkBuf, Pages, field_links};

use super::laws::{LawBase, in_memory, streamed};

/// Returns the links of a page, which are the same in every way to read it.
fn links(page: &[u8], charset: Option<&str>) -> Vec<LinkBuf> {
    let (mut pages, base) = (Pages::new(), LawBase::new(None));
    assert!(in_memory(&mut pages, &base, page, charset).iter().all(|link| link.page_title.is_empty()));
    pages.options.title = true;
    let found = in_memory(&mut pages, &base, page, charset);
    assert_eq!(streamed(&mut pages, &base, Cursor::new(page), charset), found);
    found
}

fn title(page: &str) -> String {
    links(page.as_bytes(), None).remove(0).page_title
}

#[test]
fn the_title_is_known_before_the_first_link() {
    for (page, expected) in [
        ("<link href=x><title>One</title>", "One"),
        ("<TITLE\n>\r\n One\t<b>two </b>&amp;&nbsp;&#x33; &lt</TITLE><a href=x>", "One <b>two </b>&\u{a0}3 <"),
        ("<a href=x><title></title><title>two</title>", ""),
        ("<a href=x><p><title>in the body</title>", "in the body"),
        ("<a href=x><title>no end</titl", "no end</titl"),
        ("<a href=x><title>no end</title", "no end</title"),
        ("<a href=x><title", ""),
        ("<a href=x>", ""),
        ("<a href=x><titles>no</titles><title/>yes</title>", "yes"),
        ("<a href=x><title a='>'>yes</title>", "yes"),
        ("<a href=x><title>a</titles>b</title >c", "a</titles>b"),
        ("<a href=x><!--<title>no</title>--><script>'<title>no</title>'</script><title>yes</title>", "yes"),
        ("<a href=x><textarea><title>no</title></textarea><xmp><title>no</title></xmp><title>yes</title>", "yes"),
        ("<a href=x><svg><title>no</title></svg><title>yes</title>", "yes"),
        ("<a href=x><svg><title><title>in HTML</title></title></svg>", "in HTML"),
        ("<a href=x><svg><desc><title>in HTML</title></desc></svg>", "in HTML"),
        ("<a href=x><template><title>no</title></template><title>yes</title>", "yes"),
        ("<a href=x><template><title>no", ""),
        ("<a href=x><title>&#32; a &#10;&Tab; b&#9;</title>", "a b"),
        ("<a href=x><title>a\0b</title>", "a\u{fffd}b"),
        ("<a href=x><title>Привет, &#x4E16;界\u{3000}</title>", "Привет, 世界\u{3000}"),
        ("<plaintext><title>no</title><a href=x>", "-"),
    ] {
        if expected == "-" {
            assert!(links(page.as_bytes(), None).is_empty());
            continue;
        }
        assert_eq!(title(page), expected, "{page}");
    }
}

#[test]
fn a_title_has_at_most_its_first_kibibyte() {
    for (text, expected) in [
        ("é".repeat(600), "é".repeat(512)),
        (format!("{}é", "a".repeat(1023)), "a".repeat(1023)),
        (format!("{}  b", "a".repeat(1023)), "a".repeat(1023)),
        (" \n".repeat(100_000) + "late", "late".to_owned()),
        ("&eacute;".repeat(2000), "é".repeat(512)),
        ("&#1087;".repeat(2000), "п".repeat(512)),
        ("x".repeat(20_000_000), "x".repeat(1024)),
    ] {
        assert_eq!(title(&format!("<a href=x><title>{text}</title>")), expected, "{}", &text[..20]);
    }
}

#[test]
fn the_title_is_in_the_character_encoding_of_the_page() {
    for (label, page, expected) in [
        // Both are declared after the title, with links before it.
        ("windows-1251", &b"<link href=x><title>\xcf\xf0\xe8</title><meta charset=windows-1251>"[..], "При"),
        ("EUC-KR", b"<link href=x><title>\xc7\xd1\xb1\xdb</title><meta charset=euc-kr>", "한글"),
        ("Shift_JIS", b"<meta charset=shift_jis><link href=x><title>\x93\xfa\x83\\</title>", "日ソ"),
        ("ISO-2022-JP", b"<meta charset=iso-2022-jp><link href=x><title>\x1b$B$\"\x1b(B</title>", "あ"),
        ("UTF-16LE", b"\xff\xfe<\0a\0 \0h\0r\0e\0f\0=\0x\0>\0<\0t\0i\0t\0l\0e\0>\0\x1f\x04", "П"),
        ("UTF-8", b"\xef\xbb\xbf<meta charset=koi8-r><link href=x><title>\xd0\x9f\xff</title>", "П\u{fffd}"),
        ("windows-1252", b"<meta charset=latin1><link href=x><title>\x80&euro;</title>", "€€"),
    ] {
        let found = links(page, None);
        assert_eq!(found[0].page_charset.unwrap().name(), label);
        assert_eq!(found[0].page_title, expected, "{label}");
    }
    // That which the caller knows counts more than that of the page.
    let found = links(b"<meta charset=koi8-r><a href=x><title>\xe9", Some("iso-8859-5"));
    assert_eq!((found[0].page_charset.unwrap().name(), found[0].page_title.as_str()), ("ISO-8859-5", "щ"));
}

/// A title may be very far from the start: only a page that comes in chunks does not wait for it.
#[test]
fn a_late_title_is_found_in_files_only() {
    let mut pages = Pages::new();
    pages.options.title = true;
    let page = format!("<a href=x>{}<title>late</title><a href=y>", "text ".repeat(2 << 20));
    let base = LawBase::new(None);
    let titles = |found: &[LinkBuf]| found.iter().map(|link| link.page_title.clone()).collect::<Vec<_>>();
    assert_eq!(titles(&in_memory(&mut pages, &base, page.as_bytes(), None)), ["late", "late"]);
    let mut found = Vec::new();
    let mut each = |link: relref_links::html::Link<'_>| {
        found.push(LinkBuf::from(link));
        Ok(())
    };
    pages.links_from_file(Cursor::new(&page), None, &base, &mut each).unwrap();
    pages.links_from(page.as_bytes(), None, &base, each).unwrap();
    assert_eq!(titles(&found), ["late", "late", "", ""]);
}

#[test]
fn language_and_media_query_are_those_of_the_element() {
    let facts = |page: &str| -> Vec<[String; 3]> {
        let found = links(page.as_bytes(), None);
        let mut pages = Pages::new();
        pages.options.max_text = 100;
        // Also of links that wait for their text.
        let waited = in_memory(&mut pages, &LawBase::new(None), page.as_bytes(), None);
        let facts = |link: LinkBuf| [link.reference, link.hreflang, link.media];
        let found: Vec<_> = found.into_iter().map(facts).collect();
        assert_eq!(waited.into_iter().map(facts).collect::<Vec<_>>(), found);
        found
    };
    for (page, expected) in [
        ("<a href=x HREFLANG=de-CH>", &["x", "de-CH", ""][..]),
        ("<a hreflang=a href=x ping=y hreflang=b><img src=z></a>", &["x", "a", "", "y", "a", "", "z", "", ""]),
        ("<area href=x hreflang=' de '>", &["x", " de ", ""]),
        ("<link href=x rel=stylesheet media='print, (x&lt;1)'>", &["x", "", "print, (x<1)"]),
        ("<source srcset='x, y 2x' media=m>", &["x", "", "m", "y", "", "m"]),
        (
            "<style media=é>@import 'x'; a{b:url(y)}</style><style>@import 'z'</style>",
            &["x", "", "é", "y", "", "é", "z", "", ""],
        ),
        ("<style media=a></style><style>@import 'x'</style>", &["x", "", ""]),
        (
            "<style media=a type=text/css><!-- @import 'x'</style><svg><style media=s>@import 'y'</style>",
            &["x", "", "a", "y", "", "s"],
        ),
        ("<style media=a type=b>@import 'x'</style><style>@import 'y'</style>", &["y", "", ""]),
        ("<svg><style media=no /></svg><style>@import 'x'</style>", &["x", "", ""]),
        (
            "<svg><style media=s>@import 'x';<![CDATA[@import 'y']]></style><style>@import 'z'",
            &["x", "", "s", "y", "", "s", "z", "", ""],
        ),
        ("<a hreflang=de><a href=x>", &["x", "", ""]),
    ] {
        assert_eq!(facts(page).concat(), expected, "{page}");
    }
    let page = format!("<a hreflang='{0}' media='{0}' href=x>", "é".repeat(600));
    assert_eq!(facts(&page), [[String::from("x"), "é".repeat(32), "é".repeat(512)]]);
}

/// The media query of a `style` that is too long to be read is not that of the next one.
#[test]
fn a_style_that_is_left_out_leaves_nothing() {
    let long = "/**/".repeat(3 << 20);
    for page in [
        format!("<style media=no>@import 'a';{long}</style><style>@import 'x'</style>"),
        format!("<svg><style media=no>@import 'a';{long}</style></svg><style>@import 'x'</style>"),
    ] {
        let mut found = Vec::new();
        let done = Pages::new().links_from(page.as_bytes(), None, &LawBase::new(None), |link| {
            found.push(LinkBuf::from(link));
            Ok(())
        });
        assert!(done.is_err());
        assert_eq!((found.len(), found[0].reference.as_str(), found[0].media.as_str()), (1, "x", ""));
    }
}

#[test]
fn fields_have_them_as_parameters() {
    let value = "<a>; rel=alternate; HREFLANG=de; hreflang=fr; media=\"screen, print\"; media=no, <b>";
    let found = field_links("Link", value, "http://h/").unwrap();
    let facts: Vec<_> = found.iter().map(|link| [&*link.rel, &*link.hreflang, &*link.media]).collect();
    assert_eq!(facts, [["alternate", "de", "screen, print"], ["", "", ""]]);
    assert!(found.iter().all(|link| link.page_charset.is_none()));
}
