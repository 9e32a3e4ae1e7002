//! The bytes of an archive after decompression, as many at a time as a record's head needs.

use std::io::{self, Read};

use super::members::Members;

/// A part of the archive, decompressed, from the next byte on.
pub(super) struct Window<R> {
    pub(super) members: Members<R>,
    bytes: Vec<u8>,
    /// The index of the next byte.
    next: usize,
    /// The index after the last byte that was read.
    filled: usize,
    /// An error of reading that follows the bytes in the window.
    pending: Option<io::Error>,
}

impl<R: Read> Window<R> {
    /// Makes a window without bytes. `most` is the largest number of bytes that is needed at a time.
    pub(super) fn new(members: Members<R>, most: usize) -> Self {
        // Twice as many, so that each byte is moved once at most.
        Window { members, bytes: vec![0; 2 * most], next: 0, filled: 0, pending: None }
    }

    /// Returns the bytes that were not consumed yet.
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.next..self.filled]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.next == self.filled
    }

    pub(super) fn consume(&mut self, len: usize) {
        self.next += len;
    }

    /// Removes all bytes and the error that follows them.
    pub(super) fn clear(&mut self) {
        (self.next, self.filled, self.pending) = (0, 0, None);
    }

    /// Takes the error of reading that follows the bytes.
    pub(super) fn take_error(&mut self) -> Option<io::Error> {
        self.pending.take()
    }

    /// Returns the offset of the next byte in the archive, which must be uncompressed.
    pub(super) fn offset(&self) -> u64 {
        self.members.input().offset() - self.rest().len() as u64
    }

    /// Goes back to an offset in the archive, which must be uncompressed. Reports whether that is possible.
    pub(super) fn go_back(&mut self, offset: u64) -> bool {
        let is_possible = self.members.input_mut().go_back(offset);
        if is_possible {
            (self.next, self.filled) = (0, 0);
        }
        is_possible
    }

    /// Reads until it holds `len` bytes, or the member ends or fails. An error is returned once the window is empty.
    pub(super) fn fill(&mut self, len: usize) -> io::Result<()> {
        if self.is_empty() || self.bytes.len() - self.next < len {
            self.bytes.copy_within(self.next..self.filled, 0);
            (self.next, self.filled) = (0, self.filled - self.next);
        }
        while self.filled - self.next < len && self.pending.is_none() {
            match self.members.read(&mut self.bytes[self.filled..]) {
                Ok(0) => break,
                Ok(read) => self.filled += read,
                Err(error) => self.pending = Some(error),
            }
        }
        match self.pending.take_if(|_| self.next == self.filled) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    pub(super) fn skip_breaks(&mut self) -> io::Result<()> {
        loop {
            self.fill(1)?;
            match self.rest().first() {
                Some(b'\r' | b'\n') => self.next += 1,
                _ => return Ok(()),
            }
        }
    }
}
