//! What a worker does with an item: its links, as lines.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use relref::html::{Link, Pages, Rejected};

use super::archives::Archives;
use super::format::{line, page_start};
use super::forms::Forms;
use super::http::decoded;
use super::inputs::{Item, Page, PageFile};
use super::members::holds_archive;
use super::pool::{Gone, Problem, Sink};
use super::progress::Progress;
use super::readers::{Counted, MayEndEarly};
use super::sniff;
use super::spool::{Bytes, spool};
use super::tape::{Input, Tape};
use super::target::Replaced;
use super::unique::Fingerprints;
use crate::args::{Form, Links};
use crate::escape::file_name;
use crate::file_uri::file_uri;
use crate::output::quoted;

/// What a worker keeps from page to page.
pub struct Worker {
    args: Arc<Links>,
    progress: Arc<Progress>,
    fingerprints: Fingerprints,
    replaced: Arc<Replaced>,
    pages: Pages,
    forms: Forms,
    buffer: Vec<u8>,
}

/// Larger pages are read as streams.
const SMALL: usize = 256 << 10;
/// The lines of a page have at most so many bytes, and as many more for each byte of the page: a short page with a long base, or
/// at a long URI, would otherwise give lines that grow with the product.
const LINES: u64 = 1 << 20;
const LINES_PER_BYTE: u64 = 256;

/// Why a page is not done.
enum Failure {
    Gone,
    Input(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Input(error.to_string())
    }
}

/// A page that is ready to be read.
struct Ready<'p> {
    name: &'p str,
    archive: Option<(&'p str, u64)>,
    uri: &'p str,
    charset: Option<&'p str>,
    /// Whether nothing says that it is a page; then its start must, or it is none.
    unsure: bool,
    bytes: Bytes,
}

impl Worker {
    pub fn new(
        args: &Arc<Links>,
        progress: &Arc<Progress>,
        fingerprints: &Fingerprints,
        replaced: &Arc<Replaced>,
    ) -> Self {
        let mut pages = Pages::new(args.rules);
        pages.lazy = args.lazy;
        pages.items = args.items;
        pages.legacy_queries = args.normalize != Form::None;
        pages.max_uri = usize::try_from(args.max_uri.0).unwrap_or(usize::MAX);
        Worker {
            args: Arc::clone(args),
            progress: Arc::clone(progress),
            fingerprints: fingerprints.clone(),
            replaced: Arc::clone(replaced),
            pages,
            forms: Forms::new(args),
            buffer: Vec::new(),
        }
    }

    pub fn item(&mut self, item: Item, sink: &mut Sink<'_>) -> Result<(), Gone> {
        let (input, offset, done) = match item {
            Item::Problem(problem) => return sink.problem(problem),
            Item::File(file) => (file.path.to_string_lossy().into_owned(), None, self.file(&file, sink)),
            Item::Page(page) => (page.input.to_string_lossy().into_owned(), page.offset, self.page(*page, sink)),
        };
        if offset.is_none() && !matches!(done, Ok(false)) {
            self.progress.inputs.add(1);
        }
        match done {
            Ok(_) => Ok(()),
            Err(Failure::Gone) => Err(Gone),
            Err(Failure::Input(why)) => sink.problem(Problem { input, offset, why }),
        }
    }

    /// Does a file; false if it is no page.
    fn file(&mut self, item: &PageFile, sink: &mut Sink<'_>) -> Result<bool, Failure> {
        let mut file = File::open(&item.path)?;
        let metadata = file.metadata()?;
        if item.unsure {
            self.buffer.clear();
            file.by_ref().take(sniff::LEN as u64).read_to_end(&mut self.buffer)?;
            if !sniff::is_html(&self.buffer) && !holds_archive(&self.buffer) {
                return Ok(false);
            }
            file.rewind()?;
        }
        self.replaced.check(&item.path, &metadata)?;
        let max = self.args.max_page;
        let bytes = if metadata.is_file() && metadata.len() > SMALL as u64 {
            // What a page grows by while it is read is left for the next time.
            self.buffer.clear();
            file.by_ref().take(sniff::LEN as u64).read_to_end(&mut self.buffer)?;
            file.rewind()?;
            if holds_archive(&self.buffer) {
                return self.archive(&item.path, Input::File(file), sink);
            }
            if metadata.len() > max.0 {
                return Err(Failure::Input(max.exceeded()));
            }
            Bytes::File(file)
        } else {
            let buffer = std::mem::take(&mut self.buffer);
            match spool(file, buffer, SMALL, max.0)?.ok_or_else(|| Failure::Input(max.exceeded()))? {
                Bytes::Memory(bytes) if holds_archive(&bytes[..bytes.len().min(sniff::LEN)]) => {
                    return self.archive(&item.path, Input::Stream(Box::new(io::Cursor::new(bytes))), sink);
                }
                bytes => bytes,
            }
        };
        let own;
        let uri = match &item.uri {
            Some(uri) => uri,
            None => {
                own = file_uri(&item.path)?;
                &own
            }
        };
        let name = &file_name(&item.path);
        self.ready(Ready { name, archive: None, uri, charset: None, unsure: false, bytes }, sink)
    }

