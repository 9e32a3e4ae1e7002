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
use super::inspect::Inspection;
use super::query_charset::QueryCharset;
use super::scheme::Scheme;
use super::state::State;
use super::step::Action;
use super::url_record::UrlRecord;
use crate::percent::{ByteSet, escape};
use crate::uri::scheme_end;

/// The basic URL parser: its input, its pointer, and the URL as far as it is written.
pub(super) struct Parser<'p> {
    /// The text to parse: the input without the characters that are removed first, as in [`Input::text`].
    pub(super) input: &'p str,
    /// The Standard's *pointer*, as a byte offset in `input`.
    pub(super) pointer: usize,
    /// The base, split into its components; `None` if the input is parsed without a base.
    pub(super) base: Option<&'p UrlRecord<'p>>,
    /// The character encoding in which queries are written; `None` for UTF-8.
    pub(super) query_charset: Option<QueryCharset>,
    /// The text to which the URL is appended.
    pub(super) out: &'p mut String,
    /// The byte offset in `out` at which the URL starts. The caller's text before it stays.
    pub(super) url_start: usize,
    /// The scheme of the URL. [`Scheme::Other`] if it is not special, and until it is known.
    pub(super) scheme: Scheme,
    /// True if the URL has a host, even an empty one; false if its host is null.
    pub(super) has_host: bool,
    /// The byte offset in `out` at which the path of the URL starts. While an authority is written, it is not yet correct.
    pub(super) path_start: usize,
    /// The inspection to which states, validation errors and percent-encoded parts are added; `None` if only the URL is wanted.
    pub(super) inspection: Option<&'p mut Inspection>,
}

/// The result of a state: the next state, `None` if the URL is complete, or the error with which the parser fails.
pub(super) type NextState = Result<Option<State>, Error>;

