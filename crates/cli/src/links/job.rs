//! The jobs of workers. Each is a file, a page, or a problem to report.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use relref_links::archive::sniff::CaptureKind;
use relref_links::archive::{wat_has_page, wat_has_response};

use super::page_bytes::PageBytes;
use super::pool::Problem;
use crate::quoting::file_name;

/// A job of a worker.
pub enum Job {
    /// A file to open. It may turn out to be an archive, or no page at all.
    File(PageFile),
    /// A page whose bytes are already read.
    Page(Box<Page>),
    /// A problem of an input. It is a job so that it is reported in the order of the inputs.
    Problem(Problem),
}

/// A file that is a page, or may be one.
pub struct PageFile {
    pub path: PathBuf,
    /// The URI of the page. `None` if the page has the `file:` URI of the file.
    pub uri: Option<String>,
    /// True if the file is read only if its first bytes show that it is a page, a feed or an archive. False if it was given by its
    /// name, or its name is that of a page.
    pub must_sniff: bool,
}

/// A page, with its bytes and what is known about it.
pub struct Page {
    /// The name of the file or stream that is the page, or of the archive that contains it, as in [`Problem::input`]. For an
    /// archive in a WACZ file, the name `FILE:ARCHIVE`.
    pub input: Arc<str>,
    /// The byte offset in the archive at which the record of the page starts. `None` if the page is not in an archive.
    pub offset: Option<u64>,
    /// The URI of the page. It is the base of the page's links, if the page gives no other base.
    pub uri: String,
    /// The bytes of the page, as they are with its codings.
    pub bytes: PageBytes,
    /// The names of the content and transfer codings that `bytes` have, in the order in which they were applied.
    pub codings: Vec<String>,
    /// The label of the character encoding that the HTTP head gives. `None` if it gives none.
    pub charset: Option<String>,
    /// The kind of page or file, by the links that it may have.
    pub kind: CaptureKind,
    /// The names and values of those HTTP fields of the page that have links.
    pub fields: Vec<(String, Vec<u8>)>,
    /// True if an HTTP field asks robots to follow none of the links of the page.
    pub nofollow: bool,
    /// True if the bytes are known to be cut short. Then a missing end of a coding is not reported.
    pub is_cut_short: bool,
}

impl Page {
    /// Returns a page that is not in an archive. `input` is its file or stream. `coding` is the name of the compression of `bytes`,
    /// if they are compressed.
    pub fn of_input(input: &Path, uri: String, bytes: PageBytes, coding: Option<&str>, kind: CaptureKind) -> Self {
        Page {
            input: file_name(input).into(),
            offset: None,
            uri,
            bytes,
            codings: coding.map(str::to_owned).into_iter().collect(),
            charset: None,
            kind,
            fields: Vec::new(),
            nofollow: false,
            is_cut_short: false,
        }
    }

    /// Reports whether the page is in an archive. False for a page that is a file or a stream.
    pub fn is_in_archive(&self) -> bool {
        self.offset.is_some()
    }

    /// Reports whether the links are those of a page. False for WAT metadata that does not describe an HTML page.
    pub fn is_about_page(&self) -> bool {
        match &self.bytes {
            PageBytes::Memory(json) if self.kind == CaptureKind::Wat => wat_has_page(json),
            _ => true,
        }
    }

    /// Reports whether this is whole WAT metadata that is not about a response, and so has no links.
    pub fn is_other_metadata(&self) -> bool {
        matches!(&self.bytes, PageBytes::Memory(json) if self.kind == CaptureKind::Wat && !wat_has_response(json))
    }
}

impl Job {
    /// The number of bytes of memory that are counted for a page whose bytes are in an open file. Such a file takes less. Because
    /// more is counted, the budget of memory also limits the number of open files.
    const OPEN_FILE_MEMORY: usize = 128 << 10;

    /// Returns the number of bytes of memory that are counted for the job.
    pub fn size(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::capacity);
        let parts = match self {
            Job::File(file) => file.path.capacity() + text(&file.uri),
            Job::Problem(problem) => problem.size(),
            Job::Page(page) => {
                let codings = page.codings.iter().map(|coding| size_of::<String>() + coding.capacity()).sum::<usize>();
                let bytes = match &page.bytes {
                    PageBytes::Memory(bytes) => bytes.capacity(),
                    PageBytes::File(..) => Self::OPEN_FILE_MEMORY,
                };
                let fields =
                    page.fields.iter().map(|(name, value)| name.capacity() + value.capacity() + 64).sum::<usize>();
                size_of::<Page>() + fields + page.uri.capacity() + text(&page.charset) + codings + bytes
            }
        };
        size_of::<Job>() + parts
    }
}
