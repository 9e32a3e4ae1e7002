//! The engine: resolves any reference. It joins the kept part of the base and the reference, and removes dot segments.

use super::dots::{Stack, last_dots_end};
use super::empty_parts::PartsAfterPath;
use super::form::Form;
use super::long_segments::LongSegments;
use super::prepared::{BorrowedBase, path_end_by};
use super::resolved::{Components, Once, Resolved};
use super::slash_runs::{ChosenCut, count_slashes};
use super::step::{Action, Trace};
use crate::rules::Slashes;
use crate::uri::UriRef;

/// The part of a result before the path of the reference.
enum Kept<'b> {
    /// A scheme and perhaps an authority. They end before any path, so no `..` removes a part of them.
    BeforePath {
        text: &'b str,
        /// The authority of the reference, with its two slashes. Empty if `text` already has the authority of the result.
        authority_with_slashes: &'b str,
        /// The authority of the result, whichever text it is from, without slashes.
        authority: Option<&'b str>,
    },
    /// The base up to a cut inside its path, by level. The reference follows, which starts with a slash.
    InPath(usize),
    /// The base up to its last slash, or up to a path without one. If the base ends in a host, a slash is added after it.
    Directory,
}

impl<'b> BorrowedBase<'b> {
    /// Always resolves by the engine, never by the fast path.
    pub(crate) fn resolve_traced<T: Trace<'b>>(self, reference: &'b str, trace: &mut T) -> Resolved<'b> {
        let r = UriRef::split(reference);
        let rules = self.rules;
        // By level, slashes are only counted.
        let skips_authority = rules.empty_is_absent && !rules.by_level();
        let mut start = 0;
        if let Some(scheme) = r.scheme() {
            let has_authority = r.authority().is_some_and(|authority| !(authority.is_empty() && skips_authority));
            let is_ignored = rules.lenient && scheme.eq_ignore_ascii_case(self.scheme()) && !has_authority;
            if !is_ignored {
                trace.step(Action::Absolute, reference);
                let kept = Kept::BeforePath {
                    text: &reference[..r.path_start],
                    authority_with_slashes: "",
                    authority: r.authority(),
                };
                let parts = PartsAfterPath::all(&r);
                let mut resolved = self.join(kept, &r, r.path_start, &parts, rules.absolute_dots, trace);
                resolved.components.scheme = scheme;
                return resolved;
            }
            trace.step(Action::SchemeIgnored, scheme);
            start = r.scheme_end;
        }
        let is_empty = start == reference.len();
        if skips_authority && r.authority() == Some("") {
            trace.step(Action::EmptyLeftOut, &reference[start..r.path_start]);
            start = r.path_start;
        }
        let parts = PartsAfterPath::of(&r, rules, |part| trace.step(Action::EmptyLeftOut, part));
        let form = match Form::of(&reference.as_bytes()[start..], rules) {
            form @ (Form::Slashes | Form::Dot | Form::Name) => form,
            form if is_empty || !rules.empty_is_absent => form,
            _ if parts.has_params => Form::Params,
            _ if parts.query.is_some() => Form::Query,
            _ => Form::Fragment,
        };
        match form {
            Form::Slashes => self.slashed(&r, start, &parts, trace),
            Form::Dot | Form::Name => self.relative(&r, start, &parts, trace),
            // `cut_for_pathless` does the same for a base without dot segments.
            Form::Query if rules.query_replaces => self.relative(&r, start, &parts, trace),
            form => self.pathless(&r, start, &parts, form, trace),
        }
    }

    /// `start` is the byte of the first slash, after a scheme that is ignored or an empty authority that counts as absent.
    fn slashed<T: Trace<'b>>(
        self,
        r: &UriRef<&'b str>,
        start: usize,
        parts: &PartsAfterPath<'b>,
        trace: &mut T,
    ) -> Resolved<'b> {
        let (base, rules) = (self.as_str(), self.rules);
        let (cut, action) = match rules.by_level() {
            true => {
                if T::LISTENS && self.uri_ref().query().is_some_and(|query| query.contains('/')) {
                    trace.step(Action::QueryLeftOut, &base[..self.offsets.path_end]);
                }
                let level = count_slashes(&r.as_str().as_bytes()[start..]);
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
            false if start < r.path_start => (self.offsets.scheme_end, Action::Authority),
            false => (self.offsets.path_start, Action::Root),
        };
        let text = &base[..cut];
        trace.step(action, text);
        let (kept, start) = if cut == self.offsets.scheme_end {
            let authority_with_slashes = &r.as_str()[start..r.path_start];
            let authority = r.authority().filter(|_| start < r.path_start);
            (Kept::BeforePath { text, authority_with_slashes, authority }, r.path_start)
        } else if cut == self.offsets.path_start {
            (Kept::BeforePath { text, authority_with_slashes: "", authority: self.uri_ref().authority() }, start)
        } else {
            (Kept::InPath(cut), start)
        };
        self.join(kept, r, start, parts, rules.rooted_dots, trace)
    }

    /// The path of `r` replaces the last segment of the base path: a relative path, or the empty one before a query.
    fn relative<T: Trace<'b>>(
        self,
        r: &UriRef<&'b str>,
        start: usize,
        parts: &PartsAfterPath<'b>,
        trace: &mut T,
    ) -> Resolved<'b> {
        let directory = &self.as_str()[..self.directory_end];
        if self.ends_in_host {
            trace.step(Action::MissingPath, &self.as_str()[..self.path_end_by_rules()]);
        } else {
            trace.step(
                if directory.as_bytes().last() == Some(&b'/') { Action::Directory } else { Action::WholePath },
                directory,
            );
        }
        self.join(Kept::Directory, r, start, parts, true, trace)
    }

    /// Resolves a reference without a path. With `Form::Fragment`, all parts of `r` may be ones that are left out.
    fn pathless<T: Trace<'b>>(
        self,
        r: &UriRef<&'b str>,
        start: usize,
        parts: &PartsAfterPath<'b>,
        form: Form,
        trace: &mut T,
    ) -> Resolved<'b> {
        let (base, text) = (self.uri_ref(), self.as_str());
        let is_whole = matches!(form, Form::Empty) && self.rules.empty_is_whole;
        let kept = if is_whole {
            PartsAfterPath::all(&base)
        } else {
            let end = match form {
                Form::Params => self.path_end_by_rules(),
                Form::Query => base.path_end,
                _ => base.query_end,
            };
            let offsets = [base.scheme_end, base.path_start, base.path_end.min(end), end];
            let kept = UriRef::from_parts(&text[..end], offsets);
            PartsAfterPath::of(&kept, self.rules, |part| trace.step(Action::EmptyLeftOut, part))
        };
        let query = if matches!(form, Form::Empty | Form::Fragment) { kept.query } else { parts.query };
        let fragment = if is_whole { kept.fragment } else { parts.fragment };
        let components = Components { query, fragment, ..Components::of(&base) };
        let mut resolved = Resolved::two_pieces(&text[..kept.end], &r.as_str()[start..parts.end], components);
        resolved.authority_or_guard = kept.tail;
        resolved.tail = parts.tail;
        if matches!(form, Form::Params) && self.ends_in_host {
            trace.step(Action::MissingPath, resolved.first);
            resolved.base_segments = self.directory_with_dots();
            resolved.first = &text[..base.path_start];
        }
        let action = match form {
            Form::Params => Action::Params,
            Form::Query => Action::Query,
            Form::Fragment if fragment.is_some() => Action::Fragment,
            Form::Fragment => Action::AllEmpty,
            _ => Action::Empty,
        };
        trace.step(action.clone(), resolved.first);
        if !kept.tail.is_empty() {
            trace.step(action, kept.tail);
        }
        resolved
    }

    /// Joins `kept` and `r` from byte `start` on, where its path starts. `removes_dots` also concerns the kept directory.
    fn join<T: Trace<'b>>(
        self,
        kept: Kept<'b>,
        r: &UriRef<&'b str>,
        start: usize,
        parts: &PartsAfterPath<'b>,
        removes_dots: bool,
        trace: &mut T,
    ) -> Resolved<'b> {
        let rest = &r.as_str()[start..parts.end];
        let path = &r.as_str()[start..path_end_by(r, self.rules)];
        let dots_end = if removes_dots { last_dots_end(path.as_bytes()) } else { None };
        if T::LISTENS && !removes_dots && last_dots_end(path.as_bytes()).is_some() {
            trace.step(Action::DotsKept, path);
        }
        let dotless = self.dotless().filter(|_| removes_dots);
        let (text, authority) = (self.as_str(), self.uri_ref().authority());
        let before_path = &text[..self.offsets.path_start];
        // `path` has been read up to here. After `InPath`, its first slash only separates it from the kept segments.
        let mut at = 0;
        let (first, mut authority_or_guard, authority, segments, with_dots) = match kept {
            Kept::BeforePath { text, authority_with_slashes, authority } => {
                (text, authority_with_slashes, authority, (None, None), None)
            }
            Kept::InPath(cut) => {
                at = 1;
                let with_dots = Some(&text[before_path.len()..cut]);
                let segments = dotless.map_or((with_dots, None), |dotless| dotless.before(text, cut));
                (before_path, "", authority, segments, with_dots)
            }
            Kept::Directory => (before_path, "", authority, (self.directory(), None), self.directory_with_dots()),
        };
        let has_empty_authority = authority == Some("");
        // The dot segments of the base were removed when it was prepared. The steps of that are reported for each reference.
        if let (true, Some(_), Some(directory)) = (T::LISTENS, dotless, with_dots) {
            let mut replayed = Stack::new(None, LongSegments::NONE, self.rules, has_empty_authority);
            let last = replayed.add_directory(directory, trace);
            replayed.add(&directory[last..], false, trace);
        }
        let (base_segments, one_more) = segments;
        let mut stack = Stack::new(base_segments, self.long_segments(), self.rules, has_empty_authority);
        one_more.into_iter().for_each(|segment| stack.added.push(segment));
        if let Some(dots_end) = dots_end {
            at += stack.add_directory(&path[at..dots_end], trace);
            if at < dots_end {
                if stack.add(&path[at..dots_end], true, trace) {
                    stack.added.pop();
                } else {
                    at = dots_end;
                }
            }
        }
        if authority.is_none() && stack.looks_like_authority(&path[at..]) {
            trace.step(Action::Guard, "/.");
            authority_or_guard = "/.";
        }
        let (base_segments, more_segments) = (stack.base_segments, stack.added);
        let &PartsAfterPath { tail, query, fragment, .. } = parts;
        let components = Components { scheme: self.scheme(), authority, query, fragment };
        Resolved {
            first,
            authority_or_guard,
            base_segments,
            more_segments,
            last: &rest[at..],
            tail,
            components,
            text: Once::new(),
        }
    }
}
