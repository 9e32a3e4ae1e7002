//! The elements that are read in their own way.

use html5gum::State;

/// An element that is read in its own way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    #[default]
    Other,
}

impl Element {
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

    /// How the content of an HTML element is read, if not as markup (HTML §13.2.6.4); `noscript` is markup to whoever runs
    /// no scripts.
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
