//! The view of URIs whose scheme has no view of its own.

use super::authority::Authority;
use super::details::Details;
use super::part::Parts;
use crate::uri::UriRef;

/// A URI of a scheme without a view of its own (RFC 1738 §5, `genericurl`), or a reference without a scheme.
///
/// ```
/// use relref::scheme::{View, view};
///
/// let View::Generic(generic) = view("x-mine://me@host:99/a") else { unreachable!() };
/// assert!(generic.is_experimental());
/// assert_eq!(generic.authority.unwrap().port_or_known_default(), Some(99));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Generic<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The authority.
    pub authority: Option<Authority<'a>>,
}

impl Generic<'_> {
    /// Reports whether the scheme starts with `x-`, in upper or lower case. Such a scheme is an experiment among people who agreed
    /// on it (RFC 1630, *Registration of naming schemes*; RFC 1738 §4).
    #[must_use]
    pub fn is_experimental(&self) -> bool {
        self.uri.scheme().and_then(|scheme| scheme.get(..2)).is_some_and(|start| start.eq_ignore_ascii_case("x-"))
    }
}

impl<'a> Details<'a> for Generic<'a> {
    fn add_parts(&self, parts: &mut Parts) {
        if self.is_experimental() {
            parts.add_flag("experimental");
        }
    }
}
