//! Reads the tags of a page (HTML §13.2.5), in chunks of bytes. What no sink needs is skipped by searches.
//!
//! In a character encoding that is ASCII-compatible, the bytes of markup are never part of another character, so that a page is
//! read without decoding it. What the end of a chunk cuts is read again with the bytes after it.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem};
use relref::private::find_byte;

use super::attribute::{Attribute, AttributeSet};
use super::character_references::{TextKind, decode_into};
use super::context::Context;
use super::element::{ContentModel, Element};
use super::name::{ENDS_ATTRIBUTE_NAME, ENDS_TAG_NAME, ENDS_VALUE, Name, SPACE, is_in, len_before};
use super::skip::{self, Script, Skip, TagState, starts_with_name};
use super::tag::{LONG_NAME_LEN, LowerName, Tag};
use super::token_sink::{Needed, TokenSink};
use super::xml::{Xml, replaced_in};

mod xml_markup;

/// Most brackets and quotes are near, where `memchr` takes more time.
#[inline(always)]
fn find(byte: u8, text: &[u8]) -> Option<usize> {
    let Some(near) = text.first_chunk::<32>() else { return memchr(byte, text) };
    match find_byte(near, byte) {
        None => memchr(byte, &text[32..]).map(|at| 32 + at),
        found => found,
    }
}

#[inline(always)]
fn find_tag(text: &[u8]) -> Option<usize> {
    // Nearly half of the tags come right after another.
    if text.first() == Some(&b'<') { Some(0) } else { find(b'<', text) }
}

const MAX_KEPT_PIECES: usize = 1 << 10;

/// The bytes after a chunk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// Another chunk, which starts with what was not read of this one.
    More,
    /// The same, but no longer chunk: a tag or `style` that does not fit is left out.
    NoRoom,
    Nothing,
}

/// The error of XML that is cut short.
const XML_ENDS_EARLY: &str = "the end within its elements";

/// The state between two chunks of a page.
#[derive(Default)]
pub(crate) struct Scanner {
    state: State,
    context: Context,
    /// The needed attributes of the tag being read, as in [`Tag::attributes`].
    attributes: Vec<(Attribute, Range<usize>)>,
    /// The place in the chunk after the tag of the open `style` of SVG, whose texts up to the next tag are CSS.
    style: Option<usize>,
    /// These texts.
    pieces: Vec<(Range<usize>, TextKind)>,
    /// A part of the page was left out because it was too long to be kept.
    pub(crate) is_incomplete: bool,
    /// The page is XML up to its first error.
    is_xml: bool,
    /// It is still read as XML.
    in_xml: bool,
    xml: Xml,
    /// The length of what was read before the chunk, if the page is XML.
    position: u64,
    /// The place and the reason of the first error in XML.
    xml_error: Option<(u64, &'static str)>,
}

#[derive(Clone, Copy, Default)]
enum State {
    #[default]
    Markup,
    /// Markup of XML.
    Xml,
    /// A comment or processing instruction of XML, up to this end.
    Until(&'static [u8]),
    Comment {
        is_start: bool,
    },
    /// A document type, or a comment that ends at the first `>`.
    Declaration,
    Cdata,
    Style,
    /// Text up to the end tag of this name.
    RawText(LowerName),
    Script(Script),
    JsonLd,
    PlainText,
    /// One that is too long, of this name; true for an end tag.
    LongTag(TagState, LowerName, bool),
}

impl Scanner {
    /// Reads a chunk until `sink` needs nothing. Returns the length that was read: with [`After::More`], the rest must be at the
    /// start of the next chunk, which must be longer.
    pub(crate) fn scan<F: TokenSink>(&mut self, chunk: &[u8], after: After, sink: &mut F) -> usize {
        let len = self.scan_chunk(chunk, after, sink);
        self.position += len as u64;
        len
    }

