//! XHTML and SVG, which are read as XML up to the first error.

use std::io::{self, Cursor};

use encoding_rs::{EUC_KR, Encoding, WINDOWS_1252};
use quickcheck::{Arbitrary, Gen, quickcheck};
use relref::whatwg::Base;
use relref_links::html::{Link, Options, Pages};
use serde_json::Value;

use super::laws;

fn base() -> Base {
    Base::new("http://h/a/page.xhtml").unwrap()
}

fn xml_pages() -> Pages {
    Pages::with(Options { xml: true, title: true, places: true, max_text: 100, ..Options::default() })
}

type Found = (Vec<String>, Result<(), String>);

/// Appends what matters of a link.
fn add(found: &mut Vec<String>, link: &Link<'_>) {
    let Link { element, attribute, reference, text, page_title, uri, place, .. } = *link;
    found.push(format!("{element} {attribute} {reference}\t{text}\t{page_title}\t{uri}\t{place:?}"));
}

fn in_file(pages: &mut Pages, page: &[u8], charset: Option<&'static Encoding>) -> Found {
    let mut found = Vec::new();
    let each = |link: Link<'_>| {
        add(&mut found, &link);
        io::Result::Ok(())
    };
    let done = pages.links_from_file(Cursor::new(page), charset, &base(), each);
    (found, done.map_err(|error| error.to_string()))
}

fn pushed<'c>(pages: &mut Pages, chunks: impl Iterator<Item = &'c [u8]>) -> Found {
    let (base, mut found) = (base(), Vec::new());
    let mut page = pages.start(&base);
    chunks.for_each(|chunk| page.push(chunk, |link| add(&mut found, &link)));
    let done = page.finish(|link| add(&mut found, &link));
    (found, done.map_err(|error| error.to_string()))
}

/// Returns the elements, attributes and references of the links of a page, which are the same however it is read.
fn links(page: &[u8]) -> Found {
    let mut pages = xml_pages();
    let whole = in_file(&mut pages, page, None);
    for at in 0..=page.len() {
        let (before, after) = page.split_at(at);
        assert_eq!(pushed(&mut pages, [before, after].into_iter()), whole, "{:?}", String::from_utf8_lossy(page));
    }
    assert_eq!(pushed(&mut pages, page.chunks(1)), whole);
    let mut in_memory = Vec::new();
    pages.links(page, None, &base(), |link| add(&mut in_memory, &link));
    assert_eq!(in_memory, whole.0);
    let first = |link: &String| link.split('\t').next().unwrap().to_owned();
    (whole.0.iter().map(first).collect(), whole.1)
}

