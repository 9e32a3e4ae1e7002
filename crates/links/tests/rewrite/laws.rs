//! Laws that hold for every page that is rewritten, under every character encoding. The fuzz target checks them, too.

use std::ops::ControlFlow;

use encoding_rs::Encoding;
use relref::crawl::Normalizer;
use relref::whatwg::Base;
use relref_links::html::{Link, LinkBuf, LinkReceiver, Options, Pages, declared_charset};
use relref_links::rewrite::{Edit, LeftReason, Mapping, Mode, Rewriter};

/// The links of a page, with their places.
fn links(page: &[u8], charset: Option<&'static Encoding>, base: &Base) -> Vec<LinkBuf> {
    let mut found = Vec::new();
    let options = Options { places: true, lazy: true, rejected: true, ..Options::default() };
    Pages::with(options).links(page, charset, base, |link: Link<'_>| found.push(LinkBuf::from(link)));
    found
}

/// The meaning of a mapping.
#[derive(Clone, Debug)]
pub struct Case {
    pub mode: Mode,
    pub maps: &'static [(&'static str, &'static str)],
    pub keep_fragments: bool,
}

const fn case(mode: Mode, maps: &'static [(&'static str, &'static str)], keep_fragments: bool) -> Case {
    Case { mode, maps, keep_fragments }
}

pub const CASES: &[Case] = &[
    case(Mode::Absolute, &[], false),
    case(Mode::Relative, &[], false),
    case(Mode::Rooted, &[], true),
    case(Mode::Absolute, &[("http://h/", "https://new.example/x/")], false),
    case(Mode::Relative, &[("http://h/", "https://new.example/x/")], true),
    case(Mode::Rooted, &[("http://h/a/", "http://n/")], false),
    case(Mode::AsWritten, &[("http://h/a/", "http://n/")], false),
    case(Mode::AsWritten, &[("http://h/a/b", "http://h/n")], true),
];

/// Those of the pages.
pub const URIS: &[&str] = &["http://h/a/b?q#f", "http://h/a/url=k/p", "file:///C:/x/y.html", "http://h/a/it's/,x,"];

impl Case {
    pub fn mapping(&self) -> Mapping {
        let mapping = Mapping::new(self.mode).keep_fragments(self.keep_fragments);
        self.maps.iter().fold(mapping, |mapping, (old, new)| mapping.map(old, new).unwrap())
    }

    /// Naive: the pairs of these cases do not overlap, and no `old` without a slash at its end has a `new` with one.
    pub fn map(&self, uri: &str) -> String {
        let is_below =
            |old: &str, rest: &str| old.ends_with('/') || rest.is_empty() || rest.starts_with(['/', '?', '#']);
        let pair = self
            .maps
            .iter()
            .find_map(|(old, new)| Some((uri.strip_prefix(old).filter(|rest| is_below(old, rest))?, new)));
        pair.map_or(uri.to_owned(), |(rest, new)| [new, rest].concat())
    }

    /// Reports whether a URI is the mapped one: in normal form, if not as it is.
    pub fn maps(&self, old: &str, new: &str) -> bool {
        let normal = |uri: &str| Normalizer::safe().normalize(uri).map_or(uri.to_owned(), |uri| uri.to_string());
        new == self.map(old) || old.contains('%') && normal(new) == self.map(&normal(old))
    }
}

/// Asserts that bytes are equal, and shows them as text if not: to make the text each time takes longer than a law.
#[track_caller]
pub fn assert_same(found: &[u8], expected: &[u8], show: impl Fn() -> String) {
    if found != expected {
        assert_eq!(found.escape_ascii().to_string(), expected.escape_ascii().to_string(), "{}", show());
    }
}

/// Checks all laws of a page.
pub fn check(page: &[u8], charset: Option<&'static Encoding>, base: &Base, case: &Case) {
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    let options = Options { lazy: true, late_base: true, ..Options::default() };
    let mut rewriter =
        Rewriter::from(case.mapping()).options(options.clone()).each_edit(|edit| edits.push(owned(edit)));
    let new_page = rewriter.html(page, charset, base).into_owned();
    let totals = rewriter.totals;
    drop(rewriter);
    let show = || format!("{case:?}\n{}\n{}", page.escape_ascii(), new_page.escape_ascii());

    check_rest(page, charset, &new_page, &edits);

    let new_base = Base::new(case.map(base.as_str())).unwrap();
    let (old, new) = (links(page, charset, base), links(&new_page, charset, &new_base));
    let charsets = |links: &[LinkBuf]| links.first().map(|link| link.page_charset);
    let declares = |page: &[u8]| declared_charset(page).is_some();
    if charsets(&old) != charsets(&new) && charset.is_none() && !(declares(page) && declares(&new_page)) {
        // A guess is of all bytes, and those of a reference that is now US-ASCII say nothing. A `meta` in a style sheet is no element,
        // but declares an encoding as long as it stands in the first 1,024 bytes.
        return;
    }
    assert_eq!(old.len(), new.len(), "{}", show());
    let (mut rewritten, mut is_stable) = (0, true);
    for (old, new) in old.iter().zip(&new) {
        rewritten += u64::from(old.reference != new.reference);
        let is_left = is_left(old);
        if is_left {
            assert_eq!(old.reference, new.reference, "{}", show());
            is_stable &= !gains_meaning(old, new);
            continue;
        }
        let is_kept = case.keep_fragments && old.reference.starts_with('#') || may_have_name(&old.reference);
        let expected = case.map(&old.uri);
        let is_mapped = case.maps(&old.uri, &new.uri);
        if old.reference == new.reference && !is_mapped {
            assert!(is_kept || totals.left(LeftReason::Unwritable) > 0, "{old:?}\n{new:?}\n{}", show());
            continue;
        }
        assert!(is_mapped, "{} {expected} {}", new.uri, show());
        let has_base = || page.to_ascii_lowercase().windows(4).any(|bytes| bytes == b"base");
        if case.mode == Mode::AsWritten && !has_base() && means(&new_base, &old.reference, &expected) {
            assert_eq!(new.reference, old.reference, "{}", show());
        }
        if case.mode == Mode::Absolute && !is_kept && old.reference != new.reference {
            assert_eq!(new.reference, new.uri, "{}", show());
        }
    }
    assert!(rewritten <= totals.rewritten, "{} {totals:?} {}", rewritten, show());

    let again =
        Rewriter::from(case.mapping()).options(options.clone()).html(&new_page, charset, &new_base).into_owned();
    if is_stable {
        assert_same(&again, &new_page, show);
    }

    // In chunks.
    let mut chunked = Vec::new();
    let mut rewriter = Rewriter::from(case.mapping()).options(options);
    let mut rewriting = rewriter.start(base, &mut chunked).charset(charset);
    for chunk in page.chunks(7) {
        rewriting.push(chunk).unwrap();
    }
    rewriting.finish().unwrap();
    assert_same(&chunked, &new_page, show);
    assert_eq!(rewriter.totals, totals);

    let mut from_file = Vec::new();
    rewriter.html_from_file(std::io::Cursor::new(page), charset, base, &mut from_file).unwrap();
    assert_same(&from_file, &new_page, show);
}

/// Reports whether a reference without a meaning has one from the new base: `https:/100%/x` is no path on a page of another scheme.
fn gains_meaning(old: &LinkBuf, new: &LinkBuf) -> bool {
    old.rejected.is_some() && new.rejected.is_none()
}

fn means(base: &Base, reference: &str, uri: &str) -> bool {
    base.resolve(reference).is_ok_and(|resolved| resolved.as_str() == uri)
}

pub fn owned(edit: Edit<'_>) -> (usize, usize, String) {
    (edit.start as usize, edit.end as usize, edit.new.into())
}

/// Checks that the bytes between the edits are the same. The new texts are US-ASCII, so that their lengths are known.
pub fn check_rest(page: &[u8], encoding: Option<&'static Encoding>, new_page: &[u8], edits: &[(usize, usize, String)]) {
    let encoding = Encoding::for_bom(page).map_or(encoding, |(encoding, _)| Some(encoding));
    let bytes = |text: &str| match encoding.map_or("", |encoding| encoding.name()) {
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        _ => text.as_bytes().to_owned(),
    };
    let (mut at, mut rest) = (0, new_page);
    for (start, end, new) in edits {
        rest = rest.strip_prefix(&page[at..*start]).expect("the bytes before an edit stay");
        rest = rest.strip_prefix(&bytes(new)[..]).expect("the new text is written");
        if page[*start..*end].contains(&0x1B) && !page[*end..].starts_with(b"\x1B") && rest.starts_with(b"\x1B") {
            // Of ISO-2022-JP, the last escape sequence stays.
            rest = &rest[3..];
        }
        at = *end;
    }
    assert_same(rest, &page[at..], String::new);
}

/// Checks the laws of a style sheet.
pub fn check_sheet(sheet: &[u8], charset: Option<&'static Encoding>, base: &Base, case: &Case) {
    let rewrite = |sheet: &[u8], base: &Base| {
        let (mut edits, mut out) = (Vec::new(), Vec::new());
        let mut rewriter = Rewriter::from(case.mapping()).each_edit(|edit| edits.push(owned(edit)));
        rewriter.css_from(sheet, charset, base, &mut out).unwrap();
        let left = rewriter.totals.left(LeftReason::Unwritable);
        drop(rewriter);
        (out, edits, left)
    };
    let (new_sheet, edits, left) = rewrite(sheet, base);
    check_rest(sheet, charset, &new_sheet, &edits);
    let new_base = Base::new(case.map(base.as_str())).unwrap();
    let links = |sheet: &[u8], base: &Base| {
        let mut found = Vec::new();
        let find = |links: &mut LinkReceiver<'_>| {
            relref_links::css::each_link(sheet, charset, |link| links.add(link)).unwrap()
        };
        let options = Options { rejected: true, ..Options::default() };
        let _ = Pages::with(options).found_links(base, find, |link| {
            found.push(LinkBuf::from(link));
            ControlFlow::<()>::Continue(())
        });
        found
    };
    let (old, new) = (links(sheet, base), links(&new_sheet, &new_base));
    assert_eq!(old.len(), new.len(), "{case:?} {} {}", sheet.escape_ascii(), new_sheet.escape_ascii());
    for (old, new) in old.iter().zip(&new) {
        let is_kept = old.rejected.is_some() || !has_host(&old.uri) || is_template(&old.reference);
        let is_kept = is_kept || (case.keep_fragments && old.reference.starts_with('#'));
        let may_be_kept = left > 0 || may_have_name(&old.reference);
        let is_right = match is_kept || may_be_kept && old.reference == new.reference {
            true => new.reference == old.reference,
            false => case.maps(&old.uri, &new.uri),
        };
        assert!(is_right, "{case:?} {} {} {}", new.uri, sheet.escape_ascii(), new_sheet.escape_ascii());
    }
    if !old.iter().zip(&new).any(|(old, new)| gains_meaning(old, new)) {
        assert_same(&rewrite(&new_sheet, &new_base).0, &new_sheet, || format!("{case:?}"));
    }
}

fn has_host(uri: &str) -> bool {
    uri.starts_with("file:")
        || uri.split_once("://").is_some_and(|(_, rest)| !rest.is_empty() && !rest.starts_with('/'))
}

/// Reports whether a reference may have a name that a template replaces, such as `%NAME%`.
pub fn may_have_name(reference: &str) -> bool {
    let is_word = |part: &str| part.len() > 2 && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    reference.split('%').skip(1).any(is_word)
}

fn is_template(reference: &str) -> bool {
    ["{{", "{%", "<%", "${", "{$", "[[", "%%", "<?", "*|"].iter().any(|mark| reference.contains(mark))
}

fn is_left(link: &LinkBuf) -> bool {
    link.place.is_none() || stays(link)
}

pub fn stays(link: &LinkBuf) -> bool {
    link.rejected.is_some() || is_template(&link.reference) || !has_host(&link.uri)
}
