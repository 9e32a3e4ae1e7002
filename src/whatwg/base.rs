//! Bases: a URL parsed once, against which many references are resolved.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use super::error::Error;
use super::input::Input;
use super::observer::Observer;
use super::parser::{Parser, QueryEncoding};
use super::record::{Record, Scheme};
use super::{fast, whole};
use crate::rules::Rules;

/// A URL against which references are resolved as browsers do.
///
/// A text that is written as the Standard serializes it is borrowed; nearly all URIs of pages are. Otherwise the base owns the
/// serialized URL.
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
    /// The serialized URL, prepared for the fast path.
    pub(super) prepared: Prepared<'a>,
    pub(super) scheme: Scheme,
    /// True if the path starts with a Windows drive letter and the scheme is `file`.
    pub(super) has_drive_letter: bool,
    query_encoding: QueryEncoding,
}

/// A serialized URL as the engine prepares it.
pub(super) type Prepared<'a> = crate::Base<Cow<'a, str>>;

impl<'a> Base<'a> {
    /// Parses a URL.
    ///
    /// # Errors
    /// It is not a valid URL, as in [`parse`](super::parse).
    pub fn new(url: &'a str) -> Result<Self, Error> {
        if let Some(scheme) = fast::serialized(url) {
            let prepared = prepare(Cow::Borrowed(url));
            return Ok(Base { prepared, scheme, has_drive_letter: false, query_encoding: QueryEncoding::default() });
        }
        let href = super::parse(url)?;
        Ok(Base::of(prepare(if href == url { Cow::Borrowed(url) } else { Cow::Owned(href) })))
    }

    fn of(prepared: Prepared<'a>) -> Self {
        let record = Record::split(&prepared.view().split());
        let scheme = record.scheme;
        let has_drive_letter = scheme == Scheme::File && record.drive_letter().is_some();
        Base { prepared, scheme, has_drive_letter, query_encoding: QueryEncoding::default() }
    }

    /// Returns the same with a text of its own, to be kept in a struct.
    #[must_use]
    pub fn into_owned(self) -> Base<'static> {
        let Base { prepared, scheme, has_drive_letter, query_encoding } = self;
        let prepared = prepare(Cow::Owned(prepared.into_inner().into_owned()));
        Base { prepared, scheme, has_drive_letter, query_encoding }
    }

    /// Sets the character encoding of the page. Queries of `http`, `https`, `ftp` and `file` URLs are written in it (URL
    /// Standard §4.4, *query state*); without it, in UTF-8.
    #[cfg(feature = "html")]
    #[must_use]
    pub fn query_encoding(mut self, encoding: &'static encoding_rs::Encoding) -> Self {
        self.query_encoding.encoding = Some(encoding);
        self
    }

    /// Returns the serialized URL.
    pub fn as_str(&self) -> &str {
        self.prepared.view().as_str()
    }

    /// Resolves a reference.
    ///
    /// # Errors
    /// The Standard's parser returns failure: the reference has a host or port that cannot be, or no scheme although the base
    /// has no hierarchy.
    pub fn resolve(&self, reference: &str) -> Result<String, Error> {
        let mut out = String::new();
        self.resolve_into(reference, &mut out)?;
        Ok(out)
    }

    /// Resolves a reference and appends the text of the result; allocates if `out` must grow.
    ///
    /// # Errors
    /// As [`resolve`](Base::resolve). Then `out` is as before.
    pub fn resolve_into(&self, reference: &str, out: &mut String) -> Result<(), Error> {
        if fast::resolve_into(self, reference, out) { Ok(()) } else { self.resolve_whole(reference, out) }
    }

    /// Does what [`resolve_into`](Base::resolve_into) does, without the fast path: for benches.
    #[doc(hidden)]
    #[inline(never)]
    pub fn resolve_whole(&self, reference: &str, out: &mut String) -> Result<(), Error> {
        whole(&Input::new(reference), Some(self), out, &mut ())
    }

    /// Makes the parser that resolves an input.
    pub(super) fn parse<O: Observer>(
        &self,
        input: &Input<'_>,
        out: &mut String,
        observer: &mut O,
    ) -> Result<(), Error> {
        let record = Record::split(&self.prepared.view().split());
        Parser::new(&input.text, Some(&record), self.query_encoding, out, observer).run()
    }
}

/// Prepares a serialized URL.
#[inline(always)]
fn prepare(href: Cow<'_, str>) -> Prepared<'_> {
    crate::Base::new(href, Rules::RFC3986).expect("a serialized URL has a scheme")
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
