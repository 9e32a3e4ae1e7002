//! The input of the parser: trimmed, and without tabs and newlines (URL Standard §4.4, first steps of the basic URL parser).

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::error::{Error, ErrorKind};

/// An input of the parser: the original text, and the text that is parsed.
pub(super) struct Input<'a> {
    original: &'a str,
    /// The part of `original` without C0 controls and spaces at its ends.
    trimmed: &'a str,
    /// The text that the parser reads: `trimmed` without tabs and line breaks.
    pub(super) text: Cow<'a, str>,
}

impl<'a> Input<'a> {
    pub(super) fn new(original: &'a str) -> Self {
        let trimmed = trim(original);
        // No early exit: this compiles to comparisons of vectors.
        let text = if trimmed.bytes().fold(false, |found, byte| found | is_tab_or_newline(byte)) {
            Cow::Owned(trimmed.split(['\t', '\n', '\r']).collect())
        } else {
            Cow::Borrowed(trimmed)
        };
        Input { original, trimmed, text }
    }

    /// Returns the number of bytes that were removed from the start of the original input.
    fn removed_at_start(&self) -> usize {
        self.original.len() - self.original.trim_start_matches(|c| c <= ' ').len()
    }

    /// Converts each position from a byte offset in `text` to a byte offset in the original input. A position next to removed tabs
    /// or line breaks becomes the byte after them. The end of `text` becomes the byte at which `trimmed` ends. No position may be
    /// less than the one before it.
    pub(super) fn restore_positions<'e>(&self, positions: impl Iterator<Item = &'e mut usize>) {
        let (mut at, mut parsed) = (self.removed_at_start(), 0);
        let bytes = &self.original.as_bytes()[..at + self.trimmed.len()];
        let is_removed = |at: usize| bytes.get(at).copied().is_some_and(is_tab_or_newline);
        let removes = matches!(self.text, Cow::Owned(_));
        for position in positions {
            while parsed < *position {
                at += 1;
                while removes && is_removed(at) {
                    at += 1;
                }
                parsed += 1;
            }
            *position = at;
        }
    }

    /// Adds at most two errors: one for characters that were removed at the ends of the original input, and one for the first tab
    /// or line break that was removed inside. Their positions are byte offsets in the original input.
    pub(super) fn report_removed(&self, errors: &mut Vec<Error>) {
        let removed = self.removed_at_start();
        if self.trimmed.len() < self.original.len() {
            let at = if removed > 0 { 0 } else { self.trimmed.len() };
            errors.push(Error::new(ErrorKind::InvalidUrlUnit, at));
        }
        if let Some(at) = self.trimmed.bytes().position(is_tab_or_newline) {
            errors.push(Error::new(ErrorKind::InvalidUrlUnit, removed + at));
        }
    }
}

/// Removes C0 controls and spaces from both ends.
#[inline(always)]
pub(super) fn trim(text: &str) -> &str {
    match text.as_bytes() {
        [] => text,
        [first, .., last] if *first > b' ' && *last > b' ' => text,
        _ => text.trim_matches(|c| c <= ' '),
    }
}

/// Reports whether a byte is a tab, LF or CR.
fn is_tab_or_newline(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
}
