//! `relref move`: renames files and folders, and keeps every link.

mod mentions;
mod pairs;
mod steps;

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::io::{self, BufWriter, Cursor, Read, Seek, Write};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, available_parallelism};

use relref::whatwg::Base;
use relref_links::archive::ReadSeek;
use relref_links::check::{Options, Site};
use relref_links::files::{EntryKind, FolderLock, HeldFolder, NewFile, Walk, WalkEntry, is_new_file, remove_new_files};
use relref_links::html;
use relref_links::page::FileKind;
use relref_links::rewrite::{LeftReason, Renames, Renaming, Rewriter, Totals};
use serde_json::json;
use tempfile::spooled_tempfile;

use self::mentions::Mentions;
use self::pairs::{Pair, given_olds, pairs};
use self::steps::{JOURNAL, MoveSteps, NewNames};
use crate::args::{Move, MoveFormat};
use crate::edits::{Preview, View};
use crate::file_uri::folder_of;
use crate::guarded;
use crate::output::{Output, counted, shown};
use crate::quoting::path_name;

/// The most bytes of a new content that are held in memory until it is known whether it differs.
const IN_MEMORY: usize = 8 << 20;

/// The number of threads that wait for new contents to be on the disk.
const SYNCS_AT_ONCE: usize = 4;

pub fn run(args: &Move, out: &mut Output) -> io::Result<()> {
    let root = args.root.clone().unwrap_or_else(|| root_folder(&args.paths));
    let planned = match plan(args, &root, out) {
        Ok(Some(planned)) => planned,
        Ok(None) => return Ok(()),
        Err(Failure::Refused(what, why)) => {
            out.problem(shown(&what), why);
            return Ok(());
        }
        Err(Failure::Output(error)) => return Err(error),
    };
    let Plan { steps, changes, mentions, .. } = &planned;
    let is_preview = args.dry_run || args.diff;
    if !is_preview {
        let begun = steps.begin(&planned.root);
        let has_begun = begun.is_ok();
        if let Err(error) = begun.and_then(|()| steps.run(&planned.root)) {
            // With its journal, a part is done, and what is left of the contents is needed to complete the move.
            let is_partly_moved = has_begun && root.join(JOURNAL).symlink_metadata().is_ok();
            let what = if is_partly_moved { "moved in part: --after completes it" } else { "nothing was moved" };
            out.problem(what, error);
            return Ok(());
        }
    }
    if planned.unwritable > 0 {
        out.problem(counted(planned.unwritable, "reference"), "cannot be written in its place: see relref check");
    }
    if !planned.untried.is_empty() {
        out.note(untried_note(&planned.untried));
    }
    if args.quiet {
        return Ok(());
    }
    if !args.diff {
        for Pair { old, new, .. } in &planned.pairs {
            let [old, new] = [old, new].map(|path| path_name(path));
            match args.format {
                MoveFormat::Text => writeln!(out, "{} -> {}", shown(&old), shown(&new))?,
                MoveFormat::Jsonl => {
                    out.json(&json!({"old": old, "new": new}))?;
                    out.end_line()?;
                }
            }
        }
        if args.format == MoveFormat::Text {
            for (page, count) in changes {
                writeln!(out, "{}: {}", shown(&path_name(page)), counted(*count, "reference"))?;
            }
        }
        mentions.print(args.format, out)?;
    }
    out.flush()?;
    let references = counted(changes.iter().map(|(_, count)| count).sum(), "reference");
    let (files, changed) = (counted(changes.len() as u64, "file"), if is_preview { "would change" } else { "changed" });
    let named = match mentions.count() {
        0 => String::new(),
        1 => "; 1 line of another file mentions what moved".to_owned(),
        count => format!("; {count} lines of other files mention what moved"),
    };
    if !is_preview && changes.iter().any(|(page, _)| FileKind::of(page) == FileKind::Css) {
        let options = Options { base: args.base.clone(), ..Options::default() };
        // Its folder was read before.
        if let Ok(site) = Site::open(&root, options) {
            guarded::note(&site, changes.iter().map(|(page, _)| root.join(page)), out);
        }
    }
    out.note(format_args!("{references} {changed} in {files}{named}"));
    Ok(())
}

