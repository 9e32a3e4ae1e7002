//! Links of pages: the same in memory and from a stream of any pieces, under any encoding and any options.
//!
//! Input: options, label of an encoding (none if empty), line break, page.

#![no_main]

use std::io::{Cursor, Read, Seek};

use libfuzzer_sys::{Corpus, fuzz_target};
use relref::html::{self, Kind, Link, LinkBuf, Pages};
use relref::{Rules, UriRef, resolve};
use relref_fuzz::{Pieces, mix, options};

const URI: &str = "http://h/a/b?q#f";

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, rest)) = options(input) else { return Corpus::Reject };
    let line = rest.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let label = String::from_utf8_lossy(&rest[..line]);
    let charset = (line > 0).then_some(&*label);
    let page = rest.get(line + 1..).unwrap_or_default();

    let rules = if bits & 8 == 0 { Rules::ALL[(bits >> 4) as usize % 6] } else { mix(bits >> 4) };
    let mut pages = Pages::new(rules);
    (pages.lazy, pages.items, pages.legacy_queries) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0);
    let expected = in_memory(&mut pages, page, charset);
    assert_eq!(in_memory(&mut pages, page, charset), expected);
    assert_eq!(streamed(&mut pages, Cursor::new(page), charset), expected);
    assert_eq!(streamed(&mut pages, Pieces::new(page, bits >> 8, true), charset), expected);

    for link in &expected {
        assert!(UriRef::new(&link.uri).scheme().is_some(), "{link:?}");
        assert_eq!(link.reference.trim_matches(|c| c <= ' '), link.reference);
        assert!(!link.reference.contains(['\t', '\n', '\r']), "{link:?}");
        assert!(!link.element.bytes().chain(link.attribute.bytes()).any(|byte| byte.is_ascii_uppercase()), "{link:?}");
        assert_eq!(link.kind.to_string().parse(), Ok(link.kind));
        assert!(Kind::ALL.contains(&link.kind));
        let _ = (link.as_link().nofollow(), link.as_link().is_followable());
    }
    if bits & 7 == 0 && charset.is_none() {
        assert_eq!(html::links(page, URI, rules), Ok(expected.clone()));
    }
    // Without the letters of `base` and `codebase`, and marks of UTF-16, links are relative to the page.
    let lower = page.to_ascii_lowercase();
    let has = |part: &[u8]| lower.windows(part.len()).any(|window| window == part);
    if charset.is_none()
        && !pages.legacy_queries
        && ![&b"base"[..], b"&", b"\xff\xfe", b"\xfe\xff"].into_iter().any(has)
    {
        for link in &expected {
            assert_eq!(resolve(URI, &link.reference, rules).as_ref(), Ok(&link.uri));
        }
    }
    within_limits(&mut pages, page, charset, bits, &expected);
    Corpus::Keep
});

/// Checks that limits keep URIs from being built, and change nothing else.
fn within_limits(pages: &mut Pages, page: &[u8], charset: Option<&str>, bits: u32, all: &[LinkBuf]) {
    (pages.max_uri, pages.max_uris) = ((bits >> 12) as usize % 64, u64::from(bits >> 18) % 1024);
    let (most, mut left) = (pages.max_uri, pages.max_uris);
    let limited = in_memory(pages, page, charset);
    assert_eq!(streamed(pages, Pieces::new(page, bits >> 8, true), charset), limited);
    assert_eq!(limited.len(), all.len());
    for (link, unlimited) in limited.iter().zip(all) {
        match link.rejected {
            None => {
                assert_eq!(link, unlimited);
                assert!(link.uri.len() <= most, "{link:?}");
                left = left.checked_sub(link.uri.len() as u64).expect("the sum of the lengths has a limit");
            }
            Some(_) => {
                let uri = UriRef::new(&link.uri);
                assert_eq!(uri.scheme().map(|scheme| scheme.len() + 1), Some(link.uri.len()));
                assert_eq!(&link.reference, &unlimited.reference);
            }
        }
    }
}

fn in_memory(pages: &mut Pages, page: &[u8], charset: Option<&str>) -> Vec<LinkBuf> {
    let mut found = Vec::new();
    pages.links(page, charset, URI, |link| found.push(link.into())).unwrap();
    found
}

fn streamed(pages: &mut Pages, page: impl Read + Seek, charset: Option<&str>) -> Vec<LinkBuf> {
    let mut found = Vec::new();
    let each = |link: Link<'_>| {
        found.push(link.into());
        Ok(())
    };
    pages.links_from(page, charset, URI, each).unwrap();
    found
}
