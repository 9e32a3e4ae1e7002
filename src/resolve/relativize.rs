//! Relativizing: the shortest reference that resolves to a given URI.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use smallvec::SmallVec;

use super::base::Base;
use super::cuts::Cuts;
use super::dots::{Path, has_dot_segments};
use super::fast;
use super::parts::{may_have_empty_parts, may_have_empty_parts_after_path};
use super::prepared::{BorrowedBase, Prepared, path_end_by};
use super::slash_runs::count_slashes;
use crate::reference_form::ReferenceForm;
use crate::scan::{common_len, has_double_slash, may_have_dots};
use crate::uri::{UriRef, scheme_end};

/// Its text is `../` repeated `parents` times, then `middle`, then the target from byte `from` on.
#[derive(Clone, Copy)]
struct Candidate<'c> {
    parents: usize,
    middle: &'c str,
    from: usize,
}

impl<'c> Candidate<'c> {
    fn new(middle: &'c str, from: usize) -> Self {
        Candidate { parents: 0, middle, from }
    }

    /// `is_end` must be true if the path of the target ends at `from`: then no segment follows.
    fn path(parents: usize, from: usize, is_end: bool) -> Self {
        match parents.checked_sub(1) {
            // `..` at the end does what `../` does.
            Some(fewer) if is_end => Candidate { parents: fewer, middle: "..", from },
            None if is_end => Candidate::new(".", from),
            _ => Candidate { parents, middle: "", from },
        }
    }

    fn len(&self, target: &str) -> usize {
        3 * self.parents + self.middle.len() + target.len() - self.from
    }

    fn text<'t>(&self, target: &'t str) -> Cow<'t, str> {
        let rest = &target[self.from..];
        if self.parents == 0 && self.middle.is_empty() {
            return Cow::Borrowed(rest);
        }
        let mut text = String::with_capacity(self.len(target));
        text.extend(core::iter::repeat_n("../", self.parents));
        text.push_str(self.middle);
        text.push_str(rest);
        Cow::Owned(text)
    }
}

impl Base {
    /// Returns the shortest reference that [`resolve`](Base::resolve)s to `target`, or `target` itself if none does.
    ///
    /// These forms are tried: nothing, a fragment, a query, a path from the directory of the base or from one above it, a path
    /// after each number of leading slashes, the whole target. Of those that resolve back to exactly the target, the shortest in
    /// bytes is returned; of the same length, a relative path before one that starts with slashes. No reference resolves to a
    /// target without the base's scheme, or to one with dot segments that the rules remove. The reference is longer than the target
    /// only where rules read the target itself as relative ([`lenient`](crate::Rules::lenient)).
    ///
    /// Cost: a few passes over base and target. The result is borrowed if it is the end of the target.
    ///
    /// ```
    /// use relref::{Base, Rules};
    ///
    /// let base = Base::new("magic://a/b/c//d/e/f", Rules::RFC1630)?;
    /// assert_eq!(base.relativize("magic://a/b/c//d/e/g?q"), "g?q");
    /// assert_eq!(base.relativize("magic://a/b/c//d/x/y"), "/x/y");
    /// assert_eq!(base.relativize("magic://a/b/x"), "//a/b/x");
    /// assert_eq!(base.relativize("other:x"), "other:x");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn relativize<'t>(&self, target: &'t (impl AsRef<str> + ?Sized)) -> Cow<'t, str> {
        relativize(self.borrowed(), target.as_ref())
    }

    /// Returns the shortest reference of a form that [`resolve`](Base::resolve)s to `target`, or `target` itself if none does.
    ///
    /// Cost: that of [`relativize`](Base::relativize); if the shortest of all has another form, four more are tried, and allocated.
    ///
    /// ```
    /// use relref::{Base, ReferenceForm, Rules};
    ///
    /// let base = Base::new("http://h/a/b/c", Rules::RFC3986)?;
    /// assert_eq!(base.relativize("http://h/d"), "/d");
    /// assert_eq!(base.relativize_as("http://h/d", ReferenceForm::Relative), "../../d");
    /// assert_eq!(base.relativize("http://other/d"), "//other/d");
    /// assert_eq!(base.relativize_as("http://other/d", ReferenceForm::SameOrigin), "http://other/d");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn relativize_as<'t>(&self, target: &'t (impl AsRef<str> + ?Sized), form: ReferenceForm) -> Cow<'t, str> {
        let target = target.as_ref();
        form.choose(self.as_str(), target, self.relativize(target), |reference| self.resolve(reference) == target)
    }
}

