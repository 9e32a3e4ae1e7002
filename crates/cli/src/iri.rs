//! URIs as people read them: IRIs, with hosts in Unicode.

use std::borrow::Cow;

use relref::UriRef;
use relref::percent::uri_to_iri;
use relref::scheme::Authority;
use relref::whatwg::Url;

/// Maps a URI to an IRI that programs map back to an equivalent URI. The A-labels of a host become Unicode if its scheme is one in
/// which browsers map them back, and if they give the same labels.
pub fn to_iri(uri: &str) -> Cow<'_, str> {
    let Some((start, end, unicode)) = unicode_host(uri) else { return uri_to_iri(uri) };
    Cow::Owned([&uri_to_iri(&uri[..start]), &*unicode, &uri_to_iri(&uri[end..])].concat())
}

/// Returns the host with characters for A-labels, and its range in the URI.
fn unicode_host(uri: &str) -> Option<(usize, usize, String)> {
    let split = UriRef::new(uri);
    let authority = split.authority()?;
    let host = Authority::new(authority, None).host;
    let unicode = unicode(host)?;
    // Browsers map the host of any other scheme to escapes.
    let url = Url::parse(uri).ok().filter(|url| url.is_special())?;
    let start = host.as_ptr().addr() - uri.as_ptr().addr();
    url.host().is_some_and(|labels| labels.eq_ignore_ascii_case(host)).then(|| (start, start + host.len(), unicode))
}

/// `None` if the host has no A-labels, or some that do not come back.
fn unicode(host: &str) -> Option<String> {
    let (unicode, Ok(())) = idna::domain_to_unicode(host) else { return None };
    let is_same = || idna::domain_to_ascii(&unicode).is_ok_and(|labels| labels.eq_ignore_ascii_case(host));
    (!unicode.is_ascii() && host.is_ascii() && is_same()).then_some(unicode)
}
