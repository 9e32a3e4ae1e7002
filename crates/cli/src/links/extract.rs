//! The second stage, which turns jobs into lines. Each worker has an [`Extractor`].

mod page_lines;

use std::io::{self, BufRead, ErrorKind, Seek};
use std::mem;
use std::path::Path;
use std::sync::Arc;

use relref::AnyBase;
use relref_links::archive::sniff::{ZIP_START, is_mhtml};
use relref_links::archive::{Wacz, is_wacz};
use relref_links::html::Pages;
use relref_links::page::{FileKind, LinkReader, Page, PageBytes, PageKind, Store, UriForms, is_epub};
use relref_links::parallel::{Claim, Claimant, Stopped, Use, lock};

use self::page_lines::PageLines;
use super::archive_jobs::ArchiveReader;
use super::block::Problem;
use super::first_bytes::{OpenedFile, is_mhtml_file};
use super::job::Job;
use super::job_output::JobOutput;
use super::line::PageColumns;
use super::pool::{at_input, decode_in_thread, in_own_thread};
use super::shared::{PAGE_IN_MEMORY, Shared};
use super::temp_file::ClaimedFile;
use crate::args::{Column, NormalForm};
use crate::base::new_base;
use crate::file_uri::file_uri;
use crate::output::shown;
use crate::quoting::file_name;

/// The length, in bytes, up to which a page in a file gets memory for a tag, or for the text of a `style` element. If one is
/// longer, the page is read again, with more memory. To claim the most for each such page instead lets only one of them be read at
/// a time: with two threads, the documentation of Rust's library takes 1.3 times as long.
const SHORT_TAG_LEN: usize = 32 << 10;
/// The length, in bytes, of the chunks in which pages in files are read.
const CHUNK_LEN: u64 = 64 << 10;

/// The state with which a worker turns jobs into lines. It keeps its buffers for the next page.
pub struct Extractor {
    shared: Arc<Shared>,
    reader: LinkReader,
    forms: UriForms,
    /// A buffer for the bytes of the next page.
    buffer: Vec<u8>,
    /// A page that may need more memory is read by a new extractor in a thread of its own, so that its memory is given back.
    max_kept_memory: u64,
}

impl Extractor {
    /// The most memory, in bytes, that the buffers of all workers keep together.
    const MAX_KEPT_MEMORY: u64 = 16 << 20;
    /// The most memory, in bytes, of a decoder that works beside others. Decoders that take more wait until their job has the turn
    /// to write, so that only one of them is at work at a time.
    const EXCLUSIVE_BYTES: u64 = 16 << 20;

    /// `workers` is the number of all workers, which share the memory for buffers.
    pub fn new(shared: &Arc<Shared>, workers: usize) -> Self {
        Extractor {
            shared: Arc::clone(shared),
            reader: shared.args.link_reader(),
            forms: shared.args.uri_forms(),
            buffer: Vec::new(),
            max_kept_memory: Self::MAX_KEPT_MEMORY / workers as u64,
        }
    }

    pub fn do_job(&mut self, job: Job, output: &mut JobOutput<'_, '_>) -> Result<(), Stopped> {
        let (input, page) = match job {
            Job::Problem(problem) => return output.add_problem(problem),
            Job::Page(input, page) => (input, Ok(*page)),
            Job::File { path, uri, must_sniff, opened } => {
                let input = file_name(&path);
                let page = || {
                    let opened = match opened {
                        Some(opened) => *opened,
                        None => OpenedFile::new(&path, output.claimant())?,
                    };
                    self.page_of_file(&path, opened, uri, must_sniff, output)
                };
                let Some(page) = at_input(|| input.clone(), page).transpose() else { return Ok(()) };
                (input.into(), page)
            }
        };
        let offset = page.as_ref().ok().and_then(|page| page.offset);
        if offset.is_none() {
            self.shared.progress.inputs.add(1);
        }
        let name = || offset.map_or_else(|| input.to_string(), |offset| format!("{input}: record at byte {offset}"));
        match at_input(name, || self.read_page(&input, page?, output)) {
            Ok(()) => Ok(()),
            Err(error) if Stopped::is_cause(&error) => Err(Stopped),
            Err(error) => output.add_problem(Problem::new(input, offset, error.to_string())),
        }
    }

