//! The basic URL parser (URL Standard §4.4): its state machine, and the states up to the authority.
//!
//! The states have the names and the order that the Standard gives them. A state handles a whole component at once where the
//! Standard appends one code point after the other to its buffer; the results are the same. The URL is written as it is
//! serialized (§4.5), without a record of its components in between: of what is already written, later states need only the
//! byte where the path starts.

use alloc::string::String;

use super::base::Base;
use super::encode_set::EncodeSet;
use super::error::{Error, ErrorKind};
use super::input::Input;
use super::inspect::{Inspection, State};
use super::scheme::Scheme;
use super::url_record::UrlRecord;
use crate::percent::{ByteSet, escape};
use crate::uri::scheme_end;

/// The character encoding in which queries are written. Without one, they are written in UTF-8.
#[cfg(feature = "html")]
pub(super) type QueryCharset = Option<&'static encoding_rs::Encoding>;
/// The character encoding in which queries are written: always UTF-8.
#[cfg(not(feature = "html"))]
pub(super) type QueryCharset = ();

/// The parser: the input, the pointer, and the URL as far as it is written.
pub(super) struct Parser<'p> {
    /// The input, without the characters that are removed first.
    pub(super) input: &'p str,
    /// The byte of the input that the Standard's *pointer* is at.
    pub(super) pointer: usize,
    /// The base, split into its components.
    pub(super) base: Option<&'p UrlRecord<'p>>,
    pub(super) query_charset: QueryCharset,
    /// The text to which the URL is appended.
    pub(super) out: &'p mut String,
    /// The byte of `out` where the URL starts.
    pub(super) url_start: usize,
    /// The scheme of the URL; [`Scheme::Other`] until it is known.
    pub(super) scheme: Scheme,
    /// True if the host of the URL is not null. It can be empty.
    pub(super) has_host: bool,
    /// The byte of `out` where the path starts.
    pub(super) path_start: usize,
    /// Receives the states, the validation errors and the percent-encoded parts. If `None`, the parser does not search for them.
    pub(super) inspection: Option<&'p mut Inspection>,
}

/// The result of a state: the next state, `None` if the URL is complete, or the error with which the parser fails.
pub(super) type NextState = Result<Option<State>, Error>;

/// Parses an input by the Standard's state machine, without the fast path, and appends the serialized URL. On an error, `out` is as
/// before, and the position of the error is in the original input. `inspection` receives what the parser finds on its way.
#[inline(always)]
pub(super) fn parse_whole(
    input: &Input<'_>,
    base: Option<&Base<'_>>,
    out: &mut String,
    inspection: Option<&mut Inspection>,
) -> Result<(), Error> {
    let record = base.map(Base::record);
    let start = out.len();
    out.reserve(input.text.len() + base.map_or(0, |base| base.as_str().len()) + 8);
    let parser = Parser {
        input: &input.text,
        pointer: 0,
        base: record.as_ref(),
        query_charset: base.map_or_else(QueryCharset::default, |base| base.query_charset),
        out: &mut *out,
        url_start: start,
        scheme: Scheme::Other,
        has_host: false,
        path_start: start,
        inspection,
    };
    parser.run().map_err(|mut error| {
        out.truncate(start);
        input.restore_positions([&mut error.position].into_iter());
        error
    })
}

impl<'p> Parser<'p> {
    /// Parses the input and appends the serialized URL. After an error, the caller must truncate `out`.
    fn run(mut self) -> Result<(), Error> {
        let mut next = Some(State::SchemeStart);
        while let Some(state) = next {
            if let Some(inspection) = &mut self.inspection {
                inspection.states.push(state);
            }
            next = match state {
                State::SchemeStart => self.scheme_start_state(),
                State::Scheme => self.scheme_state(),
                State::NoScheme => self.no_scheme_state(),
                State::SpecialRelativeOrAuthority => self.special_relative_or_authority_state(),
                State::PathOrAuthority => self.path_or_authority_state(),
                State::Relative => self.relative_state(),
                State::RelativeSlash => self.relative_slash_state(),
                State::SpecialAuthoritySlashes => self.special_authority_slashes_state(),
                State::SpecialAuthorityIgnoreSlashes => self.special_authority_ignore_slashes_state(),
                State::Authority => self.authority_state(),
                State::Host => self.host_state(),
                State::Port => self.port_state(),
                State::File => self.file_state(),
                State::FileSlash => self.file_slash_state(),
                State::FileHost => self.file_host_state(),
                State::PathStart => self.path_start_state(),
                State::Path => self.path_state(),
                State::OpaquePath => self.opaque_path_state(),
                State::Query => self.query_state(),
                State::Fragment => self.fragment_state(),
            }?;
        }
        // A path must not be read as an authority (§4.5, step 3).
        if !self.has_host && self.out[self.path_start..].starts_with("//") {
            self.out.insert_str(self.path_start, "/.");
        }
        Ok(())
    }

