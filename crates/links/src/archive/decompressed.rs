//! The result of one step of a decompressor.

pub(super) struct Decompressed {
    pub(super) read: usize,
    pub(super) written: usize,
    /// True if the stream ended, with a right checksum. The error is damage after the written bytes.
    pub(super) ended: Result<bool, String>,
}
