//! Foreign content: the open SVG and MathML, and the elements in it that hold HTML again (HTML §13.2.6.5).
//! In foreign content, `script`, `style` and `title` hold markup.

use memchr::memrchr;

use super::element::Element;

/// Deeper elements are ignored. Browsers have a limit of this size, too.
const MAX_DEPTH: usize = 512;

/// The open `svg` and `math`, and the elements inside of them that hold HTML again, such as `desc`.
#[derive(Default)]
pub(crate) struct Foreign {
    /// Each is `Element as u8`, the innermost last.
    elements: Vec<u8>,
}

impl Foreign {
    pub(crate) fn clear(&mut self) {
        self.elements.clear();
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// `Svg` in SVG, `Math` in MathML, `None` in HTML.
    #[inline]
    pub(crate) fn namespace(&self) -> Option<Element> {
        match self.elements.last() {
            Some(&open) if open == Element::Svg as u8 => Some(Element::Svg),
            Some(&open) if open == Element::Math as u8 => Some(Element::Math),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn leave_at_html(&mut self, name: &[u8]) {
        if self.namespace().is_some() && always_is_html(name) {
            self.leave();
        }
    }

    /// Opens the element if it changes the namespace here. Must not be called for a tag that closes itself.
    pub(crate) fn open(&mut self, element: Element) {
        use Element::{AnnotationXml, Desc, ForeignObject, Math, Mi, Mn, Mo, Ms, Mtext, Svg, Title};
        let opens = match self.namespace() {
            None => matches!(element, Svg | Math),
            Some(Svg) => matches!(element, Svg | Math | ForeignObject | Desc | Title),
            Some(_) => matches!(element, Svg | Math | Mi | Mn | Mo | Ms | Mtext | AnnotationXml),
        };
        if opens && self.elements.len() < MAX_DEPTH {
            self.elements.push(element as u8);
        }
    }

    /// Closes the innermost element of this lower-case name, and all inside; at `br` and `p`, elements [until HTML](Self::leave).
    #[inline]
    pub(crate) fn end_tag(&mut self, name: &[u8]) {
        if !self.elements.is_empty() {
            self.end_tag_inside(name);
        }
    }

    fn end_tag_inside(&mut self, name: &[u8]) {
        if matches!(name, b"br" | b"p") {
            self.leave();
        }
        if let Some(at) = memrchr(Element::new(name) as u8, &self.elements) {
            self.elements.truncate(at);
        }
    }

    /// Closes elements until the content is HTML.
    pub(crate) fn leave(&mut self) {
        while self.namespace().is_some() {
            self.elements.pop();
        }
    }
}

/// Start tags that end foreign content (HTML §13.2.6.5). `name` is in lower case.
#[rustfmt::skip]
fn always_is_html(name: &[u8]) -> bool {
    matches!(
        name,
        b"b" | b"big" | b"blockquote" | b"body" | b"br" | b"center" | b"code" | b"dd" | b"div" | b"dl" | b"dt" | b"em"
            | b"embed" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"head" | b"hr" | b"i" | b"img" | b"li"
            | b"listing" | b"menu" | b"meta" | b"nobr" | b"ol" | b"p" | b"pre" | b"ruby" | b"s" | b"small" | b"span"
            | b"strong" | b"strike" | b"sub" | b"sup" | b"table" | b"tt" | b"u" | b"ul" | b"var"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads tags, `/name` for an end tag. Returns the namespace after them.
    fn namespace_after(tags: &str) -> Option<Element> {
        let mut foreign = Foreign::default();
        read(&mut foreign, tags);
        foreign.namespace()
    }

    fn read(foreign: &mut Foreign, tags: &str) {
        for tag in tags.split_ascii_whitespace() {
            match tag.strip_prefix('/') {
                Some(name) => foreign.end_tag(name.as_bytes()),
                None => {
                    foreign.leave_at_html(tag.as_bytes());
                    foreign.open(Element::new(tag.as_bytes()));
                }
            }
        }
    }

    #[test]
    fn svg_and_math_hold_foreign_content() {
        for (tags, namespace) in [
            ("", None),
            ("svg", Some(Element::Svg)),
            ("svg g a", Some(Element::Svg)),
            ("svg math", Some(Element::Math)),
            ("svg /svg", None),
            ("svg svg /svg", Some(Element::Svg)),
            ("/svg math", Some(Element::Math)),
        ] {
            assert_eq!(namespace_after(tags), namespace, "{tags}");
        }
    }

    #[test]
    fn some_of_their_elements_hold_html() {
        for (tags, namespace) in [
            ("svg foreignobject", None),
            ("svg desc", None),
            ("svg title svg", Some(Element::Svg)),
            ("svg mi", Some(Element::Svg)),
            ("math mi", None),
            // Of the elements with text, an end tag closes only the one with its name.
            ("math mi /mi", Some(Element::Math)),
            ("math mi /mo", None),
            ("math mtext mo /mo", None),
            ("math annotation-xml", None),
            ("math desc", Some(Element::Math)),
            ("svg desc /desc", Some(Element::Svg)),
            ("svg desc /svg", None),
            // In HTML these are ordinary elements.
            ("desc mi svg", Some(Element::Svg)),
        ] {
            assert_eq!(namespace_after(tags), namespace, "{tags}");
        }
    }

    #[test]
    fn tags_that_are_always_html_end_it() {
        for (tags, namespace) in [
            ("svg div", None),
            ("svg math svg p", None),
            ("svg desc svg p /desc", Some(Element::Svg)),
            ("svg a", Some(Element::Svg)),
            ("svg font", Some(Element::Svg)),
            ("svg /p", None),
            ("svg /br", None),
            ("svg /div", Some(Element::Svg)),
        ] {
            assert_eq!(namespace_after(tags), namespace, "{tags}");
        }
    }

    #[test]
    fn elements_too_deep_are_not_opened() {
        let mut foreign = Foreign::default();
        read(&mut foreign, &"svg ".repeat(2 * MAX_DEPTH));
        assert_eq!(foreign.elements.len(), MAX_DEPTH);
        read(&mut foreign, &"/svg ".repeat(MAX_DEPTH));
        assert_eq!(foreign.namespace(), None);
    }
}
