//! Reads the tags of a page in memory (HTML §13.2.5). What no finder needs is skipped by searches.

use html5gum::{Emitter, State};
use memchr::{memchr, memchr_iter, memchr2, memmem};

use super::attribute::Attribute;
use super::character_references::{Place, decode_into, is_plain};
use super::emitter::{LONG_NAME_LEN, TagEmitter};
use super::finder::Needed;
use super::tag::TagState;

pub(super) fn scan(page: &[u8], emitter: &mut TagEmitter<'_>) {
    let mut scanner = Scanner { page, at: 0, emitter };
    while scanner.at < page.len() && scanner.emitter.needed != Needed::Nothing {
        scanner.markup();
    }
    if scanner.emitter.needed != Needed::Nothing {
        scanner.emitter.emit_eof();
    }
}

struct Scanner<'p, 'e, 's> {
    page: &'p [u8],
    at: usize,
    emitter: &'e mut TagEmitter<'s>,
}

const SPACE: u8 = 1;
const ENDS_TAG_NAME: u8 = 2;
const ENDS_ATTRIBUTE_NAME: u8 = 4;
const ENDS_VALUE: u8 = 8;

/// The sum of the sets that a byte is in.
static SETS: [u8; 256] = {
    let mut sets = [0; 256];
    // A carriage return counts as a line feed (HTML §13.2.3.5).
    let spaces = *b"\t\n\x0C\r ";
    let mut at = 0;
    while at < spaces.len() {
        sets[spaces[at] as usize] = SPACE | ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME | ENDS_VALUE;
        at += 1;
    }
    sets[b'/' as usize] = ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME;
    sets[b'>' as usize] = ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME | ENDS_VALUE;
    sets[b'=' as usize] = ENDS_ATTRIBUTE_NAME;
    sets
};

/// The length of the text before a byte of the set.
#[inline(always)]
fn len_before(text: &[u8], set: u8) -> usize {
    text.iter().position(|&byte| SETS[usize::from(byte)] & set != 0).unwrap_or(text.len())
}

/// Reports whether the text starts with this name, in any case, and the name ends there.
fn starts_with_name(text: &[u8], name: &[u8]) -> bool {
    text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
        && text.get(name.len()).is_some_and(|&byte| SETS[usize::from(byte)] & ENDS_TAG_NAME != 0)
}

