//! What is made of a start tag: its links, or the base of the page.

use alloc::borrow::Cow;
use alloc::string::String;
use std::io;

use encoding_rs::Encoding;

use super::attribute::{Attribute, Shape};
use super::element::Element;
use super::link::{Kind, Link, Rejected, is_followed};
use super::rel::link_kind;
use super::tag::{KEPT, Tag};
use super::{css, query, refresh, srcset};
use crate::base::Base;
use crate::uri::UriRef;

/// What a page is read for.
#[allow(clippy::large_enum_variant, reason = "there is one for a page, and it is moved once")]
pub(super) enum Finder<'s> {
    /// The reference of the first `base` that has one.
    Base(&'s mut Option<String>),
    Links(Links<'s>),
}

impl Finder<'_> {
    #[inline]
    pub(super) fn wants(&self, attribute: Attribute, element: Element) -> bool {
        match self {
            Finder::Base(_) => {
                attribute == Attribute::Encoding || (element == Element::Base && attribute == Attribute::Href)
            }
            Finder::Links(links) => links.unwanted & (1 << attribute as u64) == 0,
        }
    }

    #[inline]
    pub(super) fn is_done(&self) -> bool {
        match self {
            Finder::Base(base) => base.is_some(),
            Finder::Links(links) => links.out.failure.is_some(),
        }
    }

    /// A start tag with attributes.
    pub(super) fn tag(&mut self, tag: &Tag) {
        match self {
            Finder::Links(links) => links.tag(tag),
            Finder::Base(base) if tag.foreign.root().is_none() && tag.templates == 0 => {
                let href = text(tag.value(Attribute::Href).unwrap_or_default());
                let mut buffer = String::new();
                let href = clean(&href, &mut buffer);
                if !href.is_empty() {
                    **base = Some(String::from(href));
                }
            }
            Finder::Base(_) => {}
        }
    }

    /// The text of a `style` element.
    pub(super) fn style(&mut self, sheet: &[u8]) {
        if let Finder::Links(Links { base, out, .. }) = self {
            let place =
                Place { element: "style", attribute: "text", kind: Kind::Resource, rel: "", may_be_empty: false };
            css::urls(&text(sheet), |url| out.report(place, url, base, None));
        }
    }
}

/// The finder of links.
pub(super) struct Links<'s> {
    pub(super) base: Base<'s>,
    /// Attributes that are not asked for, as bits.
    pub(super) unwanted: u64,
    pub(super) out: Output<'s>,
}

/// Attributes that only hold links if asked to.
pub(super) const LAZY: u64 = 1 << Attribute::DataSrc as u64
    | 1 << Attribute::DataSrcset as u64
    | 1 << Attribute::DataHref as u64
    | 1 << Attribute::DataOriginal as u64;
pub(super) const ITEMS: u64 = 1 << Attribute::Itemid as u64 | 1 << Attribute::Itemtype as u64;

/// Where a reference stands.
#[derive(Clone, Copy)]
struct Place<'t> {
    element: &'t str,
    attribute: &'static str,
    kind: Kind,
    rel: &'t str,
    /// Whether the empty reference is a link, to the page itself.
    may_be_empty: bool,
}

