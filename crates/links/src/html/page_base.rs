//! Bases of pages: by a rule set, or by the URL Standard.

use std::borrow::Cow;
use std::fmt;

use encoding_rs::Encoding;
use relref::support::InnerBase;
use relref::{AnyBase, Base, Uri, UriRef, whatwg};

use super::charset::query_charset::{query_charset, with_encoded_query};
use super::values::clean::clean_reference;

/// The base of a page: the URI that its references are relative to, and the rules by which they are resolved. The caller gives the
/// page's own URI; a `base` element of the page may replace it. Made from a reference to a [`Base`] or to a [`whatwg::Base`].
///
/// ```
/// use relref_links::html::links;
/// use relref::{Base, Rules, whatwg};
///
/// let (page, uri) = (b"<a href='a b\\c'>", "http://example.com/docs/");
/// assert_eq!(links(page, &whatwg::Base::new(uri)?)?[0].uri, "http://example.com/docs/a%20b/c");
/// assert_eq!(links(page, &Base::new(uri, Rules::RFC3986)?)?[0].uri, "http://example.com/docs/a b\\c");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct PageBase<'b>(pub(super) ByRules<'b>);

#[derive(Clone, Copy)]
pub(super) enum ByRules<'b> {
    Rules {
        base: &'b Base,
        /// The character encoding for [`with_encoded_query`]; `None` if queries stay as they are.
        query_charset: Option<&'static Encoding>,
    },
    Whatwg(&'b whatwg::Base),
}

impl<'b> PageBase<'b> {
    pub(super) fn scheme(self) -> &'b str {
        match self.0 {
            ByRules::Rules { base, .. } => base.scheme(),
            ByRules::Whatwg(base) => base.scheme(),
        }
    }

    pub(crate) fn as_str(self) -> &'b str {
        match self.0 {
            ByRules::Rules { base, .. } => base.as_str(),
            ByRules::Whatwg(base) => base.as_str(),
        }
    }

    pub(crate) fn is_whatwg(self) -> bool {
        matches!(self.0, ByRules::Whatwg(_))
    }

    /// A text by which references resolve to the same wherever they are resolved is absolute.
    pub(crate) fn is_absolute(self, reference: &str, uri: &str) -> bool {
        // Most are found to be relative by the first test: others start with the scheme of their URI.
        let start = |text: &str| text.bytes().next().map(|byte| byte.to_ascii_lowercase());
        if start(reference) != start(uri) || UriRef::new(reference).scheme().is_none() {
            return false;
        }
        // A base with the scheme of the URI: `https:/x` is relative to such a base only.
        let other = || [uri.split(':').next().unwrap_or_default(), "://relref.invalid/"].concat();
        match self.0 {
            ByRules::Rules { base, .. } => {
                Base::new(other(), base.rules()).is_ok_and(|other| other.resolve(reference).as_str() == uri)
            }
            // The URI that a reference means resolves to itself.
            ByRules::Whatwg(base) => {
                reference == uri || base.with_href(other()).resolve(reference).is_ok_and(|href| href == uri)
            }
        }
    }

    /// The URI as these rules write it. `None` if it is no absolute URI.
    pub(crate) fn absolute(self, uri: &str) -> Option<String> {
        match self.0 {
            ByRules::Rules { .. } => Uri::new(uri).is_ok().then(|| String::from(uri)),
            ByRules::Whatwg(_) => whatwg::Url::parse(uri).ok().map(whatwg::Url::into_string),
        }
    }

    /// A short reference that resolves to the URI, or the URI.
    pub(crate) fn relativize<'t>(self, uri: &'t str) -> Cow<'t, str> {
        match self.0 {
            ByRules::Rules { base, .. } => base.relativize(uri),
            ByRules::Whatwg(base) => base.relativize(uri),
        }
    }

    /// Queries are then percent-encoded in `charset`, `None` for UTF-8 and UTF-16. `copy` holds a changed base, if one is
    /// needed, and keeps it for the next call of the same page.
    pub(super) fn in_charset<'c>(
        self,
        charset: Option<&'static Encoding>,
        legacy_queries: bool,
        copy: &'c mut Option<whatwg::Base>,
    ) -> PageBase<'c>
    where
        'b: 'c,
    {
        PageBase(match self.0 {
            ByRules::Rules { base, .. } => ByRules::Rules { base, query_charset: charset.filter(|_| legacy_queries) },
            ByRules::Whatwg(base) => {
                let charset = charset.and_then(query_charset);
                if base.has_charset(charset) {
                    self.0
                } else {
                    let known = copy.take().filter(|copy| copy.has_charset(charset));
                    let in_charset = || base.clone().query_charset(charset);
                    ByRules::Whatwg(copy.insert(known.unwrap_or_else(in_charset)))
                }
            }
        })
    }

    pub(crate) fn resolve_into(self, reference: &str, uri: &mut String) -> Result<(), whatwg::Error> {
        match self.0 {
            ByRules::Rules { base, query_charset } => {
                base.resolve_into(&with_encoded_query(reference, base.scheme(), query_charset), uri);
                Ok(())
            }
            ByRules::Whatwg(base) => base.resolve_into(reference, uri),
        }
    }
}