    fn scan_chunk<F: TokenSink>(&mut self, chunk: &[u8], after: After, sink: &mut F) -> usize {
        let (needed_attributes, needed) = (sink.needed_attributes(), sink.needed());
        let mut scan = Scan { chunk, at: 0, after, scanner: self, sink, needed_attributes, needed };
        loop {
            while scan.needed != Needed::Nothing && scan.step().is_some() {}
            let Some(start) = scan.scanner.style.filter(|_| scan.needed != Needed::Nothing) else { return scan.at };
            match after {
                After::More => {
                    scan.scanner.state = scan.scanner.markup_state();
                    scan.scanner.style = Some(0);
                    scan.scanner.pieces.clear();
                    return start;
                }
                After::NoRoom => {
                    scan.scanner.is_incomplete = true;
                    scan.scanner.style = None;
                    scan.scanner.pieces.clear();
                    scan.sink.style(chunk, &[], &scan.scanner.context, false);
                    return scan.at;
                }
                After::Nothing => scan.finish_style(),
            }
        }
    }

    /// Sets whether the next page is XML, and forgets the one before.
    pub(crate) fn set_xml(&mut self, is_xml: bool) {
        self.is_xml = is_xml;
        self.clear();
    }

    pub(crate) fn is_xml(&self) -> bool {
        self.is_xml
    }

    /// The place, in bytes, and the reason of the first error of a page that was read to its end as XML.
    pub(crate) fn xml_error(&self) -> Option<(u64, &'static str)> {
        let is_whole = !self.in_xml || (matches!(self.state, State::Xml) && self.xml.has_root && self.xml.depth() == 0);
        self.xml_error.or_else(|| (!is_whole).then_some((self.position, XML_ENDS_EARLY)))
    }

    /// Reports whether what comes next is read as HTML.
    pub(crate) fn is_html(&self) -> bool {
        !self.in_xml
    }

    fn markup_state(&self) -> State {
        if self.in_xml { State::Xml } else { State::Markup }
    }

    pub(crate) fn clear(&mut self) {
        (self.in_xml, self.position, self.xml_error) = (self.is_xml, 0, None);
        self.xml.clear();
        self.state = self.markup_state();
        self.context.clear();
        // Only HTML ignores a `head` in some places.
        self.context.has_head = self.is_xml;
        self.style = None;
        self.pieces.clear();
        self.pieces.shrink_to(MAX_KEPT_PIECES);
        self.is_incomplete = false;
    }
}

struct Scan<'c, 's, F> {
    chunk: &'c [u8],
    at: usize,
    after: After,
    scanner: &'s mut Scanner,
    sink: &'s mut F,
    needed_attributes: AttributeSet,
    /// Kept because it is read more often than it changes: with each call of the sink.
    needed: Needed,
}

/// `None` if the chunk ends before the next step does.
impl<'c, F: TokenSink> Scan<'c, '_, F> {
    #[inline]
    fn rest(&self) -> &'c [u8] {
        &self.chunk[self.at..]
    }

    fn is_last(&self) -> bool {
        self.after == After::Nothing
    }

    fn step(&mut self) -> Option<()> {
        match self.scanner.state {
            State::Markup => self.markup(),
            State::Xml => self.xml_markup(),
            State::Until(end) => {
                let len = memmem::find(self.rest(), end).map(|at| at + end.len());
                let part = || Skip::Part(self.rest().len().saturating_sub(end.len() - 1));
                self.skip(len.map_or_else(part, Skip::ToEnd))
            }
            State::Comment { is_start } => {
                let skipped = skip::comment(self.rest(), is_start);
                if matches!(skipped, Skip::Part(1..)) {
                    self.scanner.state = State::Comment { is_start: false };
                }
                self.skip(skipped)
            }
            State::Declaration => {
                let len = memchr(b'>', self.rest());
                self.skip(len.map_or(Skip::Part(self.rest().len()), |len| Skip::ToEnd(len + 1)))
            }
            State::Cdata => self.cdata(),
            State::Style => self.style(),
            State::RawText(name) => {
                let skipped = self.raw_text(name.as_bytes());
                if name.as_bytes() == b"title" {
                    self.title(&skipped);
                }
                self.skip(skipped)
            }
            State::Script(mut script) => {
                let skipped = script.skip(self.rest(), self.is_last());
                self.scanner.state = State::Script(script);
                self.skip(skipped)
            }
            State::JsonLd => self.json_ld(),
            State::PlainText => self.skip(Skip::Part(self.rest().len())),
            State::LongTag(mut part, name, is_end) => {
                let skipped = part.skip(self.rest());
                self.scanner.state = State::LongTag(part, name, is_end);
                self.skip(skipped)?;
                self.scanner.attributes.clear();
                if is_end {
                    self.end_tag(name.as_bytes());
                } else {
                    let (name, element) = (name.as_bytes(), Element::new(name.as_bytes()));
                    self.start_tag(b"", name, element, AttributeSet::default(), part == TagState::Slash);
                }
                Some(())
            }
        }
    }

