//! The elements around the tag being read, as far as they change its meaning.

use core::mem;

use html5gum::State;

use super::attribute::Attribute;
use super::element::Element;
use super::foreign::Foreign;
use super::tag::{MAX_KEPT_LEN, Tag};

/// The open elements that change the meaning of the tags after them. The buffers are kept from page to page.
#[derive(Default)]
pub(super) struct Context {
    /// The open elements of SVG and MathML.
    pub(super) foreign: Foreign,
    /// The number of open `template` elements.
    pub(super) templates: usize,
    /// The name of the element whose end tag ends the raw text being read; empty outside raw text.
    pub(super) raw_text_element: Vec<u8>,
    /// The text of the open `style` element.
    pub(super) css: Vec<u8>,
    /// True if a `style` element is open.
    pub(super) in_style: bool,
    /// True if a `form` element is open outside of templates.
    pub(super) in_form: bool,
    /// True if a `head` was opened, by its own start tag or by that of a later [`Element`] other than `form` and `font`. A `head`
    /// tag is then ignored. The tags of other elements, such as `p`, do not count.
    has_head: bool,
}

impl Context {
    /// Prepares for the next page. Keeps only small buffers.
    pub(super) fn clear(&mut self) {
        for buffer in [&mut self.raw_text_element, &mut self.css] {
            buffer.clear();
            buffer.shrink_to(MAX_KEPT_LEN);
        }
        self.foreign.clear();
        self.templates = 0;
        self.in_style = false;
        self.in_form = false;
        self.has_head = false;
    }

    /// Reports whether a `base` element counts at this place in the page (HTML §4.2.3): in HTML, outside of templates.
    pub(super) fn may_have_base(&self) -> bool {
        self.foreign.namespace().is_none() && self.templates == 0
    }

    /// Reports whether a start tag is ignored: a `form` in a form, or a second `head`. Call it once for each start tag of a special
    /// element, before [`open`](Context::open): it takes the tag into account for the tags that follow.
    pub(super) fn ignores(&mut self, tag: &Tag) -> bool {
        let was = match tag.element {
            Element::Form if self.templates == 0 => &mut self.in_form,
            Element::Form => return false,
            Element::Font => {
                use Attribute::{Color, Face, Size};
                if [Color, Face, Size].into_iter().any(|attribute| tag.seen.contains(attribute)) {
                    self.foreign.leave();
                }
                return false;
            }
            Element::Head => &mut self.has_head,
            _ => {
                self.has_head = true;
                return false;
            }
        };
        self.foreign.namespace().is_none() && mem::replace(was, true)
    }

    /// Opens the element of a start tag that is not [ignored](Context::ignores). Returns the tokenizer's state that reads its
    /// content; `None` if the content is markup.
    pub(super) fn open(&mut self, tag: &Tag) -> Option<State> {
        let Tag { element, is_self_closing, .. } = *tag;
        let namespace = self.foreign.namespace();
        if namespace.is_none() && element == Element::Template {
            self.templates += 1;
        }
        // Only with one of these values of its attribute `encoding` does an `annotation-xml` hold HTML (HTML §13.2.6.5).
        let html = ["text/html", "application/xhtml+xml"];
        if !is_self_closing && (element != Element::AnnotationXml || tag.has(Attribute::Encoding, &html)) {
            self.foreign.open(element);
        }
        let content = if namespace.is_none() { element.content() } else { None };
        if content.is_some() {
            self.raw_text_element.clone_from(&tag.name);
        }
        self.in_style =
            element == Element::Style && (content.is_some() || (namespace == Some(Element::Svg) && !is_self_closing));
        content
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opens an element, or one that closes itself if its name ends with `/`. Returns how its content is read.
    fn open(context: &mut Context, name: &str) -> Option<State> {
        let start = name.trim_end_matches('/');
        let mut tag = Tag { name: start.into(), element: Element::new(start.as_bytes()), ..Tag::default() };
        tag.is_self_closing = name.ends_with('/');
        context.open(&tag)
    }

    #[test]
    fn style_is_read_in_html_and_svg() {
        for (names, content, in_style) in [
            (&["style"][..], Some(State::RawText), true),
            // In HTML a tag does not close itself.
            (&["style/"], Some(State::RawText), true),
            (&["svg", "style"], None, true),
            (&["svg", "style/"], None, false),
            (&["math", "style"], None, false),
            (&["svg", "desc", "style"], Some(State::RawText), true),
            (&["script"], Some(State::ScriptData), false),
            (&["svg", "script"], None, false),
        ] {
            let mut context = Context::default();
            let last = names.iter().map(|name| open(&mut context, name)).last();
            assert_eq!((last.unwrap(), context.in_style), (content, in_style), "{names:?}");
            assert_eq!(context.raw_text_element.is_empty(), content.is_none());
        }
    }

    #[test]
    fn a_base_counts_in_html_outside_of_templates() {
        for (names, expected) in [
            (&["p"][..], true),
            (&["svg"], false),
            (&["svg/"], true),
            (&["svg", "desc"], true),
            (&["template"], false),
            (&["svg", "template", "desc"], true),
            // Without its attribute `encoding` it does not hold HTML.
            (&["math", "annotation-xml"], false),
        ] {
            let mut context = Context::default();
            names.iter().for_each(|name| _ = open(&mut context, name));
            assert_eq!(context.may_have_base(), expected, "{names:?}");
        }
    }
}
