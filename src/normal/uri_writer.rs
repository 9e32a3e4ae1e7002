//! `UriWriter`: appends a URI component by component, with its changes.

use alloc::string::String;

use memchr::{memchr, memmem};

use super::change::{Change, ChangeSet};
use super::encoding::push_recoded;
use super::parameter_lists::ParameterLists;
use crate::percent::{IRI, encode_with};
use crate::scan::all;
use crate::scheme::{Authority, default_port};
use crate::uri::{UriRef, scheme_end};
use crate::whatwg::Scheme;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// An `http`, `https`, `ws` or `wss` URI with an authority that is not empty and has no backslash: gets all changes of web
    /// URIs.
    Http,
    /// An `ftp` URI with an authority that is not empty and has no backslash: gets all changes of web URIs, except of queries,
    /// `empty-userinfo` and `upgrade`.
    Ftp,
    /// Any other URI, be it of another scheme or with an authority that is missing, empty or has a backslash: gets no changes that
    /// are only for web URIs.
    Other,
}

/// The changes that must know whether a colon in an authority starts a port. Without them, an authority with a port can be copied.
const PORT_CHANGES: ChangeSet = ChangeSet::EMPTY
    .with(Change::EmptyPort)
    .with(Change::DefaultPort)
    .with(Change::EmptyPath)
    .with(Change::IpAddress)
    .with(Change::FinalDot);

const DEFAULT_TYPE: &str = "/1";

impl Family {
    /// The URI must have an authority that is not empty.
    fn of(scheme: &str) -> Family {
        match Scheme::of_any_case(scheme) {
            Scheme::Ftp => Family::Ftp,
            scheme if scheme.is_web() => Family::Http,
            _ => Family::Other,
        }
    }

    pub(super) fn is_web(self) -> bool {
        self != Family::Other
    }
}

#[derive(Clone, Copy)]
pub(crate) struct UriWriter<'a> {
    changes: ChangeSet,
    pub(super) lists: &'a ParameterLists,
    uri: UriRef<&'a str>,
    /// The scheme, without its colon; empty if there is none.
    pub(super) scheme: &'a str,
    pub(super) family: Family,
    pub(super) path: &'a str,
    /// The change `encoding` is on, and the URI may be in another encoding.
    pub(super) recodes: bool,
    /// No change alters the scheme and the authority, so they are copied.
    keeps_authority: bool,
    has_backslash: bool,
    pub(super) removes_dots: bool,
}

impl<'a> UriWriter<'a> {
    /// `is_recoded` must be true only if the URI is already in the encoding of RFC 3986.
    #[inline(always)]
    pub fn new(changes: ChangeSet, lists: &'a ParameterLists, uri: UriRef<&'a str>, is_recoded: bool) -> Self {
        let scheme = uri.scheme().unwrap_or_default();
        let recodes = !is_recoded && changes.has(Change::Encoding);
        let (family, path) = (Family::Other, uri.path());
        let mut writer = Self {
            changes,
            lists,
            uri,
            scheme,
            family,
            path,
            recodes,
            keeps_authority: false,
            has_backslash: false,
            removes_dots: false,
        };
        // What many parts of the writer ask is found once, here: with `keeps_authority`, no later question looks at the authority
        // again.
        writer.keeps_authority = writer.has_normal_authority();
        // Of other URIs of these schemes, browsers find the host in the path, also after an authority of backslashes.
        let authority = &uri.as_str().as_bytes()[uri.scheme_end..uri.path_start];
        writer.has_backslash = !writer.keeps_authority && memchr(b'\\', authority).is_some();
        if authority.len() > "//".len() && !writer.has_backslash {
            writer.family = Family::of(scheme);
        }
        writer.removes_dots = writer.has_dots_to_remove();
        writer
    }

    pub(super) fn has(&self, change: Change) -> bool {
        self.changes.has(change)
    }

    pub(super) fn has_any(&self, changes: ChangeSet) -> bool {
        self.changes.meets(changes)
    }

    pub(super) fn has_authority(&self) -> bool {
        self.uri.path_start != self.uri.scheme_end
    }

    /// True only if the URI stays as it is. Does not look at the query: only for changes of `safe`, and `empty-fragment`.
    pub fn changes_nothing(&self) -> bool {
        let is_root_missing = self.path.is_empty() && self.has_authority() && self.has(Change::EmptyPath);
        let may_drop_type = self.path == DEFAULT_TYPE && self.has(Change::GopherType);
        let drops_fragment = self.fragment() == "#" && self.has(Change::EmptyFragment);
        let drops_any = is_root_missing || may_drop_type || drops_fragment;
        !self.recodes && self.keeps_authority && !drops_any && !self.removes_dots && !self.is_changed_by_scheme()
    }