/// Tells what may be links to clean URLs.
fn untried_note(untried: &[(&str, u64)]) -> String {
    let count = untried.iter().map(|(_, count)| count).sum();
    let options: Vec<String> = untried.iter().map(|(ending, _)| format!("--try-ext {ending}")).collect();
    let (leads, rewrites) = match (count, untried) {
        (1, _) => ("leads to what moves and stays as it is", "rewrites it"),
        (_, [_]) => ("lead to what moves and stay as they are", "rewrites them"),
        _ => ("lead to what moves and stay as they are", "rewrite them"),
    };
    format!("{} without an ending {leads}: {} {rewrites}", counted(count, "link"), options.join(" "))
}

/// The reason why nothing is moved, or an error of the output.
enum Failure {
    Refused(String, String),
    Output(io::Error),
}

impl Failure {
    fn of(path: &Path, why: impl ToString) -> Self {
        Failure::Refused(path_name(path).to_string(), why.to_string())
    }
}

/// The files to move.
struct Plan {
    /// The root, opened by its canonical path.
    root: HeldFolder,
    /// `None` for a preview.
    _lock: Option<FolderLock>,
    pairs: Vec<Pair>,
    steps: MoveSteps,
    /// The places of files after all steps.
    new_names: NewNames,
    /// The new contents, where they are now below the root.
    staged: Vec<PathBuf>,
    /// The pages whose references change, with their numbers.
    changes: Vec<(PathBuf, u64)>,
    mentions: Mentions,
    /// References that should change, in places where no other can be written.
    unwritable: u64,
    /// Endings that links to what moves leave out, with the numbers of these links.
    untried: Vec<(&'static str, u64)>,
}

/// `None` if a run that was killed has been completed, and nothing else is to be done.
fn plan(args: &Move, root: &Path, out: &mut Output) -> Result<Option<Plan>, Failure> {
    let real_root = root.canonicalize().map_err(|error| Failure::of(root, error))?;
    let journal = root.join(JOURNAL);
    let held = HeldFolder::open(&real_root).map_err(|error| Failure::of(root, error))?;
    let is_preview = args.dry_run || args.diff;
    let lock = if is_preview { Ok(None) } else { held.lock().map(Some) };
    let lock = lock.map_err(|error| Failure::of(root, error))?;
    match MoveSteps::left(&held) {
        Ok(None) => {}
        Ok(Some(steps)) if args.after && !is_preview => {
            let is_own = |olds: HashSet<PathBuf>| olds == steps.renames.iter().map(|[old, _]| old.clone()).collect();
            if !given_olds(args, &real_root).is_none_or(is_own) {
                return Err(Failure::of(&journal, "a move of other names was interrupted: give --after those"));
            }
            steps.complete(&held).map_err(|error| Failure::of(&journal, error))?;
            out.note("the move that was interrupted is complete");
            return Ok(None);
        }
        Ok(Some(_)) => return Err(Failure::of(&journal, "a move was interrupted: --after completes it")),
        Err(error) => return Err(Failure::of(&journal, error)),
    }
    let pairs = pairs(args, &real_root).map_err(|(path, why)| Failure::of(&path, why))?;
    let mut renames = Renames::default();
    let mut done = Renames::default();
    for pair in &pairs {
        renames.add(&pair.old, &pair.new);
        if pair.is_done {
            done.add(&pair.old, &pair.new);
        }
    }
    let options = Options {
        base: args.base.clone(),
        index: args.index.clone(),
        try_ext: args.try_ext.iter().map(|ending| ending.trim_start_matches('.').to_owned()).collect(),
        ..Options::default()
    };
    let site = Site::open(root, options).and_then(|site| site.before(done.clone()));
    let site = Arc::new(site.map_err(|error| Failure::of(root, error))?);
    let pending: Vec<Pair> = pairs.iter().filter(|pair| !pair.is_done).cloned().collect();
    let mut plan = Plan {
        _lock: lock,
        root: held,
        steps: MoveSteps::of(&pending, root),
        new_names: NewNames::new(pending.iter().map(|pair| (&*pair.old, &*pair.new))),
        pairs,
        staged: Vec::new(),
        changes: Vec::new(),
        mentions: Mentions::default(),
        unwritable: 0,
        untried: Vec::new(),
    };
    let planned = plan.read_pages(args, root, &site, &renames).and_then(|()| plan.sync());
    if planned.is_err() {
        plan.steps.remove_contents(&plan.root);
    }
    planned?;
    plan.untried = site.untried_endings();
    if !args.quiet && !args.diff {
        plan.mentions = Mentions::find(root, &plan.pairs, &plan.new_names);
    }
    Ok(Some(plan))
}

impl Plan {
    fn read_pages(&mut self, args: &Move, root: &Path, site: &Arc<Site>, renames: &Renames) -> Result<(), Failure> {
        let pages = site.page_files().map_err(|error| Failure::of(root, error))?;
        let pages: Vec<_> = pages.filter(|(path, _)| !is_new_file(path.file_name().unwrap_or_default())).collect();
        if !(args.dry_run || args.diff) {
            // What runs that were killed have left.
            let mut folders: BTreeSet<&Path> = pages.iter().map(|(path, _)| folder_of(path)).collect();
            // The journal has a new file, too.
            folders.insert(root);
            for folder in folders {
                let below = folder.strip_prefix(root).unwrap_or(folder);
                let removed = self.root.below(below).and_then(|folder| remove_new_files(&folder));
                removed.map_err(|error| Failure::of(folder, error))?;
            }
        }
        let pages: Vec<_> = pages.iter().map(|(path, uri)| Page::new(path, uri, site, root)).collect();
        let new_rewriter = || {
            // Attributes that only scripts read lead to files, too.
            let options = html::Options { lazy: true, ..html::Options::default() };
            Rewriter::from(site.renaming(renames.clone())).options(options)
        };
        let preview = match args.format {
            MoveFormat::Jsonl => Preview::of(View::Lines),
            MoveFormat::Text if args.diff => Preview::of(View::Diff),
            MoveFormat::Text => return self.stage_pages(args.dry_run, &pages, new_rewriter),
        };
        self.show_pages(args, &pages, &preview, preview.watch(new_rewriter()))?;
        if args.diff {
            self.show_others(&preview, root, &pages.iter().map(|page| page.below).collect())?;
        }
        Ok(())
    }

