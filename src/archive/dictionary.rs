//! The dictionary at the start of a Zstandard archive: a skippable frame that holds it, compressed or not (the .warc.zst format of
//! the IIPC).

use std::io::{self, BufRead, Read};

use super::codec::Codec;
use super::damage::invalid;
use super::decoded::{Decoded, Streams};
use super::frame_header::{DICTIONARY_MAGIC, MAGIC, MOST_DICTIONARY};
use super::rewind::Rewind;
use super::zstd::Zstd;

/// Reads the dictionary that starts here, or else the dictionary at the start of the archive; empty if there is neither. The input
/// moves past a dictionary that starts here.
pub(super) fn read(input: &mut Rewind<impl Read>) -> io::Result<Vec<u8>> {
    let here = input.peek(8)?.to_vec();
    let is_here = here.starts_with(DICTIONARY_MAGIC);
    // A record may be read at its offset.
    let header = if is_here || input.offset() == 0 { Some(here) } else { input.look_at(0, 8)? };
    let Some((DICTIONARY_MAGIC, len)) = header.as_deref().and_then(|header| header.split_at_checked(4)) else {
        return Ok(Vec::new());
    };
    let at = if is_here { input.offset() } else { 0 };
    let len = len.try_into().map_or(0, u32::from_le_bytes);
    let too_long = || invalid(&format!("its dictionary at byte {at} has more than 4 MiB"));
    if len == 0 {
        return Ok(Vec::new());
    }
    if len > MOST_DICTIONARY {
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
        return Err(invalid(&format!("it ends in its dictionary at byte {at}")));
    }
    if !dictionary.starts_with(MAGIC) {
        return Ok(dictionary);
    }
    let mut decoded = Vec::new();
    let decoder = Streams(Decoded::new(&*dictionary, Codec::Zstd(Zstd::new(&[])?)));
    match decoder.take(u64::from(MOST_DICTIONARY) + 1).read_to_end(&mut decoded) {
        Err(error) => Err(invalid(&format!("its dictionary at byte {at} is damaged: {error}"))),
        Ok(len) if len > MOST_DICTIONARY as usize => Err(too_long()),
        Ok(_) => Ok(decoded),
    }
}
