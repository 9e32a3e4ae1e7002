//! The reference that should stand in place of one that does not work, and whether that is certain.

use std::path::PathBuf;

use relref::percent::decode_leaving_illegal;
use relref::{UriRef, whatwg};

use super::error_places::ErrorPlaces;
use super::files::last_name;
use super::found_problem::FoundProblem;
use super::fragments::decoded_fragment;
use super::judge::is_rooted;
use super::known_ids::KnownIds;
use super::page_reader::{KINDS, PageReader};
use super::problem::{Problem, ProblemKind};
use super::renamed::without_folder;
use super::similar::{Guess, Suggestions};
use super::site::Site;
use crate::rewrite::restyled::{Restyled, path_names, with_fragment};

/// Starts a fragment directive, which stays.
const DIRECTIVE: &str = ":~:";

/// Finds the repairs of the problems of a site.
pub(super) struct Repairs<'s> {
    site: &'s Site,
    suggestions: Suggestions,
    known_ids: KnownIds,
    /// Reads the `id`s of pages that are not in `known_ids`.
    reader: Option<PageReader<'s>>,
    errors: ErrorPlaces,
    /// The page of the last problem, and its path.
    last_page: (u32, PathBuf),
}

/// A reference that may be meant.
struct Repair {
    reference: String,
    /// Where it leads, relative to the root.
    file: Option<Vec<u8>>,
    is_certain: bool,
}

impl<'s> Repairs<'s> {
    pub(super) fn new(site: &'s Site, known_ids: KnownIds) -> Self {
        let (suggestions, errors) = (Suggestions::default(), ErrorPlaces::default());
        // The root, which has no links.
        let last_page = (0, PathBuf::new());
        Repairs { site, suggestions, known_ids, reader: None, errors, last_page }
    }

    /// Returns a problem as it is reported. `page` has the link.
    pub(super) fn complete(&mut self, page: u32, found: FoundProblem) -> Problem {
        let repair = self.of(page, &found);
        let error_place = self.errors.place(self.site, page, &found);
        let files = &self.site.files;
        let FoundProblem { mut problem, target, .. } = found;
        if self.last_page.0 != page {
            self.last_page = (page, self.site.full_path(page));
        }
        problem.page.clone_from(&self.last_page.1);
        problem.error_place = error_place;
        problem.target = target.map(|target| files.full_path(&target));
        if let Some(Repair { reference, file, is_certain }) = repair {
            problem.suggestion = Some(reference);
            problem.suggested_file = file.map(|file| files.full_path(&file));
            problem.is_certain = is_certain && files.contents.is_folder();
        }
        problem
    }

    fn of(&mut self, page: u32, found: &FoundProblem) -> Option<Repair> {
        let FoundProblem { problem, target, .. } = found;
        let reference = &*problem.reference;
        let outside =
            |start: &str| Some(Repair { reference: format!("{start}{reference}"), file: None, is_certain: true });
        let target = target.as_deref()?;
        match problem.kind {
            ProblemKind::NotALink if reference.contains('@') => outside("mailto:"),
            ProblemKind::NotALink => outside("https://"),
            ProblemKind::WrongCase => {
                let is_only = self.site.files.is_only_alike(target);
                self.leading_to(page, found, target.into(), is_only)
            }
            ProblemKind::Missing => self.elsewhere(page, found, target),
            ProblemKind::MissingSlash => {
                let path_end = reference.find(['?', '#']).unwrap_or(reference.len());
                let (path, after) = reference.split_at(path_end);
                let reference = [path, "/", after].concat();
                Some(Repair { reference, file: Some(target.into()), is_certain: true })
            }
            ProblemKind::MissingFragment => {
                let fragment =
                    problem.uri.as_deref().and_then(|uri| uri.split_once('#')).map_or("", |(_, after)| after);
                let fragment = fragment.split(DIRECTIVE).next().unwrap_or_default();
                let fragment = decoded_fragment(fragment).into_owned();
                let indicated = found.page?;
                let reader = || PageReader::new(self.site, &KINDS);
                let read = || self.reader.get_or_insert_with(reader).ids(indicated);
                let ids = || self.known_ids.pages.remove(&indicated).unwrap_or_else(read);
                let Guess { name, is_certain } = self.suggestions.fragment(indicated, &fragment, ids)?;
                let directive = reference.find('#').and_then(|at| reference[at..].find(DIRECTIVE).map(|len| at + len));
                let directive = directive.map_or("", |at| &reference[at..]);
                let new = with_fragment(reference, &String::from_utf8_lossy(&name)) + directive;
                // That of a redirect is missing, which another fragment of the link does not change.
                (new != *reference).then(|| Repair { reference: new, file: Some(target.into()), is_certain })
            }
            _ => None,
        }
    }

    /// Looks for a file that is missing where the reference leads.
    fn elsewhere(&mut self, page: u32, found: &FoundProblem, missing: &[u8]) -> Option<Repair> {
        if let Some(repair) = self.by_raw_name(page, found, missing) {
            return Some(repair);
        }
        let Guess { name, is_certain } = self.suggestions.file(&self.site.files, missing)?;
        let reference = &found.problem.reference;
        // Elsewhere in the tree, it is another file if the reference means another host or what no file is.
        let is_beside = name.starts_with(&missing[..missing.len() - last_name(missing).len()]);
        // A generator of sites serves what is elsewhere in the tree: `/x.png` is `static/x.png` to Docusaurus.
        let is_served = self.site.renderer_of(page).is_some_and(|renderer| renderer.makes_sites())
            && (reference.starts_with('/') || UriRef::new(reference).scheme().is_some());
        // Of a page in other languages, each in its folder, one may be missing: it is not the page that links to it.
        let is_itself = *name == *self.site.files.path(page);
        let is_certain = is_certain && !is_served && (is_beside || !is_itself && !may_mean_else(reference));
        self.leading_to(page, found, name.into_vec(), is_certain)
    }

