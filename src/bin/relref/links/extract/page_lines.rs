//! The lines of one page, which have a limited number of bytes.

use std::io;
use std::ops::ControlFlow;

use relref::html::{Link, Rejected};

use crate::args::Format;
use crate::links::Shared;
use crate::links::columns::UriColumns;
use crate::links::columns::line::{LineFormat, LinkLine, exact_len};
use crate::links::columns::rejected_line::{Reason, RejectedLine};
use crate::links::dedup::FingerprintSecrets;
use crate::links::job::Page;
use crate::links::pool::{JobOutput, Line};
use crate::links::progress::Count;

/// The lines of one page, which are added to the output of its job.
pub struct PageLines<'l, 'o> {
    shared: &'l Shared,
    secrets: &'l FingerprintSecrets,
    page: &'l Page,
    format: LineFormat,
    /// The format of the lines of rejected links. `None` without `--rejected`.
    rejected_format: Option<LineFormat>,
    columns: &'l mut UriColumns,
    output: &'l mut JobOutput<'o>,
    /// The greatest length in bytes that the text of the output may reach with the lines of the page.
    end: u64,
    /// The greatest length in bytes that the lines of rejected links in the output may reach with those of the page.
    rejected_end: u64,
    /// The number of links left out because their lines do not fit.
    left_out: u64,
    /// The number of rejected links left out because their lines do not fit.
    rejected_left_out: u64,
}

impl<'l, 'o> PageLines<'l, 'o> {
    /// Returns the lines of a page before its first link. Its lines may have `most` bytes together. The lines of its rejected links
    /// may have `most` bytes together, too.
    pub fn new(
        shared: &'l Shared,
        secrets: &'l FingerprintSecrets,
        page: &'l Page,
        columns: &'l mut UriColumns,
        output: &'l mut JobOutput<'o>,
        most: u64,
    ) -> io::Result<Self> {
        let args = &shared.args;
        let end = output.len().saturating_add(most);
        let rejected_end = output.rejected_len().saturating_add(most);
        let format = LineFormat::new(args.format, page)?;
        // Without columns, there is no reason.
        let with_columns = if args.format == Format::Text { Format::Tsv } else { args.format };
        let rejected_format = args.rejected.as_ref().map(|_| LineFormat::new(with_columns, page));
        let rejected_format = rejected_format.transpose()?;
        let (left_out, rejected_left_out) = (0, 0);
        Ok(PageLines {
            shared,
            secrets,
            page,
            format,
            rejected_format,
            columns,
            output,
            end,
            rejected_end,
            left_out,
            rejected_left_out,
        })
    }

    /// Adds the line of a link, or counts the link if it is rejected or left out. If the line of one link does not fit, all later
    /// links are left out. Fails only if the command ends early.
    pub fn add(&mut self, link: &Link<'_>) -> io::Result<()> {
        let Shared { args, scope, progress, .. } = self.shared;
        match link.rejected {
            Some(Rejected::TooLong) => return self.reject(link, &progress.too_long, Reason::TooLong(args.max_uri.0)),
            Some(Rejected::Invalid(error)) => return self.reject(link, &progress.invalid, Reason::Invalid(error)),
            Some(_) => return self.leave_out(),
            None if self.left_out > 0 => return self.leave_out(),
            None => {}
        }
        if args.no_nofollow && (self.page.nofollow || link.nofollow()) {
            let by_page = self.page.nofollow || link.page_nofollow;
            return self.reject(link, &progress.nofollow, Reason::Nofollow { by_page });
        }
        let (uri, key) = self.columns.of(link.uri, progress);
        if let Some(Err(why)) = scope.as_ref().map(|scope| scope.check(uri, &self.page.uri)) {
            return self.reject(link, &progress.out_of_scope, Reason::OutOfScope(why));
        }
        let line = LinkLine { format: &self.format, link, uri, text: args.text.then_some(link.text), key };
        if !fits(&line, self.end.saturating_sub(self.output.len()))? {
            return self.leave_out();
        }
        self.output.line(self.secrets.of_line(args, uri, key), &line)
    }

    /// Counts a rejected link in `count`. With `--rejected`, also adds its line with the reason.
    fn reject(&mut self, link: &Link<'_>, count: &Count, why: Reason) -> io::Result<()> {
        count.add(1);
        let Some(format) = &self.rejected_format else { return Ok(()) };
        let line = RejectedLine { format, link, why: &why.to_string() };
        let left = self.rejected_end.saturating_sub(self.output.rejected_len());
        if self.rejected_left_out > 0 || !fits(&line, left)? {
            self.rejected_left_out += 1;
            return Ok(());
        }
        self.output.rejected(&line)
    }

    /// Does what [`add`](Self::add) does. Breaks with the error if that fails.
    pub fn add_to_flow(&mut self, link: &Link<'_>) -> ControlFlow<io::Error> {
        match self.add(link) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    }

    /// Counts a link that is left out because its line does not fit.
    fn leave_out(&mut self) -> io::Result<()> {
        self.left_out += 1;
        self.shared.progress.left_out.add(1);
        Ok(())
    }

    /// Ends the page, and frees its memory before another job can claim it. Returns the number of links and the number of rejected
    /// links that were left out because their lines do not fit.
    pub fn finish(self) -> (u64, u64) {
        self.columns.clear();
        (self.left_out, self.rejected_left_out)
    }
}

/// Reports whether a line has at most `most` bytes.
fn fits(line: &impl Line, most: u64) -> io::Result<bool> {
    Ok(line.most_bytes() as u64 <= most || exact_len(line)? <= most)
}
