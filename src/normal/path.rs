//! Changes of the path: dot segments, session ids, slash runs, directory indexes and trailing slashes.

use alloc::string::String;

use memchr::{memchr, memchr_iter, memchr2, memmem, memrchr};

use super::authority::lower_case;
use super::change::{Change, ChangeSet};
use super::cookieless::drop_cookieless_segments;
use super::known_names::{INDEX, SESSION};
use super::parameter_lists::entry_matches;
use super::push_within::push_within;
use super::segments::push_segments;
use super::uri_writer::UriWriter;
use crate::percent::octet;
use crate::resolve::dots::has_dot_segments;
use crate::scheme;
use crate::uri::scheme_end;
use crate::whatwg::Scheme;

/// The changes that need the whole path, so they are made after all its segments are appended.
const WHOLE_PATH_CHANGES: ChangeSet = ChangeSet::EMPTY
    .with(Change::LowerPath)
    .with(Change::CollapseSlashes)
    .with(Change::DropIndex)
    .with(Change::DropTrailingSlash);

impl UriWriter<'_> {
    #[inline(always)]
    pub(super) fn has_dots_to_remove(&self) -> bool {
        let path = self.path;
        self.has(Change::Dots)
            && path.starts_with('/')
            && (has_dot_segments(path) || (self.recodes && has_escaped_dot(path)))
            && (self.family.is_web() || has_hierarchy(self.scheme) && !Scheme::of_any_case(self.scheme).is_web())
    }

    /// The path must not be empty.
    #[inline]
    pub(super) fn write_path(&self, out: &mut String) {
        let start = out.len();
        let (is_web, path) = (self.family.is_web(), self.path);
        let drops_session = is_web && self.has(Change::DropSession) && memchr2(b';', b'(', path.as_bytes()).is_some();
        if self.is_path_host_for_browsers() {
            out.push_str(path);
        } else if self.removes_dots || drops_session {
            push_segments(path, self.removes_dots, self.writes_authority(), out, |segment, out| {
                let start = out.len();
                self.push(segment, out);
                if drops_session {
                    drop_session(start, out);
                }
            });
        } else {
            self.push(path, out);
        }
        if drops_session {
            drop_cookieless_segments(start, out);
        }
        if is_web && self.has_any(WHOLE_PATH_CHANGES) {
            self.change_whole_path(start, out);
        }
    }

    /// Makes [`WHOLE_PATH_CHANGES`] to the path that `out` ends with and that starts at the byte `start`.
    fn change_whole_path(&self, start: usize, out: &mut String) {
        if self.has(Change::LowerPath) {
            lower_case(&mut out[start..]);
        }
        if self.has(Change::CollapseSlashes) {
            collapse_slashes(start, out);
        }
        // One change may make the other possible: `/a/index.html/` loses its slash first, and then its name. Each round makes the
        // path shorter, and looks only at its end.
        loop {
            let len = out.len();
            if self.has(Change::DropIndex) {
                let name = memrchr(b'/', &out.as_bytes()[start..]).map_or(len, |slash| start + slash + 1);
                if INDEX.iter().any(|index| out[name..].eq_ignore_ascii_case(index)) {
                    out.truncate(name);
                }
            }
            if self.has(Change::DropTrailingSlash) {
                let kept = out[start..].trim_end_matches('/').len().max(1);
                out.truncate(start + kept);
            }
            if out.len() == len {
                return;
            }
        }
    }
}

/// Keeps the slash run after the scheme of a nested URI, as in `/web/http://h/`.
fn collapse_slashes(start: usize, out: &mut String) {
    let end = out.len();
    let mut from = start;
    // Nothing is written before the first run: a path without one, as most are, is only searched.
    while let Some(run) = memmem::find(&out.as_bytes()[from..end], b"//").map(|at| from + at) {
        let after = out.as_bytes()[run..end].iter().position(|&byte| byte != b'/').map_or(end, |len| run + len);
        push_within(out, from..if ends_in_scheme(&out.as_bytes()[from..run]) { after } else { run + 1 });
        from = after;
    }
    if from > start {
        push_within(out, from..end);
        out.drain(start..end);
    }
}

/// Reports whether a text ends with a scheme and its colon. Any text can be before the scheme (`url=http:`, `view-source:http:`).
fn ends_in_scheme(text: &[u8]) -> bool {
    let last_letter = text.iter().rposition(u8::is_ascii_alphabetic);
    last_letter.is_some_and(|at| scheme_end(&text[at..]) == text.len() - at)
}

/// Removes the parameters named in [`SESSION`], each after a `;`, from the segment that `out` ends with.
pub(super) fn drop_session(start: usize, out: &mut String) {
    let end = out.len();
    let Some(first) = memchr(b';', &out.as_bytes()[start..]) else { return };
    let mut param = start + first;
    push_within(out, start..param);
    while param < end {
        let next = memchr(b';', &out.as_bytes()[param + 1..end]).map_or(end, |len| param + 1 + len);
        let text = &out[param + 1..next];
        let name = &text[..memchr(b'=', text.as_bytes()).unwrap_or(text.len())];
        if !SESSION.iter().any(|entry| entry_matches(entry, name)) {
            push_within(out, param..next);
        }
        param = next;
    }
    // It must not become a dot segment.
    if matches!(&out[end..], "." | "..") {
        out.truncate(end);
    } else {
        out.drain(start..end);
    }
}

fn has_escaped_dot(path: &str) -> bool {
    memchr_iter(b'%', path.as_bytes()).any(|at| octet(&path.as_bytes()[at..]) == Some(b'.'))
}

fn has_hierarchy(scheme: &str) -> bool {
    // A scheme that no document defines, or that is only reserved, may have hierarchy; a reference without a scheme has none.
    !scheme.is_empty() && scheme::info(scheme).is_none_or(|scheme| scheme.hierarchical || scheme.reserved)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::{collapse_slashes, drop_session, ends_in_scheme};

    /// Changes the part of a text after its first three bytes.
    fn changed(change: fn(usize, &mut String), part: &str) -> String {
        let mut out = String::from("a//") + part;
        change(3, &mut out);
        out.split_off(3)
    }

    #[test]
    fn slash_runs_become_one_slash_except_after_a_scheme() {
        for (path, expected) in [
            ("/a//b///c/", "/a/b/c/"),
            ("//", "/"),
            ("/web/http://h//x", "/web/http://h/x"),
            ("/http:///x//", "/http:///x/"),
            ("/1:////x", "/1:/x"),
            ("/a/b", "/a/b"),
        ] {
            assert_eq!(changed(collapse_slashes, path), expected, "{path}");
        }
        assert!(ends_in_scheme(b"url=http:") && ends_in_scheme(b"x-1:") && !ends_in_scheme(b"1:"));
    }

    #[test]
    fn segments_lose_their_session_ids() {
        for (segment, expected) in [
            ("a;jsessionid=1;b", "a;b"),
            ("a;b;SID", "a;b"),
            ("a;sidx=1", "a;sidx=1"),
            (";sid", ""),
            ("..;sid=1", "..;sid=1"),
            (".;x;sid", ".;x"),
            ("a", "a"),
        ] {
            assert_eq!(changed(drop_session, segment), expected, "{segment}");
        }
    }
}
