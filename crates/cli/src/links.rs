//! `relref links`: prints the links of pages, of folders with pages, and of web archives.
//!
//! Three stages run at the same time, and each passes its results to the next. The [`Reader`] of inputs queues jobs. Workers, each
//! with an [`Extractor`], turn jobs into lines. The [`Writer`] writes the lines in order. The [`pool`] starts the threads,
//! which have [`Shared`] in common.

mod archive_jobs;
mod dedup;
mod extract;
mod first_bytes;
pub mod input;
mod interrupt;
mod job;
mod line;
mod pool;
mod progress;
mod progress_bar;
mod replaced_files;
mod robots;
mod shared;
mod spill;
mod temp_file;
mod write;

use std::io;
use std::sync::{Arc, Mutex};
use std::thread::available_parallelism;

use indicatif::ProgressBar;

use self::dedup::{FingerprintSecrets, read_lists};
use self::extract::Extractor;
pub use self::first_bytes::is_archive_file;
use self::input::{Reader, bad_base, base_option, needs_base, note_about_base};
use self::interrupt::{Interrupt, die_by, signal_name};
use self::job::Job;
use self::pool::{Block, JobOutput, JobQueue, MAX_THREADS, PoolFailure};
use self::progress::Progress;
use self::progress_bar::show_bar;
use self::replaced_files::ReplacedFiles;
use self::robots::Robots;
use self::shared::Shared;
pub use self::write::write_file;
use self::write::{OutputFiles, Writer};
use crate::args::Links;
use crate::lock::lock;
use crate::output::{Output, counted, shown};
use crate::quoting::file_name;

/// An error is about the output, or about a thread that failed.
pub fn run(args: Links, out: &mut Output) -> io::Result<()> {
    let bad_base = bad_base(&args);
    if let Some(why) = bad_base.as_ref().filter(|_| needs_base(&args)) {
        out.problem(base_option(&args), why);
        return Ok(());
    }
    let replaced = ReplacedFiles::new(&args)?;
    let interrupt = Interrupt::watch();
    let files = OutputFiles::new(&args)?;
    interrupt.set_temp_files(files.temp_paths());
    let bar = ProgressBar::hidden();
    let secrets = FingerprintSecrets::default();
    let read = read_lists(&args, &secrets).and_then(|seen| Ok((seen, Robots::new(&args)?)));
    let (seen, robots) = match read {
        Ok(read) => read,
        Err((name, error)) => {
            out.problem(name, error);
            return Ok(());
        }
    };
    let (scope, progress) = (args.scope(), Progress::default());
    let columns = args.line_columns();
    let shared = Arc::new(Shared { columns, args, scope, robots, progress, secrets, bar, replaced });
    let Shared { args, progress, bar, .. } = &*shared;
    let writer = Arc::new(Mutex::new(Writer::new(&shared, files, seen)));
    // More workers would share the cores with the worker whose output is next, and wait for it.
    let cores = available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or(cores, usize::from).min(MAX_THREADS).min(cores);
    if !args.quiet {
        show_bar(&shared);
    }

    let read = {
        let shared = Arc::clone(&shared);
        move |queue: &mut JobQueue<Job>| Reader { shared: &shared, queue, bad_base }.read_all()
    };
    let worker = {
        let shared = Arc::clone(&shared);
        move || {
            let mut extractor = Extractor::new(&shared, threads);
            move |job: Job, output: &mut JobOutput<'_>| extractor.do_job(job, output)
        }
    };
    let write = {
        let writer = Arc::clone(&writer);
        move |block: &mut Block| lock(&writer).write(block)
    };
    let done = pool::run(threads, args.max_temp.0, read, worker, write, |stop| interrupt.set_stop(stop));

    let failed = progress.failed.get() > 0 && !args.damaged_ok;
    let finished = lock(&writer).finish(done.is_ok(), failed);
    out.exits_with_1 |= failed;
    bar.finish_and_clear();
    note_about_names(args, progress, out);
    if let Some(robots) = &shared.robots {
        robots.report(out);
    }
    let signal = interrupt.signal();
    match (done, signal) {
        (Err(PoolFailure::Threads(error)), _) => {
            out.problem("threads", error);
            return Ok(());
        }
        (Err(PoolFailure::Stage(error)), Some(signal)) if error.kind() == io::ErrorKind::Interrupted => {
            out.note(format_args!("stopped by {} before the end of the inputs", signal_name(signal)));
            for file in args.output_file().iter().chain(&args.rejected_file()) {
                out.problem(shown(&file_name(file)), "left as it was before the command");
            }
        }
        (Err(PoolFailure::Stage(error)), _) => return Err(error),
        (Ok(()), _) => finished?,
    }
    if !args.quiet {
        out.note(progress.totals(bar.elapsed()));
    }
    match signal {
        None => Ok(()),
        Some(signal) => {
            out.flush()?;
            die_by(signal)
        }
    }
}

/// Tells in notes what the names of files and `--base` may not have been meant to give.
fn note_about_names(args: &Links, progress: &Progress, out: &mut Output) {
    if progress.below_base.get() > 0 {
        note_about_base(args).into_iter().for_each(|note| out.note(note));
    }
    let named = progress.query_names.get();
    if named > 0 {
        let (files, remedy) = (counted(named, "file"), "give --names wget or --names plain");
        let have = if named == 1 { "has a name" } else { "have names" };
        out.note(format_args!(
            "{files} {have} with a query, as wget writes them, which becomes part of the path: {remedy}"
        ));
    }
    let sharing = progress.share_base.get();
    if sharing > 1 {
        let remedy = "give --root, or lines PATH<TAB>URI in --files-from";
        out.note(format_args!("{sharing} files have the same URI, that of --base: {remedy}"));
    }
}
