//! Checks of single components against the grammar of RFC 3986, appendix A.

use core::ops::Range;

use crate::error::{Error, ErrorKind};
use crate::percent::{ByteSet, illegal_escape_error, octet};
use crate::scheme::Authority;
use crate::validate::check_host;

type Checked = Result<(), Error>;

static IN_USERINFO: [bool; 256] = ByteSet::USERINFO.complement().table();
static IN_PATH: [bool; 256] = ByteSet::PATH.complement().table();
static IN_QUERY: [bool; 256] = ByteSet::QUERY.complement().table();

pub(super) fn check_scheme(scheme: &str) -> Checked {
    let refused =
        |expected, at| Err(Error::new(ErrorKind::NotValid, expected, scheme, at).with_grammar("`scheme` of RFC 3986"));
    if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return refused("a letter to start a scheme", 0);
    }
    match scheme.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))) {
        Some(at) => refused("a letter, a digit, `+`, `-` or `.` in a scheme", at),
        None => Ok(()),
    }
}

pub(super) fn check_authority(text: &str) -> Checked {
    let Authority { userinfo, host, port_text, .. } = Authority::new(text, None);
    let host_start = userinfo.map_or(0, |userinfo| userinfo.len() + 1);
    let host_end = host_start + host.len();
    check_userinfo_in(text, 0..host_start.saturating_sub(1))?;
    check_host_in(text, host_start..host_end)?;
    port_text.map_or(Ok(()), |_| check_port_in(text, host_end + 1..text.len()))
}

pub(super) fn check_userinfo(text: &str) -> Checked {
    check_userinfo_in(text, 0..text.len())
}

pub(super) fn check_host_alone(text: &str) -> Checked {
    check_host_in(text, 0..text.len())
}

pub(super) fn check_port(text: &str) -> Checked {
    check_port_in(text, 0..text.len())
}

pub(super) fn check_path(text: &str) -> Checked {
    check(text, 0..text.len(), &IN_PATH, ["a character of `path`", "`path` of RFC 3986"])
}

pub(super) fn check_query(text: &str) -> Checked {
    check(text, 0..text.len(), &IN_QUERY, ["a character of `query`", "`query` of RFC 3986"])
}

pub(super) fn check_fragment(text: &str) -> Checked {
    check(text, 0..text.len(), &IN_QUERY, ["a character of `fragment`", "`fragment` of RFC 3986"])
}

fn check_userinfo_in(text: &str, range: Range<usize>) -> Checked {
    check(text, range, &IN_USERINFO, ["a character of `userinfo`", "`userinfo` of RFC 3986"])
}

fn check_host_in(text: &str, range: Range<usize>) -> Checked {
    check_host(text, range.start, range.end).map_err(|error| error.with_grammar("`host` of RFC 3986"))
}

fn check_port_in(text: &str, range: Range<usize>) -> Checked {
    match text[range.clone()].find(|c: char| !c.is_ascii_digit()) {
        Some(at) => Err(Error::new(ErrorKind::NotValid, "a digit of `port`", text, range.start + at)
            .with_grammar("`port` of RFC 3986")),
        None => Ok(()),
    }
}

/// Permits the octets of a table, and escapes.
#[inline]
fn check(text: &str, range: Range<usize>, permitted: &[bool; 256], phrases: [&'static str; 2]) -> Checked {
    let bytes = &text.as_bytes()[..range.end];
    let mut at = range.start;
    while let Some(&byte) = bytes.get(at) {
        if permitted[usize::from(byte)] {
            at += 1;
        } else if octet(&bytes[at..]).is_some() {
            at += 3;
        } else {
            return Err(not_permitted(text, at, phrases));
        }
    }
    Ok(())
}

#[cold]
fn not_permitted(text: &str, at: usize, [expected, grammar]: [&'static str; 2]) -> Error {
    if text.as_bytes()[at] == b'%' {
        return illegal_escape_error(text, at);
    }
    Error::new(ErrorKind::NotValid, expected, text, at).with_grammar(grammar)
}
