//! The text of a result, in pieces that are borrowed from the base and the reference.

use alloc::string::String;
use core::fmt::{self, Write};

use crate::resolve::segments::Segments;

/// The pieces of a result between its head and its tail.
#[derive(Clone)]
pub(crate) struct Middle<'a> {
    /// The authority of the reference with its slashes, or the guard `/.`, or empty.
    pub(crate) lead: &'a str,
    /// Segments of the base's path that are not in the head, with slashes between them. A slash is written after them.
    pub(crate) base_segments: Option<&'a str>,
    /// Segments of the reference that were before its dot segments. A slash is written after each.
    pub(crate) reference_segments: Segments<'a>,
}

impl<'a> Middle<'a> {
    /// Returns a middle that is only a lead.
    pub(crate) fn lead(lead: &'a str) -> Self {
        Middle { lead, base_segments: None, reference_segments: Segments::empty() }
    }

    /// Returns the pieces after the lead. A slash is written after each.
    fn segments(&self) -> impl Iterator<Item = &'a str> {
        self.base_segments.iter().chain(self.reference_segments.iter()).copied()
    }
}

/// The pieces of the whole text of a result or of its path: head, lead, segments of the middle, tail.
#[derive(Clone, Copy)]
pub(super) struct Pieces<'r, 'a> {
    pub(super) head: &'a str,
    /// The lead of the middle; empty if the lead is not a part of the text.
    pub(super) lead: &'a str,
    /// The segments after the lead. The lead of this middle is not read.
    pub(super) middle: Option<&'r Middle<'a>>,
    pub(super) tail: &'a str,
}

impl<'a> Pieces<'_, 'a> {
    /// Calls `each` with each piece, in order.
    #[inline]
    fn each(self, mut each: impl FnMut(&'a str)) {
        each(self.head);
        if let Some(middle) = self.middle {
            each(self.lead);
            for text in middle.segments() {
                each(text);
                each("/");
            }
        }
        each(self.tail);
    }

    /// Returns the text if it is one piece, else `None`.
    #[inline]
    pub(super) fn single(self) -> Option<&'a str> {
        match self {
            Pieces { middle: Some(_), .. } => None,
            Pieces { head: "", tail: text, .. } | Pieces { head: text, tail: "", .. } => Some(text),
            _ => None,
        }
    }

    /// Returns the length of the text in bytes.
    #[inline]
    pub(super) fn len(self) -> usize {
        let middle = self
            .middle
            .map_or(0, |middle| self.lead.len() + middle.segments().map(|text| text.len() + 1).sum::<usize>());
        self.head.len() + middle + self.tail.len()
    }

    #[inline]
    pub(super) fn append_to(self, out: &mut String) {
        out.reserve(self.len());
        self.each(|piece| out.push_str(piece));
    }

    pub(super) fn write_to(self, out: &mut impl Write) -> fmt::Result {
        let mut result = Ok(());
        self.each(|piece| result = result.and_then(|()| out.write_str(piece)));
        result
    }

    pub(super) fn text(self) -> String {
        let mut text = String::new();
        self.append_to(&mut text);
        text
    }

    /// Reports whether the pieces together are `text`. Nothing is allocated.
    pub(super) fn is(self, text: &str) -> bool {
        let mut rest = Some(text);
        self.each(|piece| rest = rest.and_then(|rest| rest.strip_prefix(piece)));
        rest == Some("")
    }
}
