//! The progress of a decompressor.

/// The result of one call of a decompressor.
pub(super) struct Progress {
    /// The number of bytes that were read.
    pub(super) read: usize,
    /// The number of bytes that were written.
    pub(super) written: usize,
    /// True if the stream ended and its checksum was right; or why it is damaged.
    pub(super) ended: Result<bool, String>,
}
