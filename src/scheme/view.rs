//! The one entry: a URI read by its scheme.

use core::fmt;

use super::{Address, Afs, Authority, File, Ftp, Generic, Gopher, Http, News, Nntp, Prospero, Session, Urn, Wais};
use crate::uri::UriRef;

/// A URI, read by the rules of its scheme. [`Display`](fmt::Display) gives the text back. Made by [`view`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum View<'a> {
    /// `http`, `https`, `ws`, `wss`.
    Http(Http<'a>),
    /// `ftp`.
    Ftp(Ftp<'a>),
    /// `gopher`.
    Gopher(Gopher<'a>),
    /// `mailto`.
    Mailto(Address<'a>),
    /// `mid`.
    Mid(Address<'a>),
    /// `cid`.
    Cid(Address<'a>),
    /// `news`.
    News(News<'a>),
    /// `nntp`.
    Nntp(Nntp<'a>),
    /// `telnet`.
    Telnet(Session<'a>),
    /// `rlogin`.
    Rlogin(Session<'a>),
    /// `tn3270`.
    Tn3270(Session<'a>),
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

/// The longest name of a scheme that has a view of its own.
const LONGEST: usize = 8;

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
pub fn view(uri: UriRef<'_>) -> View<'_> {
    let mut lower = [0; LONGEST];
    let name = uri.scheme().unwrap_or_default().as_bytes();
    let lower = match lower.get_mut(..name.len()) {
        Some(lower) => {
            lower.copy_from_slice(name);
            lower.make_ascii_lowercase();
            &*lower
        }
        None => b"",
    };
    match lower {
        b"http" | b"https" | b"ws" | b"wss" => View::Http(Http::new(uri)),
        b"ftp" => View::Ftp(Ftp::new(uri)),
        b"gopher" => View::Gopher(Gopher::new(uri)),
        b"mailto" => View::Mailto(Address::new(uri)),
        b"mid" => View::Mid(Address::new(uri)),
        b"cid" => View::Cid(Address::new(uri)),
        b"news" => View::News(News::new(uri)),
        b"nntp" => View::Nntp(Nntp::new(uri)),
        b"telnet" => View::Telnet(Session::new(uri)),
        b"rlogin" => View::Rlogin(Session::new(uri)),
        b"tn3270" => View::Tn3270(Session::new(uri)),
        b"wais" => View::Wais(Wais::new(uri)),
        b"file" => View::File(File::new(uri)),
        b"afs" => View::Afs(Afs::new(uri)),
        b"prospero" => View::Prospero(Prospero::new(uri)),
        b"urn" => View::Urn(Urn::new(uri)),
        _ => View::Generic(Generic::new(uri)),
    }
}

impl<'a> View<'a> {
    /// The URI that was read.
    pub fn uri(&self) -> UriRef<'a> {
        match self {
            View::Http(http) => http.uri,
            View::Ftp(ftp) => ftp.uri,
            View::Gopher(gopher) => gopher.uri,
            View::Mailto(address) | View::Mid(address) | View::Cid(address) => address.uri,
            View::News(news) => news.uri,
            View::Nntp(nntp) => nntp.uri,
            View::Telnet(session) | View::Rlogin(session) | View::Tn3270(session) => session.uri,
            View::Wais(wais) => wais.uri,
            View::File(file) => file.uri,
            View::Afs(afs) => afs.uri,
            View::Prospero(prospero) => prospero.uri,
            View::Urn(urn) => urn.uri,
            View::Generic(generic) => generic.uri,
        }
    }

    /// The authority, if the scheme has one and the URI too.
    pub fn authority(&self) -> Option<Authority<'a>> {
        match self {
            View::Http(http) => http.authority,
            View::Ftp(ftp) => ftp.authority,
            View::Gopher(gopher) => gopher.authority,
            View::Nntp(nntp) => nntp.authority,
            View::Telnet(session) | View::Rlogin(session) | View::Tn3270(session) => session.authority,
            View::Wais(wais) => wais.authority,
            View::Afs(afs) => afs.cell,
            View::Prospero(prospero) => prospero.authority,
            View::Generic(generic) => generic.authority,
            View::Mailto(_) | View::Mid(_) | View::Cid(_) | View::News(_) | View::File(_) | View::Urn(_) => None,
        }
    }
}

impl fmt::Display for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uri().fmt(f)
    }
}
