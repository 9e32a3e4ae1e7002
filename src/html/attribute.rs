//! The attributes that hold links: what their values look like, and what their links are for.

use super::element::Element;
use super::link::Kind;

/// An attribute that holds a link or says something about one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Attribute {
    Action,
    Archive,
    Background,
    Cite,
    Classid,
    Codebase,
    Content,
    Data,
    DataHref,
    DataOriginal,
    DataSrc,
    DataSrcset,
    Dynsrc,
    Encoding,
    Formaction,
    Href,
    HttpEquiv,
    Icon,
    Imagesrcset,
    Itemid,
    Itemtype,
    Longdesc,
    Lowsrc,
    Manifest,
    Ping,
    Poster,
    Profile,
    Rel,
    Src,
    Srcset,
    Style,
    Usemap,
    Value,
    Valuetype,
    XlinkHref,
}

/// How an attribute's value is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// It is a reference.
    Reference,
    /// It has references with white space between them.
    Spaces,
    /// It is an `archive`: with commas on `applet`, with white space elsewhere.
    Archive,
    /// It has image candidates.
    Srcset,
    /// It is CSS.
    Css,
    /// It is a time and a reference.
    Refresh,
    /// It holds no link itself.
    None,
}

impl Attribute {
    /// The attribute of a name on an element, if it matters there.
    pub(super) fn new(name: &[u8], element: Element) -> Option<Self> {
        let attribute = match name {
            b"action" => Attribute::Action,
            b"archive" => Attribute::Archive,
            b"background" => Attribute::Background,
            b"cite" => Attribute::Cite,
            b"classid" => Attribute::Classid,
            b"codebase" => Attribute::Codebase,
            b"content" if element == Element::Meta => Attribute::Content,
            b"data" if element == Element::Object => Attribute::Data,
            b"data-href" => Attribute::DataHref,
            b"data-original" => Attribute::DataOriginal,
            b"data-src" => Attribute::DataSrc,
            b"data-srcset" => Attribute::DataSrcset,
            b"dynsrc" => Attribute::Dynsrc,
            b"encoding" if element == Element::AnnotationXml => Attribute::Encoding,
            b"formaction" => Attribute::Formaction,
            b"href" => Attribute::Href,
            b"http-equiv" if element == Element::Meta => Attribute::HttpEquiv,
            b"icon" => Attribute::Icon,
            b"imagesrcset" => Attribute::Imagesrcset,
            b"itemid" => Attribute::Itemid,
            b"itemtype" => Attribute::Itemtype,
            b"longdesc" => Attribute::Longdesc,
            b"lowsrc" => Attribute::Lowsrc,
            b"manifest" => Attribute::Manifest,
            b"ping" => Attribute::Ping,
            b"poster" => Attribute::Poster,
            b"profile" => Attribute::Profile,
            b"rel" => Attribute::Rel,
            b"src" => Attribute::Src,
            b"srcset" => Attribute::Srcset,
            b"style" => Attribute::Style,
            b"usemap" => Attribute::Usemap,
            b"value" if element == Element::Param => Attribute::Value,
            b"valuetype" if element == Element::Param => Attribute::Valuetype,
            b"xlink:href" => Attribute::XlinkHref,
            _ => return None,
        };
        Some(attribute)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Attribute::Action => "action",
            Attribute::Archive => "archive",
            Attribute::Background => "background",
            Attribute::Cite => "cite",
            Attribute::Classid => "classid",
            Attribute::Codebase => "codebase",
            Attribute::Content => "content",
            Attribute::Data => "data",
            Attribute::DataHref => "data-href",
            Attribute::DataOriginal => "data-original",
            Attribute::DataSrc => "data-src",
            Attribute::DataSrcset => "data-srcset",
            Attribute::Dynsrc => "dynsrc",
            Attribute::Encoding => "encoding",
            Attribute::Formaction => "formaction",
            Attribute::Href => "href",
            Attribute::HttpEquiv => "http-equiv",
            Attribute::Icon => "icon",
            Attribute::Imagesrcset => "imagesrcset",
            Attribute::Itemid => "itemid",
            Attribute::Itemtype => "itemtype",
            Attribute::Longdesc => "longdesc",
            Attribute::Lowsrc => "lowsrc",
            Attribute::Manifest => "manifest",
            Attribute::Ping => "ping",
            Attribute::Poster => "poster",
            Attribute::Profile => "profile",
            Attribute::Rel => "rel",
            Attribute::Src => "src",
            Attribute::Srcset => "srcset",
            Attribute::Style => "style",
            Attribute::Usemap => "usemap",
            Attribute::Value => "value",
            Attribute::Valuetype => "valuetype",
            Attribute::XlinkHref => "xlink:href",
        }
    }

    pub(super) fn shape(self) -> Shape {
        match self {
            Attribute::Encoding | Attribute::HttpEquiv | Attribute::Rel | Attribute::Valuetype => Shape::None,
            Attribute::Archive => Shape::Archive,
            Attribute::Content => Shape::Refresh,
            Attribute::Itemtype | Attribute::Ping | Attribute::Profile => Shape::Spaces,
            Attribute::Srcset | Attribute::Imagesrcset | Attribute::DataSrcset => Shape::Srcset,
            Attribute::Style => Shape::Css,
            _ => Shape::Reference,
        }
    }

    /// What its links are for, where that does not hang on the element.
    pub(super) fn kind(self) -> Kind {
        match self {
            Attribute::Href | Attribute::XlinkHref | Attribute::DataHref | Attribute::Longdesc => Kind::Hyperlink,
            Attribute::Action | Attribute::Formaction => Kind::Form,
            Attribute::Cite => Kind::Citation,
            Attribute::Content => Kind::Refresh,
            Attribute::Codebase
            | Attribute::Itemid
            | Attribute::Itemtype
            | Attribute::Ping
            | Attribute::Profile
            | Attribute::Usemap => Kind::Metadata,
            _ => Kind::Resource,
        }
    }
}
