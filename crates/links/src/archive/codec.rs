//! Decompressors for one stream at a time: deflate, zlib, gzip, brotli and Zstandard (RFC 1950 to 1952, 7932, 8878).

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::{Decompress, FlushDecompress, Status};

use super::zstd::Zstd;

pub(super) struct Decompressed {
    pub(super) read: usize,
    pub(super) written: usize,
    /// True if the stream ended, with a right checksum. The error is damage after the written bytes.
    pub(super) ended: Result<bool, String>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Container {
    Bare,
    Zlib,
    Gzip,
}

impl Container {
    pub(super) fn inflater(self) -> Decompress {
        match self {
            Container::Gzip => Decompress::new_gzip(15),
            Container::Zlib | Container::Bare => Decompress::new(self == Container::Zlib),
        }
    }
}

pub(super) enum Codec {
    Deflate(Container, Decompress),
    Brotli(Box<Brotli>),
    Zstd(Zstd),
}

/// Its window has 16 MiB at most.
type Brotli = BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>;

impl Codec {
    pub(super) fn deflate(container: Container) -> Self {
        Codec::Deflate(container, container.inflater())
    }

    pub(super) fn brotli() -> Self {
        let alloc = StandardAlloc::default;
        // A strict one refuses the windows of up to 1 GiB that no content coding has.
        Codec::Brotli(Box::new(BrotliState::new_strict(alloc(), alloc(), alloc())))
    }

    pub(super) fn restart(&mut self) {
        match self {
            // A reset would not keep the container of gzip.
            Codec::Deflate(container, inflate) => *inflate = container.inflater(),
            Codec::Brotli(_) => *self = Codec::brotli(),
            Codec::Zstd(zstd) => zstd.restart(),
        }
    }

    /// Empty `input` means that the stream has no more bytes.
    pub(super) fn decompress(&mut self, input: &[u8], into: &mut [u8]) -> Decompressed {
        match self {
            Codec::Deflate(_, inflate) => {
                let before = (inflate.total_in(), inflate.total_out());
                let flush = if input.is_empty() { FlushDecompress::Finish } else { FlushDecompress::None };
                let ended = match inflate.decompress(input, into, flush) {
                    Ok(status) => Ok(status == Status::StreamEnd),
                    // zlib-rs gives this message in place of its own for damage inside of a block.
                    Err(error) => Err(match error.message() {
                        None | Some("repeated call with bad state") => "damaged data".to_owned(),
                        Some(message) => message.to_owned(),
                    }),
                };
                let read = (inflate.total_in() - before.0) as usize;
                Decompressed { read, written: (inflate.total_out() - before.1) as usize, ended }
            }
            Codec::Brotli(state) => {
                // Damage loses the output of all input that the decompressor has not used up, so it gets little at a time.
                let input = &input[..input.len().min(1024)];
                let (mut input_left, mut read, mut room_left, mut written) = (input.len(), 0, into.len(), 0);
                let result = BrotliDecompressStream(
                    &mut input_left,
                    &mut read,
                    input,
                    &mut room_left,
                    &mut written,
                    into,
                    &mut 0,
                    state,
                );
                let ended = match result {
                    BrotliResult::ResultFailure => Err("damaged data".to_owned()),
                    result => Ok(matches!(result, BrotliResult::ResultSuccess)),
                };
                Decompressed { read, written, ended }
            }
            Codec::Zstd(zstd) => zstd.decompress(input, into),
        }
    }
}
