//! The engine: what of the base is kept, what of the reference follows, and the removal of dots where they meet.

use alloc::string::String;

use crate::base::{Base, path_end};
use crate::error::Error;
use crate::levels::{Cut, count_slashes};
use crate::long::LongSegments;
use crate::resolved::Resolved;
use crate::rules::{Rules, Slashes};
use crate::scan::{count_ups, has_dots, has_dots_or_colon};
use crate::segments::{Stack, last_dots};
use crate::step::{Action, Trace};
use crate::uri::{UriRef, scheme_end};

/// Resolves one reference against one base.
///
/// For several references to the same base, make a [`Base`] once.
///
/// # Errors
/// The base is not absolute, as in [`Base::new`].
///
/// ```
/// use relref::{Rules, resolve};
///
/// assert_eq!(resolve("http://h/a/b", "../g", Rules::RFC3986)?, "http://h/g");
/// assert!(resolve("/a/b", "../g", Rules::RFC3986).is_err());
/// # Ok::<(), relref::Error>(())
/// ```
pub fn resolve(base: &str, reference: &str, rules: Rules) -> Result<String, Error> {
    let base = Base::new(base, rules)?;
    let mut out = String::new();
    base.resolve_into(reference, &mut out);
    Ok(out)
}

/// What of the base is kept.
struct Kept<'b> {
    /// The kept text.
    head: &'b str,
    /// Where in it the path starts.
    root: usize,
    /// The segments of the base's path that `..` may remove, without their dot segments and the slash after them.
    below: Option<&'b str>,
    /// One more segment after them.
    last: Option<&'b str>,
    /// The same segments as they are written, if their dots were removed when the base was made ready.
    dotted: Option<&'b str>,
    /// Text of the reference that stands between the kept text and the path: an authority.
    lead: &'b str,
    authority: Option<&'b str>,
    /// Whether the slash behind `below` is the first of the reference.
    glued: bool,
    /// Whether `head` is all of it: it is not where a missing path counts as `/`.
    whole: bool,
}

impl<'b> Kept<'b> {
    /// Keeps a text up to a cut, without segments that a `..` may remove.
    fn whole(head: &'b str, root: usize, lead: &'b str, authority: Option<&'b str>) -> Self {
        Kept { head, root, below: None, last: None, dotted: None, lead, authority, glued: false, whole: true }
    }
}

