//! Finds the links of a page in its start tags, or, for the preview, what the tags say about the whole page.

use std::io;

use super::anchor::fold;
use super::attribute::{Attribute, AttributeSet, LinkAttribute, LinkBase, Syntax};
use super::clean::{prefix, to_text, whole_tokens};
use super::context::Context;
use super::element::Element;
use super::link::Kind;
use super::page_base::{NewBase, PageBase};
use super::preview::Preview;
use super::rel::link_kind;
use super::reporter::{LinkSource, Reporter};
use super::tag::Tag;
use super::{css, refresh, srcset};

/// The length in bytes of the longest element name that is reported.
pub(super) const MAX_NAME: usize = 64;
/// The length in bytes of the longest `rel` that is reported.
pub(super) const MAX_REL: usize = 1 << 10;

/// A search of a page, for its preview or for its links.
#[allow(clippy::large_enum_variant, reason = "there is one for each page, and it is never moved")]
pub(super) enum Finder<'s> {
    Preview(&'s mut Preview),
    Links(LinkFinder<'s>),
}

impl Finder<'_> {
    /// Returns the attributes whose values matter.
    pub(super) fn wanted(&self) -> AttributeSet {
        match self {
            Finder::Preview(_) => Preview::wanted(),
            Finder::Links(links) => links.wanted,
        }
    }

    /// Reports whether the rest of the page does not matter.
    pub(super) fn is_done(&self) -> bool {
        match self {
            Finder::Preview(preview) => preview.is_done(),
            Finder::Links(links) => links.reporter.failure.is_some(),
        }
    }

    /// Takes the error with which the receiver of the links stopped the search; `None` if it did not stop it.
    pub(super) fn take_failure(&mut self) -> Option<io::Error> {
        match self {
            Finder::Preview(_) => None,
            Finder::Links(links) => links.reporter.failure.take(),
        }
    }

    /// Reports the links of a start tag, or keeps what the tag says about the page. The tag must have at least one wanted
    /// attribute.
    pub(super) fn tag(&mut self, tag: &Tag, context: &Context) {
        match self {
            Finder::Links(links) => links.tag(tag, context.foreign.root()),
            Finder::Preview(preview) => preview.tag(tag, context),
        }
    }

    /// Reports whether an `a` is open and its text is being collected.
    pub(super) fn is_in_anchor(&self) -> bool {
        match self {
            Finder::Preview(_) => false,
            Finder::Links(links) => links.reporter.buffers.anchor.is_open(),
        }
    }

    /// Appends to the text of the open `a`.
    pub(super) fn text(&mut self, text: &[u8]) {
        if let Finder::Links(LinkFinder { reporter, .. }) = self {
            if reporter.buffers.anchor.push(text, reporter.max_text) {
                reporter.close_anchor();
            }
        }
    }

    /// Takes a tag with this name into account while an `a` is open. The tag may end the `a`. `is_end` is true for an end tag.
    pub(super) fn tag_in_anchor(&mut self, name: &[u8], is_end: bool) {
        if let Finder::Links(LinkFinder { reporter, .. }) = self {
            let anchor = &mut reporter.buffers.anchor;
            if if is_end { anchor.end_tag(name) } else { anchor.start_tag(name) } {
                reporter.close_anchor();
            }
        }
    }

    /// Ends the text of the open `a`, if there is one, and reports the links that wait for it.
    pub(super) fn close_anchor(&mut self) {
        if let Finder::Links(links) = self {
            links.reporter.close_anchor();
        }
    }

    /// Reports the links in the text of a `style` element.
    pub(super) fn style(&mut self, sheet: &[u8]) {
        if let Finder::Links(LinkFinder { base, reporter, .. }) = self {
            let (element, attribute, kind) = ("style", "text", Kind::Resource);
            let source = LinkSource { element, attribute, kind, rel: "", text: Some(""), may_be_empty: false };
            css::urls(&to_text(sheet), |url| reporter.report(source, url, *base, None));
        }
    }
}

/// The search for links.
pub(super) struct LinkFinder<'s> {
    /// The base of the page.
    pub(super) base: PageBase<'s>,
    /// The attributes whose values matter.
    pub(super) wanted: AttributeSet,
    pub(super) reporter: Reporter<'s>,
}

