//! `urn`, and whatever has no view of its own.

use super::authority::Authority;
use super::file::segments;
use crate::error::Error;
use crate::percent::Decode;
use crate::uri::UriRef;

/// A URI of `urn`: a name, written by RFC 1630's rules for it. The most significant part is on the left, slashes separate
/// what is hierarchical, wrapper characters of the name are kept, and reserved characters of it are escapes.
///
/// Source: RFC 1630, *URN*; the example is that of draft-www-uri-00 §5.7.
///
/// ```
/// use relref::UriRef;
/// use relref::scheme::{View, view};
///
/// let View::Urn(urn) = view(UriRef::new("urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3")) else { unreachable!() };
/// assert_eq!(urn.segments().next().unwrap()?.to_string(), "iana");
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Urn<'a> {
    /// The whole.
    pub uri: UriRef<'a>,
    /// The name.
    pub path: &'a str,
}

impl<'a> Urn<'a> {
    pub(super) fn new(uri: UriRef<'a>) -> Self {
        Urn { uri, path: &uri.as_str()[uri.scheme_end..uri.path_end] }
    }

    /// The parts of the name from the most significant on, decoded after the name was split.
    ///
    /// # Errors
    /// Each as [`decode`](crate::percent::decode); the position is that in the part.
    pub fn segments(&self) -> impl Iterator<Item = Result<Decode<'a>, Error>> + use<'a> {
        segments(self.path)
    }
}

/// A URI of a scheme without a view of its own, or a reference without a scheme.
///
/// Source: RFC 1738 §5, `genericurl`.
///
/// ```
/// use relref::UriRef;
/// use relref::scheme::{View, view};
///
/// let View::Generic(generic) = view(UriRef::new("x-mine://me@host:99/a")) else { unreachable!() };
/// assert!(generic.is_experimental());
/// assert_eq!(generic.authority.unwrap().effective_port(), Some(99));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Generic<'a> {
    /// The whole.
    pub uri: UriRef<'a>,
    /// The authority.
    pub authority: Option<Authority<'a>>,
}

impl<'a> Generic<'a> {
    pub(super) fn new(uri: UriRef<'a>) -> Self {
        Generic { uri, authority: Authority::of(&uri) }
    }

    /// Whether the scheme starts with `x-`, in any case: an experiment, by agreement of those who use it (RFC 1630,
    /// *Registration of naming schemes*; RFC 1738 §4).
    pub fn is_experimental(&self) -> bool {
        self.uri.scheme().and_then(|scheme| scheme.get(..2)).is_some_and(|start| start.eq_ignore_ascii_case("x-"))
    }
}
