//! Problems as JUnit XML, as build servers read it: each page with problems is a test case that fails.

use std::io::{self, Write};
use std::mem;
use std::path::PathBuf;

use relref_links::check::{Problem, Totals, Unread};

use super::report::{Report, message, shown_place};
use crate::output::{Output, shown};
use crate::quoting::{escaped_html, path_name};

#[derive(Default)]
pub struct Junit {
    /// Notes are failures, too.
    is_strict: bool,
    page: PathBuf,
    /// The lines about the problems of `page`, and their bytes.
    lines: Vec<String>,
    lines_len: usize,
    more: u64,
    cases: String,
    pages: u64,
    /// Pages whose problems are left out.
    left_out: u64,
    /// Files that could not be read, and are test cases.
    errors: u64,
}

/// The bytes of all test cases after which pages are left out.
const MAX_LEN: usize = 16 << 20;

/// The most lines about the problems of a page, and their bytes after which there are no more.
const MAX_LINES: usize = 100;
const MAX_LINES_LEN: usize = 256 << 10;

impl Report for Junit {
    fn problem(&mut self, problem: &Problem, _: &mut Output) -> io::Result<()> {
        if problem.kind.is_note() && !self.is_strict {
            return Ok(());
        }
        if problem.page != self.page {
            self.end_page();
            self.page.clone_from(&problem.page);
        }
        if self.lines.len() >= MAX_LINES || self.lines_len >= MAX_LINES_LEN {
            self.more += 1;
            return Ok(());
        }
        let place = shown_place(problem).map_or(String::new(), |place| format!("{}:{}: ", place.line, place.column));
        let line = format!("{place}{}: {}", problem.kind.name(), message(problem));
        self.lines_len += line.len();
        self.lines.push(line);
        Ok(())
    }

    fn unread(&mut self, unread: &Unread) -> io::Result<()> {
        self.end_page();
        if self.cases.len() > MAX_LEN {
            return Ok(());
        }
        self.errors += 1;
        let (file, why) = (escaped(&path_name(&unread.path)), escaped(&shown(&unread.why)));
        self.cases += &format!("<testcase classname=\"links\" name=\"{file}\" file=\"{file}\">\n");
        self.cases += &format!("<error message=\"{why}\" type=\"unread\"/>\n</testcase>\n");
        Ok(())
    }

    fn finish(&mut self, totals: &Totals, out: &mut Output) -> io::Result<()> {
        self.end_page();
        let Junit { pages, left_out, errors, .. } = *self;
        let good = totals.pages.saturating_sub(pages);
        let tests = pages - left_out + errors + 1;
        let failures = pages - left_out + u64::from(left_out > 0);
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(
            out,
            "<testsuites name=\"relref check\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">"
        )?;
        writeln!(out, "<testsuite name=\"links\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">")?;
        write!(out, "{}<testcase classname=\"links\" name=\"{good} pages without problems\">", self.cases)?;
        if left_out > 0 {
            write!(out, "<failure message=\"{left_out} more pages with problems are left out\"/>")?;
        }
        writeln!(out, "</testcase>\n</testsuite>\n</testsuites>")
    }
}

impl Junit {
    pub fn new(is_strict: bool) -> Self {
        Junit { is_strict, ..Junit::default() }
    }

    fn end_page(&mut self) {
        if self.lines.is_empty() {
            return;
        }
        self.pages += 1;
        let (lines, more) = (mem::take(&mut self.lines), mem::take(&mut self.more));
        self.lines_len = 0;
        if self.cases.len() > MAX_LEN {
            self.left_out += 1;
            return;
        }
        let count = lines.len() as u64 + more;
        let (page, word) = (escaped(&path_name(&self.page)), if count == 1 { "link" } else { "links" });
        self.cases += &format!("<testcase classname=\"links\" name=\"{page}\" file=\"{page}\">\n");
        self.cases += &format!("<failure message=\"{count} {word}\" type=\"links\">");
        for line in &lines {
            self.cases += &escaped(&format!("{}:{line}\n", path_name(&self.page)));
        }
        if more > 0 {
            self.cases += &format!("and {more} more\n");
        }
        self.cases += "</failure>\n</testcase>\n";
    }
}

/// Characters that XML does not have cannot come here: messages have them quoted.
fn escaped(text: &str) -> String {
    let text: String =
        text.chars().map(|c| if matches!(c, '\u{FFFE}' | '\u{FFFF}') { '\u{FFFD}' } else { c }).collect();
    escaped_html(&text)
}
