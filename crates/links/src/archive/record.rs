//! The head of a record: that of WARC (WARC 1.1 §4 and §5), or that of ARC with the names of WARC.

use memchr::{memchr, memchr_iter, memmem};

use super::arc;
use super::damage::Reason;

/// The head of a record. One of an ARC file has the names that its fields have in WARC: `WARC-Date`, `WARC-IP-Address`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Record {
    /// The byte offset in the archive at which the record starts; in a compressed archive, that of its gzip member or Zstandard
    /// frame.
    pub offset: u64,
    /// `WARC-Type`, in lower case, such as `response`; empty without one. In an ARC file, it is `warcinfo` for the version block,
    /// `response` for the schemes http, https and dns, and `resource` for others.
    pub kind: String,
    /// `WARC-Target-URI` as written, without the angle brackets that some writers put around it; empty without one.
    pub target_uri: String,
    /// `Content-Type` of the content, in lower case; empty without one. In an ARC file, that of a response is the type of its body.
    pub content_type: String,
    /// True if the writer cut the content short on purpose (`WARC-Truncated`).
    pub truncated: bool,
    /// `Content-Length`, or the `Archive-length` of ARC, in bytes.
    pub length: u64,
    /// Each field is one line; U+FFFD replaces bytes that are not UTF-8.
    head: String,
}

impl Record {
    /// `head` ends with the empty line. The first of several fields with a name counts. `None` without a `Content-Length`.
    pub(super) fn parse(head: &[u8], offset: u64) -> Option<Record> {
        // A line that starts with white space continues the field before.
        let head =
            String::from_utf8_lossy(head).replace("\r\r\n", "\r\n").replace("\r\n ", "  ").replace("\r\n\t", "  ");
        let head = head.replace("\n ", "  ").replace("\n\t", "  ");
        let field = |name| find_field(&head, name);
        let lower = |name| field(name).unwrap_or_default().to_ascii_lowercase();
        Some(Record {
            offset,
            kind: lower("WARC-Type"),
            target_uri: field("WARC-Target-URI").unwrap_or_default().trim_matches(['<', '>']).to_owned(),
            content_type: lower("Content-Type"),
            truncated: field("WARC-Truncated").is_some(),
            length: field("Content-Length")?.parse().ok()?,
            head,
        })
    }

    /// `None` without a length.
    pub(super) fn from_arc(line: &arc::Line<'_>, offset: u64) -> Option<Record> {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let date = line.warc_date().map_or(String::new(), |date| format!("WARC-Date: {date}\n"));
        Some(Record {
            offset,
            kind: line.kind().to_owned(),
            target_uri: text(line.uri),
            content_type: text(line.media_type).to_ascii_lowercase(),
            truncated: false,
            length: line.len()?,
            head: format!("{date}WARC-IP-Address: {}\n", text(line.ip)),
        })
    }

    /// Reports whether the record has no body because that of another URI is the same.
    pub(crate) fn revisits_other_uri(&self) -> bool {
        let other = || self.field("WARC-Refers-To-Target-URI").map(|uri| uri.trim_matches(['<', '>']));
        self.kind == "revisit" && other().is_some_and(|other| other != self.target_uri)
    }

    /// Returns the value of the first field with this name, in any case, without white space around it; U+FFFD replaces bytes that
    /// are not UTF-8. Takes time linear in the head.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        find_field(&self.head, name)
    }
}

fn find_field<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let mut fields = head.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(found, _)| found.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

/// The numbers of records that are no captures, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SkippedRecords {
    /// Records of other kinds: `warcinfo`, `request`, `metadata` that is neither JSON nor fields, `conversion`, `continuation` and
    /// unknown ones.
    pub other_kinds: u64,
    /// `response` and `revisit` records of another protocol than HTTP, such as DNS.
    pub other_protocols: u64,
    /// `revisit` records without an HTTP head, of the URI that was visited before.
    pub revisits_without_head: u64,
    /// `revisit` records without an HTTP head, whose body is that of another URI (`WARC-Refers-To-Target-URI`).
    pub revisits_of_other_uris: u64,
}

/// The format of the records of an archive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Format {
    Warc,
    Arc,
}

impl Format {
    /// Returns the format of an archive that starts with these bytes, if it is one.
    pub(super) fn of(head: &[u8]) -> Format {
        if head.starts_with(RECORD_MAGIC) { Format::Warc } else { Format::Arc }
    }

    /// Returns the length of the head, and the record, which is `None` without a length. The error has the number of first bytes
    /// that the search for the next record can skip.
    pub(super) fn read(self, bytes: &[u8], offset: u64) -> Result<(usize, Option<Record>), (Reason, usize)> {
        if self == Format::Warc {
            let len = head_len(bytes)?;
            return Ok((len, Record::parse(&bytes[..len], offset)));
        }
        let end = memchr(b'\n', bytes);
        match (end, arc::Line::parse(&bytes[..end.unwrap_or(bytes.len())])) {
            (Some(end), Some(line)) => Ok((end + 1, Record::from_arc(&line, offset))),
            (None, _) if arc::has_scheme(bytes) => Err((Reason::EndlessHead, 0)),
            _ => Err((Reason::NoRecord, 0)),
        }
    }
}

/// Returns the start of the first record of this format, or of any.
pub(super) fn find_record_of(format: Option<Format>, bytes: &[u8]) -> Option<usize> {
    let warc = if format == Some(Format::Arc) { None } else { find_record(bytes) };
    // The rest would be searched again and again, for each WARC record.
    let arc = if format == Some(Format::Warc) { None } else { arc::find_record(&bytes[..warc.unwrap_or(bytes.len())]) };
    arc.or(warc)
}

