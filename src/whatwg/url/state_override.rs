//! New URLs with one other component, by the basic URL parser with a state override (URL Standard §4.4, §6.1).
//!
//! The parser starts in a state in the middle, after the text of the URL that is kept. What the Standard's states do otherwise with
//! an override is done here, before and after them: the value of a path or query has its delimiters percent-encoded, as their states
//! do, and that of a port is cut short.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::ops::Range;

use crate::whatwg::encode_set::EncodeSet;
use crate::whatwg::encoder::encode_into;
use crate::whatwg::error::{Error, ErrorKind};
use crate::whatwg::input::Input;
use crate::whatwg::parser::Parser;
use crate::whatwg::scheme::Scheme;
use crate::whatwg::state::State;
use crate::whatwg::url_record::{UrlRecord, is_drive_letter};

/// A new URL, and how much of a value it has.
pub(super) struct Parsed {
    pub(super) url: String,
    /// The byte of the value from which on it is ignored; `None` if it is not.
    pub(super) ignored_from: Option<usize>,
}

impl Parsed {
    /// Returns the URL if it has the whole value.
    pub(super) fn whole(self) -> Result<String, Error> {
        self.ignored_from.map_or(Ok(self.url), |at| Err(Error::new(ErrorKind::CannotBeSet, at)))
    }

    fn map(self, change: impl FnOnce(String) -> String) -> Self {
        Parsed { url: change(self.url), ..self }
    }
}

