//! Relativizing: the shortest reference that resolves to a given URI.

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

use smallvec::SmallVec;

use crate::base::{Base, path_end};
use crate::levels::count_slashes;
use crate::scan::{common, has_dots, has_run};
use crate::uri::{UriRef, scheme_end};

/// A reference made of `../` so many times, a few more bytes, and the target from a byte on.
#[derive(Clone, Copy)]
struct Candidate<'c> {
    ups: usize,
    lead: &'c str,
    from: usize,
}

impl Candidate<'_> {
    fn len(&self, target: &str) -> usize {
        3 * self.ups + self.lead.len() + target.len() - self.from
    }

    fn text<'t>(&self, target: &'t str) -> Cow<'t, str> {
        let tail = &target[self.from..];
        if self.ups == 0 && self.lead.is_empty() {
            return Cow::Borrowed(tail);
        }
        let mut text = String::with_capacity(self.len(target));
        const UPS: &str = "../../../../../../../../";
        match UPS.get(..3 * self.ups) {
            Some(ups) => text.push_str(ups),
            None => text.extend(core::iter::repeat_n("../", self.ups)),
        }
        text.push_str(self.lead);
        text.push_str(tail);
        Cow::Owned(text)
    }
}

impl Base<'_> {
    /// Returns the shortest reference that [`resolve`](Base::resolve)s to `target`, or `target` itself if none does.
    ///
    /// The forms tried are: nothing, a fragment, a query, a path from the same directory or from one above it, a path after
    /// each level of leading slashes, the whole. Of those that resolve back exactly, the one of the fewest bytes is taken, a
    /// relative path before a rooted one. No reference resolves to a target without the base's scheme or with dots that the
    /// rules remove. The reference is longer than the target only where rules read the target itself as relative
    /// ([`lenient`](crate::Rules::lenient)).
    ///
    /// Cost: a few passes over base and target; borrowed unless the reference starts with dots.
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
        let same = common(self.as_str().as_bytes(), target.as_bytes());
        match self.nearest(target, same) {
            Some(candidate) => candidate.text(target),
            None => self.shortest(target, same),
        }
    }

    /// The fast path: the shortest reference to a target that shares the base's host, where neither has dots nor, by level,
    /// runs of slashes. It gives what trying all forms gives, or `None`.
    fn nearest(&self, target: &str, same: usize) -> Option<Candidate<'static>> {
        let (uri, cuts) = (&self.uri, &self.cuts);
        let bytes = target.as_bytes();
        let behind = |at: usize| if at <= same { bytes.get(at).copied() } else { None };
        let plain = |ups, lead, from| Candidate { ups, lead, from };
        if self.is_elsewhere(bytes, same) {
            return Some(plain(0, "", uri.scheme_end));
        }
        let has_host = uri.path_start > uri.scheme_end + 2;
        if !has_host
            || self.rules.params
            || behind(uri.path_start) != Some(b'/')
            || same == uri.path_start
            || (same == target.len() && self.rules.empty_is_whole)
        {
            return None;
        }
        let path = &bytes[uri.path_start..];
        let has_runs = path.starts_with(b"//") || (self.rules.by_level() && has_run(path));
        if has_runs || has_dots(path) {
            return None;
        }
        if same == target.len() && same == uri.query_end {
            return Some(plain(0, "", same));
        }
        if behind(uri.query_end) == Some(b'#') {
            return Some(plain(0, "", uri.query_end));
        }
        let query = if self.rules.query_replaces { cuts.ups[0] } else { uri.path_end };
        if behind(query) == Some(b'?') {
            return Some(plain(0, "", query));
        }

        let ups = cuts.ups.iter().position(|&cut| cut <= same)?;
        let from = cuts.ups[ups];
        let climb = match (bytes.get(from), ups.checked_sub(1)) {
            // `..` at the end does what `../` does.
            (None | Some(b'?' | b'#'), Some(fewer)) => plain(fewer, "..", from),
            (None | Some(b'?' | b'#'), None) => plain(0, ".", from),
            (Some(b'/'), _) => return None,
            (_, None) if scheme_end(&bytes[from..]) > 0 => plain(0, "./", from),
            _ => plain(ups, "", from),
        };
        let mut best = climb;
        for (from, level) in cuts.slashes.into_iter().zip(1..) {
            if from <= same && count_slashes(&bytes[from..]) == level && bytes.len() - from < best.len(target) {
                best = plain(0, "", from);
            }
        }
        Some(if best.len(target) > bytes.len() { plain(0, "", 0) } else { best })
    }

    /// Whether a target has the base's scheme, but another host, and no dots: only what stands behind the scheme leads there.
    fn is_elsewhere(&self, target: &[u8], same: usize) -> bool {
        let (uri, start) = (&self.uri, self.uri.scheme_end + 2);
        if same < start || start > uri.path_start || same >= uri.path_start || self.cuts.slashes[1] != uri.scheme_end {
            return false;
        }
        let rest = &target[start..];
        let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len());
        end > 0 && rest[..end] != self.as_str().as_bytes()[start..uri.path_start] && !has_dots(&rest[end..])
    }

    /// Tries all forms.
    fn shortest<'t>(&self, target: &'t str, same: usize) -> Cow<'t, str> {
        let t = UriRef::new(target);
        if t.scheme() != Some(self.scheme()) {
            return Cow::Borrowed(target);
        }
        let mut candidates: SmallVec<[Candidate<'_>; 16]> = SmallVec::new();
        let mut add = |ups, lead, from| candidates.push(Candidate { ups, lead, from });

        let path_end = path_end(&t, self.rules);
        if same >= self.uri.query_end {
            add(0, "", target.len());
            add(0, "", t.query_end);
        }
        if t.path_end < t.query_end {
            add(0, "", t.path_end);
        }
        if path_end < t.path_end {
            add(0, "", path_end);
        }
        // A guard in front of the target's path is put there anew, so the path may be reached without it.
        let guarded = t.authority().is_none() && t.path().starts_with("/.//");
        let is_rooted = |path_start: usize| target[path_start..path_end].starts_with('/');
        for path_start in [t.path_start, t.path_start + 2].into_iter().take(1 + usize::from(guarded)) {
            if t.authority() == self.uri.authority() {
                let (parents, all, from) = self.climb(target, path_start..path_end);
                // A `..` too many leaves the root of a rootless path.
                let root = Some((all, path_start + 1)).filter(|_| self.rules.drop_surplus && is_rooted(path_start));
                for (parents, from) in [(parents, from)].into_iter().chain(root) {
                    match parents.checked_sub(1) {
                        // `..` at the end does what `../` does.
                        Some(fewer) if from == path_end => add(fewer, "..", from),
                        Some(_) => add(parents, "", from),
                        None if from == path_end => add(0, ".", from),
                        None => {
                            add(0, "", from);
                            add(0, "./", from);
                            // After a slash run a dot stays, and only the scheme keeps the text from being read as one.
                            if self.rules.lenient {
                                add(0, &target[..t.scheme_end], from);
                            }
                        }
                    }
                }
            }
            if self.rules.by_level() {
                self.rooted(target, path_start..path_end, same, |lead, from| add(0, lead, from));
                // The one segment before a cut can be removed, too.
                let from = path_start + usize::from(self.rules.drop_surplus && is_rooted(path_start));
                add(0, if from == path_end { "/.." } else { "/../" }, from);
            } else {
                add(0, "", path_start);
                add(0, "/.", path_start);
            }
        }
        add(0, "", t.scheme_end);
        add(0, "", 0);

        candidates.sort_by_key(|candidate| candidate.len(target));
        let fits = |text: &Cow<'t, str>| self.resolve(text) == *target;
        candidates.iter().map(|candidate| candidate.text(target)).find(fits).unwrap_or(Cow::Borrowed(target))
    }

    /// Returns how many directories of the base must be left to reach the target, how many there are, and the byte of the
    /// target at which the text after the shared directories starts.
    fn climb(&self, target: &str, path: Range<usize>) -> (usize, usize, usize) {
        let here = self.directory().into_iter().flat_map(|directory| directory.split('/'));
        let there = target[path.clone()].rsplit_once('/').map(|(directory, _)| directory.split('/'));
        let common = here.clone().zip(there.into_iter().flatten()).take_while(|(ours, theirs)| ours == theirs);
        let (common, from) = common.fold((0, path.start), |(n, from), (_, theirs)| (n + 1, from + theirs.len() + 1));
        let all = here.count();
        (all - common, all, from)
    }

    /// By level: adds the forms of the target that start with slashes. For each place at which the base can be cut, if the
    /// target has the same text up to there, such a form starts at the target's own slash run, if its level cuts there.
    fn rooted(&self, target: &str, path: Range<usize>, same: usize, mut add: impl FnMut(&'static str, usize)) {
        let bytes = target.as_bytes();
        let root = self.uri.path_start;
        let levels = self.levels();
        let undotted = self.undotted().filter(|_| self.rules.rooted_dots);
        let same_directory = undotted
            .map_or(0, |undotted| common(undotted.directory().unwrap_or_default().as_bytes(), &bytes[path.start..]));
        // The byte of the target at which the text of the base before a place ends there.
        let end = |place: usize| match undotted.filter(|_| place > root) {
            None => Some(place).filter(|&place| place <= same),
            Some(undotted) => {
                let (shared, own) = undotted.before(place);
                let start = match shared {
                    Some(shared) if shared.len() > same_directory => return None,
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
        let first_level = levels.cut(1).at();
        let mut longest = None;
        for place in levels.places() {
            let Some(from) = end(place) else { continue };
            let level = bytes.get(from..path.end).map_or(0, count_slashes);
            if level > 0 && levels.cut(level).at() == place {
                longest = longest.max(Some(from));
            }
            if place == first_level {
                add("/.", from);
            }
            // Where dots leave nothing before the place, the first slash of the reference is removed with them.
            if undotted.is_some_and(|undotted| place > root && undotted.before(place) == (None, None)) {
                if levels.cut(level + 1).at() == place {
                    add("/", from);
                }
                if place == first_level {
                    add("/./", from);
                }
            }
        }
        longest.into_iter().for_each(|from| add("", from));
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::rules::Rules;

    /// Every base and target of a small world, with hosts and paths that are nearly the same.
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
        let (bases, targets) = (texts(&["", "?q#f"]), texts(&["", "?", "?q", "#f", "?q#g"]));
        let mixes = [Rules { empty_is_whole: true, ..Rules::RFC3986 }, Rules { drop_surplus: true, ..Rules::RFC1630 }];
        let lenient = [Rules::RFC3986, Rules::RFC1630].map(Rules::lenient);
        for rules in Rules::ALL.into_iter().chain(mixes).chain(lenient) {
            for base in &bases {
                let base = Base::new(base, rules).expect("absolute");
                for target in &targets {
                    let reference = base.relativize(target);
                    let same = common(base.as_str().as_bytes(), target.as_bytes());
                    assert_eq!(reference, base.shortest(target, same), "{rules}: {target} from {base}");
                    let stable = base.resolve(target) == **target;
                    assert!(base.resolve(&reference) == **target || !stable, "{rules}: {target} from {base}");
                    assert!(reference.len() <= target.len(), "{rules}: {target} from {base} = {reference}");
                }
            }
        }
    }
}