pub(super) const RECORD_MAGIC: &[u8] = b"WARC/";
pub(super) const FIRST_LINE_LEN: usize = RECORD_MAGIC.len() + 7; // a version of four bytes and CR CR LF

/// The error has the number of first bytes that the search for the next record can skip.
fn head_len(bytes: &[u8]) -> Result<usize, (Reason, usize)> {
    if !bytes.starts_with(RECORD_MAGIC) {
        return Err((Reason::NoRecord, 0));
    }
    let mut start = 0;
    for end in memchr_iter(b'\n', bytes) {
        let line = &bytes[start..end];
        if matches!(line, b"" | b"\r" | b"\r\r") {
            return Ok(end + 1);
        }
        // After a head that is cut short, zeros or the next record follow.
        if start > 0
            && (memchr(0, line).is_some() || memchr(b':', line).is_none() && find_record(&bytes[start..=end]).is_some())
        {
            break;
        }
        start = end + 1;
    }
    Err((Reason::EndlessHead, start))
}

/// Returns the start of the first WARC record, also within another line. The first line of a record is `WARC/`, a version of 3 or 4
/// bytes, and a line break: LF, CRLF, or CR CR LF as some tools turn CRLF into.
pub(super) fn find_record(bytes: &[u8]) -> Option<usize> {
    memmem::find_iter(bytes, RECORD_MAGIC).find(|at| {
        let version = &bytes[at + RECORD_MAGIC.len()..];
        let len = version.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
        (3..=4).contains(&len)
            && matches!(&version[len..], [b'\n', ..] | [b'\r', b'\n', ..] | [b'\r', b'\r', b'\n', ..])
    })
}

/// Reports whether a record can end before `after`: two CRLF, or line breaks and then a record, its start, or nothing.
pub(super) fn can_follow_content(after: &[u8]) -> bool {
    let next = after.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).map_or(&[][..], |at| &after[at..]);
    after.starts_with(b"\r\n\r\n") || RECORD_MAGIC.starts_with(&next[..next.len().min(RECORD_MAGIC.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_in_any_case_and_folded() {
        let head =
            b"WARC/1.1\r\nwarc-TYPE: Response\r\nWARC-Target-URI:<http://h/>\r\nX-Y: a\r\n b\r\nContent-Length : 7\r\n\r\n";
        let record = Record::parse(head, 5).unwrap();
        assert_eq!((&*record.kind, &*record.target_uri), ("response", "http://h/"));
        assert_eq!((record.offset, record.length, record.truncated), (5, 7, false));
        assert_eq!((record.field("x-y"), record.field("WARC-Date")), (Some("a  b"), None));
        assert!(Record::parse(b"WARC/1.1\r\nContent-Length: 7b\r\n\r\n", 0).is_none());
    }

    #[test]
    fn lines_that_end_with_a_line_feed_alone_are_folded() {
        let head = b"WARC/1.1\nWARC-Target-URI: http://h/\n\tWARC-Type: no\n :b\nContent-Length: 7\n\n";
        let record = Record::parse(head, 0).unwrap();
        assert_eq!((&*record.kind, &*record.target_uri, record.length), ("", "http://h/  WARC-Type: no  :b", 7));
        assert_eq!(record.field("WARC-Target-URI"), Some("http://h/  WARC-Type: no  :b"));
    }

    #[test]
    fn the_first_of_repeated_fields_counts() {
        let head = b"WARC/1.1\r\nWARC-Type: a\r\nContent-Length: 7\r\nwarc-type: b\r\nContent-Length: 8\r\n\r\n";
        let record = Record::parse(head, 0).unwrap();
        assert_eq!((&*record.kind, record.field("WARC-Type"), record.length), ("a", Some("a"), 7));
    }

    #[test]
    fn heads_end_at_an_empty_line_or_where_they_are_cut() {
        let len = |bytes: &[u8]| head_len(bytes).map_err(|(reason, checked)| (reason.to_string(), checked));
        assert_eq!(len(b"WARC/1.0\r\nA: b\r\n\r\nblock"), Ok(18));
        assert_eq!(len(b"WARC/1.0\nA: b\n\nblock"), Ok(15));
        assert_eq!(len(b"WARC/1.0\r\r\nA: b\r\r\n\r\r\nblock"), Ok(21));
        assert_eq!(len(b"GARC/1.0\r\n\r\n"), Err(("no record starts here".into(), 0)));
        for cut in [
            &b"WARC/1.0\r\nA: b\r\nC"[..],
            b"WARC/1.0\r\nA: b\r\nC WARC/1.0\r\n\r\n",
            b"WARC/1.0\r\nA: b\r\n\0:\r\n\r\n",
        ] {
            assert_eq!(len(cut), Err(("its header has no end".into(), 16)));
        }
    }

    #[test]
    fn first_lines_are_found_anywhere() {
        for (text, at) in [
            ("WARC/1.1\r\n", Some(0)),
            ("WARC/0.18\n", Some(0)),
            ("WARC/1.0\r\r\n", Some(0)),
            ("WARC/1.0\r\r\r\n", None),
            ("xWARC/WARC/1.0\r\n", Some(6)),
            ("WARC/1.1 \r\n", None),
            ("WARC/1.1", None),
            ("WARC/11.11\n", None),
            ("warc/1.1\n", None),
        ] {
            assert_eq!(find_record(text.as_bytes()), at, "{text}");
        }
    }

    #[test]
    fn content_ends_before_breaks_or_the_next_record() {
        for after in ["", "\r\n\r\nnoise", "\nWARC/", "\r\n\r\n", "WA", "\n\n\n"] {
            assert!(can_follow_content(after.as_bytes()), "{after:?}");
        }
        for after in ["x", "\r\nnoise", "\n\nWARX/", "WARX"] {
            assert!(!can_follow_content(after.as_bytes()), "{after:?}");
        }
    }
}
