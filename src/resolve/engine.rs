//! The engine: the part of the base that stays, the part of the reference that follows, and the removal of dot segments.

use super::dots::{Stack, last_dots};
use super::form::Form;
use super::long_segments::LongSegments;
use super::prepared::{BorrowedBase, path_end};
use super::resolved::{Components, Middle, Resolved};
use super::slash_runs::{Cut, count_slashes};
use super::step::{Action, Trace};
use crate::rules::Slashes;
use crate::uri::UriRef;

/// The part of the base that stays before the path of the reference.
enum BasePart<'b> {
    /// A text that no `..` can shorten: the base up to a component, or scheme and authority of the reference.
    Components {
        text: &'b str,
        /// The authority of the reference with its slashes, to be written after the text.
        lead: &'b str,
        /// The authority before the path, in the text or after it.
        authority: Option<&'b str>,
    },
    /// All up to this byte of the path, where a slash run starts or a host ends. The first slash of the reference follows.
    PathBefore(usize),
    /// The directory of the base, and the slash after it.
    Directory,
}

impl<'b> BorrowedBase<'b> {
    /// Returns the byte at which the base is cut for a reference without a path; `None` if that depends on its path.
    #[inline(always)]
    pub(crate) fn pathless_cut(self, form: Form) -> Option<usize> {
        match form {
            Form::Empty if self.rules.empty_is_whole => Some(self.as_str().len()),
            Form::Empty | Form::Fragment => Some(self.offsets.query_end),
            // The path of a query that replaces is the empty one, relative to the directory.
            Form::Query if self.rules.query_replaces => self.cuts.relative[0].get(),
            Form::Query => Some(self.offsets.path_end),
            Form::Params if self.ends_in_host => None,
            Form::Params => Some(self.path_end()),
            Form::Slashes | Form::Dot | Form::Name => None,
        }
    }

    /// Resolves a reference and tells each step.
    pub(crate) fn resolve_traced<T: Trace<'b>>(self, reference: &'b str, trace: &mut T) -> Resolved<'b> {
        let r = UriRef::new(reference);
        let rules = self.rules;
        let mut start = 0;
        if let Some(scheme) = r.scheme() {
            let is_ignored = rules.lenient && scheme.eq_ignore_ascii_case(self.scheme()) && r.authority().is_none();
            if !is_ignored {
                trace.step(Action::Absolute, reference);
                let base_part =
                    BasePart::Components { text: &reference[..r.path_start], lead: "", authority: r.authority() };
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
            // `pathless_cut` is the same rule without dots.
            Form::Query if rules.query_replaces => self.relative(&r, start, trace),
            form => self.pathless(&r, start, form, trace),
        }
    }

    /// Resolves a reference that starts with slashes.
    fn slashed<T: Trace<'b>>(self, r: &UriRef<&'b str>, start: usize, trace: &mut T) -> Resolved<'b> {
        let (text, rules) = (self.as_str(), self.rules);
        let level = count_slashes(&r.as_str().as_bytes()[start..]);
        let (cut, action) = match rules.by_level() {
            true => {
                let cut = self.slash_runs().cut(level);
                let at = cut.at();
                let action = match cut {
                    Cut::BeforeRun(run) if rules.slashes == Slashes::Levels => Action::Run(run),
                    Cut::BeforeRun(run) => Action::FirstRun(run),
                    Cut::AfterHost { run, .. } => Action::Host(run),
                    Cut::AfterScheme(_) => Action::NoRun,
                };
                (at, action)
            }
            false if level > 1 => (self.offsets.scheme_end, Action::Authority),
            false => (self.offsets.path_start, Action::Root),
        };
        let head = &text[..cut];
        trace.step(action, head);
        let (base_part, start) = if cut == self.offsets.scheme_end {
            let lead = &r.as_str()[start..r.path_start];
            (BasePart::Components { text: head, lead, authority: r.authority() }, r.path_start)
        } else if cut == self.offsets.path_start {
            (BasePart::Components { text: head, lead: "", authority: self.uri_ref().authority() }, start)
        } else {
            (BasePart::PathBefore(cut), start)
        };
        self.join(base_part, r, start, rules.rooted_dots, trace)
    }

    /// Resolves a reference whose path replaces the last segment of the base's.
    fn relative<T: Trace<'b>>(self, r: &UriRef<&'b str>, start: usize, trace: &mut T) -> Resolved<'b> {
        trace.step(Action::Directory, &self.as_str()[..self.directory_end]);
        if self.ends_in_host {
            trace.step(Action::MissingPath, self.as_str());
        }
        self.join(BasePart::Directory, r, start, true, trace)
    }

    /// Resolves a reference that starts with parameters, a query or a fragment, or is empty.
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
        let end = self.pathless_cut(form).unwrap_or_else(|| {
            trace.step(Action::MissingPath, self.as_str());
            resolved.middle = Some(Middle { base_segments: self.written_directory(), ..Middle::lead("") });
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

    /// Writes the reference, from byte `start` of it, after the part of the base, and removes the dot segments of the resulting path.
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
        let text = self.as_str();
        let authority = match base_part {
            BasePart::Components { authority, .. } => authority,
            BasePart::PathBefore(_) | BasePart::Directory => self.uri_ref().authority(),
        };
        let components = Components { scheme: self.scheme(), authority, ..Components::of(r) };
        if dots_end.is_none() {
            match base_part {
                BasePart::Components { text, lead, .. } => {
                    let middle = if lead.is_empty() { None } else { Some(Middle::lead(lead)) };
                    return Resolved { middle, ..Resolved::two_pieces(text, tail, components) };
                }
                BasePart::PathBefore(cut) if dotless.is_none() => {
                    return Resolved::two_pieces(&text[..cut], tail, components);
                }
                BasePart::Directory if dotless.is_none() && !self.ends_in_host => {
                    return Resolved::two_pieces(&text[..self.directory_end], tail, components);
                }
                _ => {}
            }
        }

        let root = self.offsets.path_start;
        // The slash between the kept segments and the path is that of the reference, if it is cut before one.
        let mut at = 0;
        let (head, mut lead, segments, written) = match base_part {
            BasePart::Components { text, lead, .. } => (text, lead, (None, None), None),
            BasePart::PathBefore(cut) => {
                at = 1;
                let written = Some(&text[root..cut]);
                let segments = dotless.map_or((written, None), |dotless| dotless.before(text, cut));
                (&text[..root], "", segments, written)
            }
            BasePart::Directory => (&text[..root], "", (self.directory(), None), self.written_directory()),
        };
        let has_empty_authority = authority == Some("");
        // The dots of the base were removed when it was prepared; the steps are replayed each time.
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
            lead = "/.";
        }
        let middle = Some(Middle { lead, base_segments: stack.below, reference_segments: stack.above });
        Resolved { head, middle, tail: &tail[at..], components }
    }
}
