//! The lines of one page, which may take only a limited number of bytes.

use std::io;
use std::ops::ControlFlow;

use relref::html::{Link, Rejected};

use crate::args::Format;
use crate::links::Shared;
use crate::links::columns::UriColumns;
use crate::links::columns::line::{Line, LineFormat, link_columns};
use crate::links::columns::reason::Rejection;
use crate::links::job::Page;
use crate::links::pool::{JobOutput, LineKind};
use crate::links::progress::{Count, Progress};

/// The lines of one page, which are added one by one to the output of its job.
pub struct PageLines<'l, 'o> {
    shared: &'l Shared,
    page: &'l Page,
    columns: &'l mut UriColumns,
    output: &'l mut JobOutput<'o>,
    /// The lines of links.
    link_lines: LinesOfKind,
    /// The lines of rejected links. `None` without `--rejected`.
    rejected_lines: Option<LinesOfKind>,
}

/// The lines of one kind that a page adds to the output: their format, their limit, and the number left out.
struct LinesOfKind {
    kind: LineKind,
    format: LineFormat,
    /// The greatest number of bytes that the lines of this kind may have in the output of the job, with those of earlier pages of
    /// the same job.
    max_lines_len: u64,
    /// The number of links of the page whose lines were left out because all lines, or all URIs of links, take too many bytes
    /// together.
    left_out: u64,
}

impl LinesOfKind {
    /// Counts a link whose line is left out, here and in `progress`. Always returns `Ok`, so that callers can end with it.
    fn leave_out(&mut self, progress: &Progress) -> io::Result<()> {
        self.left_out += 1;
        progress.left_out.add(1);
        Ok(())
    }

    /// Reports whether `line` can be added: the lines of this kind in `output` then have at most `max_lines_len` bytes. Does not
    /// add it. Fails if the line cannot be measured.
    fn fits<const N: usize>(&self, line: &Line<'_, N>, output: &JobOutput<'_>) -> io::Result<bool> {
        let free = self.max_lines_len.saturating_sub(output.lines_len(self.kind));
        Ok(line.max_len as u64 <= free || line.exact_len()? <= free)
    }
}

impl<'l, 'o> PageLines<'l, 'o> {
    /// Returns the lines of a page, before its first link is added. The lines of its links may have `max_len` bytes together, and
    /// so may the lines of its rejected links.
    pub fn new(
        shared: &'l Shared,
        page: &'l Page,
        columns: &'l mut UriColumns,
        output: &'l mut JobOutput<'o>,
        max_len: u64,
    ) -> io::Result<Self> {
        let args = &shared.args;
        let lines_of = |kind, format| {
            let max_lines_len = output.lines_len(kind).saturating_add(max_len);
            Ok::<_, io::Error>(LinesOfKind { kind, format: LineFormat::new(format, page)?, max_lines_len, left_out: 0 })
        };
        let link_lines = lines_of(LineKind::Link, args.format)?;
        // Without columns, there is no reason.
        let with_columns = if args.format == Format::Text { Format::Tsv } else { args.format };
        let rejected_lines = args.rejected.as_ref().map(|_| lines_of(LineKind::Rejected, with_columns)).transpose()?;
        Ok(PageLines { shared, page, columns, output, link_lines, rejected_lines })
    }

    /// Adds the line of a link, or counts the link as rejected or left out. After a link whose line does not fit, leaves out all
    /// later links, but still rejects those that are invalid or too long. Fails only if the command ends early.
    pub fn add(&mut self, link: &Link<'_>) -> io::Result<()> {
        let Shared { args, scope, progress, secrets, .. } = self.shared;
        match link.rejected {
            Some(Rejected::TooLong) => {
                return self.reject(link, &progress.too_long, Rejection::TooLong(args.max_uri.0));
            }
            Some(Rejected::Invalid(error)) => return self.reject(link, &progress.invalid, Rejection::Invalid(error)),
            Some(_) => return self.link_lines.leave_out(progress),
            None if self.link_lines.left_out > 0 => return self.link_lines.leave_out(progress),
            None => {}
        }
        if args.no_nofollow && (self.page.nofollow || link.nofollow()) {
            let by_page = self.page.nofollow || link.page_nofollow;
            return self.reject(link, &progress.nofollow, Rejection::Nofollow { by_page });
        }
        let (uri, key) = self.columns.uri_and_key(link.uri, progress);
        if let Some(Err(why)) = scope.as_ref().map(|scope| scope.check(uri, &self.page.uri)) {
            return self.reject(link, &progress.out_of_scope, Rejection::OutOfScope(why));
        }
        let format = &self.link_lines.format;
        let columns = &link_columns(format.format, link, uri, args.text.then_some(link.text), key);
        let line = Line::new(format, columns);
        if !self.link_lines.fits(&line, self.output)? {
            return self.link_lines.leave_out(progress);
        }
        self.output.add_line(secrets.of_line(args, uri, key), &line)
    }

    /// Adds 1 to `count`, which counts the links that are rejected for this reason. With `--rejected`, also adds the line of the
    /// link, with the reason `why`. After a rejected link whose line does not fit, leaves out the lines of all later ones. Fails
    /// only if the command ends early.
    fn reject(&mut self, link: &Link<'_>, count: &Count, why: Rejection) -> io::Result<()> {
        count.add(1);
        let Some(lines) = &mut self.rejected_lines else { return Ok(()) };
        let (Link { element, attribute, reference, .. }, why) = (*link, &*why.to_string());
        let columns = [("element", element), ("attribute", attribute), ("reference", reference), ("why", why)];
        let columns = &columns.map(|(name, value)| (name, Some(value)));
        let line = Line::new(&lines.format, columns);
        if lines.left_out > 0 || !lines.fits(&line, self.output)? {
            lines.left_out += 1;
            return Ok(());
        }
        self.output.add_rejected(&line)
    }

    /// Does what [`add`](Self::add) does, and continues. If that fails, breaks with the error.
    pub fn add_to_flow(&mut self, link: &Link<'_>) -> ControlFlow<io::Error> {
        match self.add(link) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    }

    /// Ends the page, and frees the memory of its columns. Returns the number of links and the number of rejected links that were
    /// left out because their lines do not fit.
    pub fn finish(self) -> (u64, u64) {
        self.columns.clear();
        (self.link_lines.left_out, self.rejected_lines.map_or(0, |lines| lines.left_out))
    }
}
