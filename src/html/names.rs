//! The names that matter: elements that change how a page is read, and attributes that hold links.

use html5gum::State;

use super::link::Kind;

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
            Attribute::HttpEquiv | Attribute::Rel | Attribute::Valuetype => Shape::None,
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

/// What a `link` element is for, by its `rel` (HTML §4.6.7, and what browsers and crawlers make of it).
///
/// What is fetched for the page wins over what leads elsewhere, and that over what only names something. A type that nobody
/// knows leads elsewhere, as most registered ones do; without a type the element links nothing.
pub(super) fn link_kind(rel: &str) -> Kind {
    let mut kind = Kind::Metadata;
    for token in rel.split_ascii_whitespace() {
        let is = |names: &[&str]| names.iter().any(|name| token.eq_ignore_ascii_case(name));
        if is(&RESOURCES) {
            return Kind::Resource;
        }
        let schema = token.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("schema."));
        if !schema && !is(&METADATA) {
            kind = Kind::Hyperlink;
        }
    }
    kind
}

const RESOURCES: [&str; 15] = [
    "apple-touch-icon",
    "apple-touch-icon-precomposed",
    "apple-touch-startup-image",
    "compression-dictionary",
    "fluid-icon",
    "icon",
    "image_src",
    "import",
    "manifest",
    "mask-icon",
    "modulepreload",
    "prefetch",
    "preload",
    "prerender",
    "stylesheet",
];

const METADATA: [&str; 9] = [
    "canonical",
    "dns-prefetch",
    "expect",
    "openid.delegate",
    "openid.server",
    "pingback",
    "preconnect",
    "profile",
    "webmention",
];
