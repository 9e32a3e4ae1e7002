//! `http` and its kin.

use alloc::borrow::Cow;
use alloc::string::ToString;

use super::authority::Authority;
use super::parts::rest;
use crate::percent::{ByteSet, encode};
use crate::uri::UriRef;

/// What is escaped on the way, if it is not already (RFC 1630, *HTTP*); a `%` is left alone, as it starts an escape.
const WIRE: ByteSet = ByteSet::QUERY.remove(b'%');

/// A URI of `http`, `https`, `ws` or `wss`.
///
/// The path is opaque to the client. No user or password is allowed.
///
/// Source: RFC 1630, *HTTP*; RFC 1738 §3.3.
///
/// ```
/// use relref::UriRef;
/// use relref::scheme::{View, proxy_target, view};
///
/// let uri = UriRef::new("http://host.dom/a b?c#d");
/// let View::Http(http) = view(uri) else { unreachable!() };
/// assert_eq!(http.request_target(), "/a%20b?c");
/// assert_eq!(proxy_target(uri), "http://host.dom/a%20b?c");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Http<'a> {
    /// The whole.
    pub uri: UriRef<'a>,
    /// The authority. Its default port is 80, and 443 for `https` and `wss`.
    pub authority: Option<Authority<'a>>,
    /// The path, with its slash.
    pub path: &'a str,
    /// The search part.
    pub query: Option<&'a str>,
}

impl<'a> Http<'a> {
    pub(super) fn new(uri: UriRef<'a>) -> Self {
        Http { uri, authority: Authority::of(&uri), path: uri.path(), query: uri.query() }
    }

    /// What is asked of the host itself: all from the slash behind it on, without the fragment. It starts with a slash even
    /// if the URI has none.
    ///
    /// Spaces, controls and other characters that may not stand in a URI are escaped. Cost: one pass.
    pub fn request_target(&self) -> Cow<'a, str> {
        let rest = rest(&self.uri);
        let target: Cow<'a, str> = encode(rest, WIRE).into();
        if rest.starts_with('/') { target } else { Cow::Owned("/".to_string() + &target) }
    }
}

/// What is asked of a proxy or gateway: the whole URI, of whatever scheme, without the fragment.
///
/// Characters that may not stand in a URI are escaped. Cost: one pass. Source: RFC 1630, *HTTP*.
pub fn proxy_target(uri: UriRef<'_>) -> Cow<'_, str> {
    let (head, rest) = (&uri.as_str()[..uri.path_start], rest(&uri));
    // Brackets around an IPv6 address stay.
    let head: Cow<'_, str> = encode(head, WIRE.without(ByteSet::new(b"[]"))).into();
    let rest: Cow<'_, str> = encode(rest, WIRE).into();
    match (&head, &rest) {
        (Cow::Borrowed(_), Cow::Borrowed(_)) => Cow::Borrowed(&uri.as_str()[..uri.query_end]),
        _ => head + rest,
    }
}
