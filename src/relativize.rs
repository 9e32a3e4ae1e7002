//! Relativizing: the shortest reference that resolves to a given URI.

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

use smallvec::SmallVec;

use crate::base::{Base, path_end};
use crate::levels::{Levels, count_slashes};
use crate::scan::{common, has_dots, has_run};
use crate::segments::Stack;
use crate::uri::{UriRef, scheme_end};

/// A reference made of `../` so many times, a few more bytes, and the target from a byte on.
#[derive(Clone, Copy)]
struct Candidate {
    ups: usize,
    lead: &'static str,
    from: usize,
}

impl Candidate {
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
    /// The shortest reference that [`resolve`](Base::resolve)s to `target`, or `target` itself.
    ///
    /// The forms tried are: nothing, a fragment, a query, a path from the same directory or from one above it, a path behind
    /// each level of leading slashes, the whole. Those that resolve back exactly are kept and the one of the fewest bytes
    /// taken, a relative path before a rooted one. (Only by level, and only against a base with a rootless path of several
    /// segments, can a form that is not tried be shorter: `long:a/b/` + `/..` = `long:`.) A target that no reference resolves
    /// to (it has no scheme, or dots that the rules remove) comes back as it is.
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
    fn nearest(&self, target: &str, same: usize) -> Option<Candidate> {
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
        let mut candidates: SmallVec<[Candidate; 16]> = SmallVec::new();
        let mut add = |ups, lead, from| candidates.push(Candidate { ups, lead, from });

        let path_end = path_end(&t, self.rules);
        let levels = self.rules.by_level().then(|| self.levels());
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
        for path_start in [t.path_start, t.path_start + 2].into_iter().take(1 + usize::from(guarded)) {
            if t.authority() == self.uri.authority() {
                let (ups, from) = self.climb(target, path_start..path_end);
                match ups.checked_sub(1) {
                    // `..` at the end does what `../` does.
                    Some(fewer) if from == path_end => add(fewer, "..", from),
                    Some(_) => add(ups, "", from),
                    None if from == path_end => add(0, ".", from),
                    None => {
                        add(0, "", from);
                        add(0, "./", from);
                    }
                }
            }
            match &levels {
                Some(levels) => {
                    self.rooted(target, path_start..path_end, same, levels, |lead, from| add(0, lead, from))
                }
                None => {
                    add(0, "", path_start);
                    add(0, "/.", path_start);
                }
            }
        }
        add(0, "", t.scheme_end);

        candidates.sort_by_key(|candidate| candidate.len(target));
        let fits = |text: &Cow<'t, str>| text.len() <= target.len() && self.resolve(text) == *target;
        candidates.iter().map(|candidate| candidate.text(target)).find(fits).unwrap_or(Cow::Borrowed(target))
    }

    /// How many directories of the base must be left to reach the target, and where in it what follows them starts.
    fn climb(&self, target: &str, path: Range<usize>) -> (usize, usize) {
        let mut stack = Stack::new(self.directory(), self.rules, self.uri.authority() == Some(""));
        if self.dotted {
            let directory = stack.below.take();
            for segment in directory.into_iter().flat_map(|directory| directory.split('/')) {
                stack.step(segment, &mut ());
            }
        }
        let here = stack.below.into_iter().flat_map(|below| below.split('/')).chain(stack.above.iter().copied());
        let there = target[path.clone()].rsplit_once('/').map(|(directory, _)| directory.split('/'));
        let common = here.clone().zip(there.into_iter().flatten()).take_while(|(ours, theirs)| ours == theirs);
        let (common, from) = common.fold((0, path.start), |(n, from), (_, theirs)| (n + 1, from + theirs.len() + 1));
        (here.count() - common, from)
    }

    /// By level: where in the target a reference may start with slashes. For each place at which the base can be cut, if the
    /// target has the same text up to there, that is where the target's own run has the level that cuts there.
    fn rooted(
        &self,
        target: &str,
        path: Range<usize>,
        same: usize,
        levels: &Levels,
        mut add: impl FnMut(&'static str, usize),
    ) {
        let first_level = levels.cut(1).at();
        let mut longest = None;
        let mut try_place = |place: usize, from: usize| {
            let level = target.as_bytes().get(from..path.end).map_or(0, count_slashes);
            if level > 0 && levels.cut(level).at() == place {
                longest = longest.max(Some(from));
            }
            if place == first_level {
                add("/.", from);
            }
        };
        if self.dotted {
            self.each_kept(target, path.start, levels, try_place);
        } else {
            levels.places().filter(|&place| place <= same).for_each(|place| try_place(place, place));
        }
        longest.into_iter().for_each(|from| add("", from));
    }

    /// For each place where a base with dots can be cut: where its text before that, once the dots are gone, ends in the
    /// target, if the target starts with it. One walk finds all.
    fn each_kept(&self, target: &str, target_path: usize, levels: &Levels, mut found: impl FnMut(usize, usize)) {
        let mut places: SmallVec<[usize; 8]> = levels.places().collect();
        places.sort_unstable();
        let mut places = places.into_iter().peekable();
        while let Some(place) = places.next_if(|&place| place <= self.uri.path_start) {
            if target.starts_with(&self.as_str()[..place]) {
                found(place, place);
            }
        }
        let mut stack = Stack::new(None, self.rules, self.uri.authority() == Some(""));
        // Where each segment of the stack ends in the target, as long as all before it are there too.
        let mut ends: SmallVec<[Option<usize>; 16]> = SmallVec::new();
        let mut at = self.uri.path_start;
        let segments = self.as_str()[at..self.path_end].split('/').chain(self.ends_in_host.then_some(""));
        for (index, segment) in segments.enumerate() {
            let (before, pushed) = (stack.above.len(), stack.step(segment, &mut ()));
            if pushed || stack.above.len() != before || segment == ".." {
                ends.truncate(stack.above.len().saturating_sub(1));
                if let Some(top) = stack.above.last() {
                    let start = match ends.last() {
                        None => Some(target_path),
                        Some(end) => end.filter(|&end| target.as_bytes().get(end) == Some(&b'/')).map(|end| end + 1),
                    };
                    let fits = |start: usize| target.as_bytes()[start..].starts_with(top.as_bytes());
                    ends.push(start.filter(|&start| fits(start)).map(|start| start + top.len()));
                }
            }
            at += usize::from(index > 0) + segment.len();
            while places.next_if(|&place| place <= at).is_some() {
                let end = if stack.above.is_empty() { Some(target_path) } else { ends.last().copied().flatten() };
                end.into_iter().for_each(|end| found(at, end));
            }
        }
    }
}
