//! `relref check`: prints the links of a site that do not work.

mod baseline;
mod fix;
mod github;
mod gitlab;
mod json_lines;
mod junit;
mod page;
mod report;
mod sarif;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Write, stderr};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use relref_links::check::{Options, Problem, Redirects, Site, Structure, Totals, Unread, each_archive_problem};
use relref_links::files::Patterns;
use relref_links::markdown::Renderer;
use relref_links::page::{FileKind, is_epub_file};
use serde_json::json;

use self::baseline::Baseline;
use self::fix::{Fixed, is_ignored};
use self::page::{HEAD, ReportPage};
use self::report::{Report, counted, with_commas};
use crate::args::{Check, CheckFormat};
use crate::file_uri::folder_of;
use crate::links::input::{SAVE_FIRST, with_advice};
use crate::links::{is_archive_file, write_file};
use crate::output::{Output, shown};
use crate::progress_bar;
use crate::quoting::path_name;
use crate::symlinks::symlink_target;

/// An error is about the output.
pub fn run(args: &Check, out: &mut Output) -> io::Result<()> {
    let start = Instant::now();
    if let Some((option, path, why)) = unfit_output(args) {
        out.problem(format_args!("{option} {}", shown(&path_name(path))), why);
        return Ok(());
    }
    if args.unlinked && !matches!(args.format, CheckFormat::Text | CheckFormat::Jsonl) {
        out.problem("--unlinked", "only --format text and jsonl list pages: add one of these");
        return Ok(());
    }
    if let Err(why) = Patterns::new(&args.exclude) {
        out.problem("--exclude", why);
        return Ok(());
    }
    let (baseline, redirects) = match Baseline::new(args).and_then(|baseline| Ok((baseline, redirects(args)?))) {
        Ok(read) => read,
        Err((path, error)) => {
            out.problem(shown(&path_name(path)), error);
            return Ok(());
        }
    };
    let targets = targets(args);
    let mut found = Found {
        args,
        report: match args.format {
            _ if args.is_preview() => Box::new(report::Silent),
            CheckFormat::Text => Box::new(text::Groups::default()),
            CheckFormat::Jsonl => Box::new(json_lines::JsonLines),
            CheckFormat::Sarif => Box::new(sarif::Sarif::default()),
            CheckFormat::Junit => Box::new(junit::Junit::new(args.strict)),
            CheckFormat::Github => Box::new(github::Annotations),
            CheckFormat::Gitlab => Box::new(gitlab::CodeQuality::default()),
        },
        page: args.report.as_ref().map(|_| ReportPage::default()),
        baseline,
        totals: Totals::default(),
        known: 0,
        certain: 0,
        renderers: BTreeSet::new(),
        // Pages of several sites could have the same name.
        names_from_root: targets.len() == 1,
        redirects,
        fixed: Fixed::default(),
        unlinked: Vec::new(),
        out,
    };
    targets.iter().try_for_each(|target| found.target(target))?;
    let Found { mut report, page, baseline, totals, known, certain, renderers, fixed, unlinked, .. } = found;
    report.finish(&totals, out).and_then(|()| list_unlinked(&unlinked, args.format, out))?;
    let problems = totals.problems + if args.strict { totals.notes } else { 0 };
    out.exits_with_1 |= totals.unread > 0 || problems > 0 && args.write_baseline.is_none();
    if totals.pages == 0 && totals.unread == 0 {
        out.note("no page was found");
    }
    let are_whole = !targets.iter().any(|target| matches!(target, Target::Pages(..)));
    let unused = if are_whole { baseline.unused() as u64 } else { 0 };
    if let (Some(page), Some(path)) = (&page, &args.report) {
        if let Err(error) = write_file(path, page.text(&totals).as_bytes()) {
            out.problem("--report", error);
        }
    }
    if let Err(error) = baseline.finish() {
        out.problem("--write-baseline", error);
    }
    if !args.quiet {
        out.flush()?;
        if args.fix {
            out.note(fixed.summary(args.is_preview(), totals.problems));
        }
        out.note(summary(&totals, [known, unused, certain], &renderers, args, start.elapsed()));
    }
    Ok(())
}

