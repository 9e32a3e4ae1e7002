//! `relref links`: prints the links of pages, of folders with pages, and of web archives.
//!
//! Three stages run at the same time, and each passes its results to the next. The [`Reader`] of inputs queues jobs. Workers, each
//! with an [`Extractor`], turn jobs into lines. The [`Writer`] writes the lines in the order of the jobs ([`Ordered`]). The [`pool`]
//! starts the threads, which have [`Shared`] in common.

mod archive_jobs;
mod block;
mod dedup;
mod extract;
mod first_bytes;
pub mod input;
mod interrupt;
mod job;
mod job_output;
mod line;
mod pool;
mod progress;
mod replaced_files;
mod robots;
mod shared;
mod temp_file;
mod write;

use std::io::{self, IsTerminal, stderr, stdout};
use std::mem::take;
use std::sync::{Arc, Mutex};
use std::thread::{self, available_parallelism};

use indicatif::ProgressBar;
use relref_links::parallel::{JobResults, Ordered, lock};

use self::block::Block;
use self::dedup::{Dedup, FingerprintSecrets, read_lists};
use self::extract::Extractor;
pub use self::first_bytes::is_archive_file;
use self::input::{Reader, bad_base, base_option, needs_base, note_about_base, total_bytes};
use self::interrupt::{Interrupt, die_by, signal_name};
use self::job::Job;
use self::job_output::JobOutput;
use self::pool::{JobQueue, MAX_THREADS, PoolFailure, limits};
use self::progress::Progress;
use self::replaced_files::ReplacedFiles;
use self::robots::Robots;
use self::shared::Shared;
pub use self::write::{OutputFile, write_file};
use self::write::{OutputFiles, Writer};
use crate::args::Links;
use crate::output::{Output, counted, shown};
use crate::progress_bar;
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
    let needs_dedup = args.unique.is_some() || !args.seen.is_empty();
    let mut dedup = needs_dedup.then(|| Dedup::new(args.unique.is_some(), args.max_memory.0));
    let read = dedup.as_mut().map_or(Ok(()), |dedup| read_lists(&args, &secrets, |listed| dedup.add_listed(listed)));
    let robots = match read.and_then(|()| Robots::new(&args)) {
        Ok(robots) => robots,
        Err((name, error)) => {
            out.problem(name, error);
            return Ok(());
        }
    };
    let (scope, progress) = (args.scope(), Progress::default());
    let columns = args.line_columns();
    let shared = Arc::new(Shared { columns, args, scope, robots, progress, secrets, bar, replaced });
    let Shared { args, progress, bar, .. } = &*shared;
    let writer = Arc::new(Mutex::new(Writer::new(&shared, files, dedup)));
    // More workers would share the cores with the worker whose output is next, and wait for it.
    let cores = available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or(cores, usize::from).min(MAX_THREADS).min(cores);
    // The bar would stand between lines that are printed to the same terminal.
    if !args.quiet && stderr().is_terminal() && !(args.writes_stdout() && stdout().is_terminal()) {
        let shared = Arc::clone(&shared);
        // If no thread can be started, there is no bar.
        let _ = thread::Builder::new().spawn(move || show_bar(&shared));
    }

    let done = do_jobs(&shared, &writer, threads, bad_base, &interrupt);

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
            out.problem("cannot start threads", error);
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

fn show_bar(Shared { args, progress, bar, .. }: &Shared) {
    progress_bar::show(
        bar,
        || total_bytes(args),
        |bar| {
            let (inputs, links) = (counted(progress.inputs.get(), "input"), counted(progress.links.get(), "link"));
            bar.set_message(format!(", {inputs}, {links}"));
            bar.set_position(progress.bytes.get());
        },
    );
}

/// Runs the three stages. `bad_base` is the message about an invalid `--base`.
fn do_jobs(
    shared: &Arc<Shared>,
    writer: &Arc<Mutex<Writer>>,
    threads: usize,
    bad_base: Option<String>,
    interrupt: &Interrupt,
) -> Result<(), PoolFailure> {
    let (of_reader, of_workers, writer) = (Arc::clone(shared), Arc::clone(shared), Arc::clone(writer));
    let read = move |queue: &mut JobQueue<Job>| Reader { shared: &of_reader, queue, bad_base }.read_all();
    let worker = move || {
        let (mut extractor, mut block) = (Extractor::new(&of_workers, threads), Block::default());
        move |job: Job, results: &mut JobResults<'_, 'static, Block>| {
            let mut output = JobOutput::new(results, take(&mut block));
            extractor.do_job(job, &mut output)?;
            block = output.finish()?;
            Ok(())
        }
    };
    let limits = limits(threads, shared.args.max_temp.0);
    let ordered = Arc::new(Ordered::new(limits, move |block: &mut Block| lock(&writer).write(block)));
    let stopped = Arc::clone(&ordered);
    interrupt.set_stop(Box::new(move |error| stopped.stop(error)));
    pool::run(threads, &ordered, read, worker)
}

/// Tells in notes what the names of files and `--base` may not have been meant to give.
fn note_about_names(args: &Links, progress: &Progress, out: &mut Output) {
    if progress.below_base.get() > 0 {
        note_about_base(args).into_iter().for_each(|note| out.note(note));
    }
    let named = progress.query_names.get();
    if named > 0 {
        let (files, remedy) = (counted(named, "file"), "give --names wget or --names plain");
        let have = if named == 1 { "has a query in its name" } else { "have queries in their names" };
        let note = "as wget writes them, and they are read as part of the path";
        out.note(format_args!("{files} {have}, {note}: {remedy}"));
    }
    let sharing = progress.share_base.get();
    if sharing > 1 {
        let remedy = "give --root, or lines PATH<TAB>URI in --files-from";
        out.note(format_args!("{sharing} files have the same URI, that of --base: {remedy}"));
    }
}
