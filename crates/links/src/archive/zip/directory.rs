//! The entries that the central directory of a ZIP file lists.

use std::io;

use rawzip::{ErrorKind, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ZipArchive};

use super::super::damage::is_damage;
use super::super::records::ReadSeek;
use super::entry::{Entry, name_of};
use super::{Room, Wanted};

/// Adds the wanted entries. Each takes its room from `room`; the first one without room ends the reading, and is left out. Returns
/// damage that may hide other entries.
pub(super) fn read(
    zip: &mut dyn ReadSeek,
    wanted: Wanted<'_>,
    room: &mut Room,
    entries: &mut Vec<Entry>,
) -> io::Result<Option<String>> {
    let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let archive = match ZipArchive::from_seekable(&mut *zip, &mut buffer) {
        Ok(archive) => archive,
        Err(error) => return damage("it has no ZIP directory at its end", error),
    };
    let at = archive.directory_offset();
    let what = format!("its ZIP directory at byte {at} is damaged");
    let mut listed = archive.entries(&mut buffer);
    let mut count = 0;
    loop {
        let entry = match listed.next_entry() {
            Ok(Some(entry)) => entry,
            Ok(None) => {
                let all = archive.entries_hint();
                return Ok((count < all).then(|| format!("{what}: it has {count} of {all} entries")));
            }
            Err(error) => return damage(&what, error),
        };
        count += 1;
        let name = name_of(entry.file_path().as_ref());
        if !wanted(&name) {
            continue;
        }
        if !room.take(&name) {
            return Ok(None);
        }
        let header = entry.local_header_offset();
        entries.push(Entry {
            name,
            header,
            data: 0..entry.compressed_size_hint(),
            method: entry.compression_method().as_u16(),
            is_encrypted: entry.flags().is_encrypted(),
            len: Some(entry.uncompressed_size_hint()),
            checksum: Some(entry.crc32()),
        });
    }
}

/// Fails with `error` if the file could not be read. An end or an offset that the file cannot have is damage.
fn damage(what: &str, error: rawzip::Error) -> io::Result<Option<String>> {
    let damage = match error.into_kind() {
        ErrorKind::IO(error)
            if !is_damage(&error)
                && !matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput) =>
        {
            return Err(error);
        }
        ErrorKind::MissingEndOfCentralDirectory => what.to_owned(),
        kind => format!("{what}: {}", kind.to_string().to_lowercase()),
    };
    Ok(Some(damage))
}
