//! Tests of chunks: what waits, what is left out, and errors.

use std::io::ErrorKind;

use relref::{Base, Rules};

use super::*;
use crate::html::Pages;

/// Reads a page in these chunks. Returns the references after each chunk, and at the end.
fn references(chunks: &[&str]) -> (Vec<String>, io::Result<()>) {
    let base = Base::new("http://h/", Rules::RFC3986).unwrap();
    let mut pages = Pages::new();
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
        let done = Pages::new().links_from(&*page, None, &base, |link| {
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
    let mut buffers = Buffers::default();
    assert!(buffers.preview_stream(&mut FailingStream(0), None, preview::ROBOTS).is_err());
    assert_eq!(buffers.chunk.len(), 2 * CHUNK_LEN);
}
