//! Pages of any kind, and one reader of their links (feature `page`).
//!
//! A [`Page`] is an HTML page, Markdown (feature `markdown`), a style sheet, a sitemap, a feed, a `robots.txt`, or the WAT record or the outlinks of a page: a file,
//! or a capture of an archive. [`Page::links`] returns its links, also those in its HTTP fields. [`Captures`] are the pages of an
//! archive, of an MHTML file or of an EPUB. [`LinkReader`] has
//! options, and one link in memory at a time. This is how `relref links` reads pages.
//!
//! ```no_run
//! use relref_links::page::{Captures, Page};
//!
//! for link in Page::open("index.html", "http://example.com/")?.links() {
//!     println!("{}", link?);
//! }
//! for page in Captures::open("crawl.warc.gz")? {
//!     match page {
//!         Ok(mut page) => {
//!             for link in page.links().flatten() {
//!                 println!("{} {link}", page.uri);
//!             }
//!         }
//!         Err(problem) => eprintln!("{problem}"),
//!     }
//! }
//! # Ok::<(), std::io::Error>(())
//! ```

mod any_page;
mod bytes;
mod captures;
#[cfg(feature = "wacz")]
mod epub;
mod file_kind;
mod kind;
mod link_reader;
mod mhtml;
mod other_kind;
mod problem;
mod record_pages;
mod statuses;
mod transfer;
mod uri_forms;
#[cfg(feature = "wacz")]
mod wacz;

pub use self::any_page::Page;
pub use self::bytes::{PageBytes, Store, TempFile};
pub use self::captures::Captures;
#[cfg(feature = "check")]
pub(crate) use self::epub::EpubFile;
#[cfg(feature = "wacz")]
pub use self::epub::{is_epub, is_epub_file};
pub use self::file_kind::FileKind;
#[doc(hidden)]
pub use self::file_kind::split_query;
#[cfg(feature = "check")]
pub(crate) use self::kind::MARKDOWN_ENDINGS;
pub use self::kind::PageKind;
pub use self::link_reader::LinkReader;
pub use self::other_kind::other_kind;
pub use self::problem::{ArchiveProblem, Skipped};
#[cfg(feature = "check")]
pub(crate) use self::record_pages::decoded_start;
pub use self::statuses::{Statuses, StatusesError};
pub use self::uri_forms::{UriForm, UriForms};
