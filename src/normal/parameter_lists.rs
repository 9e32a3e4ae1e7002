//! The lists of parameter names that a normalizer has, and the lookup of a name in them.

use alloc::string::String;
use alloc::vec::Vec;

use memchr::memmem;
use smallvec::SmallVec;

use super::encoding::push_recoded;

#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ParameterLists {
    pub(crate) tracking: NameSet,
    /// Sorted, each name as it is written and as `encoding` writes it.
    names_to_keep: Vec<String>,
}

pub(crate) static NO_NAMES: ParameterLists = ParameterLists { tracking: NameSet::EMPTY, names_to_keep: Vec::new() };

impl ParameterLists {
    pub fn new<N: AsRef<str>>(tracking: impl IntoIterator<Item = N>) -> ParameterLists {
        ParameterLists { tracking: NameSet::new(tracking), names_to_keep: Vec::new() }
    }

    pub fn keep_only<N: AsRef<str>>(self, names: impl IntoIterator<Item = N>) -> ParameterLists {
        let mut names_to_keep: Vec<String> = names.into_iter().flat_map(spellings).collect();
        names_to_keep.sort_unstable();
        names_to_keep.dedup();
        ParameterLists { names_to_keep, ..self }
    }

    #[cfg(feature = "serde")]
    pub fn tracking(&self) -> impl Iterator<Item = &str> {
        self.tracking.whole.iter().chain(&self.tracking.starred).map(String::as_str)
    }

    #[cfg(feature = "serde")]
    pub fn names_to_keep(&self) -> impl Iterator<Item = &str> {
        self.names_to_keep.iter().map(String::as_str)
    }

    /// Upper and lower case differ here.
    pub(super) fn keeps(&self, name: &str) -> bool {
        self.names_to_keep.binary_search_by(|keep| keep.as_str().cmp(name)).is_ok()
    }
}

/// A set of parameter names in either case. A `*` in an entry is for any text, also for none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameSet {
    /// The entries without a `*`, in lower case, sorted.
    whole: Vec<String>,
    /// The entries with a `*`, which they keep, in lower case, sorted.
    starred: Vec<String>,
    // A filter, since hardly any parameter is in a set, and each is looked up: one load and a shift answer "no" for nearly all, where
    // a binary search compares texts. It has no false "no": a bit too many costs a search, a bit too few loses an entry.
    /// The index is the last five bits of a name's first byte, the same for both cases of a letter; 0 for an empty name. Bit *n* is
    /// for names of *n* bytes, bit 63 for 63 bytes or more. An entry with a `*` sets the bit of its length, without each `*`, and
    /// all higher bits; if it starts with a `*`, for each first byte.
    lengths: [u64; 32],
}

impl NameSet {
    const EMPTY: NameSet = NameSet { whole: Vec::new(), starred: Vec::new(), lengths: [0; 32] };

    pub fn new<N: AsRef<str>>(entries: impl IntoIterator<Item = N>) -> NameSet {
        let mut names = NameSet::EMPTY;
        names.extend(entries);
        names
    }

    pub fn extend<N: AsRef<str>>(&mut self, entries: impl IntoIterator<Item = N>) {
        for entry in entries.into_iter().flat_map(spellings) {
            let entry = entry.to_ascii_lowercase();
            let stars = entry.matches('*').count();
            let bit = length_bit(entry.len() - stars);
            let lengths = if stars > 0 { u64::MAX << bit } else { 1 << bit };
            match entry.bytes().next().filter(|first| *first != b'*') {
                Some(first) => self.lengths[usize::from(first & 31)] |= lengths,
                None => self.lengths.iter_mut().for_each(|all| *all |= lengths),
            }
            if stars > 0 { &mut self.starred } else { &mut self.whole }.push(entry);
        }
        for list in [&mut self.whole, &mut self.starred] {
            list.sort_unstable();
            list.dedup();
        }
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        let first = name.bytes().next().unwrap_or_default();
        if self.lengths[usize::from(first & 31)] >> length_bit(name.len()) & 1 == 0 {
            return false;
        }
        let lower = || name.bytes().map(|byte| byte.to_ascii_lowercase());
        self.whole.binary_search_by(|whole| whole.bytes().cmp(lower())).is_ok()
            || self.starred.iter().any(|entry| entry_matches(entry, name))
    }
}

fn length_bit(len: usize) -> usize {
    len.min(63)
}

