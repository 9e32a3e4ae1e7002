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
use crate::uri::{UriRef, UriText, scheme_end};

/// A reference that may resolve to the target. Its text is `../` repeated `parents` times, then `middle`, then the target from byte
/// `from` on.
#[derive(Clone, Copy)]
struct Candidate<'c> {
    parents: usize,
    middle: &'c str,
    /// The byte of the target from which on it is copied to the end of the reference.
    from: usize,
}

impl<'c> Candidate<'c> {
    fn new(middle: &'c str, from: usize) -> Self {
        Candidate { parents: 0, middle, from }
    }

    /// Returns the candidate that removes `parents` directory segments, then has the target from byte `from` on. `is_end` must be
    /// true if the path of the target ends at byte `from`. Then no segment follows, so the path of the candidate ends in `..`, or
    /// is `.` if `parents` is 0.
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

    /// Returns the text of the reference to `target`. It is borrowed if it is only the end of the target.
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

impl<T: UriText> Base<T> {
    /// Returns the shortest reference that [`resolve`](Base::resolve)s to `target`, or `target` itself if none does.
    ///
    /// These forms are tried: nothing, a fragment, a query, a path from the directory of the base or from one above it, a path
    /// after each number of leading slashes, the whole target. Of those that resolve back to exactly the target, the shortest in
    /// bytes is returned; of the same length, a relative path before one that starts with slashes. No reference resolves to a
    /// target without the base's scheme, or to one with dot segments that the rules remove. The reference is longer than the target
    /// only where rules read the target itself as relative ([`lenient`](crate::Rules::lenient)).
    ///
    /// Cost: a few passes over base and target. The result is borrowed unless something like `../` comes before the end of the
    /// target.
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
    pub fn relativize<'t>(&self, target: &'t str) -> Cow<'t, str> {
        self.borrowed().relativize(target)
    }
}

impl BorrowedBase<'_> {
    fn relativize<'t>(self, target: &'t str) -> Cow<'t, str> {
        let common = common_len(self.as_str().as_bytes(), target.as_bytes());
        match self.shortest_by_cuts(target, common) {
            Some(candidate) => candidate.text(target),
            None => self.shortest_by_trying(target, common),
        }
    }

    /// Returns the shortest candidate that resolves to the target if it is certain without resolving any, else `None`. It is
    /// certain only in two frequent cases. In the first, the target has another authority than the base. In the second, it has the
    /// base's authority, and the text after that has no dot right after a slash, no `//` at its start and, by level, no run of two
    /// or more slashes. `common` is the number of bytes at the start that target and base have in common.
    ///
    /// In these cases, each candidate would take the fast path of [`resolve`](Base::resolve): the base is cut at a prepared cut, up
    /// to which the target is the same, and the target is written from there on. No dot is removed, and no `//` is read as an
    /// authority. A unit test checks that [`shortest_by_trying`](BorrowedBase::shortest_by_trying) finds the same candidate.
    fn shortest_by_cuts(self, target: &str, common: usize) -> Option<Candidate<'static>> {
        let (uri, cuts) = (&self.prepared.offsets, &self.prepared.cuts);
        let bytes = target.as_bytes();
        if self.rules.empty_is_absent && (may_have_empty_parts(bytes) || self.may_have_empty_parts_after_path()) {
            return None;
        }
        if self.has_other_authority(bytes, common) {
            return Some(Candidate::new("", uri.scheme_end));
        }
        // The byte of the target at index `at`, if both texts are the same up to there.
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

    /// Reports whether it is certain that the shortest reference is the target without its scheme: `//host/…`. It is certain if all
    /// of these are true: Target and base have the same scheme, both with `//` after it. The start that they have in common ends
    /// before the base's authority does. The target's authority is neither empty nor that of the base. The rest of the target has
    /// no dot right after a slash. The prepared cut for two slashes is right after the scheme. `common` is the number of bytes at
    /// the start that target and base have in common.
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

    /// Returns the shortest candidate that resolves to exactly the target; the target itself if none does. Resolves each candidate
    /// until one gives the target. Of two candidates of the same length, the one that was added first is tried first. `common` is
    /// the number of bytes at the start that target and base have in common.
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

    /// Counts the directory segments that base and target share at the start of their paths, after dot segments were removed from
    /// the base. The empty segment before the root counts, too. `path` is the range of bytes of the target's path. Returns the
    /// number of directory segments of the base after the shared ones, the number of all its directory segments, and the byte of
    /// the target after the shared segments and their slashes.
    fn count_shared_segments(self, target: &str, path: Range<usize>) -> (usize, usize, usize) {
        let ours = self.directory().into_iter().flat_map(|directory| directory.split('/'));
        let theirs = target[path.clone()].rsplit_once('/').map(|(directory, _)| directory.split('/'));
        let shared = ours.clone().zip(theirs.into_iter().flatten()).take_while(|(our, their)| our == their);
        let (shared, from) = shared.fold((0, path.start), |(n, from), (_, their)| (n + 1, from + their.len() + 1));
        let all = ours.count();
        (all - shared, all, from)
    }

    /// Passes the candidates that start with slashes to `add`; the rules must be by level. For each cut of the base, the text
    /// before it is compared with the start of the target; if the rules remove dot segments of paths that start with slashes,
    /// without them. If the target starts with that text, the rest of the target is a candidate, provided that it starts with a
    /// slash run for whose level the base is cut there. Only the shortest of these is passed. For each of these cuts, the rest is
    /// also passed after `/.`, `/` or `/./`, where that may resolve back.
    /// `path` is the range of bytes of the target's path, and `common` the number of bytes at the start that target and base have
    /// in common.
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
