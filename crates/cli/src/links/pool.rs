//! The threads of `links`: a reader queues jobs, workers do them, and their results come in the order of the jobs.
//! A panic in one of them names its input; work that needs much memory has a thread of its own.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use relref_links::parallel::{Claim, Claimant, JobResults, Jobs, Limits, Ordered, Stopped, Use};

/// The memory, in bytes, for claims and threads.
const TOTAL_MEMORY: u64 = 32 << 20;
/// The bytes of [`TOTAL_MEMORY`] that cannot be claimed, for each thread.
const MEMORY_PER_THREAD: u64 = 704 << 10;
/// At least 10 MiB of memory can still be claimed with so many.
pub const MAX_THREADS: usize = 32;
const _: () = assert!(MEMORY_PER_THREAD * MAX_THREADS as u64 + (10 << 20) <= TOTAL_MEMORY);

/// Returns what may be claimed with so many threads, and with `disk` bytes of temporary files.
pub fn limits(threads: usize, disk: u64) -> Limits {
    let memory = TOTAL_MEMORY - MEMORY_PER_THREAD * threads as u64;
    [memory / 4, memory / 2, disk, memory / 4]
}

/// The reader's end of the queue.
pub struct JobQueue<J> {
    pub claimant: Claimant,
    sender: Sender<(J, Claim)>,
}

impl<J> JobQueue<J> {
    /// Waits until there is memory for more jobs (backpressure). `bytes` are those of the job.
    pub fn add(&mut self, job: J, bytes: usize) -> Result<(), Stopped> {
        let claim = self.claimant.claim(Use::Queue, bytes as u64)?;
        self.sender.send((job, claim)).map_err(|_| Stopped)
    }
}

pub enum PoolFailure {
    /// The system could not start the reader thread, or any worker thread.
    Threads(io::Error),
    /// The function that writes failed, or a thread ended early or panicked.
    Stage(io::Error),
}

/// Does jobs, and has their results written, until all are or an error stops it.
///
/// - `threads`: if the system starts only some of the workers, these do all jobs.
/// - `read` queues the jobs, in the reader thread.
/// - `worker` is called once in each worker thread, and returns the function that does a job.
///
/// After an error, threads may still run when this function returns. Each ends when it next claims memory or writes.
pub fn run<J, B, W>(
    threads: usize,
    ordered: &Arc<Ordered<'static, B>>,
    read: impl FnOnce(&mut JobQueue<J>) -> Result<(), Stopped> + Send + 'static,
    worker: impl Fn() -> W + Send + Sync + 'static,
) -> Result<(), PoolFailure>
where
    J: Send + 'static,
    B: Send + 'static,
    W: FnMut(J, &mut JobResults<'_, 'static, B>) -> io::Result<()>,
{
    let (sender, receiver) = channel();
    let mut queue = JobQueue { claimant: ordered.claimant(), sender };
    start_thread("the reader", ordered, move |_| Ok(read(&mut queue)?)).map_err(PoolFailure::Threads)?;
    let (worker, jobs) = (Arc::new(worker), Arc::new(Jobs::new(receiver.into_iter().map(|(job, _)| job).enumerate())));
    for number in 0..threads {
        let (worker, jobs) = (Arc::clone(&worker), Arc::clone(&jobs));
        match start_thread("a worker", ordered, move |ordered| ordered.do_jobs(&jobs, worker())) {
            Err(_) if number > 0 => break,
            started => started.map_err(PoolFailure::Threads)?,
        }
    }
    // The queue stays open until then: otherwise a reader that finds it closed could be blamed for the worker that failed.
    ordered.wait().map_err(PoolFailure::Stage)
}

/// If `run` fails or panics, stops all stages with a message that has `name`. An error says why no thread starts.
fn start_thread<B: Send + 'static>(
    name: &'static str,
    ordered: &Arc<Ordered<'static, B>>,
    run: impl FnOnce(&Ordered<'static, B>) -> io::Result<()> + Send + 'static,
) -> io::Result<()> {
    let own = Arc::clone(ordered);
    let run = move || {
        let done = catch_unwind(AssertUnwindSafe(|| run(&own))).unwrap_or_else(|panic| {
            Err(io::Error::other(match input_of(&*panic) {
                Some(input) => format!("{name} failed at {input}"),
                None => format!("{name} failed"),
            }))
        });
        // If an error stopped the stages, that error is kept.
        let is_early = done.as_ref().is_err_and(Stopped::is_cause);
        match is_early {
            true => own.end_early(io::Error::other(format!("{name} ended early"))),
            false => own.end_thread(done),
        }
    };
    ordered.start_thread();
    let started = thread::Builder::new().spawn(run).map(drop);
    if started.is_err() {
        ordered.end_thread(Ok(()));
    }
    started
}

