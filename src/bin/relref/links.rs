//! `relref links`: the links of pages, folders of them and web archives.

mod archives;
mod format;
mod forms;
mod http;
mod inflate;
mod inputs;
mod list;
mod lookup;
mod members;
mod names;
mod pool;
mod progress;
mod readers;
mod record;
mod room;
mod sniff;
mod sorted;
mod spool;
mod stack;
mod table;
mod tape;
mod target;
mod trees;
mod unique;
mod waiting;
mod walk;
mod warc;
mod work;

use std::io::{self, Write};
use std::sync::Arc;
use std::thread::available_parallelism;

use self::inputs::{Inputs, Item, total_bytes};
use self::pool::{Feed, Problem, Sink, run as run_pool};
use self::progress::Progress;
use self::target::{Replaced, Target};
use self::unique::{Fingerprints, Unique};
use self::work::Worker;
use crate::args::Links;
use crate::output::{Output, quoted};

pub fn run(args: Links, out: &mut Output) -> io::Result<()> {
    let replaced = Arc::new(Replaced::new(&args).map_err(|error| named(&args, error))?);
    let mut target = Target::new(args.output.as_deref()).map_err(|error| named(&args, error))?;
    let threads = args.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from).min(32);
    let args = Arc::new(args);
    let progress = Progress::new();
    let fingerprints = Fingerprints::default();
    if !args.quiet {
        let args = Arc::clone(&args);
        progress.show(args.output.is_some(), move || total_bytes(&args));
    }
    let read = {
        let (args, progress, replaced) = (Arc::clone(&args), Arc::clone(&progress), Arc::clone(&replaced));
        move |feed: &mut Feed| Inputs { args, progress, replaced, feed }.run()
    };
    let worker = {
        let (args, progress, replaced) = (Arc::clone(&args), Arc::clone(&progress), Arc::clone(&replaced));
        move || {
            let mut worker = Worker::new(&args, &progress, &fingerprints, &replaced);
            move |item: Item, sink: &mut Sink<'_>| worker.item(item, sink)
        }
    };
    let mut unique = args.unique.then(Unique::new);
    let mut write = |text: &[u8]| target.write_all(text).map_err(|error| named(&args, error));
    let mut last_failed = None;
    let done = run_pool(threads, read, worker, |block| {
        match &mut unique {
            Some(unique) => progress.links.add(unique.pass(block, &mut write)?),
            None => {
                write(&block.text)?;
                progress.links.add(block.links);
            }
        }
        if block.problems.is_empty() {
            return Ok(());
        }
        for Problem { input, offset, why } in block.problems.drain(..) {
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
        progress.aside(|| out.flush())?;
        replaced.end().map_err(|error| named(&args, error))
    });
    let done = done.and_then(|()| match &mut unique {
        Some(unique) => unique.finish(&mut write).map(|passed| progress.links.add(passed)),
        None => Ok(()),
    });
    let done = done.and_then(|()| target.finish().map_err(|error| named(&args, error)));
    progress.end();
    if done.is_ok() && !args.quiet {
        out.note(progress.totals());
    }
    done
}

/// An error of output that names the file.
fn named(args: &Links, error: io::Error) -> io::Error {
    match &args.output {
        Some(path) => io::Error::new(error.kind(), format!("{}: {error}", quoted(&path.to_string_lossy()))),
        None => error,
    }
}
