//! The limits of the archives that are read of a ZIP file.

/// The most archives that are read.
const MAX_ARCHIVES: usize = 1 << 13;
/// The most bytes that their names may have together.
const MAX_NAMES_LEN: usize = 512 << 10;

/// The room that is left for archives.
pub(super) struct Room {
    /// The number of archives that may still be read.
    archives: usize,
    /// The number of bytes that their names may still have.
    names: usize,
    /// True if there was no room for an archive.
    pub(super) is_full: bool,
}

impl Room {
    /// The problem of a file that has too many archives.
    pub(super) const PROBLEM: &str =
        "it has more than 8192 archives, or their names have more than 512 KiB: the rest is not read";

    /// Returns the room of an empty list.
    pub(super) fn new() -> Self {
        Room { archives: MAX_ARCHIVES, names: MAX_NAMES_LEN, is_full: false }
    }

    /// Takes the room of an archive with this name. Returns false if there is not enough; then no later archive gets room either.
    pub(super) fn take(&mut self, name: &str) -> bool {
        match (self.archives.checked_sub(1), self.names.checked_sub(name.len())) {
            (Some(archives), Some(names)) => (self.archives, self.names) = (archives, names),
            _ => self.is_full = true,
        }
        !self.is_full
    }
}
