//! `relref check`: prints the links of a site that do not work.

mod baseline;
mod github;
mod json_lines;
mod junit;
mod page;
mod report;
mod sarif;
mod text;

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, stderr};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use relref_links::check::{Options, Problem, Site, Structure, Totals, Unread, each_archive_problem};
use relref_links::page::FileKind;

use self::baseline::Baseline;
use self::page::ReportPage;
use self::report::{Report, with_commas};
use crate::args::{Check, CheckFormat};
use crate::file_uri::folder_of;
use crate::links::{is_archive_file, write_file};
use crate::output::{Output, shown};
use crate::quoting::file_name;

/// An error is about the output.
pub fn run(args: &Check, out: &mut Output) -> io::Result<()> {
    let start = Instant::now();
    let mut report: Box<dyn Report + Send> = match args.format {
        CheckFormat::Text => Box::new(text::Groups::default()),
        CheckFormat::Jsonl => Box::new(json_lines::JsonLines),
        CheckFormat::Sarif => Box::new(sarif::Sarif::default()),
        CheckFormat::Junit => Box::new(junit::Junit::default()),
        CheckFormat::Github => Box::new(github::Annotations),
    };
    let mut baseline = match Baseline::new(args) {
        Ok(baseline) => baseline,
        Err((path, error)) => {
            out.problem(shown(&file_name(path)), error);
            return Ok(());
        }
    };
    let mut totals = Totals::default();
    let mut known = 0;
    let mut report_page = args.report.as_ref().map(|_| ReportPage::default());
    for target in targets(args) {
        let mut failure = None;
        let each = |found: Result<Problem, Unread>| {
            let done = match found {
                Err(unread) => {
                    out.problem(shown(&file_name(&unread.path)), &unread.why);
                    Ok(())
                }
                Ok(problem) if is_ignored(&problem, args) => Ok(()),
                Ok(problem) => match baseline.has(&problem) {
                    Ok(true) => {
                        known += 1;
                        Ok(())
                    }
                    Ok(false) => {
                        let count = if problem.kind.is_note() { &mut totals.notes } else { &mut totals.problems };
                        *count += 1;
                        if let Some(page) = &mut report_page {
                            page.problem(&problem);
                        }
                        report.problem(&problem, out)
                    }
                    Err(error) => Err(error),
                },
            };
            failure = failure.take().or(done.err());
            if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let checked = target.check(args, each);
        failure.map_or(Ok(()), Err)?;
        match checked {
            Ok((of_target, structure)) => {
                if let (Some(page), Some(structure)) = (&mut report_page, structure) {
                    page.structure(shown(&file_name(target.name())), structure);
                }
                totals.pages += of_target.pages;
                totals.bytes += of_target.bytes;
                totals.links += of_target.links;
                totals.internal += of_target.internal;
                totals.unread += of_target.unread;
            }
            Err(error) => {
                out.problem(shown(&file_name(target.name())), error);
                totals.unread += 1;
            }
        }
    }
    report.finish(&totals, out)?;
    out.exits_with_1 |= totals.unread > 0 || totals.problems > 0 && args.write_baseline.is_none();
    if let (Some(page), Some(path)) = (&report_page, &args.report) {
        if let Err(error) = write_file(path, page.text(&totals).as_bytes()) {
            out.problem("--report", error);
        }
    }
    if let Err(error) = baseline.finish() {
        out.problem("--write-baseline", error);
    }
    if !args.quiet {
        out.flush()?;
        out.note(summary(&totals, known, args, start.elapsed()));
    }
    Ok(())
}

/// One site or archive.
enum Target {
    Folder(PathBuf),
    /// Pages of one root.
    Pages(PathBuf, Vec<PathBuf>),
    Archive(PathBuf),
}

impl Target {
    fn name(&self) -> &Path {
        match self {
            Target::Folder(path) | Target::Archive(path) => path,
            Target::Pages(root, pages) => pages.first().unwrap_or(root),
        }
    }

    fn check(
        &self,
        args: &Check,
        each: impl FnMut(Result<Problem, Unread>) -> ControlFlow<()> + Send,
    ) -> io::Result<(Totals, Option<Structure>)> {
        let options = Options {
            base: args.base.clone(),
            index: args.index.clone(),
            try_ext: args.try_ext.iter().map(|ending| ending.trim_start_matches('.').to_owned()).collect(),
            fragments: !args.no_fragments,
            structure: args.report.is_some(),
            threads: args.threads.map_or(0, usize::from),
        };
        let site = match self {
            Target::Archive(archive) => return Ok((each_archive_problem(archive, each)?, None)),
            Target::Folder(folder) => Site::open(folder, options)?,
            Target::Pages(root, pages) => Site::open(root, options)?.only(pages)?,
        };
        let bar = ProgressBar::hidden();
        thread::scope(|scope| {
            if !args.quiet && stderr().is_terminal() {
                scope.spawn(|| show_progress(&site, &bar));
            }
            let done = site.each_problem(each);
            bar.finish_and_clear();
            Ok((done?, args.report.is_some().then(|| site.structure())))
        })
    }
}

/// In the order in which they are given; pages of one root together.
fn targets(args: &Check) -> Vec<Target> {
    let mut targets = Vec::new();
    let mut pages = BTreeMap::<PathBuf, usize>::new();
    for path in &args.paths {
        if path.is_dir() {
            targets.push(Target::Folder(path.clone()));
            continue;
        }
        if FileKind::of(path) == FileKind::Archive || is_archive_file(path) {
            targets.push(Target::Archive(path.clone()));
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

fn is_ignored(problem: &Problem, args: &Check) -> bool {
    let text = problem.uri.as_ref().unwrap_or(&problem.reference);
    args.ignore.iter().any(|regex| regex.is_match(text))
}

fn show_progress(site: &Site, bar: &ProgressBar) {
    let mut waited = Duration::ZERO;
    while !bar.is_finished() {
        thread::sleep(Duration::from_millis(50));
        waited += Duration::from_millis(50);
        if waited == Duration::from_secs(1) {
            bar.set_length(site.total_bytes());
            let template = "{wide_bar} {decimal_bytes}/{decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left";
            bar.set_style(ProgressStyle::with_template(template).expect("the template is valid"));
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.set_position(site.bytes_read());
    }
}

fn summary(totals: &Totals, known: u64, args: &Check, time: Duration) -> String {
    let counted = |count: u64, one: &str| format!("{} {one}{}", with_commas(count), if count == 1 { "" } else { "s" });
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
    if totals.unread > 0 {
        text += &format!(", {} not read", counted(totals.unread, "file"));
    }
    text += &format!(", in {:.1} s", time.as_secs_f64());
    if totals.problems > 0 && args.write_baseline.is_none() && args.baseline.is_none() {
        text += "; --ignore REGEX leaves some out, --write-baseline FILE keeps them for --baseline";
    }
    text
}
