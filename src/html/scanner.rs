//! Takes from the tokenizer what of a page is kept: the attributes that matter of a start tag, and the text of `style`.
//!
//! It is html5gum's emitter, so whatever holds no link is never copied, and no errors are counted.

use html5gum::{Emitter, Error, Reader, State, Tokenizer};

use super::attribute::Attribute;
use super::element::Element;
use super::finder::Finder;
use super::tag::{Reading, Tag};

/// Longer than any name that matters.
const LONGEST_NAME: usize = 32;

/// Reads a page up to its end, or until the finder has what it looks for.
///
/// `room` is how many bytes a tag or the text of a `style` element may take; returns whether one took more.
pub(super) fn scan<R: Reader>(page: R, tag: &mut Tag, finder: Finder<'_>, room: usize) -> Result<bool, R::Error> {
    tag.clear();
    let mut is_short = false;
    let scanner = Scanner { tag, finder, room, is_short: &mut is_short };
    match Tokenizer::new_with_emitter(page, scanner).next() {
        Some(Err(error)) => Err(error),
        _ => Ok(is_short),
    }
}

struct Scanner<'s, 'f> {
    tag: &'s mut Tag,
    finder: Finder<'f>,
    room: usize,
    is_short: &'s mut bool,
}

impl Scanner<'_, '_> {
    /// The name of the tag is complete.
    #[inline]
    fn open(&mut self) {
        let tag = &mut *self.tag;
        if tag.is_opened || tag.is_end {
            return;
        }
        tag.is_opened = true;
        tag.element = Element::new(&tag.name);
        if tag.foreign.root().is_some() {
            tag.foreign.start(&tag.name);
        }
    }

    /// The name of an attribute is complete.
    #[inline]
    fn name_attribute(&mut self) {
        let tag = &mut *self.tag;
        tag.attribute = Reading::None;
        let Some(attribute) = Attribute::new(&tag.attribute_name, tag.element) else { return };
        let bit = 1 << attribute as u64;
        // Of an attribute given twice, the first counts.
        if !tag.is_end && tag.seen & bit == 0 && self.finder.wants(attribute, tag.element) {
            tag.seen |= bit;
            tag.attribute = Reading::Value(attribute, tag.values.len());
        }
    }

    /// The attribute, if there is one, is complete.
    #[inline]
    fn end_attribute(&mut self) {
        if let Reading::Name = self.tag.attribute {
            self.name_attribute();
        }
        let tag = &mut *self.tag;
        if let Reading::Value(attribute, start) = tag.attribute {
            tag.attributes.push((attribute, start..tag.values.len()));
        }
        tag.attribute = Reading::None;
    }

    /// A name that is longer than any that matters.
    #[cold]
    fn push_long_name(&mut self, name: &[u8]) {
        let tag = &mut *self.tag;
        if tag.is_end {
            tag.name.resize(LONGEST_NAME, b'-');
        } else if name.len() > self.room.saturating_sub(tag.name.len()) {
            *self.is_short = true;
        } else {
            tag.name.extend_from_slice(name);
        }
    }

    /// Reads the text of the `style` element that ends here.
    fn end_style(&mut self) {
        let tag = &mut *self.tag;
        tag.in_style = false;
        self.finder.style(&tag.css);
        tag.css.clear();
    }
}

impl Emitter for Scanner<'_, '_> {
    /// There is nothing more to do.
    type Token = ();

    #[inline]
    fn pop_token(&mut self) -> Option<()> {
        self.finder.is_done().then_some(())
    }

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn emit_error(&mut self, _: Error) {}

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.tag.raw_name.clear();
        self.tag.raw_name.extend_from_slice(name.unwrap_or_default());
    }

    fn emit_eof(&mut self) {
        if self.tag.in_style {
            self.end_style();
        }
    }

    #[inline]
    fn emit_string(&mut self, text: &[u8]) {
        let tag = &mut *self.tag;
        if tag.in_style {
            if text.len() > self.room - tag.css.len() {
                *self.is_short = true;
                tag.in_style = false;
                tag.css.clear();
            } else {
                tag.css.extend_from_slice(text);
            }
        }
    }

    #[inline]
    fn init_start_tag(&mut self) {
        if self.tag.in_style {
            self.end_style();
        }
        let tag = &mut *self.tag;
        tag.name.clear();
        tag.values.clear();
        tag.attributes.clear();
        tag.attribute = Reading::None;
        tag.seen = 0;
        (tag.is_end, tag.is_opened, tag.self_closing) = (false, false, false);
    }

    #[inline]
    fn init_end_tag(&mut self) {
        let tag = &mut *self.tag;
        tag.name.clear();
        tag.attribute = Reading::None;
        tag.is_end = true;
    }

    // Called, it lets the tokenizer's loop around it be inlined, which is worth more.
    #[inline(never)]
    fn push_tag_name(&mut self, name: &[u8]) {
        if self.tag.name.len() + name.len() <= LONGEST_NAME {
            self.tag.name.extend_from_slice(name);
        } else {
            self.push_long_name(name);
        }
    }

    #[inline]
    fn set_self_closing(&mut self) {
        self.tag.self_closing = true;
    }

    #[inline]
    fn init_attribute(&mut self) {
        self.open();
        self.end_attribute();
        self.tag.attribute_name.clear();
        self.tag.attribute = Reading::Name;
    }

    #[inline(never)]
    fn push_attribute_name(&mut self, name: &[u8]) {
        let known = &mut self.tag.attribute_name;
        let room = LONGEST_NAME - known.len();
        known.extend_from_slice(&name[..name.len().min(room)]);
    }

    #[inline]
    fn init_attribute_value(&mut self) {
        self.name_attribute();
    }

    #[inline]
    fn push_attribute_value(&mut self, value: &[u8]) {
        let tag = &mut *self.tag;
        let Reading::Value(_, start) = tag.attribute else { return };
        if value.len() > self.room - tag.values.len() {
            *self.is_short = true;
            tag.values.truncate(start);
            tag.attribute = Reading::None;
        } else {
            tag.values.extend_from_slice(value);
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.open();
        self.end_attribute();
        let tag = &mut *self.tag;
        if tag.is_end {
            if tag.in_style {
                self.end_style();
            }
            let tag = &mut *self.tag;
            tag.raw_name.clear();
            tag.foreign.end(&tag.name);
            if tag.templates > 0 && tag.name == b"template" {
                tag.templates -= 1;
            }
            return None;
        }
        if !tag.attributes.is_empty() {
            self.finder.tag(tag);
        }
        let (element, root) = (tag.element, tag.foreign.root());
        if element == Element::Other {
            return None;
        }
        if root.is_none() && element == Element::Template {
            tag.templates += 1;
        }
        if !tag.self_closing && (element != Element::AnnotationXml || tag.annotates_in_html()) {
            tag.foreign.open(element);
        }
        let content = if root.is_none() { element.content() } else { None };
        if content.is_some() {
            tag.raw_name.clear();
            tag.raw_name.extend_from_slice(&tag.name);
        }
        tag.in_style =
            element == Element::Style && (content.is_some() || (root == Some(Element::Svg) && !tag.self_closing));
        content
    }

    #[inline]
    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.tag.is_end && !self.tag.raw_name.is_empty() && self.tag.name == self.tag.raw_name
    }

    #[inline]
    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.tag.foreign.root().is_some()
    }

    fn init_comment(&mut self) {}
    fn emit_current_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {}
    fn emit_current_doctype(&mut self) {}
    fn set_force_quirks(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn init_string(&mut self) {}
}
