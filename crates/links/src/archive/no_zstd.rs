//! Zstandard without the feature `zstd`: no decompressor can be made.

use std::convert::Infallible;
use std::io::{self, ErrorKind};

use super::codec::Decompressed;

/// A decompressor that cannot be made.
pub(super) struct Zstd(Infallible);

impl Zstd {
    /// Returns the error of a body that needs the feature `zstd`. The reader of archives has an error of its own.
    pub(super) fn new(_: &[u8]) -> io::Result<Self> {
        Err(io::Error::new(ErrorKind::Unsupported, "its content coding `zstd` needs the feature `zstd`"))
    }

    /// Is never called, as no decompressor exists.
    pub(super) fn restart(&mut self) {
        match self.0 {}
    }

    /// Is never called, as no decompressor exists.
    pub(super) fn decompress(&mut self, _: &[u8], _: &mut [u8]) -> Decompressed {
        match self.0 {}
    }
}
