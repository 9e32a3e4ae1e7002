//! Tests of chunks: what waits, what is left out, and errors.

use std::io::ErrorKind;

use encoding_rs::UTF_8;
use relref::{Base, Rules};

use super::*;
use crate::html::{Link, Pages};

/// A reader of pages that wait for a late `base`.
fn waiting() -> Pages {
    Pages::with(Options { late_base: true, ..Options::default() })
}

/// Reads a page in these chunks. Returns the references after each chunk, and at the end.
fn references(chunks: &[&str]) -> (Vec<String>, io::Result<()>) {
    let base = Base::new("http://h/", Rules::RFC3986).unwrap();
    let mut pages = waiting();
    let mut page = pages.start(&base).charset(Some(UTF_8));
    let mut found = Vec::new();
    for chunk in chunks {
        let mut now = String::new();
        page.push(chunk, |link| now = format!("{now} {}", link.uri));
        found.push(now);
    }
    let mut now = String::new();
    let done = page.finish(|link| now = format!("{now} {}", link.uri));
    found.push(now);
    (found, done)
}

#[test]
fn links_come_when_they_are_certain() {
    let start = " ".repeat(PRESCAN_LEN) + "<base href=/b/><a href=x>";
    for (chunks, expected) in [
        (&[&*start, "<a href=y", "><a>"][..], &[" http://h/b/x", "", " http://h/b/y", ""][..]),
        (&[&start[5..], "<style>url(y)</", "style>"], &[" http://h/b/x", "", " http://h/b/y", ""]),
        (&["<a href=y>", &start, "<a href=z"], &["", " http://h/b/y http://h/b/x", "", ""]),
        (&["<a href=y>", "x".repeat(2000).as_str(), "<!--", "<base>"], &["", "", "", "", " http://h/y"]),
        (&["<", &" ".repeat(2000), "<b", "ase href=/b/><a href=x>"], &["", "", "", " http://h/b/x", ""]),
        (&[&start, "<script><a href=", "x></scri", "pt><a href=y>"], &[" http://h/b/x", "", "", " http://h/b/y", ""]),
    ] {
        let (found, done) = references(chunks);
        assert_eq!(found, expected, "{chunks:?}");
        done.unwrap();
    }
}

/// Pushes a page with a head of 1 KiB in chunks of `len` bytes. Returns the number of bytes before the first link.
fn len_before_link(page: &str, len: usize) -> usize {
    let base = Base::new("http://h/", Rules::RFC3986).unwrap();
    let mut pages = Pages::new();
    let (mut page_in_chunks, mut pushed, mut first) = (pages.start(&base), 0, None);
    for chunk in page.as_bytes().chunks(len) {
        pushed += chunk.len();
        page_in_chunks.push(chunk, |_| _ = first.get_or_insert(pushed));
    }
    page_in_chunks.finish(|_| {}).unwrap();
    first.unwrap_or(usize::MAX)
}

#[test]
fn a_page_without_a_base_does_not_wait_for_its_end() {
    let head = |inner: &str| format!("<!DOCTYPE html><html><head>{inner}{}", " ".repeat(1024 - inner.len()));
    let body = "<p>words <a href=x>link</a> words</p>\n".repeat(16_000);
    for (start, end) in [
        ("<title>t</title><link rel=stylesheet href=s.css>", "</head><body>"),
        ("<meta charset=utf-8><title>t</title>", "<body>"),
        ("<title>t</title><style>p { color: red }</style><script>let a = '<body>';</script>", ""),
        ("<noscript><img src=pixel></noscript><template><p></template>", "</head>"),
        ("<noscript>", "<body>"),
    ] {
        let page = head(start) + end + &body;
        for len in [1, 100, 1400, 4096] {
            let before = len_before_link(&page, len);
            assert!(before <= 4096, "{before} {len} {start}");
        }
    }
}

#[test]
fn a_base_shortly_after_the_head_counts() {
    let links = " <a href=x>".repeat(300);
    for (spaces, expected, is_late) in
        [(0, "http://h/b/x", false), (900, "http://h/b/x", false), (1100, "http://h/x", true)]
    {
        let page = format!("<head></head><body><a href=x>{}<base href=/b/>{links}", " ".repeat(spaces));
        let (mut found, base) = (Vec::new(), Base::new("http://h/", Rules::RFC3986).unwrap());
        let done = Pages::new().links_from(page.as_bytes(), None, &base, |link| {
            found.push(link.uri.to_owned());
            Ok(())
        });
        assert_eq!((found[0].as_str(), done.is_err()), (expected, is_late), "{spaces}");
    }
}

