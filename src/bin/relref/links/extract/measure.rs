//! The measures of a page, from which the memory to read it is estimated.

use std::fs::File;
use std::io::{self, Read, Seek};

use super::long_values::LongValues;

/// The measures of a page in a file.
#[derive(Debug, Default, PartialEq)]
pub struct Measures {
    /// The number of bytes that are not US-ASCII.
    pub wide: u64,
    /// True if the value of an attribute or a style sheet may be long.
    pub has_long_values: bool,
}

/// Measures a file from its start, and rewinds it. `buffer` is used to read it.
pub fn measure(file: &mut File, buffer: &mut Vec<u8>) -> io::Result<Measures> {
    let (mut measures, mut search) = (Measures::default(), LongValues::default());
    loop {
        buffer.clear();
        let read = file.by_ref().take(64 << 10).read_to_end(buffer)?;
        if read == 0 {
            file.rewind()?;
            return Ok(measures);
        }
        measures.wide += count_wide(buffer);
        measures.has_long_values = search.search(buffer);
    }
}

/// Counts the bytes that are not US-ASCII.
pub fn count_wide(bytes: &[u8]) -> u64 {
    // A sum of 255 bits fits in a byte, so that the compiler can add up sixteen bytes or more with one instruction.
    bytes.chunks(255).map(|part| u64::from(part.iter().map(|byte| byte >> 7).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn files_are_measured_from_their_start() {
        for (page, wide, has_long_values) in [
            (String::new(), 0, false),
            ("<p>é</p> \"".repeat(20_000), 40_000, false),
            (format!("<a href='{}'>", "x".repeat(9000)), 0, true),
        ] {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(page.as_bytes()).unwrap();
            file.rewind().unwrap();
            for _ in 0..2 {
                let measures = measure(&mut file, &mut Vec::new()).unwrap();
                assert_eq!(measures, Measures { wide, has_long_values });
            }
        }
        assert_eq!(count_wide(&[0xFF; 1000]), 1000);
        assert_eq!(count_wide(&[0x7F; 1000]), 0);
    }
}
