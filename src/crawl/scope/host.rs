//! Hosts, in the form in which they can be compared.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::whatwg;

/// A host as the URL Standard serializes it, without the dot at its end.
pub(super) struct Host<'a>(Cow<'a, str>);

impl<'a> Host<'a> {
    /// Reads a host; `None` if no host can be so. The empty host is one.
    pub fn new(host: &'a str) -> Option<Self> {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'.' | b'_' | b'0'..=b'9');
        let last_label = host.strip_suffix('.').unwrap_or(host).rsplit('.').next().unwrap_or_default();
        let may_be_address = last_label.starts_with(|c: char| c.is_ascii_digit());
        let host = match host.bytes().all(is_plain) && !may_be_address {
            true => Cow::Borrowed(host),
            false => Cow::Owned(serialized(host)?),
        };
        is_name(&host).then_some(Host(host))
    }

    /// Returns the host.
    pub fn name(&self) -> &str {
        self.0.strip_suffix('.').unwrap_or(&self.0)
    }

    /// Returns the part of the host that was registered below a public suffix; the whole host if there is none.
    #[cfg(feature = "psl")]
    pub fn domain(&self) -> &str {
        let name = self.name();
        let is_address = name.starts_with('[') || name.ends_with(|c: char| c.is_ascii_digit());
        if is_address { name } else { psl::domain_str(name).unwrap_or(name) }
    }
}

/// Returns a host as the URL Standard serializes it; `None` if it has none.
fn serialized(host: &str) -> Option<String> {
    let is_bracketed = host.starts_with('[') && host.ends_with(']');
    if host.contains(['/', '\\', '?', '#', '@', '\t', '\n', '\r']) || (host.contains(':') && !is_bracketed) {
        return None;
    }
    let mut text = String::with_capacity(host.len() + "http://".len());
    text.push_str("http://");
    text.push_str(host);
    text.push('/');
    let href = whatwg::parse(&text).ok()?;
    Some(String::from(href.strip_prefix("http://")?.strip_suffix('/')?))
}

/// Reports whether a host has only labels that a domain name can have: of 1 to 63 bytes, together up to 253 (RFC 1035 §2.3.4).
fn is_name(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host);
    let is_label = |label: &str| (1..=63).contains(&label.len());
    host.is_empty() || host.starts_with('[') || (name.len() <= 253 && name.split('.').all(is_label))
}
