//! The input of the parser: trimmed, and without tabs and newlines (URL Standard §4.4, first steps of the basic URL parser).

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

use super::error::{Error, ErrorKind};
use super::inspection::Inspection;
use super::step::{Action, Step};

pub(super) struct Input<'a> {
    original: &'a str,
    /// The input without C0 controls and spaces at its ends. The value of a component keeps these.
    trimmed: &'a str,
    /// The same without tabs and line breaks.
    pub(super) text: Cow<'a, str>,
}

impl<'a> Input<'a> {
    pub(super) fn new(original: &'a str) -> Self {
        let trimmed = trim(original);
        Input { original, trimmed, text: without_tabs(trimmed) }
    }

    /// Returns the input for the value of a component, which is not trimmed.
    pub(super) fn untrimmed(original: &'a str) -> Self {
        Input { original, trimmed: original, text: without_tabs(original) }
    }

    fn removed_at_start(&self) -> usize {
        if self.trimmed.len() == self.original.len() {
            return 0;
        }
        self.original.len() - self.original.trim_start_matches(|c| c <= ' ').len()
    }

    /// Converts byte offsets in `text`, in ascending order, to offsets in the original input: next to removed tabs or line breaks,
    /// to the byte after them; at the end of `text`, to that of `trimmed`.
    pub(super) fn restore_positions<'e>(&self, positions: impl Iterator<Item = &'e mut usize>) {
        // One pass for all positions, which must ascend: an input may have a thousand errors, and a tab after each character.
        let (mut at, mut parsed) = (self.removed_at_start(), 0);
        let bytes = &self.original.as_bytes()[..at + self.trimmed.len()];
        let is_removed = |at: usize| bytes.get(at).copied().is_some_and(is_tab_or_newline);
        let removes = matches!(self.text, Cow::Owned(_));
        let skip_removed = |at: &mut usize| {
            while removes && is_removed(*at) {
                *at += 1;
            }
        };
        // They are there if nothing was trimmed.
        skip_removed(&mut at);
        for position in positions {
            while parsed < *position {
                at += 1;
                skip_removed(&mut at);
                parsed += 1;
            }
            *position = at;
        }
    }

    /// Adds at most two errors: one for the ends, one for the first tab or line break inside. Offsets are in the original input.
    pub(super) fn report_removed(&self, found: &mut Inspection) {
        let start = self.removed_at_start();
        let end = start + self.trimmed.len();
        let mut add_step = |action, range: Range<usize>, text: &str| {
            let (text, written) = (String::from(text), String::new());
            found.add_step(Step { action, state: None, range, text, written });
        };
        for range in [0..start, end..self.original.len()].into_iter().filter(|range| !range.is_empty()) {
            add_step(Action::Trimmed, range.clone(), &self.original[range]);
        }
        let mut removed = self.trimmed.bytes().enumerate().filter(|&(_, byte)| is_tab_or_newline(byte));
        let first = removed.next();
        if let Some((first, _)) = first {
            let (count, last) = removed.fold((1, first), |(count, _), (at, _)| (count + 1, at));
            add_step(Action::TabsRemoved { count }, start + first..start + last + 1, "");
        }
        if self.trimmed.len() < self.original.len() {
            let at = if start > 0 { 0 } else { end };
            found.add_error(Error::new(ErrorKind::InvalidUrlUnit, at));
        }
        if let Some((at, _)) = first {
            found.add_error(Error::new(ErrorKind::InvalidUrlUnit, start + at));
        }
    }
}

/// Removes C0 controls and spaces.
#[inline(always)]
pub(super) fn trim(text: &str) -> &str {
    // Two comparisons answer for nearly all texts; `trim_matches` decodes characters from both ends.
    match text.as_bytes() {
        [] => text,
        [first, .., last] if *first > b' ' && *last > b' ' => text,
        _ => text.trim_matches(|c| c <= ' '),
    }
}

#[inline(always)]
fn without_tabs(text: &str) -> Cow<'_, str> {
    // No early exit: this compiles to comparisons of vectors.
    if text.bytes().fold(false, |found, byte| found | is_tab_or_newline(byte)) {
        Cow::Owned(text.split(['\t', '\n', '\r']).collect())
    } else {
        Cow::Borrowed(text)
    }
}

fn is_tab_or_newline(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
}
