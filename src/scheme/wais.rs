//! The view of `wais` URIs: database, search and object.

use alloc::format;

use super::authority::Authority;
use super::details::Details;
use super::part::Parts;
use super::url_path::{non_empty, url_path};
use super::warning::{WarningKind, Warnings};
use crate::uri::UriRef;

/// A URI of `wais`: a database, a search in it, or one of its objects (RFC 1630, *WAIS* and BNF; RFC 1738 §3.9).
///
/// The object's type is part of the URI, since a client must know it before the request.
///
/// ```
/// use relref::scheme::{View, view};
///
/// let View::Wais(wais) = view("wais://host.dom/db/TEXT/1=host.dom;2=db;3=a%2Fb;") else { unreachable!() };
/// assert_eq!((wais.database, wais.wtype), (Some("db"), Some("TEXT")));
/// let fields: Vec<_> = wais.fields().unwrap().collect();
/// assert_eq!(fields, [("1", "host.dom"), ("2", "db"), ("3", "a%2Fb")]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Wais<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The authority.
    pub authority: Option<Authority<'a>>,
    /// The database, which is the index to search in; `None` if its name is empty.
    pub database: Option<&'a str>,
    /// The words to search for: the text after `?`, with its escapes.
    pub search: Option<&'a str>,
    /// The type of the object: the second segment of the path.
    pub wtype: Option<&'a str>,
    /// The identifier of the object: the path after the type. It is opaque in RFC 1738, and a list of fields in RFC 1630. It may
    /// contain slashes.
    pub wpath: Option<&'a str>,
}

impl<'a> Wais<'a> {
    pub(super) fn new(uri: UriRef<&'a str>, authority: Option<Authority<'a>>) -> Self {
        let mut parts = url_path(uri.path()).unwrap_or_default().splitn(3, '/');
        let database = parts.next().and_then(non_empty);
        Wais { uri, authority, database, search: uri.query(), wtype: parts.next(), wpath: parts.next() }
    }

    /// Returns the fields of the object's identifier in their order: the number before `=` and the text after it, with its escapes.
    ///
    /// `None` if there is no identifier, or it does not follow RFC 1630: each field is digits, `=`, a text and `;`. A client can
    /// then only send it back to its server, which RFC 1738 recommends for every identifier. Cost: two passes.
    #[must_use]
    pub fn fields(&self) -> Option<impl Iterator<Item = (&'a str, &'a str)> + use<'a>> {
        let fields = self.wpath?.strip_suffix(';')?.split(';').map(|field| field.split_once('='));
        let is_legal = |field: Option<(&str, &str)>| {
            field.is_some_and(|(number, _)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        };
        fields.clone().all(is_legal).then(|| fields.flatten())
    }
}

impl<'a> Details<'a> for Wais<'a> {
    fn add_parts(&self, parts: &mut Parts) {
        parts.add_some("database", self.database);
        parts.add_some("search", self.search);
        parts.add_some("wtype", self.wtype);
        parts.add_some("wpath", self.wpath);
        let fields = self.fields().into_iter().flatten();
        parts.add_list("wpath field", fields.map(|(number, text)| format!("{number} = {text}")));
    }

    fn add_warnings(&self, warnings: &mut Warnings<'a>) {
        if self.database.is_none() {
            warnings.add(WarningKind::Missing, self.uri.path_start..self.uri.path_start);
        }
    }
}
