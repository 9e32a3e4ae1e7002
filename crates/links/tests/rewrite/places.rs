//! How new references are written in their places.

use quickcheck::quickcheck;
use relref::crawl::Normalizer;
use relref::whatwg::Base;
use relref_links::html::charset;
use relref_links::rewrite::{Mapping, Mode, Rewriter};

use super::laws::{CASES, URIS, check, check_sheet};
use crate::html::stream::Soup;

fn check_all(page: &[u8], label: Option<&str>) {
    let charset = label.map(|label| charset(label).unwrap());
    for uri in URIS {
        let base = Base::new(uri).unwrap();
        for case in CASES {
            check(page, charset, &base, case);
        }
    }
}

#[test]
fn laws_hold_in_every_place() {
    for page in [
        "<a href=x>x</a><a href='x y'>",
        "<a href=x/><a href=/x?a=1&amp;b=2><a href='?a&copy=1&copy'>",
        "<img srcset='a, b 2x,,c 3x, ,x 4x'><img srcset=a,b><img srcset='x,y 1x'>",
        "<meta http-equiv=refresh content='1;x'><meta http-equiv=refresh content='1; url=x'>",
        "<meta http-equiv=refresh content=\"1;url='x'\"><meta http-equiv=refresh content=1;x>",
        "<p style='background:url(x)'><p style=\"background:url('x')\"><p style=background:url(x)>",
        "<style>a{b:url( x )} @import 'y'; c{d:url(\"z\\)\")}</style>",
        "<svg><style>a{b:url(x)}</style><a xlink:href='#f'/><path fill='url(#a)'/></svg>",
        "<base href='/d/'><a href=x><form action=''><form action=x><a href=''><a href='#f'><img src=''>",
        "<base href='http://other/'><a href=x><a href=http://h/a/c><form action=''>",
        "<object codebase=cb/ data=x archive='a b'></object><applet codebase=/cb archive='a,b'>",
        "<a ping='x  y z' href='//o/x'><a href='mailto:x@y'><a href='javascript:x'><a href='{{x}}'>",
        "<a href><a href=><a href= ><a href=\"\"><a href=' &#32;x&#32 '><a href='&#32x'>",
        "<iframe srcdoc='<a href=x>'></iframe><a href='http://h:x/'>",
        "<a href='http://H/a/c'><a href='http:c'><a href='/a/b'><a href='../../x'><a href='./'><a href='.'>",
        "<a href='/a//b'><a href='//h//b'><a href='/.//b'>",
        "<div data-bg='x'><div data-bg='url(x)'><img data-srcset='x 2x' data-src=x>",
    ] {
        check_all(page.as_bytes(), None);
        check_all(page.as_bytes(), Some("utf-16le"));
        let utf_16: Vec<u8> = page.encode_utf16().flat_map(u16::to_be_bytes).collect();
        check_all(&[b"\xFE\xFF", &*utf_16].concat(), None);
        for charset in ["windows-1251", "shift_jis", "euc-kr", "iso-2022-jp", "gb18030"] {
            check_all(page.as_bytes(), Some(charset));
        }
    }
}

quickcheck! {
    fn laws_hold_for_any_page(soup: Soup, case: usize, uri: usize) -> bool {
        let case = &CASES[case % CASES.len()];
        let base = Base::new(URIS[uri % URIS.len()]).unwrap();
        let charset = soup.charset.and_then(|label| charset(label).ok());
        check(&soup.page, charset, &base, case);
        check_sheet(&soup.page, charset, &base, case);
        true
    }
}

/// `\n`, `\t`, `\0`, `\\` and `\xHH` are bytes; the rest is UTF-8.
fn bytes(field: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = field.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let (byte, len) = match (byte, after) {
            (b'\\', [b'x', high, low, ..]) => {
                (u8::from_str_radix(std::str::from_utf8(&[*high, *low]).unwrap(), 16).unwrap(), 3)
            }
            (b'\\', [b'n', ..]) => (b'\n', 1),
            (b'\\', [b't', ..]) => (b'\t', 1),
            (b'\\', [b'0', ..]) => (0, 1),
            (b'\\', [b'\\', ..]) => (b'\\', 1),
            (byte, _) => (byte, 0),
        };
        out.push(byte);
        rest = &rest[len..];
    }
    out
}

/// A mode, and after each `+` something else.
fn mapping(text: &str) -> Mapping {
    let mut parts = text.split('+');
    let mode = match parts.next().unwrap() {
        "absolute" => Mode::Absolute,
        "relative" => Mode::Relative,
        "root" => Mode::Rooted,
        other => panic!("{other}"),
    };
    parts.fold(Mapping::new(mode), |mapping, part| match part.split_once('=') {
        Some((old, new)) => mapping.map(old, new).unwrap(),
        None if part == "safe" => mapping.normalize(Some(Normalizer::safe())),
        None => mapping.keep_fragments(part == "fragments"),
    })
}

