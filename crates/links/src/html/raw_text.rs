//! The way from a byte of a reference back to the raw text of its page, where escapes and character references are longer.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::places::{Locator, Place, units};
use super::rendered::LineColumn;
use super::tokens::character_references::{TextKind, decode_reference};
use super::values::clean::{charset_of_text, decode};
use super::values::css::decode_escape;

/// Returns the place of a byte of a reference, up to the end of the reference. `raw` are the bytes at `place`. `None` if these are
/// not decoded to the reference.
pub(crate) fn place_in(
    place: Place,
    raw: &[u8],
    charset: Option<&'static Encoding>,
    reference: &str,
    offset: usize,
) -> Option<Place> {
    let charset = charset.unwrap_or(UTF_8);
    let len = if charset == UTF_16LE || charset == UTF_16BE {
        let text = charset.decode_without_bom_handling(raw).0;
        let len = raw_len(text.as_bytes(), None, reference, offset)?;
        2 * units(&text.as_bytes()[..len]) as usize
    } else {
        raw_len(raw, charset_of_text(charset), reference, offset)?
    };
    let mut at = LineColumn::of(&place);
    at.advance(charset.decode_without_bom_handling(raw.get(..len)?).0.as_bytes());
    Some(Place { start: place.start + len as u64, end: place.end, ..at.into() })
}

/// Returns the length of the raw text that is decoded to the first `offset` bytes of a reference. How it is decoded is found by
/// trying: only one way gives the whole reference.
fn raw_len(raw: &[u8], charset: Option<&'static Encoding>, reference: &str, offset: usize) -> Option<usize> {
    let mut buffer = Vec::new();
    [TextKind::Attribute, TextKind::Text, TextKind::RawText].into_iter().find_map(|kind| {
        let text = decode(raw, kind, charset, &mut buffer);
        let text_len = [Escapes::None, Escapes::Css, Escapes::Markdown]
            .into_iter()
            .find_map(|escapes| escapes.written_len(&text, reference, offset))?;
        Some(Locator::new(raw, &[(0..raw.len(), kind)], charset, &text).range(0..text_len)?.end)
    })
}

/// The escapes of a text whose character references are decoded, except for those of Markdown, which end with `;`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escapes {
    None,
    Css,
    Markdown,
}

/// The text that Markdown puts before an address without a scheme.
const ADDED: [&str; 3] = ["", "http://", "mailto:"];

impl Escapes {
    /// Returns the length of the text that stands for the first `offset` bytes of a reference. `None` if the text does not stand for
    /// all of it.
    fn written_len(self, text: &str, reference: &str, offset: usize) -> Option<usize> {
        ADDED.into_iter().find_map(|added| {
            let reference = reference.strip_prefix(added)?;
            self.len_of(text, reference.as_bytes(), offset.saturating_sub(added.len()))
        })
    }

    fn len_of(self, text: &str, reference: &[u8], offset: usize) -> Option<usize> {
        let (mut at, mut rest, mut found, mut unit) = (0, reference, None, Vec::new());
        while at < text.len() {
            unit.clear();
            let len = self.decode_first(&text[at..], &mut unit);
            // Line breaks and tabs are left out of references.
            if !matches!(*unit, [b'\t' | b'\n' | b'\r']) {
                let after = rest.strip_prefix(&*unit)?;
                if found.is_none() && !unit.is_empty() && reference.len() - after.len() > offset {
                    found = Some(at);
                }
                rest = after;
            }
            at += len;
        }
        let is_whole = rest.is_empty() && offset <= reference.len();
        is_whole.then_some(found.unwrap_or(at))
    }

    /// Appends what the first character or escape of a text stands for, and returns its length.
    fn decode_first(self, text: &str, out: &mut Vec<u8>) -> usize {
        let mut characters = text.chars();
        let (first, second) = (characters.next().unwrap_or_default(), characters.next());
        match (self, first, second) {
            (Escapes::Markdown, '\\', Some(second)) if second.is_ascii_punctuation() => {
                out.push(second as u8);
                return 2;
            }
            (Escapes::Markdown, '&', _) => {
                let len = decode_reference(text.as_bytes(), TextKind::Text, out);
                match len.filter(|len| text.as_bytes()[len - 1] == b';') {
                    Some(len) => return len,
                    None => out.clear(),
                }
            }
            (Escapes::Css, '\\', Some(second)) => return 1 + decode_escape(&text[1..], second, out),
            _ => {}
        }
        out.extend_from_slice(first.encode_utf8(&mut [0; 4]).as_bytes());
        first.len_utf8()
    }
}
