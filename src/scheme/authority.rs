//! The authority of a URI, split into userinfo, host and port.

use core::fmt;

use memchr::{memchr, memrchr};

use super::part::{Parts, decoded};
use super::url_path::split_at_delimiter;
use super::warning::{WarningKind, Warnings};

/// An authority, split: `[ userinfo "@" ] host [ ":" port ]`, where the userinfo is `user [ ":" password ]`.
///
/// Any text can be split, and [`Display`](fmt::Display) gives it back. The parts are as written, with their escapes. An
/// empty part differs from a missing one, and there is no password without a user.
///
/// - The *last* `@` ends the userinfo. RFC 1738 requires any other `@` to be escaped. If one is not, it is part of a carelessly
///   written password, since no host contains `@`.
/// - The first `:` of the userinfo ends the user.
/// - The last `:` after the userinfo starts the port, except within the brackets of an IPv6 address.
///
/// Source: RFC 3986 §3.2; user and password are those of RFC 1738 §3.1, which calls the whole `login`.
///
/// ```
/// use relref::scheme::Authority;
///
/// let authority = Authority::new("foo:@host.com:8021", Some(21));
/// assert_eq!((authority.userinfo, authority.host, authority.port_text), (Some("foo:"), "host.com", Some("8021")));
/// assert_eq!((authority.username(), authority.password()), (Some("foo"), Some("")));
/// assert_eq!((authority.port(), authority.port_or_known_default()), (Some(8021), Some(8021)));
/// assert_eq!(Authority::new("[::1]", Some(80)).port_or_known_default(), Some(80));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Authority<'a> {
    /// The user name and the password, as written.
    pub userinfo: Option<&'a str>,
    /// The host, with its brackets if it is an IPv6 address; it may be empty.
    pub host: &'a str,
    /// The port, as written; it may be empty, or no number. `None` without a colon for it.
    pub port_text: Option<&'a str>,
    /// The default port of the scheme; `None` if it has none.
    pub default_port: Option<u16>,
}

impl<'a> Authority<'a> {
    /// Splits an authority. Cost: one pass.
    #[must_use]
    pub fn new(authority: &'a str, default_port: Option<u16>) -> Self {
        let (userinfo, hostport) = match memrchr(b'@', authority.as_bytes()) {
            Some(at) => (Some(&authority[..at]), &authority[at + 1..]),
            None => (None, authority),
        };
        let bytes = hostport.as_bytes();
        let literal = match bytes.first() {
            Some(b'[') => memchr(b']', bytes).unwrap_or(bytes.len()),
            _ => 0,
        };
        let (host, port_text) = match memrchr(b':', &bytes[literal..]) {
            Some(at) => (&hostport[..literal + at], Some(&hostport[literal + at + 1..])),
            None => (hostport, None),
        };
        Authority { userinfo, host, port_text, default_port }
    }

    /// Returns the user name, with its escapes: the userinfo before its first `:`.
    #[must_use]
    pub fn username(&self) -> Option<&'a str> {
        self.userinfo.map(|userinfo| split_at_delimiter(userinfo, ":").0)
    }

    /// Returns the password, with its escapes: the userinfo after its first `:`.
    #[must_use]
    pub fn password(&self) -> Option<&'a str> {
        split_at_delimiter(self.userinfo?, ":").1
    }

    /// Returns the port that is written, as a number; `None` if none is written, or it is not a number up to 65535.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        let text = self.port_text?;
        // `parse` would accept a plus sign.
        if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
    }

    /// Returns the port to connect to: the one written, or the scheme's if none is written, or only a colon (RFC 3986 §3.2.3).
    /// `None` if the port is not a number up to 65535, or the scheme has no default port.
    #[must_use]
    pub fn port_or_known_default(&self) -> Option<u16> {
        if self.port_text.unwrap_or_default().is_empty() { self.default_port } else { self.port() }
    }

    /// Reports whether the port is written, but empty or the default of the scheme.
    pub(crate) fn has_needless_port(&self) -> bool {
        let is_needless =
            |port: &str| port.is_empty() || (self.default_port.is_some() && self.port() == self.default_port);
        // If the host contains a colon, it is unclear which colon starts the port.
        let after_address = self.host.strip_prefix('[').and_then(|host| host.split_once(']'));
        self.port_text.is_some_and(is_needless) && !after_address.map_or(self.host, |(_, after)| after).contains(':')
    }

    /// Adds the parts of the authority; for a missing or empty port, the default one and a part `default`.
    pub(super) fn add_parts(&self, parts: &mut Parts) {
        parts.add("host", self.host);
        match (self.port_text.filter(|port| !port.is_empty()), self.port_or_known_default()) {
            (port, Some(number)) => {
                parts.add_number("port", number);
                if port.is_none() {
                    parts.add_flag("default");
                }
            }
            (port, None) => parts.add_some("port", port),
        }
        for (names, text) in
            [(["user", "decoded user"], self.username()), (["password", "decoded password"], self.password())]
        {
            parts.add_some(names[0], text);
            let decoded = text.map(decoded).filter(|decoded| Some(&**decoded) != text);
            parts.add_some(names[1], decoded);
        }
    }

    pub(super) fn add_warnings(&self, warnings: &mut Warnings<'a>) {
        warnings.add_part(WarningKind::Password, self.password());
        for part in self.username().into_iter().chain(self.password()) {
            let delimiter = part.find([':', '@']).map(|at| &part[at..at + 1]);
            warnings.add_part(WarningKind::RawDelimiter, delimiter);
        }
        let Some(port) = self.port_text else { return };
        let kind = match self.port() {
            _ if port.is_empty() => WarningKind::EmptyPort,
            None => WarningKind::UnreadablePort,
            Some(number) if self.default_port.is_none_or(|default| default == number) => return,
            Some(number) => WarningKind::Port { privileged: number < 1024 },
        };
        warnings.add_part(kind, Some(port));
    }
}

impl fmt::Display for Authority<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(userinfo) = self.userinfo {
            write!(f, "{userinfo}@")?;
        }
        f.write_str(self.host)?;
        self.port_text.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}
