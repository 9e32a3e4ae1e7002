//! The output of a command: results on standard output, and problems on standard error.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, Stdout, Write};

use serde::Serialize;

use crate::quoting::{json_writer, push_quoted};

/// The results for standard output and the messages for standard error, as far as they are not yet written.
pub struct Output {
    /// The results that are not yet written to standard output. Callers append to it.
    pub text: String,
    stdout: Stdout,
    /// The lines that are not yet written to standard error.
    messages: String,
    /// True if the exit code is 1: a problem was reported, or the command found another reason, such as URIs that differ.
    pub exits_with_1: bool,
}

impl Output {
    /// Returns an output that has nothing to write.
    pub fn new() -> Self {
        Output { text: String::new(), stdout: io::stdout(), messages: String::new(), exits_with_1: false }
    }

    /// Ends a line of the results. If they are now long enough, writes all results and messages.
    pub fn end_line(&mut self) -> io::Result<()> {
        self.text.push('\n');
        self.flush_if_full()
    }

    fn flush_if_full(&mut self) -> io::Result<()> {
        if self.text.len() < 1 << 16 { Ok(()) } else { self.flush() }
    }

    /// Appends a value as JSON to the results, with unsafe characters quoted. The caller ends the line.
    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        Ok(value.serialize(&mut json_writer(self))?)
    }

    /// Writes all messages to standard error, and then all results to standard output.
    pub fn flush(&mut self) -> io::Result<()> {
        // If standard error is closed, messages are lost.
        let _ = io::stderr().write_all(self.messages.as_bytes());
        self.messages.clear();
        self.stdout.write_all(self.text.as_bytes())?;
        self.text.clear();
        // One very long line must not hold its memory until the end.
        self.text.shrink_to(1 << 20);
        self.stdout.flush()
    }

    /// Adds a line `relref: what` to the messages. It is no problem, so the exit code stays the same.
    pub fn note(&mut self, what: impl Display) {
        self.messages.push_str(&format!("relref: {what}\n"));
    }

    /// Adds a line `relref: what: why` to the messages, with unsafe characters quoted, and cut if it is very long. The exit code
    /// will be 1. Returns the length of the line in bytes.
    pub fn problem(&mut self, what: impl Display, why: impl Display) -> usize {
        self.exits_with_1 = true;
        let message = quoted(&cut(&format!("relref: {what}: {why}"), MAX_MESSAGE_LEN));
        let line = cut(&message, MAX_MESSAGE_LEN);
        self.messages.push_str(&line);
        self.messages.push('\n');
        if self.messages.len() >= 1 << 16 {
            let _ = io::stderr().write_all(self.messages.as_bytes());
            self.messages.clear();
        }
        line.len() + 1
    }
}

/// The most bytes of a message. A longer one is cut.
const MAX_MESSAGE_LEN: usize = 8 << 10;
/// The most bytes of a text that a message shows. A longer one is cut. No path on Linux has more.
const MAX_SHOWN_LEN: usize = 4 << 10;

/// Appends text to the results. If they are then long enough, also writes all results and messages. Fails if a text is not UTF-8,
/// so a character must not be split between two calls.
impl Write for Output {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.text.push_str(std::str::from_utf8(text).map_err(io::Error::other)?);
        self.flush_if_full()?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Output::flush(self)
    }
}

/// Returns a text as a message shows it: with unsafe characters quoted, cut if it is very long, or as `""` if it is empty.
pub fn shown(text: &str) -> String {
    if text.is_empty() {
        String::from("\"\"")
    } else {
        cut(&quoted(&cut(text, MAX_SHOWN_LEN)), MAX_SHOWN_LEN).into_owned()
    }
}

/// Returns a text, or its first `max_len` bytes with `…` after them if it is longer. No character is cut.
fn cut(text: &str, max_len: usize) -> Cow<'_, str> {
    if text.len() <= max_len {
        return Cow::Borrowed(text);
    }
    let end = (0..=max_len).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    Cow::Owned(format!("{}…", &text[..end]))
}

/// Returns a text with its unsafe characters quoted as in a string of Rust, such as `\n` or `\u{9b}`.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len());
    push_quoted(&mut quoted, text, |c| c.escape_default().collect());
    quoted
}
