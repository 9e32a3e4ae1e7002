//! The engine: what of the base is kept, what of the reference follows, and the removal of dots where they meet.

use alloc::string::String;

use memchr::{memchr, memchr_iter};

use crate::base::{Base, path_end};
use crate::error::Error;
use crate::levels::{Cut, count_slashes};
use crate::resolved::Resolved;
use crate::rules::{Rules, Slashes};
use crate::segments::{Stack, last_dots};
use crate::step::{Action, Trace};
use crate::uri::UriRef;

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
    below: Below,
    /// Text of the reference that stands between the kept text and the path: an authority.
    lead: &'b str,
    authority: Option<&'b str>,
    scheme: &'b str,
    /// Whether `head` is all of it: it is not where a missing path counts as `/`.
    whole: bool,
}

/// Which segments of the base's path `..` may take away.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    None,
    Directory,
    /// Those before a byte of the base, where it is cut by level.
    Cut(usize),
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
        self.resolve_traced(reference, &mut ())
    }

    /// Resolves a reference and appends the text of the result; allocates if `out` must grow, else as
    /// [`resolve`](Base::resolve).
    pub fn resolve_into(&self, reference: &str, out: &mut String) {
        self.resolve(reference).append_to(out);
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
                let kept = Kept { head, root, below: Below::None, lead: "", authority, scheme, whole: true };
                return self.join(kept, &r, r.path_start, rules.absolute_dots, trace);
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
        let cut = match &self.levels {
            Some(levels) => {
                let cut = levels.cut(level);
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
            None if level > 1 => {
                trace.step(Action::Authority, &text[..self.uri.scheme_end]);
                self.uri.scheme_end
            }
            None => {
                trace.step(Action::Root, &text[..self.uri.path_start]);
                self.uri.path_start
            }
        };
        let (head, scheme) = (&text[..cut], self.scheme());
        if cut == self.uri.scheme_end {
            let lead = &r.as_str()[start..r.path_start];
            let authority = r.authority();
            let kept = Kept { head, root: cut, below: Below::None, lead, authority, scheme, whole: true };
            return self.join(kept, r, r.path_start, rules.rooted_dots, trace);
        }
        let (root, authority) = (self.uri.path_start, self.uri.authority());
        let below = if cut == root { Below::None } else { Below::Cut(cut) };
        let kept = Kept { head, root, below, lead: "", authority, scheme, whole: true };
        self.join(kept, r, start, rules.rooted_dots, trace)
    }

    /// A reference whose path replaces the last segment of the base's.
    fn relative<'b, T: Trace<'b>>(&'b self, r: &UriRef<'b>, start: usize, trace: &mut T) -> Resolved<'b> {
        let head = &self.as_str()[..self.directory_end];
        trace.step(Action::Directory, head);
        if self.ends_in_host {
            trace.step(Action::MissingPath, self.as_str());
        }
        let (root, authority) = (self.uri.path_start, self.uri.authority());
        let (scheme, whole) = (self.scheme(), !self.ends_in_host);
        let kept = Kept { head, root, below: Below::Directory, lead: "", authority, scheme, whole };
        self.join(kept, r, start, true, trace)
    }

    /// A reference that starts with parameters, a query or a fragment, or is empty.
    fn pathless<'b, T: Trace<'b>>(&'b self, r: &UriRef<'b>, start: usize, trace: &mut T) -> Resolved<'b> {
        let base = self.uri;
        let tail = &r.as_str()[start..];
        let mut resolved = Resolved {
            head: base.as_str(),
            tail,
            scheme: self.scheme(),
            authority: base.authority(),
            query: r.query(),
            fragment: r.fragment(),
            ..Resolved::empty()
        };
        let (action, end) = if tail.starts_with(';') {
            if self.ends_in_host {
                trace.step(Action::MissingPath, base.as_str());
                resolved.kept = self.directory();
                (Action::Params, base.path_start)
            } else {
                (Action::Params, self.path_end)
            }
        } else if tail.starts_with('?') {
            if self.rules.query_replaces {
                return self.relative(r, start, trace);
            }
            (Action::Query, base.path_end)
        } else {
            resolved.query = base.query();
            if tail.starts_with('#') {
                (Action::Fragment, base.query_end)
            } else if self.rules.empty_is_whole {
                resolved.fragment = base.fragment();
                (Action::Empty, base.as_str().len())
            } else {
                (Action::Empty, base.query_end)
            }
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
        let Kept { head, root, below, lead, scheme, authority, whole } = kept;
        let (query, fragment) = (r.query(), r.fragment());
        let tail = &r.as_str()[start..];
        let plain = Resolved { head, lead, tail, scheme, authority, query, fragment, ..Resolved::empty() };

        let mut path = &r.as_str()[start..path_end(r, self.rules)];
        let base_dots = dots && self.dotted && below != Below::None;
        let path_dots = if dots { last_dots(path) } else { None };
        if whole && !base_dots && path_dots.is_none() {
            return plain;
        }

        let segments = match below {
            Below::None => &[],
            Below::Directory => self.directory(),
            Below::Cut(cut) => &self.segments[..1 + memchr_iter(b'/', &self.as_str().as_bytes()[root..cut]).count()],
        };
        let mut stack = Stack::new(segments, self.rules, authority == Some(""));
        if base_dots {
            stack.below = &[];
            for segment in segments {
                stack.step(segment, trace);
            }
        }
        // The first slash of a rooted path behind segments is the one that ends the last of them.
        let glued = matches!(below, Below::Cut(_));
        path = &path[usize::from(glued)..];
        let dots_end = path_dots.map_or(0, |end| end - usize::from(glued));
        let mut at = 0;
        while at < dots_end {
            match memchr(b'/', &path.as_bytes()[at..dots_end]) {
                Some(slash) => {
                    stack.step(&path[at..at + slash], trace);
                    at += slash + 1;
                }
                None if stack.step(&path[at..], trace) => {
                    stack.above.pop();
                    break;
                }
                None => at = dots_end,
            }
        }

        let guard = authority.is_none() && stack.looks_like_authority(&path[at..]);
        let tail = &tail[usize::from(glued) + at..];
        if whole && !glued && !base_dots && !guard {
            let gone = &segments[stack.below.len()..];
            let gone: usize = gone.iter().map(|segment| segment.len() + 1).sum();
            return Resolved { head: &head[..head.len() - gone], segments: stack.above, tail, ..plain };
        }
        let mut lead = lead;
        if guard {
            trace.step(Action::Guard, "/.");
            lead = "/.";
        }
        Resolved { head: &head[..root], lead, kept: stack.below, segments: stack.above, tail, ..plain }
    }
}
