//! The occurrence of a reference in a page, as a writer of another reference needs to know it.

use std::ops::Range;

use encoding_rs::Encoding;

use super::page_base::PageBase;
use super::places::{Place, Places};
use super::rendered::DestinationForm;
pub(crate) use super::tokens::attribute::Syntax;
pub(crate) use super::tokens::character_references::TextKind;
use super::tokens::character_references::decode_reference;
use super::tokens::element::Element;
use super::values::clean::{clean_reference, decode_pieces};
use super::values::css::{self, CssUrl};
use super::values::references::references;

/// A part of a text, and how it is read.
pub(crate) type Piece = (Range<usize>, TextKind);

/// How the references in a value are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// `None` for UTF-8.
    pub(crate) charset: Option<&'static Encoding>,
    pub(crate) syntax: Syntax,
    pub(crate) element: Element,
    pub(crate) may_be_empty: bool,
    /// A reference without `://` is none: the `guid` of RSS.
    pub(crate) needs_host: bool,
}

/// A reference as it is written: where, and in which value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence<'p> {
    pub(crate) place: Place,
    /// The text that is scanned.
    pub(crate) chunk: &'p [u8],
    /// The pieces of the value, in the chunk.
    pub(crate) pieces: &'p [Piece],
    /// The offset of the chunk in the whole text.
    pub(crate) chunk_at: u64,
    /// The place of the reference in the chunk.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) reading: Reading,
    /// In a page that is rendered: how its destination is written there. `None` in HTML.
    #[cfg_attr(not(feature = "markdown"), allow(dead_code, reason = "nothing else is rendered"))]
    pub(crate) form: Option<DestinationForm>,
    /// In CSS: the character before the URL, which is a quote if it is a string.
    pub(crate) before: Option<u8>,
    /// To which a reference that is not empty is relative. `None` until the link is resolved.
    pub(crate) base: Option<PageBase<'p>>,
    /// The base of the page as if there were no `base` element. `None` until the link is resolved.
    pub(crate) own_base: Option<PageBase<'p>>,
    /// The base is that of a `codebase`.
    pub(crate) has_codebase: bool,
    /// The reference is the `href` of a `base` element.
    pub(crate) is_base: bool,
    /// The reference is a fragment of the page itself, whatever the base is.
    pub(crate) is_local: bool,
    /// The place is that of the whole value with its quotes, which is made empty, rather than that of an attribute to leave out.
    pub(crate) is_emptied: bool,
}

impl<'p> Occurrence<'p> {
    /// Returns the occurrence of a reference that is all of its value, and the first of a text whose lines do not count.
    pub(super) fn new(chunk: &'p [u8], pieces: &'p [Piece], charset: Option<&'static Encoding>) -> Self {
        let (syntax, element) = (Syntax::Reference, Element::Other);
        Occurrence {
            place: Place { start: 0, end: 0, line: 1, column: 1, column_utf16: 1 },
            chunk,
            pieces,
            chunk_at: 0,
            start: 0,
            end: 0,
            reading: Reading { charset, syntax, element, may_be_empty: false, needs_host: false },
            form: None,
            before: None,
            base: None,
            own_base: None,
            has_codebase: false,
            is_base: false,
            is_local: false,
            is_emptied: false,
        }
    }

    pub(super) fn with(mut self, syntax: Syntax, element: Element, before: Option<u8>) -> Self {
        (self.reading.syntax, self.reading.element, self.before) = (syntax, element, before);
        self
    }

    /// Sets the place in the chunk, and finds the one in the page.
    pub(super) fn at(self, places: &mut Places, range: Range<usize>) -> Option<Self> {
        let (start, end, chunk_at) = (range.start, range.end, places.chunk_at);
        let (place, form) = places.place(self.chunk, range)?;
        Some(Occurrence { place, form, start, end, chunk_at, ..self })
    }

    /// Sets the place in the chunk, which is all of a text.
    #[cfg(feature = "feeds")]
    pub(super) fn in_text(self, Range { start, end }: Range<usize>) -> Self {
        Occurrence { place: Place { start: start as u64, end: end as u64, ..self.place }, start, end, ..self }
    }

