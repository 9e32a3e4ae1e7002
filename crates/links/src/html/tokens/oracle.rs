//! Compares the scanner with html5gum, which reads a page for the same [`TokenSink`]. The fuzz target `scanner` does so, too.

use std::mem;
use std::ops::Range;

use html5gum::{Emitter, Error, Readable, State, Tokenizer};

use crate::html::tokens::attribute::{Attribute, AttributeSet};
use crate::html::tokens::character_references::{TextKind, decoded};
use crate::html::tokens::context::Context;
use crate::html::tokens::element::{ContentModel, Element};
use crate::html::tokens::scanner::{After, Scanner};
use crate::html::tokens::tag::{LONG_NAME_LEN, Tag};
use crate::html::tokens::token_sink::{Needed, TokenSink};

/// Notes all that it receives; texts in one piece.
struct Notes {
    needed: Needed,
    notes: Vec<String>,
    text: Vec<u8>,
}

impl Notes {
    fn note(&mut self, note: String) {
        if !self.text.is_empty() {
            self.notes.push(format!("text {}", self.text.escape_ascii()));
            self.text.clear();
        }
        self.notes.push(note);
    }
}

impl TokenSink for Notes {
    fn needed_attributes(&self) -> AttributeSet {
        AttributeSet::for_links(true, true)
    }

    fn needed(&self) -> Needed {
        self.needed
    }

    fn tag(&mut self, tag: &Tag<'_>, context: &Context) {
        let value = |(name, value): &(Attribute, Range<usize>)| {
            format!("{name:?}={}", decoded(&tag.chunk[value.clone()], TextKind::Attribute).escape_ascii())
        };
        let values: Vec<_> = tag.attributes.iter().map(value).collect();
        let Context { templates, in_form, has_head, .. } = context;
        let name = decoded(tag.name, TextKind::RawText).to_ascii_lowercase();
        let name = name.escape_ascii();
        self.note(format!("tag {name} {values:?} {} {templates} {in_form} {has_head}", tag.is_self_closing));
    }

    fn text(&mut self, text: &[u8], place: TextKind) {
        self.text.extend_from_slice(&decoded(text, place));
    }

    fn start_tag(&mut self, name: &[u8]) {
        self.note(format!("start {}", name_start(name)));
    }

    fn end_tag(&mut self, name: &[u8]) {
        self.note(format!("end {}", name_start(name)));
    }

    fn style(&mut self, chunk: &[u8], pieces: &[(Range<usize>, TextKind)], _: &Context, _: bool) {
        let sheet: Vec<u8> =
            pieces.iter().flat_map(|(piece, place)| decoded(&chunk[piece.clone()], *place).into_owned()).collect();
        self.note(format!("style {}", sheet.escape_ascii()));
    }
}

/// Where a long name is cut depends on the NULs in it, which html5gum has replaced.
fn name_start(name: &[u8]) -> String {
    let name = decoded(name, TextKind::RawText);
    name[..name.len().min(LONG_NAME_LEN / 3)].escape_ascii().to_string()
}

fn notes(needed: Needed, read: impl Fn(&mut Notes)) -> Vec<String> {
    let mut notes = Notes { needed, notes: Vec::new(), text: Vec::new() };
    read(&mut notes);
    notes.note("the end".into());
    notes.notes
}

/// Reads a page in chunks of these lengths, in turn; each chunk starts with what was not read of the one before.
fn scan_in_chunks(page: &[u8], lens: &[usize], notes: &mut Notes) {
    let (mut scanner, mut start, mut end) = (Scanner::default(), 0, 0);
    let mut lens = lens.iter().cycle();
    loop {
        end = page.len().min(end + lens.next().copied().unwrap_or(page.len()).max(1));
        let after = if end == page.len() { After::Nothing } else { After::More };
        start += scanner.scan(&page[start..end], after, notes);
        if after == After::Nothing {
            return assert_eq!(start, end);
        }
    }
}

/// Fails unless html5gum finds the same, in memory and in chunks of these lengths.
pub(crate) fn compare(page: &[u8], lens: &[usize]) {
    for needed in [Needed::TagsAndText, Needed::Tags] {
        let expected = notes(needed, |notes| read(page, notes));
        for lens in [&[], lens] {
            let found = notes(needed, |notes| scan_in_chunks(page, lens, notes));
            assert_eq!(found, expected, "{} {lens:?}", page.escape_ascii());
        }
    }
}

/// Reads a page in UTF-8 to its end or until `sink` needs nothing.
fn read<F: TokenSink>(page: &[u8], sink: &mut F) {
    let oracle = Oracle {
        sink,
        context: Context::default(),
        raw_text_element: Vec::new(),
        style: None,
        is_end: false,
        name: Vec::new(),
        attributes: Vec::new(),
        is_self_closing: false,
    };
    let Ok(_) = Tokenizer::new_with_emitter(page.to_reader(), oracle).next().transpose();
}