impl<'b> From<&'b Base> for PageBase<'b> {
    fn from(base: &'b Base) -> Self {
        PageBase(ByRules::Rules { base, query_charset: None })
    }
}

/// Its prefix does not count: the links of a page are those of the page itself.
impl<'b> From<&'b AnyBase> for PageBase<'b> {
    fn from(base: &'b AnyBase) -> Self {
        match base.inner() {
            InnerBase::Rules(base) => base.into(),
            InnerBase::Whatwg(base) => base.into(),
        }
    }
}

impl<'b> From<&'b whatwg::Base> for PageBase<'b> {
    fn from(base: &'b whatwg::Base) -> Self {
        PageBase(ByRules::Whatwg(base))
    }
}

impl fmt::Debug for PageBase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ByRules::Rules { base, .. } => write!(f, "PageBase({:?}, {})", base.as_str(), base.rules()),
            ByRules::Whatwg(base) => write!(f, "PageBase({:?}, whatwg)", base.as_str()),
        }
    }
}

/// Made from a reference inside of a page, such as a `base` element. Its rules are those of the page's base.
pub enum OwnedBase {
    /// A base by a rule set, and the character encoding in which queries are percent-encoded, if they are.
    Rules(Base, Option<&'static Encoding>),
    Whatwg(whatwg::Base),
}

impl OwnedBase {
    /// `uri` is the result of a resolution by `resolved_by`, which gives the rules and the character encoding of queries.
    pub(crate) fn new(uri: String, resolved_by: PageBase<'_>) -> Self {
        match resolved_by.0 {
            ByRules::Rules { base, query_charset } => {
                let uri = Uri::new(uri).expect("a resolved reference is absolute");
                OwnedBase::Rules(Base::from_uri(uri, base.rules()), query_charset)
            }
            ByRules::Whatwg(base) => OwnedBase::Whatwg(base.with_href(uri)),
        }
    }

    /// Returns a copy of the base of a page.
    pub(super) fn of_page(base: PageBase<'_>) -> Self {
        match base.0 {
            ByRules::Rules { base, query_charset } => OwnedBase::Rules(base.clone(), query_charset),
            ByRules::Whatwg(base) => OwnedBase::Whatwg(base.clone()),
        }
    }

    /// `None` for no valid URL or the scheme `data` or `javascript` (HTML §4.2.3, "set the frozen base URL"). No limit counts.
    pub(super) fn of_element(href: &str, own_base: PageBase<'_>) -> Option<Self> {
        let (mut uri, mut buffer) = (String::new(), String::new());
        own_base.resolve_into(clean_reference(href, &mut buffer), &mut uri).ok()?;
        let parts = UriRef::new(&uri);
        let scheme = parts.scheme().unwrap_or_default();
        let is_ignored = ["data", "javascript"].into_iter().any(|ignored| scheme.eq_ignore_ascii_case(ignored))
            // A rule set resolves to what may be no valid URL. Hosts that are not US-ASCII need a feature to be checked.
            || (parts.authority().unwrap_or_default().is_ascii() && whatwg::Url::parse(&uri).is_err());
        (!is_ignored).then(|| OwnedBase::new(uri, own_base))
    }

    pub(crate) fn as_page_base(&self) -> PageBase<'_> {
        PageBase(match self {
            OwnedBase::Rules(base, query_charset) => ByRules::Rules { base, query_charset: *query_charset },
            OwnedBase::Whatwg(base) => ByRules::Whatwg(base),
        })
    }
}

#[cfg(test)]
mod tests {
    use relref::Rules;

    use super::*;

    /// Returns the URI of a `base` element with this `href`.
    fn uri(href: &str, own_base: PageBase<'_>) -> Option<String> {
        Some(OwnedBase::of_element(href, own_base)?.as_page_base().as_str().to_owned())
    }

    #[test]
    fn some_uris_are_no_bases() {
        let by_rules = Base::new("http://h/a/b", Rules::RFC3986).unwrap();
        let whatwg = whatwg::Base::new("http://h/a/b").unwrap();
        for own_base in [PageBase::from(&by_rules), PageBase::from(&whatwg)] {
            assert_eq!(uri("c/", own_base).as_deref(), Some("http://h/a/c/"));
            assert_eq!(uri("mailto:x", own_base).as_deref(), Some("mailto:x"));
            for href in ["data:,x", "JavaScript:x", "https://", "//", "http://h:99999/", "http://[/"] {
                assert_eq!(uri(href, own_base), None);
            }
        }
        assert_eq!(uri("http://a b/", PageBase::from(&whatwg)), None);
        assert_eq!(uri("//é/", PageBase::from(&by_rules)).as_deref(), Some("http://é/"));
    }
}
