//! The captures among the records of an archive: what a server sent, or a file.

use std::io::{self, Cursor, Read};

use super::body::Body;
use super::damage::{ContentRead, Damage, Reason};
use super::fields::Fields;
use super::mime::{self, MediaType};
use super::record::{Record, SkippedRecords};
use super::records::Records;
use super::response::{HTTP_START_LEN, HttpHead, read_http_head, starts_http};

impl<R: Read> Records<R> {
    /// Returns the next capture, after [finishing](Self::finish) the record before; `None` at the end of the archive.
    ///
    /// Captures are the HTTP responses of `response` records, the files of `resource` records, the HTTP heads of `revisit`
    /// records, and the JSON or the fields of `metadata` records, as WAT files and Heritrix have them. Others are skipped and
    /// [counted](Self::skipped).
    ///
    /// # Errors
    /// Damage of a record that was passed over, or of the capture before: then it has the offset of that one. Go on calling: the
    /// captures after it follow.
    ///
    /// ```
    /// use relref_links::archive::Records;
    ///
    /// let archive = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nContent-Length: 38\r\n\r\n\
    ///     HTTP/1.1 301 Moved\r\nLocation: /new\r\n\r\n\r\n\r\n";
    /// let mut records = Records::new(archive.as_bytes())?;
    /// let capture = records.next_capture().unwrap()?;
    /// assert_eq!((capture.status, capture.fields.get("location")), (Some(301), Some(&b"/new"[..])));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn next_capture(&mut self) -> Option<Result<Capture<'_, R>, Damage>> {
        let (record, head, start) = loop {
            let record = match self.next_record()? {
                Ok(record) => record,
                Err(damage) => return Some(Err(damage)),
            };
            match self.read_capture(&record) {
                Ok(Some((head, start))) => break (record, head, start),
                Ok(None) => {}
                Err(error) => return Some(Err(self.damaged_response(&record, error))),
            }
        };
        let HttpHead { status, media_type: MediaType { essence: media_type, charset }, codings, fields, damage } = head;
        let raw = Cursor::new(start).chain(self);
        Some(Ok(Capture { record, status, media_type, charset, codings, fields, head_damage: damage, raw }))
    }

    /// Returns the numbers of records that were passed over so far because they are no captures.
    pub fn skipped(&self) -> SkippedRecords {
        self.skipped
    }

    /// Reads the head of the capture in `record`, and returns it with the first bytes of the body, which were read together. For a
    /// capture that is a file, reads nothing: the head has a media type only. If the record has no capture, counts the record in
    /// `skipped` and returns `None`. Fails as [`read_http_head`] does.
    fn read_capture(&mut self, record: &Record) -> io::Result<Option<(HttpHead, Vec<u8>)>> {
        let content_type = mime::extract([&record.content_type]);
        let is_response = matches!(record.kind.as_str(), "response" | "revisit");
        let has_no_type = content_type.essence.is_empty();
        // A response of HTTP/0.9 has no head; `no-type`, `unk` and `-` are no types.
        let is_sniffed = has_no_type || is_unknown_type(&content_type.essence);
        let may_be_bare = is_html_type(&content_type.essence) || is_sniffed && self.is_arc();
        let is_http = content_type.essence == "application/http" || has_no_type && !may_be_bare;
        // Some writers give the type of the body.
        let is_http = is_http || is_response && starts_http(self.peek_content(HTTP_START_LEN));
        let skipped = match record.kind.as_str() {
            "response" if !is_http && may_be_bare => None,
            "response" | "revisit" if !is_http => Some(&mut self.skipped.other_protocols),
            "revisit" if record.length == 0 && record.revisits_other_uri() => {
                Some(&mut self.skipped.revisits_of_other_uris)
            }
            "revisit" if record.length == 0 => Some(&mut self.skipped.revisits_without_head),
            "response" | "revisit" => return read_http_head(self).map(Some),
            "resource" if is_http && !content_type.essence.is_empty() => return read_http_head(self).map(Some),
            "resource" => None,
            "metadata" if matches!(&*content_type.essence, "application/json" | "application/warc-fields") => None,
            _ => Some(&mut self.skipped.other_kinds),
        };
        if let Some(skipped) = skipped {
            *skipped += 1;
            return Ok(None);
        }
        Ok(Some((HttpHead { media_type: content_type, ..HttpHead::default() }, Vec::new())))
    }

    /// Finishes `record`, whose HTTP response cannot be read because of `error`, and returns one damage. If the content of the
    /// record is not whole, the damage is that of the record, which is why the response cannot be read. Otherwise it is `error`;
    /// damage at the end of the record is then kept in `unreported`.
    fn damaged_response(&mut self, record: &Record, error: io::Error) -> Damage {
        let damage = Damage { offset: record.offset, reason: Reason::Http(error), content: ContentRead::Whole };
        match self.finish() {
            Err(end) if end.content != ContentRead::Whole => end,
            Err(end) => {
                self.unreported = Some(end);
                damage
            }
            Ok(()) => damage,
        }
    }
}

