//! What is made of a start tag: its links, or the base of the page.

use alloc::borrow::Cow;
use alloc::string::String;
use std::io;

use encoding_rs::Encoding;

use super::attribute::{Attribute, Shape};
use super::element::Element;
use super::link::{Kind, Link};
use super::pages::WARM;
use super::rel::link_kind;
use super::tag::Tag;
use super::{css, query, refresh, srcset};
use crate::base::Base;

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
            Finder::Base(_) => element == Element::Base && attribute == Attribute::Href,
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
            css::urls(&text(sheet), |url| out.report(place, url, base));
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
        let rel = text(value(Attribute::Rel));
        let element = text(&tag.name);
        let Links { base, out, .. } = self;
        let is_embedded = matches!(tag.element, Element::Object | Element::Applet);
        let codebase = codebase(tag, base).filter(|_| is_embedded);
        let codebase = codebase.as_ref().and_then(|uri| Base::new(uri, base.rules()).ok());

        for (attribute, range) in &tag.attributes {
            let value = &*text(&tag.values[range.clone()]);
            let attribute = *attribute;
            let kind = kind(attribute, tag, &rel);
            let is_href = matches!(attribute, Attribute::Href | Attribute::XlinkHref);
            let may_be_empty = match kind {
                Kind::Form | Kind::Citation | Kind::Refresh => true,
                Kind::Hyperlink => is_href && tag.element != Element::Link,
                Kind::Resource | Kind::Metadata => false,
            };
            let place = Place { element: &element, attribute: attribute.name(), kind, rel: &rel, may_be_empty };
            let by_codebase = matches!(attribute, Attribute::Archive | Attribute::Classid | Attribute::Data);
            let report = |reference: &str| match &codebase {
                Some(codebase) if by_codebase => out.report(place, reference, codebase),
                _ => out.report(place, reference, base),
            };
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

/// What a tag's `codebase` means, if it has one.
fn codebase(tag: &Tag, base: &Base<'_>) -> Option<String> {
    let written = text(tag.value(Attribute::Codebase)?);
    let mut buffer = String::new();
    Some(clean(&written, &mut buffer)).filter(|written| !written.is_empty()).map(|written| base.resolve(written).into())
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
}

#[derive(Default)]
pub(super) struct Buffers {
    reference: String,
    uri: String,
}

impl Buffers {
    /// Gives back what giant references took.
    pub(super) fn shrink(&mut self) {
        for buffer in [&mut self.reference, &mut self.uri] {
            buffer.clear();
            buffer.shrink_to(WARM);
        }
    }
}

impl Output<'_> {
    fn report(&mut self, place: Place<'_>, reference: &str, base: &Base<'_>) {
        let Buffers { reference: buffer, uri } = &mut *self.buffers;
        let reference = clean(reference, buffer);
        if self.failure.is_some() || (reference.is_empty() && !place.may_be_empty) {
            return;
        }
        let encoded = match self.queries {
            Some(encoding) => query::encode(reference, base.scheme(), encoding),
            None => Cow::Borrowed(reference),
        };
        uri.clear();
        base.resolve_into(&encoded, uri);
        let Place { element, attribute, kind, rel, .. } = place;
        *self.failure = (self.each)(Link { element, attribute, kind, rel, reference, uri }).err();
    }
}

/// Bytes as a text, with what is not UTF-8 replaced.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    // Faster than to look for the place where it is not.
    core::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// A reference without the control characters and spaces around it and the line breaks and tabs in it (URL Standard §4.4).
fn clean<'t>(text: &'t str, buffer: &'t mut String) -> &'t str {
    let text = text.trim_matches(|c| c <= ' ');
    if memchr::memchr3(b'\t', b'\n', b'\r', text.as_bytes()).is_none() {
        return text;
    }
    buffer.clear();
    buffer.extend(text.split(['\t', '\n', '\r']));
    buffer
}
