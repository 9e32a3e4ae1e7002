//! The output of a command: results on standard output, and problems on standard error.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::io::{self, IsTerminal, Stdout, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use serde::Serialize;

use crate::quoting::{file_name, json_writer, push_quoted};

pub struct Output {
    pub text: String,
    stdout: Stdout,
    /// Lines for standard error.
    messages: String,
    /// A problem was reported, or the command found another reason for the exit code 1, such as URIs that differ.
    pub exits_with_1: bool,
}

impl Output {
    pub fn new() -> Self {
        Output { text: String::new(), stdout: io::stdout(), messages: String::new(), exits_with_1: false }
    }

    /// Ends a line of the results, and flushes if they are now long enough.
    #[inline]
    pub fn end_line(&mut self) -> io::Result<()> {
        self.text.push('\n');
        self.flush_if_full()
    }

    /// The messages, which come before the results, must not stand in a line. Only of a very long line, parts are written.
    fn end_part(&mut self) -> io::Result<()> {
        if self.text.ends_with('\n') || self.text.len() >= 1 << 20 { self.flush_if_full() } else { Ok(()) }
    }

    fn flush_if_full(&mut self) -> io::Result<()> {
        if self.text.len() < 1 << 16 { Ok(()) } else { self.flush() }
    }

    /// The caller ends the line.
    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        Ok(value.serialize(&mut json_writer(self))?)
    }

    /// Writes the messages before the results.
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

    /// Adds a message that is no problem: the exit code stays the same.
    pub fn note(&mut self, what: impl Display) {
        self.messages.push_str(&format!("relref: {what}\n"));
    }

    /// Adds a message, quoted and cut if it is very long. Returns the bytes of its line.
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

/// Standard output is a terminal that shows colors, and no variable of the environment says no, such as `NO_COLOR`.
pub fn is_colored() -> bool {
    let stdout = io::stdout();
    stdout.is_terminal() && AutoStream::choice(&stdout) != ColorChoice::Never
}

const MAX_MESSAGE_LEN: usize = 8 << 10;
/// The length, in bytes, to which [`shown`] cuts a text. No path on Linux has more.
const MAX_SHOWN_LEN: usize = 4 << 10;

/// A character must not be split between two calls: text that is not UTF-8 is an error.
impl Write for Output {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.text.push_str(std::str::from_utf8(text).map_err(io::Error::other)?);
        self.end_part()?;
        Ok(text.len())
    }

    fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> io::Result<()> {
        // Formatted text is UTF-8: its parts need no check.
        fmt::Write::write_fmt(&mut self.text, text).map_err(io::Error::other)?;
        self.end_part()
    }

    fn flush(&mut self) -> io::Result<()> {
        Output::flush(self)
    }
}

/// Quotes unsafe characters, cuts a very long text, and shows an empty one as `""`.
pub fn shown(text: &str) -> String {
    if text.is_empty() {
        String::from("\"\"")
    } else {
        cut(&quoted(&cut(text, MAX_SHOWN_LEN)), MAX_SHOWN_LEN).into_owned()
    }
}

/// A number with its noun, such as `1 page` or `2 pages`. `one` is the noun in the singular.
pub fn counted(count: u64, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// Names the file in an error.
pub fn file_error(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", shown(&file_name(path))))
}

/// Keeps whole characters of at most `max_len` bytes, with `…` after them if some are cut.
fn cut(text: &str, max_len: usize) -> Cow<'_, str> {
    if text.len() <= max_len {
        return Cow::Borrowed(text);
    }
    let end = (0..=max_len).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    Cow::Owned(format!("{}…", &text[..end]))
}

/// Quotes unsafe characters as in a string of Rust, such as `\n` or `\u{9b}`.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len());
    push_quoted(&mut quoted, text, |c| c.escape_default().collect());
    quoted
}
