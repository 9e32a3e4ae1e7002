//! Laws that hold for every page, under every character encoding and every option. The fuzz target checks them, too.

use std::io::{Cursor, Read, Seek};

use relref::{Base, UriRef, whatwg};
use relref_links::html::{self, Kind, Link, LinkBuf, PageBase, Pages, Rejected};

/// The URI of the page in these laws.
pub const URI: &str = "http://h/a/b?q#f";

/// The base of the page in these laws, by the rules of a document or by browsers' rules.
pub enum LawBase {
    Rules(Base),
    Whatwg(whatwg::Base),
}

impl LawBase {
    /// Returns the base by the rules of a document, or by browsers' rules for `None`.
    pub fn new(rules: Option<relref::Rules>) -> Self {
        match rules {
            Some(rules) => LawBase::Rules(Base::new(URI, rules).unwrap()),
            None => LawBase::Whatwg(whatwg::Base::new(URI).unwrap()),
        }
    }

    fn resolve(&self, reference: &str) -> Result<String, Rejected> {
        match self {
            LawBase::Rules(base) => Ok(base.resolve(reference).into_string()),
            LawBase::Whatwg(base) => base.resolve(reference).map_err(Rejected::Invalid),
        }
    }
}

impl<'b> From<&'b LawBase> for PageBase<'b> {
    fn from(base: &'b LawBase) -> Self {
        match base {
            LawBase::Rules(base) => base.into(),
            LawBase::Whatwg(base) => base.into(),
        }
    }
}

/// Returns the character encoding that a label names. Returns `None` if there is no label, or if it is unknown.
pub fn charset_of(label: Option<&str>) -> Option<&'static encoding_rs::Encoding> {
    html::charset(label?).ok()
}

/// Returns the links of a page that is read in memory.
pub fn in_memory(pages: &mut Pages, base: &LawBase, page: &[u8], charset: Option<&str>) -> Vec<LinkBuf> {
    let mut found = Vec::new();
    pages.links(page, charset_of(charset), base, |link| found.push(link.into()));
    found
}

/// Returns the links of a page that is read as a stream.
pub fn streamed(pages: &mut Pages, base: &LawBase, page: impl Read + Seek, charset: Option<&str>) -> Vec<LinkBuf> {
    let mut found = Vec::new();
    let each = |link: Link<'_>| {
        found.push(link.into());
        Ok(())
    };
    pages.links_from(page, charset_of(charset), base, each).unwrap();
    found
}

/// Checks all laws. `page` is the page in memory. `in_chunks` returns the same page as a stream that gives few bytes at a time.
/// `limits` are values for `max_uri` and `max_total`, in bytes.
pub fn check<S: Read + Seek>(
    pages: &mut Pages,
    base: &LawBase,
    page: &[u8],
    charset: Option<&str>,
    limits: (usize, u64),
    in_chunks: impl Fn() -> S,
) {
    let links = in_memory(pages, base, page, charset);
    // Buffers kept from one page do not change the next.
    assert_eq!(in_memory(pages, base, page, charset), links);
    assert_eq!(streamed(pages, base, Cursor::new(page), charset), links);
    assert_eq!(streamed(pages, base, in_chunks(), charset), links);
    links.iter().for_each(check_link);

    if !pages.options.lazy && !pages.options.items && !pages.options.legacy_queries && charset.is_none() {
        let listed = html::links(page, base).unwrap();
        let without_text = |mut link: LinkBuf| {
            link.text.clear();
            link
        };
        assert_eq!(listed.map(without_text).collect::<Vec<_>>(), links);
    }
    // Without the letters of `base` and `codebase`, and marks of UTF-16, links are relative to the page.
    let lower = page.to_ascii_lowercase();
    let has = |part: &[u8]| lower.windows(part.len()).any(|window| window == part);
    let may_have_base = [&b"base"[..], b"&", b"\xff\xfe", b"\xfe\xff"].into_iter().any(has);
    if charset.is_none() && !pages.options.legacy_queries && !may_have_base {
        for link in &links {
            assert_eq!(base.resolve(&link.reference), link.rejected.map_or_else(|| Ok(link.uri.clone()), Err));
        }
    }

    pages.options.max_text = 1 + limits.0;
    let mut with_texts = in_memory(pages, base, page, charset);
    assert_eq!(streamed(pages, base, in_chunks(), charset), with_texts);
    for link in &mut with_texts {
        let words: Vec<&str> = link.text.split_ascii_whitespace().collect();
        assert_eq!(link.text, words.join(" "));
        assert!(link.text.len() <= pages.options.max_text, "{link:?}");
        link.text.clear();
    }
    assert_eq!(with_texts, links);
    pages.options.max_text = 0;

    (pages.options.max_uri, pages.options.max_total) = limits;
    let limited = in_memory(pages, base, page, charset);
    assert_eq!(streamed(pages, base, in_chunks(), charset), limited);
    check_limits(limits, &limited, &links);
}

/// Checks the laws of one link.
fn check_link(link: &LinkBuf) {
    assert!(UriRef::new(&link.uri).scheme().is_some(), "{link:?}");
    assert_eq!(link.reference.trim_matches(|c| c <= ' '), link.reference);
    assert!(!link.reference.contains(['\t', '\n', '\r']), "{link:?}");
    assert!(!link.element.bytes().chain(link.attribute.bytes()).any(|byte| byte.is_ascii_uppercase()), "{link:?}");
    assert_eq!(link.kind.to_string().parse(), Ok(link.kind));
    assert!(Kind::ALL.contains(&link.kind));
    let _ = (link.nofollow(), link.is_fetchable());
}

/// Checks that limits keep URIs from being built, and change nothing else. `limited` are the links of a page with the limits, and
/// `all` those without.
fn check_limits((max_uri, mut rest): (usize, u64), limited: &[LinkBuf], all: &[LinkBuf]) {
    assert_eq!(limited.len(), all.len());
    for (link, unlimited) in limited.iter().zip(all) {
        if link.rejected.is_none() {
            assert_eq!(link, unlimited);
            assert!(link.uri.len() <= max_uri, "{link:?}");
            rest = rest.checked_sub(link.uri.len() as u64).expect("the URIs together are within the limit");
        } else {
            assert_eq!(UriRef::new(&link.uri).scheme().map(|scheme| scheme.len() + 1), Some(link.uri.len()));
            assert_eq!(&link.reference, &unlimited.reference);
        }
    }
}
