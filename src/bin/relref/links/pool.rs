//! The ordered worker pool: a reader queues items, workers do them side by side, each a job of its own, and their output is
//! written in the order of the jobs.
//!
//! No thread only writes. The worker whose job has its turn writes its blocks as they get full, from the buffer in which it
//! made them; the blocks of later jobs wait, and are written by whoever ends the job before. So all threads share the work
//! of writing, and what was just made is still in the cache. What waits, and what is queued, takes its memory from the
//! [`Budget`].

use std::collections::{BTreeMap, VecDeque};
use std::error::Error;
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::body_store::Disk;
use super::budget::{Budget, READER, Use};
use super::inputs::Item;

/// Lines of output, and problems.
#[derive(Default)]
pub struct Block {
    /// Whole lines, but for one that is longer than a block: it continues in the next.
    pub text: Vec<u8>,
    /// With `--unique`: where each line starts and the fingerprint of its URI.
    pub marks: Vec<(usize, u128)>,
    pub problems: Vec<Problem>,
    pub links: u64,
}

/// A problem of an input, and its place.
pub struct Problem {
    /// The name of the file, escaped so that no two files have the same.
    pub input: String,
    /// Where in an archive the record starts.
    pub offset: Option<u64>,
    pub why: String,
}

impl Problem {
    /// Returns the bytes that it takes.
    pub fn size(&self) -> usize {
        size_of::<Problem>() + self.input.capacity() + self.why.capacity()
    }
}

/// Nobody waits for results any more.
#[derive(Debug)]
pub struct Gone;

impl Gone {
    /// Reports whether an error was made from this.
    pub fn is_cause(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<Gone>())
    }
}

impl Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nobody waits for results")
    }
}

impl Error for Gone {}

impl From<Gone> for io::Error {
    fn from(gone: Gone) -> Self {
        io::Error::other(gone)
    }
}

impl Block {
    /// The bytes that a block takes besides its texts, and some for its job.
    const SELF: usize = 256;

    /// Returns the bytes that it takes.
    fn size(&self) -> u64 {
        let problems = self.problems.iter().map(Problem::size).sum::<usize>();
        let marks = self.marks.capacity() * size_of::<(usize, u128)>();
        (Self::SELF + self.text.capacity() + marks + problems) as u64
    }

    /// Empties it, and keeps its buffers.
    fn clear(&mut self) {
        self.text.clear();
        self.marks.clear();
        self.problems.clear();
        self.links = 0;
    }
}

/// Writes the next block of the output.
type WriteBlock = dyn FnMut(&mut Block) -> io::Result<()> + Send;

/// The state that the reader, the workers and the waiting thread share.
struct Pool {
    budget: Arc<Budget>,
    state: Mutex<State>,
    /// Wakes a worker when there is a job, and all workers when everything is over.
    jobs: Condvar,
    /// Wakes the thread that waits for the end.
    over: Condvar,
    /// Locked by the job that has its turn.
    write: Mutex<Box<WriteBlock>>,
    /// Buffers for output that are kept for later.
    spare: Mutex<Vec<Vec<u8>>>,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Job>,
    /// How many jobs were queued so far.
    queued: u64,
    /// True once the reader has ended.
    is_closed: bool,
    /// The number of the job that is being written.
    turn: u64,
    /// The blocks of jobs that were done before their turn.
    done: BTreeMap<u64, Vec<Block>>,
    failure: Option<io::Error>,
    is_stopped: bool,
}

impl State {
    fn is_over(&self) -> bool {
        self.is_stopped || (self.is_closed && self.turn == self.queued)
    }
}

struct Job {
    number: u64,
    item: Item,
    /// The bytes that the item takes of the budget.
    bytes: u64,
}

impl Pool {
    /// The capacity of a buffer for output: less than what allocators map from the system each time, often 128 KiB.
    const BUFFER: usize = 120 << 10;
    /// The number of buffers that are kept.
    const SPARE: usize = 64;

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next job, once there is one; none once everything is over.
    ///
    /// Workers do not end before. Allocators give what an ended thread had to the next new thread: if workers ended one by one,
    /// each of the threads that are started for large pages would take over from another worker, and leave more there.
    fn next(&self) -> Option<Job> {
        let is_waiting = |state: &mut State| state.queue.is_empty() && !state.is_over();
        let state = self.jobs.wait_while(self.lock(), is_waiting);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if state.is_stopped { None } else { state.queue.pop_front() }
    }

