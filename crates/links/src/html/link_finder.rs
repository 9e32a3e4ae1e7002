//! Finds links in the tags and style sheets of a page, and in the HTML that an attribute or a text of a feed holds.

use std::borrow::Cow;
use std::fmt::Write;
use std::io;
use std::mem;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};
use memchr::memrchr;
use relref::UriRef;
use relref::percent::decode_lossy;

use super::anchor::{Anchor, fold_white_space};
use super::kind::{Kind, is_fetched};
use super::link::{FoundLink, Link, PageFacts, Rejected};
use super::link_resolver::{LinkBuffers, LinkResolver, pass_on};
use super::occurrence::{Occurrence, Piece};
use super::options::Options;
use super::page_base::{OwnedBase, PageBase};
use super::page_sink::{Locate, PageSink};
use super::places::{Locator, Places, Positions, TextOffsets};
use super::preview::{self, Preview};
use super::tokens::attribute::{Attribute, AttributeSet, LinkAttribute, LinkBase, Syntax};
use super::tokens::character_references::TextKind;
use super::tokens::context::Context;
use super::tokens::element::Element;
use super::tokens::scanner::{After, Scanner};
use super::tokens::tag::{LONG_NAME_LEN, Tag};
use super::tokens::token_sink::{Needed, TokenSink};
use super::values::clean::{decode, decode_pieces, kept_range, plain_text, prefix, whole_tokens};
use super::values::css::{self, CssContext, CssUrl, written_range};
#[cfg(feature = "json-ld")]
use super::values::json_ld;
use super::values::references::{
    MAX_HREFLANG_LEN, MAX_MEDIA_LEN, MAX_NAME_LEN, MAX_REL_LEN, card_kind, href_kind, is_fragment, is_local_url,
    item_kind, may_be_empty, references,
};

/// Finds the links of what is scanned, and passes them to the resolver; ids, to its sink.
pub(super) struct LinkFinder<'s> {
    pub(super) links: LinkResolver<'s>,
    /// The base for CSS, in which queries are UTF-8 whatever the page is in (CSS Values 4 §4.5.4); `None` for that of the page.
    pub(super) css_base: Option<PageBase<'s>>,
    /// The character encoding of the bytes that are scanned; `None` for UTF-8.
    pub(super) charset: Option<&'static Encoding>,
    /// Facts that are still sought: see [`LinkPass`](super::read::LinkPass).
    pub(super) late_facts: Option<Preview>,
    /// The place in the chunk of the tag that stated one.
    pub(super) late_tag: Option<usize>,
    needed_attributes: AttributeSet,
    is_browser: bool,
    wants_bases: bool,
    wants_ids: bool,
    wants_open_graph: bool,
    seeks_canonical: bool,
    /// The HTML is that of an attribute or of a feed.
    is_inner: bool,
}

impl<'s> LinkFinder<'s> {
    pub(super) fn new(links: LinkResolver<'s>, charset: Option<&'static Encoding>) -> Self {
        let Options { lazy, items, max_text, .. } = *links.options;
        let (is_browser, wants_ids) = (links.sink.is_browser(), links.sink.wants_ids());
        let wants_open_graph = links.sink.wants_open_graph();
        let mut needed_attributes = AttributeSet::for_links(lazy, items);
        if max_text > 0 {
            needed_attributes.insert(Attribute::Alt);
        }
        let more = [
            (is_browser, METHODS),
            (wants_ids, IDS),
            (wants_open_graph, PROPERTY),
            (links.sink.wants_integrity(), INTEGRITY),
        ];
        for (_, attributes) in more.into_iter().filter(|(is_on, _)| *is_on) {
            needed_attributes = needed_attributes.union(attributes);
        }
        LinkFinder {
            css_base: None,
            charset,
            late_facts: None,
            late_tag: None,
            needed_attributes,
            is_browser,
            wants_bases: links.sink.wants_bases(),
            wants_ids,
            wants_open_graph,
            seeks_canonical: links.sink.seeks_canonical(),
            is_inner: false,
            links,
        }
    }
}

