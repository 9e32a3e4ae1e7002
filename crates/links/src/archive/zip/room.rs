//! The limits of the entries that are read of a ZIP file.

const MAX_ENTRIES: usize = 1 << 13;
const MAX_NAMES_LEN: usize = 512 << 10;

pub(super) struct Room {
    entries: usize,
    name_bytes: usize,
    pub(super) is_full: bool,
}

impl Room {
    pub(super) const PROBLEM: &str =
        "it has more than 8192 files to read, or their names have more than 512 KiB: the rest is not read";

    pub(super) fn new() -> Self {
        Room { entries: MAX_ENTRIES, name_bytes: MAX_NAMES_LEN, is_full: false }
    }

    /// Returns false if there is too little room, and from then on for every entry.
    pub(super) fn take(&mut self, name: &str) -> bool {
        match (self.entries.checked_sub(1), self.name_bytes.checked_sub(name.len())) {
            (Some(entries), Some(name_bytes)) => (self.entries, self.name_bytes) = (entries, name_bytes),
            _ => self.is_full = true,
        }
        !self.is_full
    }
}
