//! The new references of one value, which are read back together.

use std::borrow::Cow;
use std::mem;
use std::ops::Range;

use encoding_rs::UTF_8;

use super::totals::LeftReason;
use super::written::encode;
use crate::html::{Occurrence, Place, Reading, Syntax, TextKind};

/// A text to write, and where.
pub(super) struct NewText<'t> {
    pub(super) place: Place,
    pub(super) reference: Cow<'t, str>,
    /// The reference as it is written; `None` for as it is.
    pub(super) written: Option<String>,
}

impl NewText<'_> {
    pub(super) fn text(&self) -> &str {
        self.written.as_deref().unwrap_or(&self.reference)
    }

    pub(super) fn into_owned(self) -> NewText<'static> {
        let NewText { place, reference, written } = self;
        NewText { place, reference: Cow::Owned(reference.into_owned()), written }
    }
}

/// A value of an attribute that may have several references, while they are found.
#[derive(Default)]
pub(super) struct Value {
    /// Its offset in the text that is scanned, and how it is read.
    read: Option<(u64, Reading)>,
    is_quoted: bool,
    raw: Vec<u8>,
    /// The new texts, with the places of the old ones in `raw`.
    edits: Vec<(NewText<'static>, Range<usize>)>,
    /// All of its references, as they will be, one after the other, and their ends.
    references: String,
    ends: Vec<usize>,
    /// The number of new texts, and the bytes of all texts here, also of those that are not kept as they are too many.
    new_count: u64,
    len: usize,
}

/// Reports whether the value of this place may have several references. In other values, each reference is read back alone.
pub(super) fn may_have_several(occurrence: &Occurrence<'_>) -> bool {
    occurrence.kind() == TextKind::Attribute
        && (occurrence.is_css()
            || matches!(occurrence.reading.syntax, Syntax::Srcset | Syntax::References | Syntax::Archive))
}

/// Reports whether a value reads as this one reference if the reference at the place of `occurrence` is written so. Of CSS, only
/// the token of the reference is read. `written` is from [`Target::text`](super::written::Target::text).
pub(super) fn reads_as(occurrence: &Occurrence<'_>, written: Option<&str>, reference: &str) -> bool {
    // The value is then as it is written.
    let is_all =
        occurrence.reading.syntax == Syntax::Reference && occurrence.is_whole() && !occurrence.reading.needs_host;
    if is_all && written.is_none() {
        return true;
    }
    let charset = occurrence.reading.charset.unwrap_or(UTF_8);
    let text = encode(written.unwrap_or(reference), charset);
    let inner = if occurrence.quote().is_none() { unquoted(&text) } else { &text };
    let (raw, reading) = if occurrence.is_css() {
        // The text before it could be the start of a character reference.
        let open = occurrence.before().rsplit(|byte| *byte == b';').next().unwrap_or_default();
        let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || b"#;".contains(byte);
        let has_references = matches!(occurrence.kind(), TextKind::Text | TextKind::Attribute);
        if has_references && open.contains(&b'&') && text.first().is_some_and(goes_on) {
            return false;
        }
        let (start, end) = match occurrence.before {
            Some(b'"') => ("url(\"", "\")"),
            Some(b'\'') => ("url('", "')"),
            _ => ("url(", ")"),
        };
        ([start.as_bytes(), inner, end.as_bytes()].concat(), Reading { syntax: Syntax::Css, ..occurrence.reading })
    } else if may_have_several(occurrence) {
        (inner.to_vec(), occurrence.reading)
    } else {
        let Some((piece, _)) = occurrence.pieces.first() else { return false };
        let (start, end) = (&occurrence.chunk[piece.start..occurrence.start], occurrence.written().1);
        ([start, inner, end].concat(), occurrence.reading)
    };
    let (mut is_same, mut count) = (true, 0);
    reading.references(&raw, &[(0..raw.len(), occurrence.kind())], &mut |read| {
        is_same &= read == reference;
        count += 1;
    });
    is_same && count == 1
}

/// Returns a text without the quotes that were added to it.
fn unquoted(text: &[u8]) -> &[u8] {
    match text {
        [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => inner,
        text => text,
    }
}

impl Value {
    /// The most bytes of a value with its new texts: all of them are read back at once.
    const MAX_LEN: usize = 4 << 20;
    /// The bytes that are counted for each reference beside its texts.
    const REFERENCE_LEN: usize = 200;

    pub(super) fn is_of(&self, occurrence: &Occurrence<'_>) -> bool {
        self.read.is_some_and(|(at, _)| at == offset(occurrence))
    }

    pub(super) fn is_started(&self) -> bool {
        self.read.is_some()
    }

    /// It must be [finished](Self::finish) before.
    pub(super) fn start(&mut self, occurrence: &Occurrence<'_>) {
        let piece = occurrence.pieces.first().map_or(0..0, |(piece, _)| piece.clone());
        self.len = piece.len();
        if !self.is_too_long() {
            self.raw.extend_from_slice(&occurrence.chunk[piece]);
        }
        self.read = Some((offset(occurrence), occurrence.reading));
        self.is_quoted = occurrence.quote().is_some();
    }

    pub(super) fn add(&mut self, occurrence: &Occurrence<'_>, old: &str, new: Option<NewText<'_>>) {
        let start = occurrence.pieces.first().map_or(0, |(piece, _)| piece.start);
        self.new_count += u64::from(new.is_some());
        let reference = new.as_ref().map_or(old, |new| &new.reference);
        self.len += reference.len() + new.as_ref().map_or(0, |new| new.reference.len() + new.text().len());
        if self.is_too_long() {
            return;
        }
        self.references.push_str(reference);
        self.edits.extend(new.map(|new| (new.into_owned(), occurrence.start - start..occurrence.end - start)));
        self.ends.push(self.references.len());
    }

    /// Nothing in it is rewritten.
    pub(super) fn is_too_long(&self) -> bool {
        self.len + self.ends.len() * Self::REFERENCE_LEN > Self::MAX_LEN
    }

    /// Returns the edits, if all references then read as they should. Otherwise why they are left, and their number.
    pub(super) fn finish(&mut self) -> Result<Vec<NewText<'static>>, (LeftReason, u64)> {
        let edits = mem::take(&mut self.edits);
        let failure = match () {
            () if self.is_too_long() => Some(LeftReason::TooLong),
            () if edits.is_empty() || self.reads_back(&edits) => None,
            () => Some(LeftReason::Unwritable),
        };
        let count = mem::take(&mut self.new_count);
        self.read = None;
        self.len = 0;
        self.raw.clear();
        self.references.clear();
        self.ends.clear();
        match failure {
            Some(why) if count > 0 => Err((why, count)),
            _ => Ok(edits.into_iter().map(|(new, _)| new).collect()),
        }
    }

    fn reads_back(&self, edits: &[(NewText<'_>, Range<usize>)]) -> bool {
        let Some((_, reading)) = self.read else { return false };
        let charset = reading.charset.unwrap_or(UTF_8);
        let (mut raw, mut at) = (Vec::with_capacity(2 * self.raw.len()), 0);
        for (new, range) in edits {
            raw.extend_from_slice(&self.raw[at..range.start]);
            let text = encode(new.text(), charset);
            raw.extend_from_slice(if self.is_quoted { &text } else { unquoted(&text) });
            at = range.end;
        }
        raw.extend_from_slice(&self.raw[at..]);
        let (mut is_same, mut start, mut ends) = (true, 0, self.ends.iter());
        reading.references(&raw, &[(0..raw.len(), TextKind::Attribute)], &mut |reference| {
            let end = ends.next();
            is_same &= end.is_some_and(|end| self.references[start..*end] == *reference);
            start = end.map_or(start, |end| *end);
        });
        is_same && ends.next().is_none()
    }
}

fn offset(occurrence: &Occurrence<'_>) -> u64 {
    occurrence.chunk_at + occurrence.pieces.first().map_or(0, |(piece, _)| piece.start as u64)
}