/// Returns the shortest reference, as [`Base::relativize`] does.
pub(crate) fn relativize<'t>(base: BorrowedBase<'_>, target: &'t str) -> Cow<'t, str> {
    let search = Search { base, target, common: common_len(base.text.as_bytes(), target.as_bytes()) };
    match search.shortest_by_cuts() {
        Some(candidate) => candidate.text(target),
        None => search.shortest_by_trying(),
    }
}

/// The search for the shortest reference from a base to a target.
#[derive(Clone, Copy)]
struct Search<'b, 't> {
    base: BorrowedBase<'b>,
    target: &'t str,
    /// The length of the start that base and target share.
    common: usize,
}

impl<'t> Search<'_, 't> {
    /// Returns the shortest candidate if it is certain without resolving any, in two frequent cases: the target has another
    /// authority than the base; or it has the same, and the text after that has no dot right after a slash, no `//` at its start
    /// and, by level, no run of two or more slashes.
    ///
    /// In these cases, each candidate would be resolved by the shortcut of `fast.rs`: the base is cut at a prepared cut, up to which
    /// the target is the same. No dot is removed, and no `//` is read as an authority. A unit test compares with
    /// [`shortest_by_trying`](Search::shortest_by_trying).
    fn shortest_by_cuts(self) -> Option<Candidate<'static>> {
        let Search { target, common, .. } = self;
        let (uri, cuts, rules) = (&self.base.prepared.offsets, &self.base.prepared.cuts, self.base.rules);
        let bytes = target.as_bytes();
        if rules.empty_is_absent
            && (may_have_empty_parts(bytes) || may_have_empty_parts_after_path(&self.base.uri_ref()))
        {
            return None;
        }
        if self.has_other_authority() {
            return Some(Candidate::new("", uri.scheme_end));
        }
        let after = |at: usize| if at <= common { bytes.get(at).copied() } else { None };
        let has_host = uri.path_start > uri.scheme_end + 2;
        if !has_host
            || rules.params
            || after(uri.path_start) != Some(b'/')
            || common == uri.path_start
            || (common == target.len() && rules.empty_is_whole)
        {
            return None;
        }
        let path = &bytes[uri.path_start..];
        if path.starts_with(b"//") || (rules.by_level() && has_double_slash(path)) || may_have_dots(path) {
            return None;
        }
        if common >= uri.query_end && matches!(bytes.get(uri.query_end), None | Some(b'#')) {
            return Some(Candidate::new("", uri.query_end));
        }
        let query = if rules.query_replaces { Cuts::known(cuts.for_parents[0])? } else { uri.path_end };
        if after(query) == Some(b'?') {
            return Some(Candidate::new("", query));
        }

        let parents = cuts.for_parents.iter().position(|&cut| cut <= common)?;
        let from = cuts.for_parents[parents];
        let mut best = match bytes.get(from) {
            Some(b'/') => return None,
            Some(b'?' | b'#') | None => Candidate::path(parents, from, true),
            // Without `./`, the candidate would be read as having a scheme.
            _ if parents == 0 && scheme_end(&bytes[from..]) > 0 => Candidate::new("./", from),
            _ => Candidate::path(parents, from, false),
        };
        for (from, level) in cuts.for_slashes.into_iter().zip(1..).filter(|&(cut, _)| cut <= common) {
            if count_slashes(&bytes[from..]) == level && bytes.len() - from < best.len(target) {
                best = Candidate::new("", from);
            }
        }
        Some(if best.len(target) > bytes.len() { Candidate::new("", 0) } else { best })
    }

    /// Reports whether the shortest reference is certainly `//host/…`: same scheme, another authority that is not empty, no dot
    /// right after a slash, and the prepared cut for two slashes right after the scheme.
    fn has_other_authority(self) -> bool {
        let Prepared { offsets: uri, cuts, .. } = self.base.prepared;
        let start = uri.scheme_end + 2;
        let is_cut_there = cuts.for_slashes[1] == uri.scheme_end;
        if self.common < start || start > uri.path_start || self.common >= uri.path_start || !is_cut_there {
            return false;
        }
        let rest = &self.target.as_bytes()[start..];
        let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len());
        end > 0 && rest[..end] != self.base.text.as_bytes()[start..uri.path_start] && !may_have_dots(&rest[end..])
    }

    /// Resolves the candidates, the shortest first, until one gives the target; of the same length, first the one added first.
    #[inline(never)]
    fn shortest_by_trying(self) -> Cow<'t, str> {
        let Search { base, target, common } = self;
        let (t, rules) = (UriRef::new(target), base.rules);
        if t.scheme() != Some(base.scheme()) {
            return Cow::Borrowed(target);
        }
        let mut candidates: SmallVec<[Candidate<'_>; 16]> = SmallVec::new();
        let mut add = |candidate| candidates.push(candidate);

        let path_end = path_end_by(&t, rules);
        if common >= base.offsets.query_end || may_have_empty_parts_after_path(&base.uri_ref()) {
            add(Candidate::new("", target.len()));
            add(Candidate::new("", t.query_end));
        }
        if t.path_end < t.query_end {
            add(Candidate::new("", t.path_end));
        }
        if path_end < t.path_end {
            add(Candidate::new("", path_end));
        }
        // Resolving writes a guard (`/.`) before the path anew, so the path may be reached without it.
        let is_guarded = t.authority().is_none() && t.path().starts_with("/.//");
        let is_rooted = |path_start: usize| target[path_start..path_end].starts_with('/');
        for path_start in [t.path_start, t.path_start + 2].into_iter().take(1 + usize::from(is_guarded)) {
            if t.authority() == base.uri_ref().authority() {
                let (parents, all, from) = self.count_shared_segments(path_start..path_end);
                // One `..` more than there are directory segments leaves the root of a rootless path.
                let root = Some((all, path_start + 1)).filter(|_| rules.drop_surplus && is_rooted(path_start));
                for (parents, from) in [(parents, from)].into_iter().chain(root) {
                    add(Candidate::path(parents, from, from == path_end));
                    if parents == 0 && from < path_end {
                        add(Candidate::new("./", from));
                        // After a slash run a dot stays, and only the scheme keeps the text from being read as one.
                        if rules.lenient {
                            add(Candidate::new(&target[..t.scheme_end], from));
                        }
                    }
                }
            }
            if rules.by_level() {
                self.add_slashed(path_start..path_end, &mut add);
                // The one segment before a cut can be removed, too.
                let from = path_start + usize::from(rules.drop_surplus && is_rooted(path_start));
                add(Candidate::new(if from == path_end { "/.." } else { "/../" }, from));
            } else {
                add(Candidate::new("", path_start));
                add(Candidate::new("/.", path_start));
                if rules.empty_is_absent {
                    // An empty authority, so that the path can start with two slashes.
                    add(Candidate::new("//", path_start));
                }
            }
        }
        if rules.empty_is_absent {
            // All parts of it are empty: the base without its fragment.
            add(Candidate::new("#", target.len()));
        }
        add(Candidate::new("", t.scheme_end));
        add(Candidate::new("", 0));

        candidates.sort_by_key(|candidate| candidate.len(target));
        let fits = |text: &Cow<'t, str>| fast::resolve(base, text) == *target;
        candidates.iter().map(|candidate| candidate.text(target)).find(fits).unwrap_or(Cow::Borrowed(target))
    }

    /// Counts after dot segments were removed from the base, with the empty segment before the root. Returns the directory segments
    /// of the base after the shared ones, all of them, and the byte of the target after the shared ones and their slashes.
    fn count_shared_segments(self, path: Range<usize>) -> (usize, usize, usize) {
        let mut ours = self.path_of_base();
        self.base.directory().into_iter().for_each(|directory| ours.append(directory, false, &mut ()));
        let theirs = self.target[path.clone()].rsplit_once('/').map(|(directory, _)| directory.split('/'));
        let pairs = ours.segments.iter().copied().zip(theirs.into_iter().flatten());
        let shared = pairs.take_while(|(our, their)| our == their);
        let (shared, from) = shared.fold((0, path.start), |(n, from), (_, their)| (n + 1, from + their.len() + 1));
        let all = ours.segments.len();
        (all - shared, all, from)
    }

    fn path_of_base(&self) -> Path<'_> {
        Path::new(self.base.rules, self.base.uri_ref().authority() == Some(""))
    }

    /// Passes the candidates that start with slashes, by level only. If the target starts with what remains of the base up to a cut,
    /// its rest is a candidate, provided that it starts with a slash run for whose level the base is cut there. Only the shortest is
    /// passed. For each of these cuts, the rest is also passed after `/.`, `/` or `/./`, where that may resolve back.
    fn add_slashed<'c>(self, path: Range<usize>, add: &mut impl FnMut(Candidate<'c>)) {
        let runs = self.base.slash_runs();
        let cut_for_one = runs.choose(1).at();
        let mut longest = None;
        for Remains { cut, from, is_nothing } in self.remains_before_cuts(runs.cuts().collect(), path.start) {
            let level = self.target.as_bytes().get(from..path.end).map_or(0, count_slashes);
            if level > 0 && runs.choose(level).at() == cut {
                longest = longest.max(Some(from));
            }
            if cut == cut_for_one {
                add(Candidate::new("/.", from));
            }
            // If the removal of dot segments leaves nothing before the cut, the first slash of the reference is removed with them.
            if is_nothing {
                if runs.choose(level + 1).at() == cut {
                    add(Candidate::new("/", from));
                }
                if cut == cut_for_one {
                    add(Candidate::new("/./", from));
                }
            }
        }
        longest.into_iter().for_each(|from| add(Candidate::new("", from)));
    }

    /// Returns those of the cuts up to which the target is what remains of the base, once the rules have removed its dot segments.
    /// `path_start` is where the path of the target starts.
    fn remains_before_cuts(self, mut cuts: Vec<usize>, path_start: usize) -> Vec<Remains> {
        let (base, offsets) = (self.base.text, &self.base.prepared.offsets);
        cuts.sort_unstable();
        cuts.dedup();
        let region = offsets.path_start..self.base.path_end_by_rules();
        let stays = !self.base.rules.rooted_dots || !has_dot_segments(&base[region.clone()]);
        let before_dots = |cut: &usize| stays || *cut <= region.start;
        let (same, later): (Vec<_>, Vec<_>) = cuts.into_iter().partition(before_dots);
        let same = same.into_iter().filter(|&cut| cut <= self.common);
        let mut remains: Vec<_> = same.map(|cut| Remains { cut, from: cut, is_nothing: false }).collect();
        if later.is_empty() {
            return remains;
        }
        let mut later = later.into_iter().peekable();
        let mut path = self.path_of_base();
        // For each segment of the path, the byte of the target after it and all before it; `None` if they differ.
        let mut ends: Vec<Option<usize>> = Vec::new();
        let mut at = region.start;
        for segment in base[region].split('/') {
            at += segment.len();
            path.push(segment, false, &mut ());
            let count = path.segments.len();
            // A `..` takes one away, and at most puts the root in its place.
            ends.truncate(if path.segments.last() == Some(&"") { count - 1 } else { count });
            if let (true, Some(last)) = (ends.len() < count, path.segments.last()) {
                let start = match ends.last() {
                    None => Some(path_start),
                    Some(end) => end.filter(|&end| self.target[end..].starts_with('/')).map(|end| end + 1),
                };
                ends.push(
                    start.filter(|&start| self.target[start..].starts_with(last)).map(|start| start + last.len()),
                );
            }
            while let Some(cut) = later.next_if(|&cut| cut <= at) {
                let from = ends.last().copied().unwrap_or(Some(path_start));
                remains.extend(from.map(|from| Remains { cut, from, is_nothing: count == 0 }));
            }
            at += 1;
        }
        remains
    }
}

