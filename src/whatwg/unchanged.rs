//! Tests whether the URL Standard copies a reference as it is, apart from its dot segments.
//!
//! A text is *unchanged* if all its bytes are 0x21 to 0x7E, its path has none of `` " < > \ ^ ` { } `` and no `%2e`, its query
//! none of `" < > '`, and its fragment none of `` " < > ` ``. Then the path, the query and the fragment are their own
//! percent-encoded forms, and every dot segment is written with dots.
//!
//! A text is *simple* if it is unchanged as any component, no dot follows a slash, and it has none of `%`, `|` and `~`.
//! Most references are. One search finds that out, together with the dots, without looking for components:
//!
//! ```text
//! for each window of 8, 16 or 32 bytes: combine the comparisons of all its bytes with `or`
//! the rest of the text:                 compare the last window of the text, which overlaps the one before it
//! ```
//!
//! If a reference is not simple, its components are found, and each is searched.

use memchr::memchr_iter;

use crate::percent::ByteSet;
use crate::scan::{find_byte, find_either, has_pair};

/// Reports whether a text is simple and does not start with a dot.
#[inline(always)]
pub(super) fn is_simple(text: &[u8]) -> bool {
    text.first().is_none_or(|&first| !is_complex(b'/', first)) && !has_pair(text, is_complex)
}

/// Reports whether a text is simple, does not start with a dot and has no colon.
#[inline(always)]
pub(super) fn is_simple_without_colon(text: &[u8]) -> bool {
    text.first().is_none_or(|&first| !is_complex_or_colon(b'/', first)) && !has_pair(text, is_complex_or_colon)
}

// The tests of a pair of bytes, `this` and `next`, are functions, since closures would not always be inlined. They have no `||`:
// without branches, they compile to comparisons of vectors.

/// Reports whether the second byte of a pair is one that a simple text cannot have.
#[inline(always)]
fn is_odd(_: u8, next: u8) -> bool {
    // `%` and `'` differ in this bit, and so do the space and `"`, `<` and `>`, `\` and `^`. All of `{|}~` follow `z`.
    let both = next | 2;
    (next.wrapping_sub(0x21) > b'z' - 0x21)
        | (both == b'\'')
        | (both == b'"')
        | (both == b'>')
        | (both == b'^')
        | (next == b'`')
}

/// Reports whether a pair of bytes is one that a simple text cannot have: [`is_odd`], or a dot after a slash.
#[inline(always)]
fn is_complex(this: u8, next: u8) -> bool {
    (this == b'/') & (next == b'.') | is_odd(this, next)
}

/// Reports whether the second byte of a pair is a colon, or the pair is one that a simple text cannot have.
#[inline(always)]
fn is_complex_or_colon(this: u8, next: u8) -> bool {
    is_complex(this, next) | (next == b':')
}

/// Reports whether a fragment is unchanged. `text` starts with its `#`.
#[inline(always)]
pub(super) fn is_unchanged_fragment(text: &[u8]) -> bool {
    !has_pair(text, is_encoded_in_fragment)
}

/// Reports whether the second byte of a pair is one that an unchanged fragment cannot have.
#[inline(always)]
fn is_encoded_in_fragment(_: u8, next: u8) -> bool {
    // `!` is the only one before `#`.
    (next.wrapping_sub(b'#') > b'~' - b'#') & (next != b'!') | (next | 2 == b'>') | (next == b'`')
}

/// Reports whether a text is unchanged. The text must not have a scheme or an authority.
#[inline(never)]
pub(super) fn is_unchanged(text: &[u8]) -> bool {
    if text.first().is_none_or(|&first| !is_odd(0, first)) && !has_pair(text, is_odd) {
        return true;
    }
    let path_end = find_either(text, [b'?', b'#']).unwrap_or(text.len());
    let query_end = path_end + find_byte(&text[path_end..], b'#').unwrap_or(text.len() - path_end);
    let (path, query, fragment) = (&text[..path_end], &text[path_end..query_end], &text[query_end..]);
    let has_none_of = |text: &[u8], set: &ByteSet| !text.iter().any(|&byte| set.contains(byte));
    has_none_of(path, &PATH)
        && !has_escaped_dot(path)
        && has_none_of(query, &ByteSet::WHATWG_SPECIAL_QUERY)
        && has_none_of(fragment, &ByteSet::WHATWG_FRAGMENT)
}

/// The bytes of a path that are percent-encoded, and the backslash, which becomes a slash.
const PATH: ByteSet = ByteSet::WHATWG_PATH.add(b'\\');

/// Reports whether a text has `%2e` or `%2E`.
fn has_escaped_dot(text: &[u8]) -> bool {
    memchr_iter(b'%', text).any(|at| matches!(text.get(at + 1..at + 3), Some(b"2e" | b"2E")))
}

/// A table that has true for each byte that an unchanged host can have.
static HOST: [bool; 256] = {
    let mut set = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        set[byte] = matches!(byte as u8, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_');
        byte += 1;
    }
    set
};

/// Reports whether a text is a host that [`host_and_port`] accepts, without a port.
#[inline(always)]
pub(super) fn is_unchanged_host(text: &[u8]) -> bool {
    let label = text.iter().rposition(|&byte| byte == b'.').map_or(0, |dot| dot + 1);
    let is_name = text.get(label).is_some_and(|first| !first.is_ascii_digit());
    // Each pair is for its first byte.
    is_name && !has_pair(text, is_not_of_host) && !is_not_of_host(text[text.len() - 1], 0)
}

/// Reports whether the first byte of a pair is one that an unchanged host cannot have.
#[inline(always)]
fn is_not_of_host(byte: u8, _: u8) -> bool {
    // `-`, `.`, `/` and the digits follow each other, and a slash has ended the host.
    (byte.wrapping_sub(b'a') > b'z' - b'a') & (byte.wrapping_sub(b'-') > b'9' - b'-') & (byte != b'_')
}

/// Returns the length in bytes of the host, and of the port if there is one, at the start of a text. `None` if they may not be
/// written as the Standard serializes them, or if anything but `/`, `?`, `#` or the end of the text follows.
///
/// The host has only `a` to `z`, digits, `.`, `-` and `_`. Its last label is not empty and does not start with a digit, so the host
/// is not an IPv4 address. The port is not `default_port`.
#[inline(always)]
pub(super) fn host_and_port(text: &[u8], default_port: Option<u32>) -> Option<usize> {
    let end = text.iter().position(|&byte| !HOST[usize::from(byte)]).unwrap_or(text.len());
    let label = text[..end].iter().rposition(|&byte| byte == b'.').map_or(0, |dot| dot + 1);
    if label == end || text[label].is_ascii_digit() {
        return None;
    }
    match text.get(end) {
        None | Some(b'/' | b'?' | b'#') => Some(end),
        Some(b':') => {
            let digits = text[end + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let port = &text[end + 1..end + 1 + digits];
            if !(1..=5).contains(&digits) || port[0] == b'0' {
                return None;
            }
            let value = port.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
            let is_written = value <= 65535 && Some(value) != default_port;
            let end = end + 1 + digits;
            (is_written && matches!(text.get(end), None | Some(b'/' | b'?' | b'#'))).then_some(end)
        }
        Some(_) => None,
    }
}
