//! The kinds of sort keys.

use alloc::string::String;

use super::{Normalizer, cdx_key_into};
use crate::by_name::parse_and_print_by_name;
use crate::error::Error;

/// A kind of sort key, where it is chosen at run time.
///
/// ```
/// use relref::crawl::{Key, Normalizer};
///
/// let (mut key, kind) = (String::new(), "surt".parse::<Key>()?);
/// kind.append(&Normalizer::crawl(), "http://Example.com/b/../a", &mut key)?;
/// assert_eq!(key, "com,example)/a");
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Key {
    /// The host from right to left, then the path and query of the normal form: [`Normalizer::surt`].
    Surt,
    /// The key in CDX files: [`cdx_key`](super::cdx_key).
    Cdx,
}

impl Key {
    /// All kinds.
    pub const ALL: [Key; 2] = [Key::Surt, Key::Cdx];

    /// Returns the name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Key::Surt => "surt",
            Key::Cdx => "cdx",
        }
    }

    /// Appends the key of a URI. A CDX key does not depend on the normalizer.
    ///
    /// # Errors
    /// Those of [`Normalizer::surt_into`] or [`cdx_key_into`]. Then `out` stays as it was.
    pub fn append(self, normalizer: &Normalizer, uri: impl AsRef<str>, out: &mut String) -> Result<(), Error> {
        match self {
            Key::Surt => normalizer.surt_into(uri, out),
            Key::Cdx => cdx_key_into(uri, out),
        }
    }
}

parse_and_print_by_name!(Key, "a kind of key");
