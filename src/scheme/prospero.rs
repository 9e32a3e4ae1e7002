//! `prospero`.

use super::authority::Authority;
use super::parts::{rest, url_path};
use crate::uri::UriRef;

/// A URI of `prospero`: the name of a link in a directory service, which resolves to another way of access.
///
/// The name is opaque; it often starts with a slash, so that two follow the host. A version is written behind `%00`, with
/// attributes right behind its digits (RFC 1630), or as one of the fields `;name=value` (RFC 1738). Both are read, `%00`
/// only before the first `;`.
///
/// Source: RFC 1630, *Prospero* and BNF; RFC 1738 §3.11.
///
/// ```
/// use relref::UriRef;
/// use relref::scheme::{View, view};
///
/// let text = "prospero://host.dom//pros/name;OBJECT-VERSION=7;x";
/// let View::Prospero(link) = view(UriRef::new(text)) else { unreachable!() };
/// assert_eq!((link.hsoname, link.object_version()), ("/pros/name", Some("7")));
/// assert!(link.fields().eq([("OBJECT-VERSION", Some("7")), ("x", None)]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Prospero<'a> {
    /// The whole.
    pub uri: UriRef<'a>,
    /// The authority. Its default port is 1525.
    pub authority: Option<Authority<'a>>,
    /// The name of the object, which the host gives it.
    pub hsoname: &'a str,
    /// The digits behind `%00`.
    pub version: Option<&'a str>,
    /// What follows these digits; never empty.
    pub attributes: Option<&'a str>,
    /// All behind the first `;`.
    pub field_list: Option<&'a str>,
}

impl<'a> Prospero<'a> {
    pub(super) fn new(uri: UriRef<'a>) -> Self {
        let path = url_path(rest(&uri)).unwrap_or_default();
        let (name, field_list) = match path.split_once(';') {
            Some((name, fields)) => (name, Some(fields)),
            None => (path, None),
        };
        let (hsoname, version, attributes) = match name.split_once("%00") {
            Some((hsoname, version)) => {
                let digits = version.bytes().take_while(u8::is_ascii_digit).count();
                let (version, attributes) = version.split_at(digits);
                (hsoname, Some(version), (!attributes.is_empty()).then_some(attributes))
            }
            None => (name, None, None),
        };
        Prospero { uri, authority: Authority::of(&uri), hsoname, version, attributes, field_list }
    }

    /// The fields: each name, and its value if there is an equals sign, encoded.
    pub fn fields(&self) -> impl Iterator<Item = (&'a str, Option<&'a str>)> + use<'a> {
        let fields = self.field_list.into_iter().flat_map(|fields| fields.split(';'));
        fields.map(|field| field.split_once('=').map_or((field, None), |(name, value)| (name, Some(value))))
    }

    /// The version of the object, in either form.
    pub fn object_version(&self) -> Option<&'a str> {
        let field = || self.fields().find(|(name, _)| name.eq_ignore_ascii_case("OBJECT-VERSION"))?.1;
        self.version.or_else(field)
    }
}
