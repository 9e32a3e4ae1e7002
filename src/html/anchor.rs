//! The text of `a` elements, and the links that wait for it.

use alloc::string::String;
use alloc::vec::Vec;
use core::mem;
use std::io;

use super::clean::{prefix, to_text};
use super::link::{Kind, Link, Rejected};
use super::tag::MAX_RETAINED;

/// The open `a` element whose text is read, and the links found since its start tag. Its buffers are kept from page to page.
#[derive(Default)]
pub(super) struct Anchor {
    text: Text,
    /// The links, in the order of the document.
    held: Vec<HeldLink>,
    /// The texts of the links, one after the other.
    strings: String,
    /// The number of `table` elements that are open in the `a`.
    tables: usize,
}

/// A link without its texts.
struct HeldLink {
    kind: Kind,
    rejected: Option<Rejected>,
    /// The ends of the element, attribute, `rel`, reference, URI and own text, in bytes since the end of the link before.
    ends: [usize; 6],
    /// True if it is a link of the `a`, which has the text of the `a`.
    is_anchor: bool,
}

/// The most links that wait, and the most bytes of their texts, except those of the last one, and of the first.
const MAX_HELD: usize = 256;
const MAX_STRINGS: usize = 64 << 10;

impl Anchor {
    /// Reports whether the text of an `a` is read.
    pub(super) fn is_open(&self) -> bool {
        !self.held.is_empty()
    }

    /// Keeps a link. Reports whether there is no room for another one, so that the text ends here.
    pub(super) fn hold(&mut self, link: Link<'_>, is_anchor: bool) -> bool {
        let start = self.strings.len();
        let Link { element, attribute, rel, reference, uri, text, .. } = link;
        let ends = [element, attribute, rel, reference, uri, text].map(|text| {
            self.strings.push_str(text);
            self.strings.len() - start
        });
        self.held.push(HeldLink { kind: link.kind, rejected: link.rejected, ends, is_anchor });
        // The first may always wait.
        self.held.len() >= MAX_HELD || (self.held.len() > 1 && self.strings.len() > MAX_STRINGS)
    }

    /// Appends to the text. Reports whether it is as long as it may be, so that it ends here.
    pub(super) fn push(&mut self, text: &[u8], max_len: usize) -> bool {
        self.text.push(text, max_len)
    }

    /// Appends a text that is separated from others, as an image is.
    pub(super) fn push_apart(&mut self, text: &[u8], max_len: usize) -> bool {
        self.text.has_space = true;
        let is_full = self.text.push(text, max_len);
        self.text.has_space = true;
        is_full
    }

    /// Reads the start tag of an element in the `a`, or after it. Reports whether it ends the `a`.
    pub(super) fn start_tag(&mut self, name: &[u8]) -> bool {
        self.tag(name) || {
            self.tables += usize::from(name == b"table");
            false
        }
    }

    /// Reads an end tag. Reports whether it ends the `a`.
    pub(super) fn end_tag(&mut self, name: &[u8]) -> bool {
        if name == b"table" {
            let Some(tables) = self.tables.checked_sub(1) else { return true };
            self.tables = tables;
        }
        self.tag(name)
    }

    /// Reads a tag of this name. Reports whether it ends the `a`: it is one of an `a`, or of a part of the table that the `a` is
    /// in.
    fn tag(&mut self, name: &[u8]) -> bool {
        let is_part = matches!(name, b"caption" | b"tbody" | b"td" | b"tfoot" | b"th" | b"thead" | b"tr");
        self.text.has_space |= is_part || is_apart(name);
        name == b"a" || (is_part && self.tables == 0)
    }

    /// Passes the links to `each`, up to its first error, and closes the `a`.
    pub(super) fn close(
        &mut self,
        max_len: usize,
        page_nofollow: bool,
        each: &mut dyn FnMut(Link<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let anchor_text = to_text(&self.text.folded);
        let anchor_text = cut(&anchor_text, max_len);
        let mut start = 0;
        let done = self.held.iter().try_for_each(|link| {
            let HeldLink { kind, rejected, ends, is_anchor } = *link;
            let strings = &self.strings[start..];
            start += ends[5];
            let mut from = 0;
            let [element, attribute, rel, reference, uri, text] =
                ends.map(|end| &strings[mem::replace(&mut from, end)..end]);
            let text = if is_anchor { anchor_text } else { text };
            each(Link { element, attribute, kind, rel, page_nofollow, reference, uri, text, rejected })
        });
        self.clear();
        done
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.held.clear();
        self.held.shrink_to(MAX_HELD);
        self.strings.clear();
        self.strings.shrink_to(MAX_RETAINED);
        self.tables = 0;
    }
}

/// A text with each run of white space as one space, and none at its ends.
#[derive(Default)]
struct Text {
    /// The folded text, as bytes, since a character may be in two pieces.
    folded: Vec<u8>,
    /// True if white space comes before the next text.
    has_space: bool,
}

impl Text {
    /// The length in bytes of the longest character, so that one that is cut is beyond the greatest length.
    const LONGEST: usize = 4;

    /// Appends to the text. Reports whether it is as long as it may be. One pass.
    fn push(&mut self, text: &[u8], max_len: usize) -> bool {
        let most = max_len.saturating_add(Self::LONGEST);
        for (number, word) in text.split(u8::is_ascii_whitespace).enumerate() {
            self.has_space |= number > 0;
            if word.is_empty() {
                continue;
            }
            if self.has_space && !self.folded.is_empty() {
                self.folded.push(b' ');
            }
            self.has_space = false;
            let room = most.saturating_sub(self.folded.len());
            self.folded.extend_from_slice(&word[..word.len().min(room)]);
            if self.folded.len() >= most {
                return true;
            }
        }
        false
    }

    fn clear(&mut self) {
        self.folded.clear();
        self.folded.shrink_to(MAX_RETAINED);
        self.has_space = false;
    }
}

/// Returns a text of at most a length in bytes, with folded white space.
pub(super) fn fold(text: &[u8], max_len: usize) -> String {
    let mut folded = Text::default();
    folded.push(text, max_len);
    String::from(cut(&to_text(&folded.folded), max_len))
}

fn cut(text: &str, max_len: usize) -> &str {
    prefix(text, max_len).trim_end_matches(' ')
}

/// Reports whether browsers show an element of this name apart from the text around it (HTML §15.3), or break the line there.
#[rustfmt::skip]
fn is_apart(name: &[u8]) -> bool {
    matches!(
        name,
        b"address" | b"article" | b"aside" | b"blockquote" | b"br" | b"center" | b"dd" | b"details" | b"dialog" | b"dir"
            | b"div" | b"dl" | b"dt" | b"fieldset" | b"figcaption" | b"figure" | b"footer" | b"form" | b"h1" | b"h2" | b"h3"
            | b"h4" | b"h5" | b"h6" | b"header" | b"hgroup" | b"hr" | b"legend" | b"li" | b"listing" | b"main" | b"menu"
            | b"nav" | b"ol" | b"optgroup" | b"option" | b"p" | b"plaintext" | b"pre" | b"search" | b"section" | b"summary"
            | b"table" | b"ul" | b"xmp"
    )
}
