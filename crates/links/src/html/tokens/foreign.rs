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
    /// The number of start tags after that of the innermost, or more than 0 after an end tag.
    tags_inside: usize,
}

impl Foreign {
    pub(crate) fn clear(&mut self) {
        self.elements.clear();
        self.tags_inside = 0;
    }

    /// Enters `Svg` or `Math`, or HTML, whatever the elements were, as XML declares it.
    pub(super) fn set(&mut self, namespace: Option<Element>) {
        self.elements.clear();
        self.elements.extend(namespace.map(|element| element as u8));
        self.tags_inside = 0;
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
            Some(&open) if open == Element::Math as u8 || open == Element::Mglyph as u8 => Some(Element::Math),
            _ => None,
        }
    }

    // Without a tree, an element in which tags are HTML is known to be the current node only before the first of them.
    pub(crate) fn has_cdata(&self) -> bool {
        self.namespace().is_some() || (!self.elements.is_empty() && self.tags_inside == 0)
    }

    /// Must be called at each start tag.
    #[inline]
    pub(crate) fn start_tag(&mut self, name: &[u8]) {
        if !self.elements.is_empty() {
            if self.namespace().is_some() && always_is_html(name) {
                self.leave();
            }
            self.tags_inside += 1;
        }
    }

    /// Opens the element if it changes the namespace here. Must not be called for a tag that closes itself.
    pub(crate) fn open(&mut self, element: Element) {
        use Element::{AnnotationXml, Desc, ForeignObject, Math, Mglyph, Mi, Mn, Mo, Ms, Mtext, Svg, Title};
        let in_math_text =
            || self.elements.last().is_some_and(|open| [Mi, Mn, Mo, Ms, Mtext].map(|e| e as u8).contains(open));
        let opens = match self.namespace() {
            None if element == Mglyph => self.tags_inside == 1 && in_math_text(),
            None => matches!(element, Svg | Math),
            Some(Svg) => matches!(element, Svg | Math | ForeignObject | Desc | Title),
            Some(_) => matches!(element, Svg | Math | Mi | Mn | Mo | Ms | Mtext | AnnotationXml),
        };
        if opens && self.elements.len() < MAX_DEPTH {
            self.elements.push(element as u8);
            self.tags_inside = 0;
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
            self.tags_inside = 1;
        }
    }

    /// Closes elements until the content is HTML.
    pub(crate) fn leave(&mut self) {
        while self.namespace().is_some() {
            self.elements.pop();
            self.tags_inside = 1;
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
                    foreign.start_tag(tag.as_bytes());
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
            ("math mi mglyph", Some(Element::Math)),
            ("math mi malignmark mi", None),
            ("math mi mglyph p", None),
            ("math mi b mglyph", None),
            ("svg desc mglyph", None),
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
    fn cdata_is_text_right_in_foreign_elements() {
        for (tags, expected) in [
            ("", false),
            ("svg", true),
            ("svg g", true),
            ("svg desc", true),
            ("svg desc b", false),
            ("svg desc b /desc", true),
            ("math mi", true),
            ("math mi /mi /math", false),
            ("svg p", false),
        ] {
            let mut foreign = Foreign::default();
            read(&mut foreign, tags);
            assert_eq!(foreign.has_cdata(), expected, "{tags}");
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
