//! What a worker does with an item: its links, as lines.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use relref::archive::http::decoded;
use relref::archive::members::holds_archive;
use relref::archive::rewind::{Input, Rewind};
use relref::archive::sniff;
use relref::html::{Link, Pages, Rejected};

use super::archives::Archives;
use super::body_store::{Bytes, spool};
use super::format::{LinkLine, page_start};
use super::forms::Forms;
use super::inputs::{Item, Page, PageFile};
use super::long_values::SHORT;
use super::pool::{Disk, JobOutput, Line, Problem, Stopped};
use super::progress::Progress;
use super::readers::{Counted, MayEndEarly, measure, wide_of};
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
    /// The most bytes that a page may take to be read with these buffers.
    kept: usize,
}

/// The bytes that the buffers that all workers keep may take.
const KEPT: usize = 16 << 20;
/// The bytes that the decoder of a coding may take: its window and the buffer after it.
const DECODER: usize = 128 << 10;
/// The bytes that reading an archive may take, with a body in memory.
const ARCHIVE: usize = 768 << 10;
/// Larger pages are read as streams.
const SMALL: usize = 256 << 10;
/// The lines of a page have at most so many bytes, and as many more for each byte of the page: a short page with a long base, or
/// at a long URI, would otherwise give lines that grow with the product.
const LINES: u64 = 1 << 20;
const LINES_PER_BYTE: u64 = 256;

/// Why a page is not done.
enum Failure {
    Stopped,
    Input(String),
}

