//! A tag, as it stands in a chunk of a page.

use std::borrow::Cow;
use std::ops::Range;

use super::attribute::{Attribute, AttributeSet};
use super::character_references::{TextKind, decoded};
use super::element::Element;

/// All names of [`Element`] and [`Attribute`] are shorter than this.
pub(crate) const LONG_NAME_LEN: usize = 32;

/// A name in lower case that is kept; of a longer name only this start, which no name that matters has.
#[derive(Clone, Copy)]
pub(crate) struct LowerName {
    bytes: [u8; LONG_NAME_LEN],
    len: usize,
}

impl LowerName {
    pub(crate) fn new(name: &[u8]) -> Self {
        let len = name.len().min(LONG_NAME_LEN);
        let mut lower = LowerName { bytes: [0; LONG_NAME_LEN], len };
        lower.bytes[..len].copy_from_slice(&name[..len]);
        lower.bytes.make_ascii_lowercase();
        lower
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// A value as XML has it: with the texts of entities that are declared, and white space as spaces.
pub(crate) struct Replaced {
    pub(crate) attribute: Attribute,
    pub(crate) value: Vec<u8>,
    /// A value that has an entity of the document type has no place.
    pub(crate) has_entities: bool,
}

/// A start tag. Names and values are as written.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tag<'c> {
    pub(crate) chunk: &'c [u8],
    pub(crate) name: &'c [u8],
    /// In lower case; of a long name only the first [`LONG_NAME_LEN`] bytes.
    pub(crate) lower_name: &'c [u8],
    pub(crate) element: Element,
    /// The needed ones, in the order of the tag, each once, with the place of its value in `chunk`.
    pub(crate) attributes: &'c [(Attribute, Range<usize>)],
    /// The values that XML changes.
    pub(crate) replaced: &'c [Replaced],
    pub(crate) seen: AttributeSet,
    pub(crate) is_self_closing: bool,
}

impl<'c> Tag<'c> {
    /// `None` also if the sink does not need it.
    pub(crate) fn raw_value(&self, attribute: Attribute) -> Option<&'c [u8]> {
        if !self.seen.contains(attribute) {
            return None;
        }
        if let Some(replaced) = self.replaced(attribute) {
            return Some(&replaced.value);
        }
        let (_, range) = self.attributes.iter().find(|(known, _)| *known == attribute)?;
        Some(&self.chunk[range.clone()])
    }

    #[inline]
    pub(crate) fn replaced(&self, attribute: Attribute) -> Option<&'c Replaced> {
        self.replaced.iter().find(|replaced| replaced.attribute == attribute)
    }

    /// In the page's character encoding, but for what references stand for.
    pub(crate) fn value(&self, attribute: Attribute) -> Option<Cow<'c, [u8]>> {
        Some(decoded(self.raw_value(attribute)?, TextKind::Attribute))
    }

    /// In upper or lower case.
    pub(crate) fn has(&self, attribute: Attribute, values: &[&str]) -> bool {
        let has = |value: &[u8]| values.iter().any(|expected| value.eq_ignore_ascii_case(expected.as_bytes()));
        self.value(attribute).is_some_and(|value| has(&value))
    }
}
