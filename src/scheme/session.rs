//! `telnet`, `rlogin` and `tn3270`: an interactive session.

use super::authority::Authority;
use crate::uri::UriRef;

/// A URI of `telnet`, `rlogin` or `tn3270`: where to log in.
///
/// User and password are advice for the user, not to be sent (RFC 1738 §3.8). A slash may follow, and nothing else.
///
/// Source: RFC 1630, *Telnet, rlogin, tn3270*; RFC 1738 §3.8.
///
/// ```
/// use relref::UriRef;
/// use relref::scheme::{View, view};
///
/// let View::Telnet(telnet) = view(UriRef::new("telnet://guest@host.dom/")) else { unreachable!() };
/// let authority = telnet.authority.unwrap();
/// assert_eq!((authority.user(), authority.host, authority.effective_port()), (Some("guest"), "host.dom", Some(23)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Session<'a> {
    /// The whole.
    pub uri: UriRef<'a>,
    /// The authority. Its default port is 23; `rlogin` has none.
    pub authority: Option<Authority<'a>>,
}

impl<'a> Session<'a> {
    pub(super) fn new(uri: UriRef<'a>) -> Self {
        Session { uri, authority: Authority::of(&uri) }
    }
}