/// Compares an entry, in lower case, and a name as a [`NameSet`] does.
pub(super) fn entry_matches(entry: &str, name: &str) -> bool {
    let Some((start, after)) = entry.split_once('*') else { return name.eq_ignore_ascii_case(entry) };
    let Some((name_start, rest)) = name.as_bytes().split_at_checked(start.len()) else { return false };
    name_start.eq_ignore_ascii_case(start.as_bytes()) && (after.is_empty() || rest_matches(after, rest))
}

/// `entry` is what follows a `*`.
fn rest_matches(entry: &str, name: &[u8]) -> bool {
    let (middle, end) = entry.rsplit_once('*').unwrap_or(("", entry));
    let Some(end_start) = name.len().checked_sub(end.len()) else { return false };
    let (name, name_end) = name.split_at(end_start);
    if !name_end.eq_ignore_ascii_case(end.as_bytes()) {
        return false;
    }
    let mut parts = middle.split('*').filter(|part| !part.is_empty()).peekable();
    if parts.peek().is_none() {
        return true;
    }
    // Only now, in lower case: few entries have a `*` in the middle, and fewer names reach this.
    let name: SmallVec<[u8; 64]> = name.iter().map(u8::to_ascii_lowercase).collect();
    let mut rest = &name[..];
    // The first place of each part leaves the most for those after it.
    parts.all(|part| {
        let found = memmem::find(rest, part.as_bytes());
        rest = found.map_or(&[], |at| &rest[at + part.len()..]);
        found.is_some()
    })
}

/// Returns a name as written and as `encoding` writes it, if that differs: that change may be off when a parameter is looked up.
fn spellings(name: impl AsRef<str>) -> impl Iterator<Item = String> {
    let written = String::from(name.as_ref());
    let mut recoded = String::new();
    push_recoded(&written, &mut recoded);
    let differs = recoded != written;
    [Some(written), differs.then_some(recoded)].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use quickcheck::QuickCheck;

    use super::{NameSet, ParameterLists};

    /// A naive transcription of the meaning of `*`.
    fn matches(entry: &[u8], name: &[u8]) -> bool {
        match entry.split_first() {
            None => name.is_empty(),
            Some((b'*', rest)) => (0..=name.len()).any(|len| matches(rest, &name[len..])),
            Some((byte, rest)) => {
                name.first().is_some_and(|first| first.eq_ignore_ascii_case(byte)) && matches(rest, &name[1..])
            }
        }
    }

    #[test]
    fn a_star_is_for_any_text() {
        fn law(entries: Vec<Vec<u8>>, name: Vec<u8>) -> bool {
            let text = |from: &[u8], letters: &[&str]| -> String {
                from.iter().take(12).map(|byte| letters[usize::from(*byte) % letters.len()]).collect()
            };
            let entries: Vec<String> =
                entries.iter().take(3).map(|entry| text(entry, &["a", "B", "*", "_", "д", "*"])).collect();
            let name = text(&name, &["a", "b", "A", "_", "д", "Д", "*"]);
            let expected = entries.iter().any(|entry| matches(entry.as_bytes(), name.as_bytes()));
            NameSet::new(&entries).contains(&name) == expected
        }
        QuickCheck::new().tests(20_000).max_tests(20_000).quickcheck(law as fn(Vec<Vec<u8>>, Vec<u8>) -> bool);
    }

    #[test]
    fn names_of_each_length_are_found() {
        for len in [0, 1, 62, 63, 64, 65, 200] {
            let (name, longer) = ("a".repeat(len), "a".repeat(len + 1));
            let whole = NameSet::new([&name]);
            assert!(whole.contains(&name) && whole.contains(&name.to_uppercase()) && !whole.contains(&longer), "{len}");
            let start = NameSet::new([format!("{name}*")]);
            assert!(start.contains(&name) && start.contains(&longer), "{len}");
            assert!(len == 0 || !start.contains(&name[1..]), "{len}");
        }
    }

    #[test]
    fn bytes_with_the_same_last_bits_are_told_apart() {
        let names = NameSet::new(["a1", "_b"]);
        assert!(names.contains("A1") && names.contains("_B"));
        assert!(!names.contains("!1") && !names.contains("?b") && !names.contains("\u{e1}1"));
    }

    #[test]
    fn kept_names_are_found_as_written_and_recoded() {
        let lists = ParameterLists::new(["x"]).keep_only(["%61", "é"]);
        assert!(lists.keeps("a") && lists.keeps("%61") && lists.keeps("é") && lists.keeps("%C3%A9"));
        assert!(!lists.keeps("A") && !lists.keeps("x"));
    }
}