/// Parses an input by the Standard's state machine, without the fast path, and appends the serialized URL to `out`. The states,
/// percent-encoded parts, and validation errors that do not end the parsing are added to `inspection`, with offsets in
/// [`Input::text`].
///
/// After an error, `out` is as before. The position of the error is a byte offset in the original input.
#[inline(always)]
pub(super) fn parse_by_states(
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
        query_charset: base.and_then(|base| base.query_charset),
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
    /// Runs the states one after the other until the URL is complete. Then inserts a guard if the path needs one. After an error,
    /// the caller must remove the unfinished URL from `out`.
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
            self.report_step(Action::Guard, self.input.len()..self.input.len(), "", "/.");
        }
        Ok(())
    }

    /// Runs the *scheme start state*: chooses the *scheme state* if the input starts with a letter, otherwise the *no scheme
    /// state*. Skips nothing.
    fn scheme_start_state(&mut self) -> NextState {
        match self.c() {
            Some(c) if c.is_ascii_alphabetic() => Ok(Some(State::Scheme)),
            _ => Ok(Some(State::NoScheme)),
        }
    }

    /// Runs the *scheme state*: skips the scheme with its colon, and writes them in lower case. If the scheme is not special, also
    /// skips a slash after it. Chooses the next state by that slash, the scheme, and the scheme of the base. If the input has no
    /// scheme, skips nothing and chooses the *no scheme state*.
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
        if self.inspection.is_some() && self.out[self.url_start..] != self.input[..end] {
            let written = String::from(&self.out[self.url_start..self.out.len() - 1]);
            self.report_step(Action::SchemeLowercased, 0..end - 1, &self.input[..end - 1], &written);
        }
        let rest = self.rest();
        Ok(Some(match self.scheme {
            Scheme::File => {
                if !rest.starts_with(b"//") {
                    self.report_error(ErrorKind::SpecialSchemeMissingFollowingSolidus, end);
                }
                State::File
            }
            Scheme::Other if rest.first() == Some(&b'/') => {
                self.pointer += 1;
                self.report_absolute();
                State::PathOrAuthority
            }
            Scheme::Other => {
                self.report_absolute();
                State::OpaquePath
            }
            scheme if self.base.is_some_and(|base| base.scheme == scheme) => State::SpecialRelativeOrAuthority,
            _ => {
                self.report_absolute();
                State::SpecialAuthoritySlashes
            }
        }))
    }

    /// Runs the *no scheme state*. If the path of the base is opaque, replaces the URL that is written so far by the base without
    /// its fragment, and skips the `#` at the start of the input; fails if there is no `#`. Otherwise chooses the next state by the
    /// scheme of the base, and skips nothing. Fails without a base.
    fn no_scheme_state(&mut self) -> NextState {
        match self.base {
            Some(base) if !base.has_opaque_path() => {
                Ok(Some(if base.scheme == Scheme::File { State::File } else { State::Relative }))
            }
            Some(base) if self.c() == Some(b'#') => Ok(self.copy_from_base(base)),
            _ => self.fail(ErrorKind::MissingSchemeNonRelativeUrl, 0),
        }
    }

    /// Runs the *special relative or authority state*, for an input with the special scheme of the base: skips `//` before an
    /// authority. Without `//`, skips nothing: the rest of the input is a relative reference.
    fn special_relative_or_authority_state(&mut self) -> NextState {
        if self.skip("//") {
            self.report_absolute();
            return Ok(Some(State::SpecialAuthorityIgnoreSlashes));
        }
        self.report_error(ErrorKind::SpecialSchemeMissingFollowingSolidus, self.pointer);
        self.report_step(Action::SchemeIgnored, 0..self.pointer, &self.input[..self.pointer], "");
        Ok(Some(State::Relative))
    }

    fn path_or_authority_state(&mut self) -> NextState {
        Ok(Some(if self.skip("/") { State::Authority } else { State::Path }))
    }

    /// Runs the *relative state*: skips a slash, or a backslash if the scheme of the base is special. Without one, replaces the URL
    /// that is written so far by the part of the base that the reference keeps, and skips the `?` or `#` of the reference.
    fn relative_state(&mut self) -> NextState {
        let Some(base) = self.base else {
            return self.fail(ErrorKind::MissingSchemeNonRelativeUrl, 0);
        };
        if self.skip_slash(base.scheme) {
            return Ok(Some(State::RelativeSlash));
        }
        Ok(self.copy_from_base(base))
    }

    /// Replaces the URL that is written so far by the part of the base that a relative reference keeps (*relative state*, step 5;
    /// *file state*, step 4), and skips the `?` or `#` of the reference. Returns the state for what follows; `None` at the end of
    /// the input. The reference, which is the rest of the input, must not start with a slash.
    pub(super) fn copy_from_base(&mut self, base: &UrlRecord<'_>) -> Option<State> {
        self.replace_by_base(base, if matches!(self.c(), None | Some(b'#')) { base.query_end } else { base.path_end });
        let start = self.pointer;
        let next = self.skip_delimiter();
        if next == Some(State::Path) {
            self.shorten_path();
        }
        if self.inspection.is_some() {
            self.report_kept_for(next, start);
        }
        next
    }

    /// Runs the *relative slash state*, after the first slash: skips a second slash, or a backslash if the scheme of the base is
    /// special, and replaces the URL that is written so far by the scheme of the base. Without one, replaces it by scheme and
    /// authority of the base.
    fn relative_slash_state(&mut self) -> NextState {
        let Some(base) = self.base else {
            return self.fail(ErrorKind::MissingSchemeNonRelativeUrl, 0);
        };
        if !self.skip_slash(base.scheme) {
            self.replace_by_base(base, base.authority_end);
            self.report_kept(Action::Root, self.pointer - 1);
            return Ok(Some(State::Path));
        }
        self.replace_by_base(base, base.scheme_end);
        self.report_kept(Action::Authority, self.pointer - 2);
        Ok(Some(if self.scheme.is_special() { State::SpecialAuthorityIgnoreSlashes } else { State::Authority }))
    }

    /// Runs the *special authority slashes state*: skips the `//` after a special scheme, if there is one.
    fn special_authority_slashes_state(&mut self) -> NextState {
        if !self.skip("//") {
            self.report_error(ErrorKind::SpecialSchemeMissingFollowingSolidus, self.pointer);
            self.report_step(Action::SlashesAdded, self.pointer..self.pointer, "", "//");
        }
        Ok(Some(State::SpecialAuthorityIgnoreSlashes))
    }

    /// Runs the *special authority ignore slashes state*: skips all further slashes and backslashes.
    fn special_authority_ignore_slashes_state(&mut self) -> NextState {
        let start = self.pointer;
        while let Some(b'/' | b'\\') = self.c() {
            self.report_error(ErrorKind::SpecialSchemeMissingFollowingSolidus, self.pointer);
            self.pointer += 1;
        }
        if start < self.pointer {
            self.report_step(Action::SlashesIgnored, start..self.pointer, &self.input[start..self.pointer], "");
        }
        Ok(Some(State::Authority))
    }

    /// Moves the pointer past `text` and returns true, if the rest of the input starts with this text. Otherwise returns false.
    fn skip(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text.as_bytes());
        self.pointer += if is_next { text.len() } else { 0 };
        is_next
    }

    /// Moves the pointer past a slash, or past a backslash if `scheme` is special, and returns true. Returns false if neither is at
    /// the pointer.
    pub(super) fn skip_slash(&mut self, scheme: Scheme) -> bool {
        match self.c() {
            Some(b'/') => {}
            Some(b'\\') if scheme.is_special() => {
                self.report_error(ErrorKind::InvalidReverseSolidus, self.pointer);
                self.report_step(Action::Backslash, self.pointer..self.pointer + 1, "\\", "/");
            }
            _ => return false,
        }
        self.pointer += 1;
        true
    }

    /// Returns the byte at the pointer, of a code point its first; `None` at the end of the input.
    pub(super) fn c(&self) -> Option<u8> {
        self.input.as_bytes().get(self.pointer).copied()
    }

    /// Returns the bytes of the input from the pointer on.
    pub(super) fn rest(&self) -> &'p [u8] {
        &self.input.as_bytes()[self.pointer..]
    }

    /// Replaces the URL that is written so far by the start of the base, without a guard before its path, and takes its scheme.
    /// `end` is the byte offset in the text of the base at which that start ends. It must not be before `base.scheme_end`.
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

    /// Appends a slice of the input percent-encoded by a set, and tells the inspection which characters were.
    pub(super) fn encode(&mut self, part: &str, set: EncodeSet) {
        self.report_characters_in_set(part, set, true);
        encode_into(part, set.bytes(), self.out);
    }

    /// Returns, as `Err`, the error with which the parser fails. `at` is the byte offset in `input` of what is wrong.
    pub(super) fn fail<T>(&self, kind: ErrorKind, at: usize) -> Result<T, Error> {
        Err(Error::new(kind, at))
    }
}

/// Appends a text with its bytes that are in `set` percent-encoded. The set must have all bytes beyond US-ASCII.
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
