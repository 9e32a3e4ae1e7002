//! The functions that parse a URL, make a base and resolve references. Each takes the fast path if it can.

use alloc::borrow::Cow;
use alloc::string::String;

use super::base::Base;
use super::error::Error;
use super::fast;
use super::input::{Input, trim};
use super::parser::parse_by_states;
use crate::uri::scheme_end;

/// Parses a URL without a base (URL Standard §4.4) and returns it as the Standard serializes it (§4.5).
///
/// # Errors
/// The Standard's parser returns failure: there is no scheme, or an impossible host or port.
///
/// ```
/// use relref::whatwg::parse;
///
/// assert_eq!(parse("http://0x7f.1/a/../%7Eb")?, "http://127.0.0.1/%7Eb");
/// assert_eq!(parse("/a").unwrap_err().kind().name(), "missing-scheme-non-relative-URL");
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
pub fn parse(url: &str) -> Result<String, Error> {
    let mut out = String::new();
    let trimmed = trim(url);
    let end = scheme_end(trimmed.as_bytes());
    if end == 0 || !fast::copy_absolute_into(trimmed, end, &mut out) {
        parse_by_states(&Input::new(url), None, &mut out, None)?;
    }
    Ok(out)
}

impl<'a> Base<'a> {
    /// Makes a base of a URL, which is parsed without another base (URL Standard §4.4), with the errors of [`parse`].
    pub fn new(url: &'a str) -> Result<Self, Error> {
        if let Some(path_start) = fast::serialized_path_start(url) {
            return Ok(Base::of_simple(url, path_start));
        }
        let href = parse(url)?;
        Ok(Base::of_serialized(if href == url { Cow::Borrowed(url) } else { Cow::Owned(href) }))
    }

    /// Resolves a reference (URL Standard §4.4, with a base) and returns the serialized URL.
    ///
    /// # Errors
    /// The Standard's parser returns failure: the reference has an impossible host or port, or no scheme although the base
    /// has no hierarchy.
    pub fn resolve(&self, reference: &str) -> Result<String, Error> {
        let mut out = String::new();
        self.resolve_into(reference, &mut out)?;
        Ok(out)
    }

    /// Resolves a reference as [`resolve`](Base::resolve) does, and appends the result; allocates if `out` must grow. On an error,
    /// `out` is as before.
    pub fn resolve_into(&self, reference: &str, out: &mut String) -> Result<(), Error> {
        if fast::resolve_into(self, reference, out) { Ok(()) } else { self.resolve_by_states(reference, out) }
    }

    /// Returns the length in bytes of the URL to which a reference resolves, without building that URL. `None` for a reference with
    /// a scheme, and for the few relative references whose length is known only when the URL is built.
    #[doc(hidden)]
    #[must_use]
    pub fn result_len(&self, reference: &str) -> Option<usize> {
        fast::in_pieces(self, reference).map(|(of_base, of_reference)| of_base.len() + of_reference.len())
    }

    /// Does what [`resolve_into`](Base::resolve_into) does, without the fast path. Public for benches.
    #[doc(hidden)]
    #[inline(never)]
    pub fn resolve_by_states(&self, reference: &str, out: &mut String) -> Result<(), Error> {
        parse_by_states(&Input::new(reference), Some(self), out, None)
    }
}
