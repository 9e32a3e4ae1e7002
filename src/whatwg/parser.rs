//! The basic URL parser (URL Standard §4.4): its state machine, and the states up to the authority.
//!
//! The states have the names and the order that the Standard gives them. A state handles a whole component at once where the
//! Standard appends one code point after the other to its buffer; the results are the same. The URL is written as it is
//! serialized (§4.5), without a record of its components in between: of what is already written, later states need only the
//! byte where the path starts.

use alloc::string::String;

use super::encode_set::EncodeSet;
use super::encoder::encode_into;
use super::error::{Error, ErrorKind};
use super::input::Input;
use super::inspection::Inspection;
use super::prepared_base::PreparedBase;
use super::query_charset::QueryCharset;
use super::scheme::Scheme;
use super::state::State;
use super::step::Action;
use super::url_record::UrlRecord;
use crate::uri::scheme_end;

// The Standard has a buffer to which states append, and a URL record, which is serialized in the end. This has one text, the
// output: a state that reads a component appends it in its final form, and one that must take it back, as for the path of the
// base, truncates. So nothing is copied twice, and a URL without changes costs one allocation.
pub(super) struct Parser<'p> {
    /// The input, as [`Input::text`] has it.
    pub(super) input: &'p str,
    /// The Standard's *pointer*, as a byte offset in `input`.
    pub(super) pointer: usize,
    pub(super) base: Option<&'p UrlRecord<'p>>,
    pub(super) query_charset: Option<QueryCharset>,
    pub(super) out: &'p mut String,
    /// The byte in `out` at which the URL starts. The caller's text before it stays.
    pub(super) url_start: usize,
    /// [`Scheme::Other`] if it is not special, and until it is known.
    pub(super) scheme: Scheme,
    /// True also for an empty host; false if the host is null.
    pub(super) has_host: bool,
    /// In `out`. Not yet correct while an authority is written.
    pub(super) path_start: usize,
    pub(super) inspection: Option<&'p mut Inspection>,
}

/// `None` if the URL is complete.
pub(super) type NextState = Result<Option<State>, Error>;

/// Parses an input by the Standard's states and appends the URL to `out`. After an error, `out` is as before. Offsets in
/// `inspection` are in [`Input::text`], that of the error in the original input.
#[inline(always)]
pub(super) fn parse_by_states(
    input: &Input<'_>,
    base: Option<PreparedBase<'_>>,
    out: &mut String,
    inspection: Option<&mut Inspection>,
) -> Result<(), Error> {
    let url_start = out.len();
    // Room for what states may add without an escape: `//`, `/`, `/.` and the like.
    out.reserve(input.text.len() + base.map_or(0, |base| base.text.len()) + 8);
    let record = base.map(PreparedBase::record);
    let mut parser = Parser {
        input: &input.text,
        pointer: 0,
        base: record.as_ref(),
        query_charset: base.and_then(|base| base.parts.query_charset),
        out: &mut *out,
        url_start,
        scheme: Scheme::Other,
        has_host: false,
        path_start: url_start,
        inspection,
    };
    parser.run(State::SchemeStart, false).map(drop).map_err(|mut error| {
        out.truncate(url_start);
        input.restore_positions([&mut error.position].into_iter());
        error
    })
}

impl<'p> Parser<'p> {
    /// Runs the states from `start` on; with `once`, only the state `start`, and returns the one after it. No other code calls a
    /// state, so that all are inlined here. After an error, the caller must remove the unfinished URL from `out`.
    pub(super) fn run(&mut self, start: State, once: bool) -> NextState {
        let mut next = Some(start);
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
            if once {
                return Ok(next);
            }
        }
        // A path must not be read as an authority (§4.5, step 3).
        if !self.has_host && self.out[self.path_start..].starts_with("//") {
            self.out.insert_str(self.path_start, "/.");
            self.report_step(Action::Guard, self.input.len()..self.input.len(), "", "/.");
        }
        Ok(None)
    }

    fn scheme_start_state(&mut self) -> NextState {
        match self.c() {
            Some(c) if c.is_ascii_alphabetic() => Ok(Some(State::Scheme)),
            _ => Ok(Some(State::NoScheme)),
        }
    }

    /// Skips nothing if the input has no scheme. If the scheme is not special, also skips a slash after it.
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

    /// If the path of the base is opaque, only a fragment can be resolved.
    fn no_scheme_state(&mut self) -> NextState {
        match self.base {
            Some(base) if !base.has_opaque_path() => {
                Ok(Some(if base.scheme == Scheme::File { State::File } else { State::Relative }))
            }
            Some(base) if self.c() == Some(b'#') => Ok(self.copy_from_base(base)),
            _ => self.fail(ErrorKind::MissingSchemeNonRelativeUrl, 0),
        }
    }

    /// Reads an input with the special scheme of the base. Without `//`, the rest of the input is a relative reference.
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

    fn relative_state(&mut self) -> NextState {
        let Some(base) = self.base else {
            return self.fail(ErrorKind::MissingSchemeNonRelativeUrl, 0);
        };
        if self.skip_slash(base.scheme) {
            return Ok(Some(State::RelativeSlash));
        }
        Ok(self.copy_from_base(base))
    }

    /// Runs step 5 of the *relative state*, or 4 of the *file state*. The rest of the input must not start with a slash.
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

    /// Reads what follows the first slash. If it is no second slash, keeps scheme and authority of the base.
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

    fn special_authority_slashes_state(&mut self) -> NextState {
        if !self.skip("//") {
            self.report_error(ErrorKind::SpecialSchemeMissingFollowingSolidus, self.pointer);
            self.report_step(Action::SlashesAdded, self.pointer..self.pointer, "", "//");
        }
        Ok(Some(State::SpecialAuthorityIgnoreSlashes))
    }

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

    fn skip(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text.as_bytes());
        self.pointer += if is_next { text.len() } else { 0 };
        is_next
    }

    /// A backslash counts only if `scheme` is special.
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

    /// Returns the byte at the pointer, the first one of a code point; `None` at the end of the input.
    pub(super) fn c(&self) -> Option<u8> {
        self.input.as_bytes().get(self.pointer).copied()
    }

    pub(super) fn rest(&self) -> &'p [u8] {
        &self.input.as_bytes()[self.pointer..]
    }

    /// Replaces the written URL by the base up to `end`, without a guard before the path. `end` is a byte offset in the text of the
    /// base, not before `base.scheme_end`.
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

    pub(super) fn encode(&mut self, part: &str, set: EncodeSet) {
        self.report_characters_in_set(part, set, true);
        encode_into(part, set, self.out);
    }

    /// Always an `Err`. `at` is the byte offset in `input` of what is wrong.
    pub(super) fn fail<T>(&self, kind: ErrorKind, at: usize) -> Result<T, Error> {
        Err(Error::new(kind, at))
    }
}
