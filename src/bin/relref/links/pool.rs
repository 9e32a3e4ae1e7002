//! The pipeline: jobs go to whichever worker is free, their results come back in the order of the jobs.
//!
//! A job's results have a channel of their own, and all of them together have so much room: a worker that runs ahead of the
//! printer waits when it is used up. Jobs are taken in order, so the one that the printer waits for is always at work, and it
//! always has room.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SendError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

use super::inputs::Item;
use super::room::Room;

/// Lines of output, and problems.
#[derive(Default)]
pub struct Block {
    /// Whole lines, but for one that is longer than a block: it goes on in the next.
    pub text: Vec<u8>,
    /// With `--unique`: where each line starts and the fingerprint of its URI.
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

impl From<Gone> for io::Error {
    fn from(_: Gone) -> Self {
        io::Error::other("nobody waits for results")
    }
}

impl Block {
    /// The memory that it takes.
    fn size(&self) -> usize {
        let size = self.text.capacity() + self.marks.capacity() * size_of::<(usize, u128)>();
        size.min(Room::BLOCK)
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
    jobs: SyncSender<Job>,
    order: SyncSender<Receiver<Block>>,
}

impl Feed {
    /// What a job weighs: so many files, or so many bodies of less than a unit. Few: while one worker is at a job of large
    /// pages, the output of all later jobs has to wait for it.
    const FULL: usize = 4;
    /// As many bytes of a body weigh as much as a file does that is yet to be read.
    pub const UNIT: usize = 32 << 10;

    pub fn push(&mut self, item: Item) -> Result<(), Gone> {
        self.weight = self.weight.saturating_add(1 + item.memory() / Self::UNIT);
        self.items.push(item);
        if self.weight >= Self::FULL { self.flush() } else { Ok(()) }
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
    /// The bytes of text in blocks that were sent.
    sent: u64,
}

impl Sink<'_> {
    const LEN: usize = Self::MOST - (8 << 10);
    /// A line that goes on behind this is cut.
    const MOST: usize = Room::BUFFER;
    /// As many fingerprints, of short lines.
    const MARKS: usize = 4 << 10;

    /// Called in front of each line; with `--unique` there is a fingerprint.
    pub fn start_line(&mut self, fingerprint: Option<u128>) {
        self.block.links += 1;
        self.ready();
        self.block.marks.extend(fingerprint.map(|fingerprint| (self.block.text.len(), fingerprint)));
    }

    /// Called behind each line.
    pub fn end_line(&mut self) -> Result<(), Gone> {
        let Block { text, marks, .. } = &self.block;
        if text.len() < Self::LEN && marks.len() < Self::MARKS { Ok(()) } else { self.send() }
    }

    /// Returns how many bytes of text it was given.
    pub fn written(&self) -> u64 {
        self.sent + self.block.text.len() as u64
    }

    /// Takes a buffer, if there is none.
    fn ready(&mut self) {
        if self.block.text.capacity() == 0 {
            self.block.text = self.room.buffer();
        }
    }

    /// Does something while a large page is in memory, once there is room for it.
    pub fn with_page<T>(&mut self, bytes: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        self.room.open(self.job, bytes);
        let done = work(self);
        self.room.close(bytes);
        done
    }

    pub fn problem(&mut self, problem: Problem) -> Result<(), Gone> {
        self.block.problems.push(problem);
        if self.block.problems.len() < 100 { Ok(()) } else { self.send() }
    }

    fn send(&mut self) -> Result<(), Gone> {
        let mut block = std::mem::take(&mut self.block);
        self.sent += block.text.len() as u64;
        // What waits takes at most twice what it needs, or little more.
        if block.text.len() < Self::LEN / 2 {
            let text = block.text.as_slice().into();
            self.room.give(std::mem::replace(&mut block.text, text));
        }
        block.marks.shrink_to_fit();
        self.room.take(self.job, block.size());
        Ok(self.results.send(block)?)
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

/// Starts a reader, which is given the feed, and workers, each of which does items one by one; hands over their blocks in
/// order. Threads are not waited for after an error: they end when they find nobody to work for.
pub fn run<W: FnMut(Item, &mut Sink<'_>) -> Result<(), Gone>>(
    threads: usize,
    read: impl FnOnce(&mut Feed) -> Result<(), Gone> + Send + 'static,
    worker: impl Fn() -> W + Send + Sync + 'static,
    mut print: impl FnMut(&mut Block) -> io::Result<()>,
) -> io::Result<()> {
    // What waits in queues takes memory, too; and jobs should not run out while the reader waits for a processor.
    let (jobs, taken) = sync_channel::<Job>(16);
    let (order, ordered) = sync_channel(256);
    let room = Arc::new(Room::default());
    let taken = Arc::new(Mutex::new(taken));
    let worker = Arc::new(worker);
    for _ in 0..threads {
        let (taken, worker, room) = (Arc::clone(&taken), Arc::clone(&worker), Arc::clone(&room));
        thread::Builder::new().spawn(move || work(&taken, &room, worker()))?;
    }
    let mut feed = Feed { number: 0, items: Vec::new(), weight: 0, jobs, order };
    let reader = thread::Builder::new().spawn(move || read(&mut feed).and_then(|()| feed.flush()))?;
    for results in ordered {
        let mut ended = false;
        for mut block in results {
            ended |= block.last;
            let size = block.size();
            print(&mut block)?;
            room.free(size);
            room.give(block.text);
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
        let mut sink = Sink { block: Block::default(), job: job.number, results: &job.results, room, sent: 0 };
        let done = job.items.into_iter().try_for_each(|item| each(item, &mut sink));
        sink.block.last = true;
        if done.is_err() || sink.send().is_err() {
            return;
        }
    }
}