    /// Writes blocks of the job that has its turn, and gives their memory back.
    fn write(&self, blocks: &mut Vec<Block>) -> Result<(), Gone> {
        for mut block in blocks.drain(..) {
            let size = block.size();
            self.write_block(&mut block)?;
            self.keep(block.text);
            self.budget.free(Use::Output, size);
        }
        Ok(())
    }

    fn write_block(&self, block: &mut Block) -> Result<(), Gone> {
        let mut write = self.write.lock().unwrap_or_else(PoisonError::into_inner);
        write(block).map_err(|error| self.stop(error))
    }

    /// Gives the turn to the next job, after all those that are done are written.
    fn pass_turn(&self) -> Result<(), Gone> {
        loop {
            let mut state = self.lock();
            state.turn += 1;
            self.budget.set_turn(state.turn);
            let turn = state.turn;
            let Some(mut blocks) = state.done.remove(&turn) else {
                if state.is_over() {
                    self.jobs.notify_all();
                    self.over.notify_all();
                }
                return Ok(());
            };
            drop(state);
            self.write(&mut blocks)?;
        }
    }

    /// Ends everything with an error.
    fn stop(&self, error: io::Error) -> Gone {
        let mut state = self.lock();
        state.failure.get_or_insert(error);
        state.is_stopped = true;
        drop(state);
        self.budget.stop();
        self.jobs.notify_all();
        self.over.notify_all();
        Gone
    }

    /// Returns an empty buffer. Buffers are kept: what one thread allocates and another frees would go back to the system, and the
    /// pages of memory that it gives again cost a fault each.
    fn buffer(&self) -> Vec<u8> {
        self.spare().pop().unwrap_or_else(|| Vec::with_capacity(Self::BUFFER))
    }

    /// Keeps a buffer that is not needed any more.
    fn keep(&self, mut buffer: Vec<u8>) {
        if (Self::BUFFER..2 * Self::BUFFER).contains(&buffer.capacity()) {
            let mut spare = self.spare();
            if spare.len() < Self::SPARE {
                buffer.clear();
                spare.push(buffer);
            }
        }
    }

    fn spare(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Queues items.
pub struct Feed {
    pool: Arc<Pool>,
}

impl Feed {
    /// Queues an item, once there is memory for it.
    pub fn push(&mut self, item: Item) -> Result<(), Gone> {
        let bytes = item.size() as u64;
        self.pool.budget.take(Use::Queue, READER, bytes)?;
        let mut state = self.pool.lock();
        if state.is_stopped {
            return Err(Gone);
        }
        let number = state.queued;
        state.queued += 1;
        state.queue.push_back(Job { number, item, bytes });
        drop(state);
        self.pool.jobs.notify_one();
        Ok(())
    }

    /// Returns the disk of the reader.
    pub fn disk(&self) -> Disk {
        Disk { budget: Arc::clone(&self.pool.budget), job: READER }
    }
}

/// Takes the output of a job: writes blocks when they are full, or lets them wait for their turn.
pub struct Sink<'p> {
    pub block: Block,
    job: u64,
    /// Full blocks.
    waiting: Vec<Block>,
    /// The bytes of the budget that the page at hand has.
    page: usize,
    /// The bytes of problems in the block.
    problems: usize,
    /// The bytes of text in blocks that were full.
    sent: u64,
    pool: &'p Pool,
}

impl<'p> Sink<'p> {
    const LEN: usize = Self::MOST - (8 << 10);
    /// The length in bytes of the longest part of a line. A longer line is cut.
    const MOST: usize = Pool::BUFFER;
    /// The number of fingerprints, of short lines, that make a block full.
    const MARKS: usize = 4 << 10;
    /// The number of bytes of problems that make a block full.
    const PROBLEMS: usize = 16 << 10;

