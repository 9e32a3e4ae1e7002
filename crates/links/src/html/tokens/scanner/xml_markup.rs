//! Reads the markup of XML (XML 1.0), up to its first error: from there on, the page is read as HTML, so that no link is lost.

use memchr::memmem;

use super::{After, Scan, Scanner, State, find, find_tag};
use crate::html::tokens::attribute::AttributeSet;
use crate::html::tokens::character_references::TextKind;
use crate::html::tokens::element::Element;
use crate::html::tokens::name::{ENDS_TAG_NAME, len_before};
use crate::html::tokens::tag::{LowerName, Tag};
use crate::html::tokens::token_sink::{Needed, TokenSink};
use crate::html::tokens::xml::{
    MAX_ENTITY_LEN, Namespace, Part, StartTag, Stop, TOO_DEEP, TagParts, doctype_len, has_only_references,
};

const NOT_A_REFERENCE: &str = "an & that starts no reference";
const TWICE: &str = "an attribute that is given twice";
const STYLE_SHEET: &[u8] = b"xml-stylesheet";

/// A step of XML returns `None` if the chunk ends before it does, as the steps of HTML do.
impl<'c, F: TokenSink> Scan<'c, '_, F> {
    /// Reads text and the tag or other markup after it.
    pub(super) fn xml_markup(&mut self) -> Option<()> {
        let rest = self.rest();
        let Some(len) = find_tag(rest) else { return self.last_xml_text() };
        self.xml_text(len)?;
        if !self.scanner.in_xml {
            return Some(());
        }
        match rest[len..] {
            _ if self.needed == Needed::Nothing => None,
            [_] | [_, b'/'] => self.cut_xml(),
            [_, b'/', ..] => self.xml_end_tag(),
            [_, b'!', ..] => self.xml_declaration(),
            [_, b'?', ..] => self.instruction(),
            [_, first, ..] if first.is_ascii_alphabetic() || matches!(first, b'_' | b':' | 0x80..) => {
                self.xml_start_tag()
            }
            _ => self.leave_xml("a < that starts no markup"),
        }
    }

    /// Reads text at the end of a chunk, of which the last word or reference may not be complete.
    fn last_xml_text(&mut self) -> Option<()> {
        let text = self.rest();
        let mut len = self.len_of_whole_words(text.len());
        if self.after == After::More {
            let last = text[..len].iter().rev().take(MAX_ENTITY_LEN).position(|byte| matches!(byte, b'&' | b';'));
            let last = last.map_or(len, |from_end| len - 1 - from_end);
            len = if text.get(last) == Some(&b'&') { last } else { len };
        }
        self.xml_text(len)?;
        // The rest is then HTML.
        if self.scanner.in_xml { None } else { Some(()) }
    }

    fn xml_text(&mut self, len: usize) -> Option<()> {
        let text = &self.rest()[..len];
        if self.scanner.xml.depth() == 0 && !text.trim_ascii().is_empty() {
            return self.leave_xml("text outside of the root element");
        }
        if !has_only_references(text) {
            // The structure is not in doubt.
            self.xml_error(NOT_A_REFERENCE);
        }
        self.xml_title(len);
        self.text(len, TextKind::Text);
        Some(())
    }

    /// Passes on the next text if it is that of a `title`, whose elements are no part of it (HTML §3.1.5, child text content).
    pub(super) fn xml_title(&mut self, len: usize) {
        // A `style` in a `title` is one level deeper: its text, which may be read again, is left out, too.
        if self.scanner.xml.title == Some(self.scanner.xml.depth()) {
            self.sink.title(&self.rest()[..len], false, &self.scanner.context);
            self.needed = self.sink.needed();
        }
    }

    fn xml_error(&mut self, why: &'static str) {
        let place = self.scanner.position + self.at as u64;
        self.scanner.xml_error.get_or_insert((place, why));
    }

    /// Reads the rest of the page as HTML.
    fn leave_xml(&mut self, why: &'static str) -> Option<()> {
        self.xml_error(why);
        self.finish_style();
        let Scanner { context, xml, state, in_xml, .. } = &mut *self.scanner;
        let (namespace, name, element) = xml.innermost();
        let (name, is_html) = (LowerName::new(name), namespace == Namespace::Html);
        // The rest of a `title`, `script` and so on is text up to its end tag.
        if xml.title.take().is_some() && !(is_html && element == Element::Title) {
            self.sink.title(b"", true, context);
        }
        context.foreign.set(namespace.element());
        (*in_xml, *state) = (false, State::Markup);
        if is_html {
            self.open(element.content(), name.as_bytes());
        }
        self.needed = self.sink.needed();
        Some(())
    }

    /// The chunk ends in markup.
    fn cut_xml(&mut self) -> Option<()> {
        match self.after {
            After::More => None,
            After::NoRoom => self.leave_xml("a tag of more than 8 MiB"),
            After::Nothing => {
                self.at = self.chunk.len();
                // The end of the page is not that of its XML.
                self.scanner.state = State::Until(b">");
                None
            }
        }
    }

    fn stop(&mut self, stop: Stop) -> Option<()> {
        match stop {
            Stop::Cut => self.cut_xml(),
            Stop::Malformed(why) => self.leave_xml(why),
        }
    }

    fn xml_declaration(&mut self) -> Option<()> {
        let rest = self.rest();
        let is_cut = |start: &[u8]| !self.is_last() && rest.len() < start.len() && start.starts_with(rest);
        let (state, len) = match rest {
            _ if [&b"<!--"[..], b"<![CDATA[", b"<!DOCTYPE"].into_iter().any(is_cut) => return None,
            [_, b'!', b'-', b'-', ..] => (State::Until(b"-->"), 4),
            _ if rest.starts_with(b"<![CDATA[") && self.scanner.xml.depth() > 0 => (State::Cdata, b"<![CDATA[".len()),
            _ if rest.starts_with(b"<!DOCTYPE") && !self.scanner.xml.has_root => match doctype_len(rest) {
                Some(len) => {
                    self.scanner.xml.entities.declare(&rest[..len]);
                    (State::Xml, len)
                }
                None => return self.cut_xml(),
            },
            _ => return self.leave_xml("a declaration in its elements"),
        };
        self.at += len;
        self.scanner.state = state;
        Some(())
    }

    /// Reads a processing instruction. One that names a style sheet (Associating Style Sheets with XML documents) is passed on as a tag.
    fn instruction(&mut self) -> Option<()> {
        let (chunk, rest) = (self.chunk, self.rest());
        let target = &rest[2..];
        if !self.is_last() && target.len() <= STYLE_SHEET.len() {
            return None;
        }
        let after = target.strip_prefix(STYLE_SHEET);
        let is_sheet = after.and_then(|after| after.first()).is_some_and(u8::is_ascii_whitespace);
        if !is_sheet || self.scanner.xml.has_root || self.scanner.xml.depth() > 0 {
            self.at += 2;
            self.scanner.state = State::Until(b"?>");
            return Some(());
        }
        let Some(len) = memmem::find(rest, b"?>") else { return self.cut_xml() };
        let name = self.at + 2..self.at + 2 + STYLE_SHEET.len();
        let parts = TagParts { chunk: &chunk[..self.at + len], at: name.end };
        let declared = StartTag { element: Element::XmlStylesheet, ..StartTag::default() };
        let seen = self.xml_attributes(parts, &declared);
        let name = &chunk[name];
        let element = Element::XmlStylesheet;
        let attributes = &self.scanner.attributes;
        let tag =
            Tag { chunk, name, lower_name: name, element, attributes, replaced: &[], seen, is_self_closing: true };
        self.sink.tag(&tag, &self.scanner.context);
        self.needed = self.sink.needed();
        self.at += len + 2;
        Some(())
    }

    /// Keeps the needed attributes of a tag, each the first of its name.
    fn xml_attributes(&mut self, mut parts: TagParts<'c>, tag: &StartTag) -> AttributeSet {
        let mut seen = AttributeSet::default();
        self.scanner.attributes.clear();
        self.scanner.xml.replaced.clear();
        while let Ok(Part::Attribute(name, value)) = parts.next_part() {
            let found = self.scanner.xml.attribute(&self.chunk[name], tag);
            match found.filter(|found| self.needed_attributes.contains(*found)) {
                Some(attribute) if seen.contains(attribute) => self.xml_error(TWICE),
                Some(attribute) => {
                    seen.insert(attribute);
                    self.scanner.xml.replace(attribute, &self.chunk[value.clone()]);
                    self.scanner.attributes.push((attribute, value));
                }
                None => {}
            }
        }
        seen
    }

    fn xml_start_tag(&mut self) -> Option<()> {
        let chunk = self.chunk;
        let name = self.at + 1..self.at + 1 + len_before(&chunk[self.at + 1..], ENDS_TAG_NAME);
        let parts = TagParts { chunk, at: name.end };
        let mut rest = parts.clone();
        let (is_empty, is_plain) = {
            let mut is_plain = true;
            loop {
                match rest.next_part() {
                    Ok(Part::Attribute(_, value)) => is_plain &= has_only_references(&chunk[value]),
                    Ok(Part::End(is_empty)) => break (is_empty, is_plain),
                    Err(stop) => return self.stop(stop),
                }
            }
        };
        if self.scanner.xml.depth() == 0 && self.scanner.xml.has_root {
            return self.leave_xml("an element after the root element");
        }
        self.finish_style();
        if self.needed == Needed::Nothing {
            return None;
        }
        if !is_plain {
            self.xml_error(NOT_A_REFERENCE);
        }
        let name = &chunk[name];
        let Some(declared) = self.scanner.xml.start(name, chunk, parts.clone()) else {
            return self.leave_xml(TOO_DEEP);
        };
        let seen = self.xml_attributes(parts, &declared);
        let name = &name[declared.prefix_len..];
        self.pass_xml_tag(name, &declared, seen, is_empty);
        if self.needed == Needed::Nothing {
            // It is read again if the sink goes on after it.
            self.scanner.xml.forget(&declared);
            return None;
        }
        self.at = rest.at;
        self.open_xml(name, &declared, is_empty);
        Some(())
    }

    fn pass_xml_tag(&mut self, name: &[u8], declared: &StartTag, seen: AttributeSet, is_self_closing: bool) {
        let Scanner { context, attributes, xml, .. } = &mut *self.scanner;
        context.foreign.set(declared.namespace.element());
        let lower = LowerName::new(name);
        let (lower_name, element) = (lower.as_bytes(), declared.element);
        if self.needed == Needed::TagsAndText {
            self.sink.start_tag(lower_name);
        }
        if !attributes.is_empty() {
            let (chunk, replaced) = (self.chunk, &xml.replaced);
            self.sink
                .tag(&Tag { chunk, name, lower_name, element, attributes, replaced, seen, is_self_closing }, context);
        }
        self.needed = self.sink.needed();
    }

    /// Opens the element of a tag that was passed on, and closes it if it has no content.
    fn open_xml(&mut self, name: &[u8], declared: &StartTag, is_empty: bool) {
        let Scanner { xml, context, style, .. } = &mut *self.scanner;
        xml.open(declared);
        xml.has_root = true;
        match (declared.namespace, declared.element) {
            (Namespace::Html | Namespace::Svg, Element::Style) => *style = Some(self.at),
            (Namespace::Html, Element::Title) if xml.title.is_none() => xml.title = Some(xml.depth()),
            (Namespace::Html, Element::Template) => context.open_inert(),
            _ => {}
        }
        if is_empty {
            self.finish_style();
            self.close_xml(name);
        }
    }

    fn xml_end_tag(&mut self) -> Option<()> {
        let (chunk, start) = (self.chunk, self.at + 2);
        let name = &chunk[start..start + len_before(&chunk[start..], ENDS_TAG_NAME)];
        let Some(len) = find(b'>', &chunk[start + name.len()..]) else { return self.cut_xml() };
        let end = start + name.len() + len;
        if !chunk[start + name.len()..end].trim_ascii().is_empty() || !self.scanner.xml.is_open(name) {
            return self.leave_xml("an end tag that is not that of the open element");
        }
        self.finish_style();
        if self.needed == Needed::Nothing {
            return None;
        }
        self.at = end + 1;
        self.close_xml(name);
        Some(())
    }

    /// Closes the innermost element, of this name.
    fn close_xml(&mut self, name: &[u8]) {
        if self.needed == Needed::TagsAndText {
            let local = memchr::memchr(b':', name).map_or(name, |colon| &name[colon + 1..]);
            self.sink.end_tag(LowerName::new(local).as_bytes());
        }
        let Scanner { xml, context, .. } = &mut *self.scanner;
        let is_title = xml.title == Some(xml.depth());
        if let Some((Namespace::Html, Element::Template)) = xml.close() {
            context.close_template();
        }
        if is_title {
            xml.title = None;
            self.sink.title(b"", true, context);
        }
        self.needed = self.sink.needed();
    }
}
