//! The jobs of workers. Each is a file, a page, or a problem to report.

use std::path::PathBuf;
use std::sync::Arc;

use relref_links::page::{Page, PageBytes};

use super::pool::Problem;

/// The most bytes of a page that stay in memory. If a page has more, its bytes are in a file, which is read as a stream. Pages from
/// streams and records of WAT files have limits of their own.
pub const PAGE_IN_MEMORY: usize = 256 << 10;

/// A job of a worker.
pub enum Job {
    /// A file to open. It may turn out to be an archive, or no page at all.
    File(PageFile),
    /// A page whose bytes are already read.
    Page(Box<InputPage>),
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

/// A page of an input.
pub struct InputPage {
    /// The name of the file or stream that is the page, or of the archive that contains it, as in [`Problem::input`]. For an
    /// archive in a WACZ file, the name `FILE:ARCHIVE`.
    pub input: Arc<str>,
    pub page: Page,
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
                let Page { uri, date, charset, codings, fields, bytes, .. } = &page.page;
                let codings = codings.iter().map(|coding| size_of::<String>() + coding.capacity()).sum::<usize>();
                let bytes = match bytes {
                    PageBytes::Memory(bytes) => bytes.capacity(),
                    PageBytes::File(_) => Self::OPEN_FILE_MEMORY,
                };
                let fields = fields.iter().map(|(name, value)| name.capacity() + value.capacity() + 64).sum::<usize>();
                size_of::<InputPage>() + fields + uri.capacity() + text(charset) + text(date) + codings + bytes
            }
        };
        size_of::<Job>() + parts
    }
}