    /// Looks for a file whose name has a `#`, `?` or `%` that the reference does not encode.
    fn by_raw_name(&self, page: u32, found: &FoundProblem, missing: &[u8]) -> Option<Repair> {
        let reference = &*found.problem.reference;
        if UriRef::new(reference).scheme().is_some() || !reference.contains(['#', '?', '%']) {
            return None;
        }
        let uri = self.base_of(page, found);
        let decode = |text: &str| decode_leaving_illegal(text).to_bytes().into_owned();
        let root = path_names(&self.site.root, "").len();
        let marks = reference.char_indices().filter(|(_, c)| matches!(c, '#' | '?')).map(|(at, _)| at);
        let ends = marks.chain([reference.len()]).take(MAX_MARKS);
        let candidates = ends.collect::<Vec<_>>().into_iter().rev();
        // Folders may be encoded where the name of the file is not.
        let ways = |end| [[false, false], [true, true], [true, false]].map(|way| (end, way));
        candidates.flat_map(ways).find_map(|(end, [decodes_folders, decodes_name])| {
            let (path, after) = reference.split_at(end);
            let names = path_names(&uri, path);
            let last = names.len().saturating_sub(1);
            let decodes = |at: usize| if at == last { decodes_name } else { decodes_folders };
            let names = names.into_iter().enumerate().skip(root);
            let names = names.map(|(at, name)| if decodes(at) { decode(name) } else { name.as_bytes().into() });
            let path = names.collect::<Vec<_>>().join(&b'/');
            let is_found = path != missing && self.site.files.file_at(&path).is_some();
            is_found.then(|| self.replaced(page, found, path, Some(after), true))?
        })
    }

    fn leading_to(&self, page: u32, found: &FoundProblem, path: Vec<u8>, is_certain: bool) -> Option<Repair> {
        self.replaced(page, found, path, None, is_certain)
    }

    /// Returns the reference to a path in the style of the old one. Without `after`, its query and fragment stay.
    fn replaced(
        &self,
        page: u32,
        found: &FoundProblem,
        path: Vec<u8>,
        after: Option<&str>,
        is_certain: bool,
    ) -> Option<Repair> {
        let rooted = self.site.renderers.site_root(self.site.files.path(page));
        let mut roots = rooted.filter(|_| is_rooted(&found.problem.reference)).into_iter().chain([&[][..]]);
        let reference = roots.find_map(|root| self.reference_to(&path, root, page, found, after))?;
        Some(Repair { reference, file: Some(path), is_certain })
    }

    /// Returns the reference to a path in the style of the old one, which means paths from the folder `root`.
    fn reference_to(
        &self,
        path: &[u8],
        root: &[u8],
        page: u32,
        found: &FoundProblem,
        after: Option<&str>,
    ) -> Option<String> {
        let FoundProblem { problem, target, form, .. } = found;
        let reference = &*problem.reference;
        let base = self.base_of(page, found);
        let target = without_folder(target.as_deref()?, root)?;
        let depth = target.split(|byte| *byte == b'/').filter(|name| !name.is_empty()).count();
        // An ending that the server adds stays out.
        let written = reference.split(['?', '#']).next().unwrap_or_default();
        let ending = self.site.options.try_ext.iter().find_map(|ending| {
            let with_dot = format!(".{ending}");
            let is_left_out = path.ends_with(with_dot.as_bytes()) && !written.to_lowercase().ends_with(&*with_dot);
            is_left_out.then_some(with_dot.len())
        });
        let short = without_folder(&path[..path.len() - ending.unwrap_or(0)], root)?;
        let is_file = self.site.files.file_at(path).is_some();
        let restyled = Restyled { reference, old_base: &base, base: &base, depth, is_file, form: *form, after };
        let new = restyled.to(short)?;
        let uri = whatwg::Base::new(&base).ok()?.resolve(&new).ok()?;
        let below = self.site.below_root(uri.as_str())?.rest;
        let found_path = below.split(['?', '#']).next().unwrap_or_default();
        let leads_there = *decode_leaving_illegal(found_path.trim_end_matches('/')).to_bytes() == *short;
        leads_there.then_some(new)
    }

    fn base_of(&self, page: u32, found: &FoundProblem) -> String {
        found.base.clone().unwrap_or_else(|| self.site.uri_of(page))
    }
}

/// The most `#` and `?` of a reference that may be in the name of a file.
const MAX_MARKS: usize = 8;

/// Reports whether a reference may mean something else than a file of the site: its first segment looks like a host, or has what names
/// of files seldom have.
fn may_mean_else(reference: &str) -> bool {
    let path = reference.split(['?', '#']).next().unwrap_or_default();
    let mut segments = path.split('/');
    let first = segments.next().unwrap_or_default();
    let top = first.rsplit_once('.').filter(|(name, _)| !name.is_empty() && !name.starts_with('.')).map(|(_, top)| top);
    let is_host = top.is_some_and(|top| top.len() > 1 && top.bytes().all(|byte| byte.is_ascii_alphabetic()));
    (is_host && segments.next().is_some()) || first.contains(['[', ':'])
}