/// A panic with the name of the input at which it happened.
struct InputPanic(String);

/// Adds the name of an input to a panic in `work`. Of nested inputs, such as an archive in a WACZ file, the inner name is kept.
pub fn at_input<T>(name: impl FnOnce() -> String, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let is_named = input_of(&*panic).is_some();
        resume_unwind(if is_named { panic } else { Box::new(InputPanic(name())) })
    })
}

/// `None` if the panic did not happen in [`at_input`].
fn input_of(panic: &(dyn Any + Send)) -> Option<&str> {
    panic.downcast_ref::<InputPanic>().map(|InputPanic(name)| name.as_str())
}

/// The memory, in bytes, from which decoding gets a thread of its own.
const OWN_THREAD_MEMORY: u64 = 2 << 20;

/// Does work that takes much memory. An allocator keeps, for each thread, memory that the thread has freed, and a worker must not
/// keep much. A new thread takes over the memory of a thread that has ended. Fails also if the system cannot start a thread. A panic
/// of `work` goes on in the calling thread.
pub fn in_own_thread<T: Send>(work: impl FnOnce() -> io::Result<T> + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, work)?;
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Calls `decode`, which takes `memory` bytes of memory.
pub fn decode_in_thread<T: Send>(memory: u64, decode: impl FnOnce() -> io::Result<T> + Send) -> io::Result<T> {
    if memory < OWN_THREAD_MEMORY { decode() } else { in_own_thread(decode) }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A reader or worker that ends early or panics ends the command, not only its thread.
    #[test]
    fn a_thread_that_ends_early_ends_the_run() {
        #[derive(Clone, Copy, PartialEq)]
        enum Who {
            Reader,
            Worker,
            Writer,
        }
        #[derive(Clone, Copy)]
        enum How {
            Early,
            Panic,
            /// A panic at an input that is in another one.
            PanicAtInput,
        }
        let panic = || panic!("wanted by this test");
        for (who, how, expected) in [
            (Who::Reader, How::Early, "the reader ended early"),
            (Who::Reader, How::Panic, "the reader failed"),
            (Who::Reader, How::PanicAtInput, "the reader failed at a.wacz:b.warc"),
            (Who::Worker, How::Early, "a worker ended early"),
            (Who::Worker, How::Panic, "a worker failed"),
            (Who::Worker, How::PanicAtInput, "a worker failed at a.wacz:b.warc"),
            (Who::Writer, How::Early, "disk full"),
        ] {
            let end = move |is_here: bool| match (is_here, how) {
                (false, _) => Ok(()),
                (true, How::Early) => Err(Stopped),
                (true, How::Panic) => panic(),
                (true, How::PanicAtInput) => {
                    at_input(|| "a.wacz".into(), || at_input(|| "a.wacz:b.warc".into(), panic))
                }
            };
            let (sender, receiver) = channel();
            thread::spawn(move || {
                let read = move |queue: &mut JobQueue<()>| loop {
                    end(who == Who::Reader)?;
                    queue.add((), 1000)?;
                };
                let worker = move || {
                    move |(), results: &mut JobResults<'_, 'static, ()>| {
                        end(who == Who::Worker)?;
                        Ok(results.add(&mut (), |()| ((), 1))?)
                    }
                };
                let write = move |(): &mut ()| match who {
                    Who::Writer => Err(io::Error::other("disk full")),
                    _ => Ok(()),
                };
                let ordered = Arc::new(Ordered::new(limits(2, 0), write));
                sender.send(match run(2, &ordered, read, worker) {
                    Err(PoolFailure::Stage(error)) => error.to_string(),
                    _ => String::new(),
                })
            });
            let end = receiver.recv_timeout(Duration::from_secs(5));
            assert_eq!(end.as_deref(), Ok(expected));
        }
    }
}
