//! `inspect`: the parser's result with all validation errors, percent-encoded parts and states.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::base::Base;
use super::encode_set::{EncodeSet, Encoded};
use super::error::{Error, ErrorKind};
use super::input::Input;
use super::parser::{Parser, parse_by_states};
use crate::percent::octet;

/// Defines [`State`] by one table: a variant and the Standard's name for each state.
macro_rules! states {
    ($($state:ident $name:literal)*) => {
        /// A state of the basic URL parser (URL Standard §4.4), in the order of the Standard.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum State {
            $(#[doc = concat!("*", $name, "*")] $state,)*
        }

        impl State {
            /// Returns the name that the URL Standard gives it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(State::$state => $name,)*
                }
            }
        }
    };
}

states! {
    SchemeStart "scheme start state"
    Scheme "scheme state"
    NoScheme "no scheme state"
    SpecialRelativeOrAuthority "special relative or authority state"
    PathOrAuthority "path or authority state"
    Relative "relative state"
    RelativeSlash "relative slash state"
    SpecialAuthoritySlashes "special authority slashes state"
    SpecialAuthorityIgnoreSlashes "special authority ignore slashes state"
    Authority "authority state"
    Host "host state"
    Port "port state"
    File "file state"
    FileSlash "file slash state"
    FileHost "file host state"
    PathStart "path start state"
    Path "path state"
    OpaquePath "opaque path state"
    Query "query state"
    Fragment "fragment state"
}

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
    let mut out = String::new();
    let mut found = Inspection { href: Ok(String::new()), errors: Vec::new(), encoded: Vec::new(), states: Vec::new() };
    let parsed = parse_by_states(&input, base, &mut out, Some(&mut found));
    found.href = parsed.map(|()| out);
    found.errors.sort_by_key(Error::position);
    input.restore_positions(found.errors.iter_mut().map(|error| &mut error.position));
    // The end of a range is found from its last byte: characters that were removed after that are not in the range.
    found.encoded.iter_mut().for_each(|one| one.range.end -= 1);
    input.restore_positions(found.encoded.iter_mut().flat_map(|one| [&mut one.range.start, &mut one.range.end]));
    found.encoded.iter_mut().for_each(|one| one.range.end += 1);
    input.report_removed(&mut found.errors);
    found.errors.sort_by_key(Error::position);
    found
}

/// Functions that add to the inspection of a parser. Without an inspection, they do nothing.
impl Parser<'_> {
    /// Adds a validation error that does not end the parsing to the inspection. `at` is the byte offset in `input` of what is
    /// wrong.
    #[inline(always)]
    pub(super) fn report_error(&mut self, kind: ErrorKind, at: usize) {
        if let Some(inspection) = &mut self.inspection {
            inspection.errors.push(Error::new(kind, at));
        }
    }

    /// Adds characters that are percent-encoded because of `set` to the inspection. `range` is the range of their bytes in `input`.
    /// A range right after the last one, with the same set, is joined to it.
    pub(super) fn report_encoded(&mut self, range: Range<usize>, set: EncodeSet) {
        let Some(inspection) = &mut self.inspection else { return };
        match inspection.encoded.last_mut() {
            Some(last) if last.range.end == range.start && last.set == set => last.range.end = range.end,
            _ => inspection.encoded.push(Encoded { range, set }),
        }
    }

    /// Adds the characters of `part` that are in `set`, and so are percent-encoded, to the inspection. `part` must be a slice of
    /// `self.input`.
    #[inline(always)]
    pub(super) fn report_characters_in_set(&mut self, part: &str, set: EncodeSet) {
        if self.inspection.is_none() {
            return;
        }
        let start = part.as_ptr().addr() - self.input.as_ptr().addr();
        for (at, c) in part.char_indices().filter(|(_, c)| u8::try_from(*c).map_or(true, |c| set.bytes().contains(c))) {
            self.report_encoded(start + at..start + at + c.len_utf8(), set);
        }
    }

    /// Adds a validation error to the inspection for each character that is not a URL unit (§4.3). `range` is the range of the
    /// bytes in `input` to search.
    #[inline(always)]
    pub(super) fn report_invalid_units(&mut self, range: Range<usize>) {
        if self.inspection.is_none() {
            return;
        }
        for (at, c) in self.input[range.clone()].char_indices() {
            let at = range.start + at;
            let is_unit = match c {
                '%' => octet(&self.input.as_bytes()[at..]).is_some(),
                c => is_url_code_point(c),
            };
            if !is_unit {
                self.report_error(ErrorKind::InvalidUrlUnit, at);
            }
        }
    }
}

/// Reports whether a character is a URL code point (§4.3).
fn is_url_code_point(c: char) -> bool {
    match c {
        _ if c.is_ascii_alphanumeric() => true,
        _ if c.is_ascii() => "!$&'()*+,-./:;=?@_~".contains(c),
        // Noncharacters.
        '\u{FDD0}'..='\u{FDEF}' => false,
        _ => c >= '\u{A0}' && u32::from(c) & 0xFFFE != 0xFFFE,
    }
}