impl Links<'_> {
    fn tag(&mut self, tag: &Tag) {
        let value = |attribute| tag.value(attribute).unwrap_or_default();
        let all_types = text(value(Attribute::Rel));
        let rel = whole_tokens(&all_types);
        let element = text(&tag.name);
        let element = start(&element, 64);
        let Links { base, out, .. } = self;
        let is_embedded = matches!(tag.element, Element::Object | Element::Applet);
        // It costs its length, and matters to these only.
        let codebase = if is_embedded && out.takes(Kind::Resource) { out.codebase(tag, base) } else { None };
        let codebase = match &codebase {
            Some(Ok(uri)) => Base::new(uri, base.rules()).ok().map(Ok),
            Some(Err(rejected)) => Some(Err(*rejected)),
            None => None,
        };

        for (attribute, range) in &tag.attributes {
            let value = &*text(&tag.values[range.clone()]);
            let attribute = *attribute;
            let kind = kind(attribute, tag, &all_types);
            let is_href = matches!(attribute, Attribute::Href | Attribute::XlinkHref);
            let may_be_empty = match kind {
                Kind::Form | Kind::Citation | Kind::Refresh => true,
                Kind::Hyperlink => is_href && tag.element != Element::Link,
                Kind::Resource | Kind::Metadata => false,
            };
            let place = Place { element, attribute: attribute.name(), kind, rel, may_be_empty };
            let by_codebase = matches!(attribute, Attribute::Archive | Attribute::Classid | Attribute::Data);
            let (base, rejected) = match &codebase {
                Some(Ok(codebase)) if by_codebase => (codebase, None),
                Some(Err(rejected)) if by_codebase => (&*base, Some(*rejected)),
                _ => (&*base, None),
            };
            let report = |reference: &str| out.report(place, reference, base, rejected);
            match attribute.shape() {
                Shape::None => {}
                Shape::Reference if tag.element == Element::Base && is_href => {}
                Shape::Reference if attribute == Attribute::Value && !is(tag, Attribute::Valuetype, b"ref") => {}
                Shape::Reference => [value].into_iter().for_each(report),
                Shape::Archive if tag.element == Element::Applet => value.split(',').for_each(report),
                Shape::Archive | Shape::Spaces => value.split_ascii_whitespace().for_each(report),
                Shape::Srcset => srcset::candidates(value, report),
                Shape::Css => css::urls(value, report),
                Shape::Refresh if is(tag, Attribute::HttpEquiv, b"refresh") => {
                    refresh::reference(value).into_iter().for_each(report);
                }
                Shape::Refresh => {}
            }
        }
    }
}

/// Whether an attribute of a tag has a value, in any case.
fn is(tag: &Tag, attribute: Attribute, value: &[u8]) -> bool {
    tag.value(attribute).is_some_and(|given| given.eq_ignore_ascii_case(value))
}

/// What an attribute's links are for.
fn kind(attribute: Attribute, tag: &Tag, rel: &str) -> Kind {
    let is_svg = tag.foreign.root() == Some(Element::Svg);
    match (attribute, tag.element) {
        (Attribute::Href, Element::Link) => link_kind(rel),
        (Attribute::Href | Attribute::XlinkHref, Element::A) => Kind::Hyperlink,
        // What SVG refers to is drawn, but for the target of `a`.
        (Attribute::Href | Attribute::XlinkHref, _) if is_svg => Kind::Resource,
        _ => attribute.kind(),
    }
}

/// Where links go, and the buffers that they are made in.
pub(super) struct Output<'s> {
    pub(super) buffers: &'s mut Buffers,
    /// The encoding of queries, if it is not UTF-8.
    pub(super) queries: Option<&'static Encoding>,
    pub(super) each: &'s mut dyn FnMut(Link<'_>) -> io::Result<()>,
    pub(super) failure: &'s mut Option<io::Error>,
    /// The kinds of links that are handed over; all if empty.
    pub(super) kinds: &'s [Kind],
    /// True if only links that can be followed are handed over.
    pub(super) followable: bool,
    /// The length in bytes of the longest URI that is built.
    pub(super) max_uri: usize,
    /// The bytes that the URIs of the page may still have; 0 once one was rejected for it.
    pub(super) left: u64,
}

/// More bytes than a result has besides those of its base and its reference: the slash of a missing path, and `/.`.
const GUARD: usize = 4;

#[derive(Default)]
pub(super) struct Buffers {
    reference: String,
    uri: String,
}