impl TokenSink for LinkFinder<'_> {
    fn needed_attributes(&self) -> AttributeSet {
        let late = self.late_facts.as_ref().map(Preview::needed_attributes).unwrap_or_default();
        self.needed_attributes.union(late)
    }

    fn needed(&self) -> Needed {
        match self.links.failure {
            Some(_) => Needed::Nothing,
            None if self.late_facts.as_ref().is_some_and(|late| late.has_changed) => Needed::Nothing,
            None if self.links.buffers.anchor.is_open() => Needed::TagsAndText,
            None => Needed::Tags,
        }
    }

    fn tag(&mut self, tag: &Tag<'_>, context: &Context) {
        if let Some(late) = &mut self.late_facts {
            late.tag(tag, context);
            if late.has_changed {
                let name = tag.name.as_ptr() as usize - tag.chunk.as_ptr() as usize;
                return self.late_tag = memrchr(b'<', &tag.chunk[..name]);
            }
        }
        if self.is_browser && context.is_inert() {
            return;
        }
        let namespace = context.foreign.namespace();
        if self.seeks_canonical && (tag.element != Element::Link || !context.is_in_document()) {
            return;
        }
        if self.wants_ids {
            self.ids(tag, namespace);
        }
        if self.is_browser && tag.element == Element::Form {
            self.links.buffers.is_posted_form = is_posted(tag, Attribute::Method);
        }
        // Most tags with an id have nothing else: no link, and, unless texts are wanted, nothing that belongs to one.
        let has_only_ids = tag.seen.is_within(IDS) && tag.element != Element::Style;
        if has_only_ids && self.links.options.max_text == 0 {
            return;
        }
        if tag.element == Element::A && !tag.seen.has_any(FACTS_OF_A) {
            // As most links are.
            self.attributes(tag, namespace, &Facts::OF_MOST_LINKS);
        } else {
            self.tag_with_facts(tag, namespace);
        }
    }

    fn text(&mut self, text: &[u8], kind: TextKind) {
        let LinkBuffers { anchor, value, .. } = &mut *self.links.buffers;
        let text = decode(text, kind, self.charset, value);
        if anchor.push_text(text.as_bytes(), self.links.options.max_text) {
            self.links.close_anchor();
        }
    }

    fn start_tag(&mut self, name: &[u8]) {
        if self.links.buffers.anchor.start_tag(name) {
            self.links.close_anchor();
        }
    }

    fn end_tag(&mut self, name: &[u8]) {
        if self.links.buffers.anchor.end_tag(name) {
            self.links.close_anchor();
        }
    }

    #[cfg(feature = "json-ld")]
    fn json_ld(&mut self, json: &[u8]) {
        let (base, charset, mut buffer) = (self.links.base, self.charset, Vec::new());
        json_ld::urls(&decode(json, TextKind::RawText, charset, &mut buffer), &mut |property, kind, reference| {
            let link = FoundLink { rel: property, ..FoundLink::new("script", "text", kind, reference) };
            self.links.add(&link, Some(""), false, base, None, |_, _| None);
        });
    }

    fn style(&mut self, chunk: &[u8], pieces: &[(Range<usize>, TextKind)], context: &Context, has_entities: bool) {
        if self.is_browser && context.is_inert() {
            return;
        }
        let (charset, mut buffer) = (self.charset, Vec::new());
        let sheet = decode_pieces(chunk, pieces, charset, &mut buffer);
        // A text that replaces an entity has no place in the page.
        let places = self.links.places.as_ref().filter(|_| !has_entities);
        let mut locator = places.map(|_| Locator::new(chunk, pieces, charset, &sheet));
        let media = mem::take(&mut self.links.buffers.style_media);
        if mem::take(&mut self.links.buffers.skips_style) {
            return;
        }
        if !self.links.wants(Kind::Resource) {
            return;
        }
        let base = self.css_base.unwrap_or(self.links.base);
        css::urls(&sheet, CssContext::Sheet, |CssUrl { url: reference, start, .. }| {
            let link = FoundLink { media: &media, ..FoundLink::new("style", "text", Kind::Resource, reference) };
            let is_local = is_local_url(reference);
            let base = if is_local { self.links.own_base } else { base };
            self.links.add(&link, Some(""), false, base, None, |places, reference| {
                let written = written_range(&sheet, start, reference, kept_range(reference));
                let before = byte_before(&sheet, start);
                let occurrence = Occurrence::new(chunk, pieces, charset).with(Syntax::Css, Element::Style, before);
                Occurrence { is_local, ..occurrence }.at(places?, locator.as_mut()?.range(written)?)
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
struct AttributeValue<'v> {
    tag: &'v Tag<'v>,
    piece: [Piece; 1],
    charset: Option<&'static Encoding>,
    /// Its reference is the value.
    link: FoundLink<'v>,
    /// A reference that is only a fragment is one of the page itself.
    has_local_fragments: bool,
    syntax: Syntax,
    text: Option<&'v str>,
    may_be_empty: bool,
    base: PageBase<'v>,
    rejected: Option<Rejected>,
    has_codebase: bool,
    has_entities: bool,
}

impl<'v> AttributeValue<'v> {
    #[inline(never)]
    fn located(
        &'v self,
        places: &mut Places,
        locator: &mut Option<Locator<'v>>,
        (before, is_local): (Option<u8>, bool),
        range: Range<usize>,
    ) -> Option<Occurrence<'v>> {
        let AttributeValue { tag, piece, charset, .. } = self;
        if self.has_entities {
            return None;
        }
        let new_locator = || Locator::new(tag.chunk, piece, *charset, self.link.reference);
        let range = locator.get_or_insert_with(new_locator).range(range)?;
        let occurrence = Occurrence::new(tag.chunk, piece, *charset).with(self.syntax, tag.element, before);
        Occurrence { has_codebase: self.has_codebase, is_local, ..occurrence }.at(places, range)
    }
}

impl LinkFinder<'_> {
    fn tag_with_facts(&mut self, tag: &Tag<'_>, namespace: Option<Element>) {
        let (base, max_text, charset) = (self.links.base, self.links.options.max_text, self.charset);
        let mut buffers: [Vec<u8>; 4] = Default::default();
        let [rel_buffer, name_buffer, alt_buffer, codebase_buffer] = &mut buffers;
        let value = |attribute, buffer| Some(decode(tag.raw_value(attribute)?, TextKind::Attribute, charset, buffer));
        let types = value(Attribute::Rel, rel_buffer).unwrap_or_default();
        // Few elements have them.
        let others = tag.seen.has_any(HREFLANG_AND_MEDIA).then(|| hreflang_and_media(tag, charset));
        let (hreflang, media) = others.as_ref().map_or(("", ""), |[hreflang, media]| (hreflang, media));
        // The text of other styles is not read as CSS.
        if tag.element == Element::Style && !(tag.is_self_closing && namespace.is_some()) {
            self.links.buffers.style_media.push_str(media);
            // HTML §4.2.6, SVG 2 §6.3.
            self.links.buffers.skips_style =
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
        let has_codebase = matches!(tag.element, Element::Object | Element::Applet) && self.links.wants(Kind::Resource);
        let codebase = if has_codebase { value(Attribute::Codebase, codebase_buffer) } else { None };
        let codebase = codebase.and_then(|value| self.links.inner_base(&value, base).transpose());
        let card = match (self.links.options.lazy, self.wants_open_graph) {
            (true, _) => card(tag),
            (false, true) => card(tag).filter(|(property, _)| property.starts_with("og:")),
            (false, false) => None,
        };
        let facts = Facts {
            element,
            types: &types,
            rel: whole_tokens(&types, MAX_REL_LEN),
            hreflang,
            media,
            text: (tag.element != Element::A).then_some(&alt),
            codebase: codebase.as_ref().map(|base| base.as_ref().map(OwnedBase::as_page_base).map_err(|error| *error)),
            card: card.as_ref().map(|(property, kind)| (property.as_str(), *kind)),
        };
        self.attributes(tag, namespace, &facts);
        let anchor = &mut self.links.buffers.anchor;
        if element == "img" && anchor.is_open() && anchor.push_between_spaces(alt.as_bytes(), max_text) {
            self.links.close_anchor();
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
        let Some(row) = attribute.row() else {
            if attribute == Attribute::Integrity {
                self.integrity(tag, range);
            }
            return;
        };
        // SVG 2 §16.1.6.
        if attribute == Attribute::XlinkHref && tag.seen.contains(Attribute::Href) {
            return;
        }
        if self.wants_bases && tag.element == Element::Base && attribute == Attribute::Href {
            self.base_link(tag, range);
        }
        let (mut syntax, mut kind, mut rel) = (row.syntax, row.kind, facts.rel);
        if row.condition.is_some_and(|(other, required)| !tag.has(other, &[required])) {
            let Some((property, card_kind)) = facts.card.filter(|_| attribute == Attribute::Content) else { return };
            (syntax, kind, rel) = (Syntax::Reference, Some(card_kind), property);
        }
        let Some(kind) = kind.or_else(|| href_kind(attribute, tag.element, namespace, facts.types)) else { return };
        // The HTML of an attribute has links of all kinds.
        if syntax != Syntax::Html && !self.links.wants(kind)
            || kind == Kind::Form && self.is_browser && self.is_posted(tag)
        {
            return;
        }
        if syntax == Syntax::SvgCss && namespace != Some(Element::Svg) {
            return;
        }
        let (base, rejected) = match (row.base, facts.codebase) {
            _ if matches!(syntax, Syntax::Css | Syntax::SvgCss) => (self.css_base.unwrap_or(self.links.base), None),
            // It stands before the elements.
            _ if tag.element == Element::XmlStylesheet => (self.links.own_base, None),
            (LinkBase::Page, _) | (_, None) => (self.links.base, None),
            (LinkBase::Codebase, Some(Ok(codebase))) => (codebase, None),
            (LinkBase::Codebase, Some(Err(rejected))) => (self.links.base, Some(rejected)),
        };
        let charset = self.charset;
        let mut buffer = mem::take(&mut self.links.buffers.value);
        let reference = &*text_of(tag, attribute, range, charset, &mut buffer);
        let Facts { element, hreflang, media, text, .. } = *facts;
        let value = AttributeValue {
            tag,
            piece: [(range.clone(), TextKind::Attribute)],
            charset,
            link: FoundLink { rel, hreflang, media, ..FoundLink::new(element, row.name, kind, reference) },
            // The name of a map of the page, no URL in HTML (§2.3.10 "Hash-name reference").
            has_local_fragments: attribute == Attribute::Usemap
                || has_local_fragments(tag.element, namespace, row, syntax),
            syntax,
            text,
            may_be_empty: may_be_empty(row, kind, tag.element),
            base,
            rejected,
            has_codebase: row.base == LinkBase::Codebase && matches!(facts.codebase, Some(Ok(_))),
            has_entities: tag.replaced(attribute).is_some_and(|replaced| replaced.has_entities),
        };
        match syntax {
            Syntax::Reference => {
                if self.links.options.lazy && is_script(reference) {
                    self.urls_in_script(&value);
                }
                self.value_link(&value, &value.link, &mut None, None, |kept| kept);
            }
            Syntax::Html if self.is_inner => {}
            Syntax::Html => Self::find_inner(&mut self.links, reference, (element, row.name), base, true),
            _ => self.value_links(&value),
        }
        self.links.buffers.value = buffer;
    }

    /// The links of a value that may have several.
    fn value_links(&mut self, value: &AttributeValue<'_>) {
        let (syntax, text) = (value.syntax, value.link.reference);
        let mut locator = None;
        let mut add = |reference: &str, before, locate: &dyn Fn(Range<usize>) -> Range<usize>| {
            self.value_link(value, &FoundLink { reference, ..value.link }, &mut locator, before, locate);
        };
        let is_css = match syntax {
            Syntax::Background => text.contains("url("),
            _ => matches!(syntax, Syntax::Css | Syntax::SvgCss),
        };
        if is_css {
            css::urls(text, CssContext::Attribute, |CssUrl { url, start, .. }| {
                add(url, byte_before(text, start), &|kept| written_range(text, start, url, kept));
            });
        } else {
            references(syntax, value.tag.element, text, &mut |reference: &str| {
                let start = reference.as_ptr() as usize - text.as_ptr() as usize;
                add(reference, None, &|kept| start + kept.start..start + kept.end);
            });
        }
    }

    /// The absolute URLs in quotes in the script of a `javascript:` URL, as crawlers follow them. They have no place.
    #[cold]
    fn urls_in_script(&mut self, value: &AttributeValue<'_>) {
        // It is decoded before it runs (HTML §7.4.2.3.2).
        let script = decode_lossy(value.link.reference);
        for written in script.split(['\'', '"']).skip(1).step_by(2) {
            let reference = &*written.replace("\\/", "/");
            if is_fetched(UriRef::new(reference).scheme().unwrap_or_default()) {
                let link = FoundLink { reference, ..value.link };
                self.links.add(&link, value.text, false, value.base, None, |_, _| None);
            }
        }
    }

    /// `locate` gets a range of the reference and returns that of the value.
    #[inline(always)]
    fn value_link<'v>(
        &mut self,
        value: &'v AttributeValue<'v>,
        link: &FoundLink<'_>,
        locator: &mut Option<Locator<'v>>,
        before: Option<u8>,
        locate: impl Fn(Range<usize>) -> Range<usize>,
    ) {
        let is_local = value.has_local_fragments
            && match value.syntax {
                Syntax::Reference => is_fragment(link.reference),
                _ => is_local_url(link.reference),
            };
        let base = if is_local { self.links.own_base } else { value.base };
        self.links.add(link, value.text, value.may_be_empty, base, value.rejected, |places, written| {
            let places = places?;
            value.located(places, locator, (before, is_local), locate(kept_range(written)))
        });
    }

    /// Adds a `base` as a link; also one in SVG, MathML or a `template`, although it does not count.
    fn base_link(&mut self, tag: &Tag<'_>, range: &Range<usize>) {
        let (charset, own_base, mut buffer) = (self.charset, self.links.own_base, Vec::new());
        let piece = [(range.clone(), TextKind::Attribute)];
        let replaced = tag.replaced(Attribute::Href);
        let raw = replaced.map_or(&tag.chunk[range.clone()], |replaced| &replaced.value);
        let has_entities = replaced.is_some_and(|replaced| replaced.has_entities);
        let value = decode(raw, TextKind::Attribute, charset, &mut buffer);
        let mut locator = Locator::new(tag.chunk, &piece, charset, &value);
        let link = FoundLink::new("base", "href", Kind::Metadata, &value);
        self.links.add(&link, Some(""), false, own_base, None, |places, written| {
            let occurrence = Occurrence { is_base: true, ..Occurrence::new(tag.chunk, &piece, charset) };
            occurrence.at(places.filter(|_| !has_entities)?, locator.range(kept_range(written))?)
        });
    }

    /// Adds the `integrity` of a `link`, which is only read if the sink wants it.
    #[cold]
    fn integrity(&mut self, tag: &Tag<'_>, range: &Range<usize>) {
        let Some(href) = tag.raw_value(Attribute::Href).filter(|_| !range.is_empty()) else { return };
        let (charset, base, mut buffer) = (self.charset, self.links.base, Vec::new());
        let piece = [(range.clone(), TextKind::Attribute)];
        let href = decode(href, TextKind::Attribute, charset, &mut buffer);
        let link = FoundLink::new("link", "integrity", Kind::Resource, &href);
        // Without the first of several, the next one would count.
        let is_emptied = has_name(rest_of_tag(&tag.chunk[quoted(tag.chunk, range).end..]), b"integrity");
        self.links.add(&link, Some(""), false, base, None, |places, _| {
            let whole =
                if is_emptied { quoted(tag.chunk, range) } else { whole_attribute(tag.chunk, range, "integrity")? };
            Occurrence { is_emptied, ..Occurrence::new(tag.chunk, &piece, charset) }.at(places?, whole)
        });
    }
}

/// Returns the text of an attribute whose value is at `range`.
#[inline(always)]
fn text_of<'t>(
    tag: &Tag<'t>,
    attribute: Attribute,
    range: &Range<usize>,
    charset: Option<&'static Encoding>,
    buffer: &'t mut Vec<u8>,
) -> Cow<'t, str> {
    let replaced = tag.replaced(attribute);
    let (chunk, range) =
        replaced.map_or((tag.chunk, range.clone()), |replaced| (&*replaced.value, 0..replaced.value.len()));
    match plain_text(chunk, range.clone()) {
        Some(text) => Cow::Borrowed(text),
        None => decode(&chunk[range], TextKind::Attribute, charset, buffer),
    }
}

/// Reports whether a text has a name in it, in any case. It may be that of no attribute.
fn has_name(text: &[u8], name: &[u8]) -> bool {
    let first = name[0];
    memchr::memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), text)
        .any(|at| text[at..].get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name)))
}

