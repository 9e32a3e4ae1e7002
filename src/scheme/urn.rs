//! The view of `urn` URIs: names by RFC 1630's rules.

use super::details::Details;
use super::part::Parts;
use super::url_path::{raw_segments, segments};
use crate::error::Error;
use crate::percent::Decode;
use crate::uri::UriRef;

/// A URI of `urn`: a name, written by RFC 1630's rules. Its most significant part comes first, slashes separate the parts
/// of a hierarchy, wrapper characters of the name are kept, and its reserved characters are escaped.
///
/// Source: RFC 1630, *URN*; the example is that of draft-www-uri-00 §5.7.
///
/// ```
/// use relref::scheme::{View, view};
///
/// let View::Urn(urn) = view("urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3") else { unreachable!() };
/// assert_eq!(urn.decoded_segments().next().unwrap()?.to_string(), "iana");
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Urn<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The name.
    pub path: &'a str,
}

impl<'a> Urn<'a> {
    pub(super) fn new(uri: UriRef<&'a str>) -> Self {
        Urn { uri, path: &uri.as_str()[uri.scheme_end..uri.path_end] }
    }

    /// Splits the name, without a first slash, at each slash, and decodes the parts. The most significant part is the first.
    ///
    /// # Errors
    /// Each item can have the error of [`decode_bytes`](crate::percent::decode_bytes). The position is a byte of the part.
    pub fn decoded_segments(&self) -> impl Iterator<Item = Result<Decode<'a>, Error>> + use<'a> {
        segments(self.path)
    }
}

impl<'a> Details<'a> for Urn<'a> {
    fn add_parts(&self, parts: &mut Parts) {
        parts.add_decoded_list("segment", raw_segments(self.path));
    }
}