fn vectors() -> impl Iterator<Item = Value> {
    let lines = include_str!("../../../../tests/vectors/html/xml.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap())
}

#[test]
fn a_title_is_its_own_text() {
    let page = "<html><title>a<style>b{c:url(d)}</style><i>e</i> f</title><a href='g'/></html>";
    let (found, done) = in_file(&mut xml_pages(), page.as_bytes(), None);
    assert_eq!((found.len(), done), (2, Ok(())));
    assert!(found.iter().all(|link| link.split('\t').nth(2) == Some("a f")), "{found:?}");
    assert_eq!(links(page.as_bytes()).0, ["style text d", "a href g"]);
}

#[test]
fn pages_have_the_links_of_the_vectors() {
    for vector in vectors() {
        let page = vector["page"].as_str().unwrap();
        let expected: Vec<&str> = vector["links"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let (found, done) = links(page.as_bytes());
        assert_eq!(found, expected, "{}: {page}", vector["about"]);
        let why = vector["error"].as_str().unwrap();
        let error = done.err().unwrap_or_default();
        assert_eq!((error.is_empty(), error.contains(why)), (why.is_empty(), true), "{}: {error}", vector["about"]);
    }
}

#[test]
fn places_are_those_of_the_references() {
    for vector in vectors() {
        let page = vector["page"].as_str().unwrap();
        xml_pages().links(page, None, &base(), |link| {
            if let Some(place) = link.place {
                let written = &page[place.start as usize..place.end as usize];
                // White space is spaces, and a line break of two bytes is one.
                let written = written.replace("\r\n", " ").replace(['\t', '\n'], " ");
                assert!(written.contains('&') || written == link.reference, "{page}: {written}");
            }
        });
    }
}

#[test]
fn what_entities_replace_has_no_place() {
    let page = "<!DOCTYPE html [<!ENTITY b '/b/'>]><html><base href='&b;'/><img src='c' longdesc='&b;d'/><a href='&amp;'/></html>";
    let mut found = Vec::new();
    xml_pages().links(page, None, &base(), |link| {
        let written = link.place.map(|place| page[place.start as usize..place.end as usize].to_owned());
        found.push((link.uri.to_owned(), written));
    });
    let expected = [("http://h/b/c", Some("c")), ("http://h/b/d", None), ("http://h/b/&", Some("&amp;"))];
    assert_eq!(found, expected.map(|(uri, written)| (uri.to_owned(), written.map(str::to_owned))));
}

#[test]
fn texts_and_titles() {
    for (page, text, title) in [
        (
            "<html><title>a &amp; <![CDATA[b]]><!-- c --> d</title><a href='x'>e<![CDATA[<f>]]> <br/>g</a></html>",
            "e<f> g",
            "a & b d",
        ),
        ("<html><title/><a href='x'/>e<title>no</title></html>", "", ""),
        (
            "<x:html xmlns:x='http://www.w3.org/1999/xhtml'><x:title>a</x:title><x:a href='x'>e</x:a>f</x:html>",
            "e",
            "a",
        ),
        ("<svg><title>a</title><a href='x'><text>e</text></a></svg>", "e", ""),
    ] {
        let mut found = None;
        let all = links(page.as_bytes());
        assert_eq!((all.0.len(), all.1), (1, Ok(())), "{page}");
        xml_pages().links(page, None, &base(), |link| found = Some((link.text.to_owned(), link.page_title.to_owned())));
        assert_eq!(found, Some((text.to_owned(), title.to_owned())), "{page}");
    }
}

#[test]
fn encodings_are_those_of_the_mark_and_the_declaration() {
    let page = |label: &str| {
        let declaration =
            if label.is_empty() { String::new() } else { format!("<?xml version='1.0' encoding='{label}'?>") };
        format!("{declaration}<html><meta charset='koi8-r'/><title/><a href='한é'/></html>")
    };
    let expected = (vec!["a href 한é".to_owned()], Ok(()));
    assert_eq!(links(page("").as_bytes()), expected);
    assert_eq!(links(format!("\u{feff}{}", page("koi8-r")).as_bytes()), expected);
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        let with_mark = format!("\u{feff}{}", page("utf-16"));
        assert_eq!(links(&with_mark.encode_utf16().flat_map(order).collect::<Vec<u8>>()), expected);
        assert_eq!(links(&page("").encode_utf16().flat_map(order).collect::<Vec<u8>>()), expected);
    }
    for (charset, text) in [(EUC_KR, "한"), (WINDOWS_1252, "é")] {
        let page = page(charset.name()).replace("한é", text);
        let bytes = charset.encode(&page).0.into_owned();
        assert_eq!(links(&bytes), (vec![format!("a href {text}")], Ok(())), "{page}");
    }
    // That of HTTP counts more than the declaration.
    let (found, _) = in_file(&mut xml_pages(), page("koi8-r").as_bytes(), Some(encoding_rs::UTF_8));
    assert!(found[0].starts_with("a href 한é\t"), "{found:?}");
}

#[test]
fn what_is_too_deep_is_read_as_html() {
    for (open, close) in [("<p>", "</p>"), ("<p xmlns:a='b'>", "</p>")] {
        for (depth, is_xml) in [(200, true), (5000, false)] {
            let page = format!("<html>{}<a href='x'/>{}</html>", open.repeat(depth), close.repeat(depth));
            let (found, done) = in_file(&mut xml_pages(), page.as_bytes(), None);
            assert_eq!((found.len(), done.is_ok()), (1, is_xml), "{open} {depth}: {done:?}");
        }
    }
}

#[test]
fn a_late_base_does_not_open_its_element_twice() {
    let page = format!("<html><!-- {} --><base href='/b/'></base><a href='x'/></html>", "x".repeat(9 << 20));
    let (base, mut found) = (base(), Vec::new());
    let mut pages = xml_pages();
    let each = |link: Link<'_>| {
        found.push(link.uri.to_owned());
        Ok(())
    };
    pages.links_from(page.as_bytes(), None, &base, each).unwrap();
    assert_eq!(found, ["http://h/b/x"]);
}

