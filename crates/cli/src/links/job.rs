//! The jobs of the workers, which the reader of inputs queues.

use std::path::PathBuf;
use std::sync::Arc;

use relref_links::page::{Page, PageBytes};

use super::block::Problem;
use super::first_bytes::OpenedFile;

/// A job of a worker.
pub enum Job {
    /// A file to open. It may turn out to be an archive, or no page at all.
    File {
        path: PathBuf,
        /// The URI of the page. `None` if the page has the `file:` URI of the file.
        uri: Option<String>,
        /// True if the file is read only if its first bytes show that it is a page, a feed or an archive. False if it was given by its
        /// name, or its name is that of a page.
        must_sniff: bool,
        /// The file, if it was opened to see whether it is an archive.
        opened: Option<Box<OpenedFile>>,
    },
    /// A page whose bytes are already read, and the name of the file or stream that is the page, or of the archive that contains it, as
    /// in [`Problem::input`]. For an archive in a WACZ file, the name `FILE:ARCHIVE`.
    Page(Arc<str>, Box<Page>),
    /// A problem of an input. It is a job so that it is reported in the order of the inputs.
    Problem(Problem),
}

impl Job {
    /// The bytes that are counted for a page in an open file. Such a file takes less: the budget of memory thus also limits the
    /// number of open files.
    const OPEN_FILE_MEMORY: usize = 128 << 10;

    /// In bytes of memory.
    pub fn size(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::capacity);
        let parts = match self {
            Job::File { path, uri, opened, .. } => {
                path.capacity() + text(uri) + opened.as_ref().map_or(0, |_| Self::OPEN_FILE_MEMORY)
            }
            Job::Problem(problem) => problem.size(),
            Job::Page(_, page) => {
                let Page { uri, date, charset, codings, fields, bytes, .. } = &**page;
                let codings = codings.iter().map(|coding| size_of::<String>() + coding.capacity()).sum::<usize>();
                let bytes = match bytes {
                    PageBytes::Memory(bytes) => bytes.capacity(),
                    PageBytes::File(_) => Self::OPEN_FILE_MEMORY,
                };
                let fields = fields.iter().map(|(name, value)| name.capacity() + value.capacity() + 64).sum::<usize>();
                size_of::<Page>() + fields + uri.capacity() + text(charset) + text(date) + codings + bytes
            }
        };
        size_of::<Job>() + parts
    }
}