impl LinkFinder<'_> {
    /// Reports the links of a start tag. `root` is `svg` or `math` if the tag is in one of them; `None` if it is in HTML.
    fn tag(&mut self, tag: &Tag, root: Option<Element>) {
        let LinkFinder { base, reporter, .. } = self;
        let all_types = to_text(tag.value(Attribute::Rel).unwrap_or_default());
        let rel = whole_tokens(&all_types, MAX_REL);
        let element = to_text(&tag.name);
        let element = match tag.element {
            // That is what HTML calls it (HTML §13.2.6.4.7).
            Element::Image if root.is_none() => "img",
            _ => prefix(&element, MAX_NAME),
        };
        let alt = if reporter.max_text > 0 { tag.value(Attribute::Alt) } else { None };
        let alt = alt.map(|alt| fold(alt, reporter.max_text)).unwrap_or_default();
        let text = if tag.element == Element::A { None } else { Some(&*alt) };
        // To resolve it costs its length: so only where it matters.
        let has_codebase = matches!(tag.element, Element::Object | Element::Applet) && reporter.wants(Kind::Resource);
        let codebase = tag.value(Attribute::Codebase).filter(|_| has_codebase);
        let codebase = codebase.map_or(Ok(None), |codebase| reporter.codebase(&to_text(codebase), *base));
        let codebase = codebase.as_ref().map(|uri| uri.as_deref().map(|uri| NewBase::new(uri, *base)));

        for (attribute, range) in &tag.attributes {
            let Some(row) = attribute.row() else { continue };
            if row.condition.is_some_and(|(other, required)| !tag.has(other, &[required])) {
                continue;
            }
            let Some(kind) = row.kind.or_else(|| href_kind(*attribute, tag.element, root, &all_types)) else {
                continue;
            };
            let may_be_empty = may_be_empty(row, kind, tag.element);
            let source = LinkSource { element, attribute: row.name, kind, rel, text, may_be_empty };
            let (base, rejected) = match (row.base, &codebase) {
                (LinkBase::Page, _) | (_, Ok(None)) => (*base, None),
                (LinkBase::Codebase, Ok(Some(codebase))) => (codebase.as_page_base(), None),
                (LinkBase::Codebase, Err(rejected)) => (*base, Some(**rejected)),
            };
            let mut report = |reference: &str| reporter.report(source, reference, base, rejected);
            let value = &*to_text(&tag.values[range.clone()]);
            match row.syntax {
                Syntax::Css => css::urls(value, report),
                syntax => references(syntax, tag.element, value, &mut report),
            }
        }
        if element == "img" && reporter.buffers.anchor.is_open() {
            reporter.text_in_anchor(&alt);
        }
    }
}

/// Passes each reference in the value of an attribute to `report`. For [`Syntax::Css`], the value must be one URL of the CSS.
#[inline]
pub(super) fn references(syntax: Syntax, element: Element, value: &str, report: &mut impl FnMut(&str)) {
    match syntax {
        Syntax::Reference | Syntax::Css => report(value),
        Syntax::Archive if element == Element::Applet => value.split(',').for_each(report),
        Syntax::Archive | Syntax::References => value.split_ascii_whitespace().for_each(report),
        Syntax::Srcset => srcset::candidates(value, report),
        Syntax::Refresh => refresh::reference(value).into_iter().for_each(report),
    }
}

/// Reports whether an empty reference in this attribute of this element is a link to the page itself.
#[inline]
pub(super) fn may_be_empty(row: &LinkAttribute, kind: Kind, element: Element) -> bool {
    match kind {
        Kind::Form | Kind::Citation | Kind::Refresh => true,
        // That is `href` and `xlink:href`.
        Kind::Hyperlink => row.kind.is_none() && element != Element::Link,
        Kind::Resource | Kind::Metadata => false,
    }
}

/// Returns the kind of a link in `href` or `xlink:href`; `None` on a `base`, where it is not a link. `root` is `svg` or `math` if
/// the element is in one of them. `rel` has all relation types of the element.
pub(super) fn href_kind(attribute: Attribute, element: Element, root: Option<Element>, rel: &str) -> Option<Kind> {
    match element {
        Element::Base => None,
        Element::Link if attribute == Attribute::Href => Some(link_kind(rel)),
        Element::A => Some(Kind::Hyperlink),
        // SVG draws what it refers to, except the target of `a`.
        _ if root == Some(Element::Svg) => Some(Kind::Resource),
        _ => Some(Kind::Hyperlink),
    }
}
