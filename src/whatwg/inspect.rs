//! `inspect`: the parser's result with all validation errors, percent-encoded parts and states.

use alloc::string::String;
use alloc::vec::Vec;

use super::base::Base;
use super::encode_set::Encoded;
use super::error::Error;
use super::input::Input;
use super::observer::{Listener, State};
use super::parse::whole;

/// The result of a parsing, with all validation errors and states. Made by [`inspect`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Inspection {
    /// The serialized URL, or the error with which the parser fails.
    pub href: Result<String, Error>,
    /// The validation errors that do not end the parsing, in ascending order of position. An author should correct them.
    pub errors: Vec<Error>,
    /// The parts of the input that were percent-encoded, in ascending order, with the sets that have them.
    pub encoded: Vec<Encoded>,
    /// The states that the parser went through.
    pub states: Vec<State>,
}

/// Parses an input, against a base if there is one, and reports every validation error.
///
/// The result is the same as that of [`Base::resolve`], but always by the Standard's own states, without the fast path.
///
/// ```
/// use relref::whatwg::{Base, EncodeSet, ErrorKind, inspect};
///
/// let base = Base::new("http://example.com/docs/")?;
/// let inspection = inspect("a\\b c", Some(&base));
/// assert_eq!(inspection.href?, "http://example.com/docs/a/b%20c");
/// let errors: Vec<_> = inspection.errors.iter().map(|error| (error.kind(), error.position())).collect();
/// assert_eq!(errors, [(ErrorKind::InvalidReverseSolidus, 1), (ErrorKind::InvalidUrlUnit, 3)]);
/// assert_eq!((&inspection.encoded[0].range, inspection.encoded[0].set), (&(3..4), EncodeSet::Path));
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
pub fn inspect(input: &str, base: Option<&Base<'_>>) -> Inspection {
    let input = Input::new(input);
    let mut listener = Listener::default();
    let mut out = String::new();
    let href = whole(&input, base, &mut out, &mut listener).map(|()| out);
    let Listener { states, mut errors, mut encoded } = listener;
    errors.sort_by_key(Error::position);
    input.restore_positions(errors.iter_mut().map(|error| &mut error.position));
    input.restore_positions(encoded.iter_mut().flat_map(|one| [&mut one.range.start, &mut one.range.end]));
    input.tell_removed(&mut errors);
    errors.sort_by_key(Error::position);
    Inspection { href, errors, encoded, states }
}
