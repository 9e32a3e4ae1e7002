//! The tag being read.

use core::ops::Range;

use super::attribute::{Attribute, AttributeSet};
use super::element::Element;

/// The most bytes of a buffer that are kept for the next page. So the memory of one giant page is given back.
pub(super) const MAX_KEPT_LEN: usize = 1 << 16;

/// The tag being read. Its buffers are kept from page to page.
#[derive(Default)]
pub(super) struct Tag {
    pub(super) state: TagState,
    /// The name, in lower case. Instead of a long name of an end tag, it may have another long name that does not matter either.
    pub(super) name: Vec<u8>,
    pub(super) element: Element,
    /// The attributes that matter, in the order of the tag, each with the range of its value in `values`. Of an attribute given
    /// twice, only the first is here.
    pub(super) attributes: Vec<(Attribute, Range<usize>)>,
    /// The values of the attributes, one after another.
    pub(super) values: Vec<u8>,
    /// True if the tag ends with `/>`.
    pub(super) is_self_closing: bool,
    /// The first bytes of the name of the attribute being read.
    pub(super) attribute_name: Vec<u8>,
    /// The state of the attribute being read.
    pub(super) attribute: AttributeState,
    /// The attributes that matter and were already read in this tag.
    pub(super) seen: AttributeSet,
}

/// The part of the tag being read.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum TagState {
    /// The name of a start tag.
    #[default]
    StartName,
    /// The attributes of a start tag.
    Attributes,
    /// Any part of an end tag, whose attributes do not matter.
    EndTag,
}

/// The state of the attribute being read.
#[derive(Clone, Copy, Default)]
pub(super) enum AttributeState {
    /// No attribute is being read, or one that does not matter.
    #[default]
    Nothing,
    /// The name of the attribute is being read.
    Name,
    /// An attribute that matters, and the start of its value in [`Tag::values`].
    Value(Attribute, usize),
}

impl Tag {
    /// Prepares for the next page. Keeps only small buffers.
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
        self.attribute = AttributeState::Nothing;
        self.seen = AttributeSet::default();
        self.is_self_closing = false;
    }

    /// Returns the value of an attribute that matters; `None` if the tag does not have it.
    pub(super) fn value(&self, attribute: Attribute) -> Option<&[u8]> {
        let (_, range) = self.attributes.iter().find(|(known, _)| *known == attribute)?;
        Some(&self.values[range.clone()])
    }

    /// Reports whether an attribute has one of these values, in any case.
    pub(super) fn has(&self, attribute: Attribute, values: &[&str]) -> bool {
        let value = self.value(attribute).unwrap_or_default();
        values.iter().any(|expected| value.eq_ignore_ascii_case(expected.as_bytes()))
    }
}
