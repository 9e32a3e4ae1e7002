//! References that are written as the URL Standard serializes them, so that nothing of them needs encoding.
//!
//! A text is *plain* if all its bytes are 0x21 to 0x7E, its path has none of `` " < > \ ^ ` { } `` and no `%2e`, its query
//! none of `" < > '`, and its fragment none of `` " < > ` ``. Then the path, the query and the fragment are their own
//! percent-encoded forms, and every dot segment is written with dots.
//!
//! Most references have none of these characters in any component. That is found out first, without looking for components:
//!
//! ```text
//! for each window of 16 bytes: combine the comparisons of all its bytes with `or`
//! the rest of the text:        compare the last window of the text, which overlaps the one before it
//! ```

use crate::scan::{find_byte, find_either};

const WIDE: usize = 16;
const NARROW: usize = 8;

/// Facts about all bytes of a text.
#[derive(Clone, Copy, Default)]
pub(super) struct Facts {
    /// True if there is a byte that some component must encode, or a `|`.
    pub(super) is_odd: bool,
    pub(super) has_percent: bool,
    pub(super) has_colon: bool,
}

impl Facts {
    #[inline(always)]
    pub(super) fn of(text: &[u8]) -> Self {
        let mut facts = Facts::default();
        if let Some(last) = text.last_chunk::<WIDE>() {
            text.chunks_exact(WIDE).for_each(|window| facts.add::<WIDE>(window));
            facts.add::<WIDE>(last);
        } else if let (Some(first), Some(last)) = (text.first_chunk::<NARROW>(), text.last_chunk::<NARROW>()) {
            facts.add::<NARROW>(first);
            facts.add::<NARROW>(last);
        } else {
            text.iter().for_each(|&byte| facts.add::<1>(&[byte]));
        }
        facts
    }

    #[inline(always)]
    fn add<const N: usize>(&mut self, window: &[u8]) {
        let Some(window) = window.first_chunk::<N>() else { return };
        let (mut odd, mut percent, mut colon) = (0, 0, 0);
        for &byte in window {
            odd |= u8::from(is_odd(byte));
            percent |= u8::from(byte == b'%');
            colon |= u8::from(byte == b':');
        }
        self.is_odd |= odd != 0;
        self.has_percent |= percent != 0;
        self.has_colon |= colon != 0;
    }
}

/// Reports whether some component must encode this byte. `|` needs no encoding, but counts as odd: drive letters have it.
#[inline(always)]
fn is_odd(byte: u8) -> bool {
    // Not 0x21 to 0x7E; `{`, `|`, `}`; `<` and `>`; `\` and `^`, which each differ from the former in one bit. No `||`: without
    // branches, this compiles to comparisons of vectors.
    (byte.wrapping_sub(0x21) > 0x7E - 0x21)
        | (byte.wrapping_sub(b'{') < 3)
        | (byte | 2 == b'>')
        | (byte | 2 == b'^')
        | (byte == b'"')
        | (byte == b'\'')
        | (byte == b'`')
}

/// Reports whether a text is plain: its facts, then each component by itself if these do not tell. It must not have a
/// scheme or authority.
#[inline(always)]
pub(super) fn is_plain(text: &[u8], facts: Facts) -> bool {
    !facts.is_odd && !facts.has_percent || is_plain_by_component(text)
}

#[inline(never)]
fn is_plain_by_component(text: &[u8]) -> bool {
    let path_end = find_either(text, [b'?', b'#']).unwrap_or(text.len());
    let query_end = path_end + find_byte(&text[path_end..], b'#').unwrap_or(text.len() - path_end);
    let (path, query, fragment) = (&text[..path_end], &text[path_end..query_end], &text[query_end..]);
    let is_written =
        |text: &[u8], not: &[u8]| text.iter().all(|byte| matches!(byte, 0x21..=0x7E) && !not.contains(byte));
    is_written(path, b"\"<>\\^`{}")
        && !has_escaped_dot(path)
        && is_written(query, b"\"<>'")
        && is_written(fragment, b"\"<>`")
}

/// Reports whether a text has `%2e` or `%2E`.
fn has_escaped_dot(text: &[u8]) -> bool {
    text.windows(3).any(|window| matches!(window, b"%2e" | b"%2E"))
}

/// True for the bytes of a plain host.
static HOST: [bool; 256] = {
    let mut set = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        set[byte] = matches!(byte as u8, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_');
        byte += 1;
    }
    set
};

/// Returns the length of an authority that is a host or a host and a port, written as the Standard serializes it; then the
/// text ends, or `/`, `?` or `#` follows.
///
/// The host has only `a` to `z`, digits, `.`, `-` and `_`. Its last label is not empty and does not start with a digit: so it
/// is not an IPv4 address.
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
