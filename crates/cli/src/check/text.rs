//! Problems for people: grouped by where the links lead, those that most pages have first.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use foldhash::fast::RandomState;
use relref_links::check::{Problem, ProblemKind, Totals};
use relref_links::html::Place;

use super::report::{Report, place_of, shown_place, target_of, with_commas};
use crate::output::{Output, is_colored, shown};
use crate::quoting::path_name;

/// In memory until all problems are known.
#[derive(Default)]
pub struct Groups {
    groups: HashMap<(ProblemKind, String), Group, RandomState>,
    /// The bytes that are counted for the groups.
    size: usize,
    /// Problems that are in no group, as there are too many groups.
    left_out: u64,
}

struct Group {
    number: usize,
    pages: u64,
    last_page: PathBuf,
    places: Vec<String>,
    /// The number of links in the last page of `places`.
    links_of_last: usize,
    suggestion: Option<Suggested>,
    note: Option<String>,
}

/// The bytes of all groups after which there are no new groups.
const MAX_SIZE: usize = 16 << 20;

/// The pages of a group that are printed.
const MAX_PLACES: usize = 3;

/// The links of a page that are printed.
const MAX_LINKS: usize = 10;

/// The file that is meant, by its path as that of the target is printed, as references from each page differ.
struct Suggested {
    file: String,
    /// The query and the fragment, if those of all links are the same.
    after: String,
}

impl Suggested {
    fn new(problem: &Problem) -> Option<Self> {
        let suggestion = problem.suggestion.as_ref()?;
        let Some(file) = &problem.suggested_file else {
            return Some(Suggested { file: shown(suggestion), after: String::new() });
        };
        let (path, after) = suggestion.split_at(path_len(suggestion));
        let names_folder = path.ends_with('/');
        // That of a folder may be its index.
        let file = file.parent().filter(|_| names_folder && file.is_file()).unwrap_or(file);
        let file = shown(&path_name(file)) + if names_folder { "/" } else { "" };
        Some(Suggested { file, after: after.to_owned() })
    }

    fn add(&mut self, problem: &Problem) {
        let suggestion = problem.suggestion.as_deref().unwrap_or_default();
        if suggestion[path_len(suggestion)..] != self.after {
            self.after.clear();
        }
    }
}

fn path_len(reference: &str) -> usize {
    reference.find(['?', '#']).unwrap_or(reference.len())
}

impl Report for Groups {
    fn problem(&mut self, problem: &Problem, _: &mut Output) -> io::Result<()> {
        let number = self.groups.len();
        let key = (problem.kind, target_of(problem));
        if self.size > MAX_SIZE && !self.groups.contains_key(&key) {
            self.left_out += 1;
            return Ok(());
        }
        let size = key.1.len() + problem.page.as_os_str().len();
        let group = self.groups.entry(key).or_insert_with(|| {
            let (suggestion, note) = (Suggested::new(problem), problem.note.as_ref().map(|note| shown(note)));
            let suggested_len = suggestion.as_ref().map_or(0, |known| known.file.len() + known.after.len());
            self.size += 500 + size + suggested_len + note.as_ref().map_or(0, String::len);
            Group {
                number,
                pages: 0,
                last_page: PathBuf::new(),
                places: Vec::new(),
                links_of_last: 0,
                suggestion,
                note,
            }
        });
        if let Some(suggestion) = &mut group.suggestion {
            suggestion.add(problem);
        }
        // Compared as bytes: paths are compared name by name, which takes ten times as long.
        let is_other_page = group.last_page.as_os_str() != problem.page.as_os_str();
        group.pages += u64::from(is_other_page);
        if is_other_page {
            group.last_page.clone_from(&problem.page);
        }
        if group.places.len() < MAX_PLACES && (is_other_page || group.places.is_empty()) {
            let place = format!("{}{}", shown(&path_name(&problem.page)), place_of(problem));
            self.size += place.len();
            group.places.push(place);
            group.links_of_last = 1;
        } else if !is_other_page && group.pages == group.places.len() as u64 {
            group.links_of_last += 1;
            let place = match shown_place(problem) {
                Some(_) if group.links_of_last == MAX_LINKS + 1 => ", …".to_owned(),
                Some(Place { line, column, .. }) if group.links_of_last <= MAX_LINKS => format!(", {line}:{column}"),
                _ => String::new(),
            };
            self.size += place.len();
            group.places.last_mut().into_iter().for_each(|last| last.push_str(&place));
        }
        Ok(())
    }

    fn finish(&mut self, _: &Totals, out: &mut Output) -> io::Result<()> {
        let is_colored = is_colored();
        let style = |style: Style| if is_colored { style } else { Style::new() };
        let (red, yellow) = (AnsiColor::Red.on_default().bold(), AnsiColor::Yellow.on_default().bold());
        let (bold, dim) = (style(Style::new().bold()), style(Style::new().dimmed()));
        let mut groups: Vec<_> = self.groups.drain().collect();
        groups.sort_unstable_by_key(|(_, group)| (std::cmp::Reverse(group.pages), group.number));
        for ((kind, target), group) in &groups {
            let color = style(if kind.is_note() { yellow } else { red });
            let (one, more) = match kind {
                ProblemKind::Invalid | ProblemKind::NotALink => ("has it", "have it"),
                _ => ("links to it", "link to it"),
            };
            let pages = match group.pages {
                1 => format!("1 page {one}"),
                pages => format!("{} pages {more}", with_commas(pages)),
            };
            writeln!(out, "{color}{kind}{color:#} {bold}{target}{bold:#}: {pages}")?;
            if let Some(note) = &group.note {
                writeln!(out, "    {note}")?;
            }
            if let Some(Suggested { file, after }) = &group.suggestion {
                let after = if after.is_empty() { String::new() } else { shown(after) };
                writeln!(out, "    better: {file}{after}")?;
            }
            for place in &group.places {
                writeln!(out, "    {place}")?;
            }
            let more = group.pages.saturating_sub(group.places.len() as u64);
            if more > 0 {
                writeln!(out, "    {dim}and {} more{dim:#}", with_commas(more))?;
            }
        }
        if self.left_out > 0 {
            let left_out = with_commas(self.left_out);
            writeln!(out, "{left_out} more problems are left out: --format jsonl prints all")?;
        }
        Ok(())
    }
}
