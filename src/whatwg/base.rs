//! Bases: a URL parsed once, against which many references are resolved.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use super::query_charset::QueryCharset;
use super::scheme::Scheme;
use super::url_record::UrlRecord;
use crate::resolve::{BorrowedBase, Prepared};
use crate::rules::Rules;
use crate::uri::{UriRef, path_and_query_ends};

/// A URL against which references are resolved as browsers do. It is borrowed if written as the Standard serializes it, as nearly
/// all URIs of pages are.
///
/// ```
/// use relref::whatwg::Base;
///
/// let base = Base::new("HTTP://Example.com:80/docs/")?;
/// assert_eq!(base.as_str(), "http://example.com/docs/");
/// assert_eq!(base.resolve("a b\\c")?, "http://example.com/docs/a%20b/c");
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
#[derive(Clone)]
pub struct Base<'a> {
    text: Cow<'a, str>,
    /// Prepared as a base of the engine for the fast path.
    prepared: Prepared,
    pub(super) scheme: Scheme,
    /// The scheme is `file`, and the path starts with a Windows drive letter.
    pub(super) has_drive_letter: bool,
    pub(super) query_charset: Option<QueryCharset>,
}

impl<'a> Base<'a> {
    /// `path_start` must be what [`serialized_path_start`](super::fast::serialized_path_start) returned for `href`.
    #[inline(always)]
    pub(super) fn of_simple(href: &'a str, path_start: usize) -> Self {
        let bytes = href.as_bytes();
        let (scheme, scheme_end) = if bytes[4] == b's' { (Scheme::Https, 6) } else { (Scheme::Http, 5) };
        let (path_end, query_end) = path_and_query_ends(bytes, path_start);
        let uri = UriRef::from_parts(href, [scheme_end, path_start, path_end, query_end]);
        let prepared = Prepared::with_dots_search(uri, Rules::RFC3986, |_| false);
        Base { text: Cow::Borrowed(href), prepared, scheme, has_drive_letter: false, query_charset: None }
    }

    pub(super) fn of_serialized(href: Cow<'a, str>) -> Self {
        let uri = UriRef::split(&href);
        let record = UrlRecord::from_uri(&uri);
        let scheme = record.scheme;
        let has_drive_letter = scheme == Scheme::File && record.drive_letter().is_some();
        let prepared = Prepared::new(uri, Rules::RFC3986);
        Base { text: href, prepared, scheme, has_drive_letter, query_charset: None }
    }

    /// Returns the same base with its own copy of the text, so that a struct can keep it without a lifetime.
    #[must_use]
    pub fn into_owned(self) -> Base<'static> {
        Base { text: Cow::Owned(self.text.into_owned()), ..self }
    }

    /// Sets the character encoding of the page. Queries of `http`, `https`, `ftp` and `file` URLs are written in it (URL
    /// Standard §4.4, *query state*); with `None`, and without this call, in UTF-8.
    #[must_use]
    pub fn query_charset(mut self, charset: Option<QueryCharset>) -> Self {
        self.query_charset = charset;
        self
    }

    /// Reports whether `charset` is what was set with [`query_charset`](Base::query_charset). `None` means UTF-8.
    #[doc(hidden)]
    #[must_use]
    pub fn has_charset(&self, charset: Option<QueryCharset>) -> bool {
        self.query_charset.map(|own| own.name) == charset.map(|other| other.name)
    }

    /// Makes a base of another URL, with the character encoding of this base for queries. `href` must be a serialized URL.
    #[doc(hidden)]
    #[must_use]
    pub fn with_href(&self, href: String) -> Base<'static> {
        Base { query_charset: self.query_charset, ..Base::of_serialized(Cow::Owned(href)) }
    }

    /// Returns the scheme, without its colon.
    #[must_use]
    pub fn scheme(&self) -> &str {
        self.engine_base().scheme()
    }

    /// Returns the serialized URL.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.engine_base().as_str()
    }

    #[inline(always)]
    pub(super) fn engine_base(&self) -> BorrowedBase<'_> {
        BorrowedBase { text: &self.text, prepared: &self.prepared }
    }

    pub(super) fn record(&self) -> UrlRecord<'_> {
        UrlRecord::from_uri(&self.engine_base().uri_ref())
    }
}

impl fmt::Display for Base<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Base<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Base({:?})", self.as_str())
    }
}
