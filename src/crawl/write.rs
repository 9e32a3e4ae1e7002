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
    /// Appends the normal form of a URI whose escapes are legal; `plain` if no encoding level does anything about it.
    pub(super) fn write(&self, uri: &str, plain: bool, out: &mut String) -> Result<(), Error> {
        let start = out.len();
        let verbatim = plain || !self.has(Step::Encoding);
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

        let mut host_is_there = false;
        if plain && self.leaves(&split) {
            out.push_str(&uri[..split.path_start]);
            host_is_there = split.authority().is_some_and(|authority| !authority.is_empty());
        } else {
            out.push_str(&uri[..split.scheme_end]);
            if self.has(Step::Case) {
                out[start..].make_ascii_lowercase();
            }
            if self.upgrades(scheme, kind) {
                out.truncate(start);
                out.push_str("https:");
            }
            if let Some(authority) = split.authority() {
                out.push_str("//");
                let at = out.len();
                push(authority, out)?;
                host_is_there = self.authority(at, scheme, kind, out);
            }
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

        if split.path_end != split.query_end {
            let at = out.len();
            push(&uri[split.path_end..split.query_end], out)?;
            if kind == Kind::Http && self.steps.meets(QUERY) {
                self.query(at, out);
            }
        }
        if split.authority().is_none() || split.scheme_end == 0 || !self.has(Step::DropFragment) {
            push(&uri[split.query_end..], out)?;
        }
        Ok(())
    }

    /// Whether nothing is to be done about scheme and authority, as for most links: there are no upper-case letters, no user
    /// and no port.
    fn leaves(&self, split: &UriRef<'_>) -> bool {
        let bytes = split.as_str().as_bytes();
        let (scheme, authority) = (&bytes[..split.scheme_end], &bytes[split.scheme_end..split.path_start]);
        // Without branches, so that many bytes are looked at at once.
        let any = |bytes: &[u8], is: fn(u8) -> bool| bytes.iter().fold(false, |any, &byte| any | is(byte));
        let upper = any(scheme, |byte| byte.is_ascii_uppercase());
        let more = any(authority, |byte| byte.is_ascii_uppercase() | (byte == b':') | (byte == b'@'));
        let upgrade = self.has(Step::Upgrade) && scheme == b"http:";
        let www = self.has(Step::DropWww) && authority.starts_with(b"//www.");
        !(upper || more || upgrade || www || scheme == b"file:")
    }

    fn upgrades(&self, scheme: &str, kind: Kind) -> bool {
        self.has(Step::Upgrade) && kind == Kind::Http && scheme.eq_ignore_ascii_case("http")
    }
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
