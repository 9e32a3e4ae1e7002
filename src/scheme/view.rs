//! `View`: a URI, read by the rules of its scheme.

use core::fmt;

use super::addr_spec::AddrSpec;
use super::authority::Authority;
use super::details::Details;
use super::file::{Afs, File};
use super::ftp::Ftp;
use super::generic::Generic;
use super::gopher::Gopher;
use super::http::Http;
use super::news::{News, Nntp};
use super::prospero::Prospero;
use super::telnet::Telnet;
use super::urn::Urn;
use super::wais::Wais;
use crate::uri::UriRef;

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

impl<'a> View<'a> {
    /// Returns the URI, its authority as [`authority`](View::authority) does, and the view inside the variant.
    pub(super) fn read(&self) -> (UriRef<&'a str>, Option<Authority<'a>>, &dyn Details<'a>) {
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
}

impl fmt::Display for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uri().fmt(f)
    }
}
