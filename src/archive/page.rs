//! The pages among the records of an archive: HTTP responses of HTML.

use std::io::{self, Cursor, Read};

use super::body::Body;
use super::damage::{Content, Damage, Reason};
use super::record::Record;
use super::records::Records;
use super::response::{Head, media_type, read_head};

impl<R: Read> Records<R> {
    /// Returns the next page, after [finishing](Self::finish) the record before; `None` at the end of the archive.
    ///
    /// A page is an HTTP response of type `text/html` or `application/xhtml+xml` in a `response` record, or one without
    /// `Content-Type`: then [`Body::is_html`] tells. Other records are skipped. Needs memory for the heads only.
    ///
    /// # Errors
    /// Damage of a record that was skipped, or of the page before: then it has the offset of that page. Go on calling: the pages
    /// after it follow.
    ///
    /// ```
    /// use std::io::Read;
    /// use relref::archive::Records;
    ///
    /// let archive = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nContent-Length: 55\r\n\r\n\
    ///     HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=to>\r\n\r\n";
    /// let mut records = Records::new(archive.as_bytes())?;
    /// while let Some(page) = records.next_page() {
    ///     match page {
    ///         Ok(mut page) => {
    ///             assert_eq!((&*page.record.target_uri, page.status), ("http://h/", Some(200)));
    ///             let mut text = String::new();
    ///             page.body()?.take(1 << 20).read_to_string(&mut text)?;
    ///             assert_eq!(text, "<a href=to>");
    ///         }
    ///         Err(damage) => eprintln!("{damage}"),
    ///     }
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn next_page(&mut self) -> Option<Result<Page<'_, R>, Damage>> {
        let (record, head, start) = loop {
            let record = match self.next_record()? {
                Ok(record) => record,
                Err(damage) => return Some(Err(damage)),
            };
            if !holds_response(&record) {
                continue;
            }
            match self.read_page_head() {
                Ok(Some((head, start))) => break (record, head, start),
                Ok(None) => {}
                Err(error) => return Some(Err(self.damaged(&record, error))),
            }
        };
        let Head { status, media_type, charset, codings, damage, .. } = head;
        let raw = Cursor::new(start).chain(self);
        Some(Ok(Page { record, status, media_type, charset, codings, head_damage: damage, raw }))
    }

    /// Reads the head of a response, and the start of its body; `None` if that is not a page.
    fn read_page_head(&mut self) -> io::Result<Option<(Head, Vec<u8>)>> {
        let (head, start) = read_head(self)?;
        if !is_page(&head) {
            return Ok(None);
        }
        head.check_codings()?;
        Ok(Some((head, start)))
    }

    /// Returns the record's own damage if its content is not whole, as that is the cause; else an HTTP damage.
    fn damaged(&mut self, record: &Record, error: io::Error) -> Damage {
        let damage = Damage { offset: record.offset, reason: Reason::Http(error), content: Content::Whole };
        match self.finish() {
            Err(end) if end.content != Content::Whole => end,
            end => {
                self.unreported = end.err();
                damage
            }
        }
    }
}

/// Reports whether the content of a record is an HTTP response.
fn holds_response(record: &Record) -> bool {
    let (media_type, _) = media_type(&record.content_type);
    record.kind == "response" && matches!(media_type.as_str(), "" | "application/http")
}

/// Reports whether the body of a response is HTML, or may be.
fn is_page(head: &Head) -> bool {
    matches!(head.media_type.as_str(), "" | "text/html" | "application/xhtml+xml")
}

/// A page of an archive, of which only the head was read so far.
#[non_exhaustive]
pub struct Page<'r, R> {
    /// The record that holds the page; its `target_uri` is the URI of the page.
    pub record: Record,
    /// The status code of the response; `None` if its first line has none that can be read.
    pub status: Option<u16>,
    /// The media type of `Content-Type`, in lower case and without parameters; empty without one.
    pub media_type: String,
    /// The `charset` of `Content-Type`, in lower case.
    pub charset: Option<String>,
    /// The names of the content and transfer codings, in lower case, in the order in which they were applied.
    pub codings: Vec<String>,
    /// The damage of the response's head, if it could be read nevertheless.
    pub head_damage: Option<&'static str>,
    raw: io::Chain<Cursor<Vec<u8>>, &'r mut Records<R>>,
}

impl<R: Read> Page<'_, R> {
    /// The most bytes of a coded body that [`Body`] may count.
    const CODED: u64 = 64 << 20;

    /// Returns a reader of the body as it was sent, its codings still on.
    pub fn raw(&mut self) -> impl Read {
        &mut self.raw
    }

    /// Returns a reader of the body, its codings removed.
    ///
    /// # Errors
    /// As [`Body::new`].
    pub fn body(&mut self) -> io::Result<Body<'_>> {
        let (start, records) = self.raw.get_ref();
        // A damaged archive may claim any length.
        let len = (start.get_ref().len() as u64).saturating_add(records.remaining()).min(Self::CODED);
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
        while let Some(page) = records.next_page() {
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
    fn pages_are_responses_of_html() {
        let html = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nhtml";
        let archive = [
            record("request", html),
            record("response", html),
            record("response", &html.replace("text/html", "image/png")),
            record("response", "HTTP/1.1 200 OK\r\n\r\nunknown"),
        ];
        assert_eq!(all(&archive.concat()), ["html", "unknown"]);
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
            "its HTTP head has no end",
            "its body has 5 codings",
            "ab (it ends within a chunk)",
            "ab",
            "it ends early: 4 bytes of its content are missing",
        ];
        assert_eq!(all(&archive.concat()), expected);
    }

    #[test]
    fn the_start_of_a_body_tells_whether_it_is_html_and_stays() {
        let html = record("response", "HTTP/1.1 200 OK\r\n\r\n<p>text");
        let mut records = Records::new(html.as_bytes()).unwrap();
        let Some(Ok(mut page)) = records.next_page() else { panic!() };
        let mut body = page.body().unwrap();
        assert!(body.is_html().unwrap() && body.is_html().unwrap());
        assert_eq!(io::read_to_string(body).unwrap(), "<p>text");
    }
}
