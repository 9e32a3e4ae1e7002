//! The elements and attributes of feeds that hold links.

use super::recognize::local_name;
use crate::html::{Kind, link_kind};

pub(super) fn text_kind(name: &str) -> Option<Kind> {
    let local = local_name(name);
    Some(match local {
        "loc" if name.len() > local.len() && !name.starts_with("sm:") => Kind::Resource,
        "loc" | "link" | "guid" | "comments" | "commentRss" | "origLink" | "uri" => Kind::Hyperlink,
        "content_loc" | "player_loc" | "thumbnail_loc" | "url" | "icon" | "logo" => Kind::Resource,
        "docs" => Kind::Metadata,
        _ => return None,
    })
}

/// The names have no namespace prefixes; `rel` is empty if the element has none.
pub(super) fn attribute_kind(element: &str, attribute: &str, rel: &str) -> Option<Kind> {
    Some(match (element, attribute) {
        // RFC 4287 §4.2.7.2: "alternate" without `rel`.
        ("link", "href") if rel.is_empty() => Kind::Hyperlink,
        ("link", "href") => link_kind(rel),
        ("enclosure" | "content" | "thumbnail" | "player", "url") | ("content", "src") | ("image", "href") => {
            Kind::Resource
        }
        ("source", "url") | ("li", "resource") => Kind::Hyperlink,
        ("generator", "uri") => Kind::Metadata,
        _ => return None,
    })
}
