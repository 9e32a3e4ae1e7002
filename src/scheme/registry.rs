//! The table of schemes, from which their names, default ports, hierarchy, views, general warnings and docs follow.

use super::authority::Authority;
use super::data::Data;
use super::file::{Afs, File};
use super::ftp::Ftp;
use super::generic::Generic;
use super::gopher::Gopher;
use super::http::Http;
use super::mailto::Mailto;
use super::news::{News, Nntp};
use super::prospero::Prospero;
use super::sip::Sip;
use super::telnet::Telnet;
use super::urn::Urn;
use super::view::View;
use super::wais::Wais;
use crate::uri::UriRef;
use AuthoritySyntax::{Host, HostPort, Login, OptionalHost};

/// A scheme, as the documents describe it.
///
/// ```
/// use relref::scheme::{self, AuthoritySyntax};
///
/// let ftp = scheme::info("FTP").unwrap();
/// assert_eq!((ftp.name, ftp.default_port, ftp.section), ("ftp", Some(21), "3.2"));
/// assert_eq!(ftp.authority, AuthoritySyntax::Login);
/// assert!(scheme::registry().iter().any(|scheme| scheme.name == "x500" && scheme.reserved));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SchemeInfo {
    /// The name, in lower case.
    pub name: &'static str,
    /// The port to use if the URI has none; `None` if the documents give no port.
    pub default_port: Option<u16>,
    /// The parts of an authority that URIs of the scheme have.
    pub authority: AuthoritySyntax,
    /// True if slashes always mean hierarchy, so that relative references make sense (RFC 1630, *Hierarchical forms*; RFC 1738
    /// §2.3). In other schemes, slashes may or may not mean hierarchy.
    pub hierarchical: bool,
    /// True if the documents only reserve the name, without defining the syntax and the use of its URIs.
    pub reserved: bool,
    /// The document that describes the scheme, such as `RFC 1738`: the one of 1994 that says most, or, for a scheme that
    /// came later, the current one.
    pub document: &'static str,
    /// The section of the document: its number or its title.
    pub section: &'static str,
    view: MakeView,
}

/// The parts of an authority that URIs of a scheme have, by RFC 1738's productions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AuthoritySyntax {
    /// No authority: no host follows the scheme.
    None,
    /// `[ host ]`: a host that may be empty.
    OptionalHost,
    /// `host`.
    Host,
    /// `hostport`: a host and an optional port.
    HostPort,
    /// `login`: an optional user with an optional password, a host and an optional port.
    Login,
}

// This file and that of `View` use each other: a row names the view of its scheme, and a view's warnings follow from its row.
type MakeView = for<'a> fn(UriRef<&'a str>, Option<Authority<'a>>) -> View<'a>;

// Functions in the rows, and no `match` of names elsewhere: a scheme is added by a row, and none can lack its view.
const HTTP: MakeView = |uri, authority| View::Http(Http::new(uri, authority));
const FTP: MakeView = |uri, authority| View::Ftp(Ftp::new(uri, authority));
const GOPHER: MakeView = |uri, authority| View::Gopher(Gopher::new(uri, authority));
const MAILTO: MakeView = |uri, _| View::Mailto(Mailto::new(uri));
const NEWS: MakeView = |uri, _| View::News(News::new(uri));
const NNTP: MakeView = |uri, authority| View::Nntp(Nntp::new(uri, authority));
const TELNET: MakeView = |uri, authority| View::Telnet(Telnet { uri, authority });
const WAIS: MakeView = |uri, authority| View::Wais(Wais::new(uri, authority));
const FILE: MakeView = |uri, _| View::File(File::new(uri));
const AFS: MakeView = |uri, authority| View::Afs(Afs::new(uri, authority));
const PROSPERO: MakeView = |uri, authority| View::Prospero(Prospero::new(uri, authority));
const URN: MakeView = |uri, _| View::Urn(Urn::new(uri));
const DATA: MakeView = |uri, _| View::Data(Data::new(uri));
const SIP: MakeView = |uri, _| View::Sip(Sip::new(uri));
const GENERIC: MakeView = |uri, authority| View::Generic(Generic { uri, authority });

