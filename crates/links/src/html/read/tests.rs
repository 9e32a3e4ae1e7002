//! Tests of reading with limits for the lengths of tags, and of errors.

use html5gum::Readable;
use relref::{Base, Rules};

use super::*;
use crate::html::tokens::emitter::LONG_NAME_LEN;

/// Reads a page as a stream, with this limit.
fn reader(page: &str, max_len: usize) -> impl FnOnce(&mut PageBuffers, &mut Reporter<'_>) -> Result<bool, Infallible> {
    move |tokens, reporter| read_page(tokens, page.to_reader(), reporter, max_len)
}

/// Reports the links of a page to a caller that fails at the reference `stop`. Returns the references, and the outcome:
/// "complete", "incomplete" if something longer than `max_len` bytes was left out, or "stopped".
fn read(page: &str, max_len: usize) -> (Vec<String>, &'static str) {
    let mut found = Vec::new();
    let mut each = |link: Link<'_>| {
        found.push(link.reference.to_owned());
        if link.reference == "stop" { Err(io::ErrorKind::Other.into()) } else { Ok(()) }
    };
    let base = Base::new("http://h/", Rules::RFC3986).unwrap();
    let preview = Preview::new(UTF_8, 0);
    let Ok(done) = Buffers::default().report(
        &Options::default(),
        reader(page, max_len),
        preview,
        PageBase::from(&base),
        &mut each,
    );
    let outcome = match done.map_err(|error| error.kind()) {
        Ok(()) => "complete",
        Err(ErrorKind::InvalidData) => "incomplete",
        Err(_) => "stopped",
    };
    (found, outcome)
}

#[test]
fn values_and_style_sheets_that_are_too_long_are_left_out() {
    for (page, references, end) in [
        ("<a href=12345678><a href=x>", &["12345678", "x"][..], "complete"),
        ("<a href=123456789><a href=x>", &["x"], "incomplete"),
        ("<a href=1234 cite=56789><a href=x>", &["1234", "x"], "incomplete"),
        ("<a title=123456789 href=x>", &["x"], "complete"),
        ("<style>url(123)</style>", &["123"], "complete"),
        ("<style>@import'123'</style><a href=x>", &["x"], "incomplete"),
    ] {
        let (found, was) = read(page, 8);
        assert_eq!((found.iter().map(String::as_str).collect::<Vec<_>>(), was), (references.to_vec(), end), "{page}");
    }
}

#[test]
fn names_that_are_too_long_are_left_out_or_cut() {
    let long = "x".repeat(LONG_NAME_LEN + 1);
    assert_eq!(read(&format!("<{long} href=x>"), 8), (vec!["x".to_owned()], "incomplete"));
    assert_eq!(read(&format!("<{long} href=x>"), 99), (vec!["x".to_owned()], "complete"));
    assert_eq!(read(&format!("<a {long}=y href=x></{long}>"), 8), (vec!["x".to_owned()], "complete"));
    // Nothing is appended after what is left out, even if it would fit.
    let (start, mut elements) = ("x".repeat(LONG_NAME_LEN - 1), Vec::new());
    let page = format!("<{start}\0{}\0 href=x>", "y".repeat(LONG_NAME_LEN));
    let mut each = |link: Link<'_>| {
        elements.push(link.element.to_owned());
        Ok(())
    };
    let base = Base::new("http://h/", Rules::RFC3986).unwrap();
    let preview = Preview::new(UTF_8, 0);
    let Ok(_) = Buffers::default().report(
        &Options::default(),
        reader(&page, LONG_NAME_LEN + 6),
        preview,
        PageBase::from(&base),
        &mut each,
    );
    assert_eq!(elements, [format!("{start}\u{fffd}yyyy")]);
    // The start of a longer name is not the name.
    assert_eq!(read("<script></scripting><a href=x>", 8), (vec![], "complete"));
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
    assert_eq!(buffers.chunks.len(), 2 * CHUNK_LEN);
}

#[test]
fn an_error_of_the_caller_stops_the_reading() {
    assert_eq!(read("<a href=x><a href=stop><a href=y>", 8), (vec!["x".into(), "stop".into()], "stopped"));
    // Even if something was left out before.
    assert_eq!(read("<a href=123456789><a href=stop>", 8), (vec!["stop".into()], "stopped"));
}