fn redirects(args: &Check) -> Result<Redirects, (&Path, io::Error)> {
    let Some(path) = args.redirects.as_deref() else { return Ok(Redirects::default()) };
    let text = fs::read(path).map_err(|error| (path, error))?;
    Ok(Redirects::new(&String::from_utf8_lossy(&text)))
}

fn list_unlinked(pages: &[PathBuf], format: CheckFormat, out: &mut Output) -> io::Result<()> {
    for page in pages {
        let page = path_name(page);
        match format {
            CheckFormat::Text => writeln!(out, "unlinked {}: no other page links to it", shown(&page))?,
            _ => {
                out.json(&json!({ "page": page, "unlinked": true }))?;
                out.end_line()?;
            }
        }
    }
    Ok(())
}

/// What was counted, the sections if they are asked for, and the renderers of Markdown.
type Checked = (Totals, Option<Structure>, Vec<Renderer>);

/// What was found so far, and where it is told.
struct Found<'a> {
    args: &'a Check,
    report: Box<dyn Report + Send>,
    /// The page of `--report`.
    page: Option<ReportPage>,
    baseline: Baseline,
    totals: Totals,
    /// The number of problems that are in the baseline.
    known: u64,
    /// The number of problems that `--fix` repairs.
    certain: u64,
    /// The names of the renderers by which Markdown has ids.
    renderers: BTreeSet<&'static str>,
    /// The baseline names pages from the root.
    names_from_root: bool,
    /// The redirects of the server.
    redirects: Redirects,
    fixed: Fixed,
    /// The pages that `--unlinked` lists.
    unlinked: Vec<PathBuf>,
    out: &'a mut Output,
}

