//! Standard output and standard error: results, and problems about inputs.

use std::fmt::Display;
use std::io::{self, Stdout, Write};

use crate::quoting::is_unsafe;

/// Buffered standard output, and the reports for standard error.
pub struct Output {
    /// The text that is not yet written. Callers append to it.
    pub text: String,
    stdout: Stdout,
    /// The reports that are not yet written.
    reports: String,
    /// True if a problem was reported: the exit code is 1.
    pub failed: bool,
}

impl Output {
    pub fn new() -> Self {
        Output { text: String::new(), stdout: io::stdout(), reports: String::new(), failed: false }
    }

    /// Ends a line. Writes the reports and the text once the text has 64 KiB.
    pub fn end_line(&mut self) -> io::Result<()> {
        self.text.push('\n');
        self.end_part()
    }

    /// Writes the reports and the text once the text has 64 KiB.
    fn end_part(&mut self) -> io::Result<()> {
        if self.text.len() < 1 << 16 { Ok(()) } else { self.flush() }
    }

    /// Writes the reports, then the text.
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

    /// Writes a line to standard error that does not report a problem.
    pub fn note(&mut self, what: impl Display) {
        self.reports.push_str(&format!("relref: {what}\n"));
    }

    /// Reports a problem as `relref: what: why`.
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

/// Appends UTF-8 text, which must not be split inside a character. Writes whenever the buffer is full.
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

/// Returns a text with its unsafe characters quoted, as Rust writes them in a string.
pub fn safe(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) { safe.extend(c.escape_default()) } else { safe.push(c) }
    }
    safe
}
