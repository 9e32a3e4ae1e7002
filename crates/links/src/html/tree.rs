//! The parts of a page that others lead to: its ids.
#![cfg_attr(not(feature = "check"), allow(dead_code))]

use std::panic::{RefUnwindSafe, UnwindSafe};

use encoding_rs::Encoding;

use super::tokens::attribute::{Attribute, AttributeSet};
use super::tokens::character_references::TextKind;
use super::tokens::element::Element;
use super::tokens::tag::Tag;
use super::values::clean::decode;

const IDS: AttributeSet = AttributeSet::of(&[Attribute::Id, Attribute::AnchorName]);
const METHODS: AttributeSet = AttributeSet::of(&[Attribute::Method, Attribute::Formmethod]);

/// A part of a page, as it is read.
pub(crate) enum Part<'p> {
    /// An `id`, or the `name` of an `a`: of a potential indicated element (HTML §7.4.6.4).
    Id(&'p str),
    /// The URI of the `base` element, before the links that it changes; perhaps more than once.
    Base(&'p str),
}

/// So that readers of pages have these traits.
type EachPart = dyn FnMut(Part<'_>) + Send + Sync + UnwindSafe + RefUnwindSafe;

/// The receiver of the parts of pages.
pub(crate) struct Tree {
    each: Box<EachPart>,
    pub(super) wants_ids: bool,
    /// The last `form` is sent by GET. Buttons outside of it may belong to it, too.
    form_is_get: bool,
    value: Vec<u8>,
}

impl Tree {
    pub(crate) fn new(each: impl FnMut(Part<'_>) + Send + Sync + UnwindSafe + RefUnwindSafe + 'static) -> Self {
        Tree { each: Box::new(each), wants_ids: true, form_is_get: true, value: Vec::new() }
    }

    pub(super) fn needed_attributes(&self) -> AttributeSet {
        if self.wants_ids { METHODS.union(IDS) } else { METHODS }
    }

    pub(super) fn clear(&mut self) {
        self.form_is_get = true;
        self.value.clear();
        self.value.shrink_to(super::limits::MAX_KEPT_LEN);
    }

    pub(super) fn base(&mut self, uri: &str) {
        (self.each)(Part::Base(uri));
    }

    /// `is_html`: the element is not of SVG or MathML, which have no anchors.
    pub(super) fn tag(&mut self, tag: &Tag<'_>, is_html: bool, charset: Option<&'static Encoding>) {
        for attribute in [Attribute::Id, Attribute::AnchorName] {
            if !self.wants_ids || (attribute == Attribute::AnchorName && !is_html) {
                continue;
            }
            if let Some(raw) = tag.raw_value(attribute) {
                (self.each)(Part::Id(&decode(raw, TextKind::Attribute, charset, &mut self.value)));
            }
        }
        if tag.element == Element::Form {
            self.form_is_get = !is_other(tag, Attribute::Method);
        }
    }

    /// HTML §4.10.18.6: a button's own method counts.
    pub(super) fn submits_by_get(&self, tag: &Tag<'_>) -> bool {
        match tag.seen.contains(Attribute::Formmethod) {
            true => !is_other(tag, Attribute::Formmethod),
            false => self.form_is_get,
        }
    }
}

fn is_other(tag: &Tag<'_>, attribute: Attribute) -> bool {
    tag.has(attribute, &["post", "dialog"])
}
