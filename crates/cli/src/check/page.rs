//! The report of `--report`: one page of HTML, which needs nothing else.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::path::PathBuf;

use relref_links::check::{Problem, ProblemKind, Structure, Totals};

use super::report::{message, place_of, target_of, with_commas};
use crate::output::shown;
use crate::quoting::{escaped_html, path_name};

/// The contents of the report, in memory until the end.
#[derive(Default)]
pub struct ReportPage {
    kinds: BTreeMap<ProblemKind, u64>,
    targets: BTreeMap<(ProblemKind, String), TargetProblems>,
    pages: BTreeMap<PathBuf, PageProblems>,
    /// The bytes that are counted for `targets` and `pages`.
    size: usize,
    /// Problems that are shown neither by page nor by target.
    left_out: u64,
    structures: Vec<(String, Structure)>,
}

struct TargetProblems {
    links: u64,
    places: Vec<String>,
    message: String,
}

#[derive(Default)]
struct PageProblems {
    links: u64,
    problems: Vec<(String, ProblemKind, String)>,
}

/// The bytes of the texts of all problems, after which further ones are left out.
const MAX_SIZE: usize = 8 << 20;
/// The most places of a target that are shown.
const MAX_PLACES: usize = 20;
/// The most problems of a page that are shown.
const MAX_PROBLEMS: usize = 50;
/// That nothing links to.
const MAX_UNLINKED: usize = 1000;
/// The sections of the picture.
const MAX_SECTIONS: usize = 14;

impl ReportPage {
    pub fn problem(&mut self, problem: &Problem) {
        *self.kinds.entry(problem.kind).or_default() += 1;
        if self.size > MAX_SIZE {
            self.left_out += 1;
            return;
        }
        let place = place_of(problem);
        let target = target_of(problem);
        let target_len = target.len();
        let target = self.targets.entry((problem.kind, target)).or_insert_with(|| {
            let message = message(problem);
            self.size += target_len + message.len() + 100;
            TargetProblems { links: 0, places: Vec::new(), message }
        });
        target.links += 1;
        if target.places.len() < MAX_PLACES {
            let place = format!("{}{place}", shown(&path_name(&problem.page)));
            self.size += place.len() + 50;
            target.places.push(place);
        }
        let page = self.pages.entry(problem.page.clone()).or_insert_with(|| {
            self.size += problem.page.as_os_str().len() + 100;
            PageProblems::default()
        });
        page.links += 1;
        if page.problems.len() < MAX_PROBLEMS {
            let message = message(problem);
            self.size += message.len() + 50;
            page.problems.push((place, problem.kind, message));
        }
    }

    pub fn structure(&mut self, name: String, structure: Structure) {
        self.structures.push((name, structure));
    }

    pub fn text(&self, totals: &Totals) -> String {
        let count = |count: u64, what: &str| format!("<div><b>{}</b>{what}</div>\n", with_commas(count));
        let mut text = format!("{HEAD}<main>\n<h1>Links that do not work</h1>\n<div class=totals>\n");
        text += &count(totals.problems, "problems");
        text += &count(totals.notes, if totals.notes == 1 { "note" } else { "notes" });
        text += &count(totals.pages, "pages");
        text += &count(totals.links, "links");
        text += &count(totals.internal, "within the site");
        text += &count(totals.unread, "files not read");
        text += "</div>\n";
        if totals.problems + totals.notes == 0 {
            text += "<p class=good>Every link leads somewhere.</p>\n";
        } else {
            text += "<table class=kinds><caption>By kind</caption>\n";
            let most = self.kinds.values().copied().max().unwrap_or(1);
            for (kind, count) in &self.kinds {
                let width = 100.0 * *count as f64 / most as f64;
                let _ = writeln!(
                    text,
                    "<tr><th scope=row>{kind}<td>{}<td><i style=\"width:{width:.1}%\"></i>",
                    with_commas(*count)
                );
            }
            text += "</table>\n";
        }
        for (name, structure) in &self.structures {
            text += &picture(name, structure);
        }
        // Writing to a string never fails.
        let _ = self.write_targets(&mut text);
        let _ = self.write_pages(&mut text);
        for (name, structure) in &self.structures {
            text += &unlinked(name, structure);
        }
        if self.left_out > 0 {
            let more = with_commas(self.left_out);
            let _ = writeln!(text, "<p>{more} more problems are left out: <code>--format jsonl</code> prints all.</p>");
        }
        text + END
    }

