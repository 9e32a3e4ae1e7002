//! Copies a page with other bytes at some places, and keeps only the bytes that may still change.

use std::io::{self, Write};
use std::ops::Range;

use encoding_rs::{Encoding, ISO_2022_JP};
use memchr::memrchr_iter;

use super::written::encode;

/// The places of a page that get other bytes, in its order.
#[derive(Default)]
pub(super) struct Splices {
    list: Vec<Splice>,
    /// The new ones, one after the other.
    bytes: Vec<u8>,
}

struct Splice {
    /// The offsets in the page.
    range: Range<u64>,
    /// The number of the new bytes.
    len: usize,
    /// The page is in ISO-2022-JP.
    has_modes: bool,
}

impl Splices {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn push(&mut self, range: Range<u64>, text: &str, charset: &'static Encoding) {
        let bytes = encode(text, charset);
        self.bytes.extend_from_slice(&bytes);
        self.list.push(Splice { range, len: bytes.len(), has_modes: charset == ISO_2022_JP });
    }
}

/// Writes the bytes up to the offset `end` of a page with these splices. `kept` is the page from the offset `at` on. Returns the
/// length that was read.
pub(super) fn splice(
    kept: &[u8],
    at: u64,
    end: u64,
    splices: Splices,
    out: &mut (impl Write + ?Sized),
) -> io::Result<usize> {
    let index = |offset: u64| usize::try_from(offset.saturating_sub(at)).unwrap_or(usize::MAX).min(kept.len());
    let mut written = 0;
    let mut bytes = &splices.bytes[..];
    for Splice { range, len, has_modes } in splices.list {
        let (start, end) = (index(range.start), index(range.end));
        out.write_all(&kept[written..start])?;
        out.write_all(&bytes[..len])?;
        bytes = &bytes[len..];
        if has_modes {
            out.write_all(mode_to_keep(&kept[start..end], &kept[end..]))?;
        }
        written = end;
    }
    let end = index(end).max(written);
    out.write_all(&kept[written..end])?;
    Ok(end)
}

/// The last escape sequence in what is replaced, unless another follows: two of them without a character between are an error.
fn mode_to_keep<'o>(old: &'o [u8], after: &[u8]) -> &'o [u8] {
    let is_sequence = |bytes: &&[u8]| matches!(bytes, [ESC, b'(', b'B' | b'J' | b'I'] | [ESC, b'$', b'@' | b'B']);
    if after.get(..3).is_some_and(|after| is_sequence(&after)) {
        return b"";
    }
    memrchr_iter(ESC, old).filter_map(|at| old.get(at..at + 3)).find(is_sequence).unwrap_or_default()
}

const ESC: u8 = 0x1B;

/// The bytes of a page that are not written yet.
#[derive(Default)]
pub(super) struct Kept {
    pub(super) bytes: Vec<u8>,
    /// Their offset in the page.
    pub(super) at: u64,
}

impl Kept {
    pub(super) fn write_to(&mut self, end: u64, splices: Splices, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        let len = splice(&self.bytes, self.at, end, splices, out)?;
        self.bytes.drain(..len);
        self.at += len as u64;
        Ok(())
    }
}
