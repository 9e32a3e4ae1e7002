//! `View`: a URI, read by the rules of its scheme; its parts and warnings.

use alloc::vec::Vec;
use core::fmt;
use core::net::Ipv4Addr;

use super::authority::Authority;
use super::data::Data;
use super::details::Details;
use super::file::{Afs, File};
use super::ftp::Ftp;
use super::generic::Generic;
use super::gopher::Gopher;
use super::http::Http;
use super::mailto::Mailto;
use super::news::{News, Nntp};
use super::part::{Part, Parts};
use super::prospero::Prospero;
use super::registry::AuthoritySyntax::{self, Host, HostPort, Login};
use super::registry::info;
use super::sip::Sip;
use super::telnet::Telnet;
use super::urn::Urn;
use super::wais::Wais;
use super::warning::{Warning, WarningKind, Warnings, octet_warnings};
use crate::uri::UriRef;
use crate::whatwg::{Scheme, fits_dns, web_host};

/// A URI, read by the rules of its scheme. [`view`](fn@super::view) makes it, and [`Display`](fmt::Display) gives the text back.
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
    Mailto(Mailto<'a>),
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
    /// `data`.
    Data(Data<'a>),
    /// `sip`, `sips`.
    Sip(Sip<'a>),
    /// Any other scheme, or none.
    Generic(Generic<'a>),
}

impl<'a> View<'a> {
    pub(super) fn inner(&self) -> (UriRef<&'a str>, Option<Authority<'a>>, &dyn Details<'a>) {
        match self {
            View::Http(view) => (view.uri, view.authority, view),
            View::Ftp(view) => (view.uri, view.authority, view),
            View::Gopher(view) => (view.uri, view.authority, view),
            View::Mailto(view) => (view.uri, None, view),
            View::News(view) => (view.uri, None, view),
            View::Nntp(view) => (view.uri, view.authority, view),
            View::Telnet(view) => (view.uri, view.authority, view),
            View::Wais(view) => (view.uri, view.authority, view),
            View::File(view) => (view.uri, None, view),
            View::Afs(view) => (view.uri, view.cell, view),
            View::Prospero(view) => (view.uri, view.authority, view),
            View::Urn(view) => (view.uri, None, view),
            View::Data(view) => (view.uri, None, view),
            View::Sip(view) => (view.uri, None, view),
            View::Generic(view) => (view.uri, view.authority, view),
        }
    }

    /// Returns the URI that was read.
    #[must_use]
    pub fn uri(&self) -> UriRef<&'a str> {
        self.inner().0
    }

    /// Returns the authority; `None` if the URI has none or the scheme does not split it.
    #[must_use]
    pub fn authority(&self) -> Option<Authority<'a>> {
        self.inner().1
    }

    /// Returns the named parts that the scheme defines, as texts to show to people, decoded if clients decode them before use.
    ///
    /// ```
    /// use relref::scheme::view;
    ///
    /// let parts = view("wais://host.dom/db?two+words").parts();
    /// let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
    /// assert_eq!(names, ["host", "port", "default", "database", "search"]);
    /// ```
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        let (uri, authority, scheme) = self.inner();
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

    /// Returns the warnings: first those by the rules of the scheme, then those about illegal escapes and control octets, from left
    /// to right. Cost: one pass over the text.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let (uri, authority, scheme) = self.inner();
        let mut warnings = Warnings::new(uri.as_str());
        let info = uri.scheme().and_then(info).filter(|info| !info.reserved);
        let syntax = info.map_or(AuthoritySyntax::None, |info| info.authority);
        if let Some(authority) = authority {
            if syntax == Login {
                warnings.add_part(WarningKind::User, authority.username().filter(|user| !user.is_empty()));
            }
            authority.add_warnings(&mut warnings);
        }
        let has_backslash = uri.authority().filter(|authority| authority.contains('\\'));
        if uri.scheme().is_none_or(|scheme| Scheme::of_any_case(scheme) != Scheme::Other) {
            warnings.add_part(WarningKind::OtherHost, has_backslash);
        }
        let needs_host = matches!(syntax, Host | HostPort | Login);
        if needs_host && authority.is_none_or(|authority| authority.host.is_empty()) {
            warnings.add(WarningKind::Missing, uri.path_start..uri.path_start);
        }
        if let Some(host) = authority.map(|authority| authority.host).filter(|_| needs_host) {
            match web_host(host).filter(|name| fits_dns(name)) {
                None => warnings.add_part(WarningKind::ImpossibleHost, Some(host)),
                Some(name) if is_address(&name) => warnings.add_part(WarningKind::AddressHost, Some(host)),
                Some(_) => {}
            }
        }
        scheme.add_warnings(&mut warnings);
        if matches!(syntax, Host | HostPort) {
            warnings.add_part(WarningKind::NoPlace, authority.and_then(|authority| authority.userinfo));
        }
        let separators = scheme.parts_after_control().map(|part| warnings.range(part?).start.checked_sub(3));
        let is_no_separator = |warning: &Warning| !separators.contains(&Some(warning.range.start));
        warnings.list.extend(octet_warnings(uri).filter(is_no_separator));
        warnings.list
    }
}

fn is_address(host: &str) -> bool {
    host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok()
}

impl fmt::Display for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uri().fmt(f)
    }
}
