//! The URI that a `base` element gives its page.

use alloc::string::String;

use super::limits::Limits;
use super::page_base::PageBase;
use crate::uri::UriRef;
use crate::whatwg;

/// Returns the URI that the `href` of a `base` element gives the page. `None` if the element is ignored: the URI is no valid URL,
/// or has the scheme `data` or `javascript` (HTML §4.2.3, "set the frozen base URL"). `document` is the base by the page's own URI.
pub(super) fn uri(href: &str, document: PageBase<'_>) -> Option<String> {
    let mut uri = String::new();
    Limits { max_uri: usize::MAX, rest: u64::MAX }.resolve_into(document, href, &mut uri).ok()?;
    let parts = UriRef::new(&uri);
    let scheme = parts.scheme().unwrap_or_default();
    let is_ignored = ["data", "javascript"].into_iter().any(|ignored| scheme.eq_ignore_ascii_case(ignored))
        // A rule set resolves to what may be no valid URL. Hosts that are not US-ASCII need a feature to be checked.
        || (parts.authority().unwrap_or_default().is_ascii() && whatwg::parse(&uri).is_err());
    (!is_ignored).then_some(uri)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::Base;
    use crate::rules::Rules;

    #[test]
    fn some_uris_are_no_bases() {
        let by_rules = Base::new("http://h/a/b", Rules::RFC3986).unwrap();
        let whatwg = whatwg::Base::new("http://h/a/b").unwrap();
        for document in [PageBase::from(&by_rules), PageBase::from(&whatwg)] {
            assert_eq!(uri("c/", document).as_deref(), Some("http://h/a/c/"));
            assert_eq!(uri("mailto:x", document).as_deref(), Some("mailto:x"));
            for href in ["data:,x", "JavaScript:x", "https://", "//", "http://h:99999/", "http://[/"] {
                assert_eq!(uri(href, document), None);
            }
        }
        assert_eq!(uri("http://a b/", PageBase::from(&whatwg)), None);
        assert_eq!(uri("//é/", PageBase::from(&by_rules)).as_deref(), Some("http://é/"));
    }
}
