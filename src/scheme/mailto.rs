//! The view of `mailto`, `mid` and `cid` URIs: an `addr-spec` of RFC 822, and no host to connect to.

use super::details::Details;
use super::part::Parts;
use super::warning::{WarningKind, Warnings};
use crate::error::Error;
use crate::percent::{Decode, decode_bytes};
use crate::uri::UriRef;

/// A URI of `mailto`, `mid` or `cid` (RFC 1630, *Mailto*, *Message-Id*, *Content-Id*; RFC 1738 §3.5).
///
/// - `mailto`: a mail address. Nothing can be retrieved. A `%` of the address is written `%25`.
/// - `mid`: the Message-Id of a mail already received, without its angle brackets. For a message that came as news, `news`
///   is the scheme.
/// - `cid`: the Content-Id of a part of the same message. It has no meaning elsewhere.
///
/// ```
/// use relref::scheme::{View, view};
///
/// let View::AddrSpec(mail) = view("mailto:user%25host@gate.dom?subject=hi") else { unreachable!() };
/// assert_eq!(mail.decode()?.to_string(), "user%host@gate.dom");
/// assert_eq!((mail.local_part(), mail.domain()), ("user%25host", Some("gate.dom")));
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct AddrSpec<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The address or identifier, with its escapes: the text between the colon and `?`. Slashes have no special meaning.
    pub addr_spec: &'a str,
    /// The text after `?`: in `mailto` the header fields (RFC 6068). The documents of 1994 have none; by RFC 1738 it is part
    /// of the address.
    pub query: Option<&'a str>,
}

impl<'a> AddrSpec<'a> {
    pub(super) fn new(uri: UriRef<&'a str>) -> Self {
        AddrSpec { uri, addr_spec: &uri.as_str()[uri.scheme_end..uri.path_end], query: uri.query() }
    }

    /// Decodes the address or identifier, with the errors of [`decode_bytes`].
    pub fn decode(&self) -> Result<Decode<'a>, Error> {
        decode_bytes(self.addr_spec)
    }

    /// Returns the text before the last `@`, or `%40` if there is no `@`, with its escapes; else the whole text.
    #[must_use]
    pub fn local_part(&self) -> &'a str {
        self.split().map_or(self.addr_spec, |(local_part, _)| local_part)
    }

    /// Returns the text after the last `@`, or `%40` if there is no `@`, with its escapes; else `None`.
    #[must_use]
    pub fn domain(&self) -> Option<&'a str> {
        self.split().map(|(_, domain)| domain)
    }

    fn split(&self) -> Option<(&'a str, &'a str)> {
        self.addr_spec.rsplit_once('@').or_else(|| self.addr_spec.rsplit_once("%40"))
    }
}

impl<'a> Details<'a> for AddrSpec<'a> {
    fn add_parts(&self, parts: &mut Parts) {
        parts.add_decoded("address", self.addr_spec);
        parts.add("local part", self.local_part());
        parts.add_some("domain", self.domain());
    }

    fn add_warnings(&self, warnings: &mut Warnings<'a>) {
        warnings.add_if_bracketed(self.addr_spec);
        let is_scheme = |name| self.uri.scheme().is_some_and(|scheme| scheme.eq_ignore_ascii_case(name));
        if is_scheme("mid") {
            warnings.add_part(WarningKind::ReceivedMail, Some(self.addr_spec));
        }
        if is_scheme("cid") {
            warnings.add_part(WarningKind::LocalOnly, Some(self.addr_spec));
        } else if self.domain().is_none() {
            let end = warnings.range(self.addr_spec).end;
            warnings.add(WarningKind::Missing, end..end);
        }
    }
}
