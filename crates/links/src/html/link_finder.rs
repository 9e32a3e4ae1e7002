//! Finds links in the tags and style sheets of a page.

use std::borrow::Cow;
use std::mem;
use std::ops::Range;

use encoding_rs::Encoding;

use super::anchor::fold_white_space;
use super::kind::Kind;
use super::link::{FoundLink, Rejected};
use super::page_base::{NewBase, PageBase};
use super::places::{Locator, Places};
use super::reporter::{LinkBuffers, Reporter};
use super::site::{Located, Piece, Site};
use super::tokens::attribute::{Attribute, AttributeSet, LinkBase, Syntax};
use super::tokens::character_references::TextKind;
use super::tokens::context::Context;
use super::tokens::element::Element;
use super::tokens::finder::{Finder, Needed};
use super::tokens::tag::{LONG_NAME_LEN, Tag};
use super::values::clean::{decode, decode_pieces, kept_range, plain_text, prefix, whole_tokens};
use super::values::css::{self, CssUrl, Place, written_range};
#[cfg(feature = "json-ld")]
use super::values::json_ld;
use super::values::references::{
    MAX_HREFLANG_LEN, MAX_MEDIA_LEN, MAX_NAME_LEN, MAX_REL_LEN, card_kind, href_kind, may_be_empty, references,
};

impl Finder for Reporter<'_> {
    fn needed_attributes(&self) -> AttributeSet {
        self.open.as_ref().map_or(self.needed_attributes, |open| self.needed_attributes.union(open.needed_attributes()))
    }

    fn needed(&self) -> Needed {
        match self.failure {
            Some(_) => Needed::Nothing,
            None if self.open.as_ref().is_some_and(|open| open.has_changed) => Needed::Nothing,
            None if self.buffers.anchor.is_open() => Needed::TagsAndText,
            None => Needed::Tags,
        }
    }

    fn tag(&mut self, tag: &Tag<'_>, context: &Context) {
        if let Some(open) = &mut self.open {
            open.tag(tag, context);
            if open.has_changed {
                let name = tag.name.as_ptr() as usize - tag.chunk.as_ptr() as usize;
                return self.late_tag = Some(name - "<".len());
            }
        }
        if let Some(tree) = &mut self.buffers.tree {
            if context.templates > 0 {
                return;
            }
            tree.tag(tag, context.foreign.namespace().is_none(), self.charset);
        }
        let namespace = context.foreign.namespace();
        if tag.element == Element::A && !tag.seen.has_any(FACTS_OF_A) {
            // As most links are.
            self.attributes(tag, namespace, &Facts::OF_MOST_LINKS);
        } else {
            self.tag_with_facts(tag, namespace);
        }
    }

    fn text(&mut self, text: &[u8], kind: TextKind) {
        let LinkBuffers { anchor, value, .. } = &mut *self.buffers;
        let text = decode(text, kind, self.charset, value);
        if anchor.push_text(text.as_bytes(), self.options.max_text) {
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

    #[cfg(feature = "json-ld")]
    fn json_ld(&mut self, json: &[u8]) {
        let (base, charset, mut buffer) = (self.base, self.charset, Vec::new());
        json_ld::urls(&decode(json, TextKind::RawText, charset, &mut buffer), &mut |property, kind, reference| {
            let link = FoundLink { rel: property, ..FoundLink::new("script", "text", kind, reference) };
            self.report(&link, Some(""), false, base, None, |_, _| None);
        });
    }

    fn style(&mut self, chunk: &[u8], pieces: &[(Range<usize>, TextKind)], context: &Context) {
        if self.buffers.tree.is_some() && context.templates > 0 {
            return;
        }
        let (charset, mut buffer) = (self.charset, Vec::new());
        let sheet = decode_pieces(chunk, pieces, charset, &mut buffer);
        let mut locator = self.places.as_ref().map(|_| Locator::new(chunk, pieces, charset, &sheet));
        let media = mem::take(&mut self.buffers.style_media);
        if mem::take(&mut self.buffers.skips_style) {
            return;
        }
        let base = self.css_base.unwrap_or(self.base);
        css::urls(&sheet, Place::Sheet, |CssUrl { url: reference, start, .. }| {
            let link = FoundLink { media: &media, ..FoundLink::new("style", "text", Kind::Resource, reference) };
            self.report(&link, Some(""), false, base, None, |places, reference| {
                let written = written_range(&sheet, start, reference, kept_range(reference));
                let before = byte_before(&sheet, start);
                let site = Site::new(chunk, pieces, charset).with(Syntax::Css, Element::Style, before);
                Some(Located::new(places?, locator.as_mut()?.range(written)?, site))
            });
        });
    }
}

/// The facts that the links of a tag share.
struct Facts<'t> {
    element: &'t str,
    /// All of `rel`.
    types: &'t str,
    rel: &'t str,
    hreflang: &'t str,
    media: &'t str,
    /// `None` on an `a`, whose text is not yet known.
    text: Option<&'t str>,
    codebase: Option<Result<PageBase<'t>, Rejected>>,
    card: Option<(&'t str, Kind)>,
}

impl Facts<'static> {
    const OF_MOST_LINKS: Self =
        Facts { element: "a", types: "", rel: "", hreflang: "", media: "", text: None, codebase: None, card: None };
}