impl UrlRecord<'_> {
    pub(super) fn with_scheme(&self, value: &str) -> Result<Parsed, Error> {
        let mut scheme = Scheme::Other;
        let parsed = self.parse_after("", &[value, ":"].concat(), |parser| {
            if parser.run(State::Scheme, true)? == Some(State::NoScheme) {
                parser.run(State::NoScheme, true)?;
            }
            scheme = parser.scheme;
            Ok(())
        })?;
        let is_same = parsed.url == self.text[..self.scheme_end];
        if !is_same && (scheme.is_special() != self.scheme.is_special() || !self.can_change_from_or_to_file(scheme)) {
            return Err(self.cannot_be_set());
        }
        let is_default = self.port().parse().is_ok_and(|port: u16| scheme.default_port() == Some(port));
        let end = if is_default { self.host_range().end } else { self.authority_end };
        let rest = [&self.text[self.scheme_end..end], &self.text[self.authority_end..]];
        Ok(parsed.map(|start| start + rest[0] + rest[1]))
    }

    /// Reports whether the scheme may change to `new` if either is `file`; true if neither is. Also false if the URL would be read
    /// in another way with `file`.
    fn can_change_from_or_to_file(&self, new: Scheme) -> bool {
        let host = &self.text[self.host_range()];
        let has_more_than_host = self.authority_end != self.scheme_end + "//".len() + host.len();
        let first_segment = self.path().split('/').nth(1).unwrap_or_default();
        let is_read_otherwise =
            host == "localhost" || is_drive_letter(first_segment.as_bytes()) && first_segment.ends_with('|');
        !(new == Scheme::File && (has_more_than_host || is_read_otherwise)
            || self.scheme == Scheme::File && host.is_empty())
    }

    pub(super) fn with_username(&self, value: &str) -> Result<String, Error> {
        self.with_credentials(&encoded(value), self.credentials().1)
    }

    pub(super) fn with_password(&self, value: &str) -> Result<String, Error> {
        self.with_credentials(self.credentials().0, &encoded(value))
    }

    fn with_credentials(&self, username: &str, password: &str) -> Result<String, Error> {
        if !self.can_have_credentials_or_port() {
            return Err(self.cannot_be_set());
        }
        let colon = if password.is_empty() { "" } else { ":" };
        let at = if username.is_empty() && password.is_empty() { "" } else { "@" };
        let rest = &self.text[self.host_range().start..];
        Ok([&self.text[..self.scheme_end], "//", username, colon, password, at, rest].concat())
    }

    /// Returns the URL with another host. If `may_have_port` is true, the value may be a host and a port. The old port stays if the
    /// value has none, or an invalid one.
    pub(super) fn with_host(&self, value: &str, may_have_port: bool) -> Result<Parsed, Error> {
        if self.has_opaque_path() {
            return Err(self.cannot_be_set());
        }
        let Range { start: host_start, end: host_end } = self.host_range();
        let old_port = &self.text[host_end..self.authority_end];
        let start = if self.has_host() {
            Cow::Borrowed(&self.text[..host_start])
        } else {
            Cow::Owned(format!("{}//", &self.text[..host_start]))
        };
        let has_credentials_or_port = host_start > self.scheme_end + "//".len() || !old_port.is_empty();
        let parsed = self.parse_after(&start, value, |parser| {
            let host = parser.out.len();
            if parser.scheme == Scheme::File {
                // A drive letter is not left to the path here, and no host has its second character.
                return match parser.run(State::FileHost, true)? {
                    Some(State::Path) => parser.fail(ErrorKind::DomainInvalidCodePoint, parser.pointer + 1),
                    _ => Ok(()),
                };
            }
            let has_port = parser.run(State::Host, true)? == Some(State::Port);
            if has_port && !may_have_port {
                return parser.fail(ErrorKind::CannotBeSet, parser.pointer - 1);
            }
            if parser.out.len() == host && has_credentials_or_port {
                return parser.fail(ErrorKind::CannotBeSet, 0);
            }
            let port = parser.out.len();
            if !has_port || parse_port(parser).is_err() {
                parser.out.truncate(port);
                parser.out.push_str(old_port);
            }
            Ok(())
        })?;
        // Without the guard, which a host makes needless.
        Ok(parsed.map(|start| start + &self.text[self.path_start..]))
    }

    pub(super) fn without_host(&self) -> Result<String, Error> {
        let is_host_alone = self.host_range() == (self.scheme_end + "//".len()..self.authority_end);
        if !self.has_host() {
            return Ok(String::from(self.text));
        }
        if self.scheme.is_special() || !is_host_alone || self.path().is_empty() {
            return Err(self.cannot_be_set());
        }
        let guard = if self.path().starts_with("//") { "/." } else { "" };
        Ok([&self.text[..self.scheme_end], guard, &self.text[self.path_start..]].concat())
    }

    pub(super) fn with_port(&self, value: &str) -> Result<Parsed, Error> {
        if !self.can_have_credentials_or_port() {
            return Err(self.cannot_be_set());
        }
        let parsed = self.parse_after(&self.text[..self.host_range().end], value, parse_port)?;
        Ok(parsed.map(|start| start + &self.text[self.authority_end..]))
    }

    pub(super) fn with_port_number(&self, port: Option<u16>) -> Result<String, Error> {
        if !self.can_have_credentials_or_port() {
            return Err(self.cannot_be_set());
        }
        let written = port.filter(|&port| self.scheme.default_port() != Some(port));
        let written = written.map(|port| format!(":{port}")).unwrap_or_default();
        Ok([&self.text[..self.host_range().end], &written, &self.text[self.authority_end..]].concat())
    }

    pub(super) fn with_path(&self, value: &str) -> Result<String, Error> {
        if self.has_opaque_path() {
            return Err(self.cannot_be_set());
        }
        let parsed = self.parse_after(
            &self.text[..self.authority_end],
            &value.replace('?', "%3F").replace('#', "%23"),
            |parser| {
                // A path without segments, where a URL without a host would have an opaque path.
                if parser.input.is_empty() && !parser.has_host {
                    parser.out.push('/');
                    return Ok(());
                }
                parser.run(State::PathStart, false).map(drop)
            },
        )?;
        Ok(parsed.url + &self.text[self.path_end..])
    }

    pub(super) fn with_query(&self, value: Option<&str>) -> String {
        let (start, rest) = (&self.text[..self.path_end], &self.text[self.query_end..]);
        let Some(value) = value else { return [start, rest].concat() };
        let parsed =
            self.parse_after(start, &value.replace('#', "%23"), |parser| parser.run(State::Query, true).map(drop));
        parsed.map(|parsed| parsed.url + rest).expect("every text can be a query")
    }

    pub(super) fn with_fragment(&self, value: Option<&str>) -> String {
        let start = &self.text[..self.query_end];
        let Some(value) = value else { return String::from(start) };
        let parsed = self.parse_after(start, value, |parser| parser.run(State::Fragment, true).map(drop));
        parsed.map(|parsed| parsed.url).expect("every text can be a fragment")
    }

    pub(super) fn cannot_be_set(&self) -> Error {
        Error::new(ErrorKind::CannotBeSet, 0)
    }

    /// False if the host is null or empty (§4.2, *cannot have a username/password/port*).
    fn can_have_credentials_or_port(&self) -> bool {
        !self.host_range().is_empty() && self.scheme != Scheme::File
    }

    /// Parses `value` with a parser that has written `start`. Its positions are those in `value`.
    fn parse_after(
        &self,
        start: &str,
        value: &str,
        parse: impl FnOnce(&mut Parser<'_>) -> Result<(), Error>,
    ) -> Result<Parsed, Error> {
        let input = Input::untrimmed(value);
        let mut out = String::with_capacity(self.text.len() + value.len() + "//".len());
        out.push_str(start);
        let mut parser = Parser {
            input: &input.text,
            pointer: 0,
            base: None,
            query_charset: None,
            path_start: start.len(),
            out: &mut out,
            url_start: 0,
            scheme: self.scheme,
            has_host: self.has_host(),
            inspection: None,
        };
        let done = parse(&mut parser);
        let mut pointer = parser.pointer;
        let is_whole = pointer == input.text.len();
        let mut error = done.err();
        let position = error.as_mut().map_or(&mut pointer, |error| &mut error.position);
        input.restore_positions([position].into_iter());
        match error {
            Some(error) => Err(error),
            None => Ok(Parsed { url: out, ignored_from: (!is_whole).then_some(pointer) }),
        }
    }
}

/// Parses a port. With a state override, the *port state* ignores what follows the digits, but not that there are none.
fn parse_port(parser: &mut Parser<'_>) -> Result<(), Error> {
    let digits = parser.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return parser.fail(ErrorKind::PortInvalid, parser.pointer);
    }
    parser.input = &parser.input[..parser.pointer + digits];
    parser.run(State::Port, true).map(drop)
}

fn encoded(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    encode_into(value, EncodeSet::Userinfo, &mut out);
    out
}
