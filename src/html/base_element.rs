//! The `base` element: whether a page may have one, and the URI that it gives the page.

use alloc::string::String;
use std::io::{self, Read};

use memchr::memmem;

use super::page_base::PageBase;
use super::utf8_reader::read_some;
use crate::uri::UriRef;

/// Returns the URI of a `base` element; `None` if no reference can be relative to it (HTML §4.2.3, "set the frozen base URL").
pub(super) fn uri(href: &str, document: PageBase<'_>) -> Option<String> {
    let mut uri = String::new();
    document.resolve_into(href, &mut uri).ok()?;
    let scheme = UriRef::new(&uri).scheme().unwrap_or_default();
    let is_ignored = ["data", "javascript"].into_iter().any(|ignored| scheme.eq_ignore_ascii_case(ignored));
    (!is_ignored).then_some(uri)
}

/// Reports whether a page may have a `base` element: `<base` occurs in it, in any case.
pub(super) fn may_be_in(page: &[u8]) -> bool {
    let is_base = |at: usize| page.get(at + 1..at + 5).is_some_and(|name| name.eq_ignore_ascii_case(b"base"));
    memmem::find_iter(page, b"<b").any(is_base) || memmem::find_iter(page, b"<B").any(is_base)
}

/// Reports the same of a stream, through a buffer. Reads up to there.
pub(super) fn may_be_in_stream(mut page: impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    let mut kept = 0;
    loop {
        let len = kept + read_some(&mut page, &mut buffer[kept..])?;
        if len == kept {
            return Ok(false);
        }
        if may_be_in(&buffer[..len]) {
            return Ok(true);
        }
        // `<base` may be in two pieces.
        kept = len.min("<base".len() - 1);
        buffer.copy_within(len - kept..len, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use crate::{Base, whatwg};

    #[test]
    fn some_uris_are_no_bases() {
        let by_rules = Base::new("http://h/a/b", Rules::RFC3986).unwrap();
        let whatwg = whatwg::Base::new("http://h/a/b").unwrap();
        for document in [PageBase::from(&by_rules), PageBase::from(&whatwg)] {
            assert_eq!(uri("c/", document).as_deref(), Some("http://h/a/c/"));
            assert_eq!(uri("mailto:x", document).as_deref(), Some("mailto:x"));
            for href in ["data:,x", "JavaScript:x"] {
                assert_eq!(uri(href, document), None);
            }
        }
        assert_eq!(uri("http://a b/", PageBase::from(&whatwg)), None);
    }

    #[test]
    fn letters_are_found_in_any_case_and_any_pieces() {
        for (page, expected) in [
            ("<p><base>", true),
            ("x<BaSe", true),
            ("<b><Base", true),
            ("<basefont>", true),
            ("<bas", false),
            ("< base", false),
            ("base", false),
            ("", false),
        ] {
            assert_eq!(may_be_in(page.as_bytes()), expected, "{page}");
            for len in 5..page.len().max(6) {
                assert_eq!(may_be_in_stream(page.as_bytes(), &mut vec![0; len]).unwrap(), expected, "{page} {len}");
            }
        }
    }
}