    fn write_targets(&self, out: &mut String) -> fmt::Result {
        if self.targets.is_empty() {
            return Ok(());
        }
        writeln!(out, "<section id=targets><h2>By target</h2>")?;
        let mut targets: Vec<_> = self.targets.iter().collect();
        targets.sort_by_key(|(_, problems)| std::cmp::Reverse(problems.links));
        for ((kind, target), TargetProblems { links, places, message }) in targets {
            let (target, message) = (escaped_html(target), escaped_html(message));
            write!(
                out,
                "<details><summary><span class=\"kind {kind}\">{kind}</span> <code>{target}</code> <span class=count>{}</span></summary><p>{message}</p><ul>",
                with_commas(*links)
            )?;
            for place in places {
                write!(out, "<li><code>{}</code>", escaped_html(place))?;
            }
            let more = links - places.len() as u64;
            if more > 0 {
                write!(out, "<li>and {} more", with_commas(more))?;
            }
            writeln!(out, "</ul></details>")?;
        }
        writeln!(out, "</section>")
    }

    fn write_pages(&self, out: &mut String) -> fmt::Result {
        if self.pages.is_empty() {
            return Ok(());
        }
        writeln!(out, "<section id=pages><h2>By page</h2>")?;
        for (page, PageProblems { links, problems }) in &self.pages {
            let page = escaped_html(&shown(&path_name(page)));
            let count = with_commas(*links);
            write!(out, "<details><summary><code>{page}</code> <span class=count>{count}</span></summary><ul>")?;
            for (place, kind, message) in problems {
                let message = escaped_html(message);
                write!(out, "<li><span class=\"kind {kind}\">{kind}</span> {message} <code>{place}</code>")?;
            }
            let more = links - problems.len() as u64;
            if more > 0 {
                write!(out, "<li>and {} more", with_commas(more))?;
            }
            writeln!(out, "</ul></details>")?;
        }
        writeln!(out, "</section>")
    }
}

fn unlinked(name: &str, structure: &Structure) -> String {
    if structure.unlinked.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "<section class=unlinked><h2>Pages of {} that nothing links to</h2>\n<details><summary>{} pages</summary><ul>",
        escaped_html(name),
        with_commas(structure.unlinked_count)
    );
    for page in structure.unlinked.iter().take(MAX_UNLINKED) {
        let _ = write!(text, "<li><code>{}</code>", escaped_html(&shown(&path_name(page))));
    }
    let more = structure.unlinked_count - structure.unlinked.len().min(MAX_UNLINKED) as u64;
    if more > 0 {
        let _ = write!(text, "<li>and {} more", with_commas(more));
    }
    text + "</ul></details></section>\n"
}

/// The sections in a ring, as large as they have pages, and between them the links, as wide as there are many.
fn picture(name: &str, structure: &Structure) -> String {
    let shown_sections = structure.sections.len().min(MAX_SECTIONS);
    if shown_sections < 2 || structure.links.iter().all(|(from, to, _)| from == to) {
        return String::new();
    }
    let sections = &structure.sections[..shown_sections];
    let place = |index: usize, radius: f64| {
        let angle = std::f64::consts::TAU * (index as f64 / shown_sections as f64 - 0.25);
        (400.0 + radius * angle.cos(), 270.0 + radius * angle.sin())
    };
    let mut text = format!(
        "<figure><figcaption>The sections of {} and the links between them: circles for pages, lines for links</figcaption>\n<svg viewBox=\"0 0 800 540\" role=img aria-label=\"Sections and the links between them\">\n",
        escaped_html(name)
    );
    let most = structure.links.iter().filter(|(from, to, _)| from != to).map(|(_, _, count)| *count).max().unwrap_or(1);
    for &(from, to, count) in &structure.links {
        if from == to || from >= shown_sections || to >= shown_sections {
            continue;
        }
        let ((x1, y1), (x2, y2)) = (place(from, 185.0), place(to, 185.0));
        let width = 0.6 + 9.0 * (count as f64).ln_1p() / (most as f64).ln_1p();
        let (from, to) = (section_name(&sections[from].name), section_name(&sections[to].name));
        let _ = writeln!(
            text,
            "<path d=\"M{x1:.0} {y1:.0}Q400 270 {x2:.0} {y2:.0}\" stroke-width=\"{width:.1}\"><title>{from} to {to}: {} links</title></path>",
            with_commas(count)
        );
    }
    let most = sections.iter().map(|section| section.pages).max().unwrap_or(1);
    for (index, section) in sections.iter().enumerate() {
        let ((x, y), (text_x, text_y)) = (place(index, 185.0), place(index, 225.0));
        let radius = 6.0 + 22.0 * (section.pages as f64 / most as f64).sqrt();
        let anchor = match text_x - 400.0 {
            dx if dx > 20.0 => "start",
            dx if dx < -20.0 => "end",
            _ => "middle",
        };
        let name = section_name(&section.name);
        let pages = with_commas(section.pages);
        let _ = writeln!(
            text,
            "<circle cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"{radius:.0}\"><title>{name}: {pages} pages</title></circle><text x=\"{text_x:.0}\" y=\"{text_y:.0}\" text-anchor={anchor}>{name} <tspan>{pages}</tspan></text>"
        );
    }
    text += "</svg>\n";
    if structure.sections.len() > shown_sections {
        let _ = writeln!(text, "<p>{} smaller sections are not drawn.</p>", structure.sections.len() - shown_sections);
    }
    text + "</figure>\n"
}

