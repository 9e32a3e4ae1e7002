//! The lines of one page, which may take only a limited number of bytes.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::io;
use std::mem;

use relref::crawl::Scope;
use relref::{AnyBase, whatwg};
use relref_links::html::{Link, Rejected};
use relref_links::page::{UriForm, UriForms};

use crate::args::{Column, Format};
use crate::links::block::LineKind;
use crate::links::job_output::{JobOutput, WriteLine};
use crate::links::line::{Line, LineFormat, PageColumns};
use crate::links::progress::{Count, Progress};
use crate::links::robots::PageRobots;
use crate::links::shared::Shared;

/// The lines of one page, which are added one by one to the output of its job.
pub struct PageLines<'l, 'o, 'r> {
    shared: &'l Shared,
    page: PageColumns<'l>,
    base: &'l AnyBase,
    /// The URI of the page, or its canonical link (`--canonical`). Of a nested URI, the innermost one.
    own_uri: &'l str,
    /// That URI as links are compared with it, in their normal form.
    page_uri: Cow<'l, str>,
    robots: Option<PageRobots<'l>>,
    forms: &'l mut UriForms,
    output: &'l mut JobOutput<'o, 'r>,
    link_lines: LinesOfKind<'l>,
    /// `None` without `--rejected`.
    rejected_lines: Option<LinesOfKind<'l>>,
    /// The most bytes that the lines of links may have together; those of rejected links; and the URIs that are normalized.
    max_len: u64,
}

/// The lines of one kind that a page adds to the output: their format, their limit, and the number left out.
struct LinesOfKind<'l> {
    kind: LineKind,
    columns: &'l [Column],
    hides_page_uri: bool,
    written_as: Format,
    /// `None` before the first line.
    format: Option<LineFormat>,
    /// The most bytes of all lines of this kind in the output of the job, with those of earlier pages.
    max_lines_len: u64,
    /// Links of the page without a line, because all lines, or all URIs of links, take too many bytes.
    left_out: u64,
}

impl LinesOfKind<'_> {
    /// Counts a link whose line is left out, here and in `progress`. Always returns `Ok`, so that callers can end with it.
    fn leave_out(&mut self, progress: &Progress) -> io::Result<()> {
        self.left_out += 1;
        progress.left_out.add(1);
        Ok(())
    }

    fn free_len(&self, output: &JobOutput<'_, '_>) -> u64 {
        self.max_lines_len.saturating_sub(output.lines_len(self.kind))
    }

    /// All links of a page have the same facts about it, which only they know.
    #[inline]
    fn format(&mut self, page: &PageColumns<'_>, link: &Link<'_>) -> io::Result<&LineFormat> {
        match &mut self.format {
            Some(format) => Ok(format),
            none => Ok(none.insert(LineFormat::new(self.written_as, self.columns, page, link, self.hides_page_uri)?)),
        }
    }
}

#[inline]
fn fits(line: &Line<'_>, free_len: u64) -> io::Result<bool> {
    Ok(line.max_len() as u64 <= free_len || line.exact_len()? <= free_len)
}

impl<'l, 'o, 'r> PageLines<'l, 'o, 'r> {
    /// `max_len` is that of `Page::max_links_len`, as the length of all lines could be the product of those of the base and the page.
    pub fn new(
        shared: &'l Shared,
        page: PageColumns<'l>,
        base: &'l AnyBase,
        own_uri: &'l str,
        forms: &'l mut UriForms,
        output: &'l mut JobOutput<'o, 'r>,
        max_len: u64,
    ) -> Self {
        let args = &shared.args;
        forms.start_page(max_len);
        let is_scoped = shared.scope.is_some();
        let page_uri = if is_scoped { forms.page_uri(own_uri) } else { Cow::Borrowed(own_uri) };
        let lines_of = |kind, written_as, columns, hides_page_uri| {
            let max_lines_len = output.lines_len(kind).saturating_add(max_len);
            LinesOfKind { kind, columns, hides_page_uri, written_as, format: None, max_lines_len, left_out: 0 }
        };
        let link_lines = lines_of(LineKind::Link, args.format, &shared.columns, args.columns.is_empty());
        // Without columns, there is no reason.
        let with_columns = if args.format == Format::Text { Format::Tsv } else { args.format };
        let rejected = || lines_of(LineKind::Rejected, with_columns, rejected_columns(with_columns), true);
        let rejected_lines = args.rejected.as_ref().map(|_| rejected());
        let robots = shared.robots.as_ref().map(|robots| PageRobots::new(robots, &shared.replaced));
        PageLines { shared, page, base, own_uri, page_uri, robots, forms, output, link_lines, rejected_lines, max_len }
    }

