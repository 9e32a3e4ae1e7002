//! The view of `sip` and `sips` URIs: a user, a host, parameters and headers, without `//`.

use memchr::{memchr, memchr2, memrchr};

use super::authority::Authority;
use super::details::Details;
use super::part::Parts;
use super::warning::{WarningKind, Warnings};
use crate::uri::UriRef;

/// A URI of `sip` or `sips`: a user of a host, to call (RFC 3261 §19.1.1).
///
/// A user may have `;` and `?`, which are plain before the `@`.
///
/// ```
/// use relref::scheme::{View, view};
///
/// let View::Sip(sip) = view("sip:alice;day=1@atlanta.com:5060;transport=tcp?subject=a") else { unreachable!() };
/// assert_eq!((sip.authority.username(), sip.authority.host, sip.authority.port()), (Some("alice;day=1"), "atlanta.com", Some(5060)));
/// assert_eq!((sip.parameters, sip.headers), (Some("transport=tcp"), Some("subject=a")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Sip<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The user, a password, the host and a port. There is no default port: a URI with port 5060 and one without differ (§19.1.4).
    pub authority: Authority<'a>,
    /// The text between the first `;` after the host and the headers.
    pub parameters: Option<&'a str>,
    /// The text after `?`: fields of the request, with `&` between them.
    pub headers: Option<&'a str>,
}

impl<'a> Sip<'a> {
    pub(super) fn new(uri: UriRef<&'a str>) -> Self {
        let text = &uri.as_str()[uri.scheme_end..uri.query_end];
        let host = memrchr(b'@', text.as_bytes()).map_or(0, |at| at + 1);
        let end = memchr2(b';', b'?', &text.as_bytes()[host..]).map_or(text.len(), |len| host + len);
        let (authority, rest) = text.split_at(end);
        let (parameters, headers) = match memchr(b'?', rest.as_bytes()) {
            Some(at) => (&rest[..at], Some(&rest[at + 1..])),
            None => (rest, None),
        };
        Sip { uri, authority: Authority::new(authority, None), parameters: parameters.strip_prefix(';'), headers }
    }
}

impl<'a> Details<'a> for Sip<'a> {
    fn add_parts(&self, parts: &mut Parts) {
        self.authority.add_parts(parts);
        parts.add_decoded_list("parameter", self.parameters.into_iter().flat_map(|all| all.split(';')));
        parts.add_decoded_list("header", self.headers.into_iter().flat_map(|all| all.split('&')));
    }

    fn add_warnings(&self, warnings: &mut Warnings<'a>) {
        self.authority.add_warnings(warnings);
        if self.authority.host.is_empty() {
            warnings.add_part(WarningKind::Missing, Some(self.authority.host));
        }
    }
}