#[test]
fn laws_hold_in_style_sheets() {
    // A byte of an escape sequence that ends what is no character.
    let base = Base::new("http://h/a/b").unwrap();
    check_sheet(b"@import'\x81\x1B'\0", charset("euc-kr").ok(), &base, &CASES[0]);
    // A digit in what is no character, after that digit.
    check_sheet(b"0\x920e\na{b:url(s)}", charset("gb18030").ok(), &base, &CASES[0]);
    check_sheet(b"0\x920\nurl(", charset("gb18030").ok(), &base, &CASES[0]);
    for sheet in [
        "@charset \"windows-1251\"; a{b:url( x )} @import 'y'; c{d:url(\"z\\)\")}",
        "a{b:image-set('x' 1x, url(y) 2x)} @namespace url(n); c{d:url(#f)} e{f:url( \\1 f)} g{h:url('",
        "@import 'é\\\n.css' screen; a{b:url(\\66\\6f o \\20 )}",
    ] {
        for uri in URIS {
            let base = Base::new(uri).unwrap();
            for case in CASES {
                check_sheet(sheet.as_bytes(), None, &base, case);
                let utf_16: Vec<u8> = sheet.encode_utf16().flat_map(u16::to_le_bytes).collect();
                check_sheet(&utf_16, charset("utf-16le").ok(), &base, case);
                check_sheet(sheet.as_bytes(), charset("shift_jis").ok(), &base, case);
            }
        }
    }
}

#[test]
fn a_reference_is_written_as_its_place_needs_it() {
    let base = Base::new("http://h/a/b?q#g").unwrap();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for line in include_str!("../../../../tests/vectors/rewrite.tsv").lines().skip(1) {
        let [mode, label, page, expected, _] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let charset = charset(label).ok();
        let (page, expected) = (bytes(page), bytes(expected));
        let mut rewriter = Rewriter::from(mapping(mode));
        let found = match is_feed(&page) {
            false => rewriter.html(&page, charset, &base).into_owned(),
            #[cfg(feature = "feeds")]
            true => {
                let mut found = Vec::new();
                rewriter.feed_from(&page[..], charset, &base, &mut found).unwrap();
                found
            }
            #[cfg(not(feature = "feeds"))]
            true => continue,
        };
        if found != expected {
            wrong.push(format!("{line}\nfound {}", found.escape_ascii()));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 60, "{count}");
}

/// Of rows in UTF-16, too.
fn is_feed(page: &[u8]) -> bool {
    let start: Vec<u8> = page.iter().copied().filter(|byte| *byte != 0).take(7).collect();
    [&b"<rss>"[..], b"<feed", b"<urlset"].iter().any(|root| start.starts_with(root))
}

/// The references after the rewriting, without the empty ones that nothing holds.
fn targets(page: &[u8], base: &Base) -> String {
    let mut found = Vec::new();
    if is_feed(page) {
        #[cfg(feature = "feeds")]
        found.extend(relref_links::feeds::links(page, base).unwrap().map(|link| link.unwrap().reference));
    } else {
        let options = relref_links::html::Options { lazy: true, ..Default::default() };
        relref_links::html::Pages::with(options).links(page, None, base, |link| found.push(link.reference.to_owned()));
    }
    found.join(" ")
}

/// The targets in tests of others, except where they differ for a reason.
#[test]
fn links_have_the_targets_that_others_expect() {
    let (mut wrong, mut count, mut differences) = (Vec::new(), 0, 0);
    for line in include_str!("../../../../tests/vectors/rewrite-peers.tsv").lines().skip(1) {
        let [_, mode, uri, page, expected, difference] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let base = Base::new(uri).unwrap();
        let options = relref_links::html::Options { lazy: true, ..Default::default() };
        let mut rewriter = Rewriter::from(mapping(mode)).options(options);
        let new = match is_feed(page.as_bytes()) {
            false => rewriter.html(page, None, &base).into_owned(),
            #[cfg(feature = "feeds")]
            true => {
                let mut new = Vec::new();
                rewriter.feed_from(page.as_bytes(), None, &base, &mut new).unwrap();
                new
            }
            #[cfg(not(feature = "feeds"))]
            true => continue,
        };
        let found = targets(&new, &base);
        // Also a difference that is no more is told.
        if (found == expected) != difference.is_empty() {
            wrong.push(format!("{line}\nfound {found}"));
        }
        count += 1;
        differences += usize::from(!difference.is_empty());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 75 && differences < 12, "{count} {differences}");
}
