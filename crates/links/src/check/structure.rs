//! The sections of a site, and the links between them.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Mutex;

use super::files::Files;
use crate::parallel::lock;

/// The sections of a site and the pages that nothing links to, as a check has found them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Structure {
    /// The names of the sections: the folders in the root or, if nine of ten pages are in one of them, those in that one; empty for the files
    /// beside them. Those with most pages come first. They are known only with [`Options::structure`](super::Options::structure).
    pub sections: Vec<Section>,
    /// The number of links from the pages of one section to another, by their indexes: of the first 100 sections.
    pub links: Vec<(usize, usize, u64)>,
    /// Pages to which no page links but themselves, without the index file of the root: the first ones, whose paths have 1 MiB together.
    /// Sitemaps do not count; links that only differ in case or lack a slash do.
    pub unlinked: Vec<PathBuf>,
    /// The number of all such pages.
    pub unlinked_count: u64,
}

/// A section of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// The name of the folder.
    pub name: String,
    /// The number of its files that may be pages.
    pub pages: u64,
}

/// The most sections between which links are counted: the pairs of all would take memory that grows with their square.
const MAX_LINKED: usize = 100;

/// Returns the sections with most pages, the largest first, with their numbers of pages.
fn by_size(pages: &[u32], section_of: &[u32]) -> Vec<(u32, u64)> {
    let mut counts = HashMap::<u32, u64>::new();
    pages.iter().for_each(|page| *counts.entry(section_of[*page as usize]).or_default() += 1);
    let mut sorted: Vec<(u32, u64)> = counts.into_iter().collect();
    sorted.sort_unstable_by_key(|(section, pages)| (Reverse(*pages), *section));
    sorted
}

/// The sections of the files of a site.
pub(super) struct Sections {
    names: Vec<String>,
    /// The index in `names` of each file's section.
    pub(super) of: Vec<u32>,
    /// The numbers of the sections between which links are counted.
    pub(super) linked: HashSet<u32>,
    /// The numbers of links from one section to another.
    pub(super) links: Mutex<HashMap<(u32, u32), u64>>,
}

impl Sections {
    pub(super) fn new(files: &Files, pages: &[u32]) -> Self {
        let page_paths: Vec<&[u8]> = pages.iter().map(|page| files.path(*page)).collect();
        let (names, of) = sections(files.paths(), &page_paths);
        let linked = by_size(pages, &of).into_iter().take(MAX_LINKED).map(|(section, _)| section).collect();
        Sections { names, of, linked, links: Mutex::default() }
    }

    /// Returns those that have some of these pages, the largest first, and the numbers of links from one to another, by their indexes.
    pub(super) fn with_links(&self, pages: &[u32]) -> (Vec<Section>, Vec<(usize, usize, u64)>) {
        let sorted = by_size(pages, &self.of);
        let indexes: HashMap<u32, usize> =
            sorted.iter().enumerate().map(|(index, (section, _))| (*section, index)).collect();
        let section = |&(section, pages): &(u32, u64)| Section { name: self.names[section as usize].clone(), pages };
        let counted = lock(&self.links);
        let link = |(&(from, to), &count): (&(u32, u32), &u64)| Some((*indexes.get(&from)?, *indexes.get(&to)?, count));
        let mut links: Vec<_> = counted.iter().filter_map(link).collect();
        links.sort_unstable();
        (sorted.iter().map(section).collect(), links)
    }
}

/// Returns the names of sections, and the number of the section of each path.
fn sections<'p>(paths: impl Iterator<Item = &'p [u8]> + Clone, pages: &[&[u8]]) -> (Vec<String>, Vec<u32>) {
    let prefix = common_folder(pages);
    let (mut names, mut numbers) = (vec![String::new()], HashMap::<&[u8], u32>::new());
    let section_of = paths.map(|path| {
        let Some(rest) = path.strip_prefix(prefix) else { return 0 };
        let Some(end) = memchr::memchr(b'/', rest) else { return 0 };
        *numbers.entry(&rest[..end]).or_insert_with(|| {
            names.push(String::from_utf8_lossy(&rest[..end]).into_owned());
            names.len() as u32 - 1
        })
    });
    let section_of = section_of.collect();
    (names, section_of)
}

/// Returns the path of the deepest folder that has nine of ten files, with the slash at its end.
fn common_folder<'p>(pages: &[&'p [u8]]) -> &'p [u8] {
    let mut prefix: &[u8] = &[];
    loop {
        let mut folders = HashMap::<&[u8], usize>::new();
        for path in pages {
            let Some(rest) = path.strip_prefix(prefix) else { continue };
            let Some(end) = memchr::memchr(b'/', rest) else { continue };
            *folders.entry(&path[..prefix.len() + end + 1]).or_default() += 1;
        }
        match folders.into_iter().find(|(_, count)| 10 * count >= 9 * pages.len()) {
            Some((folder, _)) => prefix = folder,
            None => return prefix,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_the_folders_in_the_common_one() {
        let paths: [&[u8]; 5] = [b"doc/a/x.html", b"doc/b/c/x.html", b"doc/index.html", b"doc/a/y.html", b"logo.png"];
        let (names, sections) = sections(paths.iter().copied(), &paths[..4]);
        assert_eq!((names, sections), (vec!["".into(), "a".into(), "b".into()], vec![1, 2, 0, 1, 0]));
    }
}
