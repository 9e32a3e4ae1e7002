//! `FeedState`: the elements of a feed that are open, and the links found in them.

use std::mem::take;
use std::ops::Range;

use quick_xml::escape::escape;
use quick_xml::events::BytesStart;

use super::attributes::{XmlAttribute, attribute_value, attributes};
use super::open_elements::OpenElements;
use super::recognize::local_name;
use super::source::{Form, Source};
use super::table::{attribute_kind, is_entry, text_of};
use crate::html::{FoundLink, Kind, LinkReceiver, MAX_HREFLANG_LEN, prefix};

const MAX_TEXT_LEN: usize = 1 << 20;
/// The outermost values of `xml:base` count.
const MAX_BASES: usize = 16;
/// The most bytes of all values of `xml:base` around a link. They bound the work for each link, as its values are compared with
/// those of the link before.
const MAX_BASES_LEN: usize = 64 << 10;

/// A part of a feed that has links.
pub(crate) struct FeedPart<'f> {
    pub(super) kind: PartKind<'f>,
    /// `None` unless places are asked for, and if the text is too long.
    pub(crate) place: Option<PartPlace<'f>>,
}

pub(super) enum PartKind<'f> {
    Link(FeedLink<'f>),
    /// The value of an `xml:base`, within others. Only if places are asked for.
    Base(FeedLink<'f>),
    /// HTML in an element, with the values of `xml:base` around it.
    Html {
        element: &'f str,
        html: &'f str,
        is_xhtml: bool,
        bases: &'f [String],
    },
    /// The text of a `lastmod`. Only if entries are asked for.
    LastModified(&'f str),
    /// The end of a `url`, or of a `sitemap`. Only if entries are asked for.
    EntryEnd {
        is_sitemap: bool,
    },
}

/// Where the text of a part stands.
pub(crate) struct PartPlace<'f> {
    source: &'f Source,
    /// In the text of the source.
    start: usize,
}

impl PartPlace<'_> {
    /// Returns where a part of the text stands in the feed, in bytes of UTF-8, and what it is written as.
    pub(crate) fn range(&self, text: Range<usize>) -> Option<(Range<u64>, Form)> {
        self.source.place(self.start + text.start..self.start + text.end)
    }
}

impl FeedPart<'_> {
    pub(crate) fn is_xhtml(&self) -> bool {
        matches!(self.kind, PartKind::Html { is_xhtml: true, .. })
    }

    pub(crate) fn add_to(&self, links: &mut LinkReceiver<'_>) -> bool {
        match self.kind {
            PartKind::Link(FeedLink { link, bases }) if self.place.is_none() => links.add_within(bases, link),
            PartKind::Link(FeedLink { link, bases }) => links.add_text(bases, link, false),
            PartKind::Base(FeedLink { link, bases }) => links.add_text(bases, link, true),
            PartKind::Html { element, html, bases, .. } => links.add_html(bases, element, html),
            PartKind::LastModified(_) | PartKind::EntryEnd { .. } => true,
        }
    }
}

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
    /// The last opened element whose text is a reference or HTML; `None` once its links are reported or lost.
    text_link: Option<TextLink>,
    /// The text of `text_link` so far: without that of elements inside of it, but for XHTML, which is written as HTML.
    text: String,
    /// The places of `text`; `None` unless places are asked for.
    pub(super) source: Option<Source>,
    /// Ends of entries of sitemaps, and their `lastmod`, are parts.
    pub(super) has_entries: bool,
}

struct TextLink {
    name: String,
    text: Text,
    /// The offset in the feed, `None` if its places are not kept.
    start: Option<u64>,
    is_identifier: bool,
    /// The number of open elements, this one included.
    depth: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Text {
    Reference(Kind),
    Html,
    Xhtml,
    LastModified,
}

impl FeedState {
    pub(super) fn is_outside_elements(&self) -> bool {
        self.elements.depth() == 0
    }

