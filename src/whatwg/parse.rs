//! Parsing and resolution: texts are copied where that gives the URL, or else read by the Standard's states.

use alloc::string::String;

use super::error::Error;
use super::input::Input;
use super::parser::parse_by_states;
use super::prepared_base::{BaseParts, PreparedBase};
use super::ways::{Way, serialized_path_start};
use crate::uri::UriRef;

/// Parses a URL without a base (URL Standard §4.4) and returns it as the Standard serializes it (§4.5).
pub(crate) fn parse(url: &str) -> Result<String, Error> {
    let mut out = String::new();
    append(None, url, &mut out)?;
    Ok(out)
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
    resolve_into(base, reference, &mut out)?;
    Ok(out)
}

/// Resolves as [`resolve`] does, and appends the result. A base that is serialized with a simple host and path, as nearly all are,
/// is not copied.
///
/// # Errors
/// The same as [`resolve`]. Then `out` is as before.
pub fn resolve_into(base: impl AsRef<str>, reference: impl AsRef<str>, out: &mut String) -> Result<(), Error> {
    let (base, reference) = (base.as_ref(), reference.as_ref());
    // Such a base is split and cut where it stands. Any other is parsed first, into a text of its own.
    if let Some(path_start) = serialized_path_start(base) {
        return resolve_prepared_into(BaseParts::of_simple(base, path_start).with_text(base), reference, out);
    }
    let href = parse(base)?;
    resolve_prepared_into(BaseParts::of_serialized(UriRef::split(&href)).with_text(&href), reference, out)
}

pub(super) fn resolve_prepared(base: PreparedBase<'_>, reference: &str) -> Result<String, Error> {
    let mut out = String::new();
    resolve_prepared_into(base, reference, &mut out)?;
    Ok(out)
}

#[inline(always)]
pub(super) fn resolve_prepared_into(base: PreparedBase<'_>, reference: &str, out: &mut String) -> Result<(), Error> {
    resolve_parts_into(base.parts, base.text, reference, out)
}

/// `text` must be the text of which `parts` were prepared.
// Not inlined, so that the hot code is there only once; the base comes as two arguments, which stay in registers.
#[inline(never)]
fn resolve_parts_into(parts: &BaseParts, text: &str, reference: &str, out: &mut String) -> Result<(), Error> {
    append(Some(parts.with_text(text)), reference, out)
}

/// Appends the URL of a reference or, without a base, of a URL. After an error, `out` is as before.
#[inline(always)]
fn append(base: Option<PreparedBase<'_>>, reference: &str, out: &mut String) -> Result<(), Error> {
    match Way::choose(base, reference) {
        Way::Copies(first, last) => {
            // A call of `reserve` is not inlined in every profile, and most buffers have room.
            let len = first.len() + last.len();
            if out.capacity() - out.len() < len {
                out.reserve(len);
            }
            out.push_str(first);
            out.push_str(last);
            Ok(())
        }
        Way::Encodes(parts) => {
            parts.append_to(base.and_then(|base| base.parts.query_charset), out);
            Ok(())
        }
        Way::States => append_by_states(base, reference, out),
    }
}

/// Does what [`append`] does, always by the Standard's states.
#[inline(never)]
pub(super) fn append_by_states(base: Option<PreparedBase<'_>>, reference: &str, out: &mut String) -> Result<(), Error> {
    parse_by_states(&Input::new(reference), base, out, None)
}
