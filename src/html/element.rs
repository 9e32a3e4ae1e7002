//! The elements that are treated specially.

use html5gum::State;

/// An element that is treated specially.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Element {
    A,
    AnnotationXml,
    Applet,
    Base,
    Desc,
    ForeignObject,
    Iframe,
    Link,
    Math,
    /// `mi`, `mo`, `mn`, `ms` and `mtext`.
    MathText,
    Meta,
    /// `noembed`, `noframes` and `xmp`.
    NoMarkup,
    Object,
    Param,
    Plaintext,
    Script,
    Style,
    Svg,
    Template,
    Textarea,
    Title,
    /// Any other element.
    #[default]
    Other,
}

impl Element {
    /// Returns the element of a name in lower case.
    pub(super) fn new(name: &[u8]) -> Self {
        match name {
            b"a" => Element::A,
            b"annotation-xml" => Element::AnnotationXml,
            b"applet" => Element::Applet,
            b"base" => Element::Base,
            b"desc" => Element::Desc,
            b"foreignobject" => Element::ForeignObject,
            b"iframe" => Element::Iframe,
            b"link" => Element::Link,
            b"math" => Element::Math,
            b"mi" | b"mo" | b"mn" | b"ms" | b"mtext" => Element::MathText,
            b"meta" => Element::Meta,
            b"noembed" | b"noframes" | b"xmp" => Element::NoMarkup,
            b"object" => Element::Object,
            b"param" => Element::Param,
            b"plaintext" => Element::Plaintext,
            b"script" => Element::Script,
            b"style" => Element::Style,
            b"svg" => Element::Svg,
            b"template" => Element::Template,
            b"textarea" => Element::Textarea,
            b"title" => Element::Title,
            _ => Element::Other,
        }
    }

    /// Returns how the content of an HTML element is read, if not as markup (HTML §13.2.6.4). That of `noscript` is markup,
    /// as for any reader that runs no scripts.
    pub(super) fn content(self) -> Option<State> {
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
            assert_eq!(Element::new(name.as_bytes()).content(), content, "{name}");
        }
    }
}
