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
use super::record::UrlRecord;
use super::scheme::Scheme;
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
    pub(super) at: usize,
    /// The base, split into its components.
    pub(super) base: Option<&'p UrlRecord<'p>>,
    pub(super) query_charset: QueryCharset,
    /// The text to which the URL is appended.
    pub(super) out: &'p mut String,
    /// The byte of `out` where the URL starts.
    pub(super) start: usize,
    /// The scheme of the URL; [`Scheme::Other`] until it is known.
    pub(super) scheme: Scheme,
    /// True if the host of the URL is not null. It can be empty.
    pub(super) has_host: bool,
    /// The byte of `out` where the path starts.
    pub(super) path_offset: usize,
    /// Receives the states, the validation errors and the percent-encoded parts. If `None`, the parser does not search for them.
    pub(super) inspection: Option<&'p mut Inspection>,
}

/// The result of a state: the next state, `None` if the URL is complete, or the error with which the parser fails.
pub(super) type Next = Result<Option<State>, Error>;

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
        at: 0,
        base: record.as_ref(),
        query_charset: base.map_or_else(QueryCharset::default, |base| base.query_charset),
        out: &mut *out,
        start,
        scheme: Scheme::Other,
        has_host: false,
        path_offset: start,
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
                State::SchemeStart => self.scheme_start(),
                State::Scheme => self.scheme(),
                State::NoScheme => self.no_scheme(),
                State::SpecialRelativeOrAuthority => self.special_relative_or_authority(),
                State::PathOrAuthority => self.path_or_authority(),
                State::Relative => self.relative(),
                State::RelativeSlash => self.relative_slash(),
                State::SpecialAuthoritySlashes => self.special_authority_slashes(),
                State::SpecialAuthorityIgnoreSlashes => self.special_authority_ignore_slashes(),
                State::Authority => self.authority(),
                State::Host => self.host(),
                State::Port => self.port(),
                State::File => self.file(),
                State::FileSlash => self.file_slash(),
                State::FileHost => self.file_host(),
                State::PathStart => self.path_start(),
                State::Path => self.path(),
                State::OpaquePath => self.opaque_path(),
                State::Query => self.query(),
                State::Fragment => self.fragment(),
            }?;
        }
        // A path must not be read as an authority (§4.5, step 3).
        if !self.has_host && self.out[self.path_offset..].starts_with("//") {
            self.out.insert_str(self.path_offset, "/.");
        }
        Ok(())
    }

    /// Runs the *scheme start state*: looks whether the input can start with a scheme. Writes nothing.
    fn scheme_start(&mut self) -> Next {
        match self.c() {
            Some(c) if c.is_ascii_alphabetic() => Ok(Some(State::Scheme)),
            _ => Ok(Some(State::NoScheme)),
        }
    }

    /// Runs the *scheme state*: writes the scheme in lower case, and chooses the next state by it.
    fn scheme(&mut self) -> Next {
        let end = scheme_end(self.input.as_bytes());
        if end == 0 {
            return Ok(Some(State::NoScheme));
        }
        self.out.push_str(&self.input[..end]);
        self.out[self.start..].make_ascii_lowercase();
        self.scheme = Scheme::of(&self.out[self.start..self.out.len() - 1]);
        self.path_offset = self.out.len();
        self.at = end;
        let remaining = &self.input.as_bytes()[end..];
        Ok(Some(match self.scheme {
            Scheme::File => {
                if !remaining.starts_with(b"//") {
                    self.tell(ErrorKind::SpecialSchemeMissingFollowingSolidus, end);
                }
                State::File
            }
            Scheme::Other if remaining.first() == Some(&b'/') => {
                self.at += 1;
                State::PathOrAuthority
            }
            Scheme::Other => State::OpaquePath,
            scheme if self.base.is_some_and(|base| base.scheme == scheme) => State::SpecialRelativeOrAuthority,
            _ => State::SpecialAuthoritySlashes,
        }))
    }

    /// Runs the *no scheme state*: fails without a base. A base with an opaque path takes only a fragment.
    fn no_scheme(&mut self) -> Next {
        match self.base {
            Some(base) if !base.has_opaque_path() => {
                Ok(Some(if base.scheme == Scheme::File { State::File } else { State::Relative }))
            }
            Some(base) if self.c() == Some(b'#') => Ok(self.relative_to(base)),
            _ => self.fail(ErrorKind::MissingSchemeNonRelativeUrl, 0),
        }
    }

    /// Runs the *special relative or authority state*: the scheme is that of the base.
    fn special_relative_or_authority(&mut self) -> Next {
        if self.skip("//") {
            return Ok(Some(State::SpecialAuthorityIgnoreSlashes));
        }
        self.tell(ErrorKind::SpecialSchemeMissingFollowingSolidus, self.at);
        Ok(Some(State::Relative))
    }

    /// Runs the *path or authority state*: the pointer is after the first slash of a URL with a scheme that is not special.
    fn path_or_authority(&mut self) -> Next {
        Ok(Some(if self.skip("/") { State::Authority } else { State::Path }))
    }

    /// Runs the *relative state*: keeps the part of the base that the reference does not replace.
    fn relative(&mut self) -> Next {
        let Some(base) = self.base else {
            return self.fail(ErrorKind::MissingSchemeNonRelativeUrl, 0);
        };
        if self.skip_slash(base.scheme) {
            return Ok(Some(State::RelativeSlash));
        }
        Ok(self.relative_to(base))
    }

    /// Writes the base up to the component with which the rest of the input starts (*relative state*, step 5; *file state*, step
    /// 4). Returns the state for that component; `None` at the end of the input. The rest of the input must not start with a slash.
    pub(super) fn relative_to(&mut self, base: &UrlRecord<'_>) -> Option<State> {
        self.keep(base, if matches!(self.c(), None | Some(b'#')) { base.query_end } else { base.path_end });
        let next = self.after_path();
        if next == Some(State::Path) {
            self.shorten();
        }
        next
    }

    /// Runs the *relative slash state*, after the first slash: keeps the authority of the base if no second slash follows, and
    /// otherwise only the scheme.
    fn relative_slash(&mut self) -> Next {
        let Some(base) = self.base else {
            return self.fail(ErrorKind::MissingSchemeNonRelativeUrl, 0);
        };
        if !self.skip_slash(base.scheme) {
            self.keep(base, base.authority_end);
            return Ok(Some(State::Path));
        }
        self.keep(base, base.scheme_end);
        Ok(Some(if self.scheme.is_special() { State::SpecialAuthorityIgnoreSlashes } else { State::Authority }))
    }

    /// Runs the *special authority slashes state*: skips the `//` after a special scheme.
    fn special_authority_slashes(&mut self) -> Next {
        if !self.skip("//") {
            self.tell(ErrorKind::SpecialSchemeMissingFollowingSolidus, self.at);
        }
        Ok(Some(State::SpecialAuthorityIgnoreSlashes))
    }

    /// Runs the *special authority ignore slashes state*: skips all further slashes and backslashes.
    fn special_authority_ignore_slashes(&mut self) -> Next {
        while let Some(b'/' | b'\\') = self.c() {
            self.tell(ErrorKind::SpecialSchemeMissingFollowingSolidus, self.at);
            self.at += 1;
        }
        Ok(Some(State::Authority))
    }

    /// Moves the pointer after a text, if the rest of the input starts with it. Returns true if so.
    fn skip(&mut self, text: &str) -> bool {
        let is_next = self.remaining().starts_with(text.as_bytes());
        self.at += if is_next { text.len() } else { 0 };
        is_next
    }

    /// Moves the pointer after a slash or, if `scheme` is special, a backslash. Returns false if neither is at the pointer.
    pub(super) fn skip_slash(&mut self, scheme: Scheme) -> bool {
        match self.c() {
            Some(b'/') => {}
            Some(b'\\') if scheme.is_special() => self.tell(ErrorKind::InvalidReverseSolidus, self.at),
            _ => return false,
        }
        self.at += 1;
        true
    }

    /// Returns the byte at the pointer; `None` at the end of the input. For a code point beyond US-ASCII, it is the first byte.
    pub(super) fn c(&self) -> Option<u8> {
        self.input.as_bytes().get(self.at).copied()
    }

    /// Returns the input from the pointer on.
    pub(super) fn remaining(&self) -> &'p [u8] {
        &self.input.as_bytes()[self.at..]
    }

    /// Replaces the URL written so far by the base up to the byte `end` of its text, without a guard before its path. `end` must be
    /// at or after the end of the scheme.
    pub(super) fn keep(&mut self, base: &UrlRecord<'_>, end: usize) {
        self.scheme = base.scheme;
        self.out.truncate(self.start);
        self.out.push_str(&base.text[..end.min(base.authority_end)]);
        self.has_host = end >= base.authority_end && base.has_host();
        self.path_offset = self.out.len();
        if end > base.path_start {
            self.out.push_str(&base.text[base.path_start..end]);
        }
    }

    /// Appends a part of the input, and percent-encodes the characters of a set. `part` must be a slice of `self.input`.
    pub(super) fn encode(&mut self, part: &str, set: EncodeSet) {
        self.tell_all_encoded(part, set);
        encode(part, set.bytes(), self.out);
    }

    /// Returns the error with which the parser fails. `at` is a byte of the parsed text.
    pub(super) fn fail<T>(&self, kind: ErrorKind, at: usize) -> Result<T, Error> {
        Err(Error::new(kind, at))
    }
}

/// Appends a text, and percent-encodes the bytes of a set. The set must have all bytes beyond US-ASCII.
pub(super) fn encode(text: &str, set: &ByteSet, out: &mut String) {
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
