//! The texts of the headings of a page.

use encoding_rs::UTF_8;

use super::tokens::attribute::AttributeSet;
use super::tokens::character_references::{TextKind, decode_into};
use super::tokens::context::Context;
use super::tokens::scanner::{After, Scanner};
use super::tokens::tag::Tag;
use super::tokens::token_sink::{Needed, TokenSink};

/// Returns the text of each `h1` to `h6` of a page in UTF-8, in order.
pub(crate) fn heading_texts(page: &[u8]) -> Vec<String> {
    let mut headings = Headings { texts: Vec::new(), is_open: false, text: Vec::new() };
    Scanner::default().scan(page, After::Nothing, &mut headings);
    headings.end();
    headings.texts
}

struct Headings {
    texts: Vec<String>,
    is_open: bool,
    text: Vec<u8>,
}

impl Headings {
    fn end(&mut self) {
        if std::mem::take(&mut self.is_open) {
            self.texts.push(UTF_8.decode_without_bom_handling(&self.text).0.into_owned());
            self.text.clear();
        }
    }
}

impl TokenSink for Headings {
    fn needed_attributes(&self) -> AttributeSet {
        AttributeSet::of(&[])
    }

    fn needed(&self) -> Needed {
        Needed::TagsAndText
    }

    fn tag(&mut self, _: &Tag<'_>, _: &Context) {}

    fn text(&mut self, text: &[u8], kind: TextKind) {
        if self.is_open {
            decode_into(text, kind, &mut self.text);
        }
    }

    fn start_tag(&mut self, name: &[u8]) {
        // A heading ends another (HTML §13.2.6.4.7).
        if is_heading(name) {
            self.end();
            self.is_open = true;
        }
    }

    fn end_tag(&mut self, name: &[u8]) {
        if is_heading(name) {
            self.end();
        }
    }
}

fn is_heading(name: &[u8]) -> bool {
    matches!(name, [b'h', b'1'..=b'6'])
}
