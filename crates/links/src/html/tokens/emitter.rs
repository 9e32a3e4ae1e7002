//! Receives the parts of a page that matter: attributes of start tags, and the text of `style` elements. The
//! [scanner](super::scanner) reads pages in memory; html5gum reads streams, and calls this as its emitter.

use core::mem;

use html5gum::{Emitter, Error, Reader, State, Tokenizer};

use super::attribute::{Attribute, AttributeSet};
use super::context::Context;
use super::element::Element;
use super::finder::{Finder, Needed};
use super::scanner::scan;
use super::tag::{AttributeState, MAX_KEPT_LEN, Tag, TagState};

/// All names of [`Element`] and [`Attribute`] are shorter than this.
pub(crate) const LONG_NAME_LEN: usize = 32;

/// The tag being read and the elements around it, kept for the next page.
#[derive(Default)]
pub(crate) struct PageBuffers {
    pub(super) tag: Tag,
    pub(super) context: Context,
    /// A text while it is decoded.
    pub(super) text: Vec<u8>,
    /// A part of the page was left out because it was too long to be kept.
    is_incomplete: bool,
}

pub(super) struct TagEmitter<'s> {
    pub(super) buffers: &'s mut PageBuffers,
    finder: &'s mut dyn Finder,
    pub(super) needed_attributes: AttributeSet,
    /// Kept because the tokenizer asks more often than it changes: after each tag, and each text and `style` that is received.
    pub(super) needed: Needed,
    /// The most bytes of the name of a start tag, of the needed values of a tag together, and of the text of a `style` element.
    /// Beyond it, the end of the name, a whole value or the whole text is left out, and the page is then incomplete.
    max_len: usize,
}

/// Reads a page in UTF-8 to its end or until `finder` needs nothing. Returns true if something was longer than `max_len`.
pub(crate) fn read_page<R: Reader>(
    buffers: &mut PageBuffers,
    page: R,
    finder: &mut dyn Finder,
    max_len: usize,
) -> Result<bool, R::Error> {
    if finder.needed() == Needed::Nothing {
        return Ok(false);
    }
    let end = Tokenizer::new_with_emitter(page, TagEmitter::new(buffers, finder, max_len)).next();
    buffers.tag.clear();
    buffers.context.clear();
    let is_incomplete = mem::take(&mut buffers.is_incomplete);
    end.transpose().map(|_| is_incomplete)
}

/// Does what [`read_page`] does with a page in memory, without a limit.
pub(crate) fn scan_page(buffers: &mut PageBuffers, page: &[u8], finder: &mut dyn Finder) {
    if finder.needed() == Needed::Nothing {
        return;
    }
    scan(page, &mut TagEmitter::new(buffers, finder, usize::MAX));
    buffers.tag.clear();
    buffers.context.clear();
    buffers.text.shrink_to(MAX_KEPT_LEN);
}

impl<'s> TagEmitter<'s> {
    /// `buffers` must be new or cleared.
    fn new(buffers: &'s mut PageBuffers, finder: &'s mut dyn Finder, max_len: usize) -> Self {
        let (needed_attributes, needed) = (finder.needed_attributes(), finder.needed());
        TagEmitter { buffers, finder, needed_attributes, needed, max_len }
    }

    #[inline]
    pub(super) fn finish_tag_name(&mut self) {
        let PageBuffers { tag, context, .. } = &mut *self.buffers;
        if tag.state != TagState::StartName {
            return;
        }
        tag.state = TagState::Attributes;
        tag.element = Element::new(&tag.name);
        context.foreign.leave_at_html(&tag.name);
    }

    #[inline]
    fn finish_attribute_name(&mut self) {
        let tag = &mut self.buffers.tag;
        tag.attribute_state = AttributeState::Nothing;
        let Some(found) = Attribute::new(&tag.attribute_name, tag.element) else { return };
        // Of an attribute given twice, the first counts.
        if tag.state != TagState::EndTag && !tag.seen.contains(found) && self.needed_attributes.contains(found) {
            tag.seen.insert(found);
            tag.attribute_state = AttributeState::Value(found, tag.values.len());
        }
    }

    #[inline]
    fn finish_attribute(&mut self) {
        if let AttributeState::Name = self.buffers.tag.attribute_state {
            self.finish_attribute_name();
        }
        let tag = &mut self.buffers.tag;
        if let AttributeState::Value(attribute, start) = tag.attribute_state {
            tag.attributes.push((attribute, start..tag.values.len()));
        }
        tag.attribute_state = AttributeState::Nothing;
    }

    /// For a name that gets longer than [`LONG_NAME_LEN`]. A start tag keeps its name, because it is reported.
    #[cold]
    fn push_long_name(&mut self, name: &[u8]) {
        let PageBuffers { tag, is_incomplete, .. } = &mut *self.buffers;
        if tag.state == TagState::EndTag {
            // It only has to differ from every name that matters.
            tag.name.resize(LONG_NAME_LEN, b'-');
        } else {
            let free = self.max_len.saturating_sub(tag.name.len());
            *is_incomplete |= name.len() > free;
            tag.name.extend_from_slice(&name[..name.len().min(free)]);
        }
    }

    #[inline]
    fn finish_style(&mut self) {
        let context = &mut self.buffers.context;
        if mem::take(&mut context.in_style) {
            self.finder.style(&context.css);
            self.needed = self.finder.needed();
            context.css.clear();
        }
    }

