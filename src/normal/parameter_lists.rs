//! The lists of parameter names that a normalizer has, and the lookup of a name in them.

use alloc::string::String;
use alloc::vec::Vec;

use super::encoding::push_recoded;

/// The names of parameters that the changes `drop-tracking` and `keep-only` use.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ParameterLists {
    /// The parameters that `drop-tracking` removes.
    pub(crate) tracking: NameSet,
    /// The only parameters that `keep-only` leaves, sorted.
    keep: Vec<String>,
}

/// Empty lists, for normalizers without these changes.
pub(crate) static NO_NAMES: ParameterLists = ParameterLists { tracking: NameSet::EMPTY, keep: Vec::new() };

impl ParameterLists {
    /// Makes lists with these tracking parameters, and no names to keep.
    pub fn new<N: AsRef<str>>(tracking: impl IntoIterator<Item = N>) -> ParameterLists {
        ParameterLists { tracking: NameSet::new(tracking), keep: Vec::new() }
    }

    /// Replaces the names to keep.
    pub fn keep<N: AsRef<str>>(self, names: impl IntoIterator<Item = N>) -> ParameterLists {
        let mut keep: Vec<String> = names.into_iter().flat_map(spellings).collect();
        keep.sort_unstable();
        keep.dedup();
        ParameterLists { keep, ..self }
    }

    /// Returns the tracking parameters, in lower case.
    #[cfg(feature = "serde")]
    pub fn tracking(&self) -> impl Iterator<Item = &str> {
        self.tracking.whole.iter().chain(&self.tracking.starts).map(String::as_str)
    }

    /// Returns the names to keep.
    #[cfg(feature = "serde")]
    pub fn kept(&self) -> impl Iterator<Item = &str> {
        self.keep.iter().map(String::as_str)
    }

    /// Reports whether a name is one to keep. Upper and lower case differ.
    pub(super) fn keeps(&self, name: &str) -> bool {
        self.keep.binary_search_by(|keep| keep.as_str().cmp(name)).is_ok()
    }
}

/// A set of names and of starts of names, without regard to the case of US-ASCII letters.
///
/// Hardly any parameter is in a list, so a lookup first reads the small table `lengths`. Its index is the last five bits of the
/// first byte of a name. They are the same for both cases of a letter. Its element says which lengths a name with that byte can
/// have: bit *n* is for *n* bytes, and bit 63 for 63 bytes or more. An entry that ends in `*` sets the bit of its own length,
/// without the `*`, and all higher bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameSet {
    /// Whole names, in lower case, sorted.
    whole: Vec<String>,
    /// Entries that end in `*`, in lower case, sorted.
    starts: Vec<String>,
    /// The possible lengths of names, by the last five bits of the first byte. An empty name counts as one with the byte 0.
    lengths: [u64; 32],
}

impl NameSet {
    const EMPTY: NameSet = NameSet { whole: Vec::new(), starts: Vec::new(), lengths: [0; 32] };

    /// Makes a set of the entries of a list. An entry that ends in `*` is the start of names.
    pub fn new<N: AsRef<str>>(entries: impl IntoIterator<Item = N>) -> NameSet {
        let mut names = NameSet::EMPTY;
        for entry in entries.into_iter().flat_map(spellings) {
            let entry = entry.to_ascii_lowercase();
            let start = entry.strip_suffix('*');
            let text = start.unwrap_or(&entry);
            let lengths = if start.is_some() { u64::MAX << length_bit(text) } else { 1 << length_bit(text) };
            match text.bytes().next() {
                Some(first) => names.lengths[usize::from(first & 31)] |= lengths,
                None => names.lengths.iter_mut().for_each(|all| *all |= lengths),
            }
            if start.is_some() { &mut names.starts } else { &mut names.whole }.push(entry);
        }
        for list in [&mut names.whole, &mut names.starts] {
            list.sort_unstable();
            list.dedup();
        }
        names
    }

    /// Reports whether a name is in the set, or starts with one of its starts.
    pub(super) fn contains(&self, name: &str) -> bool {
        let first = name.bytes().next().unwrap_or_default();
        if self.lengths[usize::from(first & 31)] >> length_bit(name) & 1 == 0 {
            return false;
        }
        let lower = || name.bytes().map(|byte| byte.to_ascii_lowercase());
        self.whole.binary_search_by(|whole| whole.bytes().cmp(lower())).is_ok()
            || self.starts.iter().any(|start| entry_matches(start, name))
    }
}

/// Returns the bit of an element of `lengths` for names as long as this one.
fn length_bit(name: &str) -> usize {
    name.len().min(63)
}

/// Reports whether a name is the same as an entry of a list. If the entry ends in `*`, the name needs only to start with the text
/// before it. Upper and lower case do not differ.
pub(super) fn entry_matches(entry: &str, name: &str) -> bool {
    match entry.strip_suffix('*') {
        Some(start) => {
            name.as_bytes().get(..start.len()).is_some_and(|name| name.eq_ignore_ascii_case(start.as_bytes()))
        }
        None => name.eq_ignore_ascii_case(entry),
    }
}

/// Returns a name as it is written and, if that differs, as the change `encoding` writes it in URIs. Both are needed, since that
/// change may be off.
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

    use super::{NameSet, ParameterLists};

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
        let lists = ParameterLists::new(["x"]).keep(["%61", "é"]);
        assert!(lists.keeps("a") && lists.keeps("%61") && lists.keeps("é") && lists.keeps("%C3%A9"));
        assert!(!lists.keeps("A") && !lists.keeps("x"));
    }
}
