//! The ordered worker pool: jobs are done at the same time, and their output is written in their order.
//! A reader thread queues jobs, which worker threads do. A panic in one of them names its input; work that needs much memory has a
//! thread of its own.
//!
//! One job at a time has the turn to write: the first one whose output is not completely written. Its worker writes each block of
//! output as soon as it is full, from the buffer in which it was made. Blocks of later jobs wait in memory (a reorder buffer). When
//! the job with the turn is complete, its worker also writes the blocks of those next jobs that are complete. So no thread only
//! writes, and a block is still in the processor's cache when it is written. Queued jobs and waiting blocks take their memory from
//! the [`Budget`].

mod block;
mod budget;
mod job_output;
mod ordered_output;

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

pub use self::block::{Block, LineFingerprint, LineKind, Problem};
pub use self::budget::{Claim, Claimant, MAX_THREADS, Stopped, Use};
pub use self::job_output::{JobOutput, WriteLine};

use self::budget::{Budget, Rank};
use self::ordered_output::OrderedOutput;
use crate::lock::lock;

struct QueuedJob<J> {
    /// The place in the order of the output.
    index: u64,
    job: J,
    /// The memory of the job, until it is done.
    claim: Claim,
}

/// The reader's end of the queue.
pub struct JobQueue<J> {
    pub claimant: Claimant,
    /// The number of the jobs so far, which is also the index of the next one.
    job_count: u64,
    sender: Sender<QueuedJob<J>>,
}

impl<J> JobQueue<J> {
    /// Waits until `bytes` of memory are available for the job (backpressure).
    pub fn add(&mut self, job: J, bytes: usize) -> Result<(), Stopped> {
        let claim = self.claimant.claim(Use::Queue, (bytes + size_of::<QueuedJob<J>>()) as u64)?;
        let queued = QueuedJob { index: self.job_count, job, claim };
        self.job_count += 1;
        self.sender.send(queued).map_err(|_| Stopped)
    }
}

/// Stops a pool because of an error, from any thread.
pub type StopPool = Box<dyn FnOnce(io::Error) + Send>;

pub enum PoolFailure {
    /// The system could not start the reader thread, or any worker thread.
    Threads(io::Error),
    /// The function `write` failed, or a thread ended early or panicked.
    Stage(io::Error),
}

/// Runs the pool until all output is written or an error stops it.
///
/// - `threads`: if the system starts only some of the workers, these do all jobs.
/// - `disk`: bytes that temporary files of pages may take together.
/// - `read` queues the jobs, in the reader thread.
/// - `worker` is called once in each worker thread, and returns the function that does a job.
/// - `write` gets the blocks in the order of the jobs, never in two threads at a time.
/// - `on_start` gets a function that makes `run` fail with an error.
///
/// After an error, threads may still run when this function returns. Each ends when it next claims memory or writes.
pub fn run<J: Send + 'static, W: FnMut(J, &mut JobOutput<'_>) -> Result<(), Stopped>>(
    threads: usize,
    disk: u64,
    read: impl FnOnce(&mut JobQueue<J>) -> Result<(), Stopped> + Send + 'static,
    worker: impl Fn() -> W + Send + Sync + 'static,
    write: impl Fn(&mut Block) -> io::Result<()> + Send + Sync + 'static,
    on_start: impl FnOnce(StopPool),
) -> Result<(), PoolFailure> {
    let budget = Budget::new(threads, disk);
    let output = Arc::new(OrderedOutput::new(Arc::clone(&budget), write));
    let stopped = Arc::clone(&output);
    on_start(Box::new(move |error| {
        stopped.stop(error);
    }));
    let (sender, receiver) = channel();
    let receiver = Arc::new(Mutex::new(receiver));
    let mut queue = JobQueue { claimant: budget.claimant(Rank::Reader), job_count: 0, sender };
    start_thread("the reader", &output, move |output| {
        read(&mut queue)?;
        output.set_job_count(queue.job_count);
        Ok(())
    })
    .map_err(PoolFailure::Threads)?;
    let worker = Arc::new(worker);
    for number in 0..threads {
        let (worker, receiver) = (Arc::clone(&worker), Arc::clone(&receiver));
        match start_thread("a worker", &output, move |output| do_jobs(&receiver, output, worker())) {
            Ok(()) => {}
            Err(_) if number > 0 => break,
            Err(error) => {
                // The reader may wait for memory.
                output.stop(io::Error::other("no worker"));
                return Err(PoolFailure::Threads(error));
            }
        }
    }
    output.wait_until_over();
    output.take_failure().map_or(Ok(()), |error| Err(PoolFailure::Stage(error)))
}

/// If `run` fails or panics, stops all stages with a message that has `name`. An error says why no thread starts.
fn start_thread(
    name: &'static str,
    output: &Arc<OrderedOutput>,
    run: impl FnOnce(&OrderedOutput) -> Result<(), Stopped> + Send + 'static,
) -> io::Result<()> {
    let output = Arc::clone(output);
    let run = move || {
        let how = match catch_unwind(AssertUnwindSafe(|| run(&output))) {
            Ok(Ok(())) => return,
            // If an error stopped the stages, that error is kept.
            Ok(Err(Stopped)) => String::from("ended early"),
            Err(panic) => match input_of(&*panic) {
                Some(input) => format!("failed at {input}"),
                None => String::from("failed"),
            },
        };
        output.stop(io::Error::other(format!("{name} {how}")));
    };
    thread::Builder::new().spawn(run).map(drop)
}

