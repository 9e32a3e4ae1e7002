//! Measures of a page, from which the memory to read it is estimated.

use std::fs::File;
use std::io::{self, Read, Seek};

use super::long_values::LongValues;

/// The measures of a page whose bytes are in a file.
#[derive(Debug, Default, PartialEq)]
pub struct Measures {
    /// The number of bytes that are not US-ASCII.
    pub non_ascii: u64,
    /// True if the page may have a long value of an attribute, or a long style sheet.
    pub has_long_values: bool,
}

/// Measures the page in a file, which is read from its position to its end. Then rewinds the file to its start. `buffer` is
/// overwritten.
pub fn measure(file: &mut File, buffer: &mut Vec<u8>) -> io::Result<Measures> {
    let (mut measures, mut search) = (Measures::default(), LongValues::default());
    loop {
        buffer.clear();
        let read = file.by_ref().take(64 << 10).read_to_end(buffer)?;
        if read == 0 {
            file.rewind()?;
            return Ok(measures);
        }
        measures.non_ascii += count_non_ascii(buffer);
        measures.has_long_values = search.search_chunk(buffer);
    }
}

/// Returns the number of bytes that are not US-ASCII.
pub fn count_non_ascii(bytes: &[u8]) -> u64 {
    // A sum of 255 bits fits in a byte, so that the compiler can add up sixteen bytes or more with one instruction.
    bytes.chunks(255).map(|part| u64::from(part.iter().map(|byte| byte >> 7).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn files_are_measured_from_their_start() {
        for (page, non_ascii, has_long_values) in [
            (String::new(), 0, false),
            ("<p>é</p> \"".repeat(20_000), 40_000, false),
            (format!("<a href='{}'>", "x".repeat(9000)), 0, true),
        ] {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(page.as_bytes()).unwrap();
            file.rewind().unwrap();
            for _ in 0..2 {
                let measures = measure(&mut file, &mut Vec::new()).unwrap();
                assert_eq!(measures, Measures { non_ascii, has_long_values });
            }
        }
        assert_eq!(count_non_ascii(&[0xFF; 1000]), 1000);
        assert_eq!(count_non_ascii(&[0x7F; 1000]), 0);
    }
}