    fn skip(&mut self, skipped: Skip) -> Option<()> {
        match skipped {
            Skip::ToEnd(len) => {
                self.at += len;
                self.scanner.state = self.scanner.markup_state();
                Some(())
            }
            Skip::Part(len) => {
                self.at += if self.is_last() { self.rest().len() } else { len };
                None
            }
        }
    }

    /// Reads texts and tags, up to a tag that changes the state or markup of another kind.
    #[inline]
    fn markup(&mut self) -> Option<()> {
        loop {
            self.skip_end_tags();
            let rest = self.rest();
            let Some(len) = find_tag(rest) else { return self.last_text() };
            let is_end = match rest[len..] {
                [_, first, ..] if first.is_ascii_alphabetic() => false,
                [_, b'/', first, ..] if first.is_ascii_alphabetic() => true,
                [_, b'!' | b'?', ..] | [_, b'/', _, ..] => {
                    self.text(len, TextKind::Text);
                    return self.declaration();
                }
                [_] | [_, b'/'] if !self.is_last() => {
                    self.text(len, TextKind::Text);
                    return None;
                }
                // A `<` that starts no markup.
                _ => {
                    self.text(len + 1, TextKind::Text);
                    return Some(());
                }
            };
            self.text(len, TextKind::Text);
            if self.needed == Needed::Nothing {
                return None;
            }
            if is_end {
                self.any_end_tag()?
            } else {
                self.tag(false)?
            }
            if self.needed == Needed::Nothing || !matches!(self.scanner.state, State::Markup) {
                return Some(());
            }
        }
    }

    /// Skips texts and end tags, most of which change nothing.
    #[inline]
    fn skip_end_tags(&mut self) {
        if self.needed != Needed::Tags || self.scanner.style.is_some() || !self.scanner.context.is_plain() {
            return;
        }
        while let Some(len) = find_tag(self.rest()) {
            self.at += len;
            let rest = self.rest();
            let [_, b'/', first, ..] = rest else { return };
            let Name { len, .. } = Name::before(&rest[2..], ENDS_TAG_NAME);
            // Also a comment, such as `</1>`, ends here; but `</>` has no name.
            if *first == b'>' || rest.get(2 + len) != Some(&b'>') {
                return;
            }
            self.at += "</".len() + len + ">".len();
        }
    }

    /// Reads text at the end of a chunk, of which the last word may not be complete.
    fn last_text(&mut self) -> Option<()> {
        let len = self.len_of_whole_words(self.rest().len());
        self.text(len, TextKind::Text);
        None
    }

    /// The last word of needed text may have the start of a character or of a reference.
    fn len_of_whole_words(&self, len: usize) -> usize {
        if !self.needs_text() || self.after != After::More {
            return len;
        }
        let text = &self.rest()[..len];
        let len = text.iter().rposition(u8::is_ascii_whitespace).unwrap_or(0);
        // A CRLF is one line feed.
        if text[..len].ends_with(b"\r") { len - 1 } else { len }
    }

    #[inline]
    fn needs_text(&self) -> bool {
        self.needed == Needed::TagsAndText || !self.scanner.context.has_head || self.scanner.style.is_some()
    }

    #[inline]
    fn text(&mut self, len: usize, place: TextKind) {
        let text = &self.rest()[..len];
        self.at += len;
        if !text.is_empty() && self.needs_text() {
            self.needed_text(text, place);
        }
    }

