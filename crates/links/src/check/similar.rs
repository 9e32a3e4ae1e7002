//! Guesses at the meaning of a link that does not work.

use std::collections::HashMap;

use super::files::{Files, last_name};

/// The length in bytes of the longest name that is compared.
const MAX_NAME_LEN: usize = 200;

/// The most bytes of a character in UTF-8.
const MAX_CHAR_LEN: usize = 4;

/// Suggestions, of which a site gets a limited number: each takes a look at many names.
#[derive(Default)]
pub(super) struct Suggestions {
    /// What was done for suggestions, in comparisons of short names.
    work: usize,
    /// The `id`s of pages, in the order of their lower case, and their number.
    ids: HashMap<u32, Vec<String>>,
    ids_len: usize,
    known_files: HashMap<Vec<u8>, Option<String>>,
    known_fragments: HashMap<(u32, Box<str>), Option<String>>,
    /// The bytes of the answers that are kept.
    known_len: usize,
}

/// The work, which takes about a second, after which there are no more suggestions.
const MAX_WORK: usize = 1_000_000;

/// The cells of a table of edit distances, and the bytes of a page that is read for its `id`s, that take as long as one comparison.
const CELLS: usize = 512;
const PAGE_BYTES: u64 = 256;

/// The most `id`s before and after a missing one, in their order, that are compared with it: all would take quadratic time.
const MAX_NEAR: usize = 250;

/// The most `id`s that are kept.
const MAX_IDS: usize = 50_000;

/// The most bytes of answers that are kept.
const MAX_KNOWN_LEN: usize = 8 << 20;

impl Suggestions {
    /// Returns the path of a file that a missing one may mean: without the slash at its end, with an ending
    /// that servers add or compressed, of the same name elsewhere, or of a similar name in the
    /// same folder.
    pub(super) fn file(&mut self, files: &Files, missing: &[u8]) -> Option<String> {
        if let Some(known) = self.known_files.get(missing) {
            return known.clone();
        }
        let found = self.find_file(files, missing).map(|path| files.full_path(&path).to_string_lossy().into_owned());
        if self.keeps(missing.len(), found.as_deref()) {
            self.known_files.insert(missing.into(), found.clone());
        }
        found
    }

    /// Counts an answer, unless there is no room to keep it.
    fn keeps(&mut self, key_len: usize, found: Option<&str>) -> bool {
        let len = self.known_len + 100 + key_len + found.map_or(0, str::len);
        let has_room = len <= MAX_KNOWN_LEN;
        if has_room {
            self.known_len = len;
        }
        has_room
    }

    fn find_file(&mut self, files: &Files, missing: &[u8]) -> Option<Vec<u8>> {
        if let Some(file) = missing.strip_suffix(b"/") {
            return Some(file.into());
        }
        let name = last_name(missing);
        if name.is_empty() || name.len() > MAX_NAME_LEN {
            return None;
        }
        for ending in [".html", ".gz", ".br", ".xz"] {
            let with_ending = [missing, ending.as_bytes()].concat();
            if files.has(&with_ending) {
                return Some(with_ending);
            }
        }
        let mut same = files.of_same_name(missing);
        if let (Some(only), None) = (same.next(), same.next()) {
            return Some(only.into());
        }
        let name = String::from_utf8_lossy(name);
        if self.work >= MAX_WORK {
            return None;
        }
        let names = files.beside(missing).map(|path| (path, String::from_utf8_lossy(last_name(path)).into_owned()));
        most_similar(&name, names, &mut self.work).map(Vec::from)
    }

