//! The contents of captures.

use std::io::Read;

use relref::archive::{Capture, sniff};
use relref::feeds::{is_feed, is_robots};

/// The content of a capture.
#[derive(Clone, Copy, PartialEq)]
pub enum Content {
    Html,
    /// A sitemap, RSS or Atom.
    Feed,
    Robots,
    /// The JSON of a WAT file.
    Wat,
    /// Nothing says what it is, so its start must show it.
    Unknown,
    /// Nothing with links: only the fields have some.
    None,
}

impl Content {
    /// Returns the content of a capture, as far as its head tells.
    pub fn of<R: Read>(capture: &Capture<'_, R>) -> Self {
        let media_type = capture.media_type.as_str();
        match capture.is_html() {
            _ if capture.record.kind == "metadata" => Content::Wat,
            Some(true) => Content::Html,
            None => Content::Unknown,
            Some(false) if capture.record.kind == "revisit" => Content::None,
            Some(false) if media_type.ends_with("xml") || is_gzip(media_type) => Content::Unknown,
            Some(false) if media_type == "text/plain" && is_robots(&capture.record.target_uri) => Content::Robots,
            Some(false) => Content::None,
        }
    }

    /// Recognizes a content by its first bytes and its URI.
    pub fn sniff(start: &[u8], uri: &str) -> Self {
        match () {
            // First, as a comment before the root looks like HTML.
            () if is_feed(start) => Content::Feed,
            () if sniff::is_html(start) => Content::Html,
            () if is_robots(uri) => Content::Robots,
            () => Content::None,
        }
    }
}

/// Reports whether a file is gzipped itself, as sitemaps may be.
pub fn is_gzip(media_type: &str) -> bool {
    matches!(media_type, "application/gzip" | "application/x-gzip")
}
