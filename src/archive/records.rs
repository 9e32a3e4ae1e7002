//! Web archives (WARC 1.0 and 1.1, ISO 28500): record after record, past damaged ones.
//!
//! Framed here, on `flate2`, because no crate does what damaged archives need: `warc` has no offsets, `fastwarc` wants Rust
//! 1.88 and takes a short record for a whole one, `warcat` brings a database, and none continues after a damaged gzip member.

use std::io::{self, Read};

use super::members::Members;
use super::record::{FIRST_LINE, Record, ends_well, find_start, head_len};
use super::rewind::Rewind;

/// The length in bytes of the longest head of a record.
const HEAD: usize = 64 << 10;
/// Twice as many bytes as are needed at a time, so that each byte is moved once at most.
const WINDOW: usize = 2 * HEAD;

/// A damage of an archive, and its place.
pub struct Damage {
    pub offset: u64,
    pub why: String,
    pub block: Block,
}

/// The bytes that were read as the block of a damaged record.
#[derive(PartialEq)]
pub enum Block {
    /// All of it.
    Whole,
    /// Its start; if its length was wrong, there may be other records in it.
    Cut,
    /// Bytes of other records.
    Wrong,
}

/// An archive; reading gives the block of the record at hand.
pub struct Archive {
    members: Members,
    window: Vec<u8>,
    start: usize,
    end: usize,
    /// Where the record at hand starts.
    record: u64,
    /// The offset in a plain file where its block starts.
    block_start: u64,
    /// The number of bytes of its block that are not read yet.
    remaining: u64,
    /// The offset in a plain file before which bytes are read for the second time.
    again: u64,
    state: State,
    /// An error of reading, for when the window is used up.
    pending: Option<io::Error>,
    /// The damage of the block.
    damage: Option<Damage>,
}

#[derive(PartialEq)]
enum State {
    /// A record starts here, behind line breaks.
    Between,
    /// No record starts here.
    Lost,
    /// The gzip member at hand cannot be read on.
    Broken,
    /// The input ended or cannot be read on.
    Over,
}

impl Archive {
    pub fn new(input: Rewind) -> io::Result<Self> {
        Ok(Archive {
            members: Members::new(input)?,
            window: vec![0; WINDOW],
            start: 0,
            end: 0,
            record: 0,
            block_start: 0,
            remaining: 0,
            again: 0,
            state: State::Between,
            pending: None,
            damage: None,
        })
    }

    /// How many bytes of the file were read.
    pub fn bytes_read(&mut self) -> u64 {
        self.members.input().furthest()
    }

    /// The next record's head, once the one before is finished.
    pub fn next_record(&mut self) -> Option<Result<Record, Damage>> {
        let found = match self.state {
            State::Between => self.between(),
            State::Lost => self.search(),
            State::Broken => self.find_member(),
            State::Over => Ok(false),
        };
        match found {
            Ok(true) => Some(self.head()),
            Ok(false) => None,
            Err(error) => Some(Err(self.broken(&error))),
        }
    }

    /// Reads what is left of the record's block and looks whether it ended well.
    pub fn finish(&mut self) -> Result<(), Damage> {
        while self.remaining > 0 {
            let len = self.block().len();
            self.start += len;
            self.remaining -= len as u64;
        }
        match self.damage.take() {
            Some(damage) => Err(damage),
            None => self.after().map_err(|error| Damage { block: Block::Whole, ..self.broken(&error) })?,
        }
    }

    /// Looks at what follows the block.
    fn after(&mut self) -> io::Result<Result<(), Damage>> {
        self.fill(4)?;
        if self.rest().starts_with(b"\r\n\r\n") {
            self.start += 4;
            // The end of a gzip member is where its checksum is looked at.
            return self.fill(1).map(Ok);
        }
        self.skip_breaks()?;
        self.fill(5)?;
        if ends_well(self.rest()) {
            return Ok(Ok(()));
        }
        self.go_back();
        Ok(Err(self.lost(WRONG_LENGTH)))
    }

    /// Goes to the next record; false at the end.
    fn between(&mut self) -> io::Result<bool> {
        loop {
            self.skip_breaks()?;
            if self.start < self.end {
                return Ok(true);
            }
            if !self.members.next_member()? {
                return Ok(false);
            }
        }
    }

    /// Looks for a record's first line; false at the end.
    fn search(&mut self) -> io::Result<bool> {
        loop {
            self.fill(HEAD)?;
            let rest = self.rest();
            if let Some(at) = find_start(rest) {
                self.start += at;
                return Ok(true);
            }
            if rest.len() < HEAD {
                self.start = self.end;
                return self.between();
            }
            self.start = self.end - (FIRST_LINE - 1);
        }
    }

    /// Goes back to where the block starts that turned out not to be one, as records may start in it. That is done only from
    /// records that start in bytes read for the first time, so no byte is read more than twice.
    fn go_back(&mut self) {
        if self.members.is_plain() && self.record >= self.again {
            let input = self.members.input();
            let here = input.offset();
            if input.go_back(self.block_start) {
                (self.start, self.end, self.again) = (0, 0, here);
            }
        }
    }

    fn find_member(&mut self) -> io::Result<bool> {
        (self.start, self.end, self.pending) = (0, 0, None);
        Ok(self.members.find()? && self.between()?)
    }

