//! The tag being read.

use core::ops::Range;

use super::attribute::{Attribute, AttributeSet};
use super::element::Element;

/// The most bytes of memory that a buffer keeps for the next page. A larger buffer shrinks to this, so that the memory for one
/// giant page is given back.
pub(super) const MAX_KEPT_LEN: usize = 1 << 16;

/// The tag being read. Its buffers are kept from tag to tag and from page to page.
#[derive(Default)]
pub(super) struct Tag {
    /// The part of the tag being read.
    pub(super) state: TagState,
    /// The name of the element, in lower case, as far as it was read. That of a start tag is cut if it exceeds the limit. Instead
    /// of that of an end tag which is too long for an [`Element`], a name that no element has may be here.
    pub(super) name: Vec<u8>,
    /// The element of the start tag, once its name is complete. Until then, and in an end tag, that of an earlier start tag.
    pub(super) element: Element,
    /// The attributes whose values the finder needs, in the order of the tag, each with the range of its value in `values`. Of an
    /// attribute given twice, only the first is here. An attribute whose value was too long to be kept is not here.
    pub(super) attributes: Vec<(Attribute, Range<usize>)>,
    /// The values of `attributes`, one after another.
    pub(super) values: Vec<u8>,
    /// True if the start tag ends with `/>`. Not known in an end tag.
    pub(super) is_self_closing: bool,
    /// The name of the attribute being read, or its first bytes if it is too long to be that of an [`Attribute`].
    pub(super) attribute_name: Vec<u8>,
    /// The part of the attribute being read.
    pub(super) attribute_state: AttributeState,
    /// The needed attributes that were read in this tag, or are being read.
    pub(super) seen: AttributeSet,
}

/// The part of the tag being read.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum TagState {
    /// The element's name in a start tag.
    #[default]
    StartName,
    /// The attributes of a start tag.
    Attributes,
    /// Any part of an end tag, whose attributes are not read.
    EndTag,
}

/// The part of an attribute being read.
#[derive(Clone, Copy, Default)]
pub(super) enum AttributeState {
    /// None, or a part of an attribute whose value is not needed or is too long to be kept.
    #[default]
    Nothing,
    /// The attribute's name.
    Name,
    /// The value of this attribute, which is needed. The index is the start of the value in [`Tag::values`].
    Value(Attribute, usize),
}

impl Tag {
    /// Prepares for the next page: empties the buffers, and gives back the memory of large ones.
    pub(super) fn clear(&mut self) {
        for buffer in [&mut self.name, &mut self.values, &mut self.attribute_name] {
            buffer.clear();
            buffer.shrink_to(MAX_KEPT_LEN);
        }
        self.attributes.clear();
    }

    /// Prepares for the next start tag.
    #[inline]
    pub(super) fn start(&mut self) {
        self.state = TagState::StartName;
        self.name.clear();
        self.values.clear();
        self.attributes.clear();
        self.attribute_state = AttributeState::Nothing;
        self.seen = AttributeSet::default();
        self.is_self_closing = false;
    }

    /// Returns the value of an attribute; `None` also if the finder does not need it, or it was too long to be kept.
    pub(super) fn value(&self, attribute: Attribute) -> Option<&[u8]> {
        let (_, range) = self.attributes.iter().find(|(known, _)| *known == attribute)?;
        Some(&self.values[range.clone()])
    }

    /// Reports whether an attribute that was kept has one of these values, in upper or lower case.
    pub(super) fn has(&self, attribute: Attribute, values: &[&str]) -> bool {
        let has = |value: &[u8]| values.iter().any(|expected| value.eq_ignore_ascii_case(expected.as_bytes()));
        self.value(attribute).is_some_and(has)
    }
}
