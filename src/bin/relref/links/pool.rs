//! The ordered worker pool. A reader queues jobs. Workers do the jobs at the same time. The output of the jobs is written in the
//! order of the jobs.
//!
//! No thread only writes. The worker whose job has the turn writes the blocks of the job as soon as they are full, from the buffer
//! in which it made them. The blocks of later jobs wait. The worker that completes the job before writes them. So all threads share
//! the work of writing, and a block is still in the processor's cache when it is written. Queued jobs and waiting blocks take their
//! memory from the [`Budget`].

mod block;
mod budget;
mod input_panic;
mod job_output;
mod ordered_output;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

pub use self::block::{Block, LineKind, Mark, Problem};
pub use self::budget::{Claim, Claimant, MOST_THREADS, Stopped, Use};
pub use self::input_panic::at_input;
pub use self::job_output::JobOutput;

use self::budget::{Budget, Rank};
use self::input_panic::input_of;
use self::ordered_output::OrderedOutput;

/// A job in the queue.
struct Queued<J> {
    /// The number of the job. The first job is 0.
    number: u64,
    job: J,
    /// The claim of the memory of the job.
    claim: Claim,
}

/// The queue of jobs, for the reader.
pub struct JobQueue<J> {
    /// The claimant of memory and disk for the reader.
    pub claimant: Claimant,
    /// The number of jobs queued so far, and the number of the next job.
    jobs: u64,
    /// The sending end of the queue.
    sender: Sender<Queued<J>>,
}

impl<J> JobQueue<J> {
    /// Waits until `bytes` of memory are available for a job, and queues the job.
    pub fn add(&mut self, job: J, bytes: usize) -> Result<(), Stopped> {
        let claim = self.claimant.claim(Use::Queue, bytes as u64)?;
        let queued = Queued { number: self.jobs, job, claim };
        self.jobs += 1;
        self.sender.send(queued).map_err(|_| Stopped)
    }
}

/// The reason why the pool failed.
pub enum Failure {
    /// No thread could be started.
    Threads(io::Error),
    /// The output cannot be written, or a thread ended early or panicked.
    Stage(io::Error),
}

/// Starts a reader, which queues jobs, and `threads` workers, each of which does one job after the other. Calls `write` with the
/// blocks of the jobs, in order and one at a time. If the system starts fewer workers, these do all jobs. `disk` is the disk budget
/// in bytes.
///
/// After an error, does not wait for the threads. They end when they find that the stages are stopped.
pub fn run<J: Send + 'static, W: FnMut(J, &mut JobOutput<'_>) -> Result<(), Stopped>>(
    threads: usize,
    disk: u64,
    read: impl FnOnce(&mut JobQueue<J>) -> Result<(), Stopped> + Send + 'static,
    worker: impl Fn() -> W + Send + Sync + 'static,
    write: impl Fn(&mut Block) -> io::Result<()> + Send + Sync + 'static,
) -> Result<(), Failure> {
    let budget = Budget::new(threads, disk);
    let output = Arc::new(OrderedOutput::new(Arc::clone(&budget), write));
    let (sender, receiver) = channel();
    let receiver = Arc::new(Mutex::new(receiver));
    let mut queue = JobQueue { claimant: budget.claimant(Rank::Reader), jobs: 0, sender };
    start("the reader", &output, move |output| {
        read(&mut queue)?;
        output.set_jobs(queue.jobs);
        Ok(())
    })
    .map_err(Failure::Threads)?;
    let worker = Arc::new(worker);
    for number in 0..threads {
        let (worker, receiver) = (Arc::clone(&worker), Arc::clone(&receiver));
        match start("a worker", &output, move |output| work(&receiver, output, worker())) {
            Ok(()) => {}
            Err(_) if number > 0 => break,
            Err(error) => {
                // The reader may wait for memory.
                output.stop(io::Error::other("no worker"));
                return Err(Failure::Threads(error));
            }
        }
    }
    output.wait();
    output.take_failure().map_or(Ok(()), |error| Err(Failure::Stage(error)))
}

/// Starts a thread, which calls `run`. If the thread panics or ends early, all stages are stopped. `name` is the name of the thread
/// in the message.
fn start(
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

/// Does jobs until the queue is empty and the reader has ended. Then waits until all jobs are written or the stages are stopped.
fn work<J>(
    queue: &Mutex<Receiver<Queued<J>>>,
    output: &OrderedOutput,
    mut work: impl FnMut(J, &mut JobOutput<'_>) -> Result<(), Stopped>,
) -> Result<(), Stopped> {
    let next = || lock(queue).recv();
    let mut block = Block::default();
    while let Ok(Queued { number, job, claim }) = next() {
        let mut job_output = JobOutput::new(output, number, block);
        work(job, &mut job_output)?;
        drop(claim);
        block = job_output.end()?;
    }
    // Workers end together. Allocators give what an ended thread had to the next new thread: if workers ended one by one, each
    // of the threads that are started for large pages would take over from another worker, and leave more memory there.
    output.wait();
    Ok(())
}

/// Locks a mutex, also after a thread has panicked with the lock.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the claimant of a reader, for tests: with one worker and `disk` bytes of disk.
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
    use crate::args::Format;
    use crate::links::columns::line::{Line, LineFormat};

    /// Does jobs with a number of threads. Returns all text. A problem is the line `!why` in it.
    fn run_jobs(threads: usize, jobs: usize, work: fn(usize, &mut JobOutput<'_>) -> Result<(), Stopped>) -> String {
        let (sender, receiver) = channel();
        let read = move |queue: &mut JobQueue<usize>| (0..jobs).try_for_each(|job| queue.add(job, 1000));
        let write = move |block: &mut Block| {
            let mut text = String::from_utf8(block.texts[0].clone()).unwrap();
            block.problems.drain(..).for_each(|problem| text += &format!("!{}\n", problem.why));
            sender.send(text).map_err(io::Error::other)
        };
        assert!(run(threads, 0, read, move || work, write).is_ok());
        receiver.try_iter().collect()
    }

    /// Adds a line with this text.
    fn line(output: &mut JobOutput<'_>, text: &str) -> Result<(), Stopped> {
        let format = &LineFormat { format: Format::Text, start: text.into() };
        output.line(None, &Line::new(format, &[])).map_err(|_| Stopped)
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
            assert_eq!(output.len(LineKind::Link), text(job).iter().map(|text| text.len() as u64 + 1).sum::<u64>());
            output.problem(Problem { input: String::new(), offset: None, why: job.to_string() })
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
                sender.send(match run(2, 0, read, worker, write) {
                    Err(Failure::Stage(error)) => error.to_string(),
                    _ => String::new(),
                })
            });
            let end = receiver.recv_timeout(Duration::from_secs(5));
            assert_eq!(end.as_deref(), Ok(expected));
        }
    }
}
