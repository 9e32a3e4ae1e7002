//! A URI being written in its normal form, component by component.

use alloc::string::String;

use memchr::{memchr, memchr_iter};

use super::change::Change;
use super::path::{PATH, drop_session};
use super::query::QUERY;
use super::{Kind, Normalizer};
use crate::canon::{has_hierarchy, push_path, push_recoded};
use crate::percent::octet;
use crate::resolve::dots::last_dots;
use crate::scheme::default_port;
use crate::uri::{UriRef, scheme_end};

impl Normalizer {
    /// Appends the normal form of a URI whose escapes are legal; `plain` if no encoding does anything about it.
    pub(super) fn write(&self, uri: &str, plain: bool, out: &mut String) {
        let start = out.len();
        let verbatim = plain || !self.has(Change::Encoding);
        let split = UriRef::new(uri);
        let push = |part: &str, out: &mut String| {
            if verbatim {
                out.push_str(part);
            } else {
                push_recoded(part, out).expect("its escapes are legal");
            }
        };
        let scheme = split.scheme().unwrap_or_default();
        let kind = if split.authority().is_some() { kind(scheme) } else { Kind::Other };

        let mut host_is_there = false;
        if self.leaves(&split) {
            out.push_str(&uri[..split.path_start]);
            host_is_there = split.authority().is_some_and(|authority| !authority.is_empty());
        } else {
            out.push_str(&uri[..split.scheme_end]);
            if self.has(Change::Case) {
                out[start..].make_ascii_lowercase();
            }
            if self.upgrades(scheme, kind) {
                out.truncate(start);
                out.push_str("https:");
            }
            if let Some(authority) = split.authority() {
                out.push_str("//");
                let at = out.len();
                push(authority, out);
                host_is_there = self.authority(at, scheme, kind, out);
            }
        }

        let (path, at) = (split.path(), out.len());
        let dots = self.has(Change::Dots)
            && path.starts_with('/')
            && (last_dots(path.as_bytes()).is_some() || (!verbatim && has_hidden_dot(path)))
            && (kind.is_web() || has_hierarchy(scheme));
        let session = kind.is_web() && self.has(Change::DropSession) && memchr(b';', path.as_bytes()).is_some();
        if path.is_empty() {
            if host_is_there && self.has(Change::EmptyPath) && default_port(scheme).is_some() {
                out.push('/');
            }
        } else if dots || session {
            push_path(path, dots, split.authority().is_some(), out, |segment, out| {
                let at = out.len();
                push(segment, out);
                if session {
                    drop_session(at, out);
                }
            });
        } else {
            push(path, out);
        }
        if kind.is_web() && self.changes.meets(PATH) {
            self.path(at, out);
        }
        // A reference must not come to have a scheme.
        if !verbatim && split.scheme_end == 0 && scheme_end(&out.as_bytes()[start..]) > 0 {
            out.insert_str(start, "./");
        }

        let (query, at) = (&uri[split.path_end..split.query_end], out.len());
        if query.is_empty() || kind != Kind::Http || !self.changes.meets(QUERY) {
            push(query, out);
        } else if verbatim {
            self.query(query, out);
        } else {
            push(query, out);
            self.query_in_place(at, out);
        }
        if split.authority().is_none() || split.scheme_end == 0 || !self.has(Change::DropFragment) {
            push(&uri[split.query_end..], out);
        }
    }

    /// Whether nothing is to be done about scheme and authority, as for most links: there is only a host, of lower-case
    /// letters, digits, dots and hyphens.
    fn leaves(&self, split: &UriRef<'_>) -> bool {
        let bytes = split.as_str().as_bytes();
        let (scheme, authority) = (&bytes[..split.scheme_end], &bytes[split.scheme_end..split.path_start]);
        let lower = all(scheme, |byte| !byte.is_ascii_uppercase());
        let host = all(authority, |byte| byte.is_ascii_lowercase() | (b'-'..=b'9').contains(&byte));
        let upgrade = self.has(Change::Upgrade) && scheme == b"http:";
        let www = self.has(Change::DropWww) && authority.starts_with(b"//www.");
        lower && host && !(upgrade || www || scheme == b"file:")
    }

    fn upgrades(&self, scheme: &str, kind: Kind) -> bool {
        self.has(Change::Upgrade) && kind == Kind::Http && scheme.eq_ignore_ascii_case("http")
    }
}

/// Whether all bytes are such; without branches, so that many are looked at at once.
fn all(bytes: &[u8], is: impl Fn(u8) -> bool) -> bool {
    bytes.iter().fold(true, |all, &byte| all & is(byte))
}

/// Whether there is an escape of a dot.
fn has_hidden_dot(path: &str) -> bool {
    let bytes = path.as_bytes();
    memchr_iter(b'%', bytes).any(|at| octet(&bytes[at..]) == Some(b'.'))
}

/// The kind of a URI with an authority, by its scheme.
fn kind(scheme: &str) -> Kind {
    let is = |name: &&str| scheme.eq_ignore_ascii_case(name);
    match scheme {
        "https" | "http" => Kind::Http,
        _ if ["https", "http", "wss", "ws"].iter().any(is) => Kind::Http,
        _ if is(&"ftp") => Kind::Ftp,
        _ => Kind::Other,
    }
}
