//! The limits of the archives that are read of a ZIP file.

const MAX_ARCHIVES: usize = 1 << 13;
const MAX_NAMES_LEN: usize = 512 << 10;

pub(super) struct Room {
    archives: usize,
    name_bytes: usize,
    pub(super) is_full: bool,
}

impl Room {
    pub(super) const PROBLEM: &str =
        "it has more than 8192 archives, or their names have more than 512 KiB: the rest is not read";

    pub(super) fn new() -> Self {
        Room { archives: MAX_ARCHIVES, name_bytes: MAX_NAMES_LEN, is_full: false }
    }

    /// Returns false if there is too little room, and from then on for every archive.
    pub(super) fn take(&mut self, name: &str) -> bool {
        match (self.archives.checked_sub(1), self.name_bytes.checked_sub(name.len())) {
            (Some(archives), Some(name_bytes)) => (self.archives, self.name_bytes) = (archives, name_bytes),
            _ => self.is_full = true,
        }
        !self.is_full
    }
}
