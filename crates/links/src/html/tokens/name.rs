//! Finds the ends of names and values in a tag, by sets of bytes.

use super::short_name::ShortName;

pub(super) const SPACE: u8 = 1;
pub(super) const ENDS_TAG_NAME: u8 = 2;
pub(super) const ENDS_ATTRIBUTE_NAME: u8 = 4;
pub(super) const ENDS_VALUE: u8 = 8;
const UPPER: u8 = 16;

/// The sum of the sets that a byte is in.
static SETS: [u8; 256] = {
    let mut sets = [0; 256];
    // A carriage return counts as a line feed (HTML §13.2.3.5).
    let spaces = *b"\t\n\x0C\r ";
    let mut at = 0;
    while at < spaces.len() {
        sets[spaces[at] as usize] = SPACE | ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME | ENDS_VALUE;
        at += 1;
    }
    sets[b'/' as usize] = ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME;
    sets[b'>' as usize] = ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME | ENDS_VALUE;
    sets[b'=' as usize] = ENDS_ATTRIBUTE_NAME;
    at = b'A' as usize;
    while at <= b'Z' as usize {
        sets[at] = UPPER;
        at += 1;
    }
    sets
};

#[inline(always)]
pub(super) fn is_in(byte: u8, set: u8) -> bool {
    SETS[usize::from(byte)] & set != 0
}

/// The length of the text before a byte of the set.
#[inline(always)]
pub(super) fn len_before(text: &[u8], set: u8) -> usize {
    text.iter().position(|&byte| is_in(byte, set)).unwrap_or(text.len())
}

/// A name at the start of a text.
pub(super) struct Name {
    pub(super) len: usize,
    /// `None` also for some short names, such as near the end of a chunk.
    pub(super) short: Option<ShortName>,
    pub(super) has_upper: bool,
}

impl Name {
    /// Returns the name up to a byte of the set. The first byte is always a part of the name.
    #[inline(always)]
    pub(super) fn before(text: &[u8], set: u8) -> Self {
        match ShortName::at_start(text) {
            Some((short, len)) if is_in(text[len], set) => Name { len, short: Some(short), has_upper: false },
            known => Name::long(text, known.map_or(0, |(_, len)| len), set),
        }
    }

    /// No byte before `len` is in the set or upper case.
    #[inline(never)]
    fn long(text: &[u8], len: usize, set: u8) -> Self {
        let (mut seen, mut len) = (text.first().map_or(0, |first| SETS[usize::from(*first)]), len.max(1));
        while let Some(&byte) = text.get(len) {
            let sets = SETS[usize::from(byte)];
            if sets & set != 0 {
                break;
            }
            seen |= sets;
            len += 1;
        }
        Name { len: len.min(text.len()), short: None, has_upper: seen & UPPER != 0 }
    }
}
