//! Laws that hold for every sitemap or feed that is rewritten. The fuzz target checks them, too.

use relref::whatwg::Base;
use relref_links::feeds;
use relref_links::html::LinkBuf;
use relref_links::rewrite::{LeftReason, Mapping, Rewriter};

use super::laws::{Case, assert_same, check_rest, may_have_name, owned, stays};

fn rewritten(feed: &[u8], mapping: Mapping, base: &Base) -> (Vec<u8>, Vec<(usize, usize, String)>, u64) {
    let (mut edits, mut out) = (Vec::new(), Vec::new());
    let mut rewriter = Rewriter::from(mapping).each_edit(|edit| edits.push(owned(edit)));
    // Damage is told after all is written.
    let _ = rewriter.feed_from(feed, None, base, &mut out);
    let left = rewriter.totals.left(LeftReason::Unwritable) + rewriter.totals.left(LeftReason::Identifier);
    drop(rewriter);
    (out, edits, left)
}

fn links(feed: &[u8], base: &Base) -> Vec<LinkBuf> {
    let links = feeds::links(feed, base).into_iter().flatten();
    links.filter_map(Result::ok).collect()
}

/// Checks all laws of a feed.
pub fn check(feed: &[u8], base: &Base, case: &Case) {
    let (new_feed, edits, left) = rewritten(feed, case.mapping(), base);
    let show = || format!("{case:?}\n{}\n{}", feed.escape_ascii(), new_feed.escape_ascii());
    check_rest(feed, None, &new_feed, &edits);
    let new_base = Base::new(case.map(base.as_str())).unwrap();
    let (old, new) = (links(feed, base), links(&new_feed, &new_base));
    let may_lose = left > 0 || old.iter().any(stays);
    if new_base.scheme() != base.scheme() && (new.len() > old.len() || new.len() < old.len() && may_lose) {
        // Some that were rejected have a meaning now, as those of `gains_meaning` in pages, or what was left has none any more:
        // `http:` is a page of `http`, and invalid on one of `https`.
        return;
    }
    assert_eq!(old.len(), new.len(), "{}", show());
    for (old, new) in old.iter().zip(&new) {
        if stays(old) {
            assert_eq!(old.reference, new.reference, "{}", show());
            continue;
        }
        let may_be_kept =
            left > 0 || may_have_name(&old.reference) || case.keep_fragments && old.reference.starts_with('#');
        let is_kept = old.reference == new.reference && may_be_kept;
        let is_mapped = is_kept || case.maps(&old.uri, &new.uri);
        if !is_mapped && left > 0 && feed.windows(5).any(|bytes| bytes == b":base") {
            // A base that could not be written is told: what is relative to it means something else.
            return;
        }
        assert!(is_mapped, "{old:?}\n{new:?}\n{}", show());
    }
    let (again, ..) = rewritten(&new_feed, case.mapping(), &new_base);
    assert_same(&again, &new_feed, show);
}
