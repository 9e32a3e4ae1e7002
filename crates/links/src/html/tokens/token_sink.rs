//! The receiver of the tags and texts of a page.

use std::ops::Range;

use super::attribute::AttributeSet;
use super::character_references::TextKind;
use super::context::Context;
use super::tag::Tag;

/// The parts of a page that a [`TokenSink`] needs from the current place on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needed {
    /// The page is not read any further.
    Nothing,
    /// Start tags with a [needed](TokenSink::needed_attributes) attribute, and the texts of `style` elements.
    Tags,
    /// All of [`Tags`](Needed::Tags), the name of every tag, and text except that of `style` and other raw text: for the text of an
    /// open `a`.
    TagsAndText,
}

/// [`Preview`](crate::html::preview::Preview) finds facts about the page, and [`LinkFinder`](crate::html::link_finder::LinkFinder) its
/// links.
pub(crate) trait TokenSink {
    /// Stays the same for a page.
    fn needed_attributes(&self) -> AttributeSet;

    fn needed(&self) -> Needed;

    /// Receives a start tag that is not ignored and has a needed attribute. `context` has the elements around it.
    fn tag(&mut self, tag: &Tag<'_>, context: &Context);

    /// Receives text as written, in parts that have whole characters and references. Called only with [`Needed::TagsAndText`].
    fn text(&mut self, _text: &[u8], _place: TextKind) {}

    /// Receives the lower-case name of any start tag, before [`tag`](TokenSink::tag) if that is called. A name too long for any
    /// [`Element`](super::element::Element) is cut to its start. Called only with [`Needed::TagsAndText`].
    fn start_tag(&mut self, _name: &[u8]) {}

    /// Like [`start_tag`](TokenSink::start_tag).
    fn end_tag(&mut self, _name: &[u8]) {}

    /// Receives a part of the text of a `title` of HTML, as written; `is_end` is true for the last part. Every `title` has one.
    fn title(&mut self, _text: &[u8], _is_end: bool, _context: &Context) {}

    /// Receives the complete text of a `style` element, which may be empty: its pieces in the chunk. None if it is too long.
    /// With `has_entities`, the chunk is another one, in which the entities that XML declares are replaced.
    fn style(&mut self, _chunk: &[u8], _pieces: &[(Range<usize>, TextKind)], _context: &Context, _has_entities: bool) {}

    /// Like [`style`](TokenSink::style), of a `script` whose needed `type` is that of JSON-LD.
    fn json_ld(&mut self, _json: &[u8]) {}
}
