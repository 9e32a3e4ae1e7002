//! `same_site` and `registrable_domain`: sites by the list of public suffixes.

use pyo3::prelude::*;
use relref::crawl;
use relref::whatwg::Url;

use crate::uri_text::UriText;

/// Report whether two URLs are of one site: of one host, or of hosts with the same registrable_domain. Their schemes and ports do not
/// matter, and an unknown top-level domain is a public suffix. False if one of them has no host, or is not a valid URL.
///
/// >>> same_site("https://www.example.co.uk/a", "http://EXAMPLE.co.uk:8080/"), same_site("http://a.co.uk/", "http://b.co.uk/")
/// (True, False)
#[pyfunction]
pub fn same_site(a: UriText<'_>, b: UriText<'_>) -> bool {
    crawl::same_site(&*a, &*b)
}

/// Return the registrable domain of a URL or host: its public suffix and the label before it. None if it has none, as an address or a
/// public suffix itself.
///
/// >>> registrable_domain("https://www.example.co.uk/a"), registrable_domain("docs.example.org")
/// ('example.co.uk', 'example.org')
/// >>> registrable_domain("co.uk"), registrable_domain("http://127.0.0.1/")
/// (None, None)
#[pyfunction]
pub fn registrable_domain(url: UriText<'_>) -> Option<String> {
    let url = host_of(&url).or_else(|| {
        let is_host = !url.contains(['/', '\\', '?', '#', '@']);
        is_host.then(|| host_of(&format!("http://{}/", &*url)))?
    });
    crawl::registrable_domain(&url?).map(str::to_owned)
}

fn host_of(url: &str) -> Option<String> {
    Url::parse(url).ok()?.host().filter(|host| !host.is_empty()).map(str::to_owned)
}