fn section_name(name: &str) -> String {
    if name.is_empty() {
        "(top level)".to_owned()
    } else {
        escaped_html(&shown(&name.chars().take(24).collect::<String>()))
    }
}

/// The start of each report, by which an earlier one is known.
pub const HEAD: &str = r#"<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Links that do not work</title>
<style>
:root { color-scheme: light dark; --text: #1d2330; --dim: #5b6577; --page: #fbfbf9; --box: #fff; --line: #d9dde4; --bad: #b3261e; --note: #8a5a00; --good: #1a6b3c; --accent: #2f5bb7 }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ef; --dim: #a0a9b8; --page: #14171c; --box: #1c2027; --line: #333a45; --bad: #ff8a80; --note: #e8b04b; --good: #7fd6a0; --accent: #8ab0ff } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif }
main { max-width: 64rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { font-size: 1.7rem; margin: 0 0 1rem } h2 { font-size: 1.2rem; margin: 2.5rem 0 .7rem }
.totals { display: flex; flex-wrap: wrap; gap: .6rem }
.totals div { flex: 1 1 8rem; background: var(--box); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .9rem; color: var(--dim) }
.totals b { display: block; font-size: 1.5rem; color: var(--text); font-variant-numeric: tabular-nums }
.good { color: var(--good); font-size: 1.2rem }
.kinds { width: 100%; border-collapse: collapse; margin-top: 1.5rem } .kinds caption { text-align: left; font-weight: 600; padding-bottom: .3rem }
.kinds th { text-align: left; font-weight: normal; width: 11rem } .kinds td { padding: .15rem .6rem; font-variant-numeric: tabular-nums } .kinds td:last-child { width: 60% }
.kinds i { display: block; height: .7rem; min-width: 2px; border-radius: .35rem; background: var(--accent) }
figure { margin: 2rem 0 0 } figcaption { color: var(--dim) } svg { width: 100%; height: auto }
svg path { fill: none; stroke: var(--accent); opacity: .35 } svg path:hover { opacity: .9 } svg circle { fill: var(--accent); stroke: var(--page); stroke-width: 2 }
svg text { fill: var(--text); font-size: 15px; dominant-baseline: middle } svg tspan { fill: var(--dim) }
input { font: inherit; width: 100%; padding: .5rem .7rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--box); color: inherit; margin-top: 2rem }
details { border: 1px solid var(--line); border-radius: .5rem; background: var(--box); margin: .35rem 0; padding: .35rem .8rem } summary { cursor: pointer; overflow-wrap: anywhere }
summary:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
code { font: .92em ui-monospace, monospace; overflow-wrap: anywhere } ul { margin: .3rem 0 .5rem; padding-left: 1.3rem } p { margin: .4rem 0 }
.kind { font-weight: 600; color: var(--bad) } .missing-slash { color: var(--note) } .count { color: var(--dim) } .count::before { content: "× " }
</style>
"#;

const END: &str = r#"</main>
<script>
const main = document.querySelector('main'), first = document.querySelector('#targets');
if (first) {
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = input.ariaLabel = 'Show only what contains …';
  first.before(input);
  const all = [...document.querySelectorAll('#targets details, #pages details')].map(e => [e, e.textContent.toLowerCase()]);
  input.addEventListener('input', () => {
    const text = input.value.toLowerCase();
    for (const [element, content] of all) element.hidden = !content.includes(text);
  });
}
</script>
"#;
