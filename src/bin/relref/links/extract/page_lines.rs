//! The lines of one page, of which there are at most a number of bytes.

use std::io;
use std::ops::ControlFlow;

use relref::html::{Link, Rejected};

use crate::links::columns::UriColumns;
use crate::links::columns::line::{LineFormat, LinkLine};
use crate::links::dedup::FingerprintKeys;
use crate::links::pool::{JobOutput, Line};
use crate::links::shared::Shared;

/// The lines of one page.
pub struct PageLines<'l, 'o> {
    shared: &'l Shared,
    keys: &'l FingerprintKeys,
    /// The URI of the page.
    page: &'l str,
    format: LineFormat,
    columns: &'l mut UriColumns,
    output: &'l mut JobOutput<'o>,
    /// The most bytes of the job's output after the page.
    end: u64,
    /// The number of links left out because there are too many bytes.
    left_out: u64,
}

impl<'l, 'o> PageLines<'l, 'o> {
    /// Returns the lines of a page, which have at most `most` bytes. `page` is its URI.
    pub fn new(
        shared: &'l Shared,
        keys: &'l FingerprintKeys,
        page: &'l str,
        format: LineFormat,
        columns: &'l mut UriColumns,
        output: &'l mut JobOutput<'o>,
        most: u64,
    ) -> Self {
        let end = output.len().saturating_add(most);
        PageLines { shared, keys, page, format, columns, output, end, left_out: 0 }
    }

    /// Adds the line of a link, or counts the link if it is left out. After one that is left out for the length of the lines, all
    /// are. Fails only if the command ends early.
    pub fn add(&mut self, link: &Link<'_>) -> io::Result<()> {
        let Shared { args, scope, progress, .. } = self.shared;
        match link.rejected {
            Some(Rejected::TooLong) => {
                progress.too_long.add(1);
                return Ok(());
            }
            Some(Rejected::Invalid(_)) => {
                progress.invalid.add(1);
                return Ok(());
            }
            Some(_) => return self.leave_out(),
            None if self.left_out > 0 => return self.leave_out(),
            None => {}
        }
        let (uri, key) = self.columns.of(link.uri, progress);
        if scope.as_ref().is_some_and(|scope| scope.check(uri, self.page).is_err()) {
            progress.out_of_scope.add(1);
            return Ok(());
        }
        let line = LinkLine { format: &self.format, link, uri, key };
        let left = self.end.saturating_sub(self.output.len());
        if line.most_bytes() as u64 > left && line.len()? > left {
            return self.leave_out();
        }
        let fingerprint = args.unique.then(|| self.keys.fingerprint(uri));
        self.output.line(fingerprint, &line)
    }

    /// Does what [`add`](Self::add) does, and breaks off if that fails.
    pub fn add_to_flow(&mut self, link: &Link<'_>) -> ControlFlow<io::Error> {
        match self.add(link) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    }

    fn leave_out(&mut self) -> io::Result<()> {
        self.left_out += 1;
        self.shared.progress.left_out.add(1);
        Ok(())
    }

    /// Ends the page, and frees its memory before another job can have it. Returns the number of links left out for the length of
    /// the lines.
    pub fn finish(self) -> u64 {
        self.columns.clear();
        self.left_out
    }
}
