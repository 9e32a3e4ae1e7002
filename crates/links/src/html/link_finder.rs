//! Finds links in the tags and style sheets of a page.

use super::anchor::fold_white_space;
use super::link::{FoundLink, Kind};
use super::reporter::Reporter;
use super::tokens::attribute::{Attribute, AttributeSet, LinkBase, Syntax};
use super::tokens::context::Context;
use super::tokens::element::Element;
use super::tokens::finder::{Finder, Needed};
use super::tokens::tag::Tag;
use super::values::clean::{prefix, to_text, whole_tokens};
use super::values::css;
use super::values::references::{MAX_NAME_LEN, MAX_REL_LEN, href_kind, may_be_empty, references};

impl Finder for Reporter<'_> {
    fn needed_attributes(&self) -> AttributeSet {
        self.needed_attributes
    }

    fn needed(&self) -> Needed {
        match self.failure {
            Some(_) => Needed::Nothing,
            None if self.buffers.anchor.is_open() => Needed::TagsAndText,
            None => Needed::Tags,
        }
    }

    fn tag(&mut self, tag: &Tag, context: &Context) {
        let (base, max_text, namespace) = (self.base, self.options.max_text, context.foreign.namespace());
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
        let anchor = &mut self.buffers.anchor;
        if element == "img" && anchor.is_open() && anchor.push_between_spaces(alt.as_bytes(), max_text) {
            self.close_anchor();
        }
    }

    fn text(&mut self, text: &[u8]) {
        if self.buffers.anchor.push_text(text, self.options.max_text) {
            self.close_anchor();
        }
    }

    fn start_tag(&mut self, name: &[u8]) {
        if self.buffers.anchor.start_tag(name) {
            self.close_anchor();
        }
    }

    fn end_tag(&mut self, name: &[u8]) {
        if self.buffers.anchor.end_tag(name) {
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
