//! The kinds of sort keys.

use alloc::string::String;

#[cfg(feature = "psl")]
use super::public_suffix::domain_to_compare;
use super::scope::{host_of, without_dot};
use super::tail::Tail;
use super::{Normalizer, cdx_key_into};
use crate::by_name::parse_and_print_by_name;
use crate::error::Error;
use crate::uri::UriRef;

/// A kind of key by which URIs are sorted or put into groups, where it is chosen at run time.
///
/// ```
/// use relref::crawl::{Key, Normalizer};
///
/// let (mut key, kind) = (String::new(), "surt".parse::<Key>()?);
/// kind.append(&Normalizer::crawl(), "http://Example.com/b/../a", &mut key)?;
/// assert_eq!(key, "com,example)/a");
///
/// let host = |uri: &str| {
///     let mut key = String::new();
///     Key::Host.append(&Normalizer::crawl(), uri, &mut key).map(|()| key)
/// };
/// assert_eq!(host("http://me@Docs.Example.com.:8080/100%")?, "docs.example.com");
/// assert_eq!((host("http://[::0:1]/")?, host("mailto:a@b")?), ("[::1]".into(), String::new()));
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Key {
    /// The host from right to left, then the path and query of the normal form: [`Normalizer::surt`].
    Surt,
    /// The key in CDX files: [`cdx_key`](super::cdx_key).
    Cdx,
    /// The host of the normal form, as browsers write it: in lower case, with A-labels, without a port and a final dot, IPv6
    /// addresses in brackets. Empty if there is no host, or one that browsers refuse; without feature `idna`, these are also all
    /// names beyond US-ASCII. Those that DNS cannot have, such as `a..b`, have a key, too, though no [`Scope`](super::Scope) has them. URIs
    /// with the same key have the same host for [`Scope::same_host`](super::Scope::same_host).
    Host,
    /// The domain of that host: its [registrable domain](super::registrable_domain), such as `example.co.uk`. An address, and a name
    /// that is a public suffix itself, is its own domain; that of another name without a public suffix is its last two labels. URIs
    /// with the same key have the same domain for [`Scope::same_domain`](super::Scope::same_domain).
    #[cfg(feature = "psl")]
    Domain,
}

impl Key {
    /// All kinds.
    pub const ALL: &[Key] = &[
        Key::Surt,
        Key::Cdx,
        Key::Host,
        #[cfg(feature = "psl")]
        Key::Domain,
    ];

    /// Returns the name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Key::Surt => "surt",
            Key::Cdx => "cdx",
            Key::Host => "host",
            #[cfg(feature = "psl")]
            Key::Domain => "domain",
        }
    }

    /// Appends the key of a URI. A CDX key does not depend on the normalizer.
    ///
    /// # Errors
    /// Those of [`Normalizer::surt_into`] or [`cdx_key_into`]. Then `out` stays as it was. Hosts and domains have none: an illegal
    /// escape elsewhere in the URI does not matter.
    pub fn append(self, normalizer: &Normalizer, uri: impl AsRef<str>, out: &mut String) -> Result<(), Error> {
        let part: fn(&str) -> &str = match self {
            Key::Surt => return normalizer.surt_into(uri, out),
            Key::Cdx => return cdx_key_into(uri, out),
            Key::Host => without_dot,
            #[cfg(feature = "psl")]
            Key::Domain => domain_to_compare,
        };
        // Not the error of an illegal escape: the host has none, and a key by host is wanted for every URI that has one.
        let start = out.len();
        normalizer.push_form(uri.as_ref(), out);
        let form = Tail::take(out, start);
        if let Ok(host) = host_of(&UriRef::new(form.as_str())) {
            out.push_str(part(&host));
        }
        Ok(())
    }
}

parse_and_print_by_name!(Key, "a kind of key");
