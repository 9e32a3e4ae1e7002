//! A set of names to look every parameter up in.

use alloc::string::String;
use alloc::vec::Vec;

use super::lists::stands_for;
use crate::canon::push_recoded;

/// Names and starts of names, without regard to the case of US-ASCII.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// Whole names, in lower case, sorted.
    whole: Vec<String>,
    /// Entries that end in `*`.
    starts: Vec<String>,
    /// For the last five bits of a name's first byte, the lengths that names with it have, as bits; the last bit stands for
    /// all longer ones. Most parameters are told here to be in no entry.
    lengths: [u64; 32],
}

impl Names {
    pub fn new<N: AsRef<str>>(entries: impl IntoIterator<Item = N>) -> Names {
        let mut names = Names { whole: Vec::new(), starts: Vec::new(), lengths: [0; 32] };
        for entry in entries.into_iter().flat_map(spellings) {
            let entry = entry.to_ascii_lowercase();
            let start = entry.strip_suffix('*');
            let text = start.unwrap_or(&entry);
            let longer = if start.is_some() { u64::MAX << bit(text) } else { 1 << bit(text) };
            match text.bytes().next() {
                Some(first) => names.lengths[usize::from(first & 31)] |= longer,
                None => names.lengths.iter_mut().for_each(|lengths| *lengths |= longer),
            }
            if start.is_some() { &mut names.starts } else { &mut names.whole }.push(entry);
        }
        names.whole.sort_unstable();
        names
    }

    pub fn contains(&self, name: &str) -> bool {
        let first = name.bytes().next().unwrap_or_default();
        if self.lengths[usize::from(first & 31)] >> bit(name) & 1 == 0 {
            return false;
        }
        let lower = || name.bytes().map(|byte| byte.to_ascii_lowercase());
        self.whole.binary_search_by(|whole| whole.bytes().cmp(lower())).is_ok()
            || self.starts.iter().any(|start| stands_for(start, name))
    }
}

/// A name as it is written, and as URIs have it after the change `encoding`, which may be off.
pub(super) fn spellings(name: impl AsRef<str>) -> impl Iterator<Item = String> {
    let written = String::from(name.as_ref());
    let mut recoded = String::new();
    let differs = push_recoded(&written, &mut recoded).is_ok() && recoded != written;
    [Some(written), differs.then_some(recoded)].into_iter().flatten()
}

fn bit(name: &str) -> usize {
    name.len().min(63)
}
