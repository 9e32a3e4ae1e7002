//! The messages about problems, of which each input and the whole run have a limited number.

use std::io;
use std::sync::Arc;

use crate::links::pool::Problem;
use crate::links::progress::Progress;
use crate::output::{Output, shown};

/// Problems of one input come one after the other.
pub struct Messages {
    out: Output,
    /// The input of the last problem.
    input: Option<Arc<str>>,
    /// Problems of this input of which there are messages.
    told: u64,
    further: u64,
    /// In bytes, of all messages so far.
    len: usize,
    /// Problems without a message that were told as the further problems of an input.
    told_as_number: u64,
}

impl Messages {
    /// In bytes. After so many, problems are only counted.
    const MAX_LEN: usize = 1 << 20;

    pub fn new() -> Self {
        Messages { out: Output::new(), input: None, told: 0, further: 0, len: 0, told_as_number: 0 }
    }

    /// Only counts the problem if there are too many. Also counts each input with problems.
    pub fn add(&mut self, problem: Problem, progress: &Progress) {
        let Problem { input, offset, why, count } = problem;
        // An archive may have many problems, which share its name. It is counted once.
        if !self.input.as_ref().is_some_and(|last| Arc::ptr_eq(last, &input)) {
            self.end_input(progress);
            progress.failed.add(1);
            self.input = Some(Arc::clone(&input));
        }
        let has_text = !why.is_empty();
        if !has_text || self.told == Problem::MAX_TOLD || progress.messages_end.get() > 0 {
            self.further += count;
            return progress.untold.add(count);
        }
        self.told += 1;
        match offset {
            Some(offset) => self.tell(&input, format_args!("record at byte {offset}: {why}"), progress),
            None => self.tell(&input, format_args!("{why}"), progress),
        }
    }

    /// The next problem is one of another input.
    fn end_input(&mut self, progress: &Progress) {
        let (input, further) = (self.input.take(), std::mem::take(&mut self.further));
        self.told = 0;
        if let (Some(input), 1.., 0) = (input, further, progress.messages_end.get()) {
            self.told_as_number += further;
            self.tell(&input, format_args!("and {}", more_problems(further)), progress);
        }
    }

    /// A line that reaches the greatest length of all messages is the last one.
    fn tell(&mut self, input: &str, what: std::fmt::Arguments<'_>, progress: &Progress) {
        self.len += self.out.problem(shown(input), what);
        if self.len >= Self::MAX_LEN {
            progress.messages_end.add(1);
        }
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Also adds the numbers of problems that were not told.
    pub fn finish(&mut self, progress: &Progress) -> io::Result<()> {
        self.end_input(progress);
        let untold = progress.untold.get() - self.told_as_number;
        if untold > 0 {
            self.out.note(format_args!("and {}, after 1 MiB of messages", more_problems(untold)));
        }
        self.out.flush()
    }
}

fn more_problems(count: u64) -> String {
    format!("{count} more problem{}", if count == 1 { "" } else { "s" })
}
