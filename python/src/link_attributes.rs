//! The attributes and texts of elements, as lxml finds them in a tree, without a tree.
//!
//! Only `a` and elements that libxml2 knows as empty are read. The text of an `a` is all text up to its end, which is clear while
//! the tags in it are balanced. Where it is not clear, the search ends without a result: it would need a tree. libxml2 differs from
//! HTML in three points: `<x/>` closes any element, SVG has no rules of its own, and an open `a` ends before `<a>`, `<table>`,
//! `<td>`, `<th>` and `<fieldset>`.

use std::borrow::Cow;
use std::ops::Range;

use html5gum::{Emitter, Error, Readable, State, Tokenizer};

pub struct LinkAttribute {
    pub value: String,
    pub rel: Option<String>,
    /// The range of the text of its element, in bytes, in the text of [`Found`].
    text: Range<usize>,
}

#[derive(Default)]
pub struct Found {
    /// In the order of the page.
    pub attributes: Vec<LinkAttribute>,
    /// Bytes, because a character may come in two pieces.
    text: Vec<u8>,
}

impl Found {
    pub fn text(&self, attribute: &LinkAttribute) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.text[attribute.text.clone()])
    }
}

/// `None` if the search needs a tree.
pub fn find(page: &str, elements: &[String], attributes: &[String]) -> Option<Found> {
    let is_text = |byte: u8| byte >= 0x20 || matches!(byte, b'\t' | b'\n' | b'\r');
    if !page.bytes().all(is_text) || page.len() > MAX_PAGE_LEN {
        return None;
    }
    let mut finder = Finder { elements, attributes, ..Finder::default() };
    for token in Tokenizer::new_with_emitter(page.to_reader(), &mut finder) {
        let Ok(()) = token;
    }
    (!finder.needs_tree && finder.open.is_empty()).then_some(finder.found)
}

/// The elements that libxml2 knows as empty.
pub fn is_empty_element(name: &[u8]) -> bool {
    let empty: [&[u8]; 13] = [
        b"area",
        b"base",
        b"basefont",
        b"br",
        b"col",
        b"frame",
        b"hr",
        b"img",
        b"input",
        b"isindex",
        b"link",
        b"meta",
        b"param",
    ];
    empty.contains(&name)
}

/// The most bytes of a page that is searched. libxml2 has limits, too.
const MAX_PAGE_LEN: usize = 5 << 20;
/// The most open elements, by a count that is never too low. libxml2 stops at 2048.
const MAX_OPEN: usize = 1500;

#[derive(Default)]
struct Finder<'f> {
    elements: &'f [String],
    attributes: &'f [String],
    found: Found,
    needs_tree: bool,
    /// Open elements; may be too high.
    depth: usize,
    /// libxml2 drops some of the text and elements after the end of the page.
    is_ended: bool,
    /// The names of the open elements, from an `a` on.
    open: Vec<Vec<u8>>,
    /// The found attributes that belong to the open `a`.
    open_attributes: Range<usize>,
    /// The last start tag, by which the tokenizer finds the end of raw text.
    raw_text: Vec<u8>,
    name: Vec<u8>,
    is_end: bool,
    /// The tag ends with `/>`.
    is_closed: bool,
    /// The last attribute may be incomplete.
    tag: Vec<(Vec<u8>, Vec<u8>)>,
    /// The value of the last attribute is wanted.
    is_wanted: bool,
}

