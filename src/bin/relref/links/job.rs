//! The jobs of workers: files and pages, made from the inputs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memmem;
use relref::archive::sniff;
use relref::feeds::{is_feed, is_robots};
use serde::de::IgnoredAny;

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
    /// The URI of the page. `None` if it is the file's own `file:` URI.
    pub uri: Option<String>,
    /// True if the name does not say that the file is a page, so that its start must show it.
    pub must_sniff: bool,
}

/// A page that is not a file of its own.
pub struct Page {
    /// The input that contains the page.
    pub input: Arc<Path>,
    /// The index of the first byte of its record in an archive.
    pub offset: Option<u64>,
    pub uri: String,
    pub bytes: PageBytes,
    /// The names of the content codings of the bytes.
    pub codings: Vec<String>,
    pub charset: Option<String>,
    pub content: Content,
    /// The names and values of the HTTP fields that have links.
    pub fields: Vec<(String, Vec<u8>)>,
    /// True if an HTTP field asks robots to follow none of its links.
    pub nofollow: bool,
    /// True if it is known to be cut, so that the end of its codings may be missing.
    pub is_truncated: bool,
}

impl Page {
    /// Reports whether it is whole metadata that is not about a response, and so has no links.
    pub fn is_other_metadata(&self) -> bool {
        match &self.bytes {
            PageBytes::Memory(bytes) if self.content == Content::Wat => {
                memmem::find(bytes, b"\"HTTP-Response-Metadata\"").is_none()
                    && serde_json::from_slice::<IgnoredAny>(bytes).is_ok()
            }
            _ => false,
        }
    }
}

/// The content of the bytes.
#[derive(Clone, Copy, PartialEq)]
pub enum Content {
    Html,
    /// A sitemap, RSS or Atom.
    Feed,
    Robots,
    /// The JSON of a WAT file.
    Wat,
    /// Nothing says what they are, so their start must show it.
    Unknown,
    /// There are none: only the fields have links.
    None,
}

impl Content {
    /// Recognizes a content by its first bytes and its URI. `None` if it is of no kind that has links.
    pub fn sniff(start: &[u8], uri: &str) -> Content {
        match () {
            // First, as a comment before the root looks like HTML.
            () if is_feed(start) => Content::Feed,
            () if sniff::is_html(start) => Content::Html,
            () if is_robots(uri) => Content::Robots,
            () => Content::None,
        }
    }
}

impl Job {
    /// The size that is counted for an open file: open files are scarce, too.
    const OPEN_FILE: usize = 128 << 10;

    /// Returns its size in memory, in bytes.
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
