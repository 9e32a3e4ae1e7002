//! The last stage: removes repeated lines (`--unique`, `--seen`), writes the other lines to the outputs, and reports problems.

mod messages;
pub mod output_file;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::output_file::OutputFile;

use self::messages::Messages;
use super::dedup::Dedup;
use super::pool::Block;
use super::shared::Shared;
use super::spill::SpillFiles;
use crate::args::Links;

pub struct Writer {
    shared: Arc<Shared>,
    /// `None` after [`finish`](Self::finish).
    files: Option<OutputFiles>,
    /// `None` without `--unique` and `--seen`.
    dedup: Option<Dedup>,
    /// Any block so far had lines, of links or of rejected links.
    has_lines: bool,
    messages: Messages,
}

pub struct OutputFiles {
    /// The file of `--output`, or standard output.
    link_output: OutputFile,
    /// `None` without `--rejected`.
    rejected_output: Option<OutputFile>,
}

impl OutputFiles {
    pub fn new(args: &Links) -> io::Result<Self> {
        let link_output = OutputFile::new(args.output.as_deref().unwrap_or(Path::new("-")))?;
        let rejected_output = args.rejected.as_deref().map(OutputFile::new).transpose()?;
        Ok(OutputFiles { link_output, rejected_output })
    }

    pub fn temp_paths(&self) -> Vec<PathBuf> {
        [Some(&self.link_output), self.rejected_output.as_ref()]
            .into_iter()
            .flatten()
            .filter_map(OutputFile::temp_path)
            .collect()
    }
}

impl Writer {
    /// `seen` has the fingerprints of the lists of `--seen`.
    pub fn new(shared: &Arc<Shared>, files: OutputFiles, seen: SpillFiles<u128>) -> Self {
        let Links { unique, seen: lists, .. } = &shared.args;
        let needs_dedup = unique.is_some() || !lists.is_empty();
        Writer {
            shared: Arc::clone(shared),
            files: Some(files),
            dedup: needs_dedup.then(|| Dedup::new(unique.is_some(), seen)),
            has_lines: false,
            messages: Messages::new(),
        }
    }

    /// Empties the list of problems, and may overwrite the text.
    pub fn write(&mut self, block: &mut Block) -> io::Result<()> {
        let Some(OutputFiles { link_output, rejected_output }) = &mut self.files else { return Ok(()) };
        self.has_lines |= block.texts.iter().any(|text| !text.is_empty());
        let progress = &self.shared.progress;
        match &mut self.dedup {
            Some(dedup) => dedup.add(block, progress, |text| link_output.write(text))?,
            None => {
                link_output.write(&block.texts[0])?;
                progress.links.add(block.line_count);
            }
        }
        if let Some(rejected_output) = rejected_output {
            rejected_output.write(&block.texts[1])?;
        }
        self.report(block)
    }

    /// Removes the problems from the block. Fails if an output would replace one of the inputs.
    fn report(&mut self, block: &mut Block) -> io::Result<()> {
        if block.problems.is_empty() {
            return Ok(());
        }
        let Shared { progress, bar, replaced, .. } = &*self.shared;
        block.problems.drain(..).for_each(|problem| self.messages.add(problem, progress));
        bar.suspend(|| self.messages.flush())?;
        replaced.check_all()
    }

    /// Leaves the older output files if `is_complete` is false, or if inputs failed and there were no pages and no lines.
    pub fn finish(&mut self, is_complete: bool, has_failed: bool) -> io::Result<()> {
        let Shared { progress, bar, .. } = &*self.shared;
        bar.suspend(|| self.messages.finish(progress))?;
        let has_result = self.has_lines || self.shared.progress.pages.get() > 0 || !has_failed;
        let files = self.files.take().filter(|_| is_complete && has_result);
        let Some(OutputFiles { mut link_output, rejected_output }) = files else { return Ok(()) };
        if let Some(dedup) = &mut self.dedup {
            dedup.finish(&self.shared.progress, |text| link_output.write(text))?;
        }
        // The file of the links comes last: if it is new, so is the other.
        rejected_output.map_or(Ok(()), OutputFile::finish)?;
        link_output.finish()
    }
}
