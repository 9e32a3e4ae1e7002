//! Decompresses Zstandard frames (feature `zstd`).
//!
//! The decoder is the C library, because it is the only one that is safe on hostile frames today: `ruzstd` 0.8 panics on some, and
//! takes 2 GB and more for a frame of 120 KB that this one refuses within 4 MB. It is also nine times as fast. Other crates need a
//! newer Rust. It needs a C compiler, so it is a feature of its own.

use std::io;

use zstd::stream::raw::{DParameter, Decoder, Operation};

use super::codec::Decompressed;
use super::damage::invalid;
use super::frame_header::{FrameHeader, MAX_WINDOW};

pub(super) struct Zstd {
    decoder: Decoder<'static>,
    /// The first bytes of the current frame, at most [`FrameHeader::MAX_LEN`].
    header: Vec<u8>,
    /// The number of bytes of input that the library asks for next. It never gets more in one call.
    hint: usize,
    /// True if the last call filled its output, so that the library may have more output without more input.
    is_full: bool,
    has_dictionary: bool,
}

impl Zstd {
    pub(super) fn new(dictionary: &[u8]) -> io::Result<Self> {
        // The library calls a dictionary that it cannot read a lack of memory.
        let damaged =
            |error| if dictionary.is_empty() { error } else { invalid("the dictionary of the archive is damaged") };
        let mut decoder = Decoder::with_dictionary(dictionary).map_err(damaged)?;
        decoder.set_parameter(DParameter::WindowLogMax(MAX_WINDOW.ilog2()))?;
        let has_dictionary = !dictionary.is_empty();
        Ok(Zstd { decoder, header: Vec::new(), hint: 1, is_full: false, has_dictionary })
    }

    pub(super) fn restart(&mut self) {
        // This cannot fail: a session can be reset at any time.
        let _ = self.decoder.reinit();
        self.header.clear();
        (self.hint, self.is_full) = (1, false);
    }

    /// Decompresses at most one block: the library loses the output of the call that fails, so damage loses one block only.
    pub(super) fn decompress(&mut self, input: &[u8], into: &mut [u8]) -> Decompressed {
        let len = if self.is_full { 0 } else { input.len().min(self.hint) };
        let input = &input[..len];
        let missing = FrameHeader::MAX_LEN - self.header.len();
        self.header.extend_from_slice(&input[..len.min(missing)]);
        match self.decoder.run_on_buffers(input, into) {
            Ok(status) => {
                self.hint = status.remaining.max(1);
                self.is_full = status.bytes_written == into.len();
                let ended = Ok(status.remaining == 0);
                Decompressed { read: status.bytes_read, written: status.bytes_written, ended }
            }
            Err(error) => Decompressed { read: len, written: 0, ended: Err(self.damage_message(&error)) },
        }
    }

    fn damage_message(&self, error: &io::Error) -> String {
        match FrameHeader::parse(&self.header) {
            Some(FrameHeader { window, .. }) if window > MAX_WINDOW => {
                format!("its window of {window} bytes is larger than 8 MiB")
            }
            Some(FrameHeader { dictionary: 1.., .. }) if !self.has_dictionary => {
                String::from("it needs a dictionary, and the archive has none")
            }
            _ => error.to_string().to_lowercase(),
        }
    }
}
