//! The edits of pages, as `--dry-run` and `--diff` show them.

mod diff;

use std::io::{self, BufWriter, IsTerminal, Write};
use std::mem;
use std::path::Path;
use std::sync::{Arc, Mutex};

use memchr::memchr_iter;
use relref_links::archive::ReadSeek;
use relref_links::parallel::lock;
use relref_links::rewrite::{Choose, Edit, Rewriter};
use serde::Serialize;

use self::diff::{ByteEdits, write_diff, write_rename};
use crate::output::shown;
use crate::quoting::{file_name, json_writer, path_name};

/// How edits are shown.
#[derive(Clone, Copy, PartialEq)]
pub enum View {
    /// A line for each, for people.
    Text,
    /// An object of JSON for each.
    Lines,
    /// A diff, for `patch` and `git apply`.
    Diff,
}

/// Shows the edits of pages.
pub struct Preview {
    view: View,
    edits: Arc<Mutex<Edits>>,
}

/// The edits of the current page.
#[derive(Default)]
struct Edits {
    page: String,
    /// The edits of the page as a diff needs them.
    for_diff: ByteEdits,
    /// Lines that are not written yet.
    lines: Vec<u8>,
    error: Option<io::Error>,
    /// The diff has new names. What follows one without changes is taken for a part of it, unless it starts as git starts it.
    has_renames: bool,
}

/// A line of `--dry-run`.
#[derive(Serialize)]
struct EditLine<'e> {
    page: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
    start: u64,
    end: u64,
    old: &'e str,
    new: &'e str,
}

impl Edits {
    fn add(&mut self, edit: Edit<'_>, view: View) {
        let Edit { start, end, bytes, .. } = edit;
        let done = match view {
            View::Diff => {
                self.for_diff.push([start, end, bytes.len() as u64, memchr_iter(b'\n', bytes).count() as u64])
            }
            View::Lines => self.add_line(edit),
            View::Text => self.add_text(edit),
        };
        self.error = self.error.take().or(done.err());
    }

    fn add_line(&mut self, Edit { start, end, place, old, new, .. }: Edit<'_>) -> io::Result<()> {
        let [line, column] = [place.map(|place| place.line), place.map(|place| place.column)];
        EditLine { page: &self.page, line, column, start, end, old, new }
            .serialize(&mut json_writer(&mut self.lines))?;
        self.end_line()
    }

    fn add_text(&mut self, Edit { place, old, new, .. }: Edit<'_>) -> io::Result<()> {
        let place = place.map_or(String::new(), |place| format!(":{}:{}", place.line, place.column));
        write!(self.lines, "{}{place}: {} -> {}", self.page, shown(old), shown(new))?;
        self.end_line()
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.lines.push(b'\n');
        if self.lines.len() > 1 << 16 { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = io::stdout().write_all(&self.lines);
        self.lines.clear();
        self.error.take().map_or(done, Err)
    }
}

impl Preview {
    pub fn of(view: View) -> Self {
        Preview { view, edits: Arc::default() }
    }

    /// `None` if neither option is given.
    pub fn new(dry_run: bool, diff: bool) -> Option<Self> {
        let view = if diff { View::Diff } else { View::Lines };
        (dry_run || diff).then(|| Preview::of(view))
    }

    /// Returns the rewriter, whose edits are shown from now on.
    pub fn watch<C: Choose>(&self, rewriter: Rewriter<'static, C>) -> Rewriter<'static, C> {
        rewriter.each_edit(self.each_edit())
    }

    /// Returns what shows an edit.
    pub fn each_edit(&self) -> impl FnMut(Edit<'_>) + Send + 'static {
        let (edits, view) = (Arc::clone(&self.edits), self.view);
        move |edit| lock(&edits).add(edit, view)
    }

    /// Prints the lines of a page that was rewritten, with its name.
    pub fn flush(&self) -> io::Result<()> {
        lock(&self.edits).flush()
    }

    /// Sets the name of the page in the lines that come next. Those that were not printed are dropped.
    pub fn start(&self, page: &Path) {
        let mut edits = lock(&self.edits);
        edits.lines.clear();
        edits.page = match self.view {
            View::Text => shown(&path_name(page)),
            View::Lines | View::Diff => file_name(page).to_string(),
        };
    }

    /// Shows the new name of a file in which nothing changes, if that is a part of a diff.
    pub fn show_rename(&self, paths: [&Path; 2]) -> io::Result<()> {
        if self.view != View::Diff {
            return Ok(());
        }
        lock(&self.edits).has_renames = true;
        write_rename(paths, &mut io::stdout())
    }

    /// Shows what `rewrite` changes in a page, which it gets to read, and writes nothing else. `new_path` is the name that a diff has after
    /// the change. The error is one of the output; that of the page is the result.
    pub fn show(
        &self,
        [path, new_path]: [&Path; 2],
        file: &mut dyn ReadSeek,
        rewrite: impl FnOnce(&mut dyn ReadSeek, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<io::Result<()>> {
        if self.view != View::Diff {
            self.start(path);
            let done = rewrite(file, &mut io::sink());
            return self.flush().map(|()| done);
        }
        let mut sink = Sink::new();
        let write = || {
            let mut new = BufWriter::new(tempfile::spooled_tempfile(1 << 20));
            let rewritten = rewrite(file, &mut new);
            let mut edits = lock(&self.edits);
            let (for_diff, error) = (mem::take(&mut edits.for_diff), edits.error.take());
            let is_renamed = path != new_path;
            edits.has_renames |= is_renamed;
            let for_git = edits.has_renames && !is_renamed;
            drop(edits);
            error.map_or(Ok(()), Err)?;
            // After such an error, all is written.
            if rewritten.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::InvalidData) {
                return rewritten;
            }
            let mut new = new.into_inner().map_err(io::IntoInnerError::into_error)?;
            if is_renamed {
                write_rename([path, new_path], &mut sink)?;
            }
            let for_terminal = io::stdout().is_terminal();
            write_diff([path, new_path], for_git, (file, &mut new), for_diff, for_terminal, &mut sink)?;
            rewritten
        };
        let done = write();
        sink.finish().map(|()| done)
    }
}

/// A standard output whose error is not taken for one of the page.
pub struct Sink {
    out: BufWriter<io::Stdout>,
    error: Option<io::Error>,
}

impl Sink {
    pub fn new() -> Self {
        Sink { out: BufWriter::new(io::stdout()), error: None }
    }

    pub fn finish(mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.error.map_or(flushed, Err)
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.error.is_none() {
            self.error = self.out.write_all(bytes).err();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
