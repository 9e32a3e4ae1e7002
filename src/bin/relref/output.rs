//! Where results and problems go.

use std::fmt::Display;
use std::io::{self, StdoutLock, Write};

/// Standard output, by the block, and a count of what was reported on standard error.
pub struct Output {
    /// Text not yet written; callers append to it.
    pub text: String,
    stdout: StdoutLock<'static>,
    problems: usize,
}

impl Output {
    pub fn new() -> Self {
        Output { text: String::new(), stdout: io::stdout().lock(), problems: 0 }
    }

    /// Ends a line; writes when a block is full.
    pub fn end_line(&mut self) -> io::Result<()> {
        self.text.push('\n');
        if self.text.len() < 1 << 16 { Ok(()) } else { self.flush() }
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.stdout.write_all(self.text.as_bytes())?;
        self.text.clear();
        // One giant line is not to be kept for ever.
        self.text.shrink_to(1 << 20);
        self.stdout.flush()
    }

    /// Reports bad input as `relref: what: why`.
    pub fn problem(&mut self, what: impl Display, why: impl Display) {
        self.problems += 1;
        // With standard error closed there is nobody to tell.
        let _ = writeln!(io::stderr(), "relref: {what}: {why}");
    }

    pub fn had_problems(&self) -> bool {
        self.problems > 0
    }
}