    /// Runs the *scheme start state*: looks whether the input can start with a scheme. Writes nothing.
    fn scheme_start_state(&mut self) -> NextState {
        match self.c() {
            Some(c) if c.is_ascii_alphabetic() => Ok(Some(State::Scheme)),
            _ => Ok(Some(State::NoScheme)),
        }
    }

    /// Runs the *scheme state*: writes the scheme in lower case, and chooses the next state by it.
    fn scheme_state(&mut self) -> NextState {
        let end = scheme_end(self.input.as_bytes());
        if end == 0 {
            return Ok(Some(State::NoScheme));
        }
        self.out.push_str(&self.input[..end]);
        self.out[self.url_start..].make_ascii_lowercase();
        self.scheme = Scheme::of(&self.out[self.url_start..self.out.len() - 1]);
        self.path_start = self.out.len();
        self.pointer = end;
        let remaining = &self.input.as_bytes()[end..];
        Ok(Some(match self.scheme {
            Scheme::File => {
                if !remaining.starts_with(b"//") {
                    self.report_error(ErrorKind::SpecialSchemeMissingFollowingSolidus, end);
                }
                State::File
            }
            Scheme::Other if remaining.first() == Some(&b'/') => {
                self.pointer += 1;
                State::PathOrAuthority
            }
            Scheme::Other => State::OpaquePath,
            scheme if self.base.is_some_and(|base| base.scheme == scheme) => State::SpecialRelativeOrAuthority,
            _ => State::SpecialAuthoritySlashes,
        }))
    }

    /// Runs the *no scheme state*: fails without a base. A base with an opaque path takes only a fragment.
    fn no_scheme_state(&mut self) -> NextState {
        match self.base {
            Some(base) if !base.has_opaque_path() => {
                Ok(Some(if base.scheme == Scheme::File { State::File } else { State::Relative }))
            }
            Some(base) if self.c() == Some(b'#') => Ok(self.copy_from_base(base)),
            _ => self.fail(ErrorKind::MissingSchemeNonRelativeUrl, 0),
        }
    }

    /// Runs the *special relative or authority state*: the scheme is that of the base.
    fn special_relative_or_authority_state(&mut self) -> NextState {
        if self.skip("//") {
            return Ok(Some(State::SpecialAuthorityIgnoreSlashes));
        }
        self.report_error(ErrorKind::SpecialSchemeMissingFollowingSolidus, self.pointer);
        Ok(Some(State::Relative))
    }

    /// Runs the *path or authority state*: the pointer is after the first slash of a URL with a scheme that is not special.
    fn path_or_authority_state(&mut self) -> NextState {
        Ok(Some(if self.skip("/") { State::Authority } else { State::Path }))
    }

    /// Runs the *relative state*: keeps the part of the base that the reference does not replace.
    fn relative_state(&mut self) -> NextState {
        let Some(base) = self.base else {
            return self.fail(ErrorKind::MissingSchemeNonRelativeUrl, 0);
        };
        if self.skip_slash(base.scheme) {
            return Ok(Some(State::RelativeSlash));
        }
        Ok(self.copy_from_base(base))
    }

    /// Writes the base up to the component with which the rest of the input starts (*relative state*, step 5; *file state*, step
    /// 4). Returns the state for that component; `None` at the end of the input. The rest of the input must not start with a slash.
    pub(super) fn copy_from_base(&mut self, base: &UrlRecord<'_>) -> Option<State> {
        self.replace_by_base(base, if matches!(self.c(), None | Some(b'#')) { base.query_end } else { base.path_end });
        let next = self.skip_delimiter();
        if next == Some(State::Path) {
            self.shorten_path();
        }
        next
    }

