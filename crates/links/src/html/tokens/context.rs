//! The elements around the tag being read, as far as they change its meaning.

use html5gum::State;

use super::attribute::Attribute;
use super::element::Element;
use super::foreign::Foreign;
use super::tag::{MAX_KEPT_LEN, Tag};

#[derive(Default)]
pub(crate) struct Context {
    pub(crate) foreign: Foreign,
    /// The number of open `template` elements of HTML.
    pub(crate) templates: usize,
    /// In lower case; empty if no element with raw text, such as `script` or `title`, is open. Only its end tag ends the text.
    pub(crate) raw_text_element: Vec<u8>,
    /// The text of the open `style` so far. Empty unless `in_style`.
    pub(crate) css: Vec<u8>,
    /// A `style` is open whose text is read as CSS: in HTML or SVG, and not too long.
    pub(crate) in_style: bool,
    /// A `form` is open outside of templates.
    pub(crate) in_form: bool,
    /// True after all that cannot come before the start tag of a `head` (HTML §13.2.6.4.2, §13.2.6.4.3): any start tag but `html`,
    /// some end tags, and text other than white space. The start tag of another `head` is then ignored.
    pub(crate) has_head: bool,
}

impl Context {
    pub(crate) fn clear(&mut self) {
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

    /// A `base` element counts outside of SVG, MathML and templates (HTML §4.2.3).
    pub(crate) fn may_have_base(&self) -> bool {
        self.foreign.namespace().is_none() && self.templates == 0
    }

    /// In HTML, not SVG or MathML: a `form` in another one, unless a `template` is open, and a second `head`.
    pub(crate) fn ignores(&self, tag: &Tag) -> bool {
        let is_second = match tag.element {
            Element::Form => self.in_form && self.templates == 0,
            Element::Head => self.has_head,
            _ => false,
        };
        is_second && self.foreign.namespace().is_none()
    }

    /// At the start tag of a `font` with an attribute that only HTML has (HTML §13.2.6.5).
    pub(crate) fn leave_at_font(&mut self, tag: &Tag) {
        use Attribute::{Color, Face, Size};
        if tag.element == Element::Font && [Color, Face, Size].into_iter().any(|known| tag.seen.contains(known)) {
            self.foreign.leave();
        }
    }

    /// `tag` must not be [ignored](Context::ignores) or of [`Element::Other`]. Returns the state for content that is not markup.
    pub(crate) fn open(&mut self, tag: &Tag) -> Option<State> {
        let Tag { element, is_self_closing, .. } = *tag;
        let namespace = self.foreign.namespace();
        match element {
            Element::Template if namespace.is_none() => self.templates += 1,
            Element::Form if namespace.is_none() && self.templates == 0 => self.in_form = true,
            _ => {}
        }
        // Only with one of these values of its attribute `encoding` does an `annotation-xml` hold HTML (HTML §13.2.6.5).
        let html = ["text/html", "application/xhtml+xml"];
        if !is_self_closing && (element != Element::AnnotationXml || tag.has(Attribute::Encoding, &html)) {
            self.foreign.open(element);
        }
        let content = if namespace.is_none() { element.content_state() } else { None };
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

    /// Opens an element, with a tag that closes itself if `name` ends with `/`. Returns the state that reads its content.
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
