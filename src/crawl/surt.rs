//! Sort keys: hosts read from the right.

use alloc::string::String;

use super::Normalizer;
use super::tail::Tail;
use crate::error::Error;
use crate::scheme::Authority;
use crate::uri::UriRef;

impl Normalizer {
    /// Appends the sort key of a URI's normal form, as web archives' indexes have it (CDX; *sort-friendly URI reordering
    /// transform*): the labels of the host from the right, with commas, then `)`, path and query. Pages of a host, and hosts
    /// of a domain, stand together in the order of their keys.
    ///
    /// Scheme, user and fragment are left out, a port stays behind the host, and the trailing dot of a host goes. IPv4
    /// addresses are turned round as names are; IPv6 addresses are not. A URI without a host is its own key, without
    /// its fragment where it has an authority.
    ///
    /// What else the key leaves out is the changes' choice: the archives' own keys also have no `www.`, no session ids and no
    /// trailing slash, so add [`DropWww`](super::Change::DropWww), [`DropSession`](super::Change::DropSession) and
    /// [`DropTrailingSlash`](super::Change::DropTrailingSlash) for keys like theirs. They put paths and queries in lower case,
    /// too, which this never does: paths that differ in case are different pages to most servers.
    ///
    /// Cost: [`normalize_into`](Normalizer::normalize_into), and a copy; allocates where that does, and if the normal form is
    /// longer than 512 bytes.
    ///
    /// # Errors
    /// As [`normalize_into`](Normalizer::normalize_into).
    ///
    /// ```
    /// use relref::crawl::Normalizer;
    ///
    /// let mut key = String::new();
    /// Normalizer::crawl().surt_into("https://me@docs.Example.com:8080/a?b#c", &mut key)?;
    /// assert_eq!(key, "com,example,docs:8080)/a?b");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn surt_into(&self, uri: &str, out: &mut String) -> Result<(), Error> {
        let start = out.len();
        self.normalize_into(uri, out)?;
        let form = Tail::cut(out, start);
        push_surt(form.as_str(), out);
        Ok(())
    }
}

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
    if let Some(port) = authority.port {
        out.push(':');
        out.push_str(port);
    }
    out.push(')');
    if split.path().is_empty() {
        out.push('/');
    }
    out.push_str(&uri[split.path_start..end]);
}
