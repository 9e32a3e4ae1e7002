//! Standard output and standard error: results, and problems about inputs.

use std::fmt::Display;
use std::io::{self, Stdout, Write};

use serde::Serialize;

use crate::quoting::{json_writer, push_escaped};

/// Buffered standard output, and the reports for standard error.
pub struct Output {
    /// The text that is not yet written to standard output. Callers append to it.
    pub text: String,
    stdout: Stdout,
    /// The lines for standard error that are not yet written.
    reports: String,
    /// True if a problem was reported: the exit code is 1.
    pub failed: bool,
}

impl Output {
    /// Returns an output with nothing to write.
    pub fn new() -> Self {
        Output { text: String::new(), stdout: io::stdout(), reports: String::new(), failed: false }
    }

    /// Ends a line of `text`. If `text` now has 64 KiB or more, does what [`flush`](Self::flush) does.
    pub fn end_line(&mut self) -> io::Result<()> {
        self.text.push('\n');
        self.end_part()
    }

    /// Does what [`flush`](Self::flush) does if `text` has 64 KiB or more, and nothing otherwise.
    fn end_part(&mut self) -> io::Result<()> {
        if self.text.len() < 1 << 16 { Ok(()) } else { self.flush() }
    }

    /// Appends a value as JSON, with unsafe characters escaped. The caller ends the line.
    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        Ok(value.serialize(&mut json_writer(self))?)
    }

    /// Writes the reports to standard error, then the text to standard output.
    pub fn flush(&mut self) -> io::Result<()> {
        // If standard error is closed, reports are lost.
        let _ = io::stderr().write_all(self.reports.as_bytes());
        self.reports.clear();
        self.stdout.write_all(self.text.as_bytes())?;
        self.text.clear();
        // One very long line must not hold its memory until the end.
        self.text.shrink_to(1 << 20);
        self.stdout.flush()
    }

    /// Adds a line `relref: what` to the reports. The exit code stays the same, as it is no problem.
    pub fn note(&mut self, what: impl Display) {
        self.reports.push_str(&format!("relref: {what}\n"));
    }

    /// Adds a line `relref: what: why` to the reports, with unsafe characters quoted. The exit code will be 1.
    pub fn problem(&mut self, what: impl Display, why: impl Display) {
        self.failed = true;
        self.reports.push_str(&safe(&format!("relref: {what}: {why}")));
        self.reports.push('\n');
        if self.reports.len() >= 1 << 16 {
            let _ = io::stderr().write_all(self.reports.as_bytes());
            self.reports.clear();
        }
    }
}

/// Appends UTF-8 text to `text`. A character must not be split between two calls. Flushes whenever `text` has 64 KiB or more.
impl Write for Output {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.text.push_str(std::str::from_utf8(text).map_err(io::Error::other)?);
        self.end_part()?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Output::flush(self)
    }
}

/// Returns a text for a message: with its unsafe characters quoted, and `""` for the empty text.
pub fn quoted(text: &str) -> String {
    if text.is_empty() { String::from("\"\"") } else { safe(text) }
}

/// Returns a text with its unsafe characters quoted as in a string of Rust, such as `\n` or `\u{9b}`.
pub fn safe(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    push_escaped(&mut safe, text, |c| c.escape_default().collect());
    safe
}
