//! The last stage: removes repeated lines (`--unique`, `--seen`), writes the other lines to the outputs, and reports problems.

pub mod output_file;

use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::output_file::{OutputFile, write_file};

use super::block::{Block, Problem};
use super::dedup::Dedup;

use super::progress::Progress;
use super::shared::Shared;
use crate::args::Links;
use crate::output::{Output, counted, shown};

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
        iter::once(&self.link_output).chain(&self.rejected_output).filter_map(OutputFile::temp_path).collect()
    }
}

impl Writer {
    /// `dedup` is `None` without `--unique` and `--seen`.
    pub fn new(shared: &Arc<Shared>, files: OutputFiles, dedup: Option<Dedup>) -> Self {
        Writer { shared: Arc::clone(shared), files: Some(files), dedup, has_lines: false, messages: Messages::new() }
    }

    /// Empties the list of problems, and may overwrite the text. Fails also if an output would replace one of the inputs.
    pub fn write(&mut self, block: &mut Block) -> io::Result<()> {
        let Some(OutputFiles { link_output, rejected_output }) = &mut self.files else { return Ok(()) };
        self.has_lines |= block.texts.iter().any(|text| !text.is_empty());
        let Shared { progress, bar, replaced, .. } = &*self.shared;
        match &mut self.dedup {
            Some(dedup) => dedup.add(block, progress, link_output)?,
            None => {
                link_output.write_all(&block.texts[0])?;
                progress.links.add(block.line_count);
            }
        }
        if let Some(rejected_output) = rejected_output {
            rejected_output.write_all(&block.texts[1])?;
        }
        if block.problems.is_empty() {
            return Ok(());
        }
        block.problems.drain(..).for_each(|problem| self.messages.add(problem, progress));
        bar.suspend(|| self.messages.out.flush())?;
        replaced.check_all()
    }

    /// Leaves the older output files if `is_complete` is false, or if inputs failed and there were no pages and no lines.
    pub fn finish(&mut self, is_complete: bool, has_failed: bool) -> io::Result<()> {
        let Shared { progress, bar, .. } = &*self.shared;
        bar.suspend(|| self.messages.finish(progress))?;
        let has_result = self.has_lines || self.shared.progress.pages.get() > 0 || !has_failed;
        let files = self.files.take().filter(|_| is_complete && has_result);
        let Some(OutputFiles { mut link_output, rejected_output }) = files else { return Ok(()) };
        if let Some(dedup) = self.dedup.take() {
            dedup.finish(&self.shared.progress, &mut link_output)?;
        }
        // The file of the links comes last: if it is new, so is the other.
        rejected_output.map_or(Ok(()), OutputFile::finish)?;
        link_output.finish()
    }
}

/// The messages about problems, of which each input and the whole run have a limited number. Problems of one input come one after
/// the other.
struct Messages {
    out: Output,
    /// The input of the last problem.
    input: Option<Arc<str>>,
    /// Problems of this input of which there are messages.
    told: u64,
    further: u64,
    /// The length of all messages so far, in bytes.
    len: usize,
    /// Problems without a message that were told as the further problems of an input.
    told_as_number: u64,
}

impl Messages {
    /// The length of all messages, in bytes, after which problems are only counted.
    const MAX_LEN: usize = 1 << 20;

    fn new() -> Self {
        Messages { out: Output::new(), input: None, told: 0, further: 0, len: 0, told_as_number: 0 }
    }

    /// Adds the message about a problem, or only counts the problem if there are too many. Also counts each input with problems.
    fn add(&mut self, problem: Problem, progress: &Progress) {
        let Problem { input, offset, why, count } = problem;
        // An archive may have many problems, which share its name. It is counted once.
        if !self.input.as_ref().is_some_and(|last| Arc::ptr_eq(last, &input)) {
            self.end_input(progress);
            progress.failed.add(1);
            self.input = Some(Arc::clone(&input));
        }
        let has_text = !why.is_empty();
        if !has_text || self.told == Problem::MAX_TOLD || progress.messages_end.get() > 0 {
            self.further += count;
            return progress.untold.add(count);
        }
        self.told += 1;
        match offset {
            Some(offset) => self.tell(&input, format_args!("record at byte {offset}: {why}"), progress),
            None => self.tell(&input, format_args!("{why}"), progress),
        }
    }

    /// The next problem is one of another input.
    fn end_input(&mut self, progress: &Progress) {
        let (input, further) = (self.input.take(), std::mem::take(&mut self.further));
        self.told = 0;
        if let (Some(input), 1.., 0) = (input, further, progress.messages_end.get()) {
            self.told_as_number += further;
            self.tell(&input, format_args!("and {}", counted(further, "more problem")), progress);
        }
    }

    /// A line that reaches the greatest length of all messages is the last one.
    fn tell(&mut self, input: &str, what: std::fmt::Arguments<'_>, progress: &Progress) {
        self.len += self.out.problem(shown(input), what);
        if self.len >= Self::MAX_LEN {
            progress.messages_end.add(1);
        }
    }

    /// Writes the last messages, with the numbers of problems that were not told.
    fn finish(&mut self, progress: &Progress) -> io::Result<()> {
        self.end_input(progress);
        let untold = progress.untold.get() - self.told_as_number;
        if untold > 0 {
            self.out.note(format_args!("and {}, after 1 MiB of messages", counted(untold, "more problem")));
        }
        self.out.flush()
    }
}
