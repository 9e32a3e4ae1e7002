//! The rest of a chunk that was not read, which is read again with the next.

use std::io::{self, ErrorKind};

use crate::html::limits::MAX_KEPT_LEN;
use crate::html::tokens::scanner::After;

/// The length, in bytes, of the longest tag, text of a `style` element or text of JSON-LD that is read in chunks, and of what waits
/// for the facts about a page.
pub(crate) const MAX_TAG_LEN: usize = 8 << 20;

const FEW: usize = 256;

#[derive(Default)]
pub(crate) struct Carry {
    pub(super) bytes: Vec<u8>,
    /// The length at which the bytes are read again: if they were many, twice that of the last time, so that time is linear.
    wanted: usize,
}

impl Carry {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(MAX_KEPT_LEN);
        self.wanted = 0;
    }

    /// The error if more bytes are left than [`Options::max_tag`](crate::html::Options::max_tag).
    pub(super) fn check(&self, max_tag: usize) -> io::Result<()> {
        if self.bytes.len() <= max_tag {
            return Ok(());
        }
        let why = format!("a tag, a style sheet or JSON-LD of more than {max_tag} bytes");
        Err(io::Error::new(ErrorKind::FileTooLarge, why))
    }

    /// `scan` returns the length that it has read. After more than `max_tag` bytes that it has not read, there must be no other chunk.
    pub(crate) fn scan(
        &mut self,
        new: &[u8],
        is_last: bool,
        max_tag: usize,
        mut scan: impl FnMut(&[u8], After) -> usize,
    ) {
        let after = if is_last { After::Nothing } else { After::More };
        if self.bytes.is_empty() {
            let len = scan(new, after);
            self.bytes.extend_from_slice(&new[len..]);
        } else {
            self.bytes.extend_from_slice(new);
            // More bytes than may be left must be read, to know if they are.
            if self.bytes.len() <= max_tag && self.bytes.len() < self.wanted.min(MAX_TAG_LEN) && !is_last {
                return;
            }
            let len = scan(&self.bytes, after);
            self.bytes.drain(..len);
        }
        if self.bytes.len() > MAX_TAG_LEN && !is_last {
            let len = scan(&self.bytes, After::NoRoom);
            self.bytes.drain(..len);
        }
        self.wanted = if self.bytes.len() < FEW { 0 } else { 2 * self.bytes.len() };
    }
}
