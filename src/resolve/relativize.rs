//! Relativizing: the shortest reference that resolves to a given URI.

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

use smallvec::SmallVec;

use super::base::Base;
use super::empty_parts::may_have_empty_parts;
use super::fast_path::may_have_empty_parts_after_path;
use super::prepared::{BorrowedBase, path_end_by};
use super::slash_runs::count_slashes;
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
        const PARENTS: &str = "../../../../../../../../";
        match PARENTS.get(..3 * self.parents) {
            Some(parents) => text.push_str(parents),
            None => text.extend(core::iter::repeat_n("../", self.parents)),
        }
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
        self.borrowed().relativize(target.as_ref())
    }
}

impl BorrowedBase<'_> {
    pub(crate) fn relativize<'t>(self, target: &'t str) -> Cow<'t, str> {
        let common = common_len(self.as_str().as_bytes(), target.as_bytes());
        match self.shortest_by_cuts(target, common) {
            Some(candidate) => candidate.text(target),
            None => self.shortest_by_trying(target, common),
        }
    }

    /// Returns the shortest candidate if it is certain without resolving any, in two frequent cases: the target has another
    /// authority than the base; or it has the same, and the text after that has no dot right after a slash, no `//` at its start
    /// and, by level, no run of two or more slashes. `common` is the length of the start that base and target share.
    ///
    /// In these cases, each candidate would take the fast path of [`resolve`](Base::resolve): the base is cut at a prepared cut, up
    /// to which the target is the same. No dot is removed, and no `//` is read as an authority. A unit test compares with
    /// [`shortest_by_trying`](BorrowedBase::shortest_by_trying).
    fn shortest_by_cuts(self, target: &str, common: usize) -> Option<Candidate<'static>> {
        let (uri, cuts) = (&self.prepared.offsets, &self.prepared.cuts);
        let bytes = target.as_bytes();
        if self.rules.empty_is_absent && (may_have_empty_parts(bytes) || self.may_have_empty_parts_after_path()) {
            return None;
        }
        if self.has_other_authority(bytes, common) {
            return Some(Candidate::new("", uri.scheme_end));
        }
        let after = |at: usize| if at <= common { bytes.get(at).copied() } else { None };
        let has_host = uri.path_start > uri.scheme_end + 2;
        if !has_host
            || self.rules.params
            || after(uri.path_start) != Some(b'/')
            || common == uri.path_start
            || (common == target.len() && self.rules.empty_is_whole)
        {
            return None;
        }
        let path = &bytes[uri.path_start..];
        let has_runs = path.starts_with(b"//") || (self.rules.by_level() && has_double_slash(path));
        if has_runs || may_have_dots(path) {
            return None;
        }
        if common == target.len() && common == uri.query_end {
            return Some(Candidate::new("", common));
        }
        if after(uri.query_end) == Some(b'#') {
            return Some(Candidate::new("", uri.query_end));
        }
        let query = if self.rules.query_replaces { cuts.for_parents[0].get()? } else { uri.path_end };
        if after(query) == Some(b'?') {
            return Some(Candidate::new("", query));
        }

        let mut prepared = cuts.for_parents.iter().enumerate();
        let (parents, from) = prepared.find_map(|(parents, cut)| Some((parents, cut.within(common)?)))?;
        let mut best = match bytes.get(from) {
            Some(b'/') => return None,
            Some(b'?' | b'#') | None => Candidate::path(parents, from, true),
            // Without `./`, the candidate would be read as having a scheme.
            _ if parents == 0 && scheme_end(&bytes[from..]) > 0 => Candidate::new("./", from),
            _ => Candidate::path(parents, from, false),
        };
        for (cut, level) in cuts.for_slashes.into_iter().zip(1..) {
            let Some(from) = cut.within(common) else { continue };
            if count_slashes(&bytes[from..]) == level && bytes.len() - from < best.len(target) {
                best = Candidate::new("", from);
            }
        }
        Some(if best.len(target) > bytes.len() { Candidate::new("", 0) } else { best })
    }

    fn may_have_empty_parts_after_path(self) -> bool {
        self.rules.empty_is_absent && may_have_empty_parts_after_path(&self.uri_ref())
    }

    /// Reports whether the shortest reference is certainly `//host/…`: same scheme, another authority that is not empty, no dot
    /// right after a slash, and the prepared cut for two slashes right after the scheme.
    fn has_other_authority(self, target: &[u8], common: usize) -> bool {
        let (uri, start) = (&self.prepared.offsets, self.offsets.scheme_end + 2);
        let is_cut_there = self.cuts.for_slashes[1].get() == Some(uri.scheme_end);
        if common < start || start > uri.path_start || common >= uri.path_start || !is_cut_there {
            return false;
        }
        let rest = &target[start..];
        let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len());
        end > 0 && rest[..end] != self.as_str().as_bytes()[start..uri.path_start] && !may_have_dots(&rest[end..])
    }

    /// Resolves the candidates, the shortest first, until one gives the target; of the same length, first the one added first.
    #[inline(never)]
    fn shortest_by_trying<'t>(self, target: &'t str, common: usize) -> Cow<'t, str> {
        let t = UriRef::new(target);
        if t.scheme() != Some(self.scheme()) {
            return Cow::Borrowed(target);
        }
        let mut candidates: SmallVec<[Candidate<'_>; 16]> = SmallVec::new();
        let mut add = |candidate| candidates.push(candidate);

        let path_end = path_end_by(&t, self.rules);
        if common >= self.offsets.query_end || self.may_have_empty_parts_after_path() {
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
            if t.authority() == self.uri_ref().authority() {
                let (parents, all, from) = self.count_shared_segments(target, path_start..path_end);
                // One `..` more than there are directory segments leaves the root of a rootless path.
                let root = Some((all, path_start + 1)).filter(|_| self.rules.drop_surplus && is_rooted(path_start));
                for (parents, from) in [(parents, from)].into_iter().chain(root) {
                    add(Candidate::path(parents, from, from == path_end));
                    if parents == 0 && from < path_end {
                        add(Candidate::new("./", from));
                        // After a slash run a dot stays, and only the scheme keeps the text from being read as one.
                        if self.rules.lenient {
                            add(Candidate::new(&target[..t.scheme_end], from));
                        }
                    }
                }
            }
            if self.rules.by_level() {
                self.add_slashed(target, path_start..path_end, common, &mut add);
                // The one segment before a cut can be removed, too.
                let from = path_start + usize::from(self.rules.drop_surplus && is_rooted(path_start));
                add(Candidate::new(if from == path_end { "/.." } else { "/../" }, from));
            } else {
                add(Candidate::new("", path_start));
                add(Candidate::new("/.", path_start));
                if self.rules.empty_is_absent {
                    // An empty authority, so that the path can start with two slashes.
                    add(Candidate::new("//", path_start));
                }
            }
        }
        if self.rules.empty_is_absent {
            // All parts of it are empty: the base without its fragment.
            add(Candidate::new("#", target.len()));
        }
        add(Candidate::new("", t.scheme_end));
        add(Candidate::new("", 0));

        candidates.sort_by_key(|candidate| candidate.len(target));
        let fits = |text: &Cow<'t, str>| self.resolve(text) == *target;
        candidates.iter().map(|candidate| candidate.text(target)).find(fits).unwrap_or(Cow::Borrowed(target))
    }

    /// Counts after dot segments were removed from the base, with the empty segment before the root. Returns the directory segments
    /// of the base after the shared ones, all of them, and the byte of the target after the shared ones and their slashes.
    fn count_shared_segments(self, target: &str, path: Range<usize>) -> (usize, usize, usize) {
        let ours = self.directory().into_iter().flat_map(|directory| directory.split('/'));
        let theirs = target[path.clone()].rsplit_once('/').map(|(directory, _)| directory.split('/'));
        let shared = ours.clone().zip(theirs.into_iter().flatten()).take_while(|(our, their)| our == their);
        let (shared, from) = shared.fold((0, path.start), |(n, from), (_, their)| (n + 1, from + their.len() + 1));
        let all = ours.count();
        (all - shared, all, from)
    }

    /// Passes the candidates that start with slashes, by level only. If the target starts with the base up to a cut (without dot
    /// segments, if the rules remove them after slashes), its rest is a candidate, provided that it starts with a slash run for
    /// whose level the base is cut there. Only the shortest is passed. For each of these cuts, the rest is also passed after `/.`,
    /// `/` or `/./`, where that may resolve back.
    fn add_slashed<'c>(self, target: &str, path: Range<usize>, common: usize, add: &mut impl FnMut(Candidate<'c>)) {
        let bytes = target.as_bytes();
        let path_start = self.offsets.path_start;
        let base = self.as_str();
        let runs = self.slash_runs();
        let dotless = self.dotless().filter(|_| self.rules.rooted_dots);
        let common_directory = dotless
            .map_or(0, |dotless| common_len(dotless.directory().unwrap_or_default().as_bytes(), &bytes[path.start..]));
        // The byte of the target after the text of the base up to a cut; `None` if the target does not start with all of that text.
        let end = |cut: usize| match dotless.filter(|_| cut > path_start) {
            None => Some(cut).filter(|&cut| cut <= common),
            Some(dotless) => {
                let (shared, own) = dotless.before(base, cut);
                let start = match shared {
                    Some(shared) if shared.len() > common_directory => return None,
                    Some(shared) => path.start + shared.len(),
                    None => path.start,
                };
                let Some(own) = own else { return Some(start) };
                let rest = match shared {
                    Some(_) => bytes[start..].strip_prefix(b"/")?,
                    None => &bytes[start..],
                };
                rest.strip_prefix(own.as_bytes()).map(|rest| bytes.len() - rest.len())
            }
        };
        let cut_for_one = runs.choose(1).at();
        let mut longest = None;
        for cut in runs.cuts() {
            let Some(from) = end(cut) else { continue };
            let level = bytes.get(from..path.end).map_or(0, count_slashes);
            if level > 0 && runs.choose(level).at() == cut {
                longest = longest.max(Some(from));
            }
            if cut == cut_for_one {
                add(Candidate::new("/.", from));
            }
            // If the removal of dot segments leaves nothing before the cut, the first slash of the reference is removed with them.
            if dotless.is_some_and(|dotless| cut > path_start && dotless.before(base, cut) == (None, None)) {
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
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::rules::Rules;

    /// Tries every pair of a base and a target from a small set, with hosts and paths that are nearly the same.
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
        for rules in Rules::ALL.into_iter().chain(mixes).chain(empty).chain(lenient) {
            for base in &bases {
                let base = Base::new(base, rules).expect("absolute");
                for target in &targets {
                    let reference = base.relativize(target);
                    let common = common_len(base.as_str().as_bytes(), target.as_bytes());
                    assert_eq!(
                        reference,
                        base.borrowed().shortest_by_trying(target, common),
                        "{rules}: {target} from {base}"
                    );
                    let stable = base.resolve(target) == **target;
                    assert!(base.resolve(&reference) == **target || !stable, "{rules}: {target} from {base}");
                    assert!(reference.len() <= target.len(), "{rules}: {target} from {base} = {reference}");
                }
            }
        }
    }
}