    /// `None` for an archive, whose jobs are then done, and for a file that must be sniffed and is neither page nor archive.
    fn page_of_file(
        &mut self,
        path: &Path,
        opened: OpenedFile,
        uri: Option<String>,
        must_sniff: bool,
        output: &mut JobOutput<'_, '_>,
    ) -> io::Result<Option<Page>> {
        let OpenedFile { mut file, metadata, start } = opened;
        let is_zip = metadata.is_file() && start.raw.starts_with(ZIP_START) && {
            let _memory = output.claimant().claim(Use::Memory, Wacz::MEMORY)?;
            is_wacz(&file)? || is_epub(&file)?
        };
        file.rewind()?;
        let is_mhtml = match start.coding {
            None => is_mhtml_file(path, &start.raw),
            Some(_) => is_mhtml(start.uncompressed()),
        };
        if is_zip || start.is_archive() || is_mhtml {
            self.shared.replaced.check(path, &metadata)?;
            let (shared, claimant) = (Arc::clone(&self.shared), output.claimant().clone());
            // Its jobs are done in this thread, one after the other.
            let mut add_job = |job| self.do_job(job, output);
            ArchiveReader::new(&shared, &claimant, &mut add_job).read_file(
                path,
                Box::new(file),
                &start.raw,
                uri.as_deref(),
            )?;
            return Ok(None);
        }
        let has_own_uri = uri.is_none();
        let uri = uri.map_or_else(|| file_uri(path), Ok)?;
        // Without --base, the folder of a site is not known, so that each file of that name may be one.
        let may_be_robots = (!must_sniff || has_own_uri) && path.file_name().is_some_and(|name| name == "robots.txt");
        let kind = match PageKind::of_file(start.uncompressed(), &uri, path) {
            PageKind::None if may_be_robots => PageKind::Robots,
            // The URI may be that of --base.
            PageKind::None if FileKind::of(path) == FileKind::Css => PageKind::Css,
            PageKind::None if must_sniff => {
                self.shared.progress.files_skipped.add(1);
                return Ok(None);
            }
            PageKind::None => PageKind::Unknown,
            kind => kind,
        };
        self.shared.replaced.check(path, &metadata)?;
        let bytes = self.with_store(output.claimant(), |store| match metadata.len() {
            len if metadata.is_file() && len > store.max_page => Err(store.too_long()),
            len if metadata.is_file() && len > PAGE_IN_MEMORY as u64 => Ok(PageBytes::File(Box::new(file))),
            _ => store.store(file),
        })?;
        let mut page = Page::new(uri, bytes);
        page.kind = kind;
        page.codings.extend(start.coding.map(str::to_owned));
        Ok(Some(page))
    }

