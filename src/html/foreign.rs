//! Foreign content: the SVG and MathML that is open, in which `script`, `style` and `title` hold markup, and the places in
//! it where HTML goes on (HTML §13.2.6.5).

use memchr::memrchr;

use super::element::Element;

/// How deep foreign content may be nested; what opens below is not seen to open. Browsers have a limit of this size too.
const DEEPEST: usize = 512;

#[derive(Default)]
pub(super) struct Foreign {
    /// What is open, as elements' numbers.
    open: Vec<u8>,
}

impl Foreign {
    pub(super) fn clear(&mut self) {
        self.open.clear();
    }

    /// The root of the foreign content that is being read, `svg` or `math`, if it is not HTML.
    pub(super) fn root(&self) -> Option<Element> {
        match self.open.last() {
            Some(&open) if open == Element::Svg as u8 => Some(Element::Svg),
            Some(&open) if open == Element::Math as u8 => Some(Element::Math),
            _ => None,
        }
    }

    /// A start tag: ends foreign content if it can only be HTML.
    pub(super) fn start(&mut self, name: &[u8]) {
        if self.root().is_some() && is_html(name) {
            self.leave();
        }
    }

    /// A start tag that did not close itself.
    pub(super) fn open(&mut self, element: Element) {
        let opens = match self.root() {
            Some(Element::Svg) => {
                matches!(
                    element,
                    Element::Svg | Element::Math | Element::ForeignObject | Element::Desc | Element::Title
                )
            }
            Some(_) => {
                matches!(element, Element::Svg | Element::Math | Element::MathText | Element::AnnotationXml)
            }
            None => matches!(element, Element::Svg | Element::Math),
        };
        if opens && self.open.len() < DEEPEST {
            self.open.push(element as u8);
        }
    }

    /// An end tag.
    pub(super) fn end(&mut self, name: &[u8]) {
        if self.open.is_empty() {
            return;
        }
        if matches!(name, b"br" | b"p") && self.root().is_some() {
            self.leave();
        }
        if let Some(at) = memrchr(Element::new(name) as u8, &self.open) {
            self.open.truncate(at);
        }
    }

    fn leave(&mut self) {
        while self.root().is_some() {
            self.open.pop();
        }
    }
}

/// Start tags that end foreign content.
fn is_html(name: &[u8]) -> bool {
    matches!(
        name,
        b"b" | b"big"
            | b"blockquote"
            | b"body"
            | b"br"
            | b"center"
            | b"code"
            | b"dd"
            | b"div"
            | b"dl"
            | b"dt"
            | b"em"
            | b"embed"
            | b"h1"
            | b"h2"
            | b"h3"
            | b"h4"
            | b"h5"
            | b"h6"
            | b"head"
            | b"hr"
            | b"i"
            | b"img"
            | b"li"
            | b"listing"
            | b"menu"
            | b"meta"
            | b"nobr"
            | b"ol"
            | b"p"
            | b"pre"
            | b"ruby"
            | b"s"
            | b"small"
            | b"span"
            | b"strong"
            | b"strike"
            | b"sub"
            | b"sup"
            | b"table"
            | b"tt"
            | b"u"
            | b"ul"
            | b"var"
    )
}
