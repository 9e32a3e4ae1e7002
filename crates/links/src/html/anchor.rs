//! The text of the open `a` element, and the links that wait until that text is complete.

use std::io;
use std::mem;

use super::kind::Kind;
use super::limits::MAX_KEPT_LEN;
use super::link::{FoundLink, Link, PageFacts, Rejected};
use super::page_sink::PageSink;
use super::places::Place;
use super::values::clean::{prefix, to_text};

/// Counts as open only while a link waits. The buffers are kept from page to page.
#[derive(Default)]
pub(super) struct Anchor {
    text: FoldedText,
    waiting: Vec<WaitingLink>,
    /// The strings of the waiting links, one link after another: see [`WaitingLink::ends`].
    strings: String,
    /// The number of `table` elements that are open in the `a`.
    tables: usize,
}

struct WaitingLink {
    kind: Kind,
    place: Option<Place>,
    rejected: Option<Rejected>,
    /// The ends of element, attribute and the other texts in [`Anchor::strings`], from the start of the first.
    ends: [usize; 9],
    /// In an attribute of the `a` itself: reported with this name and the text of the `a`, without the first and the last string.
    is_anchor: bool,
}

const ELEMENT: &str = "a";
const MAX_WAITING: usize = 256;
/// The length of the strings above which no other link may wait. The first always may, however long it is.
const MAX_STRINGS_LEN: usize = 64 << 10;

impl Anchor {
    pub(super) fn is_open(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The first link opens the `a`. Returns true if no other may wait: the caller must then [`close`](Anchor::close) the `a`.
    pub(super) fn push_link(&mut self, link: &Link<'_>, is_anchor: bool) -> bool {
        let start = self.strings.len();
        let Link { element, attribute, inner, rel, hreflang, media, reference, uri, text, .. } = *link;
        let element = if is_anchor { "" } else { element };
        let ends = [element, attribute, inner, rel, hreflang, media, reference, uri, text].map(|text| {
            // Most are empty, and to copy nothing costs as much as to copy a word.
            if !text.is_empty() {
                self.strings.push_str(text);
            }
            self.strings.len() - start
        });
        let Link { kind, place, rejected, .. } = *link;
        self.waiting.push(WaitingLink { kind, place, rejected, ends, is_anchor });
        self.waiting.len() >= MAX_WAITING || (self.waiting.len() > 1 && self.strings.len() > MAX_STRINGS_LEN)
    }

    /// Returns true if all of the text that is reported is there: the caller then closes the `a`.
    pub(super) fn push_text(&mut self, text: &[u8], max_len: usize) -> bool {
        self.text.push(text, max_len)
    }

    /// Like [`push_text`](Anchor::push_text), with a space before and after: for the `alt` of images.
    pub(super) fn push_between_spaces(&mut self, text: &[u8], max_len: usize) -> bool {
        self.text.has_space = true;
        let is_full = self.text.push(text, max_len);
        self.text.has_space = true;
        is_full
    }

    /// Returns true if the start tag in the open `a`, whose name is in lower case, ends the `a`: the caller must then close it.
    pub(super) fn start_tag(&mut self, name: &[u8]) -> bool {
        self.start_or_end_tag(name) || {
            self.tables += usize::from(name == b"table");
            false
        }
    }

    /// Like [`start_tag`](Anchor::start_tag), for an end tag. That of a `table` around the `a` ends the `a`, too.
    pub(super) fn end_tag(&mut self, name: &[u8]) -> bool {
        if name == b"table" {
            let Some(tables) = self.tables.checked_sub(1) else { return true };
            self.tables = tables;
        }
        self.start_or_end_tag(name)
    }

    /// Separates words where browsers do. An `a`, or a part of the table that the `a` is in, ends the `a`.
    fn start_or_end_tag(&mut self, name: &[u8]) -> bool {
        let is_part = matches!(name, b"caption" | b"tbody" | b"td" | b"tfoot" | b"th" | b"thead" | b"tr");
        self.text.has_space |= is_part || is_block_or_br(name);
        name == b"a" || (is_part && self.tables == 0)
    }

    /// Reports the waiting links in the order of the page, and closes the `a`. After an error of the sink, the rest are dropped.
    pub(super) fn close(&mut self, max_len: usize, page: PageFacts<'_>, sink: &mut dyn PageSink) -> io::Result<()> {
        let anchor_text = to_text(&self.text.bytes);
        let anchor_text = shortened(&anchor_text, max_len);
        let mut start = 0;
        let done = self.waiting.iter().try_for_each(|link| {
            let WaitingLink { kind, place, rejected, ends, is_anchor } = *link;
            let strings = &self.strings[start..];
            start += ends[8];
            let mut from = 0;
            let [element, attribute, inner, rel, hreflang, media, reference, uri, text] = ends.map(|end| {
                let range = mem::replace(&mut from, end)..end;
                if range.is_empty() { "" } else { &strings[range] }
            });
            let (element, text) = if is_anchor { (ELEMENT, anchor_text) } else { (element, text) };
            let found = FoundLink { rel, hreflang, media, ..FoundLink::new(element, attribute, kind, reference) };
            sink.link(&Link { inner, uri, text, place, rejected, ..page.link(&found) }, &mut || None)
        });
        self.clear();
        done
    }

    /// Drops the waiting links without reporting them.
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
pub(super) struct FoldedText {
    pub(super) bytes: Vec<u8>,
    /// A space must be written before the next word, unless it is the first.
    has_space: bool,
}

impl FoldedText {
    /// `bytes` may be longer than its limit by this, so that no character within the limit is cut in two.
    const MAX_CHAR_LEN: usize = 4;

    /// Returns true once the first `max_len` bytes of the whole text are complete; the rest of `text` is then left out.
    pub(super) fn push(&mut self, text: &[u8], max_len: usize) -> bool {
        let most = max_len.saturating_add(Self::MAX_CHAR_LEN);
        if self.bytes.len() >= most {
            return true;
        }
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

/// Folds white space to one space between words and none at the ends. At most `max_len` bytes, in whole characters.
pub(super) fn fold_white_space(text: &[u8], max_len: usize) -> String {
    let mut folded = FoldedText::default();
    folded.push(text, max_len);
    String::from(shortened(&to_text(&folded.bytes), max_len))
}

fn shortened(text: &str, max_len: usize) -> &str {
    prefix(text, max_len).trim_end_matches(' ')
}

/// Blocks, which browsers show apart from the text around them (HTML §15.3), and line breaks. `name` is in lower case.
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
