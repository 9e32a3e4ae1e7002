//! The one entry: a URI read by its scheme, and the warnings of it.

use alloc::vec::Vec;
use core::fmt;

use super::parts::{range, rest};
use super::warning::{Warning, WarningKind, octets};
use super::{
    Address, Afs, File, Ftp, Generic, Gopher, GopherSearch, Http, Login, News, NewsTarget, Nntp, Prospero, Session,
    Urn, Wais,
};
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
/// assert_eq!(wais.login().unwrap().effective_port(), Some(210));
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

    /// User, password, host and port, if the scheme has them and the URI an authority.
    pub fn login(&self) -> Option<Login<'a>> {
        match self {
            View::Http(http) => http.login,
            View::Ftp(ftp) => ftp.login,
            View::Gopher(gopher) => gopher.login,
            View::Nntp(nntp) => nntp.login,
            View::Telnet(session) | View::Rlogin(session) | View::Tn3270(session) => session.login,
            View::Wais(wais) => wais.login,
            View::Afs(afs) => afs.cell,
            View::Prospero(prospero) => prospero.login,
            View::Generic(generic) => generic.login,
            View::Mailto(_) | View::Mid(_) | View::Cid(_) | View::News(_) | View::File(_) | View::Urn(_) => None,
        }
    }

    /// What a reader of the URI should know before using it: first what its scheme makes odd, then, from the left to the
    /// right, illegal escapes and control octets.
    ///
    /// Cost: one pass over the text, as the warnings are taken.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> + use<'a> {
        let mut warnings = Vec::new();
        if let Some(login) = self.login() {
            login.warn(self.uri().as_str(), &mut warnings);
        }
        self.warn(&mut warnings);
        let separators = self.separators();
        let not_separator = move |warning: &Warning| !separators.contains(&Some(warning.range.start));
        warnings.into_iter().chain(octets(self.uri()).filter(not_separator))
    }

    /// Where the escaped controls stand that separate the parts of a gopher command, and the version of prospero.
    fn separators(&self) -> [Option<usize>; 2] {
        let before = |part: Option<&str>| Some(range(self.uri().as_str(), part?).start - 3);
        match self {
            View::Gopher(gopher) if gopher.form == Some(GopherSearch::Tab) => {
                [before(gopher.search), before(gopher.plus)]
            }
            View::Prospero(prospero) => [before(prospero.version), None],
            _ => [None; 2],
        }
    }

    /// What the scheme makes odd.
    fn warn(&self, warnings: &mut Vec<Warning>) {
        let uri = self.uri();
        let text = uri.as_str();
        let path = uri.path_start..uri.path_start;
        let mut warn = |kind, range| warnings.push(Warning { kind, range });
        let hostless = self.login().is_none_or(|login| login.host.is_empty());
        match self {
            View::Mailto(_) | View::Mid(_) | View::Cid(_) | View::News(_) | View::Urn(_) | View::Generic(_) => {}
            View::File(file) if file.host.is_some() => {}
            _ if hostless => warn(WarningKind::Missing, path.clone()),
            _ => {}
        }
        match self {
            View::Gopher(gopher) => {
                if let Some(at) = gopher.selector.find('/') {
                    warn(WarningKind::GopherSlash, range(text, &gopher.selector[at..at + 1]));
                }
            }
            View::Ftp(ftp) => {
                if let (Some(code), None) = (ftp.type_code, ftp.data_type()) {
                    warn(WarningKind::UnknownType, range(text, code));
                }
            }
            View::Mailto(address) | View::Mid(address) | View::Cid(address) => {
                let whole = range(text, address.address);
                if is_bracketed(address.address) {
                    warn(WarningKind::AngleBrackets, whole.clone());
                }
                match self {
                    View::Cid(_) => warn(WarningKind::LocalOnly, whole),
                    _ if address.domain().is_none() => warn(WarningKind::Missing, whole.end..whole.end),
                    _ => {}
                }
            }
            View::News(news) => {
                if let Some(host) = uri.authority() {
                    warn(WarningKind::NoPlace, range(text, host));
                }
                match news.target {
                    None => warn(WarningKind::Missing, uri.query_end..uri.query_end),
                    Some(NewsTarget::Article(id)) if is_bracketed(id) => {
                        warn(WarningKind::AngleBrackets, range(text, id))
                    }
                    Some(_) => {}
                }
            }
            View::Nntp(nntp) => {
                warn(WarningKind::LocalOnly, 0..uri.query_end);
                match nntp.article {
                    _ if nntp.group.is_none() => warn(WarningKind::Missing, path),
                    Some(article) if nntp.article_number().is_none() => {
                        warn(WarningKind::UnreadableNumber, range(text, article));
                    }
                    _ => {}
                }
            }
            View::Telnet(_) | View::Rlogin(_) | View::Tn3270(_) => {
                if !matches!(rest(&uri), "" | "/") {
                    warn(WarningKind::NoPlace, uri.path_start..uri.query_end);
                }
            }
            View::Wais(wais) => {
                if wais.database.is_none() {
                    warn(WarningKind::Missing, path);
                }
            }
            View::File(file) => match file.host {
                Some(host) if !file.is_local() => warn(WarningKind::ForeignHost, range(text, host)),
                _ => warn(WarningKind::LocalOnly, 0..uri.query_end),
            },
            View::Prospero(prospero) => {
                if let Some(version @ "") = prospero.version {
                    warn(WarningKind::UnreadableNumber, range(text, version));
                }
            }
            View::Http(_) | View::Afs(_) | View::Urn(_) | View::Generic(_) => {}
        }
        match (self, self.login()) {
            (View::Ftp(_) | View::Telnet(_) | View::Rlogin(_) | View::Tn3270(_) | View::Generic(_), _) | (_, None) => {}
            (_, Some(login)) => login.warn_of_user(text, warnings),
        }
    }
}

/// Whether an identifier is in angle brackets, as they are or as escapes.
fn is_bracketed(id: &str) -> bool {
    id.starts_with('<') || id.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("%3C"))
}

impl fmt::Display for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uri().fmt(f)
    }
}