    /// Reads the head of the record that starts here.
    fn head(&mut self) -> Result<Record, Damage> {
        (self.state, self.remaining) = (State::Between, 0);
        self.record = if self.members.is_plain() { self.offset() } else { self.members.start };
        if let Err(error) = self.fill(HEAD) {
            return Err(self.broken(&error));
        }
        let rest = self.rest();
        let len = match head_len(&rest[..rest.len().min(HEAD)]) {
            Ok(len) => len,
            Err((why, looked)) => {
                // So many bytes are not looked at again.
                self.start += looked;
                return Err(match self.pending.take() {
                    Some(error) => self.broken(&error),
                    None => self.lost(why),
                });
            }
        };
        let parsed = Record::parse(&self.rest()[..len], self.record);
        self.start += len;
        let Some((record, length)) = parsed else {
            return Err(self.lost("its head has no Content-Length that can be read"));
        };
        if self.members.is_plain() {
            self.block_start = self.offset();
            match self.checked(length) {
                Ok(Ok(length)) => self.remaining = length,
                Ok(Err(why)) => return Err(self.lost(&why)),
                Err(error) => return Err(self.broken(&error)),
            }
        } else {
            self.remaining = length;
        }
        Ok(record)
    }

    /// Returns how many bytes to read of a block in a plain file; or why its length is wrong, if that is known before it is
    /// read: the file ends early, and a record starts before; or, where bytes are read for the second time, no record follows.
    fn checked(&mut self, length: u64) -> io::Result<Result<u64, String>> {
        let end = self.block_start.saturating_add(length);
        let input = self.members.input();
        if let Some(len) = input.len()?.filter(|len| *len < end) {
            let why = missing(end - len);
            // The last record, if there is none after it: only then all of this is read twice.
            if self.search()? || !self.members.input().go_back(self.block_start) {
                return Ok(Err(why));
            }
            (self.start, self.end) = (0, 0);
            self.damage = Some(Damage { offset: self.record, why, block: Block::Cut });
            return Ok(Ok(len.saturating_sub(self.block_start)));
        }
        let after = if self.record < self.again { input.look_at(end, 16)? } else { None };
        let is_wrong = after.is_some_and(|after| !ends_well(&after));
        Ok(if is_wrong { Err(WRONG_LENGTH.to_owned()) } else { Ok(length) })
    }

    /// Returns the offset in a plain file.
    fn offset(&mut self) -> u64 {
        self.members.input().offset() - (self.end - self.start) as u64
    }

    fn skip_breaks(&mut self) -> io::Result<()> {
        loop {
            self.fill(1)?;
            match self.rest().first() {
                Some(b'\r' | b'\n') => self.start += 1,
                _ => return Ok(()),
            }
        }
    }

    fn rest(&self) -> &[u8] {
        &self.window[self.start..self.end]
    }

    /// Returns the part of the block in the window; nothing at its end and once the block is found damaged.
    fn block(&mut self) -> &[u8] {
        if let Err(error) = self.fill(usize::from(self.remaining > 0)) {
            self.damage = Some(self.broken(&error));
        } else if self.start == self.end && self.remaining > 0 {
            self.damage = Some(Damage { offset: self.record, why: missing(self.remaining), block: Block::Cut });
            // In a file the next record may start in what this one claims.
            self.state = if self.members.is_plain() { State::Lost } else { State::Between };
            self.go_back();
            self.remaining = 0;
        }
        let len = self.remaining.min((self.end - self.start) as u64) as usize;
        &self.window[self.start..self.start + len]
    }

    /// Reads until so many bytes are in the window, or the member ends or fails.
    fn fill(&mut self, len: usize) -> io::Result<()> {
        if self.start == self.end || self.window.len() - self.start < len {
            self.window.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        while self.end - self.start < len && self.pending.is_none() {
            match self.members.read(&mut self.window[self.end..]) {
                Ok(0) => break,
                Ok(read) => self.end += read,
                Err(error) => self.pending = Some(error),
            }
        }
        // Whole as much as there is, first.
        match self.pending.take_if(|_| self.start == self.end) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn lost(&mut self, why: &str) -> Damage {
        self.state = State::Lost;
        Damage { offset: self.record, why: why.to_owned(), block: Block::Wrong }
    }

    /// Returns the damage that a failed read means; one that the system refused ends the archive.
    fn broken(&mut self, error: &io::Error) -> Damage {
        self.remaining = 0;
        let plain = self.members.is_plain();
        self.state = if plain || error.raw_os_error().is_some() { State::Over } else { State::Broken };
        if plain {
            return Damage { offset: self.record, why: error.to_string(), block: Block::Cut };
        }
        let why = format!("its gzip member is damaged: {error}");
        Damage { offset: self.members.start, why, block: Block::Cut }
    }
}

const WRONG_LENGTH: &str = "its Content-Length is wrong: no record follows";

fn missing(bytes: u64) -> String {
    format!("it ends early: {bytes} bytes of its block are missing")
}

/// Reads the block of the record at hand; [`finish`](Archive::finish) says whether its end is one.
impl Read for Archive {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let len = self.block().read(into)?;
        self.start += len;
        self.remaining -= len as u64;
        Ok(len)
    }
}