/// What remains of a base before a cut, once dot segments are removed, and what a target has after the same text.
struct Remains {
    cut: usize,
    /// The byte of the target after it.
    from: usize,
    /// The removal left no segment.
    is_nothing: bool,
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::rules::Rules;

    /// Tries every pair of a base and a target from a small set, with hosts and paths that are nearly the same. Of the pairs with
    /// different hosts it tries every fourth.
    #[test]
    fn the_fast_path_finds_what_all_forms_give() {
        let hosts = ["s://h", "s://hh", "s://g", "s://", "s:"];
        let paths = [
            "",
            "/",
            "/a",
            "/a/",
            "/a/b",
            "/a/b/",
            "/ab",
            "/a/b/c",
            "/a/b/c/d/e/f",
            "//",
            "//a",
            "/a//b",
            "/a/./b",
            "/a/../b",
            "/.",
            "/..",
            "/.a",
            "/a:b",
            "/a/b:c",
            "/:/a",
        ];
        let texts = |tails: &[&str]| -> Vec<String> {
            let starts = hosts.iter().flat_map(|host| paths.iter().map(move |path| [*host, path].concat()));
            starts.flat_map(|start| tails.iter().map(move |tail| [&start, *tail].concat())).collect()
        };
        let (bases, targets) = (texts(&["", "?", ";?q", "?q#f"]), texts(&["", "?", "?q", ";?q", "#f", "?q#g"]));
        let mixes = [Rules { empty_is_whole: true, ..Rules::RFC3986 }, Rules { drop_surplus: true, ..Rules::RFC1630 }];
        let empty =
            [Rules::RFC1630, Rules::RFC2396, Rules::RFC3986].map(|rules| Rules { empty_is_absent: true, ..rules });
        let lenient = [Rules::RFC3986, Rules::RFC1808, Rules::RFC1630].map(Rules::lenient);
        for rules in Rules::ALL.iter().copied().chain(mixes).chain(empty).chain(lenient) {
            for (base_number, base) in bases.iter().enumerate() {
                let base = Base::new(base, rules).expect("absolute");
                for (number, target) in targets.iter().enumerate() {
                    let has_same_host =
                        number / (targets.len() / hosts.len()) == base_number / (bases.len() / hosts.len());
                    if !has_same_host && (number + base_number) % 4 != 0 {
                        continue;
                    }
                    let reference = base.relativize(target);
                    let common = common_len(base.as_str().as_bytes(), target.as_bytes());
                    let search = Search { base: base.borrowed(), target, common };
                    assert_eq!(reference, search.shortest_by_trying(), "{rules}: {target} from {base}");
                    let stable = base.resolve(target) == **target;
                    assert!(base.resolve(&reference) == **target || !stable, "{rules}: {target} from {base}");
                    assert!(reference.len() <= target.len(), "{rules}: {target} from {base} = {reference}");
                }
            }
        }
    }
}
