//! Hosts: domains, addresses and registered names.

use alloc::format;
use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The host of an authority (RFC 3986 §3.2.2). Nothing is decoded, and letters keep their case.
///
/// This is the host as RFC 3986 reads it. Browsers read `127.1`, `0x7f.1` and `2130706433` as IPv4 addresses too, decode escapes,
/// and end an authority at a backslash: to decide whether a URL may be fetched, parse it with [`whatwg`](crate::whatwg) first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Host<'a> {
    /// Labels of letters, digits, `-` and `_`, with dots between them.
    Domain(&'a str),
    /// Four decimal numbers with dots between them.
    Ipv4(Ipv4Addr),
    /// An address in brackets.
    Ipv6(Ipv6Addr),
    /// Any other name: one with escapes or letters beyond US-ASCII, the empty name, other text in brackets.
    Name(&'a str),
}

impl<'a> Host<'a> {
    /// Returns the address, if it is one.
    #[must_use]
    pub fn ip(&self) -> Option<IpAddr> {
        match *self {
            Host::Ipv4(address) => Some(address.into()),
            Host::Ipv6(address) => Some(address.into()),
            Host::Domain(_) | Host::Name(_) => None,
        }
    }

    /// `host` is without userinfo and port. The brackets of an IPv6 address are part of it.
    pub(super) fn new(host: &'a str) -> Self {
        if let Ok(address) = host.parse() {
            return Host::Ipv4(address);
        }
        let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        if let Some(Ok(address)) = literal.map(str::parse) {
            return Host::Ipv6(address);
        }
        let is_label =
            |label: &str| label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        let labels = host.strip_suffix('.').unwrap_or(host);
        if labels.split('.').all(|label| !label.is_empty() && is_label(label)) {
            Host::Domain(host)
        } else {
            Host::Name(host)
        }
    }
}

impl fmt::Display for Host<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Host::Domain(name) | Host::Name(name) => f.pad(name),
            Host::Ipv4(address) => address.fmt(f),
            Host::Ipv6(address) => f.pad(&format!("[{address}]")),
        }
    }
}