    #[inline(never)]
    fn needed_text(&mut self, text: &[u8], place: TextKind) {
        if self.scanner.style.is_some() {
            return self.scanner.pieces.push((self.at - text.len()..self.at, place));
        }
        let context = &mut self.scanner.context;
        if !context.has_head {
            let mut decoded = Vec::new();
            let is_space = text.trim_ascii().is_empty() || {
                decode_into(text, place, &mut decoded);
                decoded.trim_ascii().is_empty()
            };
            context.has_head = !is_space;
        }
        if self.needed == Needed::TagsAndText {
            match place {
                TextKind::Text if self.scanner.in_xml => {
                    self.sink.text(&self.scanner.xml.entities.replaced(text), place)
                }
                _ => self.sink.text(text, place),
            }
            self.needed = self.sink.needed();
        }
    }

    /// Starts to read a comment, a document type or a CDATA section.
    fn declaration(&mut self) -> Option<()> {
        const CDATA: &[u8] = b"<![CDATA[";
        let rest = self.rest();
        let is_cut = |start: &[u8]| !self.is_last() && rest.len() < start.len() && start.starts_with(rest);
        let has_cdata = self.scanner.context.foreign.has_cdata();
        if is_cut(b"<!--") || (has_cdata && is_cut(CDATA)) {
            return None;
        }
        let (state, len) = match rest {
            [_, b'!', b'-', b'-', ..] => (State::Comment { is_start: true }, 4),
            _ if has_cdata && rest.starts_with(CDATA) => (State::Cdata, CDATA.len()),
            _ => (State::Declaration, 2),
        };
        self.at += len;
        self.scanner.state = state;
        Some(())
    }

    fn cdata(&mut self) -> Option<()> {
        let rest = self.rest();
        match memmem::find(rest, b"]]>") {
            Some(len) => {
                self.xml_title(len);
                self.text(len, TextKind::Cdata);
                self.skip(Skip::ToEnd(3))
            }
            None => {
                let brackets = if self.is_last() { 0 } else { 2 };
                let len = self.len_of_whole_words(rest.len().saturating_sub(brackets));
                self.xml_title(len);
                self.text(len, TextKind::Cdata);
                None
            }
        }
    }

    /// Text up to the end tag of this name.
    fn raw_text(&self, name: &[u8]) -> Skip {
        let rest = self.rest();
        for at in memchr_iter(b'<', rest) {
            let tag = &rest[at + 1..];
            let is_end = match tag {
                [] => None,
                [b'/', after @ ..] => starts_with_name(after, name),
                _ => Some(false),
            };
            match is_end {
                Some(true) => return Skip::ToEnd(at),
                Some(false) => {}
                None => return Skip::Part(at),
            }
        }
        Skip::Part(rest.len())
    }

    /// Passes on a part of the text of a `title`.
    fn title(&mut self, skipped: &Skip) {
        let (len, is_end) = match *skipped {
            Skip::ToEnd(len) => (len, true),
            Skip::Part(_) if self.is_last() => (self.rest().len(), true),
            Skip::Part(len) => (len, false),
        };
        self.sink.title(&self.rest()[..len], is_end, &self.scanner.context);
        self.needed = self.sink.needed();
    }

    /// Reads the text of a `style` at once. One that is too long is raw text.
    fn style(&mut self) -> Option<()> {
        let len = match self.raw_text(b"style") {
            Skip::ToEnd(len) => len,
            Skip::Part(_) if self.is_last() => self.rest().len(),
            Skip::Part(_) if self.after == After::NoRoom => {
                self.scanner.is_incomplete = true;
                self.scanner.state = State::RawText(LowerName::new(b"style"));
                self.sink.style(self.chunk, &[], &self.scanner.context, false);
                return Some(());
            }
            Skip::Part(_) => return None,
        };
        self.sink.style(self.chunk, &[(self.at..self.at + len, TextKind::RawText)], &self.scanner.context, false);
        self.needed = self.sink.needed();
        self.skip(Skip::ToEnd(len))
    }

    /// Reads the text of a script of JSON-LD at once. One that is too long is a script.
    fn json_ld(&mut self) -> Option<()> {
        let len = match Script::default().skip(self.rest(), self.is_last()) {
            Skip::ToEnd(len) => len,
            Skip::Part(_) if self.is_last() => self.rest().len(),
            Skip::Part(_) if self.after == After::NoRoom => {
                self.scanner.is_incomplete = true;
                self.scanner.state = State::Script(Script::default());
                return Some(());
            }
            Skip::Part(_) => return None,
        };
        self.sink.json_ld(&self.rest()[..len]);
        self.needed = self.sink.needed();
        self.skip(Skip::ToEnd(len))
    }

