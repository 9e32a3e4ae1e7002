//! The engine: resolves any reference. It joins the kept part of the base and the reference, and removes dot segments.

use super::dots::{Stack, last_dots};
use super::fast_path::FastBase;
use super::form::Form;
use super::long_segments::LongSegments;
use super::prepared::{BorrowedBase, path_end};
use super::resolved::{Components, Resolved};
use super::slash_runs::{ChosenCut, count_slashes};
use super::step::{Action, Trace};
use crate::rules::Slashes;
use crate::uri::UriRef;

/// The part of the base that is kept before the path of the reference.
enum BasePart<'b> {
    /// A text that no `..` shortens: the base up to the end of its scheme or authority, or scheme and authority of the reference.
    Components {
        text: &'b str,
        /// The authority of the reference with its slashes, which is written after `text`. Empty if `text` has the authority, or if
        /// there is none.
        authority_with_slashes: &'b str,
        /// The authority of the result, without its slashes: a part of one of these two texts, or `None`.
        authority: Option<&'b str>,
    },
    /// The base up to this byte of its text, which is inside the path: a slash run starts there, or the host of a URI in the path
    /// (`/http://h`) ends there. The first slash of the reference comes next.
    PathBefore(usize),
    /// The base up to and with the last slash of its path. After a host without a path, that slash is added.
    Directory,
}