#[test]
fn what_is_declared_too_late_is_an_error_after_links() {
    let text = "x".repeat(MAX_TAG_LEN + 1);
    for (page, expected, is_late) in [
        (["<a href=x>", &text, "<base href=/b/><a href=y>"], " http://h/x http://h/y", true),
        (["", &text, "<base href=/b/><a href=y>"], " http://h/b/y", false),
        (["<a href=x>", &text, "<meta charset=koi8-r>"], " http://h/x", false),
    ] {
        let (found, done) = references(&page);
        assert_eq!((found.concat().as_str(), done.is_err()), (expected, is_late));
    }
    let base = Base::new("http://h/", Rules::RFC3986).unwrap();
    let text = "x".repeat(MAX_TAG_LEN + 2 * CHUNK_LEN);
    for (start, is_late) in [("", false), ("<a href=x>", true)] {
        let page = [start.as_bytes(), text.as_bytes(), b"<meta charset=koi8-r><a href='\xc1'>"].concat();
        let mut last = String::new();
        let done = waiting().links_from(&*page, None, &base, |link| {
            last = link.reference.to_owned();
            Ok(())
        });
        assert_eq!((last.as_str(), done.is_err()), (if is_late { "\u{FFFD}" } else { "а" }, is_late));
    }
}

#[test]
fn tags_and_style_sheets_that_are_too_long_are_left_out() {
    let long = "x".repeat(MAX_TAG_LEN + CHUNK_LEN);
    for (start, end, expected) in [
        ("<a href='", "'><a href=y>", &["y"][..]),
        ("<a title=", " href=x><a href=y>", &["y"]),
        ("<script ", "><a href=x></script><a href=y>", &["y"]),
        ("<script a='>", "'\n/b = \"'>\"c=></x='>'><a href=x></script><a href=y>", &["y"]),
        ("<", " href=x><a href=y>", &["y"]),
        ("<", "b='><a href=y>", &["y"]),
        ("<svg x=", "/><a href=y>", &["y"]),
        ("<svg x=", " /><script>'<a href=x>'</script><a href=y>", &["y"]),
        ("<style>url(a)", "</style><a href=y>", &["y"]),
        ("<svg><style>url(a)", "<a xlink:href=y>", &["y"]),
        ("<svg><style><!--", "--> url(a)</style><a xlink:href=y>", &["y"]),
    ] {
        let page = [start, &long, end].concat();
        let base = Base::new("http://h/", Rules::RFC3986).unwrap();
        let mut found = Vec::new();
        let each = |link: Link<'_>| {
            found.push(link.reference.to_owned());
            Ok(())
        };
        let error = Pages::new().links_from_file(io::Cursor::new(&page), None, &base, each).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert_eq!(found, expected, "{start}");
    }
}

/// Pages that are decoded before they are scanned, cut inside of characters.
#[test]
fn decoded_pages_have_the_same_links_in_chunks() {
    let base = Base::new("http://h/", Rules::RFC3986).unwrap();
    let text = format!("<basefont>{}<script>abcd</script><base href=/b/><a href=x><a href='日'>", "x".repeat(600));
    let utf_16: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for at in 1..utf_16.len() {
        let mut pages = waiting();
        let (mut page, mut found) = (pages.start(&base), Vec::new());
        for chunk in [&utf_16[..at], &utf_16[at..]] {
            page.push(chunk, |link| found.push(link.uri.to_owned()));
        }
        page.finish(|link| found.push(link.uri.to_owned())).unwrap();
        assert_eq!(found, ["http://h/b/x", "http://h/b/日"], "{at}");
    }
    let mut pages = Pages::new();
    let mut page = pages.start(&base);
    for chunk in ["<script><meta charset=iso-2022-jp></script><meta charset=windows-1251>", &text, "<a href=y>"] {
        page.push(chunk, |_| {});
    }
    page.finish(|_| {}).unwrap();
}

#[test]
fn a_page_that_was_dropped_leaves_nothing() {
    let base = Base::new("http://h/", Rules::RFC3986).unwrap();
    let mut pages = Pages::new();
    pages.options.max_text = 9;
    for start in ["<a href=old>", "<!-- ", "<a title='", "<svg><style>"] {
        let dropped = |pages: &mut Pages| {
            let mut page = pages.start(&base).charset(Some(UTF_8));
            page.push(start, |_| {});
            page.push(" ".repeat(2000) + "<base href=/a/>" + start, |_| {});
        };
        let mut found = Vec::new();
        dropped(&mut pages);
        pages.links("<a href=new><base href=/b/>", None, &base, |link| found.push(link.uri.to_owned()));
        dropped(&mut pages);
        let each = |link: Link<'_>| {
            found.push(link.uri.to_owned());
            Ok(())
        };
        pages.links_from(&b"<base href=/c/><a href=new>"[..], None, &base, each).unwrap();
        assert_eq!(found, ["http://h/b/new", "http://h/c/new"], "{start}");
    }
}

