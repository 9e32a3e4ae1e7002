//! Observers of the parser: one ignores what the parser reports, the other collects it.

use alloc::vec::Vec;
use core::ops::Range;

use super::encode_set::{EncodeSet, Encoded};
use super::error::{Error, ErrorKind};

/// A state of the basic URL parser (URL Standard §4.4), in the order of the Standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    /// *scheme start state*
    SchemeStart,
    /// *scheme state*
    Scheme,
    /// *no scheme state*
    NoScheme,
    /// *special relative or authority state*
    SpecialRelativeOrAuthority,
    /// *path or authority state*
    PathOrAuthority,
    /// *relative state*
    Relative,
    /// *relative slash state*
    RelativeSlash,
    /// *special authority slashes state*
    SpecialAuthoritySlashes,
    /// *special authority ignore slashes state*
    SpecialAuthorityIgnoreSlashes,
    /// *authority state*
    Authority,
    /// *host state*
    Host,
    /// *port state*
    Port,
    /// *file state*
    File,
    /// *file slash state*
    FileSlash,
    /// *file host state*
    FileHost,
    /// *path start state*
    PathStart,
    /// *path state*
    Path,
    /// *opaque path state*
    OpaquePath,
    /// *query state*
    Query,
    /// *fragment state*
    Fragment,
}

impl State {
    /// Returns the name that the URL Standard gives it.
    pub const fn name(self) -> &'static str {
        match self {
            State::SchemeStart => "scheme start state",
            State::Scheme => "scheme state",
            State::NoScheme => "no scheme state",
            State::SpecialRelativeOrAuthority => "special relative or authority state",
            State::PathOrAuthority => "path or authority state",
            State::Relative => "relative state",
            State::RelativeSlash => "relative slash state",
            State::SpecialAuthoritySlashes => "special authority slashes state",
            State::SpecialAuthorityIgnoreSlashes => "special authority ignore slashes state",
            State::Authority => "authority state",
            State::Host => "host state",
            State::Port => "port state",
            State::File => "file state",
            State::FileSlash => "file slash state",
            State::FileHost => "file host state",
            State::PathStart => "path start state",
            State::Path => "path state",
            State::OpaquePath => "opaque path state",
            State::Query => "query state",
            State::Fragment => "fragment state",
        }
    }
}

/// A receiver of what the parser reports. `()` ignores everything, at no cost.
pub(super) trait Observer {
    /// True if the observer uses what it receives. If false, the parser does not search for what only an observer needs.
    const LISTENS: bool = true;

    /// Receives a state that the parser enters.
    fn state(&mut self, state: State);

    /// Receives a validation error that does not end the parsing. Its position is a byte of the parsed text.
    fn error(&mut self, error: Error);

    /// Receives a character that is percent-encoded, as a range of bytes of the parsed text, and the set that has it.
    fn encoded(&mut self, range: Range<usize>, set: EncodeSet);
}

impl Observer for () {
    const LISTENS: bool = false;

    #[inline(always)]
    fn state(&mut self, _: State) {}

    #[inline(always)]
    fn error(&mut self, _: Error) {}

    #[inline(always)]
    fn encoded(&mut self, _: Range<usize>, _: EncodeSet) {}
}

/// An observer that collects everything that the parser reports.
#[derive(Default)]
pub(super) struct Listener {
    pub(super) states: Vec<State>,
    pub(super) errors: Vec<Error>,
    pub(super) encoded: Vec<Encoded>,
}

impl Observer for Listener {
    fn state(&mut self, state: State) {
        self.states.push(state);
    }

    fn error(&mut self, error: Error) {
        self.errors.push(error);
    }

    fn encoded(&mut self, range: Range<usize>, set: EncodeSet) {
        match self.encoded.last_mut() {
            Some(last) if last.range.end == range.start && last.set == set => last.range.end = range.end,
            _ => self.encoded.push(Encoded { range, set }),
        }
    }
}

/// Reports whether a character is a URL code point (§4.3).
pub(super) fn is_url_code_point(c: char) -> bool {
    match c {
        _ if c.is_ascii_alphanumeric() => true,
        _ if c.is_ascii() => "!$&'()*+,-./:;=?@_~".contains(c),
        // Noncharacters.
        '\u{FDD0}'..='\u{FDEF}' => false,
        _ => c >= '\u{A0}' && u32::from(c) & 0xFFFE != 0xFFFE,
    }
}

/// Reports each character that is not a URL unit (§4.3) to the observer. `part` is the range of bytes of `text` to search.
pub(super) fn tell_invalid_units<O: Observer>(text: &str, part: Range<usize>, observer: &mut O) {
    if !O::LISTENS {
        return;
    }
    let bytes = text.as_bytes();
    for (at, c) in text[part.clone()].char_indices() {
        let at = part.start + at;
        let is_unit = match c {
            '%' => bytes.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)),
            c => is_url_code_point(c),
        };
        if !is_unit {
            observer.error(Error::new(ErrorKind::InvalidUrlUnit, at));
        }
    }
}
