//! The text of the open `a` element, and the links that wait until that text is complete.

use alloc::string::String;
use alloc::vec::Vec;
use core::mem;
use std::io;

use super::clean::{prefix, to_text};
use super::link::{Kind, Link, Rejected};
use super::tag::MAX_KEPT_LEN;

/// The open `a` element whose text is collected, and the links found since its start tag. They wait here until the text is
/// complete. The buffers are kept from page to page.
#[derive(Default)]
pub(super) struct Anchor {
    text: Text,
    /// The waiting links, in the order of the page.
    held: Vec<HeldLink>,
    /// The strings of the waiting links, one after another: see [`HeldLink::ends`].
    strings: String,
    /// The number of `table` elements that are open in the `a`.
    tables: usize,
}

/// A waiting link. Its strings are in [`Anchor::strings`].
struct HeldLink {
    kind: Kind,
    rejected: Option<Rejected>,
    /// The ends of its element, attribute, `rel`, reference, URI and own text in [`Anchor::strings`], in bytes from the end of the
    /// link before.
    ends: [usize; 6],
    /// True if the link is in an attribute of the `a` itself, so that its text is the text of the `a`.
    is_anchor: bool,
}

/// The most links that wait.
const MAX_HELD: usize = 256;
/// The most bytes of the strings of the waiting links. The first link may have more, and the last one may end beyond this.
const MAX_STRINGS_LEN: usize = 64 << 10;

impl Anchor {
    /// Reports whether an `a` is open and its text is being collected.
    pub(super) fn is_open(&self) -> bool {
        !self.held.is_empty()
    }

    /// Keeps a link until the text of the `a` is complete. `is_anchor` is true if the link is in an attribute of the `a` itself.
    /// Returns true if no other link may wait: the caller must then close the `a`.
    pub(super) fn hold(&mut self, link: Link<'_>, is_anchor: bool) -> bool {
        let start = self.strings.len();
        let Link { element, attribute, rel, reference, uri, text, .. } = link;
        let ends = [element, attribute, rel, reference, uri, text].map(|text| {
            self.strings.push_str(text);
            self.strings.len() - start
        });
        self.held.push(HeldLink { kind: link.kind, rejected: link.rejected, ends, is_anchor });
        // The first may always wait.
        self.held.len() >= MAX_HELD || (self.held.len() > 1 && self.strings.len() > MAX_STRINGS_LEN)
    }

    /// Appends to the text of the `a`. Returns true if the text is now longer than `max_len` bytes: the caller must then close
    /// the `a`.
    pub(super) fn push(&mut self, text: &[u8], max_len: usize) -> bool {
        self.text.push(text, max_len)
    }

    /// Does what [`push`](Anchor::push) does, with a space before and after the appended text. This is for the `alt` of images.
    pub(super) fn push_between_spaces(&mut self, text: &[u8], max_len: usize) -> bool {
        self.text.has_space = true;
        let is_full = self.text.push(text, max_len);
        self.text.has_space = true;
        is_full
    }

    /// Takes a start tag with this name into account while the `a` is open. Reports whether the tag ends the `a`.
    pub(super) fn start_tag(&mut self, name: &[u8]) -> bool {
        self.tag(name) || {
            self.tables += usize::from(name == b"table");
            false
        }
    }

    /// Takes an end tag with this name into account while the `a` is open. Reports whether the tag ends the `a`.
    pub(super) fn end_tag(&mut self, name: &[u8]) -> bool {
        if name == b"table" {
            let Some(tables) = self.tables.checked_sub(1) else { return true };
            self.tables = tables;
        }
        self.tag(name)
    }

    /// Takes a start or end tag with this name into account. Reports whether the tag ends the `a`: because it is the tag of an `a`,
    /// or that of a part, such as a cell, of the table around the `a`.
    fn tag(&mut self, name: &[u8]) -> bool {
        let is_part = matches!(name, b"caption" | b"tbody" | b"td" | b"tfoot" | b"th" | b"thead" | b"tr");
        self.text.has_space |= is_part || is_block_or_br(name);
        name == b"a" || (is_part && self.tables == 0)
    }

    /// Passes the waiting links to `each`, up to its first error, and closes the `a`. The text of the `a` is shortened to at
    /// most `max_len` bytes. `page_nofollow` is [`Link::page_nofollow`] for all of them.
    pub(super) fn close(
        &mut self,
        max_len: usize,
        page_nofollow: bool,
        each: &mut dyn FnMut(Link<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let anchor_text = to_text(&self.text.folded);
        let anchor_text = shortened(&anchor_text, max_len);
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

    /// Closes the `a` without passing its links on. Keeps only small buffers.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.held.clear();
        self.held.shrink_to(MAX_HELD);
        self.strings.clear();
        self.strings.shrink_to(MAX_KEPT_LEN);
        self.tables = 0;
    }
}

/// A text with each run of white space as one space, and none at its ends.
#[derive(Default)]
struct Text {
    /// The text so far, as bytes because a character may come in two pieces.
    folded: Vec<u8>,
    /// True if a space must be written before the next word.
    has_space: bool,
}

impl Text {
    /// The length in bytes of the longest character. [`folded`](Text::folded) may be longer than its limit by this, so that a
    /// character within the limit is never cut in two.
    const MAX_CHAR_LEN: usize = 4;

    /// Appends to the text. Returns true if the text is now longer than `max_len` bytes, so that no more of it is needed. One pass.
    fn push(&mut self, text: &[u8], max_len: usize) -> bool {
        let most = max_len.saturating_add(Self::MAX_CHAR_LEN);
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
        self.folded.shrink_to(MAX_KEPT_LEN);
        self.has_space = false;
    }
}

/// Returns a text with each run of white space as one space and none at its ends, shortened to at most `max_len` bytes.
pub(super) fn fold_white_space(text: &[u8], max_len: usize) -> String {
    let mut folded = Text::default();
    folded.push(text, max_len);
    String::from(shortened(&to_text(&folded.folded), max_len))
}

/// Returns the longest start of a text that has at most `max_len` bytes and ends between characters, without spaces at its end.
fn shortened(text: &str, max_len: usize) -> &str {
    prefix(text, max_len).trim_end_matches(' ')
}

/// Reports whether browsers show an element of this name apart from the text around it (HTML §15.3), or break the line there.
#[rustfmt::skip]
fn is_block_or_br(name: &[u8]) -> bool {
    matches!(
        name,
        b"address" | b"article" | b"aside" | b"blockquote" | b"br" | b"center" | b"dd" | b"details" | b"dialog" | b"dir"
            | b"div" | b"dl" | b"dt" | b"fieldset" | b"figcaption" | b"figure" | b"footer" | b"form" | b"h1" | b"h2" | b"h3"
            | b"h4" | b"h5" | b"h6" | b"header" | b"hgroup" | b"hr" | b"legend" | b"li" | b"listing" | b"main" | b"menu"
            | b"nav" | b"ol" | b"optgroup" | b"option" | b"p" | b"plaintext" | b"pre" | b"search" | b"section" | b"summary"
            | b"table" | b"ul" | b"xmp"
    )
}