/// Parts of pages that are the same in HTML and in XHTML.
#[derive(Clone, Debug)]
struct Polyglot(String);

impl Arbitrary for Polyglot {
    fn arbitrary(g: &mut Gen) -> Self {
        const PARTS: [&str; 16] = [
            "<p><a href=\"x?a&amp;b\">t &lt; <b>u</b></a></p>",
            "<img src=\"i\" alt='j' srcset='k, l 2x'/>",
            "<!-- <a href='no'> -->",
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"><g fill='url(f)'><image xlink:href='m'/><style>a{b:url(c)}</style></g></svg>",
            "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mi href='n'>o</mi></math>",
            "<style>a{b:url(d)}</style>",
            "<form action='e'><input formaction='f'/></form>",
            "<template><a href='g'>h</a></template>",
            "<iframe src='p'></iframe>",
            "<script src='q'></script>",
            "<textarea name='r'>s</textarea>",
            "<table><tr><td><a href='u'>v</a></td></tr></table>",
            "<base href='/w/'/>",
            "<title>y &amp; z</title>",
            "<blockquote cite='c'>\n text \n</blockquote>",
            "<iframe srcdoc=\"&lt;a href='z'>\"></iframe>",
        ];
        let len = usize::arbitrary(g) % 8;
        Polyglot((0..len).map(|_| *g.choose(&PARTS).unwrap()).collect())
    }
}

/// Parts of XML, most of them well-formed, inside of a root element.
#[derive(Clone, Debug)]
struct Soup(Vec<u8>);

impl Arbitrary for Soup {
    fn arbitrary(g: &mut Gen) -> Self {
        const PARTS: [&[u8]; 41] = [
            b"<a href='x'>",
            b"</a>",
            b"<a href=\"y&amp;z\"/>",
            b"<n:a xmlns:n='http://www.w3.org/1999/xhtml' href='p'>",
            b"</n:a>",
            b"<svg xmlns='http://www.w3.org/2000/svg'>",
            b"</svg>",
            b"<image l:href='i' xmlns:l='http://www.w3.org/1999/xlink'/>",
            b"<style>",
            b"</style>",
            b"a{b:url(c)}",
            b"<![CDATA[",
            b"]]>",
            b"<!--",
            b"-->",
            b"<?p",
            b"?>",
            b"<?xml-stylesheet href='s'?>",
            b"<!DOCTYPE html [<!ENTITY e 'x&#38;amp;y'>",
            b"<a id='&e;' href='&e;z' rel='&e;'/>",
            b"]>",
            b"<title>",
            b"</title>",
            b"<title/>",
            b"<base href='/b/'/>",
            b"<base href='/c/'>",
            b"</base>",
            b"<template>",
            b"</template>",
            b"&",
            b"&amp;",
            b"&#x26;",
            b"text\r\n",
            b"\xc3\xa9",
            b"\xff",
            b" ",
            b"<",
            b"<p style='a:url(b)' srcset='c, d'/>",
            b"<a href=no>",
            b"<form action='e'>",
            b"</form>",
        ];
        let len = usize::arbitrary(g) % 20;
        let mut page = if bool::arbitrary(g) { b"<html>".to_vec() } else { Vec::new() };
        page.extend((0..len).flat_map(|_| g.choose(&PARTS).unwrap().iter().copied()));
        Soup(page)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Soup))
    }
}

quickcheck! {
    fn all_laws_hold(page: Soup, title: bool, limits: (u8, u16)) -> bool {
        let mut pages = Pages::with(Options { xml: true, title, ..Options::default() });
        let limits = (usize::from(limits.0), u64::from(limits.1));
        laws::check(&mut pages, &laws::LawBase::new(None), &page.0, None, limits, || Cursor::new(&page.0));
        true
    }

    fn html_and_xml_have_the_same_links(page: Polyglot) -> bool {
        let page = format!("<html xmlns=\"http://www.w3.org/1999/xhtml\"><head></head><body>{}</body></html>", page.0);
        let mut pages = xml_pages();
        let xml = in_file(&mut pages, page.as_bytes(), None);
        pages.options.xml = false;
        let html = in_file(&mut pages, page.as_bytes(), None);
        xml.1.is_ok() && xml == html
    }
}