    /// Returns the `id` that a missing fragment, percent-decoded, may mean. `ids` reads those of the page, and returns its length, too.
    pub(super) fn fragment(
        &mut self,
        page: u32,
        missing: &str,
        ids: impl FnOnce() -> (Vec<String>, u64),
    ) -> Option<String> {
        if missing.len() > MAX_NAME_LEN || self.work >= MAX_WORK {
            return None;
        }
        let key = (page, Box::from(missing));
        if let Some(known) = self.known_fragments.get(&key) {
            return known.clone();
        }
        if !self.ids.contains_key(&page) {
            let (mut ids, page_len) = ids();
            ids.sort_by_cached_key(|id| id.to_lowercase());
            self.work += usize::try_from(page_len / PAGE_BYTES).unwrap_or(usize::MAX / 2);
            if self.ids_len + ids.len() > MAX_IDS {
                (self.ids, self.ids_len) = Default::default();
            }
            self.ids_len += ids.len();
            self.ids.insert(page, ids);
        }
        let ids = &self.ids[&page];
        let lower = missing.to_lowercase();
        let near = ids.partition_point(|id| id.to_lowercase() < lower);
        let near = &ids[near.saturating_sub(MAX_NEAR)..ids.len().min(near + MAX_NEAR)];
        let found = most_similar(missing, near.iter().map(|id| (id, id.clone())), &mut self.work).cloned();
        if self.keeps(missing.len(), found.as_deref()) {
            self.known_fragments.insert(key, found.clone());
        }
        found
    }
}

/// Returns what has the most similar name: first the same in another case or with other punctuation, then with few edits. Adds to `work`,
/// and ends when that is too much.
fn most_similar<T>(name: &str, candidates: impl Iterator<Item = (T, String)>, work: &mut usize) -> Option<T> {
    let letters =
        |name: &str| -> String { name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    let (lower, own_letters) = (name.to_lowercase(), letters(name));
    let stem = name.split('.').next().unwrap_or_default();
    if stem.chars().count() == 1 {
        return None;
    }
    let most_edits = (name.chars().count() / 6).min(5);
    let mut best: Option<(usize, T)> = None;
    for (candidate, other) in candidates {
        if *work >= MAX_WORK {
            break;
        }
        *work += 1;
        if other.len() > MAX_NAME_LEN || other.is_empty() {
            continue;
        }
        let other_lower = other.to_lowercase();
        let cost = match () {
            () if other_lower == lower => 0,
            () if !own_letters.is_empty() && letters(&other) == own_letters => 1,
            () if most_edits == 0 || other.len().abs_diff(name.len()) > MAX_CHAR_LEN * most_edits => continue,
            // One edit changes the length of a text of US-ASCII by at most one.
            () if name.is_ascii() && other.is_ascii() && other.len().abs_diff(name.len()) > most_edits => continue,
            () if byte_difference(&lower, &other_lower) > 2 * MAX_CHAR_LEN * most_edits => continue,
            () => {
                *work += lower.len() * other_lower.len() / CELLS;
                1 + strsim::osa_distance(&lower, &other_lower)
            }
        };
        if cost <= 1 + most_edits && best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The number of bytes that one of two texts has and the other has not, wherever they stand. An edit changes it by few, and to find it
/// takes a pass over both.
fn byte_difference(one: &str, other: &str) -> usize {
    let mut counts = [0_i32; 256];
    one.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    other.bytes().for_each(|byte| counts[usize::from(byte)] -= 1);
    counts.iter().map(|count| count.unsigned_abs() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_bounded() {
        let name = |n: u32| format!("{n:06}{}", "é".repeat(90));
        let mut work = 0;
        for n in 0..50 {
            most_similar(&name(n), (1000..21_000).map(|n| (n, name(n))), &mut work);
        }
        assert!((MAX_WORK..MAX_WORK + 200 * 200).contains(&work), "{work}");
    }

    #[test]
    fn names_are_similar_in_case_punctuation_and_few_letters() {
        for (name, candidates, expected) in [
            ("Intro", &["intro", "introduction"][..], Some("intro")),
            ("get-started", &["get_started", "get-starter"], Some("get_started")),
            ("instalation", &["install", "installation"], Some("installation")),
            ("введение", &["ввдение", "а"], Some("ввдение")),
            ("a", &["b", "A"], None),
            ("a.html", &["b.html"], None),
            ("method.foo", &["method.bar"], None),
            ("日本語", &["日本"], None),
        ] {
            let candidates = candidates.iter().map(|name| (*name, (*name).to_owned()));
            assert_eq!(most_similar(name, candidates, &mut 0), expected, "{name}");
        }
    }
}
