//! Laws that hold for every page, under every character encoding and every option. The fuzz target checks them, too.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

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
pub fn streamed(pages: &mut Pages, base: &LawBase, mut page: impl Read + Seek, charset: Option<&str>) -> Vec<LinkBuf> {
    let (mut found, mut in_file): (Vec<LinkBuf>, Vec<LinkBuf>) = (Vec::new(), Vec::new());
    pages.options.late_base = true;
    let start = page.stream_position().unwrap();
    let each = |link: Link<'_>| {
        found.push(link.into());
        Ok(())
    };
    let done = pages.links_from(&mut page, charset_of(charset), base, each);
    let error = end(pages, done);
    page.seek(SeekFrom::Start(start)).unwrap();
    let each = |link: Link<'_>| {
        in_file.push(link.into());
        Ok(())
    };
    let done = pages.links_from_file(page, charset_of(charset), base, each);
    // A stream may count the bytes before an error of XML otherwise.
    let what = |error: Option<String>| error.map(|error| error.split(" at byte ").next().map(String::from));
    assert_eq!(what(end(pages, done)), what(error));
    assert_eq!(in_file, found);
    found
}

/// Returns the links of a page that is pushed in chunks of up to `most` bytes.
pub fn pushed(pages: &mut Pages, base: &LawBase, page: &[u8], charset: Option<&str>, most: usize) -> Vec<LinkBuf> {
    pages.options.late_base = true;
    let (found, done) = pushed_by_options(pages, base, page, charset, most);
    end(pages, done);
    found
}

