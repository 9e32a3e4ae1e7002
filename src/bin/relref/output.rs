//! Where results and problems go.

use std::fmt::Display;
use std::io::{self, Stdout, Write};

use crate::escape::is_unsafe;

/// Standard output, by the block, and a count of what was reported on standard error.
pub struct Output {
    /// Text not yet written; callers append to it.
    pub text: String,
    stdout: Stdout,
    /// Reports not yet written.
    reports: String,
    /// Whether the command is to end with 1.
    pub failed: bool,
}

impl Output {
    pub fn new() -> Self {
        Output { text: String::new(), stdout: io::stdout(), reports: String::new(), failed: false }
    }

    /// Ends a line; writes when a block is full.
    pub fn end_line(&mut self) -> io::Result<()> {
        self.text.push('\n');
        self.end_part()
    }

    /// Ends a part of a line that may be long; writes when a block is full.
    fn end_part(&mut self) -> io::Result<()> {
        if self.text.len() < 1 << 16 { Ok(()) } else { self.flush() }
    }

    pub fn flush(&mut self) -> io::Result<()> {
        // With standard error closed there is nobody to tell.
        let _ = io::stderr().write_all(self.reports.as_bytes());
        self.reports.clear();
        self.stdout.write_all(self.text.as_bytes())?;
        self.text.clear();
        // One giant line is not to be kept for ever.
        self.text.shrink_to(1 << 20);
        self.stdout.flush()
    }

    /// Says on standard error what is no problem.
    pub fn note(&mut self, what: impl Display) {
        self.reports.push_str(&format!("relref: {what}\n"));
    }

    /// Reports bad input as `relref: what: why`.
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

/// Appends texts, whole characters each; a line that is longer than a block is not kept.
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

/// Returns a text as it stands in a message: unsafe characters are escaped, and the empty text is visible.
pub fn quoted(text: &str) -> String {
    if text.is_empty() { String::from("\"\"") } else { safe(text) }
}

/// Returns a text with its unsafe characters escaped.
pub fn safe(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) { safe.extend(c.escape_default()) } else { safe.push(c) }
    }
    safe
}