struct Oracle<'f, F> {
    sink: &'f mut F,
    context: Context,
    raw_text_element: Vec<u8>,
    /// The text of the open `style`.
    style: Option<Vec<u8>>,
    is_end: bool,
    name: Vec<u8>,
    attributes: Vec<(Vec<u8>, Vec<u8>)>,
    is_self_closing: bool,
}

/// A text as it could be written.
fn escaped(text: &[u8]) -> Vec<u8> {
    text.iter()
        .flat_map(|byte| match byte {
            b'&' => b"&amp;",
            b'\r' => b"&#13;",
            byte => std::slice::from_ref(byte),
        })
        .copied()
        .collect()
}

impl<F: TokenSink> Oracle<'_, F> {
    fn finish_style(&mut self) {
        if let Some(style) = self.style.take() {
            let style = escaped(&style);
            self.sink.style(&style, &[(0..style.len(), TextKind::Text)], &self.context, false);
        }
    }

    fn finish_start_tag(&mut self) -> Option<State> {
        let lower_name = &self.name[..self.name.len().min(LONG_NAME_LEN)];
        let element = Element::new(&self.name);
        self.context.foreign.start_tag(&self.name);
        if self.sink.needed() == Needed::TagsAndText {
            self.sink.start_tag(lower_name);
        }
        let (mut chunk, mut attributes, mut seen) = (Vec::new(), Vec::new(), AttributeSet::default());
        for (name, value) in &self.attributes {
            let Some(found) = Attribute::new(name, element) else { continue };
            if !self.sink.needed_attributes().contains(found) || seen.contains(found) {
                continue;
            }
            seen.insert(found);
            let start = chunk.len();
            chunk.extend(escaped(value));
            attributes.push((found, start..chunk.len()));
        }
        let is_self_closing = self.is_self_closing;
        let (chunk, name, attributes) = (&*chunk, &*self.name, &*attributes);
        let tag = Tag { chunk, name, lower_name, element, attributes, replaced: &[], seen, is_self_closing };
        if element != Element::Other {
            self.context.leave_at_font(&tag);
            if self.context.ignores(&tag) {
                return None;
            }
        }
        self.context.has_head |= self.name != b"html";
        if !tag.attributes.is_empty() || element == Element::Form {
            self.sink.tag(&tag, &self.context);
        }
        if element == Element::Other {
            return None;
        }
        let content = self.context.open(&tag);
        if matches!(content, ContentModel::Style | ContentModel::MarkupInStyle) {
            self.style = Some(Vec::new());
        }
        let state = match content {
            ContentModel::Markup | ContentModel::MarkupInStyle => return None,
            ContentModel::Style => State::RawText,
            // Of these, only the kind of text differs.
            ContentModel::RawText if matches!(element, Element::Title | Element::Textarea) => State::RcData,
            ContentModel::RawText => State::RawText,
            ContentModel::Script => State::ScriptData,
            ContentModel::PlainText => State::PlainText,
        };
        self.raw_text_element.clone_from(&self.name);
        Some(state)
    }
}

impl<F: TokenSink> Emitter for Oracle<'_, F> {
    /// The only token, which ends the reading.
    type Token = ();

    fn pop_token(&mut self) -> Option<()> {
        (self.sink.needed() == Needed::Nothing).then_some(())
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        name.unwrap_or_default().clone_into(&mut self.raw_text_element);
    }

    fn emit_eof(&mut self) {
        self.finish_style();
    }

    fn emit_string(&mut self, text: &[u8]) {
        if let Some(style) = &mut self.style {
            return style.extend_from_slice(text);
        }
        self.context.has_head |= !text.trim_ascii().is_empty();
        if self.sink.needed() == Needed::TagsAndText && self.raw_text_element.is_empty() {
            self.sink.text(&escaped(text), TextKind::Text);
        }
    }

    fn init_start_tag(&mut self) {
        self.finish_style();
        (self.is_end, self.is_self_closing) = (false, false);
        self.name.clear();
        self.attributes.clear();
    }

    fn init_end_tag(&mut self) {
        self.is_end = true;
        self.name.clear();
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        self.name.extend_from_slice(name);
    }

    fn set_self_closing(&mut self) {
        self.is_self_closing = true;
    }

    fn init_attribute(&mut self) {
        self.attributes.push((Vec::new(), Vec::new()));
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        self.attributes.last_mut().unwrap().0.extend_from_slice(name);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        self.attributes.last_mut().unwrap().1.extend_from_slice(value);
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        if !self.is_end {
            return self.finish_start_tag();
        }
        self.finish_style();
        let name = mem::take(&mut self.name);
        if self.sink.needed() == Needed::TagsAndText {
            self.sink.end_tag(&name[..name.len().min(LONG_NAME_LEN)]);
        }
        self.context.close(&name);
        self.raw_text_element.clear();
        None
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end && !self.raw_text_element.is_empty() && self.name == self.raw_text_element
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.context.foreign.has_cdata()
    }

    fn emit_error(&mut self, _: Error) {}
    fn init_attribute_value(&mut self) {}
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