impl Output<'_> {
    /// Hands over a link; its URI is not built if it is rejected, already or for a limit.
    fn report(&mut self, place: Place<'_>, reference: &str, base: &Base<'_>, rejected: Option<Rejected>) {
        if !self.takes(place.kind) {
            return;
        }
        let Buffers { reference: buffer, uri } = &mut *self.buffers;
        let reference = clean(reference, buffer);
        if self.failure.is_some() || (reference.is_empty() && !place.may_be_empty) {
            return;
        }
        let sent = query::encode(reference, base.scheme(), self.queries);
        let scheme = || UriRef::new(&sent).scheme().unwrap_or(base.scheme());
        if self.followable && !is_followed(scheme()) {
            return;
        }
        let rejected = rejected.or_else(|| limit(base, &sent, self.max_uri, &mut self.left));
        uri.clear();
        if rejected.is_none() {
            base.resolve_into(&sent, uri);
            self.left = self.left.saturating_sub(uri.len() as u64);
        } else {
            uri.push_str(scheme());
            uri.push(':');
        }
        let Place { element, attribute, kind, rel, .. } = place;
        *self.failure = (self.each)(Link { element, attribute, kind, rel, reference, uri, rejected }).err();
    }

    /// Reports whether links of a kind are handed over.
    fn takes(&self, kind: Kind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    /// Returns what a tag's `codebase` means, if it has one.
    fn codebase(&mut self, tag: &Tag, base: &Base<'_>) -> Option<Result<String, Rejected>> {
        let written = text(tag.value(Attribute::Codebase)?);
        let mut buffer = String::new();
        let written = clean(&written, &mut buffer);
        if written.is_empty() {
            return None;
        }
        let sent = query::encode(written, base.scheme(), self.queries);
        if let Some(rejected) = limit(base, &sent, self.max_uri, &mut self.left) {
            return Some(Err(rejected));
        }
        let uri = String::from(base.resolve(&sent));
        self.left = self.left.saturating_sub(uri.len() as u64);
        Some(Ok(uri))
    }
}

/// Returns the limit that a URI exceeds, before it is built.
fn limit(base: &Base<'_>, reference: &str, max_uri: usize, left: &mut u64) -> Option<Rejected> {
    let most = base.as_str().len() + reference.len() + GUARD;
    // Nearly always; only else is the result looked at.
    if most <= max_uri && most as u64 <= *left {
        return None;
    }
    let len = base.resolve(reference).len();
    if len > max_uri {
        return Some(Rejected::TooLong);
    }
    if len as u64 <= *left {
        return None;
    }
    *left = 0;
    Some(Rejected::TooMany)
}

impl Buffers {
    pub(super) fn clear(&mut self) {
        for buffer in [&mut self.reference, &mut self.uri] {
            buffer.clear();
            buffer.shrink_to(KEPT);
        }
    }
}

/// Bytes as a text, with what is not UTF-8 replaced.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    // Faster than to look for the place where it is not.
    core::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Returns as many whole characters from the start of a text as there are in so many bytes.
fn start(text: &str, len: usize) -> &str {
    let mut end = len.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns the tokens of `rel` that are whole within 1 KiB.
fn whole_tokens(rel: &str) -> &str {
    let kept = start(rel, 1 << 10);
    if rel[kept.len()..].is_empty() || rel[kept.len()..].starts_with(|c: char| c.is_ascii_whitespace()) {
        return kept;
    }
    &kept[..kept.rfind(|c: char| c.is_ascii_whitespace()).unwrap_or(0)]
}

/// A reference without the control characters and spaces around it and the line breaks and tabs in it (URL Standard §4.4).
fn clean<'t>(text: &'t str, buffer: &'t mut String) -> &'t str {
    // Nearly all have none, which is soon seen.
    if !text.bytes().fold(false, |found, byte| found | (byte <= b' ')) {
        return text;
    }
    let text = text.trim_matches(|c| c <= ' ');
    if memchr::memchr3(b'\t', b'\n', b'\r', text.as_bytes()).is_none() {
        return text;
    }
    buffer.clear();
    buffer.extend(text.split(['\t', '\n', '\r']));
    buffer
}