impl<'a> Base<'a> {
    /// Resolves a reference. Every reference resolves, whatever it holds.
    ///
    /// The result borrows from the base and the reference. Cost: one pass over the reference, and over the base only where
    /// dot segments meet it; no allocation, unless more than sixteen segments stand in front of dots.
    ///
    /// ```
    /// use relref::{Base, Rules};
    ///
    /// let base = Base::new("https://web.archive.org/web/2020/http://example.com/a/b", Rules::RFC1630)?;
    /// assert_eq!(base.resolve("/g").to_string(), "https://web.archive.org/web/2020/http://example.com/g");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn resolve<'b>(&'b self, reference: &'b str) -> Resolved<'b> {
        match self.plain(reference) {
            Some((head, tail)) => Resolved::plain(head, tail),
            None => self.resolve_traced(reference, &mut ()),
        }
    }

    /// Resolves a reference and appends the text of the result; allocates if `out` must grow, else as
    /// [`resolve`](Base::resolve).
    pub fn resolve_into(&self, reference: &str, out: &mut String) {
        match self.plain(reference) {
            Some((head, tail)) => {
                out.reserve(head.len() + tail.len());
                out.push_str(head);
                out.push_str(tail);
            }
            None => self.resolve_into_by_engine(reference, out),
        }
    }

    #[inline(never)]
    fn resolve_into_by_engine(&self, reference: &str, out: &mut String) {
        self.resolve_traced(reference, &mut ()).append_to(out);
    }

    /// The fast path: for the common references, how much of the base and how much of the reference make the result. It
    /// gives what the engine gives, or leaves the reference to it.
    #[inline(always)]
    fn plain<'b>(&'b self, reference: &'b str) -> Option<(&'b str, &'b str)> {
        let bytes = reference.as_bytes();
        let cuts = &self.cuts;
        let (cut, from) = match *bytes {
            [b'#', ..] => return Some((self.as_str().get(..self.uri.query_end)?, reference)),
            [b'.', ..] => {
                let ups = count_ups(bytes);
                let from = match bytes[3 * ups..] {
                    [b'.', b'/', b'.' | b'/', ..] => return None,
                    // By level, a dot right behind a run of slashes stays; then no directory above is ready either.
                    [b'.', b'/', ..] if ups == 0 && (cuts.ups[1] != usize::MAX || !self.nested) => 2,
                    [b'.' | b'/', ..] => return None,
                    _ => 3 * ups,
                };
                match cuts.ups.get(ups) {
                    Some(&cut) => (cut, from),
                    None => (self.cut_above(ups)?, from),
                }
            }
            [b'/', ref rest @ ..] => match count_slashes(rest) {
                more @ (0 | 1) => (cuts.slashes[more], 0),
                _ => return None,
            },
            [b'?', ..] => {
                let cut = if self.rules.query_replaces { cuts.ups[0] } else { self.uri.path_end };
                return Some((self.as_str().get(..cut)?, reference));
            }
            [] => return None,
            [b';', ..] if self.rules.params => return None,
            _ if has_dots_or_colon(bytes) => return self.plain_with_colon(reference),
            _ => return Some((self.as_str().get(..cuts.ups[0])?, reference)),
        };
        if has_dots(&bytes[from..]) {
            return None;
        }
        Some((self.as_str().get(..cut)?, &reference[from..]))
    }

    /// A reference in which a colon stands, or perhaps dots.
    #[inline(never)]
    fn plain_with_colon<'b>(&'b self, reference: &'b str) -> Option<(&'b str, &'b str)> {
        let bytes = reference.as_bytes();
        if has_dots(bytes) {
            return None;
        }
        match scheme_end(bytes) {
            0 => Some((self.as_str().get(..self.cuts.ups[0])?, reference)),
            end if self.rules.lenient || bytes.get(end) == Some(&b'.') => None,
            _ => Some((reference, "")),
        }
    }

    pub(crate) fn resolve_traced<'b, T: Trace<'b>>(&'b self, reference: &'b str, trace: &mut T) -> Resolved<'b> {
        let r = UriRef::new(reference);
        let rules = self.rules;

        let mut start = 0;
        if let Some(scheme) = r.scheme() {
            let same = rules.lenient && scheme.eq_ignore_ascii_case(self.scheme());
            if !same || r.authority().is_some() {
                trace.step(Action::Absolute, reference);
                let (head, root, authority) = (&reference[..r.path_start], r.path_start, r.authority());
                return self.join(Kept::whole(head, root, "", authority), &r, r.path_start, rules.absolute_dots, trace);
            }
            trace.step(Action::SchemeIgnored, scheme);
            start = r.scheme_end;
        }

        let path = &reference[start..path_end(&r, rules)];
        match count_slashes(path.as_bytes()) {
            0 if !path.is_empty() => self.relative(&r, start, trace),
            0 => self.pathless(&r, start, trace),
            level => self.slashed(&r, start, level, trace),
        }
    }

    /// A reference with leading slashes.
    fn slashed<'b, T: Trace<'b>>(&'b self, r: &UriRef<'b>, start: usize, level: usize, trace: &mut T) -> Resolved<'b> {
        let (text, rules) = (self.as_str(), self.rules);
        let cut = match rules.by_level() {
            true => {
                let cut = self.levels().cut(level);
                let at = cut.at();
                let action = match cut {
                    Cut::Run(run) if rules.slashes == Slashes::Levels => Action::Run(run),
                    Cut::Run(run) => Action::FirstRun(run),
                    Cut::Host { run, .. } => Action::Host(run),
                    Cut::Scheme(_) => Action::NoRun,
                };
                trace.step(action, &text[..at]);
                at
            }
            false if level > 1 => {
                trace.step(Action::Authority, &text[..self.uri.scheme_end]);
                self.uri.scheme_end
            }
            false => {
                trace.step(Action::Root, &text[..self.uri.path_start]);
                self.uri.path_start
            }
        };
        let head = &text[..cut];
        if cut == self.uri.scheme_end {
            let lead = &r.as_str()[start..r.path_start];
            return self.join(Kept::whole(head, cut, lead, r.authority()), r, r.path_start, rules.rooted_dots, trace);
        }
        let root = self.uri.path_start;
        let mut kept = Kept::whole(head, root, "", self.uri.authority());
        if cut > root {
            (kept.glued, kept.below) = (true, Some(&text[root..cut]));
            if let Some(undotted) = self.undotted().filter(|_| rules.rooted_dots) {
                (kept.dotted, kept.whole) = (kept.below, false);
                (kept.below, kept.last) = undotted.before(cut);
            }
        }
        self.join(kept, r, start, rules.rooted_dots, trace)
    }

    /// A reference whose path replaces the last segment of the base's.
    fn relative<'b, T: Trace<'b>>(&'b self, r: &UriRef<'b>, start: usize, trace: &mut T) -> Resolved<'b> {
        let head = &self.as_str()[..self.directory_end];
        trace.step(Action::Directory, head);
        if self.ends_in_host {
            trace.step(Action::MissingPath, self.as_str());
        }
        let mut kept = Kept::whole(head, self.uri.path_start, "", self.uri.authority());
        kept.below = self.directory();
        kept.dotted = self.undotted().is_some().then(|| self.written_directory()).flatten();
        kept.whole = !self.ends_in_host && kept.dotted.is_none();
        self.join(kept, r, start, true, trace)
    }

    /// A reference that starts with parameters, a query or a fragment, or is empty.
    fn pathless<'b, T: Trace<'b>>(&'b self, r: &UriRef<'b>, start: usize, trace: &mut T) -> Resolved<'b> {
        let base = self.uri;
        let tail = &r.as_str()[start..];
        let mut resolved = Resolved::plain(base.as_str(), tail);
        let (action, end) = if tail.starts_with(';') {
            if self.ends_in_host {
                trace.step(Action::MissingPath, base.as_str());
                resolved.kept = self.written_directory();
                (Action::Params, base.path_start)
            } else {
                (Action::Params, self.path_end())
            }
        } else if tail.starts_with('?') {
            if self.rules.query_replaces {
                return self.relative(r, start, trace);
            }
            (Action::Query, base.path_end)
        } else if tail.starts_with('#') {
            (Action::Fragment, base.query_end)
        } else if self.rules.empty_is_whole {
            (Action::Empty, base.as_str().len())
        } else {
            (Action::Empty, base.query_end)
        };
        resolved.head = &base.as_str()[..end];
        trace.step(action, resolved.head);
        resolved
    }

    /// Puts the reference, from byte `start` of it, behind what is kept, and removes the dots of the path so made.
    fn join<'b, T: Trace<'b>>(
        &'b self,
        kept: Kept<'b>,
        r: &UriRef<'b>,
        start: usize,
        dots: bool,
        trace: &mut T,
    ) -> Resolved<'b> {
        let Kept { head, root, below, last, dotted, lead, authority, glued, whole } = kept;
        let tail = &r.as_str()[start..];
        let mut path = &r.as_str()[start..path_end(r, self.rules)];
        let path_dots = if dots { last_dots(path.as_bytes()) } else { None };
        if whole && path_dots.is_none() {
            return Resolved { lead, ..Resolved::plain(head, tail) };
        }

        if let (Some(directory), true) = (dotted, T::TELLS) {
            let mut told = Stack::new(None, LongSegments::NONE, self.rules, authority == Some(""));
            let last = told.steps(directory, trace);
            told.step(&directory[last..], trace);
        }
        let mut stack = Stack::new(below, self.long(), self.rules, authority == Some(""));
        last.into_iter().for_each(|last| stack.above.push(last));
        path = &path[usize::from(glued)..];
        let mut at = 0;
        if let Some(dots_end) = path_dots {
            let dots = &path[..dots_end - usize::from(glued)];
            at = stack.steps(dots, trace);
            if at < dots.len() {
                if stack.step(&dots[at..], trace) {
                    stack.above.pop();
                } else {
                    at = dots.len();
                }
            }
        }

        let mut lead = lead;
        let tail = &tail[usize::from(glued) + at..];
        if authority.is_none() && stack.looks_like_authority(&path[at..]) {
            trace.step(Action::Guard, "/.");
            lead = "/.";
        }
        Resolved { head: &head[..root], lead, kept: stack.below, segments: stack.above, tail }
    }
}
