//! The lists of parameter names that a normalizer has, and the lookup of a name in them.

use alloc::string::String;
use alloc::vec::Vec;

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

/// A set of parameter names in either case. An entry that ends in `*` is for all names that start with the text before the `*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameSet {
    /// In lower case, sorted.
    whole: Vec<String>,
    /// With their `*`, in lower case, sorted.
    starred: Vec<String>,
    /// A filter for speed: hardly any parameter is in a set. The index is the last five bits of a name's first byte, the same for
    /// both cases of a letter; 0 for an empty name. Bit *n* is for names of *n* bytes, bit 63 for 63 bytes or more. An entry that
    /// ends in `*` sets the bit of its length, without the `*`, and all higher bits.
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
            let start = entry.strip_suffix('*');
            let text = start.unwrap_or(&entry);
            let lengths = if start.is_some() { u64::MAX << length_bit(text) } else { 1 << length_bit(text) };
            match text.bytes().next() {
                Some(first) => self.lengths[usize::from(first & 31)] |= lengths,
                None => self.lengths.iter_mut().for_each(|all| *all |= lengths),
            }
            if start.is_some() { &mut self.starred } else { &mut self.whole }.push(entry);
        }
        for list in [&mut self.whole, &mut self.starred] {
            list.sort_unstable();
            list.dedup();
        }
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        let first = name.bytes().next().unwrap_or_default();
        if self.lengths[usize::from(first & 31)] >> length_bit(name) & 1 == 0 {
            return false;
        }
        let lower = || name.bytes().map(|byte| byte.to_ascii_lowercase());
        self.whole.binary_search_by(|whole| whole.bytes().cmp(lower())).is_ok()
            || self.starred.iter().any(|entry| entry_matches(entry, name))
    }
}

fn length_bit(name: &str) -> usize {
    name.len().min(63)
}

/// Compares an entry and a name as a [`NameSet`] does.
pub(super) fn entry_matches(entry: &str, name: &str) -> bool {
    match entry.strip_suffix('*') {
        Some(start) => {
            name.as_bytes().get(..start.len()).is_some_and(|name| name.eq_ignore_ascii_case(start.as_bytes()))
        }
        None => name.eq_ignore_ascii_case(entry),
    }
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
        let lists = ParameterLists::new(["x"]).keep_only(["%61", "é"]);
        assert!(lists.keeps("a") && lists.keeps("%61") && lists.keeps("é") && lists.keeps("%C3%A9"));
        assert!(!lists.keeps("A") && !lists.keeps("x"));
    }
}
