//! The view of `mailto`, `mid` and `cid` URIs: an address of mail (`addr-spec` of RFC 822), and no host to connect to.

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
/// let View::Mailto(mail) = view("mailto:user%25host@gate.dom?subject=hi") else { unreachable!() };
/// assert_eq!(mail.decode()?.to_string(), "user%host@gate.dom");
/// assert_eq!((mail.local_part(), mail.domain()), ("user%25host", Some("gate.dom")));
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Mailto<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The address or identifier, with its escapes: the text between the colon and `?`. Slashes have no special meaning.
    pub address: &'a str,
    /// The text after `?`: in `mailto` the header fields (RFC 6068). The documents of 1994 have none; by RFC 1738 it is part
    /// of the address.
    pub query: Option<&'a str>,
}

impl<'a> Mailto<'a> {
    pub(super) fn new(uri: UriRef<&'a str>) -> Self {
        Mailto { uri, address: &uri.as_str()[uri.scheme_end..uri.path_end], query: uri.query() }
    }

    /// Decodes the address or identifier, with the errors of [`decode_bytes`].
    pub fn decode(&self) -> Result<Decode<'a>, Error> {
        decode_bytes(self.address)
    }

    /// Returns the addresses of a list, with their escapes (RFC 6068 §2): the texts between commas. The documents of 1994 have one
    /// address, which [`local_part`](Self::local_part) and [`domain`](Self::domain) split.
    ///
    /// ```
    /// use relref::scheme::{View, view};
    ///
    /// let View::Mailto(mail) = view("mailto:a@h,b%2C@h") else { unreachable!() };
    /// assert_eq!(mail.addresses().collect::<Vec<_>>(), ["a@h", "b%2C@h"]);
    /// ```
    pub fn addresses(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.address.split(',')
    }

    /// Returns the text before the last `@`, or `%40` if there is no `@`, with its escapes; else the whole text.
    #[must_use]
    pub fn local_part(&self) -> &'a str {
        self.split().map_or(self.address, |(local_part, _)| local_part)
    }

    /// Returns the text after the last `@`, or `%40` if there is no `@`, with its escapes; else `None`.
    #[must_use]
    pub fn domain(&self) -> Option<&'a str> {
        self.split().map(|(_, domain)| domain)
    }

    fn is_scheme(&self, name: &str) -> bool {
        self.uri.scheme().is_some_and(|scheme| scheme.eq_ignore_ascii_case(name))
    }

    fn is_list(&self) -> bool {
        self.is_scheme("mailto") && self.address.contains(',')
    }

    fn split(&self) -> Option<(&'a str, &'a str)> {
        self.address.rsplit_once('@').or_else(|| self.address.rsplit_once("%40"))
    }
}

impl<'a> Details<'a> for Mailto<'a> {
    fn add_parts(&self, parts: &mut Parts) {
        if self.is_list() {
            parts.add_decoded_list("addresses", self.addresses());
            return;
        }
        parts.add_decoded("address", self.address);
        parts.add("local part", self.local_part());
        parts.add_some("domain", self.domain());
    }

    fn add_warnings(&self, warnings: &mut Warnings<'a>) {
        warnings.add_if_bracketed(self.address);
        if self.is_scheme("mid") {
            warnings.add_part(WarningKind::ReceivedMail, Some(self.address));
        }
        if self.is_scheme("cid") {
            warnings.add_part(WarningKind::LocalOnly, Some(self.address));
        } else if self.domain().is_none() {
            let end = warnings.range(self.address).end;
            warnings.add(WarningKind::Missing, end..end);
        }
        if self.is_list() {
            warnings.add_part(WarningKind::AddressList, Some(self.address));
        }
    }
}
