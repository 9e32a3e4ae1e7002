//! Gateways: servers of one scheme that answer requests for URIs of another.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use crate::percent::{ByteSet, decode_bytes, encode_with};
use crate::uri::UriRef;

/// All except unreserved ones, slashes and colons. Slashes stay, so that relative references in the pages of a gateway keep their
/// meaning. `&`, `+` and the like are escaped, so that a prefix may end in `?url=`.
const ESCAPED: ByteSet = ByteSet::RFC3986.without(ByteSet::new(b"/:"));

/// The gateways of schemes: a map from schemes to prefixes of URIs.
///
/// A URI is rewritten as three texts: the prefix, the escaped URI without its fragment, and the fragment as it is, since a client
/// never sends it. All characters except letters, digits and `-._~/:` are escaped, also `%`. So a gateway that decodes once gets
/// the same URI back; [`restore`](Gateways::restore) does that, too.
///
/// Source: RFC 1630, *Registration of naming schemes*, and RFC 1738 §4, which recommend such a setting for clients.
///
/// ```
/// use relref::scheme::Gateways;
///
/// let mut gateways = Gateways::new();
/// gateways.set("wais", "http://gate.dom:8001/");
/// let uri = "wais://host.dom/db?two+words#first";
/// let rewritten = gateways.rewrite(uri).unwrap();
/// assert_eq!(rewritten, "http://gate.dom:8001/wais://host.dom/db%3Ftwo%2Bwords#first");
/// assert_eq!(gateways.restore(&rewritten).unwrap(), uri);
/// assert_eq!(gateways.rewrite("http://host.dom/"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gateways {
    /// The prefix of each gateway, by its scheme in lower case.
    prefixes: BTreeMap<String, String>,
}

impl Gateways {
    /// Returns an empty map.
    #[must_use]
    pub fn new() -> Self {
        Gateways::default()
    }

    /// Sets the prefix for a scheme, in upper or lower case, and returns the prefix that was set before.
    pub fn set(&mut self, scheme: &str, prefix: &str) -> Option<String> {
        self.prefixes.insert(scheme.to_ascii_lowercase(), prefix.into())
    }

    /// Returns the prefix for a scheme, in upper or lower case; `None` if the scheme has no gateway.
    pub fn get(&self, scheme: &str) -> Option<&str> {
        self.prefixes.get(&scheme.to_ascii_lowercase()).map(String::as_str)
    }

    /// Rewrites a URI as a URI of the gateway of its scheme, only once, even if the scheme of the result has a gateway too. `None`
    /// if the URI has no scheme, or the scheme has no gateway. Cost: one pass.
    #[must_use]
    pub fn rewrite(&self, uri: impl AsRef<str>) -> Option<String> {
        let uri = uri.as_ref();
        let (body, fragment) = split_fragment(uri);
        let prefix = self.get(UriRef::new(body).scheme()?)?;
        Some(format!("{prefix}{}{fragment}", encode_with(body, ESCAPED)))
    }

    /// Returns the URI that [`rewrite`](Gateways::rewrite) writes as this text. `None` if the text does not start with the prefix
    /// of a gateway, if no URI of its scheme follows, or if that is not escaped as `rewrite` does it.
    ///
    /// Two URIs can be rewritten as the same text, if one prefix starts with another prefix, the scheme of that other prefix, and a
    /// colon. The scheme that comes first in the alphabet is then tried first. Cost: two passes for each gateway whose prefix fits.
    #[must_use]
    pub fn restore(&self, uri: impl AsRef<str>) -> Option<String> {
        let uri = uri.as_ref();
        self.prefixes.iter().find_map(|(scheme, prefix)| {
            let (body, fragment) = split_fragment(uri.strip_prefix(prefix.as_str())?);
            let body: Cow<'_, str> = decode_bytes(body).ok()?.to_utf8().ok()?;
            let is_of_scheme = UriRef::new(&body).scheme()?.eq_ignore_ascii_case(scheme);
            let restored = format!("{body}{fragment}");
            (is_of_scheme && self.rewrite(&restored).as_deref() == Some(uri)).then_some(restored)
        })
    }
}

fn split_fragment(text: &str) -> (&str, &str) {
    text.split_at(text.find('#').unwrap_or(text.len()))
}
