//! Gateways: URIs of one scheme, asked of a server of another.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use crate::percent::{ByteSet, decode, encode};
use crate::uri::UriRef;

/// All but unreserved characters, slashes and colons. Slashes stay, so that the documents behind a gateway keep their
/// relative references; `&`, `+` and their like go, so that a prefix may end in `?url=`.
const ENCODED: ByteSet = ByteSet::RFC3986.without(ByteSet::new(b"/:"));

/// Which gateway to ask for URIs of which scheme: a map from schemes to prefixes of URIs.
///
/// A URI is rewritten as the prefix, the URI encoded, and its fragment as it is, which the client keeps for itself. The
/// encoding is that of all but letters, digits and `-._~/:`, also of `%`, so a gateway that decodes once gets the URI
/// back byte for byte; [`restore`](Gateways::restore) does the same.
///
/// Source: RFC 1630, *Registration of naming schemes*, and RFC 1738 §4, which want clients to have such a setting.
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
    prefixes: BTreeMap<String, String>,
}

impl Gateways {
    /// No gateways.
    pub fn new() -> Self {
        Gateways::default()
    }

    /// Sets the gateway of a scheme, whose name may be in any case; the one it had is returned.
    pub fn set(&mut self, scheme: &str, prefix: &str) -> Option<String> {
        self.prefixes.insert(scheme.to_ascii_lowercase(), prefix.into())
    }

    /// The gateway of a scheme.
    pub fn get(&self, scheme: &str) -> Option<&str> {
        self.prefixes.get(&scheme.to_ascii_lowercase()).map(String::as_str)
    }

    /// Rewrites a URI to one of its scheme's gateway; `None` if it has no scheme, or that no gateway.
    ///
    /// It is rewritten once, also if the gateway's own scheme has a gateway. Cost: one pass.
    pub fn rewrite(&self, uri: &str) -> Option<String> {
        let (body, fragment) = split(uri);
        let prefix = self.get(UriRef::new(body).scheme()?)?;
        Some(format!("{prefix}{}{fragment}", encode(body, ENCODED)))
    }

    /// Gives back the URI that was rewritten; `None` if behind no gateway's prefix stands a URI of its scheme, encoded.
    ///
    /// Two URIs can only be rewritten to the same text if one prefix goes on, behind another, with that one's scheme and a
    /// colon; of such a pair the scheme that comes first in the alphabet is tried first.
    ///
    /// Cost: one pass for each gateway whose prefix the text has.
    pub fn restore(&self, uri: &str) -> Option<String> {
        self.prefixes.iter().find_map(|(scheme, prefix)| {
            let (body, fragment) = split(uri.strip_prefix(prefix.as_str())?);
            let body: Cow<'_, str> = decode(body).ok()?.to_utf8().ok()?;
            UriRef::new(&body).scheme()?.eq_ignore_ascii_case(scheme).then(|| format!("{body}{fragment}"))
        })
    }
}

/// A text before its first `#`, and the rest with it.
fn split(text: &str) -> (&str, &str) {
    text.split_at(text.find('#').unwrap_or(text.len()))
}
