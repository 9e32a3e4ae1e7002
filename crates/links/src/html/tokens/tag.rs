//! The tag being read.

use core::ops::Range;

use super::attribute::{Attribute, AttributeSet};
use super::element::Element;

/// A larger buffer shrinks to this many bytes for the next page, so that the memory for one giant page is given back.
pub(crate) const MAX_KEPT_LEN: usize = 1 << 16;

#[derive(Default)]
pub(crate) struct Tag {
    pub(crate) state: TagState,
    /// In lower case, and cut at the limit. In an end tag, a name that no element has may stand for a long one.
    pub(crate) name: Vec<u8>,
    /// Known once the name of a start tag is complete. Until then, and in an end tag, that of an earlier start tag.
    pub(crate) element: Element,
    /// Those whose values were needed and kept, in the order of the tag, each once, with the range of the value in `values`.
    pub(crate) attributes: Vec<(Attribute, Range<usize>)>,
    pub(crate) values: Vec<u8>,
    /// Not known in an end tag.
    pub(crate) is_self_closing: bool,
    /// Only the first bytes if it is too long to be that of an [`Attribute`].
    pub(crate) attribute_name: Vec<u8>,
    pub(crate) attribute_state: AttributeState,
    /// The needed attributes that were read in this tag, or are being read.
    pub(crate) seen: AttributeSet,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum TagState {
    #[default]
    StartName,
    /// Of a start tag.
    Attributes,
    /// Any part of an end tag, whose attributes are not read.
    EndTag,
}

#[derive(Clone, Copy, Default)]
pub(crate) enum AttributeState {
    /// None, or one whose value is not needed or is too long to be kept.
    #[default]
    Nothing,
    Name,
    /// Of a needed attribute. The index is the start of the value in [`Tag::values`].
    Value(Attribute, usize),
}

impl Tag {
    pub(crate) fn clear(&mut self) {
        for buffer in [&mut self.name, &mut self.values, &mut self.attribute_name] {
            buffer.clear();
            buffer.shrink_to(MAX_KEPT_LEN);
        }
        self.attributes.clear();
    }

    #[inline]
    pub(crate) fn start(&mut self) {
        self.state = TagState::StartName;
        self.name.clear();
        self.values.clear();
        self.attributes.clear();
        self.attribute_state = AttributeState::Nothing;
        self.seen = AttributeSet::default();
        self.is_self_closing = false;
    }

    /// `None` also if the finder does not need it, or it was too long to be kept.
    pub(crate) fn value(&self, attribute: Attribute) -> Option<&[u8]> {
        let (_, range) = self.attributes.iter().find(|(known, _)| *known == attribute)?;
        Some(&self.values[range.clone()])
    }

    /// In upper or lower case.
    pub(crate) fn has(&self, attribute: Attribute, values: &[&str]) -> bool {
        let has = |value: &[u8]| values.iter().any(|expected| value.eq_ignore_ascii_case(expected.as_bytes()));
        self.value(attribute).is_some_and(has)
    }
}