    /// Writes the new contents of pages beside them, by as many threads as there are cores.
    fn stage_pages(
        &mut self,
        dry_run: bool,
        pages: &[Page<'_>],
        new_rewriter: impl Fn() -> Rewriter<'static, Renaming> + Sync,
    ) -> Result<(), Failure> {
        let cores = available_parallelism().map_or(1, usize::from);
        let parts: Vec<_> = pages.chunks(pages.len().div_ceil(cores).max(1)).collect();
        let stage = |part: usize| stage_part(&self.root, dry_run, parts[part], new_rewriter());
        let mut done = Ok(());
        for (staged, part_done) in in_threads(parts.len(), stage) {
            // After an error, the contents that are staged are removed.
            for StagedPage { below, content, edits } in staged {
                self.add(below, content, edits);
            }
            done = done.and(part_done);
        }
        done
    }

    /// Shows the pages that change. Without `--dry-run` and `--diff`, writes their new contents beside them, too.
    fn show_pages(
        &mut self,
        args: &Move,
        pages: &[Page<'_>],
        preview: &Preview,
        mut rewriter: Rewriter<'static, Renaming>,
    ) -> Result<(), Failure> {
        let mut folder = self.root.try_clone().map_err(|error| Failure::of(self.root.path(), error))?;
        for page in pages {
            let (below, new) = (page.below, self.new_names.of(page.below));
            let before = rewriter.totals;
            let fail = |error| Failure::of(page.path, error);
            let name = enter(&self.root, &mut folder, below).map_err(fail)?;
            let content = if args.dry_run || args.diff {
                let mut file = folder.open_file(name).map_err(fail)?;
                let rewrite = |file: &mut dyn ReadSeek, out: &mut dyn Write| page.rewrite(&mut rewriter, file, out);
                preview.show([below, &new], &mut file, rewrite).map_err(Failure::Output)?.map(|()| None)
            } else {
                preview.start(below);
                let content = page.stage(&folder, name, &mut rewriter, true);
                preview.flush().map_err(Failure::Output)?;
                content.map(|content| content.map(NewFile::keep))
            };
            self.add(below, content.map_err(fail)?, EditCounts::between(&before, &rewriter.totals));
        }
        Ok(())
    }

    /// `below` is the present path of a page below the root, and `content` the path of its new content.
    fn add(&mut self, below: &Path, content: Option<PathBuf>, edits: EditCounts) {
        let new = self.new_names.of(below);
        if let Some(content) = content {
            let beside = below.with_file_name(content.file_name().unwrap_or_default());
            self.staged.push(beside.clone());
            self.steps.contents.push([self.new_names.of(&beside), new.clone()]);
        }
        if edits.rewritten > 0 {
            self.changes.push((new, edits.rewritten));
        }
        self.unwritable += edits.unwritable;
    }

    /// Shows the new names of files that are no pages.
    fn show_others(&self, preview: &Preview, root: &Path, pages: &HashSet<&Path>) -> Result<(), Failure> {
        for [old, _] in &self.steps.renames {
            let old = root.join(old);
            let is_folder = old.symlink_metadata().is_ok_and(|found| found.is_dir());
            let below = is_folder.then(|| Walk::new(&old).without_following());
            let files = below.into_iter().flatten().filter_map(|found| match found {
                Ok(WalkEntry { path, kind: EntryKind::File | EntryKind::Symlink, .. }) => Some(path),
                _ => None,
            });
            let itself = (!is_folder).then_some(old.clone());
            for path in files.chain(itself) {
                let below = path.strip_prefix(root).unwrap_or(&path);
                // Pages are named as the walk of the site names them.
                if !pages.contains(below) {
                    preview.show_rename([below, &self.new_names.of(below)]).map_err(Failure::Output)?;
                }
            }
        }
        Ok(())
    }

    fn sync(&self) -> Result<(), Failure> {
        // After a failure of power, a page has the old or the new content. When all are written, most are on the disk already, so that
        // this takes a tenth of the time that it takes after each; and a file system that several threads wait for writes at once what
        // they wait for: a tenth again.
        let sync = |path: &PathBuf| {
            let opened = self.root.around(path).and_then(|(folder, name)| folder.open_file(name));
            opened.and_then(|file| file.sync_all()).map_err(|error| Failure::of(path, error))
        };
        let sync_part = |first| self.staged.iter().skip(first).step_by(SYNCS_AT_ONCE).try_for_each(sync);
        in_threads(SYNCS_AT_ONCE.min(self.staged.len()), sync_part).into_iter().collect()
    }
}

/// A page at its present place.
struct Page<'p> {
    path: &'p Path,
    /// Its path below the root.
    below: &'p Path,
    /// The URI of its old place.
    uri: &'p str,
    site: &'p Site,
}

impl<'p> Page<'p> {
    fn new(path: &'p Path, uri: &'p str, site: &'p Site, root: &Path) -> Self {
        Page { path, below: path.strip_prefix(root).unwrap_or(path), uri, site }
    }

