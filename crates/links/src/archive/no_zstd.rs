//! Zstandard without the feature `zstd`: no decompressor can be made.

use std::convert::Infallible;
use std::io::{self, ErrorKind};

use super::codec::Decompressed;

pub(super) struct Zstd(Infallible);

impl Zstd {
    /// The error is that of a body: the reader of archives has an error of its own.
    pub(super) fn new(_: &[u8]) -> io::Result<Self> {
        Err(io::Error::new(ErrorKind::Unsupported, "its content coding `zstd` needs the feature `zstd`"))
    }

    pub(super) fn restart(&mut self) {
        match self.0 {}
    }

    pub(super) fn decompress(&mut self, _: &[u8], _: &mut [u8]) -> Decompressed {
        match self.0 {}
    }
}
