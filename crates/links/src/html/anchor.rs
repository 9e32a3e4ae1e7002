//! The text of the open `a` element, and the links that wait until that text is complete.

use alloc::string::String;
use alloc::vec::Vec;
use core::mem;
use std::io;

use super::clean::{prefix, to_text};
use super::link::{Kind, Link, Rejected};
use super::tag::MAX_KEPT_LEN;

/// The text of the open `a` element, and the links found since its start tag. The links wait here until the text is complete. An
/// `a` counts as open only while a link waits. The buffers are kept from page to page.
#[derive(Default)]
pub(super) struct Anchor {
    /// The text of the open `a`, as far as it is read.
    text: FoldedText,
    /// The waiting links, in the order of the page.
    waiting: Vec<WaitingLink>,
    /// The strings of the waiting links, one link after another: see [`WaitingLink::ends`].
    strings: String,
    /// The number of `table` elements that are open in the `a`.
    tables: usize,
}

/// A waiting link. Its strings are in [`Anchor::strings`].
struct WaitingLink {
    kind: Kind,
    rejected: Option<Rejected>,
    /// The offset in bytes at which each of the link's six strings ends: element, attribute, `rel`, reference, URI and text.
    /// These strings are one after another in [`Anchor::strings`]. The offsets count from the start of the first of the six.
    ends: [usize; 6],
    /// True if the link is in an attribute of the `a` itself. It is then reported with the text of the `a` instead of the last
    /// string.
    is_anchor: bool,
}

/// The greatest number of links that wait for the text of an `a`.
const MAX_WAITING: usize = 256;
/// The length in bytes of the strings of all waiting links above which no other link may wait. The first link may always wait,
/// however long it is.
const MAX_STRINGS_LEN: usize = 64 << 10;

