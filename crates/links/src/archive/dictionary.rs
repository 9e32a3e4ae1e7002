//! The dictionary at the start of a Zstandard archive: a skippable frame, compressed or not (.warc.zst format of the IIPC).

use std::io::{self, BufRead, Read};

use super::damage::invalid;
use super::frame_header::{DICTIONARY_FRAME_MAGIC, MAGIC, MAX_DICTIONARY_LEN};
use super::rewind::Rewind;

/// Moves past a dictionary that starts here; otherwise reads that at the start of the archive without moving. Empty if there is
/// none, or if a stream no longer has its start. Memory is at most twice [`MAX_DICTIONARY_LEN`].
pub(super) fn read(input: &mut Rewind<impl Read>) -> io::Result<Vec<u8>> {
    let here = input.peek(8)?.to_vec();
    let is_here = here.starts_with(DICTIONARY_FRAME_MAGIC);
    // Reading may start in the middle, at the offset of a record.
    let header = if is_here || input.offset() == 0 { Some(here) } else { input.look_at(0, 8)? };
    let Some((DICTIONARY_FRAME_MAGIC, len)) = header.as_deref().and_then(|header| header.split_at_checked(4)) else {
        return Ok(Vec::new());
    };
    let at = if is_here { input.offset() } else { 0 };
    let len = len.try_into().map_or(0, u32::from_le_bytes);
    let too_long = || invalid(format!("its dictionary at byte {at} has more than 4 MiB"));
    if len == 0 {
        return Ok(Vec::new());
    }
    if len > MAX_DICTIONARY_LEN {
        return Err(too_long());
    }
    let dictionary = if is_here {
        let mut dictionary = Vec::new();
        input.consume(8);
        input.take(u64::from(len)).read_to_end(&mut dictionary)?;
        dictionary
    } else {
        input.look_at(8, len as usize)?.unwrap_or_default()
    };
    if dictionary.len() < len as usize {
        return Err(invalid(format!("it ends in its dictionary at byte {at}")));
    }
    if !dictionary.starts_with(MAGIC) {
        return Ok(dictionary);
    }
    // All of the content is in one buffer, which is the window, too: so memory does not grow with the size of the window, which
    // `zstd --ultra -22` sets to 128 MiB for a dictionary from a pipe.
    zstd::bulk::decompress(&dictionary, MAX_DICTIONARY_LEN as usize).map_err(|error| {
        match error.to_string().to_lowercase() {
            why if why == "destination buffer is too small" => too_long(),
            why => invalid(format!("its dictionary at byte {at} is damaged: {why}")),
        }
    })
}
