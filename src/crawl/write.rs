//! A URI being written in its normal form, component by component.

use alloc::string::String;

use memchr::memchr;

use super::path::{PATH, drop_session};
use super::query::QUERY;
use super::step::Step;
use super::{Kind, Normalizer};
use crate::canon::{has_hierarchy, push_path, push_same_level};
use crate::error::Error;
use crate::scheme::default_port;
use crate::segments::last_dots;
use crate::uri::{UriRef, scheme_end};

impl Normalizer {
    /// Appends the normal form of a URI whose escapes are legal; `verbatim` if nothing is to be done about its encoding.
    pub(super) fn write(&self, uri: &str, verbatim: bool, out: &mut String) -> Result<(), Error> {
        let start = out.len();
        let split = UriRef::new(uri);
        let push = |part: &str, out: &mut String| {
            if verbatim {
                out.push_str(part);
                return Ok(());
            }
            push_same_level(part, out)
        };
        let scheme = split.scheme().unwrap_or_default();
        let kind = if split.authority().is_some() { kind(scheme) } else { Kind::Other };

        out.push_str(&uri[..split.scheme_end]);
        if self.has(Step::Case) {
            out[start..].make_ascii_lowercase();
        }
        if self.has(Step::Upgrade) && kind == Kind::Http && scheme.eq_ignore_ascii_case("http") {
            out.truncate(start);
            out.push_str("https:");
        }
        let mut host_is_there = false;
        if let Some(authority) = split.authority() {
            out.push_str("//");
            let at = out.len();
            push(authority, out)?;
            host_is_there = self.authority(at, scheme, kind, out);
        }

        let (path, at) = (split.path(), out.len());
        let dots = self.has(Step::Dots)
            && path.starts_with('/')
            && (last_dots(path).is_some() || (!verbatim && memchr(b'%', path.as_bytes()).is_some()))
            && (kind.is_web() || has_hierarchy(scheme));
        let session = kind.is_web() && self.has(Step::DropSession) && memchr(b';', path.as_bytes()).is_some();
        if path.is_empty() {
            if host_is_there && self.has(Step::EmptyPath) && default_port(scheme).is_some() {
                out.push('/');
            }
        } else if dots || session {
            push_path(path, dots, split.authority().is_some(), out, |segment, out| {
                let at = out.len();
                push(segment, out).expect("its escapes are legal");
                if session {
                    drop_session(at, out);
                }
            });
        } else {
            push(path, out)?;
        }
        if kind.is_web() && self.steps.meets(PATH) {
            self.path(at, out);
        }
        // A reference must not come to have a scheme.
        if !verbatim && split.scheme_end == 0 && scheme_end(&out.as_bytes()[start..]) > 0 {
            out.insert_str(start, "./");
        }

        if let Some(query) = split.query() {
            let at = out.len();
            out.push('?');
            push(query, out)?;
            if kind == Kind::Http && self.steps.meets(QUERY) {
                self.query(at, out);
            }
        }
        if let Some(fragment) = split.fragment() {
            if split.authority().is_none() || split.scheme_end == 0 || !self.has(Step::DropFragment) {
                out.push('#');
                push(fragment, out)?;
            }
        }
        Ok(())
    }
}

/// The kind of a URI with an authority, by its scheme.
fn kind(scheme: &str) -> Kind {
    let is = |name: &&str| scheme.eq_ignore_ascii_case(name);
    match scheme.len() {
        5 if is(&"https") => Kind::Http,
        4 if is(&"http") => Kind::Http,
        2 | 3 if ["ws", "wss"].iter().any(|name| is(name)) => Kind::Http,
        3 if is(&"ftp") => Kind::Ftp,
        _ => Kind::Other,
    }
}