    /// Leaves out raw text, such as that of a `script` or `title`.
    #[inline(never)]
    fn push_text(&mut self, text: &[u8]) {
        if self.buffers.context.raw_text_element.is_empty() {
            self.finder.text(text);
            self.needed = self.finder.needed();
        }
    }

    #[inline(never)]
    fn push_css(&mut self, text: &[u8]) {
        let PageBuffers { context, is_incomplete, .. } = &mut *self.buffers;
        if text.len() > self.max_len - context.css.len() {
            *is_incomplete = true;
            context.in_style = false;
            context.css.clear();
        } else {
            context.css.extend_from_slice(text);
        }
    }

    fn finish_end_tag(&mut self) {
        self.finish_style();
        let PageBuffers { tag, context, .. } = &mut *self.buffers;
        if self.needed == Needed::TagsAndText {
            self.finder.end_tag(&tag.name);
        }
        context.has_head |= matches!(&*tag.name, b"head" | b"body" | b"html" | b"br");
        context.raw_text_element.clear();
        context.foreign.end_tag(&tag.name);
        if context.templates > 0 {
            if tag.name == b"template" {
                context.templates -= 1;
            }
        } else if context.in_form && tag.name == b"form" {
            context.in_form = false;
        }
    }

    /// Returns the state that reads the content of the element; `None` if the content is markup or the tag is ignored.
    fn finish_start_tag(&mut self) -> Option<State> {
        let PageBuffers { tag, context, .. } = &mut *self.buffers;
        if self.needed == Needed::TagsAndText {
            self.finder.start_tag(&tag.name);
        }
        let is_known = tag.element != Element::Other;
        if is_known {
            context.leave_at_font(tag);
            if context.ignores(tag) {
                return None;
            }
        }
        context.has_head |= tag.name != b"html";
        if !tag.attributes.is_empty() {
            self.finder.tag(tag, context);
        }
        if !is_known {
            return None;
        }
        context.open(tag)
    }
}

impl Emitter for TagEmitter<'_> {
    /// The only token, which ends the reading.
    type Token = ();

    #[inline]
    fn pop_token(&mut self) -> Option<()> {
        (self.needed == Needed::Nothing).then_some(())
    }

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn emit_error(&mut self, _: Error) {}

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        name.unwrap_or_default().clone_into(&mut self.buffers.context.raw_text_element);
    }

    fn emit_eof(&mut self) {
        self.finish_style();
    }

    #[inline]
    fn emit_string(&mut self, text: &[u8]) {
        if self.buffers.context.in_style {
            self.push_css(text);
        } else if self.needed == Needed::TagsAndText {
            self.push_text(text);
        } else if !self.buffers.context.has_head {
            self.buffers.context.has_head = !text.trim_ascii().is_empty();
        }
    }

    #[inline]
    fn init_start_tag(&mut self) {
        self.finish_style();
        self.buffers.tag.start();
    }

    #[inline]
    fn init_end_tag(&mut self) {
        let tag = &mut self.buffers.tag;
        tag.state = TagState::EndTag;
        tag.name.clear();
        tag.attribute_state = AttributeState::Nothing;
    }

    // As a call, this is small enough for the tokenizer's loop around it to be inlined, which saves more.
    #[inline(never)]
    fn push_tag_name(&mut self, name: &[u8]) {
        let known = &mut self.buffers.tag.name;
        if known.len() + name.len() <= LONG_NAME_LEN {
            known.extend_from_slice(name);
        } else {
            self.push_long_name(name);
        }
    }

    #[inline]
    fn set_self_closing(&mut self) {
        self.buffers.tag.is_self_closing = true;
    }

    #[inline]
    fn init_attribute(&mut self) {
        self.finish_tag_name();
        self.finish_attribute();
        let tag = &mut self.buffers.tag;
        tag.attribute_name.clear();
        tag.attribute_state = AttributeState::Name;
    }

    #[inline(never)]
    fn push_attribute_name(&mut self, name: &[u8]) {
        let known = &mut self.buffers.tag.attribute_name;
        let free = LONG_NAME_LEN - known.len();
        known.extend_from_slice(&name[..name.len().min(free)]);
    }

    #[inline]
    fn init_attribute_value(&mut self) {
        self.finish_attribute_name();
    }

    #[inline]
    fn push_attribute_value(&mut self, value: &[u8]) {
        let PageBuffers { tag, is_incomplete, .. } = &mut *self.buffers;
        let AttributeState::Value(_, start) = tag.attribute_state else { return };
        if value.len() > self.max_len - tag.values.len() {
            *is_incomplete = true;
            tag.values.truncate(start);
            tag.attribute_state = AttributeState::Nothing;
        } else {
            tag.values.extend_from_slice(value);
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.finish_tag_name();
        self.finish_attribute();
        let content = if self.buffers.tag.state == TagState::EndTag {
            self.finish_end_tag();
            None
        } else {
            self.finish_start_tag()
        };
        self.needed = self.finder.needed();
        content
    }

    #[inline]
    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        let PageBuffers { tag, context, .. } = &*self.buffers;
        tag.state == TagState::EndTag && !context.raw_text_element.is_empty() && tag.name == context.raw_text_element
    }

    #[inline]
    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.buffers.context.foreign.namespace().is_some()
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
}
