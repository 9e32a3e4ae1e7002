//! The state that the threads of `links` share: the arguments, and the state made from them (the scope, the rules of robots, the progress).

use indicatif::ProgressBar;
use relref::crawl::Scope;
use relref_links::page::Store;

use super::dedup::FingerprintSecrets;
use super::progress::Progress;
use super::replaced_files::ReplacedFiles;
use super::robots::Robots;
use crate::args::{Column, Links};

/// The most bytes of a page that stay in memory. If a page has more, its bytes are in a file, which is read as a stream. Pages from
/// streams and records of WAT files have limits of their own.
pub const PAGE_IN_MEMORY: usize = 256 << 10;

/// Shared by all stages of a run: the arguments, and what follows from them.
pub struct Shared {
    pub args: Links,
    pub columns: Vec<Column>,
    /// `None` without `--follow` and without an option that limits the scope.
    pub scope: Option<Scope>,
    /// `None` without `--robots`.
    pub robots: Option<Robots>,
    pub progress: Progress,
    pub secrets: FingerprintSecrets,
    /// Measures the time of the run, even if it is not shown.
    pub bar: ProgressBar,
    pub replaced: ReplacedFiles,
}

impl Shared {
    /// Returns a store for the bytes of a page, with the limits that the arguments give.
    pub fn store(&self) -> Store<'_> {
        let (max_page, limit_name) = (self.args.max_page.0, "--max-page");
        Store { max_page, limit_name, in_memory: PAGE_IN_MEMORY, ..Store::default() }
    }
}
