//! `relref check --fix`: writes the references that are meant, where that is certain.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use regex::Regex;
use relref::whatwg::Base;
use relref_links::check::{PageFix, Problem, Site};

use super::report::{counted, target_of};
use crate::args::{Check, CheckFormat};
use crate::edits::{Preview, View};
use crate::guarded;
use crate::output::{Output, shown};
use crate::quoting::path_name;

/// What was repaired, or would be.
#[derive(Default)]
pub struct Fixed {
    pub references: u64,
    pub pages: u64,
    /// The files that were, or would be, repaired.
    paths: BTreeSet<PathBuf>,
}

/// A repair can show another problem of the same link: the page that is meant may lack the fragment.
const MAX_ROUNDS: usize = 3;

impl Fixed {
    /// The error is one of the output.
    pub fn fix(&mut self, site: &Site, args: &Check, out: &mut Output) -> io::Result<()> {
        let (preview, is_preview) = (preview(args), args.is_preview());
        let lock = if is_preview { Ok(None) } else { site.lock().map(Some) };
        let _lock = match lock {
            Ok(lock) => lock,
            Err(error) => {
                out.problem("--fix", error);
                return Ok(());
            }
        };
        let rounds = if is_preview { 1 } else { MAX_ROUNDS };
        let mut told = Ok(());
        for round in 0..rounds {
            let mut fixed = 0;
            let wants = |problem: &Problem| !is_ignored(args, problem);
            let mut failure = Ok(());
            let done = site.each_fix(wants, |page| {
                let path = page.path.clone();
                let done = match &preview {
                    Some(preview) if is_preview => {
                        out.flush().and_then(|()| show(preview, page)).inspect_err(|_| failure = Err(()))?
                    }
                    // The repairs go on also when nobody reads of them.
                    Some(preview) => {
                        let (done, was_told) = write(preview, page);
                        if told.is_ok() {
                            told = was_told;
                        }
                        done
                    }
                    None => page.apply().map(|totals| totals.rewritten),
                };
                match done {
                    Ok(rewritten) => {
                        fixed += rewritten;
                        self.pages += u64::from(rewritten > 0 && round == 0);
                        self.paths.extend((rewritten > 0).then_some(path));
                    }
                    Err(error) => _ = out.problem(shown(&path_name(&path)), error),
                }
                Ok(())
            });
            match done {
                Err(error) if failure.is_err() => return Err(error),
                Err(error) => _ = out.problem("--fix", error),
                Ok(()) => {}
            }
            self.references += fixed;
            if fixed == 0 {
                break;
            }
        }
        guarded::note(site, std::mem::take(&mut self.paths), out);
        told
    }

    /// Returns a line about the repairs. `left` is the number of problems that there are after them.
    pub fn summary(&self, is_preview: bool, left: u64) -> String {
        let (references, files) = (counted(self.references, "reference"), counted(self.pages, "file"));
        match is_preview {
            true => format!("{references} would change in {files}"),
            false => format!("{references} changed in {files}, {} left", counted(left, "problem")),
        }
    }
}

/// Returns how edits are shown: in text, also those that are written.
fn preview(args: &Check) -> Option<Preview> {
    let view = match args.format {
        _ if args.diff => View::Diff,
        CheckFormat::Text if args.dry_run || !args.quiet => View::Text,
        _ if args.dry_run => View::Lines,
        _ => return None,
    };
    Some(Preview::of(view))
}

/// Writes a page and shows its edits, of very many the last ones afterwards. Returns the number of these, or the error of the page, and that of the output.
fn write(preview: &Preview, page: PageFix) -> (io::Result<u64>, io::Result<()>) {
    preview.start(&page.path);
    let done = page.apply_with(preview.each_edit()).map(|totals| totals.rewritten);
    // After an error of this kind, the page is written.
    let is_written = done.as_ref().err().is_none_or(|error| error.kind() == io::ErrorKind::InvalidData);
    let told = if is_written { preview.flush() } else { Ok(()) };
    (done, told)
}

/// The error is one of the output; that of the page is the result, or the number of its edits.
fn show(preview: &Preview, page: PageFix) -> io::Result<io::Result<u64>> {
    let (path, uri) = (page.path.clone(), page.uri.clone());
    let opened = page.open().and_then(|mut file| Ok((page.content(&mut file)?, file)));
    let (content, mut file) = match opened {
        Ok(opened) => opened,
        Err(error) => return Ok(Err(error)),
    };
    let mut rewriter = preview.watch(page.into_rewriter());
    let done = preview.show([&path, &path], &mut file, |file, new| {
        let base = Base::new(&uri).map_err(io::Error::other)?;
        rewriter.file(content, file, None, &base, new)
    })?;
    Ok(done.map(|()| rewriter.totals.rewritten))
}

/// Reports whether a problem is left out by `--ignore` or `--ignore-kind`.
pub fn is_ignored(args: &Check, problem: &Problem) -> bool {
    let text = problem.uri.as_ref().unwrap_or(&problem.reference);
    let matches = |regex: &Regex| regex.is_match(text) || regex.is_match(&target_of(problem));
    args.ignore_kind.contains(&problem.kind) || args.ignore.iter().any(matches)
}