    /// Calls `work` with a store for the bytes of a page, which claims disk, but no memory.
    fn with_store<T>(&mut self, claimant: &Claimant, work: impl FnOnce(&mut Store<'_>) -> T) -> T {
        let new_file = || ClaimedFile::create(claimant);
        let buffer = mem::take(&mut self.buffer);
        let mut store = Store { buffer, new_file: &new_file, ..self.shared.store() };
        let done = work(&mut store);
        self.buffer = store.buffer;
        done
    }

    /// An error is the problem of the page.
    fn read_page(&mut self, input: &Arc<str>, mut page: Page, output: &mut JobOutput<'_, '_>) -> io::Result<()> {
        let was_unknown = page.kind.is_unknown();
        let has_places = page.offset.is_none() && page.codings.is_empty();
        self.decode(&mut page, output.claimant())?;
        let Shared { args, progress, .. } = &*self.shared;
        if page.kind == PageKind::None {
            lock(&progress.skipped).not_pages += u64::from(was_unknown);
            if page.fields.is_empty() {
                return Ok(());
            }
        }
        if args.charset.is_none() && page.is_binary()? {
            return Err(io::Error::other("binary data, not a page"));
        }
        let max = args.max_uri.0;
        if page.uri.len() as u64 > max {
            return Err(io::Error::other(format!("its URI has more than {max} bytes (--max-uri)")));
        }
        let is_html = matches!(page.kind, PageKind::Html | PageKind::Xml);
        let is_html_file = is_html && matches!(page.bytes, PageBytes::File(_));
        // The canonical link is read with tags of any length, for which memory is claimed at once.
        let max_tag = if is_html_file && !args.canonical { SHORT_TAG_LEN } else { usize::MAX };
        let memory = max_memory(&self.shared, &mut page, max_tag, self.max_kept_memory)?;
        let claim = output.claimant().claim(Use::Memory, memory)?;
        progress.pages.add(page.is_about_page().into());
        let shows_places = args.rejected.is_some() || self.shared.columns.iter().any(|column| column.is_place());
        let places = has_places && shows_places;
        let add = |of: &mut Self| {
            (of.reader.pages.options.places, of.reader.pages.options.max_tag) = (places, max_tag);
            of.add_lines(input, page, claim, output)
        };
        if memory <= self.max_kept_memory {
            return add(self);
        }
        let mut extractor = Extractor::new(&self.shared, 1);
        in_own_thread(move || add(&mut extractor))
    }

    /// Removes the codings of a page.
    fn decode(&mut self, page: &mut Page, claimant: &Claimant) -> io::Result<()> {
        let memory = page.decoder_memory()?;
        if memory == 0 {
            return page.decode(&mut Store::default());
        }
        let memory = memory + PAGE_IN_MEMORY as u64;
        // Jobs that need very much wait for their turn, so that only one of them is done at a time.
        let _memory =
            claimant.claim(Use::Memory, if memory > Self::EXCLUSIVE_BYTES { u64::from(u32::MAX) } else { memory })?;
        decode_in_thread(memory, || self.with_store(claimant, |store| page.decode(store)))
    }

    /// `claim` is for the memory of a page with tags of up to `max_tag` bytes (an option of the reader).
    fn add_lines(
        &mut self,
        input: &str,
        mut page: Page,
        mut claim: Claim,
        output: &mut JobOutput<'_, '_>,
    ) -> io::Result<()> {
        let Shared { args, progress, .. } = &*self.shared;
        let uri = mem::take(&mut page.uri);
        let not_a_base = |error| io::Error::other(format!("{}: {error}", shown(&uri)));
        let base = new_base(&uri, args.rules, args.nested).map_err(not_a_base)?;
        let (offset, max_len) = (page.offset, page.max_links_len()?);
        let (len, damage) = (page.bytes.len()?, page.damage.take());
        let canonical = args.canonical.then(|| self.reader.canonical_link(&mut page, &base)).flatten();
        let own_uri = canonical.as_deref().unwrap_or(base.innermost());
        let page_uri = canonical.as_ref().map(|own| [base.prefix(), own].concat());
        let (date, media_type, status) = (page.date.take(), mem::take(&mut page.media_type), page.status);
        let of_page = PageColumns {
            file: input,
            uri: page_uri.as_deref().unwrap_or(&uri),
            offset,
            status,
            date: date.as_deref(),
            media_type: &media_type,
        };
        let mut lines = PageLines::new(&self.shared, of_page, &base, own_uri, &mut self.forms, output, max_len);
        let mut added = 0_u64;
        let mut done = self.reader.decoded_links(&mut page, &base, |link| {
            added += 1;
            lines.add(link)
        });
        let is_too_long = |error: &io::Error| error.kind() == ErrorKind::FileTooLarge;
        if self.reader.pages.options.max_tag < usize::MAX && done.as_ref().is_err_and(is_too_long) {
            claim.grow(max_memory(&self.shared, &mut page, usize::MAX, 0)?)?;
            done = in_own_thread(|| {
                lines.with_own_forms(|lines| read_again(&self.reader, &mut page, &base, lines, added))
            });
        }
        // Left-out lines are the problem that matters more than the damage of the body, but less than others.
        let done = done.and(lines.finish().or(damage).map_or(Ok(()), |why| Err(io::Error::other(why))));
        // The bytes of an archive are counted where it is read.
        progress.bytes.add(if offset.is_none() { len } else { 0 });
        if let PageBytes::Memory(bytes) = page.bytes {
            self.buffer = bytes;
        }
        done
    }
}

/// Adds the lines of the links of a page, except those of the first `added` links. Its tags may have any length.
fn read_again(
    reader: &LinkReader,
    page: &mut Page,
    base: &AnyBase,
    lines: &mut PageLines<'_, '_, '_>,
    mut added: u64,
) -> io::Result<()> {
    let mut reader = reader.clone();
    reader.pages.options.max_tag = usize::MAX;
    reader.decoded_links(page, base, |link| {
        if added > 0 {
            added -= 1;
            return Ok(());
        }
        lines.add(link)
    })
}

/// Returns the most bytes of memory that reading a page may take if its tags have at most `max_tag` bytes. That is three times its
/// text (as text, as the value of an attribute, and as that value without character references), and a URI with its columns. With
/// `--text`, also a reference and a URI that wait for the text of their link. If it is at most `kept` with any bytes, they are not
/// counted.
fn max_memory(Shared { args, columns, .. }: &Shared, page: &mut Page, max_tag: usize, kept: u64) -> io::Result<u64> {
    if matches!(page.kind, PageKind::Markdown | PageKind::Mdx) {
        return Ok(MARKDOWN_MEMORY * page.bytes.len()?);
    }
    let has_columns = args.normalize != NormalForm::None || !args.changes.is_empty() || args.key.is_some();
    let memory_of = |text: u64| {
        let uri = text.min(args.max_uri.0);
        let waiting = if columns.contains(&Column::Text) { text + uri } else { 0 };
        3 * text + uri * if has_columns { 12 } else { 2 } + waiting
    };
    // Half as much again is a reserve. Each byte that is not US-ASCII may become three in UTF-8.
    let text_with = |len: u64, non_ascii: u64| len + len / 2 + 2 * non_ascii.min(len);
    let len = page.bytes.len()?.min(max_tag.min(Pages::MAX_TAG_LEN) as u64 + CHUNK_LEN);
    let text = match (&mut page.bytes, page.kind) {
        (PageBytes::Memory(_), _) if memory_of(text_with(len, len)) <= kept => text_with(len, len),
        (PageBytes::File(_), _) if max_tag <= SHORT_TAG_LEN => text_with(len, len),
        // A token of a style sheet waits until it is complete.
        (PageBytes::File(_), PageKind::Css) => len,
        // Feeds and `robots.txt` are read as streams.
        (PageBytes::File(_), kind) if !matches!(kind, PageKind::Html | PageKind::Xml) => 3 << 19,
        (bytes, _) => text_with(len, count_non_ascii(bytes.reader())?),
    };
    Ok(memory_of(text))
}

/// The most bytes of memory that a byte of Markdown takes: a node of the parser for each bracket.
const MARKDOWN_MEMORY: u64 = 64;

fn count_non_ascii(mut bytes: impl BufRead) -> io::Result<u64> {
    let mut count = 0;
    loop {
        let buffer = bytes.fill_buf()?;
        let len = buffer.len();
        // The sum of so many bits fits in a byte, so that the compiler adds up sixteen bytes with one instruction; none are left over.
        count += buffer.chunks(240).map(|part| u64::from(part.iter().map(|byte| byte >> 7).sum::<u8>())).sum::<u64>();
        if len == 0 {
            return Ok(count);
        }
        bytes.consume(len);
    }
}
