//! Recognizes by its head and its first bytes of which kind a capture is.

use std::io::Read;

use super::{compression, is_html, read_start};
use crate::archive::{Body, Capture};
use crate::feeds::{is_feed, is_robots_txt};

/// The kind of a capture or file, by the links that it may have. Needs feature `feeds`.
///
/// ```
/// use relref_links::archive::sniff::CaptureKind;
///
/// assert_eq!(CaptureKind::sniff(b"<rss><channel>", "http://h/news"), CaptureKind::Feed);
/// assert_eq!(CaptureKind::sniff(b"<html>", "http://h/"), CaptureKind::Html);
/// assert_eq!(CaptureKind::sniff(b"GIF89a", "http://h/i"), CaptureKind::None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureKind {
    /// An HTML page.
    Html,
    /// A sitemap, RSS or Atom.
    Feed,
    /// A `robots.txt`.
    Robots,
    /// The JSON of a WAT file.
    Wat,
    /// Not known yet: only the start of the decoded body can show it.
    Unknown,
    /// A body without links. The HTTP fields may have some.
    None,
}

impl CaptureKind {
    /// Recognizes the kind of a file by its first bytes, as [`read_start`] reads them, and its URI. Never returns `Wat` or
    /// `Unknown`.
    pub fn sniff(start: &[u8], uri: &str) -> CaptureKind {
        match () {
            // First, as a comment before the root element looks like HTML.
            () if is_feed(start) => CaptureKind::Feed,
            () if is_html(start) => CaptureKind::Html,
            () if is_robots_txt(uri) => CaptureKind::Robots,
            () => CaptureKind::None,
        }
    }

    /// Recognizes the kind of a capture by its head. Returns `Unknown` if only its body can show it.
    pub fn of<R: Read>(capture: &Capture<'_, R>) -> CaptureKind {
        let (record, media_type) = (&capture.record, capture.media_type.as_str());
        match capture.has_html_type() {
            _ if record.kind == "metadata" => CaptureKind::Wat,
            Some(true) => CaptureKind::Html,
            None => CaptureKind::Unknown,
            Some(false) if record.kind == "revisit" => CaptureKind::None,
            Some(false) if media_type.ends_with("xml") || is_any_file(media_type) => CaptureKind::Unknown,
            Some(false) if media_type == "text/plain" && is_robots_txt(&record.target_uri) => CaptureKind::Robots,
            Some(false) => CaptureKind::None,
        }
    }

    /// Recognizes the kind of a capture by the start of its body, so that a body without links need not be stored. Returns
    /// `Unknown` if only more of the body, without its codings, can show it.
    ///
    /// The bytes that are read of the body are appended to `start`. A file that is compressed itself gets its compression as one
    /// more coding.
    pub fn of_body<R: Read>(capture: &mut Capture<'_, R>, start: &mut Vec<u8>) -> CaptureKind {
        // The decoders of other codings may take much memory.
        let is_light = |coding: &String| matches!(coding.as_str(), "gzip" | "x-gzip" | "deflate" | "chunked");
        // An error is found again when the bytes are stored.
        if !capture.codings.iter().all(is_light) || read_start(capture.raw(), start).is_err() {
            return CaptureKind::Unknown;
        }
        let decoded = |bytes: &[u8], codings: &[String]| {
            let mut decoded = Vec::new();
            let body = Body::new(bytes, bytes.len() as u64, codings);
            // The start is cut short, so an error at its end says nothing about the body.
            let _ = body.and_then(|body| read_start(body, &mut decoded));
            decoded
        };
        let mut decoded_start = decoded(start, &capture.codings);
        if let Some(coding) = compression(&decoded_start) {
            capture.codings.insert(0, coding.to_owned());
            if coding != "gzip" {
                // A block of Zstandard may be longer than the start.
                return CaptureKind::Unknown;
            }
            decoded_start = decoded(&decoded_start, &capture.codings[..1]);
        } else if decoded_start.is_empty() {
            return CaptureKind::Unknown;
        }
        CaptureKind::sniff(&decoded_start, &capture.record.target_uri)
    }
}

/// Reports whether a media type is one of compressed files, or of any files. Servers also send compressed sitemaps with it.
fn is_any_file(media_type: &str) -> bool {
    const ANY: [&str; 5] = [
        "application/gzip",
        "application/x-gzip",
        "application/zstd",
        "application/octet-stream",
        "binary/octet-stream",
    ];
    ANY.contains(&media_type)
}