#[test]
fn a_page_that_is_resumed_for_each_chunk_has_the_same_links() {
    let base = Base::new("http://h/", Rules::RFC3986).unwrap();
    let html = "<base href=/a/></head>".to_owned()
        + &" ".repeat(1100)
        + "<!-- <a href=no> --><script><a href=no></script><a href=x>";
    let xml = "<html xmlns='http://www.w3.org/1999/xhtml'><head><title/></head>".to_owned()
        + &" ".repeat(1100)
        + "<a href='x'/><script/><g><a href='y'/><![CDATA[<a href='no'/>]]></g></html>";
    let utf_16: Vec<u8> = [0xFEFF].into_iter().chain(html.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for (page, is_xml) in [(html.as_bytes(), false), (xml.as_bytes(), true), (&*utf_16, false)] {
        let (mut pages, mut expected) = (Pages::with(Options { xml: is_xml, ..Options::default() }), Vec::new());
        pages.links(page, None, &base, |link| expected.push(link.uri.to_owned()));
        assert_eq!(expected.len(), if is_xml { 2 } else { 1 });
        for at in 0..page.len() {
            let mut found = Vec::new();
            pages.start(&base).push(&page[..at], |link| found.push(link.uri.to_owned()));
            pages.resume(&base).push(&page[at..], |link| found.push(link.uri.to_owned()));
            pages.resume(&base).finish(|link| found.push(link.uri.to_owned())).unwrap();
            assert_eq!(found, expected, "{at}");
        }
    }
    // Nothing is left of the last one, or of one between two chunks.
    let (mut pages, mut found) = (Pages::new(), Vec::new());
    pages.start(&base).push("<base href=/a/><!--", |_| {});
    pages.links("", None, &base, |_| {});
    pages.resume(&base).push("<a href=x>", |link| found.push(link.uri.to_owned()));
    pages.resume(&base).finish(|link| found.push(link.uri.to_owned())).unwrap();
    pages.resume(&base).finish(|link| found.push(link.uri.to_owned())).unwrap();
    assert_eq!(found, ["http://h/x"]);
}

#[test]
fn late_facts_are_those_of_the_links_of_their_tag() {
    let base = Base::new("http://h/", Rules::RFC3986).unwrap();
    let page = "x ".repeat(MAX_TAG_LEN / 2 + CHUNK_LEN) + "<base href=/b/ style='a:url(q)'><a href=z>";
    let mut uris = Vec::new();
    let each = |link: Link<'_>| {
        uris.push(link.uri.to_owned());
        Ok(())
    };
    waiting().links_from(page.as_bytes(), None, &base, each).unwrap();
    assert_eq!(uris, ["http://h/b/q", "http://h/b/z"]);
    let mut count = 0;
    let each = |_: Link<'_>| {
        count += 1;
        Err(io::Error::from(ErrorKind::StorageFull))
    };
    let error = waiting().links_from(page.as_bytes(), None, &base, each).unwrap_err();
    assert_eq!((error.kind(), count), (ErrorKind::StorageFull, 1));
}

#[test]
fn places_at_the_end_and_of_escapes() {
    let mut pages = Pages::new();
    pages.options.places = true;
    let base = Base::new("http://h/", Rules::RFC3986).unwrap();
    let mut half: Vec<u8> = "\u{FEFF}<style>a{b:url(x".encode_utf16().flat_map(u16::to_le_bytes).collect();
    half.push(b'y');
    for (page, expected) in
        [(half.as_slice(), (32, 35)), (br"<style>url('\5c 5c')</style>", (12, 18)), (b"<x\x83A href=y>", (10, 11))]
    {
        let charset = if page.contains(&0x83) { Some(encoding_rs::SHIFT_JIS) } else { None };
        pages.links(page, charset, &base, |link| {
            let place = link.place.unwrap();
            assert_eq!((place.start, place.end), expected, "{link:?}");
            assert!(charset.is_none() || link.element == "xア");
        });
    }
    // Each character is looked at once.
    let page = format!("<a href='&amp;{}'>", "é".repeat(200_000));
    pages.links(&page, None, &base, |link| assert_eq!(link.place.unwrap().end, page.len() as u64 - 2));
}

/// A stream of spaces, at this position, that fails at the byte 2000.
struct FailingStream(u64);

impl Read for FailingStream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let len = into.len().min(2000 - self.0 as usize);
        into[..len].fill(b' ');
        self.0 += len as u64;
        if len > 0 { Ok(len) } else { Err(ErrorKind::Other.into()) }
    }
}

impl Seek for FailingStream {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if let SeekFrom::Start(at) = to {
            self.0 = at;
        }
        Ok(self.0)
    }
}

#[test]
fn an_error_of_the_stream_keeps_the_buffers() {
    let mut pages = Pages::new();
    assert!(pages.buffers.preview_stream(usize::MAX, &mut FailingStream(0), None, preview::ROBOTS).is_err());
    assert_eq!(pages.buffers.chunk.len(), 2 * CHUNK_LEN);
}
