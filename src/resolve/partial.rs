//! The partial form of RFC 1630: the last segment of the base goes, the reference is appended, and dot segments are removed.
//!
//! RFC 1630, *Partial (relative) form*, in its own order, each step with its words. Its draft and its successors take the same
//! steps: where they decide otherwise, a field of [`Rules`](crate::Rules) says so. Every reference can be resolved here; `fast.rs`
//! only finds the result of frequent ones sooner.

use super::dots::{Path, has_dot_segments};
use super::parts::PartsAfterPath;
use super::prepared::{BorrowedBase, path_end_by};
use super::resolved::{Components, Resolved};
use super::slash_runs::{ChosenCut, count_slashes};
use super::step::{Action, Listener};
use crate::rules::Slashes;
use crate::uri::UriRef;

/// A reference, read as what it leaves out of its base.
struct Partial<'b> {
    base: BorrowedBase<'b>,
    reference: UriRef<&'b str>,
    /// The byte from which on the reference counts: after a scheme that is ignored, or an empty authority that counts as absent.
    start: usize,
    parts: PartsAfterPath<'b>,
}

/// What is kept of the base, to which the path of the reference is appended.
enum Kept<'b> {
    /// A text that ends before any path, so that no `..` removes a part of it, and the authority of the result.
    BeforePath([&'b str; 2], Option<&'b str>),
    /// The base up to this byte inside its path. The reference starts with a slash.
    UpTo(usize),
    /// The base without the last part of its path.
    Directory,
}

/// Resolves any reference, and tells each step to `listener`.
pub(crate) fn resolve<'b, L: Listener<'b>>(
    base: BorrowedBase<'b>,
    reference: &'b str,
    listener: &mut L,
) -> Resolved<'b> {
    let (r, rules) = (UriRef::split(reference), base.rules);
    // By level, slashes are only counted.
    let skips_authority = rules.empty_is_absent && !rules.by_level();
    let mut start = 0;
    // "A partial form can be distinguished from an absolute form in that the latter must have a colon and that colon must occur
    // before any slash characters."
    if let Some(scheme) = r.scheme() {
        let has_authority = r.authority().is_some_and(|authority| !(authority.is_empty() && skips_authority));
        if has_authority || !rules.lenient || !scheme.eq_ignore_ascii_case(base.scheme()) {
            listener.step(Action::Absolute, reference);
            let kept = Kept::BeforePath([&reference[..r.path_start], ""], r.authority());
            let partial = Partial { base, reference: r, start: r.path_start, parts: PartsAfterPath::all(&r) };
            let mut resolved = partial.append_to(kept, rules.absolute_dots, listener);
            resolved.components.scheme = scheme;
            return resolved;
        }
        // "If the scheme parts are different, the whole absolute URI must be given. Otherwise, the scheme is omitted"
        listener.step(Action::SchemeIgnored, scheme);
        start = r.scheme_end;
    }
    let is_empty = start == reference.len();
    if skips_authority && r.authority() == Some("") {
        listener.step(Action::EmptyLeftOut, &reference[start..r.path_start]);
        start = r.path_start;
    }
    let parts = PartsAfterPath::of(&r, rules, |part| listener.step(Action::EmptyLeftOut, part));
    let partial = Partial { base, reference: r, start, parts };
    let replaces_last_part = rules.query_replaces && parts.query.is_some() && !parts.has_params;
    match reference.as_bytes()[start..path_end_by(&r, rules)] {
        [b'/', ..] => partial.after_slashes(listener),
        [] if is_empty || !replaces_last_part => partial.without_path(is_empty, listener),
        _ => partial.in_directory(listener),
    }
}

impl<'b> Partial<'b> {
    /// "If the partial URI starts with a non-zero number of consecutive slashes, then everything from the context URI up to" the
    /// cut "is taken to be the same and so prepended to the partial URL to form the full URL."
    fn after_slashes<L: Listener<'b>>(self, listener: &mut L) -> Resolved<'b> {
        let (base, rules, r) = (self.base, self.base.rules, self.reference);
        let offsets = &base.prepared.offsets;
        let (cut, action) = if rules.by_level() {
            if L::LISTENS && base.uri_ref().query().is_some_and(|query| query.contains('/')) {
                listener.step(Action::QueryLeftOut, &base.text[..offsets.path_end]);
            }
            let cut = base.slash_runs().choose(count_slashes(&r.as_str().as_bytes()[self.start..]));
            let at = cut.at();
            let action = match cut {
                ChosenCut::BeforeRun(run) if rules.slashes == Slashes::Levels => Action::Run(run),
                ChosenCut::BeforeRun(run) => Action::FirstRun(run),
                ChosenCut::AfterHost { run, .. } => Action::Host(run),
                ChosenCut::AfterScheme(_) => Action::NoRun,
            };
            (at, action)
        } else if self.start < r.path_start {
            (offsets.scheme_end, Action::Authority)
        } else {
            (offsets.path_start, Action::Root)
        };
        let kept = &base.text[..cut];
        listener.step(action, kept);
        if cut == offsets.scheme_end {
            // What follows the scheme is the reference's: its two slashes are those of an authority.
            let (slashes_and_authority, start) = (&r.as_str()[self.start..r.path_start], r.path_start);
            let authority = r.authority().filter(|_| !slashes_and_authority.is_empty());
            let kept = Kept::BeforePath([kept, slashes_and_authority], authority);
            Partial { start, ..self }.append_to(kept, rules.rooted_dots, listener)
        } else if cut == offsets.path_start {
            let kept = Kept::BeforePath([kept, ""], base.uri_ref().authority());
            self.append_to(kept, rules.rooted_dots, listener)
        } else {
            self.append_to(Kept::UpTo(cut), rules.rooted_dots, listener)
        }
    }

