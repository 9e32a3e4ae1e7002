//! The head of a WARC record (ISO 28500, named fields).

use memchr::memchr_iter;

/// The head of a record.
#[derive(Default)]
pub struct Record {
    /// Where it starts in the file; in a gzip member, where that starts.
    pub offset: u64,
    /// `WARC-Type`, in lower case.
    pub kind: String,
    /// `WARC-Target-URI`, without the angle brackets that some writers put around it.
    pub target: String,
    /// `Content-Type` of the block.
    pub media: String,
    /// Whether `WARC-Truncated` says that the writer cut the block on purpose.
    pub truncated: bool,
}

impl Record {
    /// Reads a head, with the empty line that ends it: the record, and how long its block is. A field may go on in a line that
    /// starts with white space. None if there is no length.
    pub fn parse(head: &[u8], offset: u64) -> Option<(Record, u64)> {
        let head = String::from_utf8_lossy(head).replace("\r\n ", "  ").replace("\r\n\t", "  ");
        let mut record = Record { offset, ..Record::default() };
        let mut length = None;
        for (name, value) in head.lines().filter_map(|line| line.split_once(':')) {
            let value = value.trim();
            match name.trim().to_ascii_lowercase().as_str() {
                "warc-type" => record.kind = value.to_ascii_lowercase(),
                "warc-target-uri" => record.target = value.trim_matches(['<', '>']).to_owned(),
                "warc-truncated" => record.truncated = true,
                "content-type" => record.media = value.to_ascii_lowercase(),
                "content-length" => length = value.parse().ok(),
                _ => {}
            }
        }
        Some((record, length?))
    }
}

/// How long the head is that starts here, with the empty line that ends it.
pub fn head_len(bytes: &[u8]) -> Option<usize> {
    memchr_iter(b'\n', bytes).find_map(|at| match &bytes[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}
