//! The limits of the archives that are read of a ZIP file.

/// The most archives of one ZIP file that are read.
const MAX_ARCHIVES: usize = 1 << 13;
/// The most bytes that the names of these archives may have together.
const MAX_NAMES_LEN: usize = 512 << 10;

/// The room that is left in the list of a ZIP file's archives.
pub(super) struct Room {
    /// The number of archives that still fit.
    archives: usize,
    /// The number of bytes that the names of further archives may have together.
    name_bytes: usize,
    /// True once an archive did not fit.
    pub(super) is_full: bool,
}

impl Room {
    /// The message about a file that has more archives than are read.
    pub(super) const PROBLEM: &str =
        "it has more than 8192 archives, or their names have more than 512 KiB: the rest is not read";

    /// Returns the room of an empty list.
    pub(super) fn new() -> Self {
        Room { archives: MAX_ARCHIVES, name_bytes: MAX_NAMES_LEN, is_full: false }
    }

    /// Takes the room for an archive with this name. Returns false if there is too little, and from then on for every archive.
    pub(super) fn take(&mut self, name: &str) -> bool {
        match (self.archives.checked_sub(1), self.name_bytes.checked_sub(name.len())) {
            (Some(archives), Some(name_bytes)) => (self.archives, self.name_bytes) = (archives, name_bytes),
            _ => self.is_full = true,
        }
        !self.is_full
    }
}