    /// Adds the line of a link, or counts the link as rejected or left out. After a link whose line does not fit, leaves out all
    /// later links, but still rejects those that are invalid or too long. Fails only if the command ends early.
    pub fn add(&mut self, link: &Link<'_>) -> io::Result<()> {
        let Shared { args, scope, progress, secrets, .. } = self.shared;
        match link.rejected {
            Some(Rejected::TooLong) => {
                let why = format!("too-long: the URI has more than {} bytes (--max-uri)", args.max_uri.0);
                return self.reject(link, &progress.too_long, why);
            }
            Some(Rejected::Invalid(error)) => return self.reject(link, &progress.invalid, Invalid(link, error)),
            Some(Rejected::Field(error)) => {
                return self.reject(link, &progress.invalid, format_args!("invalid-field: {error}"));
            }
            Some(_) => return self.link_lines.leave_out(progress),
            None if self.link_lines.left_out > 0 => return self.link_lines.leave_out(progress),
            None => {}
        }
        if args.no_nofollow && link.nofollow() {
            let why = match link.page_nofollow {
                true => "page-nofollow: the page asks robots to follow none of its links",
                false => "nofollow: the link has rel=nofollow",
            };
            return self.reject(link, &progress.nofollow, why);
        }
        let Some(UriForm { uri, key, is_normal, .. }) = self.forms.of(link.uri) else {
            return self.link_lines.leave_out(progress);
        };
        if !is_normal {
            progress.not_normalized.add(1);
        }
        let in_scope = |scope: &Scope| match scope.check(uri, &self.page_uri) {
            // A link that has no normal form may also be on the host of the page as it is.
            Err(why) if uri == link.uri => scope.check(uri, self.own_uri).map_err(|_| why),
            checked => checked,
        };
        if let Some(Err(why)) = scope.as_ref().map(in_scope) {
            return self.reject(link, &progress.out_of_scope, format_args!("{}: {why}", why.name()));
        }
        if let Some(why) = self.robots.as_mut().and_then(|robots| robots.check(uri)) {
            return self.reject(link, &progress.disallowed, why);
        }
        let nested;
        let uri = match self.base.prefix() {
            "" => uri,
            prefix => {
                nested = [prefix, uri].concat();
                &nested
            }
        };
        let free_len = self.link_lines.free_len(self.output);
        let line = Line::new(self.link_lines.format(&self.page, link)?, link, uri, key, "");
        if !fits(&line, free_len)? {
            return self.link_lines.leave_out(progress);
        }
        self.output.add_line(secrets.of_line(args, uri, key), &line)
    }

    /// Calls `work` with buffers for normal forms that are not kept.
    pub fn with_own_forms<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let own = self.forms.clone();
        let kept = mem::replace(self.forms, own);
        let done = work(self);
        *self.forms = kept;
        done
    }

    /// Counts a link in `count`. With `--rejected`, also adds its line. After a line that does not fit, leaves out all later ones. Fails
    /// only if the command ends early.
    fn reject(&mut self, link: &Link<'_>, count: &Count, why: impl Display) -> io::Result<()> {
        count.add(1);
        let Some(lines) = &mut self.rejected_lines else { return Ok(()) };
        let why = why.to_string();
        let free_len = if lines.left_out > 0 { 0 } else { lines.free_len(self.output) };
        let line = Line::new(lines.format(&self.page, link)?, link, "", None, &why);
        if !fits(&line, free_len)? {
            lines.left_out += 1;
            return Ok(());
        }
        self.output.add_rejected(&line)
    }

    /// Ends the page. Returns the message that links or rejected links were left out; `None` if all are there.
    pub fn finish(self) -> Option<String> {
        let (left_out, rejected) = (self.link_lines.left_out, self.rejected_lines.map_or(0, |lines| lines.left_out));
        let (number, what) = match (left_out, rejected) {
            (0, 0) => return None,
            (0, _) => (rejected, "rejected links"),
            _ => (left_out, "links"),
        };
        let most = self.max_len;
        Some(format!("its {what} take more than {most} bytes (1 MiB and 256 times the page): {number} left out"))
    }
}

/// The reason why a reference is no valid URL, with the line and column of the error in the page.
struct Invalid<'l>(&'l Link<'l>, whatwg::Error);

impl Display for Invalid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Invalid(link, error) = self;
        let (kind, byte, reference) = (error.kind(), error.position(), link.reference);
        write!(f, "{} at ", kind.name())?;
        // What decoding replaces has another length in nearly all cases, but for other character encodings, bytes that are no characters, and
        // line breaks in XML.
        let is_utf8 = link.page_charset.is_none_or(|charset| charset.name() == "UTF-8");
        let keeps_lengths = reference.is_ascii() || is_utf8 && !reference.contains('\u{fffd}');
        match (link.place, reference.get(..byte)) {
            (Some(place), Some(before))
                if keeps_lengths && !before.contains(' ') && place.end - place.start == reference.len() as u64 =>
            {
                write!(f, "{}:{}", place.line, place.column + before.chars().count() as u64)?;
            }
            (Some(place), _) => write!(f, "byte {byte} of the reference at {}:{}", place.line, place.column)?,
            (None, _) => write!(f, "byte {byte} of the reference")?,
        }
        write!(f, ": {}", kind.description())
    }
}

fn rejected_columns(format: Format) -> &'static [Column] {
    use Column::{Archive, Attribute, Element, Offset, Page, PageUri, Reference, Why};
    match format {
        Format::Jsonl => &[Page, Archive, PageUri, Offset, Element, Attribute, Reference, Why],
        _ => &[Page, Element, Attribute, Reference, Why],
    }
}