impl<'p> Scanner<'p, '_, '_> {
    fn rest(&self) -> &'p [u8] {
        &self.page[self.at..]
    }

    /// Reads the text up to the next `<`, and the markup there.
    fn markup(&mut self) {
        let rest = self.rest();
        let len = memchr(b'<', rest).unwrap_or(rest.len());
        match rest[len..] {
            [_, first, ..] if first.is_ascii_alphabetic() => {
                self.text(len, Place::Text);
                self.tag(false);
            }
            [_, b'/', first, ..] if first.is_ascii_alphabetic() => {
                self.text(len, Place::Text);
                self.tag(true);
            }
            [_, b'!' | b'?', ..] | [_, b'/', _, ..] => {
                self.text(len, Place::Text);
                self.declaration();
            }
            // At the end of the page, or a `<` that starts no markup.
            _ => self.text(rest.len().min(len + 1), Place::Text),
        }
    }

    fn text(&mut self, len: usize, place: Place) {
        let text = &self.rest()[..len];
        self.at += len;
        if !text.is_empty() && self.emitter.needs_text() {
            self.emitter.scanned_text(text, place);
        }
    }

    /// Skips a comment or a document type, or reads a CDATA section.
    fn declaration(&mut self) {
        let rest = self.rest();
        let end = if let Some(comment) = rest.strip_prefix(b"<!--") {
            comment_len(comment).map(|len| len + 4)
        } else if rest.starts_with(b"<![CDATA[")
            && self.emitter.adjusted_current_node_present_but_not_in_html_namespace()
        {
            self.at += 9;
            let len = memmem::find(self.rest(), b"]]>");
            self.text(len.unwrap_or(self.rest().len()), Place::Cdata);
            self.at = self.page.len().min(self.at + 3);
            return;
        } else {
            memchr(b'>', &rest[2..]).map(|len| len + 3)
        };
        self.at += end.unwrap_or(rest.len());
    }

    /// Reads a tag, and the content of its element if that is no markup. A tag that the end of the page cuts short is left out.
    fn tag(&mut self, is_end: bool) {
        self.at += 1 + usize::from(is_end);
        if is_end {
            self.emitter.init_end_tag();
        } else {
            self.emitter.init_start_tag();
        }
        let rest = self.rest();
        let len = len_before(rest, ENDS_TAG_NAME);
        self.at += len;
        self.emitter.scanned_tag_name(&rest[..len]);
        loop {
            match self.skip_space() {
                [b'>', ..] => {
                    self.at += 1;
                    break;
                }
                [b'/', b'>', ..] => {
                    self.emitter.set_self_closing();
                    self.at += 2;
                    break;
                }
                [b'/', ..] => self.at += 1,
                [_, ..] => self.attribute(),
                [] => return,
            }
        }
        if let Some(content) = self.emitter.emit_current_tag() {
            let len = match content {
                State::PlainText => self.rest().len(),
                State::ScriptData => script_len(self.rest()),
                _ => self.raw_text_len(),
            };
            self.text(len, Place::RawText);
        }
    }

    fn skip_space(&mut self) -> &'p [u8] {
        let rest = self.rest();
        let len = rest.iter().position(|&byte| SETS[usize::from(byte)] & SPACE == 0).unwrap_or(rest.len());
        self.at += len;
        &rest[len..]
    }

    fn attribute(&mut self) {
        let rest = self.rest();
        // A name may start with `=`.
        let len = 1 + len_before(&rest[1..], ENDS_ATTRIBUTE_NAME);
        self.at += len;
        let name = &rest[..len];
        let mut value: &[u8] = b"";
        if self.skip_space().starts_with(b"=") {
            self.at += 1;
            let rest = self.skip_space();
            let (start, len, end) = match rest {
                [quote @ (b'"' | b'\''), after @ ..] => match memchr(*quote, after) {
                    Some(len) => (1, len, 1),
                    None => return self.at = self.page.len(),
                },
                _ => (0, len_before(rest, ENDS_VALUE), 0),
            };
            value = &rest[start..start + len];
            self.at += start + len + end;
        }
        self.emitter.scanned_attribute(name, value);
    }

    /// The content ends before the end tag of the element that was opened last.
    fn raw_text_len(&self) -> usize {
        let rest = self.rest();
        let is_end = |at: &usize| {
            rest[*at..].strip_prefix(b"</").is_some_and(|end| starts_with_name(end, self.emitter.raw_text_element()))
        };
        memchr_iter(b'<', rest).find(is_end).unwrap_or(rest.len())
    }
}

/// The length of what follows `<!--`, with the end of the comment.
fn comment_len(comment: &[u8]) -> Option<usize> {
    memchr_iter(b'>', comment)
        .find(|&at| matches!(&comment[..at], [] | [b'-'] | [.., b'-', b'-'] | [.., b'-', b'-', b'!']))
        .map(|at| at + 1)
}

/// The content of a `script` ends before its end tag, unless that is after `<!--` and another `<script` (HTML §13.2.5.15 to §13.2.5.31).
fn script_len(text: &[u8]) -> usize {
    enum Script {
        Plain,
        Escaped,
        DoubleEscaped,
    }
    let mut state = Script::Plain;
    let mut at = 0;
    loop {
        let next = match state {
            Script::Plain => memchr(b'<', &text[at..]),
            _ => memchr2(b'<', b'>', &text[at..]),
        };
        let Some(next) = next.map(|next| at + next) else { return text.len() };
        let rest = &text[next..];
        at = next + 1;
        let is_end_tag = rest.starts_with(b"</") && starts_with_name(&rest[2..], b"script");
        state = match state {
            // The hyphens can be those of `<!--`.
            Script::Escaped | Script::DoubleEscaped if rest[0] == b'>' && text[..next].ends_with(b"--") => {
                Script::Plain
            }
            Script::Plain | Script::Escaped if is_end_tag => return next,
            Script::Plain if rest.starts_with(b"<!--") => {
                at = next + 4;
                Script::Escaped
            }
            Script::Escaped if rest[0] == b'<' && starts_with_name(&rest[1..], b"script") => {
                // After the byte that ends the name, which may be a `>`.
                at = next + 8;
                Script::DoubleEscaped
            }
            Script::DoubleEscaped if is_end_tag => {
                at = next + 9;
                Script::Escaped
            }
            state => state,
        };
    }
}

