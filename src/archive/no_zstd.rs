//! Zstandard without the feature `zstd`: no decoder can be made.

use std::convert::Infallible;
use std::io::{self, ErrorKind};

use super::codec::Decompressed;

/// A decoder that does not exist.
pub(super) struct Zstd(Infallible);

impl Zstd {
    /// Returns the error of the missing feature, about a body: the reader of archives has its own.
    pub(super) fn new(_: &[u8]) -> io::Result<Self> {
        Err(io::Error::new(ErrorKind::Unsupported, "its content coding `zstd` needs the feature `zstd`"))
    }

    /// Is never called, as no decoder exists.
    pub(super) fn restart(&mut self) {
        match self.0 {}
    }

    /// Is never called, as no decoder exists.
    pub(super) fn advance(&mut self, _: &[u8], _: &mut [u8]) -> Decompressed {
        match self.0 {}
    }
}
