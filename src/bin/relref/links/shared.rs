//! The values that all stages of a run share.

use std::sync::Arc;

use super::progress::Progress;
use super::replaced_file::ReplacedFile;
use crate::args::Links;

/// The arguments of a run, its progress, and the file that its output replaces.
pub struct Shared {
    pub args: Links,
    pub progress: Arc<Progress>,
    pub replaced: ReplacedFile,
}
