//! The last stage: removes repeated lines (`--unique`), writes lines to the target, and reports problems.

mod output_file;

use std::io;
use std::sync::Arc;

pub use self::output_file::OutputFile;

use super::dedup::Dedup;
use super::pool::{Block, Problem};
use super::shared::Shared;
use crate::args::Links;
use crate::output::{Output, quoted};
use crate::quoting::file_name;

/// The writer of blocks, in their order.
pub struct Writer {
    shared: Arc<Shared>,
    /// `None` after the end.
    target: Option<OutputFile>,
    /// The lines printed so far, with `--unique`.
    dedup: Option<Dedup>,
    reports: Output,
    /// The input of the last problem.
    last_failed: Option<String>,
}

impl Writer {
    pub fn new(shared: &Arc<Shared>, target: OutputFile) -> Self {
        Writer {
            shared: Arc::clone(shared),
            target: Some(target),
            dedup: shared.args.unique.then(Dedup::new),
            reports: Output::new(),
            last_failed: None,
        }
    }

    /// Writes the lines of a block, and then reports its problems.
    pub fn write(&mut self, block: &mut Block) -> io::Result<()> {
        let Shared { args, progress, .. } = &*self.shared;
        let Some(target) = &mut self.target else { return Ok(()) };
        let mut write = |text: &[u8]| target.out.write_all(text).map_err(|error| output_error(args, error));
        let lines = match &mut self.dedup {
            Some(dedup) => dedup.add(block, write)?,
            None => {
                write(&block.text)?;
                block.lines
            }
        };
        progress.links.add(lines);
        self.report(block)
    }

    fn report(&mut self, block: &mut Block) -> io::Result<()> {
        if block.problems.is_empty() {
            return Ok(());
        }
        let Shared { args, progress, replaced, .. } = &*self.shared;
        for Problem { input, offset, why } in block.problems.drain(..) {
            let name = quoted(&input);
            match offset {
                Some(offset) => self.reports.problem(name, format_args!("record at byte {offset}: {why}")),
                None => self.reports.problem(name, why),
            }
            // An archive may have many problems. It is counted once.
            if offset.is_none() || self.last_failed.as_ref() != Some(&input) {
                progress.failed.add(1);
                self.last_failed = Some(input);
            }
        }
        progress.suspend_bar(|| self.reports.flush())?;
        replaced.check_all().map_err(|error| output_error(args, error))
    }

    /// Ends the output. A file is replaced only if the output is `complete`.
    pub fn finish(&mut self, complete: bool) -> io::Result<()> {
        let Some(mut target) = self.target.take().filter(|_| complete) else { return Ok(()) };
        let Shared { args, progress, .. } = &*self.shared;
        if let Some(dedup) = &mut self.dedup {
            let write = |text: &[u8]| target.out.write_all(text).map_err(|error| output_error(args, error));
            progress.links.add(dedup.finish(write)?);
        }
        target.finish().map_err(|error| output_error(args, error))
    }
}

/// Returns an error of the output that names the file of `--output`.
pub fn output_error(args: &Links, error: io::Error) -> io::Error {
    match &args.output {
        Some(path) => io::Error::new(error.kind(), format!("{}: {error}", quoted(&file_name(path)))),
        None => error,
    }
}