impl Anchor {
    /// Reports whether an `a` is open, so that its text is collected and its links wait.
    pub(super) fn is_open(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Adds a link to those that wait; the first one opens the `a`. `is_anchor` is true if the link is in an attribute of the `a`
    /// itself, false if it is in an element inside of the `a`.
    ///
    /// Returns true if no other link may wait. The caller must then [`close`](Anchor::close) the `a`.
    pub(super) fn push_link(&mut self, link: Link<'_>, is_anchor: bool) -> bool {
        let start = self.strings.len();
        let Link { element, attribute, rel, reference, uri, text, .. } = link;
        let ends = [element, attribute, rel, reference, uri, text].map(|text| {
            self.strings.push_str(text);
            self.strings.len() - start
        });
        self.waiting.push(WaitingLink { kind: link.kind, rejected: link.rejected, ends, is_anchor });
        // The first may always wait.
        self.waiting.len() >= MAX_WAITING || (self.waiting.len() > 1 && self.strings.len() > MAX_STRINGS_LEN)
    }

    /// Appends to the text. Returns true if all of it that is reported is there: then the caller closes the `a`.
    pub(super) fn push_text(&mut self, text: &[u8], max_len: usize) -> bool {
        self.text.push(text, max_len)
    }

    /// Does what [`push_text`](Anchor::push_text) does, but separates the appended text from the text before and after it by a
    /// space. This is for the `alt` of images.
    pub(super) fn push_between_spaces(&mut self, text: &[u8], max_len: usize) -> bool {
        self.text.has_space = true;
        let is_full = self.text.push(text, max_len);
        self.text.has_space = true;
        is_full
    }

    /// Takes note of a start tag inside of the open `a`. `name` is the element's name in lower case. The tag may separate words
    /// of the text, or open a table. Returns true if it ends the `a`. The caller must then [`close`](Anchor::close) the `a`.
    pub(super) fn start_tag(&mut self, name: &[u8]) -> bool {
        self.start_or_end_tag(name) || {
            self.tables += usize::from(name == b"table");
            false
        }
    }

    /// Takes note of an end tag inside of the open `a`. `name` is the element's name in lower case. The tag may separate words of
    /// the text, or close a table. Returns true if it ends the `a`, as also that of a `table` around the `a` does. The caller must
    /// then [`close`](Anchor::close) the `a`.
    pub(super) fn end_tag(&mut self, name: &[u8]) -> bool {
        if name == b"table" {
            let Some(tables) = self.tables.checked_sub(1) else { return true };
            self.tables = tables;
        }
        self.start_or_end_tag(name)
    }

    /// Separates the text before a start or end tag from the text after it by a space, if browsers show them apart. Returns true
    /// if the tag ends the `a`: it is the tag of an `a`, or the tag of a cell or another part of the table that the `a` is in.
    fn start_or_end_tag(&mut self, name: &[u8]) -> bool {
        let is_part = matches!(name, b"caption" | b"tbody" | b"td" | b"tfoot" | b"th" | b"thead" | b"tr");
        self.text.has_space |= is_part || is_block_or_br(name);
        name == b"a" || (is_part && self.tables == 0)
    }

    /// Passes the waiting links to `each` in the order of the page, and closes the `a`. Stops at the first error of `each` and
    /// returns it; the links after it are dropped.
    ///
    /// `max_len` is the most bytes of the text of the `a` that are reported. `page_nofollow` is [`Link::page_nofollow`] for all
    /// these links.
    pub(super) fn close(
        &mut self,
        max_len: usize,
        page_nofollow: bool,
        each: &mut dyn FnMut(Link<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let anchor_text = to_text(&self.text.bytes);
        let anchor_text = shortened(&anchor_text, max_len);
        let mut start = 0;
        let done = self.waiting.iter().try_for_each(|link| {
            let WaitingLink { kind, rejected, ends, is_anchor } = *link;
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

    /// Closes the `a`, and drops the waiting links without reporting them. Empties the buffers, and gives back the memory of
    /// large ones.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.waiting.clear();
        self.waiting.shrink_to(MAX_WAITING);
        self.strings.clear();
        self.strings.shrink_to(MAX_KEPT_LEN);
        self.tables = 0;
    }
}

/// A text in which one space replaces white space between words, and which has none at its start and end.
#[derive(Default)]
struct FoldedText {
    /// The text so far. It is bytes because a character may come in two chunks.
    bytes: Vec<u8>,
    /// True if a space must be written before the next word, unless it is the first, because white space, a tag or an image
    /// separates it from the last one.
    has_space: bool,
}

impl FoldedText {
    /// The length in bytes of the longest character. `bytes` may be longer than its limit by this, so that no character within
    /// the limit is cut in two.
    const MAX_CHAR_LEN: usize = 4;

    /// Appends `text`, with its white space folded. Only the first `max_len` bytes of the whole text are needed. Returns true if
    /// these are complete; the rest of `text` is then left out.
    fn push(&mut self, text: &[u8], max_len: usize) -> bool {
        let most = max_len.saturating_add(Self::MAX_CHAR_LEN);
        for (number, word) in text.split(u8::is_ascii_whitespace).enumerate() {
            self.has_space |= number > 0;
            if word.is_empty() {
                continue;
            }
            if self.has_space && !self.bytes.is_empty() {
                self.bytes.push(b' ');
            }
            self.has_space = false;
            let room = most.saturating_sub(self.bytes.len());
            self.bytes.extend_from_slice(&word[..word.len().min(room)]);
            if self.bytes.len() >= most {
                return true;
            }
        }
        false
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(MAX_KEPT_LEN);
        self.has_space = false;
    }
}

/// Returns a text with one space between words, instead of other white space, and none at its ends. It is shortened to at most
/// `max_len` bytes, in whole characters.
pub(super) fn fold_white_space(text: &[u8], max_len: usize) -> String {
    let mut folded = FoldedText::default();
    folded.push(text, max_len);
    String::from(shortened(&to_text(&folded.bytes), max_len))
}

fn shortened(text: &str, max_len: usize) -> &str {
    prefix(text, max_len).trim_end_matches(' ')
}

/// Reports whether an element is a block, which browsers show apart from the text around it (HTML §15.3), or a line break. `name`
/// is the element's name in lower case.
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
