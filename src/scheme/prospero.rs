//! The view of `prospero` URIs: the name of a link, its version and its fields.

use alloc::format;

use super::authority::Authority;
use super::details::Details;
use super::part::Parts;
use super::url_path::{non_empty, path_and_query, split_at_delimiter, url_path};
use super::warning::{WarningKind, Warnings};
use crate::uri::UriRef;

/// A URI of `prospero`: the name of a link in a directory service, which leads to another method of access.
///
/// The name is opaque. It often starts with a slash, so that two slashes follow the host. A version follows `%00`, with attributes
/// right after its digits (RFC 1630, *Prospero* and BNF), or is one of the fields `;name=value` (RFC 1738 §3.11). Both are read,
/// `%00` only before the first `;`.
///
/// ```
/// use relref::scheme::{View, view};
///
/// let text = "prospero://host.dom//pros/name;OBJECT-VERSION=7;x";
/// let View::Prospero(link) = view(text) else { unreachable!() };
/// assert_eq!((link.hsoname, link.object_version()), ("/pros/name", Some("7")));
/// assert!(link.fields().eq([("OBJECT-VERSION", Some("7")), ("x", None)]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Prospero<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The authority.
    pub authority: Option<Authority<'a>>,
    /// The name that the host gives the object.
    pub hsoname: &'a str,
    /// The digits after `%00`: an empty text if no digit follows it, and `None` if there is no `%00`.
    pub version: Option<&'a str>,
    /// The text between the digits of the version and the first `;`; `None` if it is empty.
    pub attributes: Option<&'a str>,
    /// The text after the first `;`, which [`fields`](Prospero::fields) splits; `None` if there is no `;`.
    pub field_list: Option<&'a str>,
}

impl<'a> Prospero<'a> {
    pub(super) fn new(uri: UriRef<&'a str>, authority: Option<Authority<'a>>) -> Self {
        let path = url_path(path_and_query(&uri)).unwrap_or_default();
        let (name, field_list) = split_at_delimiter(path, ";");
        let (hsoname, after_name) = split_at_delimiter(name, "%00");
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (version, attributes) = after_name.map(|text| text.split_at(digits(text))).unzip();
        let attributes = attributes.and_then(non_empty);
        Prospero { uri, authority, hsoname, version, attributes, field_list }
    }

    /// Returns the fields, with their escapes. Each is a name and the value after its `=`; `None` if it has no `=`.
    pub fn fields(&self) -> impl Iterator<Item = (&'a str, Option<&'a str>)> + use<'a> {
        let fields = self.field_list.into_iter().flat_map(|fields| fields.split(';'));
        fields.map(|field| split_at_delimiter(field, "="))
    }

    /// Returns the version of the object, written after `%00` or in the field `OBJECT-VERSION`; `None` if there is none.
    #[must_use]
    pub fn object_version(&self) -> Option<&'a str> {
        let field = || self.fields().find(|(name, _)| name.eq_ignore_ascii_case("OBJECT-VERSION"))?.1;
        self.version.or_else(field)
    }
}

impl<'a> Details<'a> for Prospero<'a> {
    fn add_parts(&self, parts: &mut Parts) {
        parts.add("hsoname", self.hsoname);
        parts.add_some("version", self.object_version());
        parts.add_some("attributes", self.attributes);
        let fields = self.fields().map(|(name, value)| format!("{name} = {}", value.unwrap_or_default()));
        parts.add_list("field", fields);
    }

    fn add_warnings(&self, warnings: &mut Warnings<'a>) {
        warnings.add_part(WarningKind::UnreadableNumber, self.version.filter(|version| version.is_empty()));
    }

    fn parts_after_control(&self) -> [Option<&'a str>; 2] {
        [self.version, None]
    }
}