impl TagEmitter<'_> {
    fn needs_text(&self) -> bool {
        let context = &self.buffers.context;
        let is_read = self.needed == Needed::TagsAndText && context.raw_text_element.is_empty();
        context.in_style || !context.has_head || is_read
    }

    fn raw_text_element(&self) -> &[u8] {
        &self.buffers.context.raw_text_element
    }

    fn scanned_text(&mut self, text: &[u8], place: Place) {
        if is_plain(text) {
            return self.emit_string(text);
        }
        let mut decoded = core::mem::take(&mut self.buffers.text);
        decode_into(text, place, &mut decoded);
        self.emit_string(&decoded);
        decoded.clear();
        self.buffers.text = decoded;
    }

    fn scanned_tag_name(&mut self, name: &[u8]) {
        let tag = &mut self.buffers.tag;
        tag.name.extend(name.iter().map(u8::to_ascii_lowercase));
        if name.contains(&0) {
            let lower = core::mem::take(&mut tag.name);
            decode_into(&lower, Place::RawText, &mut tag.name);
        }
        if tag.state != TagState::EndTag {
            self.finish_tag_name();
        }
    }

    fn scanned_attribute(&mut self, name: &[u8], value: &[u8]) {
        let tag = &mut self.buffers.tag;
        if tag.state == TagState::EndTag || name.len() > LONG_NAME_LEN {
            return;
        }
        let mut lower = [0; LONG_NAME_LEN];
        let lower = &mut lower[..name.len()];
        lower.copy_from_slice(name);
        lower.make_ascii_lowercase();
        let Some(found) = Attribute::new(lower, tag.element) else { return };
        if tag.seen.contains(found) || !self.needed_attributes.contains(found) {
            return;
        }
        tag.seen.insert(found);
        let start = tag.values.len();
        if is_plain(value) {
            tag.values.extend_from_slice(value);
        } else {
            decode_into(value, Place::Attribute, &mut tag.values);
        }
        tag.attributes.push((found, start..tag.values.len()));
    }
}

#[cfg(test)]
mod tests {
    use html5gum::Readable;
    use quickcheck::{Arbitrary, Gen, QuickCheck};

    use super::super::attribute::AttributeSet;
    use super::super::character_references::NAMED;
    use super::super::context::Context;
    use super::super::emitter::{PageBuffers, read_page, scan_page};
    use super::super::finder::Finder;
    use super::super::tag::Tag;
    use super::*;

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

    impl Finder for Notes {
        fn needed_attributes(&self) -> AttributeSet {
            AttributeSet::for_links(true, true)
        }

        fn needed(&self) -> Needed {
            self.needed
        }

        fn tag(&mut self, tag: &Tag, context: &Context) {
            let values: Vec<_> = tag
                .attributes
                .iter()
                .map(|(name, value)| format!("{name:?}={}", tag.values[value.clone()].escape_ascii()))
                .collect();
            let Context { templates, in_form, has_head, .. } = context;
            let name = tag.name.escape_ascii();
            self.note(format!("tag {name} {values:?} {} {templates} {in_form} {has_head}", tag.is_self_closing));
        }

        fn text(&mut self, text: &[u8]) {
            self.text.extend_from_slice(text);
        }

        fn start_tag(&mut self, name: &[u8]) {
            self.note(format!("start {}", name.escape_ascii()));
        }

        fn end_tag(&mut self, name: &[u8]) {
            // Of a long name, only that it is one.
            let name = if name.len() < LONG_NAME_LEN { name } else { b"-" };
            self.note(format!("end {}", name.escape_ascii()));
        }

        fn style(&mut self, sheet: &[u8]) {
            self.note(format!("style {}", sheet.escape_ascii()));
        }
    }