    /// Parts that cannot be read stay as they are.
    fn rewrite(
        &self,
        rewriter: &mut Rewriter<'static, Renaming>,
        file: &mut dyn ReadSeek,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let content = self.site.content(&mut *file, self.path)?;
        if !content.is_rewritten() {
            return Ok(());
        }
        let base = Base::new(self.uri).map_err(io::Error::other)?;
        match rewriter.file(content, file, None, &base, out) {
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(()),
            done => done,
        }
    }

    /// Rewrites the page and, if `writes` is true, writes its new content beside it. `None` if none is written.
    fn stage(
        &self,
        folder: &HeldFolder,
        name: &OsStr,
        rewriter: &mut Rewriter<'static, Renaming>,
        writes: bool,
    ) -> io::Result<Option<NewFile>> {
        let before = rewriter.totals.rewritten;
        let mut file = folder.open_file(name)?;
        let len = file.metadata()?.len();
        let mut new = BufWriter::new(spooled_tempfile(IN_MEMORY));
        match usize::try_from(len) {
            Ok(len) if len <= IN_MEMORY => {
                // Without a capacity, the reads of a small page would start at 32 bytes and double.
                let mut page = Vec::with_capacity(len + 1);
                (&file).take(IN_MEMORY as u64 + 1).read_to_end(&mut page)?;
                if page.len() > IN_MEMORY {
                    return Err(io::Error::other("it grew while it was read"));
                }
                self.rewrite(rewriter, &mut Cursor::new(page), &mut new)?;
            }
            _ => self.rewrite(rewriter, &mut file, &mut new)?,
        }
        if !writes || rewriter.totals.rewritten == before {
            return Ok(None);
        }
        let mut new = new.into_inner().map_err(io::IntoInnerError::into_error)?;
        new.rewind()?;
        let content = folder.new_file(name, None)?;
        content.keep_permissions(&file)?;
        io::copy(&mut new, &mut content.as_file())?;
        Ok(Some(content))
    }
}

/// The numbers of edits of a page.
struct EditCounts {
    rewritten: u64,
    unwritable: u64,
}

impl EditCounts {
    fn between(before: &Totals, after: &Totals) -> Self {
        let unwritable = after.left(LeftReason::Unwritable) - before.left(LeftReason::Unwritable);
        EditCounts { rewritten: after.rewritten - before.rewritten, unwritable }
    }
}

struct StagedPage<'p> {
    below: &'p Path,
    content: Option<PathBuf>,
    edits: EditCounts,
}

/// Writes the new contents of pages beside them, up to the first error.
fn stage_part<'p>(
    root: &HeldFolder,
    dry_run: bool,
    pages: &[Page<'p>],
    mut rewriter: Rewriter<'static, Renaming>,
) -> (Vec<StagedPage<'p>>, Result<(), Failure>) {
    let mut staged = Vec::new();
    let mut folder = match root.try_clone() {
        Ok(folder) => folder,
        Err(error) => return (staged, Err(Failure::of(root.path(), error))),
    };
    for page in pages {
        let before = rewriter.totals;
        let content =
            enter(root, &mut folder, page.below).and_then(|name| page.stage(&folder, name, &mut rewriter, !dry_run));
        match content.map(|content| content.map(NewFile::keep)) {
            Ok(content) => {
                let edits = EditCounts::between(&before, &rewriter.totals);
                if edits.rewritten + edits.unwritable > 0 {
                    staged.push(StagedPage { below: page.below, content, edits });
                }
            }
            Err(error) => return (staged, Err(Failure::of(page.path, error))),
        }
    }
    (staged, Ok(()))
}

/// Makes `folder` the one around a page below `root`, and returns the name of the page. The pages of a folder come one after another.
fn enter<'p>(root: &HeldFolder, folder: &mut HeldFolder, below: &'p Path) -> io::Result<&'p OsStr> {
    let parent = below.parent().unwrap_or(Path::new(""));
    if folder.path() != root.path().join(parent) {
        *folder = root.below(parent)?;
    }
    Ok(below.file_name().unwrap_or_default())
}

