//! Copies a page with other bytes at some places, and keeps only the bytes that may still change.

use alloc::vec::Vec;
use core::ops::Range;
use std::io::{self, Write};

use memchr::memrchr_iter;

pub(super) struct Splice {
    /// The offsets in the page.
    pub(super) range: Range<u64>,
    pub(super) bytes: Vec<u8>,
    /// The page is in ISO-2022-JP.
    pub(super) has_modes: bool,
}

/// Writes the bytes up to the offset `end` of a page with these splices, which are in the order of the page. `kept` is the page
/// from the offset `at` on. Returns the length that was read.
pub(super) fn splice(
    kept: &[u8],
    at: u64,
    end: u64,
    splices: &mut Vec<Splice>,
    out: &mut (impl Write + ?Sized),
) -> io::Result<usize> {
    let index = |offset: u64| usize::try_from(offset.saturating_sub(at)).unwrap_or(usize::MAX).min(kept.len());
    let mut written = 0;
    for Splice { range, bytes, has_modes } in splices.drain(..) {
        let (start, end) = (index(range.start), index(range.end));
        out.write_all(&kept[written..start])?;
        out.write_all(&bytes)?;
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
    pub(super) fn write_to(
        &mut self,
        end: u64,
        splices: &mut Vec<Splice>,
        out: &mut (impl Write + ?Sized),
    ) -> io::Result<()> {
        let len = splice(&self.bytes, self.at, end, splices, out)?;
        self.bytes.drain(..len);
        self.at += len as u64;
        Ok(())
    }
}
