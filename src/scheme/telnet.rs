//! The view of `telnet`, `rlogin` and `tn3270` URIs: an interactive service.

use super::authority::Authority;
use super::details::Details;
use super::url_path::path_and_query;
use super::warning::{WarningKind, Warnings};
use crate::uri::UriRef;

/// A URI of `telnet`, `rlogin` or `tn3270`: the host to log in to (RFC 1630, *Telnet, rlogin, tn3270*; RFC 1738 §3.8).
///
/// User and password are advice for the user; a client does not send them. Only a slash may follow the authority.
///
/// ```
/// use relref::scheme::{View, view};
///
/// let View::Telnet(telnet) = view("telnet://guest@host.dom/") else { unreachable!() };
/// let authority = telnet.authority.unwrap();
/// assert_eq!((authority.username(), authority.host, authority.port_or_known_default()), (Some("guest"), "host.dom", Some(23)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Telnet<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The authority.
    pub authority: Option<Authority<'a>>,
}

impl<'a> Details<'a> for Telnet<'a> {
    fn add_warnings(&self, warnings: &mut Warnings<'a>) {
        if !matches!(path_and_query(&self.uri), "" | "/") {
            warnings.add(WarningKind::NoPlace, self.uri.path_start..self.uri.query_end);
        }
    }
}