#[rustfmt::skip]
static REGISTRY: [SchemeInfo; 28] = [
    // Name, view, authority, default port, hierarchical, document, section.
    row("http",     HTTP,      HostPort,              Some(80),   true,   "RFC 1738", "3.3"),
    row("https",    HTTP,      HostPort,              Some(443),  true,   "RFC 9110", "4.2.2"),
    row("ws",       HTTP,      HostPort,              Some(80),   true,   "RFC 6455", "3"),
    row("wss",      HTTP,      HostPort,              Some(443),  true,   "RFC 6455", "3"),
    row("ftp",      FTP,       Login,                 Some(21),   true,   "RFC 1738", "3.2"),
    row("gopher",   GOPHER,    HostPort,              Some(70),   false,  "RFC 1738", "3.4"),
    row("mailto",   MAILTO, AuthoritySyntax::None, None,       false,  "RFC 1738", "3.5"),
    row("mid",      MAILTO, AuthoritySyntax::None, None,       false,  "RFC 1630", "Message-Id"),
    row("cid",      MAILTO, AuthoritySyntax::None, None,       false,  "RFC 1630", "Content-Id"),
    row("news",     NEWS,      AuthoritySyntax::None, None,       false,  "RFC 1738", "3.6"),
    row("nntp",     NNTP,      HostPort,              Some(119),  true,   "RFC 1738", "3.7"),
    row("telnet",   TELNET,    Login,                 Some(23),   false,  "RFC 1738", "3.8"),
    // The port of its protocol is 513 (RFC 1282), but no document about URIs says so.
    row("rlogin",   TELNET,    Login,                 None,       false,  "RFC 1630", "Telnet, rlogin, tn3270"),
    row("tn3270",   TELNET,    Login,                 Some(23),   false,  "RFC 1630", "Telnet, rlogin, tn3270"),
    row("wais",     WAIS,      HostPort,              Some(210),  false,  "RFC 1738", "3.9"),
    row("file",     FILE,      OptionalHost,          None,       true,   "RFC 1738", "3.10"),
    row("afs",      AFS,       Host,                  None,       true,   "RFC 1630", "BNF for specific URL schemes"),
    row("prospero", PROSPERO,  HostPort,              Some(1525), false,  "RFC 1738", "3.11"),
    row("urn",      URN,       AuthoritySyntax::None, None,       true,   "RFC 1630", "URN"),
    row("data",     DATA,      AuthoritySyntax::None, None,       false,  "RFC 2397", "3"),
    row("sip",      SIP,       AuthoritySyntax::None, None,       false,  "RFC 3261", "19.1"),
    row("sips",     SIP,       AuthoritySyntax::None, None,       false,  "RFC 3261", "19.1"),
    reserved("x500",           AuthoritySyntax::None,                     "RFC 1630", "Schemes for Further Study"),
    reserved("whois++",        Host,                                      "RFC 1630", "Schemes for Further Study"),
    // The documents speak of a network management database, but print no name for its scheme.
    reserved("netman",         AuthoritySyntax::None,                     "RFC 1630", "Schemes for Further Study"),
    reserved("nfs",            AuthoritySyntax::None,                     "RFC 1738", "4"),
    reserved("mailserver",     AuthoritySyntax::None,                     "RFC 1738", "4"),
    reserved("z39.50",         AuthoritySyntax::None,                     "RFC 1738", "4"),
];

const fn row(
    name: &'static str,
    view: MakeView,
    authority: AuthoritySyntax,
    default_port: Option<u16>,
    hierarchical: bool,
    document: &'static str,
    section: &'static str,
) -> SchemeInfo {
    SchemeInfo { name, default_port, authority, hierarchical, reserved: false, document, section, view }
}

