//! Laws that hold for every page that is rewritten, under every character encoding. The fuzz target checks them, too.

use relref::whatwg::Base;
use relref_links::html::{Link, LinkBuf, Options, Pages};
use relref_links::rewrite::{Mapping, Mode, Rewriter};

/// The links of a page, with their places.
fn links(page: &[u8], charset: Option<&str>, base: &Base) -> Vec<LinkBuf> {
    let mut found = Vec::new();
    let options = Options { places: true, lazy: true, ..Options::default() };
    let charset = charset.and_then(|label| relref_links::html::charset(label).ok());
    Pages::with(options).links(page, charset, base, |link: Link<'_>| found.push(LinkBuf::from(link)));
    found
}

/// What a mapping should do.
#[derive(Clone, Debug)]
pub struct Case {
    pub mode: Mode,
    pub maps: Vec<(&'static str, &'static str)>,
    pub keep_fragments: bool,
}

impl Case {
    fn mapping(&self) -> Mapping {
        let mapping = Mapping::new(self.mode).keep_fragments(self.keep_fragments);
        self.maps.iter().fold(mapping, |mapping, (old, new)| mapping.map(old, new).unwrap())
    }

    /// Naive: the pairs of these cases do not overlap.
    fn map(&self, uri: &str) -> String {
        let pair = self.maps.iter().find(|(old, _)| uri.starts_with(old));
        pair.map_or(uri.to_owned(), |(old, new)| uri.replacen(old, new, 1))
    }
}

/// Checks all laws of a page.
pub fn check(page: &[u8], charset: Option<&str>, base: &Base, case: &Case) {
    let mut edits = Vec::new();
    let encoding = charset.and_then(|label| relref_links::html::charset(label).ok());
    let options = Options { lazy: true, ..Options::default() };
    let mut rewriter =
        Rewriter::with(options.clone(), case.mapping()).each_edit(|edit| edits.push((edit.start, edit.end)));
    let new_page = rewriter.html(page, encoding, base).into_owned();
    let totals = rewriter.totals;
    drop(rewriter);
    let show = || format!("{case:?}\n{}\n{}", page.escape_ascii(), new_page.escape_ascii());

    // The bytes between the edits are the same, in order.
    let mut rest = &new_page[..];
    let mut at = 0;
    for (start, end) in edits.iter().copied().chain([(page.len() as u64, page.len() as u64)]) {
        let kept = &page[at..start as usize];
        let found = rest.windows(kept.len().max(1)).position(|window| window == kept).filter(|_| !kept.is_empty());
        if !kept.is_empty() {
            let found = found.unwrap_or_else(|| panic!("{}", show()));
            assert!(at > 0 || found == 0, "{}", show());
            rest = &rest[found + kept.len()..];
        }
        at = end as usize;
    }

    let new_base = Base::new(case.map(base.as_str())).unwrap();
    let (old, new) = (links(page, charset, base), links(&new_page, charset, &new_base));
    assert_eq!(old.len(), new.len(), "{}", show());
    let mut rewritten = 0;
    for (old, new) in old.iter().zip(&new) {
        rewritten += u64::from(old.reference != new.reference);
        let is_left = is_left(old);
        if is_left {
            assert_eq!(old.reference, new.reference, "{}", show());
            continue;
        }
        let is_kept = case.keep_fragments && old.reference.starts_with('#');
        let expected = case.map(&old.uri);
        if old.reference == new.reference && new.uri != expected {
            assert!(is_kept || totals.left(relref_links::rewrite::Left::Unwritable) > 0, "{old:?}\n{new:?}\n{}", show());
            continue;
        }
        assert_eq!(new.uri, expected, "{}", show());
        if case.mode == Mode::Absolute && !is_kept && old.reference != new.reference {
            assert_eq!(new.reference, new.uri, "{}", show());
        }
    }
    assert!(rewritten <= totals.rewritten, "{} {totals:?} {}", rewritten, show());

    let again = Rewriter::with(options.clone(), case.mapping()).html(&new_page, encoding, &new_base).into_owned();
    assert_eq!(again.escape_ascii().to_string(), new_page.escape_ascii().to_string(), "{}", show());

    // In chunks.
    let mut chunked = Vec::new();
    let mut rewriter = Rewriter::with(options, case.mapping());
    let mut rewriting = rewriter.start(base, &mut chunked).charset(encoding);
    for chunk in page.chunks(7) {
        rewriting.push(chunk).unwrap();
    }
    rewriting.finish().unwrap();
    assert_eq!(chunked.escape_ascii().to_string(), new_page.escape_ascii().to_string(), "{}", show());
    assert_eq!(rewriter.totals, totals);
}

/// Naive.
fn is_left(link: &LinkBuf) -> bool {
    let has_host = link.uri.split_once("://").is_some_and(|(_, rest)| !rest.is_empty() && !rest.starts_with('/'));
    let is_template = ["{{", "{%", "<%", "${", "[[", "%%"].iter().any(|mark| link.reference.contains(mark));
    link.place.is_none()
        || link.rejected.is_some()
        || is_template
        || !(has_host || link.uri.starts_with("file:"))
}