    /// Returns the occurrence of a reference in a line of a text, after so many characters of the line.
    #[cfg(feature = "page")]
    pub(crate) fn in_line(text: &'p [u8], pieces: &'p [Piece], line: u64, before: &str) -> Self {
        let Range { start, end } = pieces.first().map_or(0..0, |(piece, _)| piece.clone());
        let [column, column_utf16] = [before.chars().count(), before.encode_utf16().count()].map(|len| 1 + len as u64);
        let place = Place { start: start as u64, end: end as u64, line, column, column_utf16 };
        Occurrence { place, start, end, ..Occurrence::new(text, pieces, None) }
    }

    /// The quote around the value of an attribute. `None` without one, and for texts.
    pub(crate) fn quote(&self) -> Option<u8> {
        let [(piece, TextKind::Attribute)] = self.pieces else { return None };
        self.byte_before(piece).filter(|byte| matches!(byte, b'"' | b'\''))
    }

    /// The attribute is only a name.
    pub(crate) fn has_no_value(&self) -> bool {
        let [(piece, TextKind::Attribute)] = self.pieces else { return false };
        let may_start_value = |byte: u8| matches!(byte, b'"' | b'\'' | b'=') || byte.is_ascii_whitespace();
        piece.is_empty() && !self.byte_before(piece).is_some_and(may_start_value)
    }

    fn byte_before(&self, piece: &Range<usize>) -> Option<u8> {
        self.chunk[..piece.start].last().copied()
    }

    fn piece(&self) -> Option<&Piece> {
        self.pieces.get(self.pieces.partition_point(|(piece, _)| piece.end < self.start))
    }

    /// The kind of the text around the reference.
    pub(crate) fn kind(&self) -> TextKind {
        self.piece().map_or(TextKind::RawText, |(_, kind)| *kind)
    }

    /// The bytes of the reference as it is written, and those between it and the end of its value.
    pub(crate) fn written(&self) -> (&'p [u8], &'p [u8]) {
        let end = self.piece().map_or(self.end, |(piece, _)| piece.end.max(self.end));
        self.chunk[self.start..end].split_at(self.end - self.start)
    }

    /// The last bytes before the reference in its text. White space that was removed from the reference is in them, also as
    /// escapes.
    pub(crate) fn before(&self) -> &'p [u8] {
        const LEN: usize = 12;
        let start = self.piece().map_or(self.start, |(piece, _)| piece.start.max(self.start.saturating_sub(LEN)));
        &self.chunk[start..self.start]
    }

    /// The reference is all of its value.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.pieces, [(piece, _)] if *piece == (self.start..self.end))
    }

    /// The reference is the URL of a token of CSS.
    pub(crate) fn is_css(&self) -> bool {
        match self.reading.syntax {
            Syntax::Css | Syntax::SvgCss => true,
            Syntax::Background => self.before.is_some(),
            _ => false,
        }
    }

    /// Reports whether `text`, which starts with `&`, starts with a character reference where this value stands.
    pub(crate) fn starts_with_reference(&self, text: &[u8]) -> bool {
        let has_references = matches!(self.kind(), TextKind::Text | TextKind::Attribute);
        has_references && decode_reference(text, self.kind(), &mut Vec::new()).is_some()
    }
}

impl Reading {
    /// Passes each reference in a value to `each`, in order.
    pub(crate) fn references(&self, chunk: &[u8], pieces: &[Piece], each: &mut dyn FnMut(&str)) {
        let (mut buffer, mut clean) = (Vec::new(), String::new());
        let text = decode_pieces(chunk, pieces, self.charset, &mut buffer);
        let mut each = |written: &str| {
            let reference = clean_reference(written, &mut clean);
            if (!reference.is_empty() || self.may_be_empty) && (!self.needs_host || reference.contains("://")) {
                each(reference);
            }
        };
        let is_css = match self.syntax {
            Syntax::Css | Syntax::SvgCss => true,
            Syntax::Background => text.contains("url("),
            _ => false,
        };
        if is_css {
            let context = match pieces {
                [(_, TextKind::Attribute)] => css::CssContext::Attribute,
                _ => css::CssContext::Sheet,
            };
            css::urls(&text, context, |CssUrl { url, .. }| each(url));
        } else {
            references(self.syntax, self.element, &text, &mut each);
        }
    }
}