    /// Reads an archive whose name does not say that it is one; false, as it counts itself.
    fn archive(&mut self, path: &Path, input: Input, sink: &mut Sink<'_>) -> Result<bool, Failure> {
        let (args, progress) = (Arc::clone(&self.args), Arc::clone(&self.progress));
        let push = &mut |item| self.item(item, sink);
        let read = Archives { args: &args, progress: &progress, push }.read(path, Tape::new(input));
        read.map(|()| false).map_err(|Gone| Failure::Gone)
    }

    fn page(&mut self, page: Page, sink: &mut Sink<'_>) -> Result<bool, Failure> {
        let Page { input, offset, uri, bytes, codings, charset, unsure, truncated } = page;
        let input = file_name(&input);
        let archive = offset.map(|offset| (&*input, offset));
        let name = if archive.is_some() { &uri } else { &input };
        let (bytes, damage) = self.decode(bytes, &codings, truncated)?;
        let done = self.ready(Ready { name, archive, uri: &uri, charset: charset.as_deref(), unsure, bytes }, sink)?;
        // Told after the links of what could be read.
        damage.filter(|_| done).map_or(Ok(done), |why| Err(Failure::Input(why)))
    }

    /// Takes the codings off a body; with it comes why it is damaged, if it is.
    fn decode(
        &mut self,
        bytes: Bytes,
        codings: &[String],
        truncated: bool,
    ) -> Result<(Bytes, Option<String>), Failure> {
        if codings.is_empty() {
            return Ok((bytes, None));
        }
        let (body, len): (Box<dyn Read>, u64) = match bytes {
            Bytes::Memory(bytes) => {
                let len = bytes.len() as u64;
                (Box::new(io::Cursor::new(bytes)), len)
            }
            Bytes::File(file) => {
                let len = file.metadata()?.len();
                (Box::new(file), len)
            }
        };
        let mut body = MayEndEarly::new(decoded(body, len, codings)?, truncated);
        let max = self.args.max_page;
        let buffer = std::mem::take(&mut self.buffer);
        let bytes = spool(&mut body, buffer, SMALL, max.0)?.ok_or_else(|| Failure::Input(max.exceeded()))?;
        Ok((bytes, body.damage))
    }

