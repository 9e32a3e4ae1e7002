//! `Normalizer::surt`: sort keys, in which the labels of the host are written from right to left.

use alloc::string::String;

use super::Normalizer;
use super::tail::Tail;
use crate::error::Error;
use crate::scheme::Authority;
use crate::uri::UriRef;

impl Normalizer {
    /// Appends the sort key of a URI's normal form: the labels of the host from right to left, with commas between them, then
    /// `)`, path and query. In a list that is sorted by these keys, the pages of a host, and the hosts of a domain, are together.
    ///
    /// The indexes of captured pages have such keys (CDX; *sort-friendly URI reordering transform*). Scheme, userinfo, fragment
    /// and the trailing dot of a host are not in the key; a port follows the host. IPv4 addresses are reversed as names are;
    /// IPv6 addresses are not. The key of a URI without a host is the URI itself, but without its fragment if it has an authority.
    ///
    /// The keys of these indexes also have no `www.`, no session ids and no trailing slash: add
    /// [`DropWww`](super::Change::DropWww), [`DropSession`](super::Change::DropSession) and
    /// [`DropTrailingSlash`](super::Change::DropTrailingSlash) for that. They also put paths and queries in lower case; this
    /// function does not, since on most servers paths that differ in case are different pages. For exactly the keys of archives,
    /// see [`cdx_key`](super::cdx_key).
    ///
    /// Cost and errors: those of [`normalize_into`](Normalizer::normalize_into), and one copy, allocated if longer than 512 bytes.
    ///
    /// ```
    /// use relref::crawl::Normalizer;
    ///
    /// let mut key = String::new();
    /// Normalizer::crawl().surt_into("https://me@docs.Example.com:8080/a?b#c", &mut key)?;
    /// assert_eq!(key, "com,example,docs:8080)/a?b");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn surt_into(&self, uri: impl AsRef<str>, out: &mut String) -> Result<(), Error> {
        let uri = uri.as_ref();
        let start = out.len();
        self.normalize_into(uri, out)?;
        let form = Tail::take(out, start);
        push_surt(form.as_str(), out);
        Ok(())
    }

    /// Returns the sort key of a URI's normal form, with the errors of [`normalize_into`](Normalizer::normalize_into).
    pub fn surt(&self, uri: impl AsRef<str>) -> Result<String, Error> {
        let mut out = String::new();
        self.surt_into(uri, &mut out)?;
        Ok(out)
    }
}

/// `uri` is already in its normal form.
fn push_surt(uri: &str, out: &mut String) {
    let split = UriRef::new(uri);
    let end = if split.authority().is_some() { split.query_end } else { uri.len() };
    let authority = Authority::new(split.authority().unwrap_or_default(), None);
    if split.scheme().is_none() || authority.host.is_empty() {
        out.push_str(&uri[..end]);
        return;
    }
    if authority.host.starts_with('[') {
        out.push_str(authority.host);
    } else {
        let host = authority.host.strip_suffix('.').unwrap_or(authority.host);
        for (number, label) in host.rsplit('.').enumerate() {
            out.push_str(if number == 0 { "" } else { "," });
            out.push_str(label);
        }
    }
    if let Some(port) = authority.port_text {
        out.push(':');
        out.push_str(port);
    }
    out.push(')');
    if split.path().is_empty() {
        out.push('/');
    }
    out.push_str(&uri[split.path_start..end]);
}
