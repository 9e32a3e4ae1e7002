//! Foreign content: the open SVG and MathML, and the elements in it that hold HTML again (HTML §13.2.6.5).
//! In foreign content, `script`, `style` and `title` hold markup.

use memchr::memrchr;

use super::element::Element;

/// The greatest number of open elements in [`Foreign`]. Deeper elements are ignored. Browsers have a limit of this size, too.
const MAX_DEPTH: usize = 512;

/// The open elements that start foreign content, `svg` and `math`, and those inside of them that hold HTML again, such as `desc`.
#[derive(Default)]
pub(super) struct Foreign {
    /// The open elements that [`Foreign`] is for, each as `Element as u8`, the innermost last. Other elements are not here.
    elements: Vec<u8>,
}

impl Foreign {
    /// Closes all elements.
    pub(super) fn clear(&mut self) {
        self.elements.clear();
    }

    /// Returns the namespace of the content being read: `Svg` in SVG, `Math` in MathML, `None` in HTML.
    #[inline]
    pub(super) fn namespace(&self) -> Option<Element> {
        match self.elements.last() {
            Some(&open) if open == Element::Svg as u8 => Some(Element::Svg),
            Some(&open) if open == Element::Math as u8 => Some(Element::Math),
            _ => None,
        }
    }

    /// Leaves foreign content at a start tag that is always HTML, such as `p`. `name` is its name in lower case. Does nothing at
    /// other tags.
    pub(super) fn leave_at_html(&mut self, name: &[u8]) {
        if self.namespace().is_some() && always_is_html(name) {
            self.leave();
        }
    }

    /// Opens the element of a start tag if it changes the namespace here: `svg` or `math` or, inside of one of these, an element
    /// that holds HTML again. Does nothing for other elements, or if [`MAX_DEPTH`] elements are open. Must not be called for a tag
    /// that closes itself.
    pub(super) fn open(&mut self, element: Element) {
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

    /// Closes the innermost open element with the name of an end tag, if there is one, and all elements inside of it. `name` must
    /// be in lower case. `br` and `p` are no such elements: their end tags close elements [until the content is HTML](Self::leave).
    pub(super) fn end_tag(&mut self, name: &[u8]) {
        if self.elements.is_empty() {
            return;
        }
        if matches!(name, b"br" | b"p") {
            self.leave();
        }
        if let Some(at) = memrchr(Element::new(name) as u8, &self.elements) {
            self.elements.truncate(at);
        }
    }

    /// Closes elements until the content is HTML.
    pub(super) fn leave(&mut self) {
        while self.namespace().is_some() {
            self.elements.pop();
        }
    }
}

/// Reports whether a start tag in foreign content ends it, because it is always HTML (HTML §13.2.6.5). `name` is its name in
/// lower case.
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