    /// "The last part of the path of the context URI (anything following the rightmost slash) is removed, and the given partial
    /// URI appended in its place". The path is relative, or the empty one before a query.
    fn in_directory<L: Listener<'b>>(self, listener: &mut L) -> Resolved<'b> {
        let base = self.base;
        let directory = &base.text[..base.directory_end];
        match directory.ends_with('/') {
            _ if base.ends_in_host => listener.step(Action::MissingPath, &base.text[..base.path_end_by_rules()]),
            true => listener.step(Action::Directory, directory),
            false => listener.step(Action::WholePath, directory),
        }
        self.append_to(Kept::Directory, true, listener)
    }

    /// "and then: Within the result, all occurrences of "xxx/../" or "/." are recursively removed, where xxx, ".." and "." are
    /// complete path elements."
    ///
    /// `removes_dots` also concerns what is kept of the base.
    fn append_to<L: Listener<'b>>(self, kept: Kept<'b>, removes_dots: bool, listener: &mut L) -> Resolved<'b> {
        let Partial { base, reference: r, start, parts } = self;
        let mut path = &r.as_str()[start..path_end_by(&r, base.rules)];
        if L::LISTENS && !removes_dots && has_dot_segments(path) {
            listener.step(Action::DotsKept, path);
        }
        let path_start = base.offsets.path_start;
        let of_base = ([&base.text[..path_start], ""], base.uri_ref().authority());
        // Dot segments of the base's directory were removed when it was prepared, but a listener is told of them, too.
        let (mut before, authority, directory, has_dots) = match kept {
            Kept::BeforePath(before, authority) => (before, authority, None, false),
            Kept::UpTo(cut) => {
                // The first slash of the reference separates it from the kept segments, and belongs to no segment.
                path = &path[1..];
                let directory = &base.text[path_start..cut];
                (of_base.0, of_base.1, Some(directory), has_dot_segments(directory))
            }
            Kept::Directory if L::LISTENS => (of_base.0, of_base.1, base.directory_as_written(), true),
            Kept::Directory => (of_base.0, of_base.1, base.directory(), false),
        };
        let mut joined = Path::new(base.rules, authority == Some(""));
        match directory {
            Some(directory) if removes_dots && has_dots => joined.append(directory, false, listener),
            Some(directory) => joined.start_with(directory),
            None => {}
        }
        if removes_dots {
            joined.append(path, true, listener);
        } else {
            joined.segments.push(path);
        }
        if authority.is_none() && joined.would_be_read_as_authority() {
            listener.step(Action::Guard, "/.");
            before[1] = "/.";
        }
        let components = Components { scheme: base.scheme(), authority, query: parts.query, fragment: parts.fragment };
        let after = [&r.as_str()[path_end_by(&r, base.rules)..parts.end], parts.tail];
        Resolved::new(before, joined.segments, after, components)
    }

    /// A reference without a path names the object itself, a part of it, or the same path with another query: the document is
    /// silent, and its successors say which parts of the base are kept.
    fn without_path<L: Listener<'b>>(self, is_empty: bool, listener: &mut L) -> Resolved<'b> {
        let (base, rules, parts) = (self.base.uri_ref(), self.base.rules, self.parts);
        let (action, end) = if is_empty {
            (Action::Empty, base.query_end)
        } else if parts.has_params {
            (Action::Params, self.base.path_end_by_rules())
        } else if parts.query.is_some() {
            (Action::Query, base.path_end)
        } else {
            (if parts.fragment.is_some() { Action::Fragment } else { Action::AllEmpty }, base.query_end)
        };
        let is_whole = is_empty && rules.empty_is_whole;
        let kept = if is_whole {
            PartsAfterPath::all(&base)
        } else {
            let offsets = [base.scheme_end, base.path_start, base.path_end.min(end), end];
            let kept = UriRef::from_parts(&base.as_str()[..end], offsets);
            PartsAfterPath::of(&kept, rules, |part| listener.step(Action::EmptyLeftOut, part))
        };
        let mut before = [&base.as_str()[..kept.end], kept.tail];
        if action == Action::Params && self.base.ends_in_host {
            listener.step(Action::MissingPath, before[0]);
            before[1] = "/";
        }
        listener.step(action.clone(), before[0]);
        if !kept.tail.is_empty() {
            listener.step(action.clone(), kept.tail);
        }
        let keeps_query = matches!(action, Action::Empty | Action::Fragment | Action::AllEmpty);
        let components = Components {
            query: if keeps_query { kept.query } else { parts.query },
            fragment: if is_whole { kept.fragment } else { parts.fragment },
            ..Components::of(&base)
        };
        let after = [&self.reference.as_str()[self.start..parts.end], parts.tail];
        Resolved::of_texts(before, after, components)
    }
}
