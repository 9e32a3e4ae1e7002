//! The common Internet syntax: `user:password@host:port`.

use alloc::vec::Vec;
use core::fmt;

use memchr::{memchr, memrchr};

use super::parts::range;
use super::registry;
use super::warning::{Warning, WarningKind};
use crate::uri::UriRef;

/// The authority of a URI: who is to log in, and where.
///
/// Fields are as written, encoded. An empty user or password differs from none, and there is no password without a user.
/// [`Display`](fmt::Display) gives the authority back.
///
/// - What is left of the *last* `@` is user and password. RFC 1738 wants any other `@` encoded; where one is not, hosts
///   have no `@` and careless passwords do.
/// - The user ends at the first `:`.
/// - The port starts behind the last `:`, unless that stands in the brackets of an IPv6 address.
///
/// Source: RFC 1738 §3.1; the brackets are those of RFC 3986 §3.2.2.
///
/// ```
/// use relref::scheme::Login;
///
/// let login = Login::new("foo:@host.com:8021", Some(21));
/// assert_eq!((login.user, login.password, login.host), (Some("foo"), Some(""), "host.com"));
/// assert_eq!((login.port_number(), login.effective_port()), (Some(8021), Some(8021)));
/// assert_eq!(Login::new("[::1]", Some(80)).effective_port(), Some(80));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Login<'a> {
    /// The user name.
    pub user: Option<&'a str>,
    /// The password.
    pub password: Option<&'a str>,
    /// The host, with its brackets if it is an IPv6 address; it may be empty.
    pub host: &'a str,
    /// The port, as written.
    pub port: Option<&'a str>,
    /// The port of the scheme, if it has one.
    pub default_port: Option<u16>,
}

impl<'a> Login<'a> {
    /// Takes an authority apart. Cost: one pass.
    pub fn new(authority: &'a str, default_port: Option<u16>) -> Self {
        let (userinfo, hostport) = match memrchr(b'@', authority.as_bytes()) {
            Some(at) => (Some(&authority[..at]), &authority[at + 1..]),
            None => (None, authority),
        };
        let (user, password) = match userinfo.map(|userinfo| userinfo.split_once(':').ok_or(userinfo)) {
            Some(Ok((user, password))) => (Some(user), Some(password)),
            Some(Err(user)) => (Some(user), None),
            None => (None, None),
        };
        let bytes = hostport.as_bytes();
        let literal = match bytes.first() {
            Some(b'[') => memchr(b']', bytes).unwrap_or(bytes.len()),
            _ => 0,
        };
        let (host, port) = match memrchr(b':', &bytes[literal..]) {
            Some(at) => (&hostport[..literal + at], Some(&hostport[literal + at + 1..])),
            None => (hostport, None),
        };
        Login { user, password, host, port, default_port }
    }

    /// The login of a URI, if it has an authority.
    pub(super) fn of(uri: &UriRef<'a>) -> Option<Self> {
        let default_port = uri.scheme().and_then(registry::default_port);
        uri.authority().map(|authority| Login::new(authority, default_port))
    }

    /// The port that is written, as a number; `None` if there is none, or it is not one up to 65535.
    pub fn port_number(&self) -> Option<u16> {
        let port = self.port?;
        // `parse` would let a plus sign pass.
        if port.bytes().all(|byte| byte.is_ascii_digit()) { port.parse().ok() } else { None }
    }

    /// The port to connect to: the one written, or the scheme's if none is (also behind a lone colon, RFC 3986 §3.2.3).
    /// `None` if it cannot be read, or is not known.
    pub fn effective_port(&self) -> Option<u16> {
        if self.port.unwrap_or_default().is_empty() { self.default_port } else { self.port_number() }
    }

    pub(super) fn warn(&self, text: &str, warnings: &mut Vec<Warning>) {
        let mut warn = |kind, part| warnings.push(Warning { kind, range: range(text, part) });
        if let Some(password) = self.password {
            warn(WarningKind::Password, password);
        }
        for part in self.user.into_iter().chain(self.password) {
            if let Some(at) = part.find([':', '@']) {
                warn(WarningKind::RawDelimiter, &part[at..at + 1]);
            }
        }
        let Some(port) = self.port else { return };
        match self.port_number() {
            _ if port.is_empty() => warn(WarningKind::EmptyPort, port),
            None => warn(WarningKind::UnreadablePort, port),
            Some(number) if self.default_port.is_some_and(|default| default != number) => {
                warn(WarningKind::Port { reserved: number < 1024 }, port);
            }
            Some(_) => {}
        }
    }

    /// Warns of a user where the scheme has none.
    pub(super) fn warn_of_user(&self, text: &str, warnings: &mut Vec<Warning>) {
        if let Some(user) = self.user {
            let start = range(text, user).start;
            let end = range(text, self.password.unwrap_or(user)).end.max(start);
            warnings.push(Warning { kind: WarningKind::NoPlace, range: start..end });
        }
    }
}

impl fmt::Display for Login<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(user) = self.user {
            f.write_str(user)?;
            if let Some(password) = self.password {
                write!(f, ":{password}")?;
            }
            f.write_str("@")?;
        }
        f.write_str(self.host)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}
