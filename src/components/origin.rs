//! Origins, by which software decides whether two URIs are of one site (RFC 6454 §4).

use alloc::string::String;
use core::fmt;

use super::host::Host;
use crate::scheme::{Authority, default_port};
use crate::whatwg::Scheme;

/// The origin of a URI (RFC 6454 §4; URL Standard §4.7). [`UriRef::origin`](crate::UriRef::origin) makes it, and
/// [`Display`](fmt::Display) writes it (RFC 6454 §6.2).
///
/// An opaque origin equals no other, not even itself, so there is no `Eq`: two URIs without an origin are never of one site.
///
/// ```
/// use relref::{Origin, UriRef};
///
/// let origin = |uri: &'static str| UriRef::new(uri).origin();
/// assert_eq!(origin("HTTP://Example.com:80/a"), origin("http://example.com/b"));
/// assert_eq!(origin("https://example.com:8443/").to_string(), "https://example.com:8443");
/// assert!(origin("mailto:a@example.com").is_opaque());
/// assert_ne!(Origin::Opaque, Origin::Opaque);
/// assert_eq!(Origin::Opaque.to_string(), "null");
/// ```
#[derive(Clone, Debug)]
pub enum Origin {
    /// Scheme, host and port.
    Tuple {
        /// The scheme, in lower case: `http`, `https`, `ws`, `wss` or `ftp`.
        scheme: String,
        /// The host, in lower case, with the brackets of an IPv6 address.
        host: String,
        /// The port, or the default of the scheme.
        port: u16,
    },
    /// No origin that can be compared.
    Opaque,
}

impl Origin {
    pub(super) fn of(scheme: &str, authority: &str) -> Origin {
        Origin::tuple(scheme, authority).unwrap_or(Origin::Opaque)
    }

    fn tuple(scheme: &str, authority: &str) -> Option<Origin> {
        let scheme = scheme.to_ascii_lowercase();
        // Browsers read a backslash as a slash, and leave out tabs and line breaks, and so find another host.
        if authority.contains(|c: char| c == '\\' || c == ' ' || c.is_control()) {
            return None;
        }
        let authority = Authority::new(authority, default_port(&scheme));
        let host = authority.host;
        // A name with a colon or a bracket could be read as another host and port.
        let is_clear = matches!(Host::new(host), Host::Ipv6(_)) || !(host.is_empty() || host.contains([':', '[', ']']));
        if !Scheme::of(&scheme).is_web() || !is_clear {
            return None;
        }
        Some(Origin::Tuple { host: host.to_ascii_lowercase(), port: authority.port_or_default()?, scheme })
    }

    /// Reports whether the origin is opaque.
    #[must_use]
    pub fn is_opaque(&self) -> bool {
        matches!(self, Origin::Opaque)
    }
}

/// Equal are tuples of the same scheme, host and port.
impl PartialEq for Origin {
    fn eq(&self, other: &Origin) -> bool {
        match (self, other) {
            (
                Origin::Tuple { scheme, host, port },
                Origin::Tuple { scheme: its_scheme, host: its_host, port: its_port },
            ) => (scheme, host, port) == (its_scheme, its_host, its_port),
            _ => false,
        }
    }
}

/// The port is left out if it is the default of the scheme; an opaque origin is `null`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Opaque => f.pad("null"),
            Origin::Tuple { scheme, host, port } if default_port(scheme) == Some(*port) => {
                write!(f, "{scheme}://{host}")
            }
            Origin::Tuple { scheme, host, port } => write!(f, "{scheme}://{host}:{port}"),
        }
    }
}
