//! `wais`.

use super::authority::Authority;
use super::parts::url_path;
use crate::uri::UriRef;

/// A URI of `wais`: a database, a search in it, or a document of it.
///
/// The document's type is part of the URI, as a client must know it before it asks.
///
/// Source: RFC 1630, *WAIS* and BNF; RFC 1738 §3.9.
///
/// ```
/// use relref::UriRef;
/// use relref::scheme::{View, view};
///
/// let View::Wais(wais) = view(UriRef::new("wais://host.dom/db/TEXT/1=host.dom;2=db;3=a%2Fb;")) else { unreachable!() };
/// assert_eq!((wais.database, wais.wtype), (Some("db"), Some("TEXT")));
/// let fields: Vec<_> = wais.fields().unwrap().collect();
/// assert_eq!(fields, [("1", "host.dom"), ("2", "db"), ("3", "a%2Fb")]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Wais<'a> {
    /// The whole.
    pub uri: UriRef<'a>,
    /// The authority. Its default port is 210.
    pub authority: Option<Authority<'a>>,
    /// The database: the index to search in.
    pub database: Option<&'a str>,
    /// The words to search for.
    pub search: Option<&'a str>,
    /// The type of the document.
    pub wtype: Option<&'a str>,
    /// The identifier of the document: opaque to RFC 1738, fields to RFC 1630. It may have slashes.
    pub wpath: Option<&'a str>,
}

impl<'a> Wais<'a> {
    pub(super) fn new(uri: UriRef<'a>) -> Self {
        let mut parts = url_path(uri.path()).unwrap_or_default().splitn(3, '/');
        let database = parts.next().filter(|database| !database.is_empty());
        Wais {
            uri,
            authority: Authority::of(&uri),
            database,
            search: uri.query(),
            wtype: parts.next(),
            wpath: parts.next(),
        }
    }

    /// The fields of the document's identifier in their order: the number before `=`, and what follows it, encoded.
    ///
    /// `None` if there is no identifier, or it is not written as RFC 1630 has it: each field digits, `=`, a text, `;`.
    /// Then it can only be handed back to its server, as RFC 1738 wants it always to be. Cost: one pass, and another.
    pub fn fields(&self) -> Option<impl Iterator<Item = (&'a str, &'a str)> + use<'a>> {
        let fields = self.wpath?.strip_suffix(';')?.split(';').map(|field| field.split_once('='));
        let legal = |field: Option<(&str, &str)>| {
            field.is_some_and(|(number, _)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        };
        fields.clone().all(legal).then(|| fields.flatten())
    }
}
