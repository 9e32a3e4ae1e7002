//! The entries of ZIP files: found by the directory at the end, and by their own headers if that is damaged.
//! Source: APPNOTE.TXT 6.3.10 of PKWARE.

mod directory;
mod entry;
mod local_headers;

use std::collections::BTreeSet;
use std::io::{self, SeekFrom};

#[cfg(feature = "page")]
pub(crate) use self::entry::name_of;
pub(crate) use self::entry::{Entry, EntryReader};
use super::damage::is_damage;
use super::records::ReadSeek;

/// Reports whether an entry is wanted by its name, as `name_of` returns it.
pub(crate) type Wanted<'w> = &'w dyn Fn(&str) -> bool;

/// The limits of the entries that are read of a ZIP file.
pub(crate) struct Room {
    entries: usize,
    name_bytes: usize,
    is_full: bool,
    problem: &'static str,
}

/// The most entries that are read of a ZIP file.
pub(super) const MAX_ENTRIES: usize = 1 << 13;

impl Room {
    fn new() -> Self {
        let problem =
            "it has more than 8192 files to read, or their names have more than 512 KiB: the rest is not read";
        Room { entries: MAX_ENTRIES, name_bytes: 512 << 10, is_full: false, problem }
    }

    /// Returns the room for all entries of a file that is read as a whole.
    #[cfg(feature = "check")]
    pub(crate) fn of_all() -> Self {
        let problem = "it has more than 65536 files, or their names have more than 8 MiB: the rest is not known";
        Room { entries: 1 << 16, name_bytes: 8 << 20, is_full: false, problem }
    }

    /// Returns false if there is too little room, and from then on for every entry.
    fn take(&mut self, name: &str) -> bool {
        match (self.entries.checked_sub(1), self.name_bytes.checked_sub(name.len())) {
            (Some(entries), Some(name_bytes)) => (self.entries, self.name_bytes) = (entries, name_bytes),
            _ => self.is_full = true,
        }
        !self.is_full
    }
}

/// Returns the wanted entries by their offsets, and the damage. The data of no two of them overlap.
pub(crate) fn find(zip: &mut dyn ReadSeek, wanted: Wanted<'_>) -> io::Result<(Vec<Entry>, Vec<String>)> {
    find_within(Room::new(), zip, wanted)
}

/// Does what [`find`] does, with other limits.
pub(crate) fn find_within(
    mut room: Room,
    zip: &mut dyn ReadSeek,
    wanted: Wanted<'_>,
) -> io::Result<(Vec<Entry>, Vec<String>)> {
    let file_len = zip.seek(SeekFrom::End(0))?;
    let mut listed = Vec::new();
    let mut problems: Vec<String> = directory::read(zip, wanted, &mut room, &mut listed)?.into_iter().collect();
    let mut found = Vec::new();
    add_with_data(listed, zip, file_len, &mut found, &mut problems)?;
    if !problems.is_empty() && !room.is_full {
        // The directory is more exact than the headers.
        let known: BTreeSet<u64> = found.iter().map(|entry: &Entry| entry.header).collect();
        let others = local_headers::read(zip, wanted, &known, &mut room)?;
        add_with_data(others, zip, file_len, &mut found, &mut problems)?;
    }
    if room.is_full {
        problems.push(room.problem.to_owned());
    }
    found.sort_by_key(|entry| entry.header);
    // The directory may have an archive several times, or a wrong length of one.
    found.dedup_by(|next, entry| {
        let is_same = next.header == entry.header;
        problems.extend(is_same.then(|| format!("its entry at byte {} is listed twice", next.header)));
        is_same
    });
    for at in 1..found.len() {
        let (next, entry) = (found[at].header, &mut found[at - 1]);
        if entry.data.end > next {
            // Where the file is cut short, an entry may be a ZIP file itself, whose entries seem to be entries of this file.
            let why = if entry.data.end == file_len {
                "is cut short, and read up to the next one, which is within it"
            } else {
                "overlaps the next one"
            };
            problems.push(format!("its entry at byte {} {why}", entry.header));
            entry.data = entry.data.start.min(next)..next;
        }
    }
    Ok((found, problems))
}

/// Reports whether the directory lists a wanted entry.
pub(crate) fn lists(zip: &mut dyn ReadSeek, wanted: Wanted<'_>) -> io::Result<bool> {
    let mut listed = Vec::new();
    // One is enough, so the room for others does not matter.
    directory::read(zip, wanted, &mut Room::new(), &mut listed)?;
    Ok(!listed.is_empty())
}

/// Adds entries to `found`, and damage to `problems`; an entry whose data cannot be found is left out. Fails only if the file cannot be read.
fn add_with_data(
    entries: Vec<Entry>,
    zip: &mut dyn ReadSeek,
    file_len: u64,
    found: &mut Vec<Entry>,
    problems: &mut Vec<String>,
) -> io::Result<()> {
    for mut entry in entries {
        match entry.find_data(zip, file_len) {
            Ok(damage) => {
                problems.extend(damage);
                found.push(entry);
            }
            Err(error) if is_damage(&error) => problems.push(error.to_string()),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