impl From<Stopped> for Failure {
    fn from(_: Stopped) -> Self {
        Failure::Stopped
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if Stopped::is_cause(&error) { Failure::Stopped } else { Failure::Input(error.to_string()) }
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
    /// One of so many threads.
    pub fn new(
        args: &Arc<Links>,
        progress: &Arc<Progress>,
        fingerprints: &Fingerprints,
        replaced: &Arc<Replaced>,
        threads: usize,
    ) -> Self {
        let mut pages = Pages::new(args.rules);
        pages.lazy = args.lazy;
        pages.items = args.items;
        pages.legacy_queries = args.normalize != Form::None;
        pages.kinds.clone_from(&args.kinds);
        pages.followable = args.follow;
        pages.max_uri = usize::try_from(args.max_uri.0).unwrap_or(usize::MAX);
        Worker {
            args: Arc::clone(args),
            progress: Arc::clone(progress),
            fingerprints: fingerprints.clone(),
            replaced: Arc::clone(replaced),
            pages,
            forms: Forms::new(args),
            buffer: Vec::new(),
            kept: KEPT / threads,
        }
    }

    pub fn item(&mut self, item: Item, sink: &mut JobOutput<'_>) -> Result<(), Stopped> {
        let (input, offset, done) = match item {
            Item::Problem(problem) => return sink.problem(problem),
            Item::File(file) => (file_name(&file.path), None, self.file(&file, sink)),
            Item::Page(page) => (file_name(&page.input), page.offset, self.page(*page, sink)),
        };
        if offset.is_none() && !matches!(done, Ok(false)) {
            self.progress.inputs.add(1);
        }
        match done {
            Ok(_) => Ok(()),
            Err(Failure::Stopped) => Err(Stopped),
            Err(Failure::Input(why)) => sink.problem(Problem { input, offset, why }),
        }
    }

    /// Does a file; false if it is no page.
    fn file(&mut self, item: &PageFile, sink: &mut JobOutput<'_>) -> Result<bool, Failure> {
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
            Bytes::File(file, None)
        } else {
            let buffer = std::mem::take(&mut self.buffer);
            match spool(file, buffer, SMALL, max.0, &sink.disk())?.ok_or_else(|| Failure::Input(max.exceeded()))? {
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
    fn archive(&mut self, path: &Path, input: Input, sink: &mut JobOutput<'_>) -> Result<bool, Failure> {
        let _memory = sink.claim_memory(ARCHIVE)?;
        let (args, progress, disk) = (Arc::clone(&self.args), Arc::clone(&self.progress), sink.disk());
        let push = &mut |item| self.item(item, sink);
        let read = Archives { args: &args, progress: &progress, disk: &disk, push }.read(path, Rewind::new(input));
        read.map(|()| false).map_err(|Stopped| Failure::Stopped)
    }

    fn page(&mut self, page: Page, sink: &mut JobOutput<'_>) -> Result<bool, Failure> {
        let Page { input, offset, uri, bytes, codings, charset, unsure, truncated } = page;
        let input = file_name(&input);
        let archive = offset.map(|offset| (&*input, offset));
        let name = if archive.is_some() { &uri } else { &input };
        let decoders = (!codings.is_empty()).then_some(SMALL + codings.len() * DECODER);
        let _memory = decoders.map(|bytes| sink.claim_memory(bytes)).transpose()?;
        let (bytes, damage) = self.decode(bytes, &codings, truncated, &sink.disk())?;
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
        disk: &Disk,
    ) -> Result<(Bytes, Option<String>), Failure> {
        if codings.is_empty() {
            return Ok((bytes, None));
        }
        let (body, len, _claim): (Box<dyn Read>, u64, _) = match bytes {
            Bytes::Memory(bytes) => {
                let len = bytes.len() as u64;
                (Box::new(io::Cursor::new(bytes)), len, None)
            }
            Bytes::File(file, claim) => {
                let len = file.metadata()?.len();
                (Box::new(file), len, claim)
            }
        };
        let mut body = MayEndEarly::new(decoded(body, len, codings)?, truncated);
        let max = self.args.max_page;
        let buffer = std::mem::take(&mut self.buffer);
        let bytes = spool(&mut body, buffer, SMALL, max.0, disk)?.ok_or_else(|| Failure::Input(max.exceeded()))?;
        Ok((bytes, body.damage))
    }

    /// Returns the most bytes that reading a page may take, of which so many are not US-ASCII: as UTF-8 three times as many, or
    /// as long as a tag may be in a stream; as text, as the value of an attribute, and that without what is escaped in it; and
    /// a URI and its forms.
    fn memory(&self, len: u64, wide: u64, longest: usize) -> usize {
        let text = usize::try_from(len + len / 2 + 2 * wide).unwrap_or(usize::MAX).min(longest);
        let uri = text.min(self.pages.max_uri);
        let has_forms = self.args.normalize != Form::None || self.args.key.is_some();
        text.saturating_mul(3).saturating_add(uri.saturating_mul(if has_forms { 12 } else { 2 }))
    }

    /// Reads a page, once there is memory for it; returns false if it is none.
    fn ready(&mut self, mut page: Ready<'_>, sink: &mut JobOutput<'_>) -> Result<bool, Failure> {
        let start = match &mut page.bytes {
            Bytes::Memory(bytes) => bytes[..bytes.len().min(sniff::LEN)].to_vec(),
            Bytes::File(file, _) => {
                let mut start = Vec::new();
                file.by_ref().take(sniff::LEN as u64).read_to_end(&mut start)?;
                file.rewind()?;
                start
            }
        };
        if page.unsure && !sniff::is_html(&start) {
            return Ok(false);
        }
        let charset = self.args.charset.as_deref().or(page.charset);
        if page.archive.is_none() && charset.is_none() && sniff::is_binary(&start) {
            return Err(Failure::Input(String::from("binary data, not a page")));
        }
        let max = self.args.max_uri.0;
        if page.uri.len() as u64 > max {
            return Err(Failure::Input(format!("its URI has more than {max} bytes (--max-uri)")));
        }
        let (len, memory) = match &mut page.bytes {
            Bytes::Memory(bytes) => {
                let len = bytes.len() as u64;
                (len, self.memory(len, wide_of(bytes), usize::MAX))
            }
            Bytes::File(file, _) => {
                let (len, wide, is_long) = measure(file, &mut self.buffer)?;
                let most = if is_long { u64::MAX } else { SHORT as u64 };
                (len, self.memory(len.min(most), wide.min(most), Pages::LONGEST_TAG))
            }
        };
        let _memory = sink.claim_memory(memory)?;
        self.progress.pages.add(1);
        if memory <= self.kept {
            return self.links(page, len, sink);
        }
        // Allocators keep for each thread what it frees: of so much, it must not be kept for each worker. A new thread takes over
        // what an ended one had, as long as there are not more threads than `run` allows.
        let mut other = Worker::new(&self.args, &self.progress, &self.fingerprints, &self.replaced, 1);
        thread::scope(|scope| {
            let thread = thread::Builder::new().spawn_scoped(scope, move || other.links(page, len, sink))?;
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    /// Reads a page of so many bytes.
    fn links(&mut self, page: Ready<'_>, len: u64, sink: &mut JobOutput<'_>) -> Result<bool, Failure> {
        let Ready { name, archive, uri, charset, bytes, .. } = page;
        let charset = self.args.charset.as_deref().or(charset);
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
            end: sink.len().saturating_add(most),
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
                lines.forms.clear();
                match (gone, done) {
                    (true, _) => Err(Failure::Stopped),
                    (false, Ok(())) => lines.done(most),
                    (false, Err(error)) => Err(Failure::Input(format!("{}: {error}", quoted(uri)))),
                }
            }
            Bytes::File(file, _claim) => {
                let counted = if archive.is_none() { Some(&*self.progress) } else { None };
                let file = Counted::new(file, counted);
                let mut gone = false;
                let each = |link: Link<'_>| lines.link(&link, sink).inspect_err(|_| gone = true);
                let done = self.pages.links_from(file, charset, uri, each);
                // Before another worker has the memory.
                lines.forms.clear();
                match done {
                    _ if gone => Err(Failure::Stopped),
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
    fn link(&mut self, link: &Link<'_>, sink: &mut JobOutput<'_>) -> io::Result<()> {
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
        let line = LinkLine { format: self.args.format, start: &self.start, link, uri, key };
        let left = self.end.saturating_sub(sink.len());
        if line.most_bytes() as u64 > left && line.len()? > left {
            self.leave_out();
            return Ok(());
        }
        let fingerprint = self.args.unique.then(|| self.fingerprints.of(uri));
        sink.line(fingerprint, &line)
    }

    fn leave_out(&mut self) {
        self.left_out += 1;
        self.progress.left_out.add(1);
    }
}