/// Returns a text up to the `>` that ends its tag. Where an apostrophe stands in no quotes, it may be a later one.
fn rest_of_tag(text: &[u8]) -> &[u8] {
    let mut quote = None;
    let end = text.iter().position(|byte| match (*byte, quote) {
        (b'"' | b'\'', None) => {
            quote = Some(*byte);
            false
        }
        (byte, Some(open)) => {
            quote = quote.filter(|_| byte != open);
            false
        }
        (byte, None) => byte == b'>',
    });
    &text[..end.unwrap_or(text.len())]
}

/// The place of a value with its quotes.
fn quoted(chunk: &[u8], value: &Range<usize>) -> Range<usize> {
    let quote = chunk[..value.start].last().filter(|byte| matches!(byte, b'"' | b'\''));
    let len = usize::from(quote.is_some_and(|quote| chunk.get(value.end) == Some(quote)));
    value.start - len..value.end + len
}

/// The place of an attribute by that of its value, with the white space before it if there is more after it.
fn whole_attribute(chunk: &[u8], value: &Range<usize>, name: &str) -> Option<Range<usize>> {
    let before = chunk[..value.start].trim_ascii_end();
    let (before, quote_len) = match before.split_last()? {
        (b'"' | b'\'', before) => (before.trim_ascii_end(), 1),
        _ => (before, 0),
    };
    let before = before.strip_suffix(b"=")?.trim_ascii_end();
    let start = before.len().checked_sub(name.len())?;
    let end = value.end + quote_len;
    // The tokens on both sides must stay apart.
    let is_apart = chunk.get(end).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'>');
    Some(if is_apart { before[..start].trim_ascii_end().len() } else { start }..end)
}