    /// Reports the text of the `style` of SVG that is open, if there is one.
    fn finish_style(&mut self) {
        if self.scanner.style.take().is_some() {
            let Scanner { xml, pieces, context, .. } = &mut *self.scanner;
            match replaced_in(&mut xml.entities, self.chunk, pieces) {
                Some((text, pieces)) => self.sink.style(&text, &pieces, context, true),
                None => self.sink.style(self.chunk, pieces, context, false),
            }
            self.needed = self.sink.needed();
            self.scanner.pieces.clear();
        }
    }

    /// One that is not [skipped](Self::skip_end_tags).
    #[inline(never)]
    fn any_end_tag(&mut self) -> Option<()> {
        self.tag(true)
    }

    /// Reads a tag. One that the end of the page cuts short is left out.
    #[inline(always)]
    fn tag(&mut self, is_end: bool) -> Option<()> {
        if self.scanner.style.is_some() {
            self.finish_style();
            if self.needed == Needed::Nothing {
                return None;
            }
        }
        let chunk = self.chunk;
        let start = self.at + 1 + usize::from(is_end);
        let text = &chunk[start..];
        let Name { len, short, has_upper } = Name::before(text, ENDS_TAG_NAME);
        let (name, mut at) = (&text[..len], start + len);
        let lower;
        let mut lower_name = &name[..name.len().min(LONG_NAME_LEN)];
        if has_upper {
            lower = LowerName::new(name);
            lower_name = lower.as_bytes();
        }
        let mut element = Element::Other;
        if !is_end {
            element = match short {
                Some(short) => Element::of_short_name(short),
                None => Element::new(lower_name),
            };
            self.scanner.attributes.clear();
        }
        let mut seen = AttributeSet::default();
        let is_self_closing = loop {
            match chunk.get(at) {
                Some(b'>') => {
                    at += 1;
                    break false;
                }
                Some(b'/') => match chunk.get(at + 1) {
                    Some(b'>') => {
                        at += 2;
                        break true;
                    }
                    Some(_) => at += 1,
                    None => return self.cut_tag(lower_name, is_end),
                },
                Some(&byte) if is_in(byte, SPACE) => at += 1,
                Some(_) => match self.attribute(&mut at, element) {
                    Some(Some((attribute, value))) if !is_end && !seen.contains(attribute) => {
                        seen.insert(attribute);
                        self.scanner.attributes.push((attribute, value));
                    }
                    Some(_) => {}
                    None => return self.cut_tag(lower_name, is_end),
                },
                None => return self.cut_tag(lower_name, is_end),
            }
        };
        self.at = at;
        let changes_nothing = || {
            let Scanner { context, attributes, .. } = &*self.scanner;
            let is_plain = context.has_head && context.foreign.is_empty() && self.needed == Needed::Tags;
            is_plain && element == Element::Other && attributes.is_empty()
        };
        if is_end {
            self.end_tag(lower_name);
        } else if !changes_nothing() {
            self.start_tag(name, lower_name, element, seen, is_self_closing);
        }
        Some(())
    }

    /// Reads the attribute at this place, and moves the place after it. Returns a needed one, with the place of its value. `None` if
    /// the chunk ends in it.
    #[inline(always)]
    fn attribute(&self, place: &mut usize, element: Element) -> Option<Option<(Attribute, Range<usize>)>> {
        let chunk = self.chunk;
        let start = *place;
        let text = &chunk[start..];
        // A name may start with `=`.
        let Name { len, short, has_upper } = Name::before(text, ENDS_ATTRIBUTE_NAME);
        let value;
        (value, *place) = match text[len..] {
            // Nearly always.
            [b'=', quote @ (b'"' | b'\''), ref rest @ ..] => {
                let (value, len) = (start + len + 2, find(quote, rest)?);
                (value..value + len, value + len + 1)
            }
            _ => self.spaced_value(start + len)?,
        };
        let name = &text[..len];
        let found = match short {
            Some(short) => Attribute::of_short_name(short, name, element),
            None if has_upper => Attribute::new(LowerName::new(name).as_bytes(), element),
            None => Attribute::new(name, element),
        };
        Some(found.filter(|found| self.needed_attributes.contains(*found)).map(|found| (found, value)))
    }

