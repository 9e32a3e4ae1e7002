//! Hosts of a scope, in a form in which they can be compared.

use alloc::borrow::Cow;

use crate::whatwg::web_host;

/// A host as the URL Standard serializes it.
pub(super) struct Host<'a>(Cow<'a, str>);

impl<'a> Host<'a> {
    /// Makes a host of a text; `None` if the host is impossible. The empty text is the empty host.
    pub fn new(host: &'a str) -> Option<Self> {
        web_host(host).map(Host)
    }

    /// Returns the host without the dot at its end.
    pub fn name(&self) -> &str {
        self.0.strip_suffix('.').unwrap_or(&self.0)
    }

    /// Returns the part of the host that was registered below a public suffix; the whole host if there is no such part, or if the
    /// host is an IP address.
    #[cfg(feature = "psl")]
    pub fn domain(&self) -> &str {
        let name = self.name();
        let is_address = name.starts_with('[') || name.ends_with(|c: char| c.is_ascii_digit());
        if is_address { name } else { psl::domain_str(name).unwrap_or(name) }
    }
}
