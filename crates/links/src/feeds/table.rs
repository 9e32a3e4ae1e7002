//! The elements and attributes of feeds that hold links.

use super::feed_state::Text;
use super::recognize::local_name;
use crate::html::{Kind, link_kind};

/// `None` for an element whose text has no links. `attribute` returns the value of one of the element.
pub(super) fn text_of(name: &str, attribute: impl Fn(&str) -> Option<String>) -> Option<Text> {
    let local = local_name(name);
    let kind = match local {
        // A number.
        "comments" if name == "slash:comments" => return None,
        "license" if name == "podcast:license" => return None,
        "loc" if name.len() > local.len() && !name.starts_with("sm:") => Kind::Resource,
        "loc" | "link" | "guid" | "comments" | "commentRss" | "origLink" | "uri" | "license" | "new-feed-url"
        | "gallery_loc" | "backLink" => Kind::Hyperlink,
        // Their names mean something else elsewhere.
        "comment" | "ping" if matches!(name, "wfw:comment" | "trackback:ping") => Kind::Hyperlink,
        "image" if name == "itunes:image" => Kind::Resource,
        "content_loc" | "player_loc" | "thumbnail_loc" | "url" | "icon" | "logo" | "origEnclosureLink" => {
            Kind::Resource
        }
        "docs" => Kind::Metadata,
        "encoded" => return Some(Text::Html),
        "description" | "content" | "summary" | "title" | "subtitle" | "rights" => {
            let media_type = attribute("type").map(|value| value.trim().to_ascii_lowercase());
            return match (media_type.as_deref(), local) {
                (None, "description") | (Some("html" | "text/html"), _) => Some(Text::Html),
                (Some("xhtml" | "application/xhtml+xml"), _) => Some(Text::Xhtml),
                _ => None,
            };
        }
        _ => return None,
    };
    Some(Text::Reference(kind))
}

/// An element that ends the XHTML before it, whose end tag is missing then.
pub(super) fn is_entry(name: &str) -> bool {
    matches!(local_name(name), "entry" | "item" | "feed" | "channel")
}

/// The processing instruction that names a style sheet (Associating Style Sheets with XML documents), which is read as a tag.
pub(super) const STYLE_SHEET: &str = "xml-stylesheet";

/// The names have no namespace prefixes; `rel` is empty if the element has none.
pub(super) fn attribute_kind(element: &str, attribute: &str, rel: &str) -> Option<Kind> {
    Some(match (element, attribute) {
        // RFC 4287 §4.2.7.2: "alternate" without `rel`.
        ("link" | "ln", "href") if rel.is_empty() => Kind::Hyperlink,
        ("link" | "ln", "href") => link_kind(rel),
        ("enclosure" | "content" | "thumbnail" | "player" | "embed", "url")
        | ("content", "src")
        | ("images", "srcset")
        | ("image" | STYLE_SHEET, "href") => Kind::Resource,
        ("transcript" | "chapters" | "trailer", "url") | ("source", "uri") | ("subTitle", "href") => Kind::Resource,
        // The manifest of an EPUB, its guide (Open Packaging Format 2.0.1 §2.6), and its overlays (EPUB 3.3 §5.6, §9).
        ("item", "href") | ("text" | "audio", "src") => Kind::Resource,
        ("reference", "href") | ("seq" | "body", "textref") => Kind::Hyperlink,
        ("chapter" | "person", "image" | "img") | ("icon" | "logo" | "cover", "href" | "image") => Kind::Resource,
        ("source" | "funding", "url") | ("socialInteract", "uri" | "accountUrl") | ("remoteItem", "feedUrl") => {
            Kind::Hyperlink
        }
        ("chapter" | "person" | "contentLink" | "peerLink", "href") | ("li" | "ping", "resource") => Kind::Hyperlink,
        // RFC 4685 §3.
        ("in-reply-to", "href" | "source") => Kind::Hyperlink,
        ("license", "url" | "href" | "resource") => Kind::Hyperlink,
        ("uploader", "info") => Kind::Hyperlink,
        ("generator", "uri") => Kind::Metadata,
        _ => return None,
    })
}