const fn reserved(
    name: &'static str,
    authority: AuthoritySyntax,
    document: &'static str,
    section: &'static str,
) -> SchemeInfo {
    SchemeInfo { reserved: true, ..row(name, GENERIC, authority, None, false, document, section) }
}

/// Returns all schemes that the documents of 1994 name, and later ones that are common.
#[must_use]
pub fn registry() -> &'static [SchemeInfo] {
    &REGISTRY
}

/// Returns what the documents say about a scheme, in upper or lower case (RFC 1738 §2.1); `None` if they do not name it.
///
/// Cost: a comparison with each of the 28 names.
#[must_use]
pub fn info(name: &str) -> Option<&'static SchemeInfo> {
    // Twenty-eight comparisons at most, of which nearly all are of lengths that differ; `http` and `https` come first.
    REGISTRY.iter().find(|scheme| scheme.name.eq_ignore_ascii_case(name))
}

/// Returns the port to use if a URI of this scheme has none; `None` if the scheme has no default port or is unknown.
///
/// ```
/// use relref::scheme;
///
/// assert_eq!(scheme::default_port("Gopher"), Some(70));
/// assert_eq!(scheme::default_port("mailto"), None);
/// ```
#[must_use]
pub fn default_port(name: &str) -> Option<u16> {
    info(name)?.default_port
}

/// Reads a URI by the rules of its scheme, in upper or lower case (RFC 1738 §2.1). Never fails, nor allocates. Cost: a few passes
/// over the text at most.
///
/// ```
/// use relref::scheme::{View, view};
///
/// let wais = view("WAIS://host.dom/db");
/// assert!(matches!(wais, View::Wais(_)));
/// assert_eq!(wais.authority().unwrap().port_or_known_default(), Some(210));
/// assert_eq!(wais.to_string(), "WAIS://host.dom/db");
/// ```
pub fn view(uri: &(impl AsRef<str> + ?Sized)) -> View<'_> {
    let uri = UriRef::new(uri.as_ref());
    let scheme = uri.scheme().and_then(info);
    let default_port = scheme.and_then(|scheme| scheme.default_port);
    let authority = uri.authority().map(|authority| Authority::new(authority, default_port));
    scheme.map_or(GENERIC, |scheme| scheme.view)(uri, authority)
}

#[cfg(test)]
mod tests {
    use std::format;
    use std::string::{String, ToString};

    use super::*;

    /// The docs of the module print this table; a failure prints it as it should be.
    #[test]
    fn the_table_in_the_docs_is_the_registry() {
        let mut expected = String::from("//! | scheme | view | authority | default port | hierarchical | document |\n");
        expected += "//! |---|---|---|---|---|---|\n";
        for scheme in registry() {
            let view = format!("{:?}", (scheme.view)(UriRef::new(""), None));
            let view = view.split_once('(').unwrap().0;
            let authority = match scheme.authority {
                AuthoritySyntax::None => "none",
                OptionalHost => "optional host",
                Host => "host",
                HostPort => "host, port",
                Login => "user, password, host, port",
            };
            let port = scheme.default_port.map_or(String::new(), |port| port.to_string());
            let hierarchical = if scheme.hierarchical { "yes" } else { "" };
            let is_number = scheme.section.starts_with(|c: char| c.is_ascii_digit());
            let section = if is_number { format!("§{}", scheme.section) } else { format!("*{}*", scheme.section) };
            expected += &format!("//! | `{}` | [`{view}`] | {authority} | {port} | ", scheme.name);
            expected += &format!("{hierarchical} | {} {section} |\n", scheme.document);
        }
        let printed: String = include_str!("mod.rs")
            .lines()
            .filter(|line| line.starts_with("//! |"))
            .map(|line| format!("{line}\n"))
            .collect();
        assert!(printed == expected, "replace the table in src/scheme/mod.rs by:\n{expected}");
    }
}
