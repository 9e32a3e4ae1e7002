//! `FeedState`: the elements of a feed that are open, and the links found in them.

use std::mem::take;

use quick_xml::events::BytesStart;

use super::attributes::{attribute_value, attributes};
use super::open_elements::OpenElements;
use super::recognize::local_name;
use super::table::{attribute_kind, text_kind};
use crate::html::{FoundLink, Kind, MAX_HREFLANG_LEN, prefix};

const MAX_TEXT_LEN: usize = 1 << 20;
/// The outermost values of `xml:base` count.
const MAX_BASES: usize = 16;
/// In bytes, of all values of `xml:base` around a link. Bounds the work for each link, as its values are compared with those of the
/// link before.
const MAX_BASES_LEN: usize = 64 << 10;

/// A link of a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FeedLink<'f> {
    /// The link. Its reference is relative to the last one of `bases`, or to the URI of the feed if `bases` is empty.
    pub link: FoundLink<'f>,
    /// The values of `xml:base` around the link, the outermost first. The first is relative to the URI of the feed, and each other
    /// one to the one before. At most 16 values of at most 64 KiB together; a value that would exceed this is left out.
    pub bases: &'f [String],
}

#[derive(Default)]
pub(super) struct FeedState {
    elements: OpenElements,
    /// Not resolved, the outermost first; without values beyond the limits.
    bases: Vec<String>,
    /// The depth of the element of each value in `bases`, itself included.
    base_depths: Vec<u64>,
    /// The last opened element whose text is a reference; `None` once its link is reported or lost.
    text_link: Option<TextLink>,
    /// The text of `text_link` so far, without that of elements inside of it.
    text: String,
}

struct TextLink {
    name: String,
    kind: Kind,
    /// The number of open elements, this one included.
    depth: u64,
}

impl FeedState {
    pub(super) fn is_outside_elements(&self) -> bool {
        self.elements.depth() == 0
    }

    /// Returns false if `each` needs no more links.
    pub(super) fn open(
        &mut self,
        tag: &BytesStart<'_>,
        is_self_closing: bool,
        each: &mut impl FnMut(FeedLink<'_>) -> bool,
    ) -> bool {
        let name = tag.name();
        let name = String::from_utf8_lossy(name.as_ref());
        let kind = if is_self_closing { None } else { text_kind(&name) };
        // The end tag of the element `text_link` is missing: its text ends here.
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

    /// Also adds the element's `xml:base`, which counts for its own links, too. Returns false if `each` needs no more links.
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
        let [rel, hreflang] = ["rel", "hreflang"].map(|name| attribute_value(tag, name).unwrap_or_default());
        attributes(tag).all(|(name, reference)| {
            let Some(kind) = attribute_kind(local_name(element), local_name(&name), &rel) else { return true };
            let link = FoundLink::new(element, &name, kind, reference.trim_ascii());
            let link = FoundLink { rel: &rel, hreflang: prefix(&hreflang, MAX_HREFLANG_LEN), ..link };
            each(FeedLink { link, bases: &self.bases })
        })
    }

    /// Returns false if the link is lost, as its text is longer than [`MAX_TEXT_LEN`].
    pub(super) fn add_text(&mut self, text: &str) -> bool {
        if !self.is_in_text_link() {
            return true;
        }
        if self.text.len() + text.len() > MAX_TEXT_LEN {
            return !self.lose_text();
        }
        self.text.push_str(text);
        true
    }

    /// Forgets the text of the innermost open element, as a part could not be read. Returns true if this loses a link.
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

    /// Returns false if `each` needs no more links.
    pub(super) fn close(&mut self, name: &str, each: &mut impl FnMut(FeedLink<'_>) -> bool) -> bool {
        self.elements.close(name);
        let depth = self.elements.depth();
        // The bases around the text include those of its own element.
        let wants_more = self.text_link.as_ref().is_none_or(|link| link.depth <= depth) || self.report_text_link(each);
        self.close_bases();
        wants_more
    }

    fn close_bases(&mut self) {
        while self.base_depths.last().is_some_and(|depth| *depth > self.elements.depth()) {
            self.base_depths.pop();
            self.bases.pop();
        }
    }

    /// Returns false if `each` needs no more links. A `guid` without `://` is no link.
    fn report_text_link(&mut self, each: &mut impl FnMut(FeedLink<'_>) -> bool) -> bool {
        let mut text = take(&mut self.text);
        let Some(TextLink { name, kind, depth }) = self.text_link.take() else { return true };
        let reference = text.trim_ascii();
        let link = FoundLink::new(&name, "text", kind, reference);
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