/// Does jobs until the queue is empty and the reader has ended. Then waits until all output is written or the stages are stopped.
fn do_jobs<J>(
    queue: &Mutex<Receiver<QueuedJob<J>>>,
    output: &OrderedOutput,
    mut work: impl FnMut(J, &mut JobOutput<'_>) -> Result<(), Stopped>,
) -> Result<(), Stopped> {
    let next = || lock(queue).recv();
    let mut block = Block::default();
    while let Ok(QueuedJob { index, job, claim }) = next() {
        let mut job_output = JobOutput::new(output, index, block);
        work(job, &mut job_output)?;
        drop(claim);
        block = job_output.finish()?;
    }
    // Workers end together. Allocators give what an ended thread had to the next new thread: if workers ended one by one, each
    // of the threads that are started for large pages would take over from another worker, and leave more memory there.
    output.wait_until_over();
    Ok(())
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

/// Makes the claimant of a reader, with the budget of one worker and `disk` bytes of disk.
#[cfg(test)]
pub fn claimant(disk: u64) -> Claimant {
    Budget::new(1, disk).claimant(Rank::Reader)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    struct Text<'t>(&'t str);

    impl WriteLine for Text<'_> {
        fn max_len(&self) -> usize {
            self.0.len() + 1
        }

        fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
            writeln!(out, "{}", self.0)
        }
    }

    /// Runs the pool with `threads` workers and the jobs `0..jobs`, which `work` does. Returns the text that was written. Each
    /// problem is a line `!why` in it.
    fn run_jobs(threads: usize, jobs: usize, work: fn(usize, &mut JobOutput<'_>) -> Result<(), Stopped>) -> String {
        let (sender, receiver) = channel();
        let read = move |queue: &mut JobQueue<usize>| (0..jobs).try_for_each(|job| queue.add(job, 1000));
        let write = move |block: &mut Block| {
            let mut text = String::from_utf8(block.texts[0].clone()).unwrap();
            block.problems.drain(..).for_each(|problem| text += &format!("!{}\n", problem.why));
            sender.send(text).map_err(io::Error::other)
        };
        assert!(run(threads, 0, read, move || work, write, drop).is_ok());
        receiver.try_iter().collect()
    }

    /// Adds a line with this text to the output of a job.
    fn line(output: &mut JobOutput<'_>, text: &str) -> Result<(), Stopped> {
        output.add_line([0; 2], &Text(text)).map_err(|_| Stopped)
    }

    #[test]
    fn output_is_in_the_order_of_the_jobs() {
        // Jobs of no line, of a few, of some blocks, and of one line longer than a block. Early jobs take longer than later ones.
        fn text(job: usize) -> Vec<String> {
            match job % 5 {
                0 => Vec::new(),
                4 => vec![job.to_string().repeat(300_000)],
                kind => (0..kind * 10_000).map(|line| format!("{job} {line}")).collect(),
            }
        }
        let work = |job: usize, output: &mut JobOutput<'_>| {
            if job % 7 == 0 {
                thread::sleep(Duration::from_millis(20));
            }
            text(job).iter().try_for_each(|text| line(output, text))?;
            let len: usize = text(job).iter().map(|text| text.len() + 1).sum();
            assert_eq!(output.lines_len(LineKind::Link), len as u64);
            output.add_problem(Problem::new("".into(), None, job.to_string()))
        };
        let expected: String = (0..40)
            .map(|job| format!("{}!{job}\n", text(job).iter().map(|text| format!("{text}\n")).collect::<String>()))
            .collect();
        for threads in [1, 3, 8] {
            assert!(run_jobs(threads, 40, work) == expected, "{threads}");
        }
        assert_eq!(run_jobs(2, 0, work), "");
    }

    /// Later jobs have more output than may wait: they go on when the first, slow job is complete.
    #[test]
    fn waiting_output_is_bounded() {
        static LINES: AtomicUsize = AtomicUsize::new(0);
        let work = |job: usize, output: &mut JobOutput<'_>| {
            if job > 0 {
                return (0..1000).try_for_each(|_| {
                    LINES.fetch_add(1, Ordering::Relaxed);
                    line(output, &"x".repeat(100 << 10))
                });
            }
            thread::sleep(Duration::from_millis(300));
            // Half of the budget, with a block for each thread.
            assert!(LINES.load(Ordering::Relaxed) < 200);
            line(output, "first")
        };
        let text = run_jobs(4, 4, work);
        assert!(text.starts_with("first\nx") && text.len() == 6 + 3000 * ((100 << 10) + 1), "{}", text.len());
    }

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
                let worker = move || move |(), _: &mut JobOutput<'_>| end(who == Who::Worker);
                let write = move |_: &mut Block| match who {
                    Who::Writer => Err(io::Error::other("disk full")),
                    _ => Ok(()),
                };
                sender.send(match run(2, 0, read, worker, write, drop) {
                    Err(PoolFailure::Stage(error)) => error.to_string(),
                    _ => String::new(),
                })
            });
            let end = receiver.recv_timeout(Duration::from_secs(5));
            assert_eq!(end.as_deref(), Ok(expected));
        }
    }
}