/// The value of an attribute, and what its links share.
struct Value<'v> {
    tag: &'v Tag<'v>,
    piece: [Piece; 1],
    charset: Option<&'static Encoding>,
    /// Its reference is the value.
    link: FoundLink<'v>,
    syntax: Syntax,
    text: Option<&'v str>,
    may_be_empty: bool,
    base: PageBase<'v>,
    rejected: Option<Rejected>,
    has_codebase: bool,
}

impl<'v> Value<'v> {
    #[inline(never)]
    fn located(
        &'v self,
        places: &mut Places,
        locator: &mut Option<Locator<'v>>,
        before: Option<u8>,
        range: Range<usize>,
    ) -> Option<Located<'v>> {
        let Value { tag, piece, charset, .. } = self;
        let new_locator = || Locator::new(tag.chunk, piece, *charset, self.link.reference);
        let range = locator.get_or_insert_with(new_locator).range(range)?;
        let site = Site::new(tag.chunk, piece, *charset).with(self.syntax, tag.element, before);
        Some(Located::new(places, range, Site { has_codebase: self.has_codebase, ..site }))
    }
}

impl Reporter<'_> {
    fn tag_with_facts(&mut self, tag: &Tag<'_>, namespace: Option<Element>) {
        let (base, max_text, charset) = (self.base, self.options.max_text, self.charset);
        let mut buffers: [Vec<u8>; 4] = Default::default();
        let [rel_buffer, name_buffer, alt_buffer, codebase_buffer] = &mut buffers;
        let value = |attribute, buffer| Some(decode(tag.raw_value(attribute)?, TextKind::Attribute, charset, buffer));
        let types = value(Attribute::Rel, rel_buffer).unwrap_or_default();
        // Few elements have them.
        let others = tag.seen.has_any(HREFLANG_AND_MEDIA).then(|| hreflang_and_media(tag, charset));
        let (hreflang, media) = others.as_ref().map_or(("", ""), |[hreflang, media]| (hreflang, media));
        // The text of other styles is not read as CSS.
        if tag.element == Element::Style && !(tag.is_self_closing && namespace.is_some()) {
            self.buffers.style_media.push_str(media);
            // HTML §4.2.6, SVG 2 §6.3.
            self.buffers.skips_style =
                tag.seen.contains(Attribute::StyleType) && !tag.has(Attribute::StyleType, &["", "text/css"]);
        }
        let element = element_name(tag, charset, name_buffer);
        let element = match tag.element {
            // That is what HTML calls it (HTML §13.2.6.4.7).
            Element::Image if namespace.is_none() => "img",
            _ => prefix(&element, MAX_NAME_LEN),
        };
        let alt = if max_text > 0 { value(Attribute::Alt, alt_buffer) } else { None };
        let alt = alt.map(|alt| fold_white_space(alt.as_bytes(), max_text)).unwrap_or_default();
        // To resolve it costs its length: so only where it matters.
        let has_codebase = matches!(tag.element, Element::Object | Element::Applet) && self.wants(Kind::Resource);
        let codebase = if has_codebase { value(Attribute::Codebase, codebase_buffer) } else { None };
        let codebase = codebase.and_then(|value| self.inner_base(&value, base).transpose());
        let card = if self.options.lazy { card(tag) } else { None };
        let facts = Facts {
            element,
            types: &types,
            rel: whole_tokens(&types, MAX_REL_LEN),
            hreflang,
            media,
            text: (tag.element != Element::A).then_some(&alt),
            codebase: codebase.as_ref().map(|base| base.as_ref().map(NewBase::as_page_base).map_err(|error| *error)),
            card: card.as_ref().map(|(property, kind)| (property.as_str(), *kind)),
        };
        self.attributes(tag, namespace, &facts);
        let anchor = &mut self.buffers.anchor;
        if element == "img" && anchor.is_open() && anchor.push_between_spaces(alt.as_bytes(), max_text) {
            self.close_anchor();
        }
    }

    fn attributes(&mut self, tag: &Tag<'_>, namespace: Option<Element>, facts: &Facts<'_>) {
        for (attribute, range) in tag.attributes {
            self.attribute(tag, namespace, facts, *attribute, range);
        }
    }

    // In the loop, all facts would be copied.
    #[inline(never)]
    fn attribute(
        &mut self,
        tag: &Tag<'_>,
        namespace: Option<Element>,
        facts: &Facts<'_>,
        attribute: Attribute,
        range: &Range<usize>,
    ) {
        let Some(row) = attribute.row() else { return };
        if self.buffers.for_rewriting && tag.element == Element::Base && attribute == Attribute::Href {
            self.report_base(tag, range);
        }
        let (mut syntax, mut kind, mut rel) = (row.syntax, row.kind, facts.rel);
        if row.condition.is_some_and(|(other, required)| !tag.has(other, &[required])) {
            let Some((property, card_kind)) = facts.card.filter(|_| attribute == Attribute::Content) else { return };
            (syntax, kind, rel) = (Syntax::Reference, Some(card_kind), property);
        }
        let Some(kind) = kind.or_else(|| href_kind(attribute, tag.element, namespace, facts.types)) else { return };
        if kind == Kind::Form && self.buffers.tree.as_ref().is_some_and(|tree| !tree.submits_by_get(tag)) {
            return;
        }
        if syntax == Syntax::SvgCss && namespace != Some(Element::Svg) {
            return;
        }
        let (base, rejected) = match (row.base, facts.codebase) {
            _ if matches!(syntax, Syntax::Css | Syntax::SvgCss) => (self.css_base.unwrap_or(self.base), None),
            (LinkBase::Page, _) | (_, None) => (self.base, None),
            (LinkBase::Codebase, Some(Ok(codebase))) => (codebase, None),
            (LinkBase::Codebase, Some(Err(rejected))) => (self.base, Some(rejected)),
        };
        let charset = self.charset;
        let mut buffer = mem::take(&mut self.buffers.value);
        let reference = match plain_text(tag.chunk, range.clone()) {
            Some(text) => Cow::Borrowed(text),
            None => decode(&tag.chunk[range.clone()], TextKind::Attribute, charset, &mut buffer),
        };
        let reference = &*reference;
        let Facts { element, hreflang, media, text, .. } = *facts;
        let value = Value {
            tag,
            piece: [(range.clone(), TextKind::Attribute)],
            charset,
            link: FoundLink { element, attribute: row.name, kind, rel, hreflang, media, reference },
            syntax,
            text,
            may_be_empty: may_be_empty(row, kind, tag.element),
            base,
            rejected,
            has_codebase: row.base == LinkBase::Codebase && matches!(facts.codebase, Some(Ok(_))),
        };
        match syntax {
            Syntax::Reference => self.report_in(&value, &value.link, &mut None, None, |kept| kept),
            Syntax::Html => self.report_inner(reference, (element, row.name), base, true),
            _ => self.report_parts(&value),
        }
        self.buffers.value = buffer;
    }

    /// The links of a value that may have several.
    fn report_parts(&mut self, value: &Value<'_>) {
        let (syntax, text) = (value.syntax, value.link.reference);
        let mut locator = None;
        let mut report = |reference: &str, before, locate: &dyn Fn(Range<usize>) -> Range<usize>| {
            self.report_in(value, &FoundLink { reference, ..value.link }, &mut locator, before, locate);
        };
        let is_css = match syntax {
            Syntax::Background => text.contains("url("),
            _ => matches!(syntax, Syntax::Css | Syntax::SvgCss),
        };
        if is_css {
            css::urls(text, Place::Attribute, |CssUrl { url, start, .. }| {
                report(url, byte_before(text, start), &|kept| written_range(text, start, url, kept));
            });
        } else {
            references(syntax, value.tag.element, text, &mut |reference: &str| {
                let start = reference.as_ptr() as usize - text.as_ptr() as usize;
                report(reference, None, &|kept| start + kept.start..start + kept.end);
            });
        }
    }

    /// `locate` gets a range of the reference and returns that of the value.
    #[inline(always)]
    fn report_in<'v>(
        &mut self,
        value: &'v Value<'v>,
        link: &FoundLink<'_>,
        locator: &mut Option<Locator<'v>>,
        before: Option<u8>,
        locate: impl Fn(Range<usize>) -> Range<usize>,
    ) {
        self.report(link, value.text, value.may_be_empty, value.base, value.rejected, |places, written| {
            let places = places?;
            value.located(places, locator, before, locate(kept_range(written)))
        });
    }

    /// A `base` in SVG, MathML or a `template` is reported, too, although it does not count.
    fn report_base(&mut self, tag: &Tag<'_>, range: &Range<usize>) {
        let (charset, own_base, mut buffer) = (self.charset, self.own_base, Vec::new());
        let piece = [(range.clone(), TextKind::Attribute)];
        let value = decode(&tag.chunk[range.clone()], TextKind::Attribute, charset, &mut buffer);
        let mut locator = Locator::new(tag.chunk, &piece, charset, &value);
        let link = FoundLink::new("base", "href", Kind::Metadata, &value);
        self.report(&link, Some(""), false, own_base, None, |places, written| {
            let site = Site { is_base: true, ..Site::new(tag.chunk, &piece, charset) };
            Some(Located::new(places?, locator.range(kept_range(written))?, site))
        });
    }
}