    fn notes(needed: Needed, read: impl Fn(&mut PageBuffers, &mut Notes)) -> Vec<String> {
        let mut notes = Notes { needed, notes: Vec::new(), text: Vec::new() };
        read(&mut PageBuffers::default(), &mut notes);
        notes.note("the end".into());
        notes.notes
    }

    /// Fails unless html5gum finds the same.
    fn compare(page: &[u8]) {
        for needed in [Needed::TagsAndText, Needed::Tags] {
            let expected = notes(needed, |buffers, notes| {
                let Ok(_) = read_page(buffers, page.to_reader(), notes, usize::MAX);
            });
            let found = notes(needed, |buffers, notes| scan_page(buffers, page, notes));
            assert_eq!(found, expected, "{}", page.escape_ascii());
        }
    }

    #[derive(Clone, Debug)]
    struct Page(Vec<u8>);

    impl Arbitrary for Page {
        fn arbitrary(g: &mut Gen) -> Self {
            const PARTS: &[&[u8]] = &[
                b"<",
                b"</",
                b">",
                b"/>",
                b" ",
                b"\t",
                b"\r\n",
                b"\r",
                b"\n",
                b"\x0C",
                b"\0",
                b"/",
                b"=",
                b"'",
                b"\"",
                b"-",
                b"--",
                b"!",
                b"<!--",
                b"-->",
                b"--!>",
                b"<!",
                b"<?",
                b"<!doctype html>",
                b"<![CDATA[",
                b"]]>",
                b"]]",
                b"a",
                b"A",
                b"<a href=",
                b"<A HREF='",
                b" src=\"",
                b"</a>",
                b"<script",
                b"<script>",
                b"<script><!--",
                b"<!--<script ",
                b"</script",
                b"</Script>",
                b"<style>",
                b"</style>",
                b"</style ",
                b"<title>",
                b"</title>",
                b"<textarea>",
                b"<plaintext>",
                b"<xmp>",
                b"</xmp>",
                b"<svg>",
                b"</svg>",
                b"<math>",
                b"<mi>",
                b"<desc>",
                b"<template>",
                b"</template>",
                b"<form action=x>",
                b"</form>",
                b"<head profile=x>",
                b"<html manifest=x>",
                b"<iframe src=x>",
                b"</iframe>",
                b"&",
                b"&amp",
                b"&amp;",
                b"&ampx",
                b"&notin;",
                b"&notit;",
                b"&not",
                b"&#",
                b"&#x",
                b"&#38;",
                b"&#x26",
                b"&#128;",
                b"&#0;",
                b"&#xD800;",
                b"&#13;",
                b"&#x110000;",
                b"&NotEqualTilde;",
                b"&CounterClockwiseContourIntegral;",
                b"&AElig",
                b"&lt",
                b";",
                b"x",
                b"1",
                b"\xff",
                b"\xc3\xa9",
                b"srcset=a",
                b" style='b'",
                b" data-src=c",
                b"<img src=x ",
                b"<annotation-xml encoding=text/html>",
                b"<font color=1>",
                b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            ];
            let len = usize::arbitrary(g) % 24;
            Page((0..len).flat_map(|_| g.choose(PARTS).unwrap().iter().copied()).collect())
        }

        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            Box::new(self.0.shrink().map(Page))
        }
    }

    #[test]
    fn named_references_are_those_of_html5gum() {
        let names = NAMED
            .split(|&byte| byte == b'\n')
            .filter_map(|line| line.split(|byte| !byte.is_ascii_alphanumeric()).next());
        for name in names {
            compare(
                &[b"<a href='&", name, b";&", name, b"&", name, b"=&", name, b"x'>&", name, b";&", name, b"x"].concat(),
            );
        }
    }

    #[test]
    fn random_pages_are_read_as_by_html5gum() {
        // Most short pages have little to find.
        let count = std::env::var("QUICKCHECK_TESTS").ok().and_then(|count| count.parse().ok());
        QuickCheck::new().tests(count.unwrap_or(50_000)).quickcheck((|page: Page| compare(&page.0)) as fn(Page));
    }
}
