//! The elements around the tag being read, as far as they change its meaning.

use super::attribute::Attribute;
use super::element::{ContentModel, Element};
use super::foreign::Foreign;
use super::tag::Tag;

#[derive(Default)]
pub(crate) struct Context {
    pub(crate) foreign: Foreign,
    /// The number of open `template` elements of HTML.
    pub(crate) templates: usize,
    /// The number of open `template` elements up to the outermost one that is not rendered; 0 if all are: those that become shadow roots
    /// (HTML §13.2.6.4.4).
    inert: usize,
    /// A `form` is open outside of templates.
    pub(crate) in_form: bool,
    /// True after all that cannot come before the start tag of a `head` (HTML §13.2.6.4.2, §13.2.6.4.3): any start tag but `html`,
    /// some end tags, and text other than white space. The start tag of another `head` is then ignored.
    pub(crate) has_head: bool,
}

impl Context {
    pub(crate) fn clear(&mut self) {
        self.foreign.clear();
        (self.templates, self.inert) = (0, 0);
        self.in_form = false;
        self.has_head = false;
    }

    /// Outside of SVG, MathML and templates, where a `base` element counts (HTML §4.2.3).
    pub(crate) fn is_in_document(&self) -> bool {
        self.foreign.namespace().is_none() && self.templates == 0
    }

    /// Reports whether what is read is in a `template` that is not rendered.
    pub(crate) fn is_inert(&self) -> bool {
        self.inert > 0
    }

    /// In HTML, not SVG or MathML: a `form` in another one, unless a `template` is open, and a second `head`.
    pub(crate) fn ignores(&self, tag: &Tag<'_>) -> bool {
        let is_second = match tag.element {
            Element::Form => self.in_form && self.templates == 0,
            Element::Head => self.has_head,
            _ => false,
        };
        is_second && self.foreign.namespace().is_none()
    }

    /// Leaves SVG and MathML at the start tag of a `font` with an attribute that only HTML has (HTML §13.2.6.5).
    pub(crate) fn leave_at_font(&mut self, tag: &Tag<'_>) {
        use Attribute::{Color, Face, Size};
        if tag.element == Element::Font && [Color, Face, Size].into_iter().any(|known| tag.seen.contains(known)) {
            self.foreign.leave();
        }
    }

    /// `tag` must not be [ignored](Context::ignores).
    pub(crate) fn open(&mut self, tag: &Tag<'_>) -> ContentModel {
        let Tag { element, is_self_closing, .. } = *tag;
        let namespace = self.foreign.namespace();
        match element {
            Element::Template if namespace.is_none() => {
                self.templates += 1;
                if self.inert == 0 && !tag.has(Attribute::ShadowMode, &["open", "closed"]) {
                    self.inert = self.templates;
                }
            }
            Element::Form if namespace.is_none() && self.templates == 0 => self.in_form = true,
            _ => {}
        }
        // Only with one of these values of its attribute `encoding` does an `annotation-xml` hold HTML (HTML §13.2.6.5).
        let html = ["text/html", "application/xhtml+xml"];
        if !is_self_closing && (element != Element::AnnotationXml || tag.has(Attribute::Encoding, &html)) {
            self.foreign.open(element);
        }
        match namespace {
            None => element.content(),
            Some(Element::Svg) if element == Element::Style && !is_self_closing => ContentModel::MarkupInStyle,
            Some(_) => ContentModel::Markup,
        }
    }

    /// Opens a `template` of XHTML: there, none becomes a shadow root.
    pub(super) fn open_inert(&mut self) {
        self.templates += 1;
        if self.inert == 0 {
            self.inert = self.templates;
        }
    }

    pub(super) fn close_template(&mut self) {
        self.templates -= 1;
        if self.templates < self.inert {
            self.inert = 0;
        }
    }

    /// No end tag changes it.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.has_head && !self.in_form && self.templates == 0 && self.foreign.is_empty()
    }

    /// `name` is in lower case.
    #[inline]
    pub(crate) fn close(&mut self, name: &[u8]) {
        self.has_head = self.has_head || matches!(name, b"head" | b"body" | b"html" | b"br");
        self.foreign.end_tag(name);
        if self.templates > 0 {
            if name == b"template" {
                self.close_template();
            }
        } else if self.in_form && name == b"form" {
            self.in_form = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opens an element, with a tag that closes itself if `name` ends with `/`.
    fn open(context: &mut Context, name: &str) -> ContentModel {
        let start = name.trim_end_matches('/');
        context.open(&Tag {
            element: Element::new(start.as_bytes()),
            is_self_closing: name.ends_with('/'),
            ..Tag::default()
        })
    }

    #[test]
    fn style_is_read_in_html_and_svg() {
        for (names, content) in [
            (&["style"][..], ContentModel::Style),
            // In HTML a tag does not close itself.
            (&["style/"], ContentModel::Style),
            (&["svg", "style"], ContentModel::MarkupInStyle),
            (&["svg", "style/"], ContentModel::Markup),
            (&["math", "style"], ContentModel::Markup),
            (&["svg", "desc", "style"], ContentModel::Style),
            (&["script"], ContentModel::Script),
            (&["svg", "script"], ContentModel::Markup),
        ] {
            let mut context = Context::default();
            let last = names.iter().map(|name| open(&mut context, name)).last();
            assert_eq!(last.unwrap(), content, "{names:?}");
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
            assert_eq!(context.is_in_document(), expected, "{names:?}");
        }
    }
}
