//! Helpers that several targets share: the options before an input, and readers that give few bytes at a time.

use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom};

use relref::{Document, ErrorKind as Kind, Rules, Slashes};

/// Splits an input into its first four bytes, which choose the options, and the bytes after them; `None` if it is shorter.
pub fn options(input: &[u8]) -> Option<(u32, &[u8])> {
    let (bits, rest) = input.split_first_chunk()?;
    Some((u32::from_le_bytes(*bits), rest))
}

/// Splits an input into its options and the text after them; `None` if it has less than four bytes, or the text is not UTF-8.
pub fn text(input: &[u8]) -> Option<(u32, &str)> {
    let (bits, rest) = options(input)?;
    Some((bits, std::str::from_utf8(rest).ok()?))
}

/// Splits a text at its first line break; the second part is empty if there is none.
pub fn split_line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

/// Returns the mix of rules that the options choose.
pub fn mix(bits: u32) -> Rules {
    let is_set = |bit: u32| bits >> bit & 1 != 0;
    Rules {
        document: Document::ALL[(bits >> 9) as usize % Document::ALL.len()],
        slashes: [Slashes::Components, Slashes::Levels, Slashes::FirstRun, Slashes::Levels][(bits & 3) as usize],
        query_replaces: is_set(2),
        rooted_dots: is_set(3),
        absolute_dots: is_set(4),
        drop_surplus: is_set(5),
        empty_is_whole: is_set(6),
        params: is_set(7),
        empty_is_absent: is_set(31),
        lenient: is_set(8),
    }
}

/// Returns the rules of the six documents, these made non-strict, and the mix that the options choose.
pub fn all_rules(bits: u32) -> impl Iterator<Item = Rules> {
    Rules::ALL.iter().flat_map(|rules| [*rules, rules.lenient()]).chain([mix(bits)])
}

/// Checks that the position of an error is at a character of the text or at its end, and that the message names that place.
pub fn check_error(error: &relref::Error, text: &str) {
    let (position, said) = (error.position(), error.to_string());
    assert!(text.is_char_boundary(position), "{error:?} in {text:?}");
    if matches!(error.kind(), Kind::NotUtf8 | Kind::UnknownName) {
        return;
    }
    match text[position..].chars().next() {
        Some(c) => assert!(said.ends_with(&format!("found `{}` at byte {position}", c.escape_debug())), "{said}"),
        None => assert!(said.ends_with(&format!("found the end at byte {position}")), "{said}"),
    }
}

/// Returns every document.
pub fn documents() -> impl Iterator<Item = Document> {
    Rules::ALL.iter().copied().map(|rules| rules.document)
}

/// A reader that gives bytes in chunks of 1 to `most` bytes, whose lengths are random, and is interrupted now and then if
/// `interrupts` is true.
pub struct Chunks<B> {
    bytes: Cursor<B>,
    state: u32,
    most: usize,
    interrupts: bool,
}

impl<B: AsRef<[u8]>> Chunks<B> {
    /// Makes a reader of these bytes. The options choose `most` and the random numbers.
    pub fn new(bytes: B, bits: u32, interrupts: bool) -> Self {
        let most = [1, 2, 7, 100, 5000, 1 << 17][bits as usize % 6];
        Chunks { bytes: Cursor::new(bytes), state: bits | 1, most, interrupts }
    }

    /// Returns the next random number, by Marsaglia's xorshift generator.
    fn random(&mut self) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 17;
        self.state ^= self.state << 5;
        self.state as usize
    }
}

impl<B: AsRef<[u8]>> Read for Chunks<B> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.interrupts && self.random() % 4 == 0 {
            return Err(ErrorKind::Interrupted.into());
        }
        let len = into.len().min(1 + self.random() % self.most);
        self.bytes.read(&mut into[..len])
    }
}

impl<B: AsRef<[u8]>> Seek for Chunks<B> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}