    fn new(pool: &'p Pool, job: u64, block: Block) -> Self {
        Sink { block, job, waiting: Vec::new(), page: 0, problems: 0, sent: 0, pool }
    }

    /// Called before each line; with `--unique` there is a fingerprint.
    pub fn start_line(&mut self, fingerprint: Option<u128>) {
        self.block.links += 1;
        self.ready();
        self.block.marks.extend(fingerprint.map(|fingerprint| (self.block.text.len(), fingerprint)));
    }

    /// Called after each line.
    pub fn end_line(&mut self) -> Result<(), Gone> {
        let Block { text, marks, .. } = &self.block;
        if text.len() < Self::LEN && marks.len() < Self::MARKS { Ok(()) } else { self.send() }
    }

    /// Returns how many bytes of text it was given.
    pub fn written(&self) -> u64 {
        self.sent + self.block.text.len() as u64
    }

    /// Takes memory for the page at hand, once there is some.
    pub fn take_memory(&mut self, bytes: usize) -> Result<(), Gone> {
        self.pool.budget.take(Use::Page, self.job, bytes as u64)?;
        self.page += bytes;
        Ok(())
    }

    /// Returns the memory taken so far for the page at hand, in bytes.
    pub fn memory(&self) -> usize {
        self.page
    }

    /// Gives back all memory but so many bytes.
    pub fn free_memory(&mut self, all_but: usize) {
        self.pool.budget.free(Use::Page, (self.page - all_but) as u64);
        self.page = all_but;
    }

    /// Returns the disk of the job.
    pub fn disk(&self) -> Disk {
        Disk { budget: Arc::clone(&self.pool.budget), job: self.job }
    }

    pub fn problem(&mut self, problem: Problem) -> Result<(), Gone> {
        self.problems += problem.size();
        self.block.problems.push(problem);
        if self.problems < Self::PROBLEMS { Ok(()) } else { self.send() }
    }

    /// Takes a buffer, if there is none.
    fn ready(&mut self) {
        if self.block.text.capacity() == 0 {
            self.block.text = self.pool.buffer();
        }
    }

    /// Writes the block, or lets it wait.
    fn send(&mut self) -> Result<(), Gone> {
        self.sent += self.block.text.len() as u64;
        self.problems = 0;
        if !self.pool.budget.is_turn(self.job) {
            self.wait()?;
            if !self.pool.budget.is_turn(self.job) {
                return Ok(());
            }
        }
        self.write()
    }

    /// Adds the block to those that wait, once there is memory for it.
    fn wait(&mut self) -> Result<(), Gone> {
        let mut block = mem::take(&mut self.block);
        // A waiting block takes at most twice what it needs, or little more.
        if block.text.len() < Self::LEN / 2 {
            let text = block.text.as_slice().into();
            self.block.text = mem::replace(&mut block.text, text);
            self.block.text.clear();
        }
        block.marks.shrink_to_fit();
        self.pool.budget.take(Use::Output, self.job, block.size())?;
        self.waiting.push(block);
        Ok(())
    }

    /// Writes what waits, and the block.
    fn write(&mut self) -> Result<(), Gone> {
        self.pool.write(&mut self.waiting)?;
        self.pool.write_block(&mut self.block)?;
        self.block.clear();
        Ok(())
    }

    /// Writes what there is, or leaves it to the job before; returns an empty block.
    fn end(mut self) -> Result<Block, Gone> {
        if !self.pool.budget.is_turn(self.job) {
            self.wait()?;
            let mut state = self.pool.lock();
            if state.turn != self.job {
                state.done.insert(self.job, self.waiting);
                return Ok(self.block);
            }
        }
        self.write()?;
        self.pool.pass_turn()?;
        Ok(self.block)
    }
}

/// Writes parts of long lines.
impl Write for Sink<'_> {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        if self.block.text.len() >= Self::MOST {
            self.send()?;
        }
        self.ready();
        let text = &mut self.block.text;
        let len = part.len().min(Self::MOST - text.len());
        text.extend_from_slice(&part[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Ends everything if its thread panics.
struct Guard<'p>(&'p Pool, &'static str);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop(io::Error::other(self.1));
        }
    }
}