    /// The value after a name that ends here, which may be none, without quotes, or after spaces; and the place after it.
    fn spaced_value(&self, name_end: usize) -> Option<(Range<usize>, usize)> {
        let chunk = self.chunk;
        let at = self.after_spaces(name_end);
        if *chunk.get(at)? != b'=' {
            return Some((name_end..name_end, at));
        }
        let start = self.after_spaces(at + 1);
        match *chunk.get(start)? {
            quote @ (b'"' | b'\'') => {
                let end = start + 1 + find(quote, &chunk[start + 1..])?;
                Some((start + 1..end, end + 1))
            }
            _ => {
                let end = start + len_before(&chunk[start..], ENDS_VALUE);
                Some((start..end, end))
            }
        }
    }

    fn after_spaces(&self, mut at: usize) -> usize {
        while self.chunk.get(at).is_some_and(|&byte| is_in(byte, SPACE)) {
            at += 1;
        }
        at
    }

    #[cold]
    fn cut_tag(&mut self, lower_name: &[u8], is_end: bool) -> Option<()> {
        match self.after {
            After::More => None,
            After::Nothing => {
                self.at = self.chunk.len();
                None
            }
            After::NoRoom => {
                self.scanner.is_incomplete |= !is_end;
                self.at += 1 + usize::from(is_end);
                self.scanner.state = State::LongTag(TagState::TagName, LowerName::new(lower_name), is_end);
                Some(())
            }
        }
    }

    fn start_tag(
        &mut self,
        name: &[u8],
        lower_name: &[u8],
        element: Element,
        seen: AttributeSet,
        is_self_closing: bool,
    ) {
        let Scanner { context, attributes, .. } = &mut *self.scanner;
        context.foreign.start_tag(lower_name);
        if self.needed == Needed::TagsAndText {
            self.sink.start_tag(lower_name);
        }
        let chunk = self.chunk;
        let tag = Tag { chunk, name, lower_name, element, attributes, replaced: &[], seen, is_self_closing };
        let changes_context = element.changes_context();
        if changes_context {
            context.leave_at_font(&tag);
            if context.ignores(&tag) {
                self.needed = self.sink.needed();
                return;
            }
        }
        context.has_head = context.has_head || lower_name != b"html";
        // A form without a method is that of the fields in it, too.
        if !tag.attributes.is_empty() || element == Element::Form {
            self.sink.tag(&tag, context);
            self.needed = self.sink.needed();
        } else if self.needed == Needed::TagsAndText {
            self.needed = self.sink.needed();
        }
        if changes_context {
            let content = context.open(&tag);
            let is_json_ld = content == ContentModel::Script && is_json_ld(&tag);
            self.open(content, lower_name);
            if is_json_ld {
                self.scanner.state = State::JsonLd;
            }
        }
    }

    fn open(&mut self, content: ContentModel, name: &[u8]) {
        self.scanner.state = match content {
            ContentModel::Markup => return,
            ContentModel::MarkupInStyle => {
                self.scanner.style = Some(self.at);
                return;
            }
            ContentModel::Style => State::Style,
            ContentModel::RawText => State::RawText(LowerName::new(name)),
            ContentModel::Script => State::Script(Script::default()),
            ContentModel::PlainText => State::PlainText,
        };
    }

    #[inline]
    fn end_tag(&mut self, name: &[u8]) {
        if self.needed == Needed::TagsAndText {
            self.sink.end_tag(name);
            self.needed = self.sink.needed();
        }
        self.scanner.context.close(name);
    }
}

/// Parameters may follow the media type.
fn is_json_ld(tag: &Tag<'_>) -> bool {
    let media_type = tag.value(Attribute::Type).unwrap_or_default();
    let essence = media_type.split(|byte| *byte == b';').next().unwrap_or_default();
    essence.trim_ascii().eq_ignore_ascii_case(b"application/ld+json")
}

#[cfg(test)]
mod tests;