impl<'b> BorrowedBase<'b> {
    /// Resolves any reference without the fast path, and reports each step to `trace`.
    pub(crate) fn resolve_traced<T: Trace<'b>>(self, reference: &'b str, trace: &mut T) -> Resolved<'b> {
        let r = UriRef::split(reference);
        let rules = self.rules;
        let mut start = 0;
        if let Some(scheme) = r.scheme() {
            let is_ignored = rules.lenient && scheme.eq_ignore_ascii_case(self.scheme()) && r.authority().is_none();
            if !is_ignored {
                trace.step(Action::Absolute, reference);
                let base_part = BasePart::Components {
                    text: &reference[..r.path_start],
                    authority_with_slashes: "",
                    authority: r.authority(),
                };
                let mut resolved = self.join(base_part, &r, r.path_start, rules.absolute_dots, trace);
                resolved.components.scheme = scheme;
                return resolved;
            }
            trace.step(Action::SchemeIgnored, scheme);
            start = r.scheme_end;
        }
        match Form::of(&reference.as_bytes()[start..], rules) {
            Form::Slashes => self.slashed(&r, start, trace),
            Form::Dot | Form::Name => self.relative(&r, start, trace),
            // `pathless_cut` does the same for a base without dot segments.
            Form::Query if rules.query_replaces => self.relative(&r, start, trace),
            form => self.pathless(&r, start, form, trace),
        }
    }

    /// Resolves a reference that starts with slashes. `start` is the byte of those slashes: 0, or the byte after a scheme that is
    /// ignored.
    fn slashed<T: Trace<'b>>(self, r: &UriRef<&'b str>, start: usize, trace: &mut T) -> Resolved<'b> {
        let (text, rules) = (self.as_str(), self.rules);
        let level = count_slashes(&r.as_str().as_bytes()[start..]);
        let (cut, action) = match rules.by_level() {
            true => {
                let cut = self.slash_runs().choose(level);
                let at = cut.at();
                let action = match cut {
                    ChosenCut::BeforeRun(run) if rules.slashes == Slashes::Levels => Action::Run(run),
                    ChosenCut::BeforeRun(run) => Action::FirstRun(run),
                    ChosenCut::AfterHost { run, .. } => Action::Host(run),
                    ChosenCut::AfterScheme(_) => Action::NoRun,
                };
                (at, action)
            }
            false if level > 1 => (self.offsets.scheme_end, Action::Authority),
            false => (self.offsets.path_start, Action::Root),
        };
        let head = &text[..cut];
        trace.step(action, head);
        let (base_part, start) = if cut == self.offsets.scheme_end {
            let authority_with_slashes = &r.as_str()[start..r.path_start];
            (BasePart::Components { text: head, authority_with_slashes, authority: r.authority() }, r.path_start)
        } else if cut == self.offsets.path_start {
            (
                BasePart::Components { text: head, authority_with_slashes: "", authority: self.uri_ref().authority() },
                start,
            )
        } else {
            (BasePart::PathBefore(cut), start)
        };
        self.join(base_part, r, start, rules.rooted_dots, trace)
    }

    /// Resolves a reference whose path replaces the last segment of the base path. It starts at byte `start` of the reference: 0,
    /// or the byte after a scheme that is ignored.
    fn relative<T: Trace<'b>>(self, r: &UriRef<&'b str>, start: usize, trace: &mut T) -> Resolved<'b> {
        trace.step(Action::Directory, &self.as_str()[..self.directory_end]);
        if self.ends_in_host {
            trace.step(Action::MissingPath, self.as_str());
        }
        self.join(BasePart::Directory, r, start, true, trace)
    }

    /// Resolves a reference without a path: one that is empty or starts with parameters, a query or a fragment. `start` is the byte
    /// of its first component: 0, or the byte after a scheme that is ignored.
    fn pathless<T: Trace<'b>>(self, r: &UriRef<&'b str>, start: usize, form: Form, trace: &mut T) -> Resolved<'b> {
        let tail = &r.as_str()[start..];
        let base = Components::of(&self.uri_ref());
        let query = match form {
            // The query of the base stays.
            Form::Empty | Form::Fragment => base.query,
            _ => r.query(),
        };
        let fragment = match form {
            Form::Empty if self.rules.empty_is_whole => base.fragment,
            _ => r.fragment(),
        };
        let mut resolved = Resolved::two_pieces(self.as_str(), tail, Components { query, fragment, ..base });
        let cut = match form {
            Form::Params if !self.ends_in_host => Some(self.path_end()),
            _ => self.pathless_cut(form),
        };
        let end = cut.unwrap_or_else(|| {
            trace.step(Action::MissingPath, self.as_str());
            resolved.base_segments = self.written_directory();
            self.offsets.path_start
        });
        resolved.head = &self.as_str()[..end];
        let action = match form {
            Form::Params => Action::Params,
            Form::Query => Action::Query,
            Form::Fragment => Action::Fragment,
            _ => Action::Empty,
        };
        trace.step(action, resolved.head);
        resolved
    }

    /// Returns the kept part of the base, followed by the reference from its byte `start` on. If `removes_dots` is true, the dot
    /// segments of the resulting path are removed.
    fn join<T: Trace<'b>>(
        self,
        base_part: BasePart<'b>,
        r: &UriRef<&'b str>,
        start: usize,
        removes_dots: bool,
        trace: &mut T,
    ) -> Resolved<'b> {
        let tail = &r.as_str()[start..];
        let path = &r.as_str()[start..path_end(r, self.rules)];
        let dots_end = if removes_dots { last_dots(path.as_bytes()) } else { None };
        let dotless = self.dotless().filter(|_| removes_dots);
        let (text, root, authority) = (self.as_str(), self.offsets.path_start, self.uri_ref().authority());
        // The byte of `path` up to which it has been read: the tail starts there. After `PathBefore`, the first slash of `path`
        // only separates it from the kept segments.
        let mut at = 0;
        let (head, mut authority_or_guard, authority, segments, written) = match base_part {
            BasePart::Components { text, authority_with_slashes, authority } => {
                (text, authority_with_slashes, authority, (None, None), None)
            }
            BasePart::PathBefore(cut) => {
                at = 1;
                let written = Some(&text[root..cut]);
                let segments = dotless.map_or((written, None), |dotless| dotless.before(text, cut));
                (&text[..root], "", authority, segments, written)
            }
            BasePart::Directory => (&text[..root], "", authority, (self.directory(), None), self.written_directory()),
        };
        let has_empty_authority = authority == Some("");
        // The dot segments of the base were removed when it was prepared. The steps of that are reported for each reference.
        if let (true, Some(_), Some(directory)) = (T::LISTENS, dotless, written) {
            let mut replayed = Stack::new(None, LongSegments::NONE, self.rules, has_empty_authority);
            let last = replayed.add_all(directory, trace);
            replayed.add(&directory[last..], trace);
        }
        let (below, last) = segments;
        let mut stack = Stack::new(below, self.long_segments(), self.rules, has_empty_authority);
        last.into_iter().for_each(|last| stack.above.push(last));
        if let Some(dots_end) = dots_end {
            at += stack.add_all(&path[at..dots_end], trace);
            if at < dots_end {
                if stack.add(&path[at..dots_end], trace) {
                    stack.above.pop();
                } else {
                    at = dots_end;
                }
            }
        }
        if authority.is_none() && stack.looks_like_authority(&path[at..]) {
            trace.step(Action::Guard, "/.");
            authority_or_guard = "/.";
        }
        let (base_segments, reference_segments) = (stack.below, stack.above);
        let components = Components { scheme: self.scheme(), authority, ..Components::of(r) };
        Resolved { head, authority_or_guard, base_segments, reference_segments, tail: &tail[at..], components }
    }
}