    fn ready(&mut self, page: Ready<'_>, sink: &mut Sink<'_>) -> Result<bool, Failure> {
        let Ready { name, archive, uri, charset, unsure, mut bytes } = page;
        let (len, start) = match &mut bytes {
            Bytes::Memory(bytes) => (bytes.len() as u64, bytes[..bytes.len().min(sniff::LEN)].to_vec()),
            Bytes::File(file) => {
                let mut start = Vec::new();
                file.by_ref().take(sniff::LEN as u64).read_to_end(&mut start)?;
                let len = file.seek(SeekFrom::End(0))?;
                file.rewind()?;
                (len, start)
            }
        };
        if unsure && !sniff::is_html(&start) {
            return Ok(false);
        }
        let charset = self.args.charset.as_deref().or(charset);
        if archive.is_none() && charset.is_none() && sniff::is_binary(&start) {
            return Err(Failure::Input(String::from("binary data, not a page")));
        }
        let max = self.args.max_uri.0;
        if uri.len() as u64 > max {
            return Err(Failure::Input(format!("its URI has more than {max} bytes (--max-uri)")));
        }
        self.progress.pages.add(1);
        let mut start = Vec::new();
        page_start(&mut start, self.args.format, name, archive)?;
        let most = LINES.saturating_add(LINES_PER_BYTE.saturating_mul(len));
        self.pages.max_uris = most;
        let mut lines = Lines {
            args: &self.args,
            progress: &self.progress,
            fingerprints: &self.fingerprints,
            forms: &mut self.forms,
            start,
            end: sink.written().saturating_add(most),
            left_out: 0,
        };
        match bytes {
            Bytes::Memory(bytes) => {
                let mut gone = false;
                let done = self.pages.links(&bytes, charset, uri, |link| {
                    gone = gone || lines.link(&link, sink).is_err();
                });
                if archive.is_none() {
                    self.progress.bytes.add(len);
                }
                self.buffer = bytes;
                match (gone, done) {
                    (true, _) => Err(Failure::Gone),
                    (false, Ok(())) => lines.done(most),
                    (false, Err(error)) => Err(Failure::Input(format!("{}: {error}", quoted(uri)))),
                }
            }
            Bytes::File(file) => {
                let counted = if archive.is_none() { Some(&*self.progress) } else { None };
                let file = Counted::new(file, counted);
                let mut gone = false;
                let done = sink.with_page(len.min(Pages::LONGEST_TAG as u64), |sink| {
                    let each = |link: Link<'_>| lines.link(&link, sink).inspect_err(|_| gone = true);
                    let done = self.pages.links_from(file, charset, uri, each);
                    // Before another worker has the memory.
                    lines.forms.clear();
                    done
                });
                match done {
                    _ if gone => Err(Failure::Gone),
                    Ok(()) => lines.done(most),
                    Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                        Err(Failure::Input(format!("{}: {error}", quoted(uri))))
                    }
                    Err(error) => Err(error.into()),
                }
            }
        }
    }
}

/// The lines of one page.
struct Lines<'l> {
    args: &'l Links,
    progress: &'l Progress,
    fingerprints: &'l Fingerprints,
    forms: &'l mut Forms,
    start: Vec<u8>,
    /// The bytes that the sink may have been given at the end of the page.
    end: u64,
    /// How many links had no more room.
    left_out: u64,
}

impl Lines<'_> {
    /// Reports links that were left out, if there are any.
    fn done(&self, most: u64) -> Result<bool, Failure> {
        match self.left_out {
            0 => Ok(true),
            count => {
                let why = "1 MiB and 256 times the page";
                Err(Failure::Input(format!("its links take more than {most} bytes ({why}): {count} left out")))
            }
        }
    }

    /// Writes the line of a link; fails if nobody waits for it.
    fn link(&mut self, link: &Link<'_>, sink: &mut Sink<'_>) -> io::Result<()> {
        if !self.args.kinds.is_empty() && !self.args.kinds.contains(&link.kind)
            || self.args.follow && !link.is_followable()
        {
            return Ok(());
        }
        match link.rejected {
            None if self.left_out == 0 => {}
            Some(Rejected::TooLong) => {
                self.progress.too_long.add(1);
                return Ok(());
            }
            None | Some(Rejected::TooMany) => {
                self.leave_out();
                return Ok(());
            }
        }
        let (uri, key) = self.forms.of(link.uri, self.progress);
        let Lines { args: Links { format, .. }, start, end, .. } = self;
        let texts = [link.element, link.rel, link.reference, uri, key.unwrap_or_default()];
        let texts = texts.iter().map(|text| text.len()).sum::<usize>();
        // Each byte may be escaped; the names of fields are short.
        let longest = start.len() + 6 * texts + 128;
        if sink.written() + longest as u64 > *end {
            self.leave_out();
            return Ok(());
        }
        sink.start_line(self.args.unique.then(|| self.fingerprints.of(uri)));
        let len = start.len() + texts;
        // Nearly every line; a sink takes more time.
        if len < 4 << 10 {
            line(&mut sink.block.text, *format, start, link, uri, key)?;
        } else {
            line(sink, *format, start, link, uri, key)?;
        }
        Ok(sink.end_line()?)
    }

    fn leave_out(&mut self) {
        self.left_out += 1;
        self.progress.left_out.add(1);
    }
}