/// Does each part of a work in a thread of its own, and returns the results in their order. A part for which the system cannot start a
/// thread is done in this one.
fn in_threads<T: Send>(parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let work = &work;
    thread::scope(|scope| {
        let start = |part| thread::Builder::new().spawn_scoped(scope, move || work(part)).map_err(|_| part);
        let threads: Vec<_> = (0..parts).map(start).collect();
        let result = |thread: Result<thread::ScopedJoinHandle<'_, T>, usize>| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(part) => work(part),
        };
        threads.into_iter().map(result).collect()
    })
}

/// The root of the git work tree of the current folder; outside of that, of what is moved; without one, the current folder.
fn root_folder(paths: &[PathBuf]) -> PathBuf {
    let work_tree_of = |path: &Path| path.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_owned);
    let here = Path::new(".");
    let Ok(real) = here.canonicalize() else { return here.to_owned() };
    let own = work_tree_of(&real);
    // A symbolic link is moved itself.
    let moved = paths.iter().find_map(|path| folder_of(path).canonicalize().ok());
    let other = moved.filter(|moved| own.as_ref().is_none_or(|root| !moved.starts_with(root)));
    if let Some(root) = other.and_then(|moved| work_tree_of(&moved)) {
        return root;
    }
    let levels = own.map_or(0, |root| real.components().count() - root.components().count());
    if levels == 0 { here.to_owned() } else { vec![".."; levels].join("/").into() }
}
