//! `mailto`, `mid` and `cid`: an address or an identifier, and no host to ask.

use crate::error::Error;
use crate::percent::{Decode, decode};
use crate::uri::UriRef;

/// A URI of `mailto`, `mid` or `cid`.
///
/// - `mailto`: a mail address, an `addr-spec` of RFC 822. Nothing can be retrieved. A `%` in an address is `%25`.
/// - `mid`: the Message-Id of mail already received, without its angle brackets. If it came by news, `news` is the scheme.
/// - `cid`: the Content-Id of a part of the same message, and only there has it a meaning.
///
/// Source: RFC 1630, *Mailto*, *Message-Id*, *Content-Id*; RFC 1738 §3.5.
///
/// ```
/// use relref::UriRef;
/// use relref::scheme::{View, view};
///
/// let View::Mailto(mail) = view(UriRef::new("mailto:user%25host@gate.dom?subject=hi")) else { unreachable!() };
/// assert_eq!(mail.decode()?.to_string(), "user%host@gate.dom");
/// assert_eq!((mail.local(), mail.domain()), ("user%25host", Some("gate.dom")));
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Address<'a> {
    /// The whole.
    pub uri: UriRef<'a>,
    /// The address or identifier, encoded: all between the colon and `?`, as slashes are nothing special here.
    pub address: &'a str,
    /// What stands behind `?`: in `mailto` header fields (RFC 6068). The founding documents have none; to RFC 1738 it would
    /// be part of the address.
    pub query: Option<&'a str>,
}

impl<'a> Address<'a> {
    pub(super) fn new(uri: UriRef<'a>) -> Self {
        Address { uri, address: &uri.as_str()[uri.scheme_end..uri.path_end], query: uri.query() }
    }

    /// The address, decoded.
    ///
    /// # Errors
    /// As [`decode`].
    pub fn decode(&self) -> Result<Decode<'a>, Error> {
        decode(self.address)
    }

    /// What is left of the last `@`, or all, encoded.
    pub fn local(&self) -> &'a str {
        self.split().map_or(self.address, |(local, _)| local)
    }

    /// What is right of the last `@`, encoded.
    pub fn domain(&self) -> Option<&'a str> {
        self.split().map(|(_, domain)| domain)
    }

    /// An encoded `@` separates as well, if there is no other.
    fn split(&self) -> Option<(&'a str, &'a str)> {
        self.address.rsplit_once('@').or_else(|| self.address.rsplit_once("%40"))
    }
}
