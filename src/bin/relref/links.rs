//! `relref links`: the links of pages, folders of them and web archives.

mod archives;
mod body_store;
mod format;
mod forms;
mod inputs;
mod list;
mod long_values;
mod lookup;
mod name_stack;
mod names;
mod pool;
mod progress;
mod readers;
mod sorted;
mod table;
mod target;
mod trees;
mod unique;
mod waiting;
mod walk;
mod work;

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

use self::inputs::{Inputs, Item, total_bytes};
use self::pool::{Block, Failure, JobOutput, JobQueue, MOST_THREADS, Problem, run as run_pool};
use self::progress::Progress;
use self::target::{Replaced, Target};
use self::unique::{Fingerprints, Unique};
use self::work::Worker;
use crate::args::Links;
use crate::escape::file_name;
use crate::output::{Output, quoted};

pub fn run(args: Links, out: &mut Output) -> io::Result<()> {
    let replaced = Arc::new(Replaced::new(&args).map_err(|error| named(&args, error))?);
    let target = Target::new(args.output.as_deref()).map_err(|error| named(&args, error))?;
    let cores = available_parallelism().map_or(1, usize::from);
    // More would share the cores with the thread whose output is next, and wait for it.
    let threads = args.threads.map_or(cores, usize::from).min(MOST_THREADS).min(cores);
    let args = Arc::new(args);
    let progress = Progress::new();
    let fingerprints = Fingerprints::default();
    let max_temp = args.max_temp.0;
    if !args.quiet {
        let args = Arc::clone(&args);
        progress.show(args.output.is_some(), move || total_bytes(&args));
    }
    let read = {
        let (args, progress, replaced) = (Arc::clone(&args), Arc::clone(&progress), Arc::clone(&replaced));
        move |feed: &mut JobQueue<Item>| Inputs { args, progress, replaced, feed }.run()
    };
    let worker = {
        let (args, progress, replaced) = (Arc::clone(&args), Arc::clone(&progress), Arc::clone(&replaced));
        move || {
            let mut worker = Worker::new(&args, &progress, &fingerprints, &replaced, threads);
            move |item: Item, sink: &mut JobOutput<'_>| worker.item(item, sink)
        }
    };
    let printer = Arc::new(Mutex::new(Printer {
        args: Arc::clone(&args),
        progress: Arc::clone(&progress),
        replaced,
        target: Some(target),
        unique: args.unique.then(Unique::new),
        reports: Output::new(),
        last_failed: None,
    }));
    let write = {
        let printer = Arc::clone(&printer);
        move |block: &mut Block| printer.lock().unwrap_or_else(PoisonError::into_inner).print(block)
    };
    let done = run_pool(threads, max_temp, read, worker, write);
    let mut printer = printer.lock().unwrap_or_else(PoisonError::into_inner);
    let finished = printer.finish(done.is_ok());
    out.failed |= progress.failed.get() > 0;
    progress.end();
    match done {
        Err(Failure::Threads(error)) => out.problem("threads", error),
        Err(Failure::Run(error)) => return Err(error),
        Ok(()) => {
            finished?;
            if !args.quiet {
                out.note(progress.totals());
            }
        }
    }
    Ok(())
}

/// Writes blocks, in their order: lines, and problems after them.
struct Printer {
    args: Arc<Links>,
    progress: Arc<Progress>,
    replaced: Arc<Replaced>,
    /// None once it is finished.
    target: Option<Target>,
    unique: Option<Unique>,
    reports: Output,
    /// The input of the last problem.
    last_failed: Option<String>,
}

impl Printer {
    fn print(&mut self, block: &mut Block) -> io::Result<()> {
        let Printer { args, progress, target, unique, .. } = self;
        let mut write = |text: &[u8]| match target {
            Some(target) => target.write_all(text).map_err(|error| named(args, error)),
            None => Ok(()),
        };
        match unique {
            Some(unique) => progress.links.add(unique.pass(block, &mut write)?),
            None => {
                write(&block.text)?;
                progress.links.add(block.lines);
            }
        }
        if block.problems.is_empty() {
            return Ok(());
        }
        for Problem { input, offset, why } in block.problems.drain(..) {
            let name = quoted(&input);
            match offset {
                Some(offset) => self.reports.problem(name, format_args!("record at byte {offset}: {why}")),
                None => self.reports.problem(name, why),
            }
            // Of an archive there may be many.
            if offset.is_none() || self.last_failed.as_ref() != Some(&input) {
                self.progress.failed.add(1);
                self.last_failed = Some(input);
            }
        }
        self.progress.aside(|| self.reports.flush())?;
        self.replaced.end().map_err(|error| named(&self.args, error))
    }

    /// Ends the output; after an error a file that was written is dropped.
    fn finish(&mut self, is_whole: bool) -> io::Result<()> {
        let Some(mut target) = self.target.take().filter(|_| is_whole) else { return Ok(()) };
        if let Some(unique) = &mut self.unique {
            let write = |text: &[u8]| target.write_all(text).map_err(|error| named(&self.args, error));
            self.progress.links.add(unique.finish(write)?);
        }
        target.finish().map_err(|error| named(&self.args, error))
    }
}

/// An error of output that names the file.
fn named(args: &Links, error: io::Error) -> io::Error {
    match &args.output {
        Some(path) => io::Error::new(error.kind(), format!("{}: {error}", quoted(&file_name(path)))),
        None => error,
    }
}
