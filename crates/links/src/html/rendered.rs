//! HTML that was made of a page of Markdown, with where each of its parts stands in the page.
#![cfg_attr(not(feature = "markdown"), allow(dead_code))]

use std::collections::VecDeque;
use std::ops::Range;

use encoding_rs::Encoding;

use super::offsets::{line_ends, page_offset};
use super::places::{Place, units};

/// The HTML of a page in another markup, as far as it has links and ids.
#[derive(Debug)]
pub(crate) struct Rendered {
    /// In UTF-8.
    pub(crate) html: Vec<u8>,
    pub(crate) parts: SourceMap,
    /// The character encoding of the page.
    pub(crate) charset: &'static Encoding,
    /// The ids that the renderer gives to headings, and no element of `html` has.
    pub(crate) ids: Vec<String>,
}

/// Where the parts of a rendered page stand in its source.
#[derive(Debug, Default)]
pub(crate) struct SourceMap {
    /// In the order of the HTML.
    parts: Vec<Part>,
    /// The offset in the HTML of the last place in a part that is copied, with its line and column: many links may be in one long part.
    last: (usize, LineColumn),
    /// Where the decoded page stands in the bytes of the page. In a copy of HTML, characters may have other lengths there.
    points: VecDeque<(u64, u64)>,
}

/// A part of the HTML.
#[derive(Debug)]
struct Part {
    html: Range<usize>,
    /// The place in the decoded page; `None` if it is not known.
    source: Option<Range<u64>>,
    at: LineColumn,
    form: Option<DestinationForm>,
    is_copy: bool,
}

impl Part {
    /// Reports whether this part follows another one in a copy from the cell of a table, where the `\` of a `\|` between them was left out.
    fn goes_on(&self, before: &Part) -> bool {
        let is_next = |(before, next): (&Range<u64>, &Range<u64>)| before.end + 1 == next.start;
        let is_copy = self.is_copy && before.is_copy && self.form.is_some();
        is_copy
            && before.html.end == self.html.start
            && before.source.as_ref().zip(self.source.as_ref()).is_some_and(is_next)
    }
}

/// The form of a destination, by which another one is written there. In HTML that is copied, only a reference in a table has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DestinationForm {
    pub(crate) delimiters: Delimiters,
    /// A `|` would end its cell.
    pub(crate) in_table: bool,
}

/// The characters around a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delimiters {
    /// The parentheses of a link: `[a](b)`.
    Inline,
    /// The `:` of a definition: `[a]: b`.
    Definition,
    /// `<` and `>`, in a link or a definition.
    Angle,
    /// `<` and `>`, without a link text.
    Autolink,
    /// Nothing: the address itself is the link.
    Bare,
    /// The quotes of an attribute of raw HTML, or nothing.
    Html,
}

/// A line and a column, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineColumn {
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) column_utf16: u64,
    /// The last character was a carriage return, of whose line break a line feed may be a part.
    after_return: bool,
}

impl Default for LineColumn {
    fn default() -> Self {
        LineColumn { line: 1, column: 1, column_utf16: 1, after_return: false }
    }
}

impl From<LineColumn> for Place {
    /// Returns an empty place at the offset 0.
    fn from(LineColumn { line, column, column_utf16, .. }: LineColumn) -> Self {
        Place { start: 0, end: 0, line, column, column_utf16 }
    }
}

impl LineColumn {
    /// Returns those of the start of a place.
    pub(super) fn of(Place { line, column, column_utf16, .. }: &Place) -> Self {
        LineColumn { line: *line, column: *column, column_utf16: *column_utf16, after_return: false }
    }

    /// Goes on by a text in UTF-8.
    pub(super) fn advance(&mut self, text: &[u8]) {
        let line = match memchr::memrchr2(b'\n', b'\r', text) {
            Some(last) => {
                self.line += line_ends(text) - u64::from(self.after_return && text.starts_with(b"\n"));
                (self.column, self.column_utf16) = (1, 1);
                &text[last + 1..]
            }
            None => text,
        };
        self.after_return = if text.is_empty() { self.after_return } else { text.ends_with(b"\r") };
        self.column += line.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u64;
        self.column_utf16 += units(line);
    }
}

impl SourceMap {
    /// Adds a destination that follows the other parts in the HTML and in the page, where its place may not be known.
    pub(crate) fn push(&mut self, html: Range<usize>, source: Option<Range<usize>>, form: DestinationForm) {
        let source = source.map(|source| source.start as u64..source.end as u64);
        self.parts.push(Part { html, source, at: LineColumn::default(), form: Some(form), is_copy: false });
    }

