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

pub(super) fn with_scheme(url: &UrlRecord<'_>, value: &str) -> Result<Parsed, Error> {
    let mut scheme = Scheme::Other;
    let parsed = parse_after(url, "", &[value, ":"].concat(), |parser| {
        if parser.run(State::Scheme, true)? == Some(State::NoScheme) {
            parser.run(State::NoScheme, true)?;
        }
        scheme = parser.scheme;
        Ok(())
    })?;
    let is_same = parsed.url == url.text[..url.scheme_end];
    if !is_same && (scheme.is_special() != url.scheme.is_special() || !can_change_from_or_to_file(url, scheme)) {
        return Err(cannot_be_set());
    }
    let is_default = url.port().parse().is_ok_and(|port: u16| scheme.default_port() == Some(port));
    let end = if is_default { url.host_range().end } else { url.authority_end };
    let rest = [&url.text[url.scheme_end..end], &url.text[url.authority_end..]];
    Ok(parsed.map(|start| start + rest[0] + rest[1]))
}

/// Reports whether the scheme may change to `new` if either is `file`; true if neither is. Also false if the URL would be read
/// in another way with `file`.
fn can_change_from_or_to_file(url: &UrlRecord<'_>, new: Scheme) -> bool {
    let host = &url.text[url.host_range()];
    let has_more_than_host = url.authority_end != url.scheme_end + "//".len() + host.len();
    let first_segment = url.path().split('/').nth(1).unwrap_or_default();
    let is_read_otherwise =
        host == "localhost" || is_drive_letter(first_segment.as_bytes()) && first_segment.ends_with('|');
    !(new == Scheme::File && (has_more_than_host || is_read_otherwise) || url.scheme == Scheme::File && host.is_empty())
}

pub(super) fn with_username(url: &UrlRecord<'_>, value: &str) -> Result<String, Error> {
    with_credentials(url, &encoded(value), url.credentials().1)
}

pub(super) fn with_password(url: &UrlRecord<'_>, value: &str) -> Result<String, Error> {
    with_credentials(url, url.credentials().0, &encoded(value))
}

fn with_credentials(url: &UrlRecord<'_>, username: &str, password: &str) -> Result<String, Error> {
    if !can_have_credentials_or_port(url) {
        return Err(cannot_be_set());
    }
    let colon = if password.is_empty() { "" } else { ":" };
    let at = if username.is_empty() && password.is_empty() { "" } else { "@" };
    let rest = &url.text[url.host_range().start..];
    Ok([&url.text[..url.scheme_end], "//", username, colon, password, at, rest].concat())
}

/// Returns the URL with another host. If `may_have_port` is true, the value may be a host and a port. The old port stays if the
/// value has none, or an invalid one.
pub(super) fn with_host(url: &UrlRecord<'_>, value: &str, may_have_port: bool) -> Result<Parsed, Error> {
    if url.has_opaque_path() {
        return Err(cannot_be_set());
    }
    let Range { start: host_start, end: host_end } = url.host_range();
    let old_port = &url.text[host_end..url.authority_end];
    let start = if url.has_host() {
        Cow::Borrowed(&url.text[..host_start])
    } else {
        Cow::Owned(format!("{}//", &url.text[..host_start]))
    };
    let has_credentials_or_port = host_start > url.scheme_end + "//".len() || !old_port.is_empty();
    let parsed = parse_after(url, &start, value, |parser| {
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
    Ok(parsed.map(|start| start + &url.text[url.path_start..]))
}

pub(super) fn without_host(url: &UrlRecord<'_>) -> Result<String, Error> {
    let is_host_alone = url.host_range() == (url.scheme_end + "//".len()..url.authority_end);
    if !url.has_host() {
        return Ok(String::from(url.text));
    }
    if url.scheme.is_special() || !is_host_alone || url.path().is_empty() {
        return Err(cannot_be_set());
    }
    let guard = if url.path().starts_with("//") { "/." } else { "" };
    Ok([&url.text[..url.scheme_end], guard, &url.text[url.path_start..]].concat())
}

pub(super) fn with_port(url: &UrlRecord<'_>, value: &str) -> Result<Parsed, Error> {
    if !can_have_credentials_or_port(url) {
        return Err(cannot_be_set());
    }
    let parsed = parse_after(url, &url.text[..url.host_range().end], value, parse_port)?;
    Ok(parsed.map(|start| start + &url.text[url.authority_end..]))
}

pub(super) fn with_port_number(url: &UrlRecord<'_>, port: Option<u16>) -> Result<String, Error> {
    if !can_have_credentials_or_port(url) {
        return Err(cannot_be_set());
    }
    let written = port.filter(|&port| url.scheme.default_port() != Some(port));
    let written = written.map(|port| format!(":{port}")).unwrap_or_default();
    Ok([&url.text[..url.host_range().end], &written, &url.text[url.authority_end..]].concat())
}

pub(super) fn with_path(url: &UrlRecord<'_>, value: &str) -> Result<String, Error> {
    if url.has_opaque_path() {
        return Err(cannot_be_set());
    }
    let parsed =
        parse_after(url, &url.text[..url.authority_end], &value.replace('?', "%3F").replace('#', "%23"), |parser| {
            // A path without segments, where a URL without a host would have an opaque path.
            if parser.input.is_empty() && !parser.has_host {
                parser.out.push('/');
                return Ok(());
            }
            parser.run(State::PathStart, false).map(drop)
        })?;
    Ok(parsed.url + &url.text[url.path_end..])
}

pub(super) fn with_query(url: &UrlRecord<'_>, value: Option<&str>) -> String {
    let (start, rest) = (&url.text[..url.path_end], &url.text[url.query_end..]);
    let Some(value) = value else { return [start, rest].concat() };
    let parsed = parse_after(url, start, &value.replace('#', "%23"), |parser| parser.run(State::Query, true).map(drop));
    parsed.map(|parsed| parsed.url + rest).expect("every text can be a query")
}

pub(super) fn with_fragment(url: &UrlRecord<'_>, value: Option<&str>) -> String {
    let start = &url.text[..url.query_end];
    let Some(value) = value else { return String::from(start) };
    let parsed = parse_after(url, start, value, |parser| parser.run(State::Fragment, true).map(drop));
    parsed.map(|parsed| parsed.url).expect("every text can be a fragment")
}

pub(super) fn cannot_be_set() -> Error {
    Error::new(ErrorKind::CannotBeSet, 0)
}

/// False if the host is null or empty (§4.2, *cannot have a username/password/port*).
fn can_have_credentials_or_port(url: &UrlRecord<'_>) -> bool {
    !url.host_range().is_empty() && url.scheme != Scheme::File
}

/// Parses `value` with a parser that has written `start`. Its positions are those in `value`.
fn parse_after(
    url: &UrlRecord<'_>,
    start: &str,
    value: &str,
    parse: impl FnOnce(&mut Parser<'_>) -> Result<(), Error>,
) -> Result<Parsed, Error> {
    let input = Input::untrimmed(value);
    // The new URL is written behind the part that stays, so that the states need no record of it. A setter that fails drops the
    // text, and the URL is as before.
    let mut out = String::with_capacity(url.text.len() + value.len() + "//".len());
    out.push_str(start);
    let mut parser = Parser {
        input: &input.text,
        pointer: 0,
        base: None,
        query_charset: None,
        path_start: start.len(),
        out: &mut out,
        url_start: 0,
        scheme: url.scheme,
        has_host: url.has_host(),
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