/// The receiver of the links of HTML in an attribute or a feed, which are passed on as links of that.
struct InnerSink<'s> {
    sink: &'s mut dyn PageSink,
    anchor: &'s mut Anchor,
    options: &'s Options,
    page: PageFacts<'s>,
    element: &'s str,
    attribute: &'s str,
    /// The HTML is rewritten, too.
    is_writable: bool,
    /// The name of the last link.
    name: String,
}

impl PageSink for InnerSink<'_> {
    fn positions(&self) -> Positions {
        if self.is_writable { self.sink.positions() } else { Positions::Unknown }
    }

    fn wants_bases(&self) -> bool {
        self.is_writable && self.sink.wants_bases()
    }

    fn wants_link(&mut self) -> bool {
        self.sink.wants_link()
    }

    fn wants_rejected(&self) -> bool {
        self.sink.wants_rejected()
    }

    fn link(&mut self, link: &Link<'_>, locate: &mut Locate<'_, '_>) -> io::Result<()> {
        let InnerSink { sink, anchor, page, element, attribute, name, .. } = self;
        name.clear();
        let _ = write!(name, "{} {}", link.element, link.attribute);
        let (max_text, link) = (self.options.max_text, Link { element, attribute, inner: name, ..*link });
        if pass_on(anchor, max_text, &link, false, locate, *sink)? {
            anchor.close(max_text, *page, *sink)?;
        }
        Ok(())
    }
}

