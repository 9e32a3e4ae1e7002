//! The first lines of Zstandard frames: they show which frames hold records.

use super::frame_header::{FrameHeader, MAX_WINDOW};
use super::record::{FIRST_LINE_LEN, find_record};
use super::zstd::Zstd;

/// The total work is limited: any number of frames may seem to start in damaged bytes, each with a block of 128 KiB.
#[derive(Default)]
pub(super) struct FirstLines {
    zstd: Option<Zstd>,
    content: Vec<u8>,
    /// The number of bytes read and written so far, and [`STEP_WORK`](Self::STEP_WORK) for each call of the decompressor.
    work: usize,
}

impl FirstLines {
    /// In bytes: enough for all short frames in 64 KiB, or for 64 long blocks.
    const MAX_WORK: usize = 8 << 20;
    /// In bytes; added to those that one call of the decompressor reads and writes.
    const STEP_WORK: usize = 512;
    /// In bytes, without compression.
    const MAX_BLOCK_LEN: usize = 128 << 10;

    /// `None` if the frame needs a dictionary, or as `first_line_is_record`. `Some(false)` without a complete frame header, for a
    /// window that is too large, and for every frame once [`MAX_WORK`](Self::MAX_WORK) is done.
    pub(super) fn starts_with_record(&mut self, bytes: &[u8]) -> Option<bool> {
        match FrameHeader::parse(bytes) {
            Some(header) if header.window <= MAX_WINDOW && self.work < Self::MAX_WORK => match header.dictionary {
                0 => self.first_line_is_record(bytes),
                _ => None,
            },
            _ => Some(false),
        }
    }

    /// `None` if the bytes are too few to decompress any, or the feature `zstd` is missing. The frame must need no dictionary.
    fn first_line_is_record(&mut self, bytes: &[u8]) -> Option<bool> {
        let zstd = match &mut self.zstd {
            Some(zstd) => zstd,
            empty => empty.insert(Zstd::new(&[]).ok()?),
        };
        zstd.restart();
        self.content.resize(Self::MAX_BLOCK_LEN + FIRST_LINE_LEN, 0);
        let (mut rest, mut len) = (bytes, 0);
        while len < FIRST_LINE_LEN {
            let done = zstd.decompress(rest, &mut self.content[len..]);
            rest = &rest[done.read..];
            len += done.written;
            self.work += Self::STEP_WORK + done.read + done.written;
            match done.ended {
                Ok(false) if done.read + done.written > 0 => {}
                Ok(false) if len == 0 => return None,
                Ok(_) => break,
                Err(_) => {
                    // The block may have been decompressed up to its end.
                    self.work += Self::MAX_BLOCK_LEN;
                    break;
                }
            }
        }
        Some(find_record(&self.content[..len.min(FIRST_LINE_LEN)]) == Some(0))
    }
}
