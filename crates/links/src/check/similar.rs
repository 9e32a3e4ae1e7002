//! Files and ids whose names are similar to what a broken link names: guesses, and which of them are certain.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::files::{Files, last_name};
use super::known_ids::IdNames;

/// The length in bytes of the longest name that is compared.
const MAX_NAME_LEN: usize = 200;

/// The most bytes of a character in UTF-8.
const MAX_CHAR_LEN: usize = 4;

/// A name that may be meant.
#[derive(Clone)]
pub(super) struct Guess {
    /// The path of a file or folder, or an `id`.
    pub(super) name: Box<[u8]>,
    /// Nothing else can be meant.
    pub(super) is_certain: bool,
}

/// The `id`s of a page.
struct PageIds {
    /// In the order of their lower case.
    sorted: Vec<String>,
    /// The index of the only one with these letters and digits; `None` if there are several.
    by_letters: HashMap<String, Option<usize>, RandomState>,
}

impl PageIds {
    fn new(ids: &IdNames) -> Self {
        let mut sorted: Vec<_> = ids.iter().map(str::to_owned).collect();
        sorted.sort_by_cached_key(|id| id.to_lowercase());
        sorted.dedup();
        let mut by_letters = HashMap::<_, _, RandomState>::default();
        for (index, id) in sorted.iter().enumerate() {
            by_letters.entry(letters(id)).and_modify(|only| *only = None).or_insert(Some(index));
        }
        PageIds { sorted, by_letters }
    }
}

/// The endings of pages that references leave out.
const PAGE_ENDINGS: [&str; 6] = ["md", "markdown", "html", "htm", "xhtml", "mdx"];

/// Reports whether many folders have a file of this name, so that it says little about which one is meant.
fn is_usual_name(name: &[u8]) -> bool {
    let stem = name.split(|byte| *byte == b'.').next().unwrap_or_default().to_ascii_lowercase();
    let usual: [&[u8]; 12] = [
        b"",
        b"readme",
        b"index",
        b"_index",
        b"default",
        b"home",
        b"main",
        b"license",
        b"changelog",
        b"contributing",
        b"summary",
        b"overview",
    ];
    usual.contains(&&*stem)
}

/// Suggestions, of which a site gets a limited number: each takes a look at many names.
#[derive(Default)]
pub(super) struct Suggestions {
    /// What was done for suggestions, in comparisons of short names.
    work: usize,
    ids: HashMap<u32, PageIds>,
    /// The number of all these `id`s.
    ids_len: usize,
    known_files: HashMap<Vec<u8>, Option<Guess>>,
    known_fragments: HashMap<(u32, Box<str>), Option<Guess>>,
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
    /// Returns the path of a file or folder that a missing one may mean: that in another normalization form, without the slash at its end,
    /// with the ending of a page or compressed, of the same name elsewhere, or of a similar name in the same folder.
    pub(super) fn file(&mut self, files: &Files, missing: &[u8]) -> Option<Guess> {
        if let Some(known) = self.known_files.get(missing) {
            return known.clone();
        }
        let found = self.find_file(files, missing);
        if self.keeps(missing.len(), found.as_ref().map_or(0, |guess| guess.name.len())) {
            self.known_files.insert(missing.into(), found.clone());
        }
        found
    }

    /// Counts an answer, unless there is no room to keep it.
    fn keeps(&mut self, key_len: usize, found_len: usize) -> bool {
        let len = self.known_len + 100 + key_len + found_len;
        let has_room = len <= MAX_KNOWN_LEN;
        if has_room {
            self.known_len = len;
        }
        has_room
    }

    fn find_file(&mut self, files: &Files, missing: &[u8]) -> Option<Guess> {
        let guess = |path: &[u8], is_certain| Some(Guess { name: path.into(), is_certain });
        if let Some(file) = missing.strip_suffix(b"/") {
            return guess(file, false);
        }
        let name = last_name(missing);
        if name.is_empty() || name.len() > MAX_NAME_LEN {
            return None;
        }
        if let Some((path, is_only)) = files.in_other_form(missing) {
            return guess(path, is_only);
        }
        let with_ending =
            |ending: &&str| Some([missing, b".", ending.as_bytes()].concat()).filter(|path| files.has(path));
        let mut pages = PAGE_ENDINGS.iter().filter_map(with_ending);
        if let Some(page) = pages.next() {
            return guess(&page, pages.next().is_none());
        }
        if let Some(compressed) = ["gz", "br", "xz"].iter().find_map(with_ending) {
            return guess(&compressed, false);
        }
        if let Some(only) = files.only_of_same_name(missing) {
            let is_certain = last_name(only) == name && files.file_at(only).is_some() && !is_usual_name(name);
            return guess(only, is_certain);
        }
        let name = String::from_utf8_lossy(name);
        if self.work >= MAX_WORK {
            return None;
        }
        let names = files.beside(missing).map(|path| (path, String::from_utf8_lossy(last_name(path)).into_owned()));
        most_similar(&name, names, &mut self.work).and_then(|path| guess(path, false))
    }

