//! The values that all stages of a run share.

use std::sync::Arc;

use relref::crawl::Scope;

use super::progress::Progress;
use super::replaced_files::ReplacedFiles;
use crate::args::Links;

/// The arguments of a run, its progress, and the files that its outputs replace.
pub struct Shared {
    pub args: Links,
    /// The scope of the links to print. `None` if no option limits it.
    pub scope: Option<Scope>,
    pub progress: Arc<Progress>,
    pub replaced: ReplacedFiles,
}
