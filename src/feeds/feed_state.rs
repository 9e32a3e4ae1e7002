//! The place in a feed that is being read, and the links found there.

use std::mem::take;

use quick_xml::events::BytesStart;

use super::attributes::{attribute_value, attributes};
use super::open_elements::OpenElements;
use super::recognize::local_name;
use super::table::{attribute_kind, text_kind};
use crate::html::{FoundLink, Kind};

/// The most bytes of the text of a link.
const MAX_TEXT_LEN: usize = 1 << 20;
/// The most elements around a link whose `xml:base` counts.
const MAX_BASES: usize = 16;
/// The most bytes that the values of `xml:base` around a link may have together. Further values do not count. The limit bounds the
/// work for each link, as its values are compared with the values of the link before.
const MAX_BASES_LEN: usize = 64 << 10;

/// A link of a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedLink<'f> {
    /// The link. Its reference is relative to the last one of `bases`, or to the URI of the feed if `bases` is empty.
    pub link: FoundLink<'f>,
    /// The values of `xml:base` around the link, the outermost first. The first is relative to the URI of the feed, and each other
    /// one to the one before.
    pub bases: &'f [String],
}

/// The place in a feed that is being read.
#[derive(Default)]
pub(super) struct FeedState {
    elements: OpenElements,
    /// The values of `xml:base` around the current place, the outermost first.
    bases: Vec<String>,
    /// The depths of the elements with these values.
    base_depths: Vec<u64>,
    /// The innermost open element whose text is a link.
    text_link: Option<TextLink>,
    /// The text of `text_link` so far, without the texts of elements inside of it.
    text: String,
}

/// An element whose text is a link.
struct TextLink {
    name: String,
    kind: Kind,
    /// The number of elements that were open when it was opened, with itself.
    depth: u64,
}

impl FeedState {
    /// Reports whether the place is outside of all elements.
    pub(super) fn is_outside(&self) -> bool {
        self.elements.depth() == 0
    }

    /// Opens an element, and reports the links in its attributes. Closes it if it is empty: its tag ends with `/>`. Returns false
    /// if no more links are needed.
    pub(super) fn open(
        &mut self,
        tag: &BytesStart<'_>,
        is_empty: bool,
        each: &mut impl FnMut(FeedLink<'_>) -> bool,
    ) -> bool {
        let name = tag.name();
        let name = String::from_utf8_lossy(name.as_ref());
        let kind = if is_empty { None } else { text_kind(&name) };
        // If the end tag of that element is missing, its text ends here.
        if kind.is_some() && !self.report_text_link(each) {
            return false;
        }
        self.elements.open(&name);
        let depth = self.elements.depth();
        self.text_link = kind.map(|kind| TextLink { name: name.to_string(), kind, depth }).or(self.text_link.take());
        let wants_more = tag.attributes_raw().is_empty() || self.open_attributes(&name, tag, each);
        if is_empty {
            self.elements.close(&name);
            self.close_bases();
        }
        wants_more
    }

    /// Reports the links in the attributes of an element that was just opened. Its own `xml:base` counts for them, too. Returns
    /// false if no more links are needed.
    fn open_attributes(
        &mut self,
        element: &str,
        tag: &BytesStart<'_>,
        each: &mut impl FnMut(FeedLink<'_>) -> bool,
    ) -> bool {
        let bases_len: usize = self.bases.iter().map(String::len).sum();
        let counts = |base: &String| self.bases.len() < MAX_BASES && bases_len + base.len() <= MAX_BASES_LEN;
        if let Some(base) = attribute_value(tag, "xml:base").filter(counts) {
            self.bases.push(base);
            self.base_depths.push(self.elements.depth());
        }
        let rel = attribute_value(tag, "rel").unwrap_or_default();
        attributes(tag).all(|(name, reference)| {
            let Some(kind) = attribute_kind(local_name(element), local_name(&name), &rel) else { return true };
            let link = FoundLink { element, attribute: &name, kind, rel: &rel, reference: reference.trim_ascii() };
            each(FeedLink { link, bases: &self.bases })
        })
    }

    /// Adds text at this place. Returns false if the text of a link is lost because it got too long.
    pub(super) fn add(&mut self, text: &str) -> bool {
        if !self.is_in_text_link() {
            return true;
        }
        // Many short texts could make a long text.
        if self.text.len() + text.len() > MAX_TEXT_LEN {
            return !self.lose_text();
        }
        self.text.push_str(text);
        true
    }

    /// Forgets the text of the innermost open element. Returns true if the text was that of a link, which is lost.
    pub(super) fn lose_text(&mut self) -> bool {
        let is_link = self.is_in_text_link();
        if is_link {
            (self.text_link, self.text) = (None, String::new());
        }
        is_link
    }

    /// Reports whether `text_link` is the innermost open element.
    fn is_in_text_link(&self) -> bool {
        self.text_link.as_ref().is_some_and(|link| link.depth == self.elements.depth())
    }

    /// Closes an element, and reports the link in its text. Returns false if no more links are needed.
    pub(super) fn close(&mut self, name: &str, each: &mut impl FnMut(FeedLink<'_>) -> bool) -> bool {
        self.elements.close(name);
        let depth = self.elements.depth();
        // The bases around the text include those of its own element.
        let wants_more = self.text_link.as_ref().is_none_or(|link| link.depth <= depth) || self.report_text_link(each);
        self.close_bases();
        wants_more
    }

    /// Forgets the values of `xml:base` of elements that are closed.
    fn close_bases(&mut self) {
        while self.base_depths.last().is_some_and(|depth| *depth > self.elements.depth()) {
            self.base_depths.pop();
            self.bases.pop();
        }
    }

    /// Ends the text of `text_link`, if there is one, and reports the link in it. Returns false if no more links are needed.
    fn report_text_link(&mut self, each: &mut impl FnMut(FeedLink<'_>) -> bool) -> bool {
        let mut text = take(&mut self.text);
        let Some(TextLink { name, kind, .. }) = self.text_link.take() else { return true };
        let reference = text.trim_ascii();
        let link = FoundLink { element: &name, attribute: "text", kind, rel: "", reference };
        let is_link = !reference.is_empty() && (name != "guid" || reference.contains("://"));
        let wants_more = !is_link || each(FeedLink { link, bases: &self.bases });
        // Keeps the memory for the next text.
        text.clear();
        text.shrink_to(64 << 10);
        self.text = text;
        wants_more
    }
}
