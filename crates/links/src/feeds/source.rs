//! Where the text of a part of a feed stands in it.

use std::ops::Range;

use super::attributes::each_piece;

/// The form in which a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Text,
    Cdata,
    /// The value of an attribute, and the quote around it, if there is one.
    Attribute(Option<u8>),
    /// Attributes of XHTML, which are themselves the text.
    Markup,
}

/// More memory is not used for a text.
const MAX_SEGMENTS: usize = 1 << 17;

/// The places of a text. Offsets are in bytes, those in the feed of its form in UTF-8.
#[derive(Debug, Default)]
pub(crate) struct Source {
    /// In the order of the text. What is not in the feed is in none.
    segments: Vec<Segment>,
    text_len: usize,
}

/// Written as it is, or one reference: then the lengths differ.
#[derive(Debug)]
struct Segment {
    text: Range<usize>,
    written: Range<u64>,
    form: Form,
}

impl Source {
    pub(super) fn clear(&mut self) {
        self.segments.clear();
        self.segments.shrink_to(1 << 10);
        self.text_len = 0;
    }

    /// Adds the next part of the text. `at` is `None` if it is not in the feed.
    pub(super) fn push(&mut self, text_len: usize, at: Option<(Range<u64>, Form)>) {
        let text = self.text_len..self.text_len + text_len;
        self.text_len = text.end;
        let Some((written, form)) = at.filter(|_| text_len > 0) else { return };
        if let Some(last) = self.segments.last_mut() {
            let is_next = (last.text.end, last.written.end, last.form) == (text.start, written.start, form);
            if is_next && last.is_plain() && written.end - written.start == text_len as u64 {
                (last.text.end, last.written.end) = (text.end, written.end);
                return;
            }
        }
        if self.segments.len() < MAX_SEGMENTS {
            self.segments.push(Segment { text, written, form });
        }
    }

    /// Adds a text with references, which is decoded.
    pub(super) fn push_escaped(&mut self, raw: &str, at: u64, form: Form) {
        let mut at = at;
        if raw.is_empty() {
            // An empty reference has a place, too.
            self.segments.push(Segment { text: self.text_len..self.text_len, written: at..at, form });
        }
        each_piece(raw, |written, decoded| {
            let end = at + written.len() as u64;
            self.push(decoded.len(), Some((at..end, form)));
            at = end;
        });
    }

    /// Returns where a part of the text stands, and what it is written as. `None` if it is not in one piece.
    pub(crate) fn place(&self, text: Range<usize>) -> Option<(Range<u64>, Form)> {
        let first = self.segments.partition_point(|segment| {
            segment.text.end <= text.start && !text.is_empty() || segment.text.end < text.start
        });
        let last = self.segments.partition_point(|segment| segment.text.start < text.end).saturating_sub(1).max(first);
        let segments = self.segments.get(first..=last)?;
        let is_one = segments.windows(2).all(|pair| {
            let [before, after] = pair else { return false };
            (before.text.end, before.written.end, before.form) == (after.text.start, after.written.start, after.form)
        });
        let (start, end) = (segments.first()?.offset(text.start)?, segments.last()?.offset(text.end)?);
        is_one.then(|| (start..end, segments[0].form))
    }
}

impl Segment {
    fn is_plain(&self) -> bool {
        self.text.len() as u64 == self.written.end - self.written.start
    }

    fn offset(&self, text: usize) -> Option<u64> {
        match text {
            _ if !(self.text.start..=self.text.end).contains(&text) => None,
            _ if self.is_plain() => Some(self.written.start + (text - self.text.start) as u64),
            text if text == self.text.start => Some(self.written.start),
            text if text == self.text.end => Some(self.written.end),
            _ => None,
        }
    }
}
