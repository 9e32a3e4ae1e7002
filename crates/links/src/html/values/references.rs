//! The references in the value of an attribute, and their kinds.

use super::rel::link_kind;
use super::{refresh, srcset};
use crate::html::kind::Kind;
use crate::html::tokens::attribute::{Attribute, LinkAttribute, Syntax};
use crate::html::tokens::element::Element;

/// The length, in bytes, to which longer names of elements and attributes are shortened.
pub(crate) const MAX_NAME_LEN: usize = 64;
/// The length, in bytes, of the longest `rel` that is kept whole. A longer one is shortened to whole tokens.
pub(crate) const MAX_REL_LEN: usize = 1 << 10;
/// The length, in bytes, to which a longer `hreflang` is shortened.
pub(crate) const MAX_HREFLANG_LEN: usize = 64;
/// The length, in bytes, to which a longer `media` is shortened.
pub(crate) const MAX_MEDIA_LEN: usize = 1 << 10;
/// The length, in bytes, to which a longer `anchor` is shortened.
pub(crate) const MAX_ANCHOR_LEN: usize = 1 << 10;

/// Reports each reference in a value, in order. For [`Syntax::Css`], `value` must be a single URL, found in the CSS.
pub(crate) fn references(syntax: Syntax, element: Element, value: &str, report: &mut impl FnMut(&str)) {
    match syntax {
        Syntax::Reference | Syntax::Css | Syntax::SvgCss | Syntax::Background => report(value),
        Syntax::Archive if element == Element::Applet => value.split(',').for_each(report),
        Syntax::Archive | Syntax::References => value.split_ascii_whitespace().for_each(report),
        Syntax::Srcset => srcset::candidates(value, report),
        Syntax::File if value.contains(['.', '/']) => report(value),
        Syntax::File => {}
        // Its links are those of a page.
        Syntax::Html => {}
        Syntax::Refresh => refresh::reference(value).into_iter().for_each(report),
    }
}

/// The kind of the URL in the `content` of a `meta` with this `property` or `name`, of the Open Graph protocol or of a card of X.
/// `None` for a property that is no URL.
pub(crate) fn card_kind(property: &str) -> Option<Kind> {
    let (_, name) = property.split_once(':').filter(|(prefix, _)| ["og", "twitter"].contains(prefix))?;
    match name {
        "url" => Some(Kind::Metadata),
        "see_also" => Some(Kind::Hyperlink),
        "image" | "image:url" | "image:secure_url" | "image:src" => Some(Kind::Resource),
        "audio" | "audio:url" | "audio:secure_url" | "video" | "video:url" | "video:secure_url" => Some(Kind::Resource),
        "player" | "player:stream" => Some(Kind::Resource),
        _ => None,
    }
}

/// The kind of the URL that is the value of a property of schema.org, in lower case; `None` for a property that is no URL.
pub(crate) fn item_kind(property: &str) -> Option<Kind> {
    match property {
        "image" | "thumbnailurl" | "contenturl" | "embedurl" | "logo" => Some(Kind::Resource),
        "url" | "sameas" => Some(Kind::Hyperlink),
        _ => None,
    }
}

/// The empty reference means the base of the page; on a `form`, the page itself.
pub(crate) fn may_be_empty(row: &LinkAttribute, kind: Kind, element: Element) -> bool {
    match kind {
        Kind::Form | Kind::Citation | Kind::Refresh => true,
        // That is `href` and `xlink:href`.
        Kind::Hyperlink => row.kind.is_none() && element != Element::Link,
        Kind::Resource | Kind::Metadata => false,
    }
}

/// `None` on a `base`, whose `href` is not a link. `namespace` is `Svg`, `Math`, or `None` in HTML.
pub(crate) fn href_kind(attribute: Attribute, element: Element, namespace: Option<Element>, rel: &str) -> Option<Kind> {
    match element {
        Element::Base => None,
        Element::XmlStylesheet => Some(Kind::Resource),
        Element::Link if attribute == Attribute::Href => Some(link_kind(rel)),
        Element::A => Some(Kind::Hyperlink),
        // SVG draws what it refers to, except the target of `a`.
        _ if namespace == Some(Element::Svg) => Some(Kind::Resource),
        _ => Some(Kind::Hyperlink),
    }
}

/// In CSS (CSS Values 4 §4.5.1) and in SVG, a fragment is one of the page itself, whatever the base is.
pub(crate) fn is_fragment(reference: &str) -> bool {
    reference.trim_start_matches(|c| c <= ' ').starts_with('#')
}

/// Reports whether a URL of CSS has the local url flag (CSS Values 4 §4.5.1.1): spaces in quotes are a part of it.
pub(crate) fn is_local_url(url: &str) -> bool {
    url.starts_with('#')
}
