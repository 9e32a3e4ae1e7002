//! Percent-encoding by the sets of the URL Standard (§1.3, *UTF-8 percent-encode*): without a branch for each byte.

use alloc::string::String;
use core::str;

use super::encode_set::EncodeSet;
use super::simple::needs_no_encoding;
use crate::percent::escape_bytes;

// For each byte, what it becomes and how many bytes these are: itself, or the three of its escape. All four are stored, and what
// follows overwrites those that do not count. So the loop has no branch that depends on the text: in Cyrillic, each byte becomes an
// escape, in French one of some twenty, and a wrong guess of the processor costs more than a byte. A table takes a kilobyte.
type Table = [[u8; 4]; 256];

const fn table(set: EncodeSet) -> Table {
    let mut table = [[0; 4]; 256];
    let mut byte = 0;
    while byte < 256 {
        let [sign, high, low] = escape_bytes(byte as u8);
        table[byte] = if set.bytes().contains(byte as u8) { [sign, high, low, 3] } else { [byte as u8, 0, 0, 1] };
        byte += 1;
    }
    table
}

static C0_CONTROL: Table = table(EncodeSet::C0Control);
static FRAGMENT: Table = table(EncodeSet::Fragment);
static QUERY: Table = table(EncodeSet::Query);
static SPECIAL_QUERY: Table = table(EncodeSet::SpecialQuery);
static PATH: Table = table(EncodeSet::Path);
static USERINFO: Table = table(EncodeSet::Userinfo);

/// Appends a text, and percent-encodes the bytes that are in the set.
pub(super) fn encode_into(text: &str, set: EncodeSet, out: &mut String) {
    // Most texts stay as they are. A search of vectors finds that out at a seventh of the cost of the loop. Only one set has bytes
    // that all others leave, such as `/` and `:`.
    if set != EncodeSet::Userinfo && needs_no_encoding(text.as_bytes()) {
        return out.push_str(text);
    }
    let mut encoder = Encoder::new(out);
    encoder.push(text.as_bytes(), set);
    encoder.flush();
}

/// Writes encoded texts. They are in a buffer first, which [`flush`](Encoder::flush) appends to `out`.
pub(super) struct Encoder<'o> {
    pub(super) out: &'o mut String,
    buffer: Buffer,
    len: usize,
}

/// Always US-ASCII. Aligned, since the standard library then finds that out faster.
#[repr(align(16))]
struct Buffer([u8; LEN]);

const ALIGNMENT: usize = 16;
// Long enough for most references, so that there is one flush; each new encoder has to clear it. An entry that starts at the last
// place has room for its four bytes.
const PLACES: usize = 256;
const LEN: usize = PLACES + ALIGNMENT;
const WINDOW_LEN: usize = 32;
/// The length up to which a window still fits if all its bytes become escapes.
const MOST_BEFORE_WINDOW: usize = PLACES - 3 * WINDOW_LEN;

impl<'o> Encoder<'o> {
    #[inline(always)]
    pub(super) fn new(out: &'o mut String) -> Self {
        Encoder { out, buffer: Buffer([0; LEN]), len: 0 }
    }

    pub(super) fn push(&mut self, text: &[u8], set: EncodeSet) {
        let table = match set {
            EncodeSet::C0Control => &C0_CONTROL,
            EncodeSet::Fragment => &FRAGMENT,
            EncodeSet::Query => &QUERY,
            EncodeSet::SpecialQuery => &SPECIAL_QUERY,
            EncodeSet::Path => &PATH,
            EncodeSet::Userinfo => &USERINFO,
        };
        // Whether there is room is asked once for a window, not for each byte.
        for window in text.chunks(WINDOW_LEN) {
            if self.len > MOST_BEFORE_WINDOW {
                self.flush();
            }
            let mut len = self.len;
            for &byte in window {
                let entry = table[usize::from(byte)];
                // The mask changes nothing, but says that the place is in the buffer: so there is no test of that for each byte.
                let at = len % PLACES;
                self.buffer.0[at..at + entry.len()].copy_from_slice(&entry);
                len += usize::from(entry[3]);
            }
            self.len = len;
        }
    }

    /// Removes a segment and the slash after it, which must have been written last. What is before the byte `root` of the output
    /// stays. Cost: the length of the segment.
    pub(super) fn remove_last_segment(&mut self, root: usize) {
        // No escape has a slash.
        let kept = after_last_slash(&self.buffer.0[..self.len.saturating_sub(1)]);
        // Without a slash, the segment may have started in what is written.
        if kept > 0 || self.len > 0 && self.out.ends_with('/') {
            self.len = kept;
        } else {
            self.flush();
            let written = self.out.as_bytes().get(root..self.out.len() - 1).unwrap_or_default();
            self.out.truncate(root + after_last_slash(written));
        }
    }

    #[inline(never)]
    pub(super) fn flush(&mut self) {
        // Whole blocks: the bytes after `len` are US-ASCII, too, and the check reads no last bytes one by one.
        let whole_blocks = &self.buffer.0[..self.len.next_multiple_of(ALIGNMENT)];
        let text = str::from_utf8(whole_blocks).expect("escapes and US-ASCII");
        self.out.push_str(&text[..self.len]);
        self.len = 0;
    }
}

#[inline(always)]
pub(super) fn after_last_slash(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1)
}