impl Found<'_> {
    fn target(&mut self, target: &Target) -> io::Result<()> {
        let (args, mut done) = (self.args, Ok(()));
        let root = target.root().filter(|_| self.names_from_root);
        let site = target.site(args, self.redirects.clone());
        match &site {
            Ok(Some(site)) if args.fix => self.fixed.fix(site, args, self.out)?,
            Ok(None) if args.fix => {
                self.out.problem("--fix", "only the files of a folder are changed, not those in an archive");
            }
            _ => {}
        }
        let checked = site.and_then(|site| {
            target.check(site.as_ref(), args, |found| {
                done = match found {
                    Ok(problem) => self.problem(&problem, root),
                    Err(unread) => {
                        self.out.problem(shown(&path_name(&unread.path)), &unread.why);
                        self.report.unread(&unread)
                    }
                };
                if done.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        });
        done?;
        match checked {
            Ok((of_target, structure, renderers)) => {
                self.renderers.extend(renderers.into_iter().map(Renderer::name));
                if let Some(structure) = structure {
                    if self.args.unlinked {
                        self.unlinked.extend_from_slice(&structure.unlinked);
                    }
                    if let Some(page) = &mut self.page {
                        page.structure(shown(&path_name(target.name())), structure);
                    }
                }
                self.totals.pages += of_target.pages;
                self.totals.bytes += of_target.bytes;
                self.totals.links += of_target.links;
                self.totals.internal += of_target.internal;
                self.totals.outside += of_target.outside;
                self.totals.unread += of_target.unread;
            }
            Err(error) => {
                let name = target.unread();
                let error = with_advice(name, error, SAVE_FIRST);
                self.out.problem(shown(&path_name(name)), &error);
                self.totals.unread += 1;
                self.report.unread(&Unread::new(name, error))?;
            }
        }
        Ok(())
    }

    fn problem(&mut self, problem: &Problem, root: Option<&Path>) -> io::Result<()> {
        if is_ignored(self.args, problem) {
            return Ok(());
        }
        if self.baseline.has(problem, root)? {
            self.known += 1;
            return Ok(());
        }
        let count = if problem.kind.is_note() { &mut self.totals.notes } else { &mut self.totals.problems };
        *count += 1;
        self.certain += u64::from(problem.is_certain);
        if let Some(page) = &mut self.page {
            page.problem(problem);
        }
        self.report.problem(problem, self.out)
    }
}

/// One site or archive.
enum Target {
    Folder(PathBuf),
    /// Pages of one root, and folders in it.
    Pages(PathBuf, Vec<PathBuf>),
    Archive(PathBuf),
    /// An EPUB.
    Book(PathBuf),
}

impl Target {
    fn name(&self) -> &Path {
        match self {
            Target::Folder(path) | Target::Archive(path) | Target::Book(path) => path,
            Target::Pages(root, pages) => pages.first().unwrap_or(root),
        }
    }

    /// Returns the file or folder to name in an error: of pages, the first that is not below the root.
    fn unread(&self) -> &Path {
        let Target::Pages(root, pages) = self else { return self.name() };
        let Ok(root) = root.canonicalize() else {
            return if pages.iter().any(|page| page.exists()) { root } else { self.name() };
        };
        let is_below = |page: &&PathBuf| page.canonicalize().is_ok_and(|page| page.starts_with(&root));
        pages.iter().find(|page| !is_below(page)).map_or(self.name(), PathBuf::as_path)
    }

    fn root(&self) -> Option<&Path> {
        match self {
            Target::Folder(root) | Target::Pages(root, _) => Some(root),
            // The paths of its files start with its name and a mark.
            Target::Archive(_) | Target::Book(_) => None,
        }
    }

    /// `None` for an archive.
    fn site(&self, args: &Check, redirects: Redirects) -> io::Result<Option<Site>> {
        let options = Options {
            base: args.base.clone(),
            index: args.index.clone(),
            try_ext: args.try_ext.iter().map(|ending| ending.trim_start_matches('.').to_owned()).collect(),
            redirects,
            fragments: !args.no_fragments,
            ids: args.ids,
            exclude: args.exclude.clone(),
            git_ignore: !args.no_ignore,
            lazy: args.lazy,
            structure: args.report.is_some(),
            threads: args.threads.map_or(0, usize::from),
        };
        match self {
            Target::Archive(_) => Ok(None),
            Target::Folder(path) | Target::Book(path) => Site::open(path, options).map(Some),
            Target::Pages(root, pages) => Site::open(root, options)?.only(pages).map(Some),
        }
    }

    fn check(
        &self,
        site: Option<&Site>,
        args: &Check,
        each: impl FnMut(Result<Problem, Unread>) -> ControlFlow<()> + Send,
    ) -> io::Result<Checked> {
        let Some(site) = site else { return Ok((each_archive_problem(self.name(), each)?, None, Vec::new())) };
        let bar = ProgressBar::hidden();
        let update = |bar: &ProgressBar| bar.set_position(site.bytes_read());
        thread::scope(|scope| {
            if !args.quiet && stderr().is_terminal() {
                scope.spawn(|| progress_bar::show(&bar, || Some(site.total_bytes()), update));
            }
            let done = site.each_problem(each);
            bar.finish_and_clear();
            let wants_structure = args.report.is_some() || args.unlinked;
            Ok((done?, wants_structure.then(|| site.structure()), site.renderers()))
        })
    }
}

/// In the order in which they are given; pages of one root together.
fn targets(args: &Check) -> Vec<Target> {
    let mut targets = Vec::new();
    let mut pages = BTreeMap::<PathBuf, usize>::new();
    for path in &args.paths {
        if path.is_dir() && args.root.is_none() {
            targets.push(Target::Folder(path.clone()));
            continue;
        }
        if !path.is_dir() && (FileKind::of(path) == FileKind::Archive || is_archive_file(path)) {
            let is_book = is_epub_file(path).unwrap_or(false);
            targets.push(if is_book { Target::Book(path.clone()) } else { Target::Archive(path.clone()) });
            continue;
        }
        let root = args.root.clone().unwrap_or_else(|| folder_of(path).to_owned());
        let number = *pages.entry(root.clone()).or_insert_with(|| {
            targets.push(Target::Pages(root, Vec::new()));
            targets.len() - 1
        });
        if let Target::Pages(_, pages) = &mut targets[number] {
            pages.push(path.clone());
        }
    }
    targets
}

/// No output may replace an input or the other output. An earlier report may be replaced, although it is a page of the site.
fn unfit_output(args: &Check) -> Option<(&'static str, &Path, &'static str)> {
    let real = |path: &Path| {
        let path = symlink_target(path).ok().flatten()?;
        Some(folder_of(&path).canonicalize().ok()?.join(path.file_name()?))
    };
    let (report, baseline) = (args.report.as_deref(), args.write_baseline.as_deref());
    if let (Some(report), Some(baseline)) = (report, baseline) {
        if real(report).is_some_and(|report| real(baseline) == Some(report)) {
            return Some(("--write-baseline", baseline, "it is also the file of --report"));
        }
    }
    let known = args.baseline.as_deref().and_then(real);
    if let Some(report) = report.filter(|report| known.is_some() && real(report) == known) {
        return Some(("--report", report, "it is also an input"));
    }
    [("--report", report, HEAD), ("--write-baseline", baseline, baseline::START)].into_iter().find_map(
        |(option, path, start)| {
            let (path, file) = (path?, real(path?).filter(|file| file.is_file())?);
            let may_be_page = FileKind::of(&file) != FileKind::Other && !is_earlier(&file, start);
            let is_input = |input: PathBuf| file == input || (may_be_page && file.starts_with(&input));
            let mut inputs = args.paths.iter().filter_map(|input| input.canonicalize().ok());
            inputs.any(is_input).then_some((option, path, "it is also an input"))
        },
    )
}

/// Reports whether a file has the start that an earlier output has, or is empty.
fn is_earlier(file: &Path, start: &str) -> bool {
    let mut found = Vec::new();
    let read = File::open(file).and_then(|file| file.take(start.len() as u64).read_to_end(&mut found));
    read.is_ok() && (found.is_empty() || found == start.as_bytes())
}

fn summary(
    totals: &Totals,
    [known, unused, certain]: [u64; 3],
    renderers: &BTreeSet<&str>,
    args: &Check,
    time: Duration,
) -> String {
    let mut text = format!(
        "{}, {} ({} within the site): {}",
        counted(totals.pages, "page"),
        counted(totals.links, "link"),
        with_commas(totals.internal),
        counted(totals.problems, "problem")
    );
    if totals.notes > 0 {
        text += &format!(", {}", counted(totals.notes, "note"));
    }
    if known > 0 {
        text += &format!(", {} more in the baseline", with_commas(known));
    }
    if unused > 0 {
        text += &format!(", {} of the baseline no longer found: write it again", with_commas(unused));
    }
    if totals.unread > 0 {
        text += &format!(", {} not read", counted(totals.unread, "file"));
    }
    if totals.outside > 0 {
        text += &format!(", {} out of the root not checked", counted(totals.outside, "link"));
    }
    if !renderers.is_empty() {
        let names = renderers.iter().copied().collect::<Vec<_>>().join(", ");
        text += &format!(", ids of Markdown by {names}");
    }
    text += &format!(", in {:.1} s", time.as_secs_f64());
    if certain > 0 && !args.fix {
        text += &format!("; --fix repairs {}", with_commas(certain));
    }
    if totals.problems > 0 && args.write_baseline.is_none() && args.baseline.is_none() {
        text += "; --ignore REGEX leaves some out, --write-baseline FILE keeps them for --baseline";
    }
    text
}