/// Returns the links of a page that is pushed in chunks, and how it ends.
fn pushed_by_options(
    pages: &mut Pages,
    base: &LawBase,
    page: &[u8],
    charset: Option<&str>,
    most: usize,
) -> (Vec<LinkBuf>, io::Result<()>) {
    let mut found = Vec::new();
    let mut reading = pages.start(base).charset(charset_of(charset));
    let mut rest = page;
    for len in (1..=most).cycle() {
        let (chunk, after) = rest.split_at(len.min(rest.len()));
        reading.push(chunk, |link| found.push(link.into()));
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    let done = reading.finish(|link| found.push(link.into()));
    (found, done)
}

/// Checks that the links that do not wait for a late `base` are the same in all chunks, and those in memory unless an error says
/// otherwise. A character encoding that is only guessed may be another one.
fn check_early(pages: &mut Pages, base: &LawBase, page: &[u8], charset: Option<&str>, links: &[LinkBuf]) {
    pages.options.late_base = false;
    let (early, done) = pushed_by_options(pages, base, page, charset, page.len().max(1));
    for most in [7, 400] {
        let (other, other_done) = pushed_by_options(pages, base, page, charset, most);
        assert_eq!(other, early, "{} {most}", page.escape_ascii());
        assert_eq!(other_done.is_ok(), done.is_ok());
    }
    let is_guessed = charset.is_none() && std::str::from_utf8(page).is_err();
    if done.is_ok() && !is_guessed && !pages.options.title {
        assert_eq!(early, links, "{}", page.escape_ascii());
    }
}

/// Returns the error of a page, which only XML has.
fn end(pages: &Pages, done: io::Result<()>) -> Option<String> {
    assert!(pages.options.xml || done.is_ok(), "{done:?}");
    done.err().map(|error| error.to_string())
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
    pages.options.rejected = true;
    let links = in_memory(pages, base, page, charset);
    // Buffers kept from one page do not change the next.
    assert_eq!(in_memory(pages, base, page, charset), links);
    assert_eq!(streamed(pages, base, Cursor::new(page), charset), links);
    assert_eq!(streamed(pages, base, in_chunks(), charset), links);
    assert_eq!(pushed(pages, base, page, charset, 30), links);
    check_early(pages, base, page, charset, &links);
    links.iter().for_each(check_link);

    pages.options.places = true;
    let placed = in_memory(pages, base, page, charset);
    assert_eq!(pushed(pages, base, page, charset, 9), placed);
    assert_eq!(streamed(pages, base, in_chunks(), charset), placed);
    check_places(pages, base, page, charset, &placed);
    pages.options.places = false;
    let without_place = |link: &LinkBuf| {
        let mut link = link.clone();
        link.place = None;
        link
    };
    assert_eq!(placed.iter().map(without_place).collect::<Vec<_>>(), links);

    if !pages.options.xml
        && !pages.options.title
        && !pages.options.lazy
        && !pages.options.items
        && !pages.options.legacy_queries
        && charset.is_none()
    {
        let listed = html::links(page, base).unwrap();
        let as_asked = |mut link: LinkBuf| {
            link.text.clear();
            link.place = link.place.filter(|_| pages.options.places);
            link
        };
        let resolved = links.iter().filter(|link| link.rejected.is_none()).cloned();
        assert_eq!(listed.into_iter().map(as_asked).collect::<Vec<_>>(), resolved.collect::<Vec<_>>());
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

/// A page with its byte order mark and character encoding, as far as they are certain.
fn encoding(page: &[u8], charset: Option<&str>) -> Option<(&'static encoding_rs::Encoding, usize)> {
    encoding_rs::Encoding::for_bom(page).or(Some((charset_of(charset)?, 0)))
}

/// Checks that other bytes at the place of a reference are the new reference, and change no other link.
fn check_places(pages: &mut Pages, base: &LawBase, page: &[u8], charset: Option<&str>, links: &[LinkBuf]) {
    assert!(links.iter().all(|link| link.inner.is_empty() == (link.attribute != "srcdoc")));
    let places = || links.iter().filter_map(|link| link.place);
    assert!(places().is_sorted_by_key(|place| place.start));
    for place in places() {
        assert!(place.start <= place.end && place.end <= page.len() as u64, "{place:?}");
    }
    // Otherwise other bytes could declare another one.
    let Some((encoding, bom_len)) = encoding(page, charset) else { return };
    for (number, link) in links.iter().enumerate().take(12) {
        let Some(place) = link.place else {
            assert!(!link.inner.is_empty() || link.attribute == "text", "{link:?}");
            continue;
        };
        let (before, after) = (&page[..place.start as usize], &page[place.end as usize..]);
        let (text, _) = encoding.decode_without_bom_handling(&before[bom_len..]);
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let line = text.rsplit('\n').next().unwrap();
        let expected = (text.split('\n').count() as u64, line.chars().count() as u64 + 1);
        assert_eq!((place.line, place.column), expected, "{link:?}");
        assert_eq!(place.column_utf16, line.encode_utf16().count() as u64 + 1, "{link:?}");

        if link.reference.is_empty() {
            continue;
        }
        let written = &page[place.start as usize..place.end as usize];
        // At the end of all bytes, GB 18030 forgets digits that it keeps before another character.
        let is_gb = encoding.name().to_ascii_lowercase().starts_with("gb");
        let written = [written, if is_gb { b"\x0C" } else { b"" }].concat();
        let written = encoding.decode_without_bom_handling(&written).0;
        let written = written.trim_end_matches(|c| is_gb && c == '\x0C');
        if !written.contains(['&', '\\', '\0', '\r', '\n', '\t']) {
            assert_eq!(written, link.reference);
        }
        let new = "new-reference-0";
        let is_utf_16 = encoding.name().starts_with("UTF-16");
        let new_bytes = match encoding.name() {
            "UTF-16LE" => new.bytes().flat_map(|byte| [byte, 0]).collect(),
            "UTF-16BE" => new.bytes().flat_map(|byte| [0, byte]).collect(),
            _ => new.as_bytes().to_owned(),
        };
        // Half a unit at the end is a character.
        if is_utf_16 && (place.end - place.start) % 2 == 1 {
            continue;
        }
        let edited = in_memory(pages, base, &[before, &new_bytes, after].concat(), charset);
        let facts = |links: &[LinkBuf]| {
            let fact = |link: &LinkBuf| (link.element.clone(), link.attribute.clone(), link.reference.clone());
            links.iter().map(fact).collect::<Vec<_>>()
        };
        let mut expected = facts(links);
        expected[number].2 = new.to_owned();
        assert_eq!(facts(&edited), expected, "{} {place:?}", page.escape_ascii());
    }
}

/// Checks the laws of one link.
fn check_link(link: &LinkBuf) {
    assert_eq!(UriRef::new(&link.uri).scheme().is_some(), link.rejected.is_none(), "{link:?}");
    assert_eq!(link.uri.is_empty(), link.rejected.is_some(), "{link:?}");
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
            assert!(link.uri.is_empty(), "{link:?}");
            assert_eq!(&link.reference, &unlimited.reference);
        }
    }
}
