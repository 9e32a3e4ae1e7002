//! The paths and names that count as the same as another one: in another case, or in another normalization form.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::{fast, quality};
use icu_normalizer::ComposingNormalizerBorrowed;

/// The last of the paths that count as the same.
#[derive(Clone, Copy)]
pub(super) struct Alike {
    pub(super) last: u32,
    pub(super) is_only: bool,
}

/// The numbers of paths by what is the same in those that count as the same.
pub(super) struct AlikePaths {
    // The forms themselves would take a text for each path. Two of a million paths have the same hash by chance in one of 10^7 sites.
    by_hash: HashMap<u64, Alike, fast::RandomState>,
    hasher: quality::RandomState,
    form: Form,
}

/// Appends what is the same in paths that count as the same.
type Form = fn(&[u8], &mut Vec<u8>);

impl AlikePaths {
    pub(super) fn new<'p>(paths: impl Iterator<Item = (u32, &'p [u8])>, form: Form) -> Self {
        let mut alike = AlikePaths { by_hash: HashMap::default(), hasher: quality::RandomState::default(), form };
        alike.by_hash.reserve(paths.size_hint().0);
        let mut buffer = Vec::new();
        for (last, path) in paths {
            let hash = alike.hash(path, &mut buffer);
            let known = alike.by_hash.entry(hash).and_modify(|known| known.is_only = false);
            known.or_insert(Alike { last, is_only: true }).last = last;
        }
        alike
    }

    pub(super) fn get(&self, path: &[u8]) -> Option<Alike> {
        self.by_hash.get(&self.hash(path, &mut Vec::new())).copied()
    }

    fn hash(&self, path: &[u8], buffer: &mut Vec<u8>) -> u64 {
        buffer.clear();
        (self.form)(path, buffer);
        self.hasher.hash_one(&**buffer)
    }
}

/// Appends a path in lower case.
pub(super) fn lower(path: &[u8], text: &mut Vec<u8>) {
    match path.is_ascii() {
        true => text.extend(path.iter().map(u8::to_ascii_lowercase)),
        false => text.extend_from_slice(String::from_utf8_lossy(path).to_lowercase().as_bytes()),
    }
}

/// Appends a path in the normalization form C.
pub(super) fn normal_form(path: &[u8], text: &mut Vec<u8>) {
    let path = String::from_utf8_lossy(path);
    text.extend_from_slice(ComposingNormalizerBorrowed::new_nfc().normalize(&path).as_bytes());
}
