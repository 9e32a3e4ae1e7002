//! `telnet`, `rlogin` and `tn3270`: an interactive session.

use super::login::Login;
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
/// let login = telnet.login.unwrap();
/// assert_eq!((login.user, login.host, login.effective_port()), (Some("guest"), "host.dom", Some(23)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Session<'a> {
    /// The whole.
    pub uri: UriRef<'a>,
    /// User, password, host and port; 23 if not given, and for `rlogin` unknown.
    pub login: Option<Login<'a>>,
}

impl<'a> Session<'a> {
    pub(super) fn new(uri: UriRef<'a>) -> Self {
        Session { uri, login: Login::of(&uri) }
    }
}
