//! The start tag being read, and what surrounds it.

use core::ops::Range;

use super::attribute::Attribute;
use super::element::Element;
use super::foreign::Foreign;

/// How many bytes of a buffer are kept for the next page: one giant page is not to be kept for ever.
pub(super) const KEPT: usize = 1 << 16;

/// What is known of a page where it is being read. Kept warm between pages.
#[derive(Default)]
pub(super) struct Tag {
    /// The name of the tag, in lower case; an end tag's only as far as it matters.
    pub(super) name: Vec<u8>,
    pub(super) element: Element,
    /// The first of each attribute that matters, in order, with the place of its value.
    pub(super) attributes: Vec<(Attribute, Range<usize>)>,
    pub(super) values: Vec<u8>,
    pub(super) foreign: Foreign,
    /// How many `template` elements are open.
    pub(super) templates: usize,
    pub(super) is_end: bool,
    pub(super) is_opened: bool,
    pub(super) self_closing: bool,
    /// The name of the attribute being read.
    pub(super) attribute_name: Vec<u8>,
    pub(super) attribute: Reading,
    /// The attributes of the tag that were read, as bits.
    pub(super) seen: u64,
    /// The element whose end tag ends the raw text that is being read.
    pub(super) raw_name: Vec<u8>,
    /// The text of the `style` element that is open.
    pub(super) css: Vec<u8>,
    pub(super) in_style: bool,
}

/// How far the attribute being read was understood.
#[derive(Clone, Copy, Default)]
pub(super) enum Reading {
    #[default]
    None,
    /// Its name is being read.
    Name,
    /// It matters, and its value starts here.
    Value(Attribute, usize),
}

impl Tag {
    pub(super) fn clear(&mut self) {
        for buffer in [&mut self.name, &mut self.values, &mut self.attribute_name, &mut self.raw_name, &mut self.css] {
            buffer.clear();
            buffer.shrink_to(KEPT);
        }
        self.attributes.clear();
        self.foreign.clear();
        self.templates = 0;
        self.in_style = false;
    }

    /// Whether HTML goes on in an `annotation-xml`.
    pub(super) fn annotates_in_html(&self) -> bool {
        let encoding = self.value(Attribute::Encoding).unwrap_or_default();
        [&b"text/html"[..], b"application/xhtml+xml"].iter().any(|html| encoding.eq_ignore_ascii_case(html))
    }

    /// The value of an attribute that was read.
    pub(super) fn value(&self, attribute: Attribute) -> Option<&[u8]> {
        let (_, range) = self.attributes.iter().find(|(known, _)| *known == attribute)?;
        Some(&self.values[range.clone()])
    }
}