fn byte_before(text: &str, at: usize) -> Option<u8> {
    text.as_bytes()[..at].last().copied()
}

/// The property of a `meta` whose `content` is a URL, in lower case, and the kind of that.
fn card(tag: &Tag<'_>) -> Option<(String, Kind)> {
    let property = tag.value(Attribute::Property).or_else(|| tag.value(Attribute::Name))?;
    let property = std::str::from_utf8(&property).ok()?.trim_ascii().to_ascii_lowercase();
    card_kind(&property).map(|kind| (property, kind))
}

fn element_name<'t>(tag: &'t Tag<'_>, charset: Option<&'static Encoding>, buffer: &'t mut Vec<u8>) -> Cow<'t, str> {
    // That of most links.
    if tag.element == Element::A {
        return Cow::Borrowed("a");
    }
    if tag.name.len() <= LONG_NAME_LEN && tag.name.is_ascii() {
        return decode(tag.lower_name, TextKind::RawText, charset, buffer);
    }
    // A letter may be a part of a character.
    let mut name = decode(tag.name, TextKind::RawText, charset, buffer);
    name.to_mut().make_ascii_lowercase();
    name
}

const HREFLANG_AND_MEDIA: AttributeSet = AttributeSet::of(&[Attribute::Hreflang, Attribute::Media]);
const FACTS_OF_A: AttributeSet = AttributeSet::of(&[Attribute::Rel, Attribute::Hreflang, Attribute::Media]);

#[cold]
fn hreflang_and_media(tag: &Tag<'_>, charset: Option<&'static Encoding>) -> [String; 2] {
    [(Attribute::Hreflang, MAX_HREFLANG_LEN), (Attribute::Media, MAX_MEDIA_LEN)].map(|(attribute, max_len)| {
        let mut buffer = Vec::new();
        let value = decode(tag.raw_value(attribute).unwrap_or_default(), TextKind::Attribute, charset, &mut buffer);
        String::from(prefix(&value, max_len))
    })
}