    /// Runs the *relative slash state*, after the first slash: keeps the authority of the base if no second slash follows, and
    /// otherwise only the scheme.
    fn relative_slash_state(&mut self) -> NextState {
        let Some(base) = self.base else {
            return self.fail(ErrorKind::MissingSchemeNonRelativeUrl, 0);
        };
        if !self.skip_slash(base.scheme) {
            self.replace_by_base(base, base.authority_end);
            return Ok(Some(State::Path));
        }
        self.replace_by_base(base, base.scheme_end);
        Ok(Some(if self.scheme.is_special() { State::SpecialAuthorityIgnoreSlashes } else { State::Authority }))
    }

    /// Runs the *special authority slashes state*: skips the `//` after a special scheme.
    fn special_authority_slashes_state(&mut self) -> NextState {
        if !self.skip("//") {
            self.report_error(ErrorKind::SpecialSchemeMissingFollowingSolidus, self.pointer);
        }
        Ok(Some(State::SpecialAuthorityIgnoreSlashes))
    }

    /// Runs the *special authority ignore slashes state*: skips all further slashes and backslashes.
    fn special_authority_ignore_slashes_state(&mut self) -> NextState {
        while let Some(b'/' | b'\\') = self.c() {
            self.report_error(ErrorKind::SpecialSchemeMissingFollowingSolidus, self.pointer);
            self.pointer += 1;
        }
        Ok(Some(State::Authority))
    }

    /// Moves the pointer after a text, if the rest of the input starts with it. Returns true if so.
    fn skip(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text.as_bytes());
        self.pointer += if is_next { text.len() } else { 0 };
        is_next
    }

    /// Moves the pointer after a slash or, if `scheme` is special, a backslash. Returns false if neither is at the pointer.
    pub(super) fn skip_slash(&mut self, scheme: Scheme) -> bool {
        match self.c() {
            Some(b'/') => {}
            Some(b'\\') if scheme.is_special() => self.report_error(ErrorKind::InvalidReverseSolidus, self.pointer),
            _ => return false,
        }
        self.pointer += 1;
        true
    }

    /// Returns the byte at the pointer; `None` at the end of the input. For a code point beyond US-ASCII, it is the first byte.
    pub(super) fn c(&self) -> Option<u8> {
        self.input.as_bytes().get(self.pointer).copied()
    }

    /// Returns the input from the pointer on.
    pub(super) fn rest(&self) -> &'p [u8] {
        &self.input.as_bytes()[self.pointer..]
    }

    /// Replaces the URL written so far by the base up to the byte `end` of its text, without a guard before its path. `end` must be
    /// at or after the end of the scheme.
    pub(super) fn replace_by_base(&mut self, base: &UrlRecord<'_>, end: usize) {
        self.scheme = base.scheme;
        self.out.truncate(self.url_start);
        self.out.push_str(&base.text[..end.min(base.authority_end)]);
        self.has_host = end >= base.authority_end && base.has_host();
        self.path_start = self.out.len();
        if end > base.path_start {
            self.out.push_str(&base.text[base.path_start..end]);
        }
    }

    /// Appends a part of the input, and percent-encodes the characters of a set. `part` must be a slice of `self.input`.
    pub(super) fn encode(&mut self, part: &str, set: EncodeSet) {
        self.report_characters_in_set(part, set);
        encode_into(part, set.bytes(), self.out);
    }

    /// Returns the error with which the parser fails. `at` is a byte of the parsed text.
    pub(super) fn fail<T>(&self, kind: ErrorKind, at: usize) -> Result<T, Error> {
        Err(Error::new(kind, at))
    }
}

/// Appends a text, and percent-encodes the bytes of a set. The set must have all bytes beyond US-ASCII.
pub(super) fn encode_into(text: &str, set: &ByteSet, out: &mut String) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let copied = bytes[at..].iter().position(|&byte| set.contains(byte)).unwrap_or(bytes.len() - at);
        if copied > 0 {
            out.push_str(&text[at..at + copied]);
            at += copied;
        }
        while let Some(&byte) = bytes.get(at).filter(|&&byte| set.contains(byte)) {
            out.push_str(escape(byte));
            at += 1;
        }
    }
}
