//! The pipeline: jobs go to whichever worker is free, their results come back in the order of the jobs.
//!
//! A job's results have a channel of their own, and all of them together have so much room: a worker that runs ahead of the
//! printer waits when it is used up. Jobs are taken in order, so the one that the printer waits for is always at work, and it
//! always has room.

use std::io;
use std::sync::mpsc::{Receiver, SendError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

use super::inputs::Item;
use super::room::Room;

/// Lines of output, and problems.
#[derive(Default)]
pub struct Block {
    pub text: Vec<u8>,
    /// With `--unique`: where each line ends and the fingerprint of its URI.
    pub marks: Vec<(usize, u128)>,
    pub problems: Vec<Problem>,
    pub links: u64,
    /// Whether the job ends with it.
    pub last: bool,
}

/// What is wrong with an input.
pub struct Problem {
    pub input: String,
    /// Where in an archive the record starts.
    pub offset: Option<u64>,
    pub why: String,
}

/// Nobody waits for results any more.
pub struct Gone;

impl<T> From<SendError<T>> for Gone {
    fn from(_: SendError<T>) -> Self {
        Gone
    }
}

impl Block {
    /// The memory that it takes.
    fn size(&self) -> usize {
        self.text.len() + self.marks.len() * size_of::<(usize, u128)>()
    }
}

struct Job {
    number: u64,
    items: Vec<Item>,
    results: Sender<Block>,
}

/// Takes items and makes jobs of them.
pub struct Feed {
    number: u64,
    items: Vec<Item>,
    weight: usize,
    /// What a job weighs: so many files, or so many bodies of less than a unit. With many workers jobs are small, so that
    /// there is room for the output of one for each.
    full: usize,
    jobs: SyncSender<Job>,
    order: SyncSender<Receiver<Block>>,
}

impl Feed {
    /// As many bytes of a body weigh as much as a file does that is yet to be read.
    pub const UNIT: usize = 32 << 10;

    pub fn push(&mut self, item: Item) -> Result<(), Gone> {
        self.weight = self.weight.saturating_add(1 + item.memory() / Self::UNIT);
        self.items.push(item);
        if self.weight >= self.full { self.flush() } else { Ok(()) }
    }

    /// Sends what there is, however little.
    pub fn flush(&mut self) -> Result<(), Gone> {
        if self.items.is_empty() {
            return Ok(());
        }
        let (results, receiver) = channel();
        let job = Job { number: self.number, items: std::mem::take(&mut self.items), results };
        self.number += 1;
        self.weight = 0;
        self.jobs.send(job)?;
        Ok(self.order.send(receiver)?)
    }
}

/// Sends blocks when they are full.
pub struct Sink<'j> {
    pub block: Block,
    job: u64,
    results: &'j Sender<Block>,
    room: &'j Room,
}

impl Sink<'_> {
    const LEN: usize = 64 << 10;

    /// Called behind each line.
    pub fn end_line(&mut self) -> Result<(), Gone> {
        self.block.links += 1;
        if self.block.text.len() < Self::LEN { Ok(()) } else { self.send() }
    }

    pub fn problem(&mut self, problem: Problem) -> Result<(), Gone> {
        self.block.problems.push(problem);
        if self.block.problems.len() < 100 { Ok(()) } else { self.send() }
    }

    fn send(&mut self) -> Result<(), Gone> {
        let next = Block { text: Vec::with_capacity(Self::LEN + 1024), ..Block::default() };
        self.room.take(self.job, self.block.size());
        Ok(self.results.send(std::mem::replace(&mut self.block, next))?)
    }
}

/// Starts a reader, which is given the feed, and workers, each of which does items one by one; hands over their blocks in
/// order. Threads are not waited for after an error: they end when they find nobody to work for.
pub fn run<W: FnMut(Item, &mut Sink<'_>) -> Result<(), Gone>>(
    threads: usize,
    read: impl FnOnce(&mut Feed) -> Result<(), Gone> + Send + 'static,
    worker: impl Fn() -> W + Send + Sync + 'static,
    mut print: impl FnMut(Block) -> io::Result<()>,
) -> io::Result<()> {
    let (jobs, taken) = sync_channel::<Job>(threads);
    let (order, ordered) = sync_channel(16 * threads);
    let room = Arc::new(Room::default());
    let taken = Arc::new(Mutex::new(taken));
    let worker = Arc::new(worker);
    for _ in 0..threads {
        let (taken, worker, room) = (Arc::clone(&taken), Arc::clone(&worker), Arc::clone(&room));
        thread::Builder::new().spawn(move || work(&taken, &room, worker()))?;
    }
    let mut feed = Feed { number: 0, items: Vec::new(), weight: 0, full: (32 / threads).clamp(1, 16), jobs, order };
    let reader = thread::Builder::new().spawn(move || read(&mut feed).and_then(|()| feed.flush()))?;
    for results in ordered {
        let mut ended = false;
        for block in results {
            ended |= block.last;
            let size = block.size();
            print(block)?;
            room.free(size);
        }
        room.next();
        if !ended {
            return Err(io::Error::other("a worker failed"));
        }
    }
    reader.join().map_err(|_| io::Error::other("the reader failed")).map(|_| ())
}

fn work(taken: &Mutex<Receiver<Job>>, room: &Room, mut each: impl FnMut(Item, &mut Sink<'_>) -> Result<(), Gone>) {
    loop {
        let job = match taken.lock() {
            Ok(taken) => taken.recv(),
            Err(_) => return,
        };
        let Ok(job) = job else { return };
        let mut sink = Sink { block: Block::default(), job: job.number, results: &job.results, room };
        let done = job.items.into_iter().try_for_each(|item| each(item, &mut sink));
        sink.block.last = true;
        if done.is_err() || sink.send().is_err() {
            return;
        }
    }
}
