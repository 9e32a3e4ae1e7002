//! Percent-encoding of path, query and fragment of a special scheme (URL Standard §4.4), for the fast path: in one pass, and without
//! a branch for each byte.

use alloc::string::String;
use core::str;

use super::encode_set::EncodeSet;
use super::query_charset::QueryCharset;
use super::simple::is_escaped_dot;
use crate::percent::{ByteSet, escape_bytes};
use crate::scan::find_byte;

/// Components are written into the buffer, which is then appended to the text.
pub(super) struct Encoder<'o> {
    out: &'o mut String,
    buffer: Buffer,
    len: usize,
}

/// Always US-ASCII. Aligned, since the standard library then finds that out faster.
#[repr(align(16))]
struct Buffer([u8; LEN]);

const ALIGNMENT: usize = 16;
const LEN: usize = 192;
const WINDOW_LEN: usize = 32;
/// Then a window fits if all its bytes become escapes, and of the last one also the fourth byte.
const MOST_BEFORE_WINDOW: usize = LEN - 3 * WINDOW_LEN - 1;

/// The bytes that each byte becomes, and how many these are: one or three, or zero for the bytes at which the loop stops.
type Table = [[u8; 4]; 256];

static PATH: Table = table(EncodeSet::Path, b"?#%\\\t\n\r");
static QUERY: Table = table(EncodeSet::SpecialQuery, b"#\t\n\r");
static FRAGMENT: Table = table(EncodeSet::Fragment, b"\t\n\r");

const fn table(set: EncodeSet, stops: &[u8]) -> Table {
    let stops = ByteSet::new(stops);
    let mut table = [[0; 4]; 256];
    let mut byte = 0;
    while byte < 256 {
        let this = byte as u8;
        let [sign, high, low] = escape_bytes(this);
        if !stops.contains(this) {
            table[byte] = if set.bytes().contains(this) { [sign, high, low, 3] } else { [this, 0, 0, 1] };
        }
        byte += 1;
    }
    table
}

/// Reports whether a path has a backslash, a tab, a line break, or `%2e`.
pub(super) fn path_needs_states(path: &[u8]) -> bool {
    let mut left = path;
    while let Some(at) = left.iter().position(|&byte| PATH[usize::from(byte)][3] == 0) {
        if left[at] != b'%' || is_escaped_dot(&left[at..]) {
            return true;
        }
        left = &left[at + 1..];
    }
    false
}

impl<'o> Encoder<'o> {
    pub(super) fn new(out: &'o mut String) -> Self {
        Encoder { out, buffer: Buffer([0; LEN]), len: 0 }
    }

    /// Returns the byte at which the path ends, or at which there is a backslash, a tab, a line break, or `%2e`.
    #[inline(always)]
    pub(super) fn push_path(&mut self, text: &[u8]) -> usize {
        let mut at = 0;
        if matches!(text.first(), Some(b'?' | b'#')) {
            return at;
        }
        loop {
            at += self.push(&text[at..], &PATH);
            if text.get(at) != Some(&b'%') || is_escaped_dot(&text[at..]) {
                return at;
            }
            at += self.push(b"%", &FRAGMENT);
        }
    }

    /// Writes all that is left. `text` must start with `?` or `#`, or be empty. Returns false if it does not, or if there is a tab or
    /// line break.
    #[inline(always)]
    pub(super) fn finish(&mut self, text: &str, query_charset: Option<QueryCharset>) -> bool {
        let bytes = text.as_bytes();
        let mut at = 0;
        if bytes.first() == Some(&b'?') {
            at = match query_charset {
                None => self.push(bytes, &QUERY),
                Some(charset) => self.push_query_in(charset, text),
            };
        }
        let is_whole = match bytes.get(at) {
            None => true,
            Some(b'#') => at + self.push(&bytes[at..], &FRAGMENT) == bytes.len(),
            _ => false,
        };
        self.flush();
        is_whole
    }

    #[inline(never)]
    fn push_query_in(&mut self, charset: QueryCharset, text: &str) -> usize {
        let end = find_byte(text.as_bytes(), b'#').unwrap_or(text.len());
        let query = &text[1..end];
        if let Some(at) = query.find(['\t', '\n', '\r']) {
            return 1 + at;
        }
        self.flush();
        self.out.push('?');
        (charset.encode)(charset.name, query, *EncodeSet::SpecialQuery.bytes(), self.out);
        end
    }

    /// Returns the byte at which there is a stop, or the length.
    fn push(&mut self, text: &[u8], table: &Table) -> usize {
        for (number, window) in text.chunks(WINDOW_LEN).enumerate() {
            if self.len > MOST_BEFORE_WINDOW {
                self.flush_early();
            }
            let mut len = self.len;
            for (at, &byte) in window.iter().enumerate() {
                let entry = table[usize::from(byte)];
                self.buffer.0[len..len + entry.len()].copy_from_slice(&entry);
                if entry[3] == 0 {
                    self.len = len;
                    return WINDOW_LEN * number + at;
                }
                len += usize::from(entry[3]);
            }
            self.len = len;
        }
        text.len()
    }

    #[inline(never)]
    fn flush_early(&mut self) {
        self.flush();
    }

    #[inline(always)]
    fn flush(&mut self) {
        let whole_blocks = &self.buffer.0[..self.len.next_multiple_of(ALIGNMENT)];
        let text = str::from_utf8(whole_blocks).expect("all else is encoded");
        self.out.push_str(&text[..self.len]);
        self.len = 0;
    }
}