    /// Returns the `id` that a missing fragment, percent-decoded, may mean: it is certain if no other differs only in case and
    /// punctuation. `ids` returns those of the page.
    pub(super) fn fragment(&mut self, page: u32, missing: &str, ids: impl FnOnce() -> IdNames) -> Option<Guess> {
        if missing.len() > MAX_NAME_LEN || self.work >= MAX_WORK {
            return None;
        }
        let key = (page, Box::from(missing));
        if let Some(known) = self.known_fragments.get(&key) {
            return known.clone();
        }
        if !self.ids.contains_key(&page) {
            let names = ids();
            let ids = PageIds::new(&names);
            self.work += usize::try_from(names.page_len / PAGE_BYTES).unwrap_or(usize::MAX / 2);
            if self.ids_len + ids.sorted.len() > MAX_IDS {
                (self.ids, self.ids_len) = Default::default();
            }
            self.ids_len += ids.sorted.len();
            self.ids.insert(page, ids);
        }
        let ids = &self.ids[&page];
        let own_letters = letters(missing);
        let only = ids.by_letters.get(&own_letters).filter(|_| !own_letters.is_empty()).and_then(|only| *only);
        let ids = &ids.sorted;
        let lower = missing.to_lowercase();
        let near = ids.partition_point(|id| id.to_lowercase() < lower);
        let near = &ids[near.saturating_sub(MAX_NEAR)..ids.len().min(near + MAX_NEAR)];
        let found = match only {
            Some(only) => Some(Guess { name: ids[only].as_bytes().into(), is_certain: true }),
            None => most_similar(missing, near.iter().map(|id| (id, id.clone())), &mut self.work)
                .map(|id| Guess { name: id.as_bytes().into(), is_certain: false }),
        };
        if self.keeps(missing.len(), found.as_ref().map_or(0, |guess| guess.name.len())) {
            self.known_fragments.insert(key, found.clone());
        }
        found
    }
}

/// The cost of a name that differs in one letter. The same in another case costs nothing, and other punctuation one.
const ONE_EDIT: usize = 2;

/// Returns what has the most similar name: first one that differs by [`ONE_EDIT`] or less, and in no digit, then the only one with more words or fewer, then one
/// with few edits. Adds to `work`, and ends when that is too much.
fn most_similar<T>(name: &str, candidates: impl Iterator<Item = (T, String)>, work: &mut usize) -> Option<T> {
    let (lower, own_letters) = (name.to_lowercase(), letters(name));
    let stem = name.split('.').next().unwrap_or_default();
    if stem.chars().count() == 1 {
        return None;
    }
    let most_edits = (name.chars().count() / 6).min(5);
    let (mut best, mut is_near): (Option<(usize, T)>, _) = (None, false);
    let (mut with_words, mut with_words_count) = (None, 0);
    for (candidate, other) in candidates {
        if *work >= MAX_WORK {
            break;
        }
        *work += 1;
        if other.len() > MAX_NAME_LEN || other.is_empty() {
            continue;
        }
        let other_lower = other.to_lowercase();
        if has_more_words(&lower, &other_lower) {
            with_words = Some(candidate);
            with_words_count += 1;
            continue;
        }
        // An edit changes the length of a text by no more bytes than a character has.
        let most_bytes =
            if lower.is_ascii() && other_lower.is_ascii() { most_edits } else { MAX_CHAR_LEN * most_edits };
        let cost = match () {
            () if other_lower == lower => 0,
            () if !own_letters.is_empty() && letters(&other) == own_letters => 1,
            () if most_edits == 0 || other_lower.len().abs_diff(lower.len()) > most_bytes => continue,
            () if byte_difference(&lower, &other_lower) > 2 * most_bytes => continue,
            () => {
                *work += lower.len() * other_lower.len() / CELLS;
                1 + strsim::osa_distance(&lower, &other_lower)
            }
        };
        if cost <= 1 + most_edits && best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, candidate));
            // Another number is rarely a mistake in writing.
            is_near = cost <= ONE_EDIT && digits(&lower).eq(digits(&other_lower));
        }
    }
    let with_words = with_words.filter(|_| with_words_count == 1 && !is_near);
    with_words.or(best.map(|(_, candidate)| candidate))
}

fn digits(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().filter(u8::is_ascii_digit)
}

/// Reports whether one of two names is the other with more words before or after it: a heading that was renamed often keeps its words.
fn has_more_words(name: &str, other: &str) -> bool {
    let [(name, ending), (other, other_ending)] = [name, other].map(|name| name.rsplit_once('.').unwrap_or((name, "")));
    let (short, long) = if name.len() < other.len() { (name, other) } else { (other, name) };
    let is_between = |c: char| !c.is_alphanumeric();
    let is_in = long.strip_prefix(short).is_some_and(|rest| rest.starts_with(is_between))
        || long.strip_suffix(short).is_some_and(|rest| rest.ends_with(is_between));
    // Of a long name, a single word says little.
    is_in && ending == other_ending && short.len() >= 4 && 2 * short.len() >= name.len()
}

/// The letters and digits of a text, in lower case.
fn letters(text: &str) -> String {
    // Nearly all ids are US-ASCII, which needs no tables.
    if text.is_ascii() {
        let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
        return letters.map(|letter| char::from(letter.to_ascii_lowercase())).collect();
    }
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
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
            ("install", &["install-it-now", "instal"], Some("instal")),
            ("option", &["option-parsing", "options"], Some("options")),
            ("install", &["install-it-now", "other"], Some("install-it-now")),
            ("quick-installation", &["installation", "x"], Some("installation")),
            ("md019.md", &["md009.md", "renamed-md019.md"], Some("renamed-md019.md")),
            ("options", &["options-1", "global-options"], None),
            ("options-of-the-command", &["options"], None),
            ("Custom-Rules", &["custom-rules-1", "customrules"], Some("customrules")),
        ] {
            let candidates = candidates.iter().map(|name| (*name, (*name).to_owned()));
            assert_eq!(most_similar(name, candidates, &mut 0), expected, "{name}");
        }
    }
}
