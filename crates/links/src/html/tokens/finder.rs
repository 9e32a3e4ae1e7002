//! The receiver of the tags and texts of a page, and the one that finds links in them.

use super::anchor::fold_white_space;
use super::attribute::{Attribute, AttributeSet, LinkAttribute, LinkBase, Syntax};
use super::clean::{prefix, to_text, whole_tokens};
use super::context::Context;
use super::element::Element;
use super::found::FoundLink;
use super::link::Kind;
use super::rel::link_kind;
use super::reporter::Reporter;
use super::tag::Tag;
use super::{css, refresh, srcset};

/// In bytes. Longer names of elements and attributes are shortened.
pub(super) const MAX_NAME_LEN: usize = 64;
/// In bytes. A longer `rel` is shortened to whole tokens.
pub(super) const MAX_REL_LEN: usize = 1 << 10;

/// The parts of a page that a [`Finder`] needs from the current place on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Needed {
    /// The page is not read any further.
    Nothing,
    /// Start tags with a [needed](Finder::needed_attributes) attribute, and the texts of `style` elements.
    Tags,
    /// Also the name of every tag, and text except `style` and [raw text](Context::raw_text_element), for the text of an open `a`.
    TagsAndText,
}

/// [`Preview`](super::preview::Preview) finds facts about the page, and [`Reporter`] links.
pub(super) trait Finder {
    /// Stays the same for a page.
    fn needed_attributes(&self) -> AttributeSet;

    fn needed(&self) -> Needed;

    /// Receives a start tag that is not ignored and has a needed attribute. `context` has the elements around it.
    fn tag(&mut self, tag: &Tag, context: &Context);

    /// With [`Needed::TagsAndText`], receives text in chunks. Two chunks may have parts of one character.
    fn text(&mut self, _text: &[u8]) {}

    /// With [`Needed::TagsAndText`], receives the lower-case name of any start tag, before [`tag`](Finder::tag) if that is called.
    fn start_tag(&mut self, _name: &[u8]) {}

    /// Like [`start_tag`](Finder::start_tag). Instead of a name too long for any [`Element`], receives another long name.
    fn end_tag(&mut self, _name: &[u8]) {}

    /// Receives the complete text of a `style` element, which may be empty. Not called if it is too long to be kept.
    fn style(&mut self, _sheet: &[u8]) {}
}

impl Finder for Reporter<'_> {
    fn needed_attributes(&self) -> AttributeSet {
        self.needed_attributes
    }

    fn needed(&self) -> Needed {
        match self.failure {
            Some(_) => Needed::Nothing,
            None if self.pages.link_buffers.anchor.is_open() => Needed::TagsAndText,
            None => Needed::Tags,
        }
    }

    fn tag(&mut self, tag: &Tag, context: &Context) {
        let (base, max_text, namespace) = (self.base, self.pages.max_text, context.foreign.namespace());
        let all_types = to_text(tag.value(Attribute::Rel).unwrap_or_default());
        let rel = whole_tokens(&all_types, MAX_REL_LEN);
        let element = to_text(&tag.name);
        let element = match tag.element {
            // That is what HTML calls it (HTML §13.2.6.4.7).
            Element::Image if namespace.is_none() => "img",
            _ => prefix(&element, MAX_NAME_LEN),
        };
        let alt = if max_text > 0 { tag.value(Attribute::Alt) } else { None };
        let alt = alt.map(|alt| fold_white_space(alt, max_text)).unwrap_or_default();
        let text = if tag.element == Element::A { None } else { Some(&*alt) };
        // To resolve it costs its length: so only where it matters.
        let has_codebase = matches!(tag.element, Element::Object | Element::Applet) && self.wants(Kind::Resource);
        let codebase = tag.value(Attribute::Codebase).filter(|_| has_codebase);
        let codebase = codebase.map_or(Ok(None), |codebase| self.inner_base(&to_text(codebase), base));

        for (attribute, range) in &tag.attributes {
            let Some(row) = attribute.row() else { continue };
            if row.condition.is_some_and(|(other, required)| !tag.has(other, &[required])) {
                continue;
            }
            let Some(kind) = row.kind.or_else(|| href_kind(*attribute, tag.element, namespace, &all_types)) else {
                continue;
            };
            let may_be_empty = may_be_empty(row, kind, tag.element);
            let (base, rejected) = match (row.base, &codebase) {
                (LinkBase::Page, _) | (_, Ok(None)) => (base, None),
                (LinkBase::Codebase, Ok(Some(codebase))) => (codebase.as_page_base(), None),
                (LinkBase::Codebase, Err(rejected)) => (base, Some(*rejected)),
            };
            let mut report = |reference: &str| {
                let link = FoundLink { element, attribute: row.name, kind, rel, reference };
                self.report(link, text, may_be_empty, base, rejected);
            };
            let value = &*to_text(&tag.values[range.clone()]);
            match row.syntax {
                Syntax::Css => css::urls(value, report),
                syntax => references(syntax, tag.element, value, &mut report),
            }
        }
        let anchor = &mut self.pages.link_buffers.anchor;
        if element == "img" && anchor.is_open() && anchor.push_between_spaces(alt.as_bytes(), max_text) {
            self.close_anchor();
        }
    }

    fn text(&mut self, text: &[u8]) {
        if self.pages.link_buffers.anchor.push_text(text, self.pages.max_text) {
            self.close_anchor();
        }
    }

    fn start_tag(&mut self, name: &[u8]) {
        if self.pages.link_buffers.anchor.start_tag(name) {
            self.close_anchor();
        }
    }

    fn end_tag(&mut self, name: &[u8]) {
        if self.pages.link_buffers.anchor.end_tag(name) {
            self.close_anchor();
        }
    }

    fn style(&mut self, sheet: &[u8]) {
        css::urls(&to_text(sheet), |reference| {
            let link = FoundLink { element: "style", attribute: "text", kind: Kind::Resource, rel: "", reference };
            self.report(link, Some(""), false, self.base, None);
        });
    }
}

/// For [`Syntax::Css`], `value` must be a single URL, found in the CSS.
pub(super) fn references(syntax: Syntax, element: Element, value: &str, report: &mut impl FnMut(&str)) {
    match syntax {
        Syntax::Reference | Syntax::Css => report(value),
        Syntax::Archive if element == Element::Applet => value.split(',').for_each(report),
        Syntax::Archive | Syntax::References => value.split_ascii_whitespace().for_each(report),
        Syntax::Srcset => srcset::candidates(value, report),
        Syntax::Refresh => refresh::reference(value).into_iter().for_each(report),
    }
}

/// The empty reference means the base of the page; on a `form`, the page itself.
pub(super) fn may_be_empty(row: &LinkAttribute, kind: Kind, element: Element) -> bool {
    match kind {
        Kind::Form | Kind::Citation | Kind::Refresh => true,
        // That is `href` and `xlink:href`.
        Kind::Hyperlink => row.kind.is_none() && element != Element::Link,
        Kind::Resource | Kind::Metadata => false,
    }
}

/// `None` on a `base`, whose `href` is not a link. `namespace` is `Svg`, `Math`, or `None` in HTML.
pub(super) fn href_kind(attribute: Attribute, element: Element, namespace: Option<Element>, rel: &str) -> Option<Kind> {
    match element {
        Element::Base => None,
        Element::Link if attribute == Attribute::Href => Some(link_kind(rel)),
        Element::A => Some(Kind::Hyperlink),
        // SVG draws what it refers to, except the target of `a`.
        _ if namespace == Some(Element::Svg) => Some(Kind::Resource),
        _ => Some(Kind::Hyperlink),
    }
}
