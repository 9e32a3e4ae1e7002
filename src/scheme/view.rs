//! The view of a URI by its scheme: one variant for each file of this folder that describes schemes.

use alloc::vec::Vec;
use core::fmt;

use super::part::{Part, Parts};
use super::registry::AuthoritySyntax::{self, Host, HostPort, Login};
use super::registry::info;
use super::warning::{Warning, WarningKind, Warnings, octets};
use super::{AddrSpec, Afs, Authority, File, Ftp, Generic, Gopher, Http, News, Nntp, Prospero, Telnet, Urn, Wais};
use crate::uri::UriRef;

/// A URI, read by the rules of its scheme. [`view`] makes it, and [`Display`](fmt::Display) gives the text back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum View<'a> {
    /// `http`, `https`, `ws`, `wss`.
    Http(Http<'a>),
    /// `ftp`.
    Ftp(Ftp<'a>),
    /// `gopher`.
    Gopher(Gopher<'a>),
    /// `mailto`, `mid`, `cid`.
    AddrSpec(AddrSpec<'a>),
    /// `news`.
    News(News<'a>),
    /// `nntp`.
    Nntp(Nntp<'a>),
    /// `telnet`, `rlogin`, `tn3270`.
    Telnet(Telnet<'a>),
    /// `wais`.
    Wais(Wais<'a>),
    /// `file`.
    File(File<'a>),
    /// `afs`.
    Afs(Afs<'a>),
    /// `prospero`.
    Prospero(Prospero<'a>),
    /// `urn`.
    Urn(Urn<'a>),
    /// Any other scheme, or none.
    Generic(Generic<'a>),
}

/// The work of a scheme's own file for [`View::parts`] and [`View::warnings`].
pub(super) trait Scheme<'a> {
    /// Adds the parts that only this scheme defines.
    fn add_parts(&self, _parts: &mut Parts) {}

    /// Adds the warnings that only this scheme gives.
    fn warn(&self, _warnings: &mut Warnings<'a>) {}

    /// Returns the parts that start right after an escaped control octet of the scheme's own syntax, which is no reason
    /// for a warning.
    fn parts_after_control(&self) -> [Option<&'a str>; 2] {
        [None; 2]
    }
}

/// Reads a URI by the rules of its scheme, whose name may be in any case (RFC 1738 §2.1).
///
/// It never fails. Cost: a few passes over the text at most, and no allocation.
///
/// ```
/// use relref::UriRef;
/// use relref::scheme::{View, view};
///
/// let wais = view(UriRef::new("WAIS://host.dom/db"));
/// assert!(matches!(wais, View::Wais(_)));
/// assert_eq!(wais.authority().unwrap().effective_port(), Some(210));
/// assert_eq!(wais.to_string(), "WAIS://host.dom/db");
/// ```
pub fn view(uri: UriRef<&str>) -> View<'_> {
    match uri.scheme().and_then(info) {
        Some(scheme) => (scheme.view)(uri),
        None => View::Generic(Generic::new(uri)),
    }
}

impl<'a> View<'a> {
    /// Returns the URI, the authority and the variant's own view.
    fn read(&self) -> (UriRef<&'a str>, Option<Authority<'a>>, &dyn Scheme<'a>) {
        match self {
            View::Http(view) => (view.uri, view.authority, view),
            View::Ftp(view) => (view.uri, view.authority, view),
            View::Gopher(view) => (view.uri, view.authority, view),
            View::AddrSpec(view) => (view.uri, None, view),
            View::News(view) => (view.uri, None, view),
            View::Nntp(view) => (view.uri, view.authority, view),
            View::Telnet(view) => (view.uri, view.authority, view),
            View::Wais(view) => (view.uri, view.authority, view),
            View::File(view) => (view.uri, None, view),
            View::Afs(view) => (view.uri, view.cell, view),
            View::Prospero(view) => (view.uri, view.authority, view),
            View::Urn(view) => (view.uri, None, view),
            View::Generic(view) => (view.uri, view.authority, view),
        }
    }

    /// Returns the URI that was read.
    pub fn uri(&self) -> UriRef<&'a str> {
        self.read().0
    }

    /// Returns the authority; `None` if the URI has none or the scheme does not split it.
    pub fn authority(&self) -> Option<Authority<'a>> {
        self.read().1
    }

    /// Returns the named parts of the URI that its scheme defines, as texts for a reader. A text is decoded if clients
    /// decode it before use.
    ///
    /// ```
    /// use relref::UriRef;
    /// use relref::scheme::view;
    ///
    /// let parts = view(UriRef::new("wais://host.dom/db?two+words")).parts();
    /// let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
    /// assert_eq!(names, ["host", "port", "database", "search"]);
    /// ```
    pub fn parts(&self) -> Vec<Part> {
        let (uri, authority, scheme) = self.read();
        let mut parts = Parts::default();
        if let Some(info) = uri.scheme().and_then(info).filter(|info| info.reserved) {
            parts.add("reserved", format_args!("{} {}", info.document, info.section));
        }
        if let Some(authority) = authority {
            authority.add_parts(&mut parts);
        }
        scheme.add_parts(&mut parts);
        parts.list
    }

    /// Returns the odd and dangerous things of the URI: first those by the rules of its scheme, then, from left to right,
    /// illegal escapes and control octets.
    ///
    /// Cost: one pass over the text, as the warnings are taken.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> + use<'a> {
        let (uri, authority, scheme) = self.read();
        let mut warnings = Warnings::new(uri.as_str());
        if let Some(authority) = authority {
            authority.warn(&mut warnings);
        }
        let info = uri.scheme().and_then(info).filter(|info| !info.reserved);
        let syntax = info.map_or(AuthoritySyntax::None, |info| info.authority);
        let needs_host = matches!(syntax, Host | HostPort | Login);
        if needs_host && authority.is_none_or(|authority| authority.host.is_empty()) {
            warnings.add(WarningKind::Missing, uri.path_start..uri.path_start);
        }
        scheme.warn(&mut warnings);
        if matches!(syntax, Host | HostPort) {
            warnings.add_part(WarningKind::NoPlace, authority.and_then(|authority| authority.userinfo));
        }
        let separators = scheme.parts_after_control().map(|part| warnings.range(part?).start.checked_sub(3));
        let is_no_separator = move |warning: &Warning| !separators.contains(&Some(warning.range.start));
        warnings.list.into_iter().chain(octets(uri).filter(is_no_separator))
    }
}

impl fmt::Display for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uri().fmt(f)
    }
}