impl LinkFinder<'_> {
    /// Finds the links of `html` as those of this element and attribute, with `base`; with `is_page`, it is a page, whose `base`
    /// element counts, and which is not rewritten. The `srcdoc` of an `iframe` in it is not read, so that the depth is 1.
    pub(super) fn find_inner(
        links: &mut LinkResolver<'_>,
        html: &str,
        (element, attribute): (&str, &str),
        base: PageBase<'_>,
        is_page: bool,
    ) {
        if links.failure.is_some() || !html.contains('<') {
            return;
        }
        let LinkResolver { options, page, .. } = *links;
        let mut copy = None;
        // It is read as UTF-8 (HTML §7.4.5, "create navigation params from a srcdoc resource").
        let own_base = base.in_charset(None, options.legacy_queries, &mut copy);
        // References to a part of a page are never relative to the base of what is around it.
        let mut document_copy = None;
        let document = match is_page {
            true => links.own_base.in_charset(None, options.legacy_queries, &mut document_copy),
            false => own_base,
        };
        let mut scanner = Scanner::default();
        let base = if is_page { base_element(html, &mut scanner, own_base) } else { None };
        let is_writable = !is_page && links.sink.positions() == Positions::Offsets;
        let (anchor, sink, name) = (&mut links.buffers.anchor, &mut *links.sink, String::new());
        let mut sink = InnerSink { sink, anchor, options, page, element, attribute, is_writable, name };
        let mut buffers = LinkBuffers::default();
        let mut inner = LinkResolver::new(options, &mut buffers, document, page, &mut sink);
        inner.base = base.as_ref().map_or(own_base, OwnedBase::as_page_base);
        inner.limits.remaining = links.limits.remaining;
        inner.places = is_writable.then(|| Places::new(None, 0, TextOffsets::Same(0), Positions::Offsets));
        let mut finder = LinkFinder { is_inner: true, ..LinkFinder::new(inner, None) };
        scanner.scan(html.as_bytes(), After::Nothing, &mut finder);
        let mut inner = finder.links;
        inner.close_anchor();
        let (remaining, has_links, failure) = (inner.limits.remaining, inner.has_links, inner.failure.take());
        links.limits.remaining = remaining;
        links.has_links |= has_links;
        links.failure = failure;
    }

    fn ids(&mut self, tag: &Tag<'_>, namespace: Option<Element>) {
        for attribute in [Attribute::Id, Attribute::AnchorName] {
            // SVG and MathML have no anchors.
            let is_id = tag.seen.contains(attribute) && (attribute == Attribute::Id || namespace.is_none());
            let found = tag.attributes.iter().find(|(known, _)| is_id && *known == attribute);
            if let Some((_, range)) = found {
                let LinkResolver { sink, buffers, .. } = &mut self.links;
                sink.id(&text_of(tag, attribute, range, self.charset, &mut buffers.value));
            }
        }
    }

    /// HTML §4.10.18.6: a button's own method counts.
    fn is_posted(&self, tag: &Tag<'_>) -> bool {
        match tag.seen.contains(Attribute::Formmethod) {
            true => is_posted(tag, Attribute::Formmethod),
            false => self.links.buffers.is_posted_form,
        }
    }
}

