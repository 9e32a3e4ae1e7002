//! The elements by whose names the scanner decides: those of raw text, of plain text, of tables, of SVG and MathML.

use super::short_name::{ShortName, ShortNames};

/// How the content of an element is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentModel {
    Markup,
    /// Markup in a `style` of SVG: up to the next tag, its texts are CSS.
    MarkupInStyle,
    /// CSS up to the end tag.
    Style,
    /// Text up to the end tag, of `title` and others.
    RawText,
    Script,
    /// Text up to the end of the page.
    PlainText,
}

macro_rules! elements {
    ($($element:ident $($name:literal)|+;)*) => {
        /// Some values are for several elements, which are treated alike.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Element {
            $($element,)*
            #[default]
            Other,
        }

        impl Element {
            /// `name` must be in lower case.
            pub(crate) fn new(name: &[u8]) -> Self {
                match name {
                    $($($name)|+ => Element::$element,)*
                    _ => Element::Other,
                }
            }
        }

        const NAMES: &[(&[u8], Element)] = &[$($(($name, Element::$element),)+)*];
    };
}

elements! {
    // With links of their own.
    A b"a"; Applet b"applet"; Base b"base"; Link b"link"; Meta b"meta"; Object b"object"; Param b"param";
    // With start tags that are ignored in some places, or read as another.
    Form b"form"; Head b"head"; Image b"image";
    // With content that is not markup.
    Iframe b"iframe"; NoMarkup b"noembed" | b"noframes" | b"xmp"; Plaintext b"plaintext"; Script b"script"; Style b"style";
    Textarea b"textarea"; Title b"title";
    // SVG and MathML, the elements in them that hold HTML, and `font`, which ends them if it has certain attributes.
    AnnotationXml b"annotation-xml"; Desc b"desc"; Font b"font"; ForeignObject b"foreignobject"; Math b"math";
    Mi b"mi"; Mn b"mn"; Mo b"mo"; Ms b"ms"; Mtext b"mtext"; Svg b"svg";
    // In `mi` and the like, these alone stay in MathML.
    Mglyph b"mglyph" | b"malignmark";
    // The processing instruction of XML that names a style sheet. No element has such a name.
    XmlStylesheet b"?xml-stylesheet";
    // With content in which no `base` counts.
    Template b"template";
}

static SHORT_NAMES: ShortNames<Element, 128> = ShortNames::new(NAMES);

impl Element {
    #[inline(always)]
    pub(super) fn of_short_name(name: ShortName) -> Self {
        SHORT_NAMES.get(name).unwrap_or(Element::Other)
    }

    /// Reports whether its tag may change how those after it are read.
    pub(super) fn changes_context(self) -> bool {
        use Element::{A, Applet, Base, Image, Link, Meta, Object, Other, Param, XmlStylesheet};
        !matches!(self, A | Applet | Base | Image | Link | Meta | Object | Param | XmlStylesheet | Other)
    }

    /// Where the element is HTML. That of `noscript` is markup, as without scripts (HTML §13.2.6.4).
    pub(crate) fn content(self) -> ContentModel {
        match self {
            Element::Script => ContentModel::Script,
            Element::Style => ContentModel::Style,
            Element::Title | Element::Textarea | Element::Iframe | Element::NoMarkup => ContentModel::RawText,
            Element::Plaintext => ContentModel::PlainText,
            _ => ContentModel::Markup,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_are_the_same_elements() {
        let others = [(&b"p"[..], Element::Other), (b"table", Element::Other)];
        for &(name, element) in NAMES.iter().chain(&others) {
            assert_eq!(Element::new(name), element);
            assert!(ShortName::new(name).is_none_or(|short| Element::of_short_name(short) == element), "{element:?}");
        }
    }

    #[test]
    fn content_that_is_not_markup() {
        for (name, content) in [
            ("script", ContentModel::Script),
            ("title", ContentModel::RawText),
            ("xmp", ContentModel::RawText),
            ("style", ContentModel::Style),
            ("plaintext", ContentModel::PlainText),
            ("noscript", ContentModel::Markup),
            ("template", ContentModel::Markup),
            ("SCRIPT", ContentModel::Markup),
        ] {
            assert_eq!(Element::new(name.as_bytes()).content(), content, "{name}");
        }
    }
}
