//! `relref links`: the links of pages, folders of them and web archives.

mod archives;
mod format;
mod forms;
mod http;
mod inputs;
mod members;
mod pool;
mod progress;
mod readers;
mod record;
mod room;
mod runs;
mod sniff;
mod spool;
mod tape;
mod unique;
mod warc;
mod work;

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::thread::available_parallelism;

use self::inputs::{Inputs, Item, total_bytes};
use self::pool::{Block, Feed, Problem, Sink, run as run_pool};
use self::progress::Progress;
use self::unique::{Fingerprints, Seen};
use self::work::Worker;
use crate::args::Links;
use crate::output::{Output, quoted};

pub fn run(args: Links, out: &mut Output) -> io::Result<()> {
    let mut sink: Box<dyn Write> = match &args.output {
        None => Box::new(io::stdout().lock()),
        Some(path) => Box::new(File::create(path).map_err(|error| named(&args, error))?),
    };
    let threads = args.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let args = Arc::new(args);
    let progress = Progress::new();
    let fingerprints = Fingerprints::default();
    if !args.quiet {
        let args = Arc::clone(&args);
        progress.show(args.output.is_some(), move || total_bytes(&args));
    }
    let read = {
        let (args, progress) = (Arc::clone(&args), Arc::clone(&progress));
        move |feed: &mut Feed| Inputs { args, progress, feed }.run()
    };
    let worker = {
        let (args, progress) = (Arc::clone(&args), Arc::clone(&progress));
        move || {
            let mut worker = Worker::new(&args, &progress, &fingerprints, threads);
            move |item: Item, sink: &mut Sink<'_>| worker.item(item, sink)
        }
    };
    let mut seen = args.unique.then(Seen::new);
    let mut last_failed = None;
    let done = run_pool(threads, read, worker, |mut block| {
        if let Some(seen) = &mut seen {
            keep_new(&mut block, seen)?;
        }
        sink.write_all(&block.text).map_err(|error| named(&args, error))?;
        progress.links.add(block.links);
        if block.problems.is_empty() {
            return Ok(());
        }
        for Problem { input, offset, why } in block.problems {
            let name = quoted(&input);
            match offset {
                Some(offset) => out.problem(name, format_args!("record at byte {offset}: {why}")),
                None => out.problem(name, why),
            }
            // Of an archive there may be many.
            if offset.is_none() || last_failed.as_ref() != Some(&input) {
                progress.failed.add(1);
                last_failed = Some(input);
            }
        }
        progress.aside(|| out.flush())
    });
    let done = done.and_then(|()| sink.flush().map_err(|error| named(&args, error)));
    progress.end();
    if done.is_ok() && !args.quiet {
        out.note(progress.totals());
    }
    done
}

/// Takes out the lines of URIs that were seen.
fn keep_new(block: &mut Block, seen: &mut Seen) -> io::Result<()> {
    let (mut start, mut end) = (0, 0);
    for (line_end, fingerprint) in block.marks.drain(..) {
        if seen.insert(fingerprint)? {
            block.text.copy_within(start..line_end, end);
            end += line_end - start;
        } else {
            block.links -= 1;
        }
        start = line_end;
    }
    block.text.truncate(end);
    Ok(())
}

/// An error of output that names the file.
fn named(args: &Links, error: io::Error) -> io::Error {
    match &args.output {
        Some(path) => io::Error::new(error.kind(), format!("{}: {error}", quoted(&path.to_string_lossy()))),
        None => error,
    }
}