/// Reports whether a reference that is only a fragment is one of the page itself.
#[inline(always)]
fn has_local_fragments(element: Element, namespace: Option<Element>, row: &LinkAttribute, syntax: Syntax) -> bool {
    // An image is a whole document (SVG 2 §16.1.7.1).
    let is_whole = matches!(element, Element::A | Element::Image);
    let is_in_svg = || namespace == Some(Element::Svg) && !is_whole && row.kind.is_none();
    match syntax {
        Syntax::Reference => is_in_svg() || element == Element::XmlStylesheet,
        _ => matches!(syntax, Syntax::Css | Syntax::SvgCss),
    }
}

fn is_posted(tag: &Tag<'_>, attribute: Attribute) -> bool {
    tag.has(attribute, &["post", "dialog"])
}

fn base_element(html: &str, scanner: &mut Scanner, own_base: PageBase<'_>) -> Option<OwnedBase> {
    let mut preview = Preview::new(UTF_8, 0, preview::may_be_in(html.as_bytes(), preview::BASE, UTF_8));
    scanner.scan(html.as_bytes(), After::Nothing, &mut preview);
    scanner.clear();
    OwnedBase::of_element(&decode(&preview.base?, TextKind::Attribute, None, &mut Default::default()), own_base)
}

fn is_script(reference: &str) -> bool {
    UriRef::new(reference.trim_start()).scheme().is_some_and(|scheme| scheme.eq_ignore_ascii_case("javascript"))
}

