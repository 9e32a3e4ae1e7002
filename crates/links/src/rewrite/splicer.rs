//! Copies a page with other bytes at some places, and keeps only the bytes that may still change.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use encoding_rs::{Encoding, ISO_2022_JP};
use memchr::memrchr_iter;

use super::session::{EachEdit, Edit, NewTexts};
use super::value::NewText;
use super::written::encode;
use crate::html::{Place, Positions};

/// A page on its way to the output. New texts are written as they come: together they may be much longer than the page.
pub(super) struct Splicer<'s, 'e, W> {
    /// The bytes of the page from the offset `at` on, as far as they have come.
    page: Cow<'s, [u8]>,
    at: u64,
    /// The number of bytes of `page` that are written or replaced.
    written: usize,
    pub(super) out: W,
    each_edit: Option<&'s mut EachEdit<'e>>,
    failure: Option<io::Error>,
}

impl<'s, 'e, W: Write> Splicer<'s, 'e, W> {
    pub(super) fn new(page: Cow<'s, [u8]>, out: W, each_edit: Option<&'s mut EachEdit<'e>>) -> Self {
        Splicer { page, at: 0, written: 0, out, each_edit, failure: None }
    }

    pub(super) fn push(&mut self, chunk: &[u8]) {
        self.page.to_mut().extend_from_slice(chunk);
    }

    /// The first bytes of the page; `None` once some are written.
    pub(super) fn start(&self) -> Option<&[u8]> {
        (self.at == 0 && self.written == 0).then_some(&self.page)
    }

    pub(super) fn index(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.at)).unwrap_or(usize::MAX).min(self.page.len())
    }

    /// Writes the page up to the start of a range, and `new` instead of what is in it. Ranges come in the order of the page.
    /// `place` has their lines, if an edit is to have them.
    pub(super) fn replace(&mut self, range: Range<u64>, place: Option<Place>, new: &str, charset: &'static Encoding) {
        let (start, end) = (self.index(range.start).max(self.written), self.index(range.end).max(self.written));
        let replaced = &self.page[start..end];
        let mode = if charset == ISO_2022_JP { mode_to_keep(replaced, &self.page[end..]) } else { b"" };
        let mut bytes = encode(new, charset);
        if !mode.is_empty() {
            bytes.to_mut().extend_from_slice(mode);
        }
        if let Some(each) = &mut self.each_edit {
            let old = charset.decode_without_bom_handling(replaced).0;
            each(Edit { start: range.start, end: range.end, place, old: &old, new, bytes: &bytes });
        }
        if self.failure.is_none() {
            let before = self.out.write_all(&self.page[self.written..start]);
            self.failure = before.and_then(|()| self.out.write_all(&bytes)).err();
        }
        self.written = end;
    }

    /// Writes the page up to the offset `end`, which need not be kept any longer. The first error of the output is returned here.
    pub(super) fn write_to(&mut self, end: u64) -> io::Result<()> {
        self.failure.take().map_or(Ok(()), Err)?;
        let end = self.index(end).max(self.written);
        self.out.write_all(&self.page[self.written..end])?;
        self.written = end;
        if let Cow::Owned(page) = &mut self.page {
            page.drain(..end);
            (self.at, self.written) = (self.at + end as u64, 0);
        }
        Ok(())
    }
}

impl<W: Write> NewTexts for Splicer<'_, '_, W> {
    #[cfg(feature = "markdown")]
    fn page_bytes(&self, range: Range<u64>) -> Option<&[u8]> {
        self.page.get(self.index(range.start)..self.index(range.end))
    }

    fn add(&mut self, new: NewText<'_>, charset: &'static Encoding) -> bool {
        self.replace(new.place.start..new.place.end, Some(new.place), new.text(), charset);
        true
    }

    fn positions(&self) -> Positions {
        if self.each_edit.is_some() { Positions::Lines } else { Positions::Offsets }
    }

    fn has_failed(&self) -> bool {
        self.failure.is_some()
    }
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
