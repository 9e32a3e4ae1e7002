//! Names of at most seven lower-case letters as numbers, which are compared at once. Most tags and attributes have such names.

/// In each byte of a number.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The first letter is the lowest byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShortName(u64);

impl ShortName {
    const MAX_LEN: usize = 7;

    /// The name before the first byte that is less than `a`, and its length. Other bytes than letters may be in it; no name in a table has
    /// them. `None` if it has no or more than seven bytes, or the text is shorter than eight.
    #[inline(always)]
    pub(super) fn at_start(text: &[u8]) -> Option<(Self, usize)> {
        let number = u64::from_le_bytes(*text.first_chunk()?);
        // The top bit of each such byte. A borrow changes only bytes after the first one.
        let less = number.wrapping_sub(ONES * b'a' as u64) & !number & (ONES << 7);
        let first = less & less.wrapping_neg();
        let name = ShortName(number & (first >> 7).wrapping_sub(1));
        // Not the first byte.
        (first > 0x80).then_some((name, first.trailing_zeros() as usize / 8))
    }

    pub(super) const fn new(name: &[u8]) -> Option<Self> {
        if name.len() > Self::MAX_LEN {
            return None;
        }
        let (mut number, mut at) = (0, name.len());
        while at > 0 {
            at -= 1;
            if !name[at].is_ascii_lowercase() {
                return None;
            }
            number = number << 8 | name[at] as u64;
        }
        Some(ShortName(number))
    }
}

/// A table of short names, in which the place of each follows from its number. `N` is a power of two.
pub(super) struct ShortNames<T, const N: usize> {
    factor: u64,
    /// Zero where there is no name.
    rows: [(u64, T); N],
}

impl<T: Copy, const N: usize> ShortNames<T, N> {
    /// Leaves out other names. Of a name that is there several times, the first value counts.
    pub(super) const fn new(names: &[(&[u8], T)]) -> Self {
        // Any odd number. With the next, all names may have places of their own.
        let mut factor = 0x9E37_79B9_7F4A_7C15;
        'factors: loop {
            let mut rows = [(0, names[0].1); N];
            let mut at = 0;
            while at < names.len() {
                if let Some(ShortName(name)) = ShortName::new(names[at].0) {
                    let place = Self::place(name, factor);
                    if rows[place].0 == 0 {
                        rows[place] = (name, names[at].1);
                    } else if rows[place].0 != name {
                        factor = factor.wrapping_mul(0x5851_F42D_4C95_7F2D) ^ 0x1234_5678_9ABC_DEF2;
                        continue 'factors;
                    }
                }
                at += 1;
            }
            return ShortNames { factor, rows };
        }
    }

    #[inline(always)]
    const fn place(name: u64, factor: u64) -> usize {
        (name.wrapping_mul(factor) >> (u64::BITS - N.ilog2())) as usize % N
    }

    #[inline(always)]
    pub(super) fn get(&self, ShortName(name): ShortName) -> Option<T> {
        let (known, value) = self.rows[Self::place(name, self.factor)];
        (known == name).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_before_what_is_less_than_a_letter() {
        for (text, name) in [
            ("a       ", Some("a")),
            ("abcdefg>", Some("abcdefg")),
            ("abcdefgh>", None),
            ("h1 hrefs", Some("h")),
            ("aBcdefgh", Some("a")),
            ("=abcdefg", None),
            ("a b", None),
        ] {
            let expected = name.map(|name| (ShortName::new(name.as_bytes()).unwrap(), name.len()));
            assert_eq!(ShortName::at_start(text.as_bytes()), expected, "{text}");
        }
        // More than letters, but no name that is in a table.
        let (ShortName(number), len) = ShortName::at_start("é{~\u{7F} 234".as_bytes()).unwrap();
        assert!(len == 5 && number != 0 && ShortName::new("é{~\u{7F}".as_bytes()).is_none());
    }

    quickcheck::quickcheck! {
        fn a_short_name_is_what_a_loop_finds(bytes: Vec<u8>) -> bool {
            const BYTES: &[u8] = b"\0/ >A`aaz{\x7F\x80\xE1\xFF";
            let text: Vec<u8> = bytes.iter().map(|byte| BYTES[usize::from(*byte) % BYTES.len()]).collect();
            (0..text.len()).all(|start| {
                let text = &text[start..];
                let found = ShortName::at_start(text).map(|(ShortName(name), len)| (name.to_le_bytes()[..len].to_vec(), name >> (8 * len)));
                let len = text.iter().take(8).position(|byte| *byte < b'a').filter(|len| *len > 0 && text.len() >= 8);
                found == len.map(|len| (text[..len].to_vec(), 0))
            })
        }
    }

    #[test]
    fn names_are_found_in_a_table() {
        const NAMES: [(&[u8], u8); 6] = [(b"a", 1), (b"ab", 2), (b"ba", 3), (b"a", 4), (b"abcdefgh", 5), (b"h1", 6)];
        let table = ShortNames::<u8, 8>::new(&NAMES);
        for (name, expected) in [("a", Some(1)), ("ab", Some(2)), ("ba", Some(3)), ("b", None), ("h", None)] {
            assert_eq!(table.get(ShortName::new(name.as_bytes()).unwrap()), expected, "{name}");
        }
    }
}