fn byte_before(text: &str, at: usize) -> Option<u8> {
    text.as_bytes()[..at].last().copied()
}

/// The property of a `meta` whose `content` is a URL, in lower case, and the kind of that.
fn card(tag: &Tag<'_>) -> Option<(String, Kind)> {
    let kind_of = if tag.seen.contains(Attribute::Itemprop) { item_kind } else { card_kind };
    let names = [Attribute::Itemprop, Attribute::Property, Attribute::Name];
    let properties = names.into_iter().find_map(|name| tag.value(name))?;
    let properties = std::str::from_utf8(&properties).ok()?.to_ascii_lowercase();
    properties.split_ascii_whitespace().find_map(|property| Some((property.to_owned(), kind_of(property)?)))
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
const IDS: AttributeSet = AttributeSet::of(&[Attribute::Id, Attribute::AnchorName]);
const PROPERTY: AttributeSet = AttributeSet::of(&[Attribute::Property, Attribute::Name]);
const INTEGRITY: AttributeSet = AttributeSet::of(&[Attribute::Integrity]);
const METHODS: AttributeSet = AttributeSet::of(&[Attribute::Method, Attribute::Formmethod]);
const FACTS_OF_A: AttributeSet = AttributeSet::of(&[Attribute::Rel, Attribute::Hreflang, Attribute::Media]);

#[cold]
fn hreflang_and_media(tag: &Tag<'_>, charset: Option<&'static Encoding>) -> [String; 2] {
    [(Attribute::Hreflang, MAX_HREFLANG_LEN), (Attribute::Media, MAX_MEDIA_LEN)].map(|(attribute, max_len)| {
        let mut buffer = Vec::new();
        let value = decode(tag.raw_value(attribute).unwrap_or_default(), TextKind::Attribute, charset, &mut buffer);
        String::from(prefix(&value, max_len))
    })
}
