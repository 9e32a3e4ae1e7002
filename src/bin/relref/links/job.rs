//! The jobs of workers: each is a file, a page or a problem of an input.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use relref::archive::sniff::Content;
use relref::archive::{wat_has_page, wat_has_response};

use super::page_bytes::PageBytes;
use super::pool::Problem;

/// A job of a worker.
pub enum Job {
    File(PageFile),
    Page(Box<Page>),
    /// A problem of an input, reported in the order of the inputs.
    Problem(Problem),
}

/// A file that is a page or may be one.
pub struct PageFile {
    pub path: PathBuf,
    /// The URI of the page. `None` if it is the `file:` URI of the file.
    pub uri: Option<String>,
    /// True if the name does not say that the file is a page. Then its first bytes must show it.
    pub must_sniff: bool,
}

/// A page that is not a file of its own: it is in an archive, or comes from a stream.
pub struct Page {
    /// The input that contains the page.
    pub input: Arc<Path>,
    /// The index of the first byte of its record in an archive. `None` if the page is not in an archive.
    pub offset: Option<u64>,
    pub uri: String,
    pub bytes: PageBytes,
    /// The names of the content codings that the bytes have.
    pub codings: Vec<String>,
    /// The label of the character encoding that the HTTP head gives.
    pub charset: Option<String>,
    pub content: Content,
    /// The names and values of the HTTP fields that have links.
    pub fields: Vec<(String, Vec<u8>)>,
    /// True if an HTTP field asks robots to follow none of the links of the page.
    pub nofollow: bool,
    /// True if the bytes are known to be cut short. Then the end of the codings may be missing, which is no problem.
    pub is_cut_short: bool,
}

impl Page {
    /// Returns a page that is an input of its own: a file or a stream. `coding` is the name of its compression, if it has one.
    pub fn of_input(input: &Path, uri: String, bytes: PageBytes, coding: Option<&str>, content: Content) -> Self {
        Page {
            input: input.into(),
            offset: None,
            uri,
            bytes,
            codings: coding.map(str::to_owned).into_iter().collect(),
            charset: None,
            content,
            fields: Vec::new(),
            nofollow: false,
            is_cut_short: false,
        }
    }

    /// Reports whether the page is in an archive. Otherwise, it is an input of its own.
    pub fn is_in_archive(&self) -> bool {
        self.offset.is_some()
    }

    /// Reports whether the links are from a page. Returns false for WAT metadata that does not describe an HTML page.
    pub fn is_about_page(&self) -> bool {
        match &self.bytes {
            PageBytes::Memory(json) if self.content == Content::Wat => wat_has_page(json),
            _ => true,
        }
    }

    /// Reports whether the page is a complete JSON record of a WAT file that is not about a response. Such a record has no links.
    pub fn is_other_metadata(&self) -> bool {
        matches!(&self.bytes, PageBytes::Memory(json) if self.content == Content::Wat && !wat_has_response(json))
    }
}

impl Job {
    /// The number of bytes that is counted for an open file, because the number of open files is limited, too.
    const OPEN_FILE: usize = 128 << 10;

    /// Returns the size of the job in memory, in bytes.
    pub fn size(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::capacity);
        let parts = match self {
            Job::File(file) => file.path.capacity() + text(&file.uri),
            Job::Problem(problem) => problem.size(),
            Job::Page(page) => {
                let codings = page.codings.iter().map(|coding| size_of::<String>() + coding.capacity()).sum::<usize>();
                let bytes = match &page.bytes {
                    PageBytes::Memory(bytes) => bytes.capacity(),
                    PageBytes::File(..) => Self::OPEN_FILE,
                };
                let fields =
                    page.fields.iter().map(|(name, value)| name.capacity() + value.capacity() + 64).sum::<usize>();
                size_of::<Page>() + fields + page.uri.capacity() + text(&page.charset) + codings + bytes
            }
        };
        size_of::<Job>() + parts
    }
}
