//! The view of `urn` URIs: names by RFC 8141's rules, and by RFC 1630's.

use memchr::memmem;

use super::details::Details;
use super::part::Parts;
use super::url_path::{raw_segments, segments};
use super::warning::{WarningKind, Warnings};
use crate::error::Error;
use crate::percent::Decode;
use crate::uri::UriRef;

/// A URI of `urn`: a name that says what a resource is, and not where.
///
/// By RFC 8141 §2, a namespace comes first, its name after it, and components that are not part of the name last. By RFC 1630, *URN*, the
/// name is a hierarchy: its most significant part comes first, slashes separate the parts, wrapper characters of the name are kept, and
/// its reserved characters are escaped. The example of that is from draft-www-uri-00 §5.7.
///
/// ```
/// use relref::scheme::{View, view};
///
/// let View::Urn(urn) = view("urn:example:foo?+CCResolve:cc=uk?=op=map#frag") else { unreachable!() };
/// assert_eq!((urn.nid(), urn.nss()), (Some("example"), Some("foo")));
/// assert_eq!((urn.r_component(), urn.q_component()), (Some("CCResolve:cc=uk"), Some("op=map")));
///
/// let View::Urn(urn) = view("urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3") else { unreachable!() };
/// assert_eq!(urn.nid(), None);
/// assert_eq!(urn.decoded_segments().next().unwrap()?.to_string(), "iana");
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Urn<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The name, with its namespace.
    pub path: &'a str,
}

impl<'a> Urn<'a> {
    pub(super) fn new(uri: UriRef<&'a str>) -> Self {
        Urn { uri, path: &uri.as_str()[uri.scheme_end..uri.path_end] }
    }

    /// Returns the namespace identifier (RFC 8141 §2.1), as written; `None` if there is none, or nothing after it.
    #[must_use]
    pub fn nid(&self) -> Option<&'a str> {
        self.name().map(|(nid, _)| nid)
    }

    /// Returns the namespace specific string (RFC 8141 §2.2), with its escapes.
    #[must_use]
    pub fn nss(&self) -> Option<&'a str> {
        self.name().map(|(_, nss)| nss)
    }

    /// Returns the r-component, for a resolver (RFC 8141 §2.3.1).
    #[must_use]
    pub fn r_component(&self) -> Option<&'a str> {
        self.components().0
    }

    /// Returns the q-component, for the resource (RFC 8141 §2.3.2).
    #[must_use]
    pub fn q_component(&self) -> Option<&'a str> {
        self.components().1
    }

    /// Returns the f-component, which is the fragment (RFC 8141 §2.3.3).
    #[must_use]
    pub fn f_component(&self) -> Option<&'a str> {
        self.name().and(self.uri.fragment())
    }

    /// Splits the name, without a first slash, at each slash, and decodes the parts. The most significant part is the first.
    ///
    /// # Errors
    /// Each item can have the error of [`decode_bytes`](crate::percent::decode_bytes). The position is a byte of the part.
    pub fn decoded_segments(&self) -> impl Iterator<Item = Result<Decode<'a>, Error>> + use<'a> {
        segments(self.path)
    }

    fn name(&self) -> Option<(&'a str, &'a str)> {
        let len = namespace_len(self.path);
        (len > 0).then(|| (&self.path[..len], &self.path[len + 1..]))
    }

    /// The r-component and the q-component.
    fn components(&self) -> (Option<&'a str>, Option<&'a str>) {
        let query = self.name().and(self.uri.query()).unwrap_or_default();
        let Some(after) = query.strip_prefix('+') else { return (None, query.strip_prefix('=')) };
        match memmem::find(after.as_bytes(), b"?=") {
            Some(at) => (Some(&after[..at]), Some(&after[at + 2..])),
            None => (Some(after), None),
        }
    }
}

impl<'a> Details<'a> for Urn<'a> {
    fn add_parts(&self, parts: &mut Parts) {
        let Some((nid, nss)) = self.name() else {
            parts.add_decoded_list("segment", raw_segments(self.path));
            return;
        };
        parts.add("nid", nid);
        parts.add("nss", nss);
        parts.add_some("r-component", self.r_component());
        parts.add_some("q-component", self.q_component());
        parts.add_some("f-component", self.f_component());
    }

    fn add_warnings(&self, warnings: &mut Warnings<'a>) {
        // A query that starts otherwise is not in the grammar (RFC 8141 §2).
        let query = self.name().and(self.uri.query()).filter(|query| !query.starts_with(['+', '=']));
        warnings.add_part(WarningKind::NoPlace, query);
    }
}

/// Returns the length of the namespace of a URN; 0 if the path has none, or no name after it (RFC 8141 §2, RFC 2141 §2.1).
pub(crate) fn namespace_len(path: &str) -> usize {
    let len = path.find(':').unwrap_or_default();
    let namespace = &path.as_bytes()[..len];
    let is_namespace = len <= 32
        && len + 1 < path.len()
        && namespace.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        && namespace.first() != Some(&b'-');
    if is_namespace { len } else { 0 }
}
