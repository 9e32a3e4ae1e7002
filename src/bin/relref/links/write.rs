//! The last stage: removes repeated lines (`--unique`, `--seen`), writes the other lines to the outputs, and reports problems.

pub mod output_file;

use std::io;
use std::path::Path;
use std::sync::Arc;

pub use self::output_file::OutputFile;

use super::Shared;
use super::dedup::Dedup;
use super::pool::{Block, Problem};
use super::spill::SpillFiles;
use crate::args::Links;
use crate::output::{Output, shown};

/// The writer of blocks: of their lines to the outputs, and of their problems to standard error.
pub struct Writer {
    shared: Arc<Shared>,
    /// The outputs for lines. `None` after [`finish`](Self::finish).
    files: Option<OutputFiles>,
    /// The state of the deduplication. `None` without `--unique` and `--seen`.
    dedup: Option<Dedup>,
    /// True if any block so far had lines, of links or of rejected links.
    has_lines: bool,
    /// The lines about problems that are not yet written to standard error.
    messages: Output,
    /// The name of the input that was counted last in [`Progress::failed`](super::progress::Progress::failed).
    last_failed: Option<Arc<str>>,
}

/// The outputs for lines. Each is a file or standard output.
pub struct OutputFiles {
    /// The output for links: the file of `--output`, or standard output.
    link_output: OutputFile,
    /// The output for rejected links. `None` without `--rejected`.
    rejected_output: Option<OutputFile>,
}

impl OutputFiles {
    /// Opens the outputs that the arguments name.
    pub fn new(args: &Links) -> io::Result<Self> {
        let link_output = OutputFile::new(args.output.as_deref().unwrap_or(Path::new("-")))?;
        let rejected_output = args.rejected.as_deref().map(OutputFile::new).transpose()?;
        Ok(OutputFiles { link_output, rejected_output })
    }
}

impl Writer {
    /// Returns a writer to `files`. `seen` has the fingerprints of the lists of `--seen`.
    pub fn new(shared: &Arc<Shared>, files: OutputFiles, seen: SpillFiles<u128>) -> Self {
        let Links { unique, seen: lists, .. } = &shared.args;
        let needs_dedup = unique.is_some() || !lists.is_empty();
        Writer {
            shared: Arc::clone(shared),
            files: Some(files),
            dedup: needs_dedup.then(|| Dedup::new(unique.is_some(), seen)),
            has_lines: false,
            messages: Output::new(),
            last_failed: None,
        }
    }

    /// Writes the lines of a block, and then reports its problems. Empties the list of problems, and may overwrite the text.
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

    /// Reports the problems of a block on standard error, removes them from it, and counts the inputs that failed. Fails if an
    /// output would replace one of the inputs.
    fn report(&mut self, block: &mut Block) -> io::Result<()> {
        if block.problems.is_empty() {
            return Ok(());
        }
        let Shared { progress, bar, replaced, .. } = &*self.shared;
        for Problem { input, offset, why } in block.problems.drain(..) {
            let name = shown(&input);
            match offset {
                Some(offset) => self.messages.problem(name, format_args!("record at byte {offset}: {why}")),
                None => self.messages.problem(name, why),
            }
            // An archive may have many problems, which share its name. It is counted once.
            if !self.last_failed.as_ref().is_some_and(|last| Arc::ptr_eq(last, &input)) {
                progress.failed.add(1);
                self.last_failed = Some(input);
            }
        }
        bar.suspend(|| self.messages.flush())?;
        replaced.check_all()
    }

    /// Writes the lines that are still undecided, and replaces the older output files by the new ones. Leaves the older files as
    /// they are if `is_complete` is false, or if inputs failed (`has_failed`) and there were no pages and no lines.
    pub fn finish(&mut self, is_complete: bool, has_failed: bool) -> io::Result<()> {
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
