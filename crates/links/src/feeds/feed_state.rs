//! `FeedState`: the elements of a feed that are open, and the links found in them.

use std::borrow::Cow;
use std::mem::take;
use std::ops::Range;

use memchr::{memchr, memchr2, memmem};
use quick_xml::escape::escape;
use quick_xml::events::{BytesPI, BytesStart};

use super::attributes::{XmlAttribute, attribute_value, attributes, replace_entities, to_text};
use super::open_elements::OpenElements;
use super::recognize::local_name;
use super::source::{Form, Source};
use super::table::{STYLE_SHEET, attribute_kind, is_entry, text_of};
use crate::entities::Entities;
use crate::html::{FoundLink, Kind, LinkReceiver, MAX_HREFLANG_LEN, prefix, srcset_candidates};

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
    pub(super) entities: Entities,
    /// Entities are replaced in the current tag, so that what is in it has no place.
    is_replaced: bool,
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
        let replaced = match self.entities.replaced(tag.attributes_raw()) {
            // As text, a name may have another length.
            Cow::Owned(new) => Some(BytesStart::from_content([&*name, &*to_text(&new)].concat(), name.len())),
            Cow::Borrowed(_) => None,
        };
        self.is_replaced = replaced.is_some();
        let tag = replaced.as_ref().unwrap_or(tag);
        if self.is_in_xhtml() && !is_entry(&name) {
            self.elements.open(&name);
            let mut wants_more = true;
            if memmem::find(tag.attributes_raw(), b"xml:base").is_some() {
                wants_more = self.report_xhtml(each) && self.open_base(&name, tag, at, each);
            }
            let is_kept = self.add_start_tag(tag, at, &name, is_self_closing);
            if is_self_closing {
                self.elements.close(&name);
                wants_more = wants_more && self.close_xhtml_bases(each);
            }
            return (wants_more, is_kept);
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
        let is_placed = !self.is_replaced && has_sound_quotes(tag);
        let name = local_name(name);
        self.push_text(&format!("<{name} "), None)
            && self.push_text(&attributes, Some(place).filter(|_| is_placed))
            && self.push_text(&if is_self_closing { format!("></{name}>") } else { String::from(">") }, None)
    }

    /// Reports the link of a processing instruction before the root, if it names a style sheet.
    pub(super) fn report_instruction(
        &mut self,
        pi: &BytesPI<'_>,
        at: u64,
        each: &mut impl FnMut(FeedPart<'_>) -> bool,
    ) -> bool {
        let tag = BytesStart::from_content(to_text(pi), STYLE_SHEET.len());
        pi.target() != STYLE_SHEET.as_bytes() || self.report_attribute_links(STYLE_SHEET, &tag, at, each)
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
        if !self.open_base(element, tag, at, each) {
            return false;
        }
        let mut source = self.attribute_source();
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
            if name == "srcset" {
                return self.report_candidates(&FoundLink::new(element, &attribute.name, kind, &value), each);
            }
            let link = FoundLink::new(element, &attribute.name, kind, value.trim_ascii());
            let link = FoundLink { rel: &rel, hreflang: prefix(&hreflang, MAX_HREFLANG_LEN), ..link };
            let kind = PartKind::Link(FeedLink { link, bases: &self.bases });
            each(FeedPart { kind, place: attribute_place(source.as_mut(), tag, at, &attribute) })
        })
    }

    /// `None` if attributes have no places.
    fn attribute_source(&self) -> Option<Source> {
        (self.source.is_some() && !self.is_replaced).then(Source::default)
    }

    /// Adds the `xml:base` of a tag, if it has one. Returns false if `each` needs no more links.
    fn open_base(
        &mut self,
        element: &str,
        tag: &BytesStart<'_>,
        at: u64,
        each: &mut impl FnMut(FeedPart<'_>) -> bool,
    ) -> bool {
        let bases_len: usize = self.bases.iter().map(String::len).sum();
        let counts = |base: &str| self.bases.len() < MAX_BASES && bases_len + base.len() <= MAX_BASES_LEN;
        let Some(attribute) = attributes(tag).find(|found| found.name == "xml:base") else { return true };
        let base = attribute.value().into_owned();
        if !counts(&base) {
            return true;
        }
        let mut wants_more = true;
        if self.source.is_some() {
            let link = FoundLink::new(element, "xml:base", Kind::Metadata, base.trim_ascii());
            let kind = PartKind::Base(FeedLink { link, bases: &self.bases });
            let mut source = self.attribute_source();
            wants_more = each(FeedPart { kind, place: attribute_place(source.as_mut(), tag, at, &attribute) });
        }
        self.bases.push(base);
        self.base_depths.push(self.elements.depth());
        wants_more
    }

    /// Reports the candidates of a `srcset`, which have no places. Returns false if `each` needs no more links.
    fn report_candidates(&self, srcset: &FoundLink<'_>, each: &mut impl FnMut(FeedPart<'_>) -> bool) -> bool {
        let mut wants_more = true;
        srcset_candidates(srcset.reference, |reference| {
            let link = FoundLink { reference, ..*srcset };
            let kind = PartKind::Link(FeedLink { link, bases: &self.bases });
            wants_more = wants_more && each(FeedPart { kind, place: None });
        });
        wants_more
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

    /// Adds what a reference in a text stands for.
    pub(super) fn add_reference(&mut self, reference: &str, at: Range<u64>) -> bool {
        let text = self.entities.replaced(reference.as_bytes());
        self.add_text(&replace_entities(&to_text(&text)), at, Form::Text)
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
        let wants_more = wants_more && self.close_xhtml_bases(each);
        let is_sitemap = local_name(name) == "sitemap";
        let is_entry = self.has_entries && wants_more && (is_sitemap || local_name(name) == "url");
        let wants_more = match is_entry {
            true => each(FeedPart { kind: PartKind::EntryEnd { is_sitemap }, place: None }),
            false => wants_more,
        };
        (wants_more, is_kept)
    }

    /// Like [`close_bases`](Self::close_bases), after the XHTML for which they count.
    fn close_xhtml_bases(&mut self, each: &mut impl FnMut(FeedPart<'_>) -> bool) -> bool {
        let is_base_over = self.base_depths.last().is_some_and(|depth| *depth > self.elements.depth());
        let wants_more = !is_base_over || !self.is_in_xhtml() || self.report_xhtml(each);
        self.close_bases();
        wants_more
    }

    fn close_bases(&mut self) {
        while self.base_depths.last().is_some_and(|depth| *depth > self.elements.depth()) {
            self.base_depths.pop();
            self.bases.pop();
        }
    }

    /// Returns false if `each` needs no more links. A `guid` or license that is no absolute URL is no link.
    fn report_text_link(&mut self, each: &mut impl FnMut(FeedPart<'_>) -> bool) -> bool {
        let text = take(&mut self.text);
        let Some(TextLink { name, text: use_of_text, start, is_identifier, depth }) = self.text_link.take() else {
            return true;
        };
        if is_identifier && self.source.is_none() {
            self.reuse(text);
            return true;
        }
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
            Text::Html => {
                let kind = PartKind::Html { element: &name, html: &text, is_xhtml: false, bases };
                each(FeedPart { kind, place: place(0) })
            }
            Text::Xhtml => {
                let kind = PartKind::Html { element: &name, html: &text, is_xhtml: true, bases: &self.bases };
                each(FeedPart { kind, place: place(0) })
            }
        };
        self.reuse(text);
        wants_more
    }

    /// Reports the XHTML so far: the bases are others after it.
    fn report_xhtml(&mut self, each: &mut impl FnMut(FeedPart<'_>) -> bool) -> bool {
        let text = take(&mut self.text);
        let Some(TextLink { name, start, .. }) = &self.text_link else { return true };
        let place = self.source.as_ref().filter(|_| start.is_some()).map(|source| PartPlace { source, start: 0 });
        let kind = PartKind::Html { element: name, html: &text, is_xhtml: true, bases: &self.bases };
        let wants_more = each(FeedPart { kind, place });
        self.reuse(text);
        wants_more
    }

    /// Keeps the memory of a text for the next one.
    fn reuse(&mut self, mut text: String) {
        text.clear();
        text.shrink_to(64 << 10);
        self.text = text;
        if let Some(source) = &mut self.source {
            source.clear();
        }
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
    if attribute.raw.contains(['"', '\'']) && !has_sound_quotes(tag) {
        return None;
    }
    source.push_escaped(&attribute.raw, at + start as u64, Form::Attribute(quote));
    let value = attribute.value();
    Some(PartPlace { source, start: value.len() - value.trim_ascii_start().len() })
}

/// Reports whether each quote in a tag is one around a value, or in such a value. Any other opens or ends a value to a reader of XML, but
/// not to one of HTML: if a reference with a quote became one without, the tag would end elsewhere. The last value must have quotes: a
/// slash at its end would be that of the tag.
fn has_sound_quotes(tag: &BytesStart<'_>) -> bool {
    let is_space = |byte: &u8| byte.is_ascii_whitespace();
    let mut rest = tag.attributes_raw();
    while let Some(at) = memchr2(b'"', b'\'', rest) {
        let Some(name) = rest[..at].trim_ascii_end().strip_suffix(b"=").map(<[u8]>::trim_ascii_end) else {
            return false;
        };
        // An `=` before the name makes it the value of another one.
        let name_at = name.iter().rposition(is_space).map_or(0, |space| space + 1);
        let is_name = !name[name_at..].contains(&b'=') && !name[..name_at].trim_ascii_end().ends_with(b"=");
        let Some(len) = memchr(rest[at], &rest[at + 1..]) else { return false };
        rest = &rest[at + len + 2..];
        if !is_name || rest.first().is_some_and(|byte| !is_space(byte) && *byte != b'/') {
            return false;
        }
    }
    !rest.contains(&b'=')
}