/// Reports whether a media type says that the type is not known (MIME Sniffing §7).
pub(crate) fn is_unknown_type(media_type: &str) -> bool {
    matches!(media_type, "unknown/unknown" | "application/unknown" | "*/*")
}

pub(crate) fn is_html_type(media_type: &str) -> bool {
    matches!(media_type, "text/html" | "application/xhtml+xml")
}

/// A capture of an archive, of which only the head was read so far.
#[non_exhaustive]
pub struct Capture<'r, R> {
    /// The record that holds the capture; its `target_uri` is the URI of the capture.
    pub record: Record,
    /// The status code of the response; `None` for a file, and if the first line has no status code that can be read.
    pub status: Option<u16>,
    /// The media type, in lower case and without parameters; empty if no `Content-Type` can be read. Of several types the last
    /// one that can be read counts (Fetch, "extract a MIME type").
    pub media_type: String,
    /// The `charset` of the media type, in lower case.
    pub charset: Option<String>,
    /// The names of the content and transfer codings, in lower case, in the order in which they were applied.
    pub codings: Vec<String>,
    /// The fields of the response's head; a file has none.
    pub fields: Fields,
    /// The damage of the response's head, if it could be read nevertheless.
    pub head_damage: Option<&'static str>,
    /// A reader of the body as it was sent, with its codings: the bytes that were read with the head, then the rest of the record.
    raw: io::Chain<Cursor<Vec<u8>>, &'r mut Records<R>>,
}