    /// `at` is the offset of the tag's name in the feed. The first value is false if `each` needs no more links, the second if the
    /// links of a text are lost, as it is too long.
    pub(super) fn open(
        &mut self,
        tag: &BytesStart<'_>,
        at: u64,
        is_self_closing: bool,
        each: &mut impl FnMut(FeedPart<'_>) -> bool,
    ) -> (bool, bool) {
        let name = tag.name();
        let name = String::from_utf8_lossy(name.as_ref());
        if self.is_in_xhtml() && !is_entry(&name) {
            self.elements.open(&name);
            let is_kept = self.add_start_tag(tag, at, &name, is_self_closing);
            if is_self_closing {
                self.elements.close(&name);
            }
            return (true, is_kept);
        }
        let text = match &*name {
            _ if is_self_closing => None,
            name if self.has_entries && local_name(name) == "lastmod" => Some(Text::LastModified),
            name => text_of(name, |name| attribute_value(tag, name)),
        };
        // The end tag of the element `text_link` is missing: its text ends here.
        if (text.is_some() || self.is_in_xhtml()) && !self.report_text_link(each) {
            return (false, true);
        }
        self.elements.open(&name);
        let depth = self.elements.depth();
        let new = text.map(|text| {
            let is_permalink = || attribute_value(tag, "isPermaLink");
            let is_identifier =
                name == "guid" && is_permalink().is_some_and(|value| value.trim_ascii().eq_ignore_ascii_case("false"));
            TextLink { name: name.to_string(), text, start: self.source.is_some().then_some(at), is_identifier, depth }
        });
        self.text_link = new.or(self.text_link.take());
        let wants_more = tag.attributes_raw().is_empty() || self.report_attribute_links(&name, tag, at, each);
        if is_self_closing {
            self.elements.close(&name);
            self.close_bases();
        }
        (wants_more, true)
    }

    /// In HTML, an element that is empty has an end tag.
    fn add_start_tag(&mut self, tag: &BytesStart<'_>, at: u64, name: &str, is_self_closing: bool) -> bool {
        let attributes = String::from_utf8_lossy(tag.attributes_raw());
        let end = at + tag.len() as u64;
        let place = (end - tag.attributes_raw().len() as u64..end, Form::Markup);
        let name = local_name(name);
        self.push_text(&format!("<{name} "), None)
            && self.push_text(&attributes, Some(place))
            && self.push_text(&if is_self_closing { format!("></{name}>") } else { String::from(">") }, None)
    }

    /// Reports the links in the attributes of a tag to `each`. Also adds the element's `xml:base`, which counts for its own links,
    /// too. Returns false if `each` needs no more links.
    pub(super) fn report_attribute_links(
        &mut self,
        element: &str,
        tag: &BytesStart<'_>,
        at: u64,
        each: &mut impl FnMut(FeedPart<'_>) -> bool,
    ) -> bool {
        let bases_len: usize = self.bases.iter().map(String::len).sum();
        let counts = |base: &String| self.bases.len() < MAX_BASES && bases_len + base.len() <= MAX_BASES_LEN;
        let mut source = self.source.is_some().then(Source::default);
        let base =
            attributes(tag).find(|found| found.name == "xml:base").map(|found| (found.value().into_owned(), found));
        if let Some((base, attribute)) = base.filter(|(base, _)| counts(base)) {
            if self.source.is_some() {
                let link = FoundLink::new(element, "xml:base", Kind::Metadata, base.trim_ascii());
                let kind = PartKind::Base(FeedLink { link, bases: &self.bases });
                if !each(FeedPart { kind, place: attribute_place(source.as_mut(), tag, at, &attribute) }) {
                    return false;
                }
            }
            self.bases.push(base);
            self.base_depths.push(self.elements.depth());
        }
        let [rel, hreflang] = ["rel", "hreflang"].map(|name| attribute_value(tag, name).unwrap_or_default());
        // Of several, the first counts, so that `rel` is read once for each name.
        let mut names: Vec<String> = Vec::new();
        attributes(tag).all(|attribute| {
            let name = local_name(&attribute.name);
            if names.iter().any(|seen| seen == name) {
                return true;
            }
            let kind = attribute_kind(local_name(element), name, &rel);
            let Some(kind) = kind else { return true };
            names.push(name.into());
            let value = attribute.value();
            let link = FoundLink::new(element, &attribute.name, kind, value.trim_ascii());
            let link = FoundLink { rel: &rel, hreflang: prefix(&hreflang, MAX_HREFLANG_LEN), ..link };
            let kind = PartKind::Link(FeedLink { link, bases: &self.bases });
            each(FeedPart { kind, place: attribute_place(source.as_mut(), tag, at, &attribute) })
        })
    }

    /// `at` is where the text is written in the feed. Returns false if the links are lost, as the text is longer than
    /// [`MAX_TEXT_LEN`].
    pub(super) fn add_text(&mut self, text: &str, at: Range<u64>, form: Form) -> bool {
        match self.text_link {
            _ if self.is_in_xhtml() => self.push_text(&escape(text), None),
            _ if self.is_in_text_link() => self.push_text(text, Some((at, form))),
            _ => true,
        }
    }

    fn push_text(&mut self, text: &str, at: Option<(Range<u64>, Form)>) -> bool {
        if self.text.len() + text.len() > MAX_TEXT_LEN {
            self.clear_text();
            return false;
        }
        self.text.push_str(text);
        if let Some(source) = &mut self.source {
            source.push(text.len(), at);
        }
        true
    }

    fn clear_text(&mut self) {
        (self.text_link, self.text) = (None, String::new());
        if let Some(source) = &mut self.source {
            source.clear();
        }
    }

    /// Forgets the text of the innermost open element, as a part could not be read. Returns true if this loses a link.
    pub(super) fn lose_text(&mut self) -> bool {
        let is_link = self.is_in_text_link() || self.is_in_xhtml();
        if is_link {
            self.clear_text();
        }
        is_link
    }

    /// Where the text starts whose places are still needed.
    pub(super) fn kept_from(&self) -> Option<u64> {
        self.text_link.as_ref()?.start
    }

    /// The references of the open text then have no places.
    pub(super) fn forget_places(&mut self) {
        if let Some(link) = &mut self.text_link {
            link.start = None;
        }
    }

    fn is_in_xhtml(&self) -> bool {
        self.text_link.as_ref().is_some_and(|link| link.text == Text::Xhtml)
    }

    fn is_in_text_link(&self) -> bool {
        self.text_link.as_ref().is_some_and(|link| link.depth == self.elements.depth())
    }

    /// Returns as [`open`](Self::open).
    pub(super) fn close(&mut self, name: &str, each: &mut impl FnMut(FeedPart<'_>) -> bool) -> (bool, bool) {
        self.elements.close(name);
        let depth = self.elements.depth();
        // The bases around the text include those of its own element.
        let ends = self.text_link.as_ref().is_some_and(|link| link.depth > depth);
        let wants_more = !ends || self.report_text_link(each);
        let is_kept = ends || !self.is_in_xhtml() || self.push_text(&format!("</{}>", local_name(name)), None);
        self.close_bases();
        let is_sitemap = local_name(name) == "sitemap";
        let is_entry = self.has_entries && wants_more && (is_sitemap || local_name(name) == "url");
        let wants_more = match is_entry {
            true => each(FeedPart { kind: PartKind::EntryEnd { is_sitemap }, place: None }),
            false => wants_more,
        };
        (wants_more, is_kept)
    }

    fn close_bases(&mut self) {
        while self.base_depths.last().is_some_and(|depth| *depth > self.elements.depth()) {
            self.base_depths.pop();
            self.bases.pop();
        }
    }

    /// Returns false if `each` needs no more links. A `guid` or license that is no absolute URL is no link.
    fn report_text_link(&mut self, each: &mut impl FnMut(FeedPart<'_>) -> bool) -> bool {
        let mut text = take(&mut self.text);
        let Some(TextLink { name, text: use_of_text, start, is_identifier, depth }) = self.text_link.take() else {
            return true;
        };
        // An open element inside of it may have a base, which is not a base of its text.
        let bases = &self.bases[..self.base_depths.partition_point(|base_depth| *base_depth <= depth)];
        let reference = text.trim_ascii();
        let place = |start_in_text| {
            let source = self.source.as_ref().filter(|_| start.is_some() && !is_identifier)?;
            Some(PartPlace { source, start: start_in_text })
        };
        let must_be_url = matches!(local_name(&name), "guid" | "license");
        let is_url = || reference.contains("://") && !reference.contains(|c: char| c.is_ascii_whitespace());
        let wants_more = match use_of_text {
            Text::Reference(kind) if !reference.is_empty() && (!must_be_url || is_url()) => {
                let link = FoundLink::new(&name, "text", kind, reference);
                let kind = PartKind::Link(FeedLink { link, bases });
                each(FeedPart { kind, place: place(text.len() - text.trim_ascii_start().len()) })
            }
            Text::Reference(_) => true,
            Text::LastModified => each(FeedPart { kind: PartKind::LastModified(reference), place: None }),
            Text::Html | Text::Xhtml => {
                let is_xhtml = use_of_text == Text::Xhtml;
                let kind = PartKind::Html { element: &name, html: &text, is_xhtml, bases };
                each(FeedPart { kind, place: place(0) })
            }
        };
        // Keeps the memory for the next text.
        text.clear();
        text.shrink_to(64 << 10);
        self.text = text;
        if let Some(source) = &mut self.source {
            source.clear();
        }
        wants_more
    }
}

/// Uses `source`, if there is one.
fn attribute_place<'s>(
    source: Option<&'s mut Source>,
    tag: &BytesStart<'_>,
    at: u64,
    attribute: &XmlAttribute<'_>,
) -> Option<PartPlace<'s>> {
    let (source, start) = (source?, attribute.at?);
    source.clear();
    let quote = tag[..start].last().copied().filter(|byte| matches!(byte, b'"' | b'\''));
    source.push_escaped(&attribute.raw, at + start as u64, Form::Attribute(quote));
    let value = attribute.value();
    Some(PartPlace { source, start: value.len() - value.trim_ascii_start().len() })
}