    fn fragment(&self) -> &'a str {
        &self.uri.as_str()[self.uri.query_end..]
    }

    #[inline(always)]
    pub fn write(&self, out: &mut String) {
        let (uri, text, start) = (&self.uri, self.uri.as_str(), out.len());
        let mut has_host = false;
        if self.keeps_authority {
            out.push_str(&text[..uri.path_start]);
            has_host = uri.path_start > uri.scheme_end + "//".len();
        } else {
            self.write_scheme(&text[..uri.scheme_end], out);
            if let Some(authority) = uri.authority() {
                out.push_str("//");
                let start = out.len();
                if self.is_host_for_browsers() {
                    out.push_str(authority);
                    has_host = !Authority::new(authority, None).host.is_empty();
                } else {
                    self.push(authority, out);
                    has_host = self.change_authority(start, out);
                }
            } else if self.adds_empty_host() {
                out.push_str("//");
            }
        }

        let path_start = out.len();
        if !self.path.is_empty() {
            self.write_path(out);
            if has_host && self.path.len() <= "/%31".len() && self.drops_gopher_type(&out[path_start..]) {
                out.truncate(path_start + 1);
            }
        } else if has_host && self.has(Change::EmptyPath) && default_port(self.scheme).is_some() {
            out.push('/');
        }
        // A reference must not come to have a scheme.
        if self.recodes && uri.scheme_end == 0 && scheme_end(&out.as_bytes()[start..]) > 0 {
            out.insert_str(start, "./");
        }

        let query = &text[uri.path_end..uri.query_end];
        if self.is_changed_by_scheme() {
            self.change_case_by_scheme(path_start, out);
            if self.drops_urn_components(&out[path_start..], query) {
                return;
            }
        }
        self.write_query(query, out);
        let drops_fragment = self.has(Change::DropFragment) && self.writes_authority() && uri.scheme_end > 0
            || self.has(Change::EmptyFragment) && self.fragment() == "#";
        if !drops_fragment {
            self.push(&text[uri.query_end..], out);
        }
    }

    #[inline(never)]
    fn drops_gopher_type(&self, path: &str) -> bool {
        path == DEFAULT_TYPE
            && self.has(Change::GopherType)
            && self.uri.path_end == self.uri.query_end
            && self.scheme.eq_ignore_ascii_case("gopher")
    }

    fn is_host_for_browsers(&self) -> bool {
        // Browsers end the host at a backslash. Escaped, `http://evil.com\@h/` would become `http://evil.com%5C@h/`, whose host is
        // `h`.
        self.has_backslash && (self.scheme.is_empty() || Scheme::of_any_case(self.scheme) != Scheme::Other)
    }

    /// Browsers look for a host in such a path, as in `http:/h`.
    #[inline]
    pub(super) fn is_path_host_for_browsers(&self) -> bool {
        !self.family.is_web() && self.has_path_host_for_browsers()
    }

    // Few URIs need it, and inlined it would take the registers of what all need.
    #[inline(never)]
    fn has_path_host_for_browsers(&self) -> bool {
        let path = self.path.as_bytes();
        let has_backslash = || memchr(b'\\', path).is_some();
        let has_escaped_digit =
            || memmem::find_iter(path, b"%3").any(|at| path.get(at + 2).is_some_and(u8::is_ascii_digit));
        match Scheme::of_any_case(self.scheme) {
            Scheme::Other => false,
            Scheme::File => !self.has_authority() && has_backslash(),
            _ => has_backslash() || memchr(b':', path).is_some() && has_escaped_digit(),
        }
    }

    /// Browsers look for the host in the authority or the path, which then stays.
    pub fn keeps_host_for_browsers(&self) -> bool {
        self.is_path_host_for_browsers() || self.is_host_for_browsers()
    }

    #[inline]
    pub(super) fn push(&self, part: &str, out: &mut String) {
        if self.recodes {
            push_recoded(part, out);
        } else if self.has(Change::Iri) {
            out.extend(encode_with(part, IRI));
        } else {
            out.push_str(part);
        }
    }

    /// Knows the usual cases: no authority, or one of a-z, digits, dots, hyphens, and colons if none of [`PORT_CHANGES`] is on.
    #[inline(always)]
    fn has_normal_authority(&self) -> bool {
        // Nearly every URI has a scheme and a host in lower case and no port. Two searches of vectors prove it, and both are
        // then copied in one piece; the way by `Authority` splits them, and asks for each change. The test may be false for a URI
        // that stays, never true for one that changes.
        let bytes = self.uri.as_str().as_bytes();
        let (scheme, authority) = (&bytes[..self.uri.scheme_end], &bytes[self.uri.scheme_end..self.uri.path_start]);
        let is_lower = all(scheme, |byte| !byte.is_ascii_uppercase());
        // After the digits follows the colon, which may start a port, or end an address.
        let last = if self.has_any(PORT_CHANGES) { b'9' } else { b':' };
        let is_host = all(authority, |byte| byte.is_ascii_lowercase() | (b'-'..=last).contains(&byte));
        let upgrades = self.has(Change::Upgrade) && scheme == b"http:";
        let drops_www = self.has(Change::DropWww) && authority.starts_with(b"//www");
        let may_be_address = self.has(Change::IpAddress) && may_be_address(authority);
        let drops_dot = self.has(Change::FinalDot) && authority.last() == Some(&b'.');
        is_lower && is_host && !(upgrades || drops_www || may_be_address || drops_dot || scheme == b"file:")
    }

    /// `scheme` ends with its colon, or is empty.
    fn write_scheme(&self, scheme: &str, out: &mut String) {
        let upgrades = self.has(Change::Upgrade) && self.family == Family::Http;
        if upgrades && scheme.eq_ignore_ascii_case("http:") {
            out.push_str("https:");
            return;
        }
        let start = out.len();
        out.push_str(scheme);
        if self.has(Change::Case) {
            out[start..].make_ascii_lowercase();
        }
    }
}

/// The last label starts with a digit and ends like a number. `host` is in lower case; `//` may come before it.
fn may_be_address(host: &[u8]) -> bool {
    // The last character of a number, or the dot after it. Most names end in another.
    let is_last = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'x' | b'.');
    host.last().is_some_and(is_last) && {
        let host = host.strip_suffix(b".").unwrap_or(host);
        let label = host.iter().rposition(|byte| matches!(byte, b'.' | b'/')).map_or(0, |at| at + 1);
        host.get(label).is_some_and(u8::is_ascii_digit)
    }
}