    /// Adds HTML that is copied from a place in the page, and follows the other parts.
    pub(crate) fn push_copy(&mut self, html: Range<usize>, start: usize, in_table: bool) {
        let source = start as u64..(start + html.len()) as u64;
        let form = in_table.then_some(DestinationForm { delimiters: Delimiters::Html, in_table });
        match self.parts.last_mut() {
            Some(Part { html: last_html, source: Some(last), form: last_form, is_copy: true, .. })
                if *last_form == form && last_html.end == html.start && last.end == source.start =>
            {
                (last_html.end, last.end) = (html.end, source.end);
            }
            _ => {
                let (source, at) = (Some(source), LineColumn::default());
                self.parts.push(Part { html, source, at, form, is_copy: true });
            }
        }
    }

    /// Gives the parts their places in another text, from which theirs was made: `points` are the offsets in both of each place after
    /// which they differ by another number than before.
    pub(crate) fn translate(&mut self, points: &[(usize, usize)]) {
        let mut translated = Vec::with_capacity(self.parts.len());
        for part in self.parts.drain(..) {
            let Some(source) = part.source.clone() else {
                translated.push(part);
                continue;
            };
            let next = points.partition_point(|(start, _)| *start as u64 <= source.start);
            let inner = points[next..].iter().map(|(start, _)| *start as u64).take_while(|start| *start < source.end);
            let ends = inner.chain([source.end]).collect::<Vec<_>>();
            let (mut start, mut html) = (source.start, part.html.start);
            for (index, &end) in ends.iter().enumerate() {
                let (text, page) = (next + index).checked_sub(1).map_or((0, 0), |before| points[before]);
                let moved = |at: u64| at - text as u64 + page as u64;
                // A destination is in one place, or in none.
                let has_place = part.is_copy || ends.len() == 1;
                let html_end = if part.is_copy { html + (end - start) as usize } else { part.html.end };
                let source = has_place.then(|| moved(start)..moved(end));
                translated.push(Part { html: html..html_end, source, at: part.at, ..part });
                if !has_place {
                    break;
                }
                (start, html) = (end, html_end);
            }
        }
        self.parts = translated;
    }

    /// Counts lines and columns, once all parts are there. `text` is the page, decoded; `points` say where its parts stand in the bytes
    /// of the page.
    pub(crate) fn finish(&mut self, text: &str, points: VecDeque<(u64, u64)>) {
        let (mut at, mut lines) = (0, LineColumn::default());
        for part in &mut self.parts {
            let Some(source) = &part.source else { continue };
            let start = (source.start as usize).min(text.len());
            lines.advance(text.as_bytes().get(at..start).unwrap_or_default());
            (at, part.at) = (start, lines);
        }
        self.points = points;
    }

    /// Returns the place in the page of a reference in the HTML, and the form of the destination that it is.
    pub(super) fn place(
        &mut self,
        html: &[u8],
        range: Range<usize>,
    ) -> Option<(Range<u64>, LineColumn, Option<DestinationForm>)> {
        let before = self.parts.partition_point(|part| part.html.start <= range.start);
        let part = self.parts[..before].last()?;
        let source = part.source.clone()?;
        let in_page = |text: Range<u64>| page_offset(&self.points, text.start)..page_offset(&self.points, text.end);
        if !part.is_copy {
            let place = (in_page(source), part.at, part.form);
            return Some(place).filter(|_| part.html.end >= range.end);
        }
        let (known, at) = self.last;
        let from_known = known > part.html.start && known <= range.start;
        let (from, mut at) = if from_known { (known, at) } else { (part.html.start, part.at) };
        at.advance(&html[from..range.start]);
        self.last = (range.start, at);
        let mut last = part;
        for next in &self.parts[before..] {
            if last.html.end >= range.end || !next.goes_on(last) {
                break;
            }
            last = next;
        }
        let last_start = last.source.as_ref().filter(|_| last.html.end >= range.end)?.start;
        let mut start = source.start + (range.start - part.html.start) as u64;
        let end = last_start + (range.end - last.html.start) as u64;
        // The escape of its first character belongs to it.
        let is_escaped = |before: &Part| range.start == part.html.start && part.goes_on(before);
        if before > 1 && !range.is_empty() && is_escaped(&self.parts[before - 2]) {
            (start, at.column, at.column_utf16) = (start - 1, at.column - 1, at.column_utf16 - 1);
        }
        Some((in_page(start..end), at, part.form))
    }
}