/// The end of a run that failed.
pub enum Failure {
    /// The error of the system when no thread could be started.
    Threads(io::Error),
    Run(io::Error),
}

/// Starts a reader, which is given the feed, and workers, each of which does items one by one; has their blocks written in
/// order. Where the system starts fewer workers, these do all items. Threads are not waited for after an error: they end when
/// they find that nobody waits for results.
pub fn run<W: FnMut(Item, &mut Sink<'_>) -> Result<(), Gone>>(
    threads: usize,
    disk: u64,
    read: impl FnOnce(&mut Feed) -> Result<(), Gone> + Send + 'static,
    worker: impl Fn() -> W + Send + Sync + 'static,
    write: impl FnMut(&mut Block) -> io::Result<()> + Send + 'static,
) -> Result<(), Failure> {
    let pool = Arc::new(Pool {
        budget: Arc::new(Budget::new(threads, disk)),
        state: Mutex::default(),
        jobs: Condvar::new(),
        over: Condvar::new(),
        write: Mutex::new(Box::new(write)),
        spare: Mutex::default(),
    });
    let mut feed = Feed { pool: Arc::clone(&pool) };
    start(&pool, ["the reader failed", "the reader ended early"], move |pool| {
        read(&mut feed)?;
        pool.lock().is_closed = true;
        pool.jobs.notify_all();
        pool.over.notify_all();
        Ok(())
    })
    .map_err(Failure::Threads)?;
    let worker = Arc::new(worker);
    for number in 0..threads {
        let worker = Arc::clone(&worker);
        match start(&pool, ["a worker failed", "a worker ended early"], move |pool| work(pool, worker())) {
            Ok(()) => {}
            Err(_) if number > 0 => break,
            Err(error) => {
                // For the reader.
                pool.stop(io::Error::other("no worker"));
                return Err(Failure::Threads(error));
            }
        }
    }
    let state = pool.over.wait_while(pool.lock(), |state| !state.is_over());
    let failure = state.unwrap_or_else(PoisonError::into_inner).failure.take();
    failure.map_or(Ok(()), |error| Err(Failure::Run(error)))
}

/// Starts a thread; everything ends if it panics or fails, for one of two reasons.
fn start(
    pool: &Arc<Pool>,
    reasons: [&'static str; 2],
    run: impl FnOnce(&Pool) -> Result<(), Gone> + Send + 'static,
) -> io::Result<()> {
    let pool = Arc::clone(pool);
    let run = move || {
        let _guard = Guard(&pool, reasons[0]);
        if let Err(Gone) = run(&pool) {
            // An earlier reason is the one that counts.
            pool.stop(io::Error::other(reasons[1]));
        }
    };
    thread::Builder::new().spawn(run).map(drop)
}

fn work(pool: &Pool, mut each: impl FnMut(Item, &mut Sink<'_>) -> Result<(), Gone>) -> Result<(), Gone> {
    let mut block = Block::default();
    while let Some(Job { number, item, bytes }) = pool.next() {
        let mut sink = Sink::new(pool, number, block);
        each(item, &mut sink)?;
        pool.budget.free(Use::Queue, bytes);
        block = sink.end()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    /// A reader or a worker that ends early ends the run, not only its thread.
    #[test]
    fn nobody_waits_for_threads_that_ended() {
        let (told, ended) = channel();
        for is_reader in [true, false] {
            let told = told.clone();
            thread::spawn(move || {
                let read = move |feed: &mut Feed| {
                    if is_reader {
                        return Err(Gone);
                    }
                    loop {
                        let (input, why) = (String::from("x"), String::from("y"));
                        feed.push(Item::Problem(Problem { input, offset: None, why }))?;
                    }
                };
                let done = run(2, 0, read, || |_: Item, _: &mut Sink<'_>| Err(Gone), |_: &mut Block| Ok(()));
                told.send(match done {
                    Err(Failure::Run(error)) => error.to_string(),
                    _ => String::new(),
                })
            });
            let end = ended.recv_timeout(Duration::from_secs(5));
            assert_eq!(end, Ok(format!("{} ended early", if is_reader { "the reader" } else { "a worker" })));
        }
    }
}
