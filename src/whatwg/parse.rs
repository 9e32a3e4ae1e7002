//! Parsing and resolution: by the fast path where it can be taken, or else by the Standard's states.

use alloc::string::String;

use super::error::Error;
use super::fast;
use super::input::{Input, trim};
use super::parser::parse_by_states;
use super::prepared::{BorrowedBase, Prepared};
use super::url::Url;
use crate::uri::{UriRef, scheme_end};

/// Parses a URL without a base (URL Standard §4.4) and returns it as the Standard serializes it (§4.5).
pub(crate) fn parse(url: &str) -> Result<String, Error> {
    let mut out = String::new();
    let trimmed = trim(url);
    let end = scheme_end(trimmed.as_bytes());
    if end == 0 || !fast::copy_absolute_into(trimmed, end, None, &mut out) {
        parse_by_states(&Input::new(url), None, &mut out, None)?;
    }
    Ok(out)
}

impl Url<String> {
    /// Parses a URL without a base. Spaces and controls around it are removed. Cost: linear time; a URL that is written as the
    /// Standard serializes it takes a fast path.
    ///
    /// # Errors
    /// The Standard's parser returns failure: there is no scheme, or an impossible host or port.
    ///
    /// ```
    /// use relref::whatwg::Url;
    ///
    /// assert_eq!(Url::parse("http://0x7f.1/a/../%7Eb")?, "http://127.0.0.1/%7Eb");
    /// assert_eq!(Url::parse("/a").unwrap_err().kind().name(), "missing-scheme-non-relative-URL");
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    pub fn parse(url: impl AsRef<str>) -> Result<Self, Error> {
        parse(url.as_ref()).map(|href| Url::of_serialized(UriRef::new(href)))
    }
}

/// Resolves one reference against one base (URL Standard §4.4) and returns the serialized URL. For several references to the same
/// base, make a [`Base`](super::Base) once.
///
/// # Errors
/// The base or the reference is refused: those of [`Url::parse`](super::Url::parse) or [`Base::resolve`](super::Base::resolve). The
/// position is in the text that is refused.
///
/// ```
/// use relref::whatwg::resolve;
///
/// assert_eq!(resolve("http://example.com/docs/", "a b\\c")?, "http://example.com/docs/a%20b/c");
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
pub fn resolve(base: impl AsRef<str>, reference: impl AsRef<str>) -> Result<String, Error> {
    let mut out = String::new();
    resolve_text_into(base.as_ref(), reference.as_ref(), &mut out)?;
    Ok(out)
}

/// Resolves as [`resolve`] does, and appends the result. A base that is serialized with a simple host and path, as nearly all are,
/// is not copied.
///
/// # Errors
/// The same as [`resolve`]. Then `out` is as before.
pub fn resolve_into(base: impl AsRef<str>, reference: impl AsRef<str>, out: &mut String) -> Result<(), Error> {
    resolve_text_into(base.as_ref(), reference.as_ref(), out)
}

fn resolve_text_into(base: &str, reference: &str, out: &mut String) -> Result<(), Error> {
    if let Some(path_start) = fast::serialized_path_start(base) {
        return Prepared::of_simple(base, path_start).with_text(base).resolve_into(reference, out);
    }
    let href = parse(base)?;
    Prepared::of_serialized(UriRef::split(&href)).with_text(&href).resolve_into(reference, out)
}

impl Prepared {
    /// The only copy of the fast path. `text` must be the text of which this was prepared.
    #[inline(never)]
    fn resolve_into(&self, text: &str, reference: &str, out: &mut String) -> Result<(), Error> {
        let base = self.with_text(text);
        if fast::resolve_into(base, reference, out) { Ok(()) } else { base.resolve_by_states(reference, out) }
    }
}

impl BorrowedBase<'_> {
    #[inline(always)]
    pub(super) fn resolve_into(self, reference: &str, out: &mut String) -> Result<(), Error> {
        self.prepared.resolve_into(self.text, reference, out)
    }

    #[inline(never)]
    pub(super) fn resolve_by_states(self, reference: &str, out: &mut String) -> Result<(), Error> {
        parse_by_states(&Input::new(reference), Some(self), out, None)
    }

    pub(super) fn resolve(self, reference: &str) -> Result<String, Error> {
        let mut out = String::new();
        self.resolve_into(reference, &mut out)?;
        Ok(out)
    }
}
