//! `FeedState`: the elements of a feed that are open, and the links found in them.

use std::mem::take;

use quick_xml::events::BytesStart;

use super::attributes::{attribute_value, attributes};
use super::open_elements::OpenElements;
use super::recognize::local_name;
use super::table::{attribute_kind, text_kind};
use crate::html::{FoundLink, Kind};

/// The most bytes that the text of an element can have if this text is a reference, as in `loc`. If it is longer, the link is lost.
const MAX_TEXT_LEN: usize = 1 << 20;
/// The most elements around a link whose `xml:base` counts: the outermost that have one. Those inside of these do not count.
const MAX_BASES: usize = 16;
/// The most bytes that the values of `xml:base` around a link may have together. A value that would exceed this does not count; a
/// shorter one inside of its element still may. The limit bounds the work for each link, because its values are compared with those
/// of the link before.
const MAX_BASES_LEN: usize = 64 << 10;

/// A link of a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedLink<'f> {
    /// The link. Its reference is relative to the last one of `bases`, or to the URI of the feed if `bases` is empty.
    pub link: FoundLink<'f>,
    /// The values of `xml:base` around the link, the outermost first. The first is relative to the URI of the feed, and each other
    /// one to the one before. At most 16 values of at most 64 KiB together; a value that would exceed this is left out.
    pub bases: &'f [String],
}

/// The state of a reader of a feed: what must be known about the elements that are open.
#[derive(Default)]
pub(super) struct FeedState {
    elements: OpenElements,
    /// The values of `xml:base` of the open elements as they are written, not resolved, the outermost first. Values that would
    /// exceed the limits are left out.
    bases: Vec<String>,
    /// For each value in `bases`, the depth of its element: the number of elements that were open when it was opened, itself
    /// included.
    base_depths: Vec<u64>,
    /// The last opened element whose text is the reference of a link. `None` if there is none, and once its link is reported or
    /// lost.
    text_link: Option<TextLink>,
    /// The text of the element `text_link` so far, without the texts of elements inside of it.
    text: String,
}

/// An open element whose text is the reference of a link.
struct TextLink {
    name: String,
    kind: Kind,
    /// The number of elements that were open when this one was opened, itself included.
    depth: u64,
}

impl FeedState {
    /// Reports whether no element is open.
    pub(super) fn is_outside_elements(&self) -> bool {
        self.elements.depth() == 0
    }

    /// Opens the element of a start tag. `is_self_closing` is true if the tag ends with `/>`: then the element is closed at once.
    ///
    /// Calls `each` with these links, in this order. First, if the text of the new element is a link, the link in the text so far
    /// of the open element `text_link`: the end tag of that element is missing, and its text ends here. Then the links in the
    /// attributes of the new element. Returns false as soon as `each` did, which means that no more links are needed.
    pub(super) fn open(
        &mut self,
        tag: &BytesStart<'_>,
        is_self_closing: bool,
        each: &mut impl FnMut(FeedLink<'_>) -> bool,
    ) -> bool {
        let name = tag.name();
        let name = String::from_utf8_lossy(name.as_ref());
        let kind = if is_self_closing { None } else { text_kind(&name) };
        if kind.is_some() && !self.report_text_link(each) {
            return false;
        }
        self.elements.open(&name);
        let depth = self.elements.depth();
        self.text_link = kind.map(|kind| TextLink { name: name.to_string(), kind, depth }).or(self.text_link.take());
        let wants_more = tag.attributes_raw().is_empty() || self.report_attribute_links(&name, tag, each);
        if is_self_closing {
            self.elements.close(&name);
            self.close_bases();
        }
        wants_more
    }

    /// Calls `each` with the links in the attributes of an element that was just opened. `element` is its name. Before that, adds
    /// the `xml:base` of the element to `bases` if the limits permit it, so it counts for these links, too. Returns false if `each`
    /// did, which means that no more links are needed.
    fn report_attribute_links(
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

    /// Adds text to the innermost open element, which matters only if its text is the reference of a link. If the whole text would
    /// be longer than [`MAX_TEXT_LEN`], forgets it and returns false: the link is lost.
    pub(super) fn add_text(&mut self, text: &str) -> bool {
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

    /// Forgets the text of the innermost open element, a part of which could not be read. Returns true if its text is the reference
    /// of a link: the link is lost.
    pub(super) fn lose_text(&mut self) -> bool {
        let is_link = self.is_in_text_link();
        if is_link {
            (self.text_link, self.text) = (None, String::new());
        }
        is_link
    }

    fn is_in_text_link(&self) -> bool {
        self.text_link.as_ref().is_some_and(|link| link.depth == self.elements.depth())
    }

    /// Closes the elements that the end tag with this name ends, and calls `each` with the link in their text, if there is one.
    /// Returns false if `each` did, which means that no more links are needed.
    pub(super) fn close(&mut self, name: &str, each: &mut impl FnMut(FeedLink<'_>) -> bool) -> bool {
        self.elements.close(name);
        let depth = self.elements.depth();
        // The bases around the text include those of its own element.
        let wants_more = self.text_link.as_ref().is_none_or(|link| link.depth <= depth) || self.report_text_link(each);
        self.close_bases();
        wants_more
    }

    /// Removes the values of `xml:base` of elements that are closed.
    fn close_bases(&mut self) {
        while self.base_depths.last().is_some_and(|depth| *depth > self.elements.depth()) {
            self.base_depths.pop();
            self.bases.pop();
        }
    }

    /// Ends the text of the element `text_link`, if there is one, and calls `each` with the link in it. An empty text is no link,
    /// and of a `guid`, a text without `://` is none. Returns false if `each` did, which means that no more links are needed.
    fn report_text_link(&mut self, each: &mut impl FnMut(FeedLink<'_>) -> bool) -> bool {
        let mut text = take(&mut self.text);
        let Some(TextLink { name, kind, depth }) = self.text_link.take() else { return true };
        let reference = text.trim_ascii();
        let link = FoundLink { element: &name, attribute: "text", kind, rel: "", reference };
        let is_link = !reference.is_empty() && (name != "guid" || reference.contains("://"));
        // An open element inside of it may have a base, which is not a base of its text.
        let bases = &self.bases[..self.base_depths.partition_point(|base_depth| *base_depth <= depth)];
        let wants_more = !is_link || each(FeedLink { link, bases });
        // Keeps the memory for the next text.
        text.clear();
        text.shrink_to(64 << 10);
        self.text = text;
        wants_more
    }
}
