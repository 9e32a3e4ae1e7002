//! The lists of parameter names that a normalizer has, and the lookup of a name in them.

use alloc::string::String;
use alloc::vec::Vec;

use super::encoding::push_recoded;

/// The lists of parameter names that the changes `drop-tracking` and `keep-only` use.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ParameterLists {
    /// The names of the parameters that `drop-tracking` removes.
    pub(crate) tracking: NameSet,
    /// The names of the only parameters that `keep-only` leaves, as they are written and as `encoding` writes them, sorted.
    names_to_keep: Vec<String>,
}

/// Empty lists, for changes without `drop-tracking` and `keep-only`.
pub(crate) static NO_NAMES: ParameterLists = ParameterLists { tracking: NameSet::EMPTY, names_to_keep: Vec::new() };

impl ParameterLists {
    /// Makes lists with these names of tracking parameters, and without names to keep.
    pub fn new<N: AsRef<str>>(tracking: impl IntoIterator<Item = N>) -> ParameterLists {
        ParameterLists { tracking: NameSet::new(tracking), names_to_keep: Vec::new() }
    }

    /// Returns the lists with these names to keep, in place of the old ones.
    pub fn keep_only<N: AsRef<str>>(self, names: impl IntoIterator<Item = N>) -> ParameterLists {
        let mut names_to_keep: Vec<String> = names.into_iter().flat_map(spellings).collect();
        names_to_keep.sort_unstable();
        names_to_keep.dedup();
        ParameterLists { names_to_keep, ..self }
    }

    /// Returns the entries of the list of tracking parameters, in lower case.
    #[cfg(feature = "serde")]
    pub fn tracking(&self) -> impl Iterator<Item = &str> {
        self.tracking.whole.iter().chain(&self.tracking.starred).map(String::as_str)
    }

    /// Returns the names to keep.
    #[cfg(feature = "serde")]
    pub fn names_to_keep(&self) -> impl Iterator<Item = &str> {
        self.names_to_keep.iter().map(String::as_str)
    }

    /// Reports whether a name is in the list of names to keep. Upper and lower case differ.
    pub(super) fn keeps(&self, name: &str) -> bool {
        self.names_to_keep.binary_search_by(|keep| keep.as_str().cmp(name)).is_ok()
    }
}

/// A set of parameter names. Upper and lower case of US-ASCII letters do not differ. An entry that ends in `*` is for all names
/// that start with the text before the `*`.
///
/// Hardly any parameter of a URI is in a set. So a lookup first reads `lengths`, a small table that excludes most names. Its index
/// is the last five bits of the first byte of a name, which are the same for both cases of a letter. Its element says which lengths
/// a name with that index can have: bit *n* is for *n* bytes, and bit 63 for 63 bytes or more. An entry that ends in `*` sets the
/// bit of its own length, without the `*`, and all higher bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameSet {
    /// The entries that do not end in `*`, in lower case, sorted.
    whole: Vec<String>,
    /// The entries that end in `*`, with it, in lower case, sorted.
    starred: Vec<String>,
    /// The lengths that names in the set can have: a bit for each length, in the element for the last five bits of the first byte.
    /// An empty name has the index 0.
    lengths: [u64; 32],
}

impl NameSet {
    const EMPTY: NameSet = NameSet { whole: Vec::new(), starred: Vec::new(), lengths: [0; 32] };

    /// Makes a set of the entries of a list, each as it is written and as the change `encoding` writes it.
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
            if start.is_some() { &mut names.starred } else { &mut names.whole }.push(entry);
        }
        for list in [&mut names.whole, &mut names.starred] {
            list.sort_unstable();
            list.dedup();
        }
        names
    }

    /// Reports whether the set has this name, in upper or lower case: an entry is the name, or is a start of the name followed by
    /// `*`.
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

/// Reports whether an entry of a list is for this name. An entry that ends in `*` is for all names that start with the text before
/// the `*`, any other only for the same name. Upper and lower case do not differ.
pub(super) fn entry_matches(entry: &str, name: &str) -> bool {
    match entry.strip_suffix('*') {
        Some(start) => {
            name.as_bytes().get(..start.len()).is_some_and(|name| name.eq_ignore_ascii_case(start.as_bytes()))
        }
        None => name.eq_ignore_ascii_case(entry),
    }
}

/// Returns a name as it is written and, if that differs, as the change `encoding` writes it. Lists need both, since this change may
/// be off when a parameter is looked up.
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
