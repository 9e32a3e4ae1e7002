//! The view of `http`, `https`, `ws` and `wss` URIs, and the texts that a client requests.

use alloc::borrow::Cow;
use alloc::string::ToString;

use super::authority::Authority;
use super::details::Details;
use super::part::Parts;
use super::url_path::path_and_query;
use crate::percent::{ByteSet, encode_with};
use crate::uri::UriRef;

/// The characters that a query cannot contain, except `%`, which starts an escape (RFC 1630, *HTTP*).
const ESCAPED: ByteSet = ByteSet::QUERY.remove(b'%');

/// A URI of `http`, `https`, `ws` or `wss` (RFC 1630, *HTTP*; RFC 1738 §3.3).
///
/// The path is opaque to the client. A user or a password is not allowed.
///
/// ```
/// use relref::scheme::{View, proxy_target, view};
///
/// let uri = "http://host.dom/a b?c#d";
/// let View::Http(http) = view(uri) else { unreachable!() };
/// assert_eq!(http.request_target(), "/a%20b?c");
/// assert_eq!(proxy_target(uri), "http://host.dom/a%20b?c");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Http<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The authority.
    pub authority: Option<Authority<'a>>,
    /// The path, with its first slash.
    pub path: &'a str,
    /// The query, without its `?`: the text to search for.
    pub query: Option<&'a str>,
}

impl<'a> Http<'a> {
    pub(super) fn new(uri: UriRef<&'a str>, authority: Option<Authority<'a>>) -> Self {
        Http { uri, authority, path: uri.path(), query: uri.query() }
    }

    /// Returns the text to request from the host itself: path and query, from a slash on even if the URI has no path. Spaces,
    /// controls and other characters that are not allowed in a URI are escaped. Cost: one pass.
    #[must_use]
    pub fn request_target(&self) -> Cow<'a, str> {
        let text = path_and_query(&self.uri);
        let target: Cow<'a, str> = encode_with(text, ESCAPED).into();
        if text.starts_with('/') { target } else { Cow::Owned("/".to_string() + &target) }
    }
}

impl<'a> Details<'a> for Http<'a> {
    fn add_parts(&self, parts: &mut Parts) {
        parts.add("request", self.request_target());
    }
}

/// Returns the text to request from a proxy or gateway (RFC 1630, *HTTP*): the whole URI, of any scheme, without its fragment.
/// Characters that are not allowed in a URI are escaped. Cost: one pass.
#[must_use]
pub fn proxy_target(uri: &(impl AsRef<str> + ?Sized)) -> Cow<'_, str> {
    let uri = UriRef::new(uri.as_ref());
    let before_path = &uri.as_str()[..uri.path_start];
    // The brackets around an IPv6 address stay.
    let before_path: Cow<'_, str> = encode_with(before_path, ESCAPED.without(ByteSet::new(b"[]"))).into();
    let rest: Cow<'_, str> = encode_with(path_and_query(&uri), ESCAPED).into();
    match (&before_path, &rest) {
        (Cow::Borrowed(_), Cow::Borrowed(_)) => Cow::Borrowed(&uri.as_str()[..uri.query_end]),
        _ => before_path + rest,
    }
}