impl Finder<'_> {
    fn start_tag(&mut self) -> Option<State> {
        let name = std::mem::take(&mut self.name);
        let state = self.open_element(&name);
        self.name = name;
        state
    }

    fn open_element(&mut self, name: &[u8]) -> Option<State> {
        let is_empty = is_empty_element(name) || self.is_closed;
        let is_document = matches!(name, b"html" | b"head" | b"body" | b"frameset");
        if is_document && (self.is_closed || !self.open.is_empty()) {
            self.needs_tree = true;
            return None;
        }
        if !self.open.is_empty() && matches!(name, b"a" | b"table" | b"td" | b"th" | b"fieldset" | b"plaintext") {
            if self.open.len() > 1 || name == b"plaintext" {
                self.needs_tree = true;
                return None;
            }
            self.close();
        }
        if self.elements.iter().any(|element| element.as_bytes() == name) {
            self.needs_tree |= self.is_ended;
            let attributes = self.attributes_of_tag();
            // Of the names that are looked for, only `a` is not empty.
            if !is_empty {
                self.open.push(name.to_vec());
                self.open_attributes = attributes;
            }
        } else if !self.open.is_empty() && !is_empty {
            self.open.push(name.to_vec());
        }
        if !is_empty {
            self.depth += 1;
            self.needs_tree |= self.depth > MAX_OPEN;
        }
        let state = match name {
            b"textarea" | b"title" => State::RcData,
            b"plaintext" => State::PlainText,
            b"script" => State::ScriptData,
            b"style" | b"iframe" | b"xmp" | b"noembed" | b"noframes" => State::RawText,
            _ => return None,
        };
        self.needs_tree |= self.is_closed;
        self.raw_text.clear();
        self.raw_text.extend_from_slice(name);
        Some(state)
    }

    /// Adds the wanted attributes of the tag, and returns their range among the found ones.
    fn attributes_of_tag(&mut self) -> Range<usize> {
        let first = self.found.attributes.len();
        let text = self.found.text.len()..self.found.text.len();
        let rel = self.tag.iter().find(|(name, _)| name == b"rel").map(|(_, value)| to_text(value));
        let mut is_seen = vec![false; self.attributes.len()];
        for (name, value) in &self.tag {
            let index = self.attributes.iter().position(|attribute| attribute.as_bytes() == name);
            // Of an attribute given twice, the first counts.
            if let Some(index) = index
                && !std::mem::replace(&mut is_seen[index], true)
            {
                self.found.attributes.push(LinkAttribute {
                    value: to_text(value),
                    rel: rel.clone(),
                    text: text.clone(),
                });
            }
        }
        first..self.found.attributes.len()
    }

    /// Ends the open `a`.
    fn close(&mut self) {
        self.open.clear();
        for attribute in &mut self.found.attributes[self.open_attributes.clone()] {
            attribute.text.end = self.found.text.len();
        }
    }

    fn end_tag(&mut self) {
        self.raw_text.clear();
        self.depth = self.depth.saturating_sub(1);
        self.is_ended |= matches!(&self.name[..], b"html" | b"body" | b"frameset");
        let Some(last) = self.open.last() else { return };
        if *last == self.name {
            if self.open.len() == 1 {
                self.close();
            } else {
                self.open.pop();
            }
            return;
        }
        // The end of an `a` also ends what is open in it, but for elements that weigh more.
        let weighs_more = |name: &Vec<u8>| {
            matches!(&name[..], b"div" | b"tr" | b"thead" | b"tbody" | b"tfoot" | b"head" | b"body" | b"html")
        };
        if self.name == b"a" && !self.open[1..].iter().any(weighs_more) {
            self.close();
        } else {
            self.needs_tree = true;
        }
    }
}

fn to_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Emitter for &mut Finder<'_> {
    /// The token that ends the search.
    type Token = ();

    fn pop_token(&mut self) -> Option<()> {
        None
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn emit_error(&mut self, _: Error) {}

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.raw_text.clear();
        self.raw_text.extend_from_slice(name.unwrap_or_default());
    }

    fn emit_eof(&mut self) {}

    #[inline]
    fn emit_string(&mut self, text: &[u8]) {
        if !self.open.is_empty() {
            self.found.text.extend_from_slice(text);
        }
    }

    #[inline]
    fn init_start_tag(&mut self) {
        self.name.clear();
        self.tag.clear();
        (self.is_end, self.is_closed, self.is_wanted) = (false, false, false);
    }

    #[inline]
    fn init_end_tag(&mut self) {
        self.init_start_tag();
        self.is_end = true;
    }

    #[inline]
    fn push_tag_name(&mut self, name: &[u8]) {
        self.name.extend_from_slice(name);
    }

    #[inline]
    fn set_self_closing(&mut self) {
        self.is_closed = true;
    }

    #[inline]
    fn init_attribute(&mut self) {
        self.is_wanted = !self.is_end && self.elements.iter().any(|element| element.as_bytes() == self.name);
        if self.is_wanted {
            self.tag.push((Vec::new(), Vec::new()));
        }
    }

    #[inline]
    fn push_attribute_name(&mut self, name: &[u8]) {
        if self.is_wanted
            && let Some((known, _)) = self.tag.last_mut()
        {
            known.extend_from_slice(name);
        }
    }

    #[inline]
    fn init_attribute_value(&mut self) {}

    #[inline]
    fn push_attribute_value(&mut self, value: &[u8]) {
        if self.is_wanted
            && let Some((_, known)) = self.tag.last_mut()
        {
            known.extend_from_slice(value);
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        if self.is_end {
            self.end_tag();
            None
        } else {
            self.start_tag()
        }
    }

    #[inline]
    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end && !self.raw_text.is_empty() && self.name == self.raw_text
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        false
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
