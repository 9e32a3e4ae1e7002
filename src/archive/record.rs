//! The head of a WARC record (ISO 28500, named fields).

use memchr::{memchr, memchr_iter, memmem};

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

/// The start of every record, before its version.
pub const START: &[u8] = b"WARC/";
/// The length in bytes of the longest first line of a record, with its line break.
pub const FIRST_LINE: usize = START.len() + 6;

/// Returns the length of the head that starts here, with the empty line that ends it; or why it is none, and the offset from
/// which another record can start.
pub fn head_len(bytes: &[u8]) -> Result<usize, (&'static str, usize)> {
    if !bytes.starts_with(START) {
        return Err(("no record starts here", 0));
    }
    let mut start = 0;
    for end in memchr_iter(b'\n', bytes) {
        let line = &bytes[start..end];
        if line.is_empty() || line == b"\r" {
            return Ok(end + 1);
        }
        // After a cut head follow zeros, or the next record.
        if start > 0
            && (memchr(0, line).is_some() || memchr(b':', line).is_none() && find_start(&bytes[start..=end]).is_some())
        {
            return Err(("its head has no end", start));
        }
        start = end + 1;
    }
    Err(("its head has no end", start))
}

/// Finds the first line of a record, wherever in a line it starts: `WARC/`, a version, and the end of the line.
pub fn find_start(bytes: &[u8]) -> Option<usize> {
    memmem::find_iter(bytes, START).find(|at| {
        let version = &bytes[at + START.len()..];
        let len = version.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
        (3..=4).contains(&len) && matches!(&version[len..], [b'\n', ..] | [b'\r', b'\n', ..])
    })
}

/// Reports whether a block ends well before these bytes: the end of the input or the next record follows.
pub fn ends_well(after: &[u8]) -> bool {
    let next = after.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).map_or(&[][..], |at| &after[at..]);
    after.starts_with(b"\r\n\r\n") || START.starts_with(&next[..next.len().min(START.len())])
}
