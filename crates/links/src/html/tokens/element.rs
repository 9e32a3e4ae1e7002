//! The elements that are not treated like all others.

use html5gum::State;

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
    // With content in which no `base` counts.
    Template b"template";
}

impl Element {
    /// Where the element is HTML; `None` if its content is markup, as of `noscript` without scripts (HTML §13.2.6.4).
    pub(crate) fn content_state(self) -> Option<State> {
        match self {
            Element::Script => Some(State::ScriptData),
            Element::Title | Element::Textarea => Some(State::RcData),
            Element::Style | Element::Iframe | Element::NoMarkup => Some(State::RawText),
            Element::Plaintext => Some(State::PlainText),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_that_is_not_markup() {
        for (name, content) in [
            ("script", Some(State::ScriptData)),
            ("title", Some(State::RcData)),
            ("xmp", Some(State::RawText)),
            ("style", Some(State::RawText)),
            ("plaintext", Some(State::PlainText)),
            ("noscript", None),
            ("template", None),
            ("SCRIPT", None),
        ] {
            assert_eq!(Element::new(name.as_bytes()).content_state(), content, "{name}");
        }
    }
}