debug_fields!([R] Capture<'_, R>: record status media_type);

impl<R: Read> Capture<'_, R> {
    /// The greatest length in bytes that [`Body::new`] is told for a body. A longer body is read, too: the length only bounds how
    /// much of a coded body is decoded. A damaged archive may say any length.
    const MAX_BODY_LEN: u64 = 64 << 20;

    /// Returns a reader of the body as it was sent, with its codings.
    pub fn raw(&mut self) -> impl Read {
        &mut self.raw
    }

    /// Returns a reader of the body without its codings.
    ///
    /// # Errors
    /// As [`Body::new`].
    pub fn body(&mut self) -> io::Result<Body<'_>>
    where
        R: Send,
    {
        let (start, records) = self.raw.get_ref();
        let len = (start.get_ref().len() as u64).saturating_add(records.remaining()).min(Self::MAX_BODY_LEN);
        let body = Body::new(&mut self.raw, len, &self.codings)?;
        Ok(body.truncated(self.record.truncated))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: &str, content: &str) -> String {
        let len = content.len();
        format!(
            "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: h:{len}\r\nContent-Length: {len}\r\n\r\n{content}\r\n\r\n"
        )
    }

    /// Returns the bodies of all pages, and the damage.
    fn all(archive: &str) -> Vec<String> {
        let mut records = Records::new(archive.as_bytes()).unwrap();
        let mut all = Vec::new();
        while let Some(page) = records.next_capture() {
            all.push(match page {
                Ok(mut page) => {
                    let mut text = Vec::new();
                    let end = page.body().and_then(|mut body| body.read_to_end(&mut text));
                    String::from_utf8(text).unwrap()
                        + &end.map_or_else(|error| format!(" ({error})"), |_| String::new())
                }
                Err(damage) => damage.reason.to_string(),
            });
        }
        all
    }

    #[test]
    fn captures_are_responses_and_files() {
        let html = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nhtml";
        let file = |media_type: &str, content| {
            record("resource", content).replacen(
                "\r\nContent-L",
                &format!("\r\nContent-Type: {media_type}\r\nContent-L"),
                1,
            )
        };
        let archive = [
            record("request", html),
            record("response", html),
            record("response", &html.replace("text/html", "image/png")),
            record("response", "HTTP/1.1 200 OK\r\n\r\nunknown"),
            record(
                "response",
                &html.replace("text/html", "text/html charset=x").replace("\r\n\r\nhtml", "\r\n\r\nbad"),
            ),
            record("revisit", html),
            record("revisit", ""),
            record("revisit", "").replace("\r\nContent-L", "\r\nWARC-Refers-To-Target-URI: <h:0>\r\nContent-L"),
            record("revisit", "").replace("\r\nContent-L", "\r\nWARC-Refers-To-Target-URI: h:1\r\nContent-L"),
            file("application/warc-fields", "a: b").replace("resource", "metadata"),
            file("text/plain", "a: b").replace("resource", "metadata"),
            file("text/html; charset=utf-8", "file"),
            file("image/png", "image"),
            record("resource", "sniff"),
            file("text/dns", "x").replace("resource", "response"),
            file("text/html", &html.replace("html", "typed").replace("text/typed", "text/html"))
                .replace("resource", "response"),
            file("text/html", "bare").replace("resource", "response"),
        ];
        let archive = archive.concat();
        let mut records = Records::new(archive.as_bytes()).unwrap();
        let mut captures = Vec::new();
        while let Some(capture) = records.next_capture() {
            let mut capture = capture.unwrap();
            let (kind, media_type) = (capture.record.kind.clone(), capture.media_type.clone());
            captures.push(format!("{kind} {media_type} {}", io::read_to_string(capture.body().unwrap()).unwrap()));
        }
        assert_eq!(
            captures,
            [
                "response text/html html",
                "response image/png html",
                "response  unknown",
                "response  bad",
                "revisit text/html html",
                "metadata application/warc-fields a: b",
                "resource text/html file",
                "resource image/png image",
                "resource  sniff",
                "response text/html typed",
                "response text/html bare",
            ]
        );
        let skipped =
            SkippedRecords { other_kinds: 2, other_protocols: 1, revisits_without_head: 2, revisits_of_other_uris: 1 };
        assert_eq!(records.skipped(), skipped);
    }

    #[test]
    fn damage_of_responses_and_records_is_reported() {
        let chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nab";
        let codings = "HTTP/1.1 200 OK\r\nContent-Encoding: a, b, c, d, e\r\n\r\n";
        let truncated = record("response", chunks).replace("\r\nContent-L", "\r\nWARC-Truncated: time\r\nContent-L");
        let archive = [
            record("response", "no response"),
            record("response", codings),
            record("response", chunks),
            truncated,
            record("request", "a").replace("Length: 1", "Length: 9"),
        ];
        let expected = [
            "its content is not an HTTP response",
            " (its body has more than 4 codings)",
            "ab (it ends within a chunk)",
            "ab",
            "it ends early: 4 bytes of its content are missing",
        ];
        assert_eq!(all(&archive.concat()), expected);
    }
}
