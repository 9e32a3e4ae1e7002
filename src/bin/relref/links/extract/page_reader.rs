//! A reader of pages, which turns their links into lines.

use std::io::{BufRead, BufReader, Cursor, ErrorKind};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use memchr::memmem;
use relref::archive::sniff::{self, Content};
use relref::archive::{wat_links, wat_nofollow};
use relref::feeds::{feed_links, is_feed, robots_links};
use relref::html::{self, FoundLinks, Pages, field_links};

use super::counted_file::CountedFile;
use super::long_values::SHORT;
use super::measure::{Measures, count_wide, measure};
use super::outcome::{Outcome, ReadError};
use super::page_lines::{PageContext, PageLines};
use crate::args::NormalForm;
use crate::links::columns::UriColumns;
use crate::links::columns::line::RecordPlace;
use crate::links::dedup::FingerprintSecrets;
use crate::links::page_bytes::PageBytes;
use crate::links::pool::{JobOutput, Use};
use crate::links::shared::Shared;
use crate::output::quoted;
use crate::rule_set::AnyBase;

/// A page whose content codings were removed.
pub struct DecodedPage<'p> {
    /// The name of the page in its lines: the quoted name of its file or, if it is in an archive, its URI.
    pub name: &'p str,
    /// The place in an archive. `None` if the page is not in an archive.
    pub place: Option<RecordPlace<'p>>,
    pub uri: &'p str,
    /// The label of the character encoding that the HTTP head gives.
    pub charset: Option<&'p str>,
    pub content: Content,
    /// The names and values of the HTTP fields that have links.
    pub fields: &'p [(String, Vec<u8>)],
    /// True if an HTTP field asks robots to follow none of the links of the page.
    pub nofollow: bool,
    pub bytes: PageBytes,
    /// True if the page is known to be cut short. Then the end of a feed may be missing, which is no problem.
    pub is_truncated: bool,
}

impl DecodedPage<'_> {
    /// Reports whether the lines are those of a page: false for WAT metadata that does not describe an HTML page.
    fn is_about_page(&self) -> bool {
        match &self.bytes {
            PageBytes::Memory(json) if self.content == Content::Wat => {
                memmem::find(json, b"\"HTML-Metadata\"").is_some()
            }
            _ => true,
        }
    }
}

/// A reader of pages for a worker. It claims memory for each page, finds its links with [`Pages`], and adds their lines to the
/// output. It keeps its buffers for the next page.
pub struct PageReader {
    shared: Arc<Shared>,
    secrets: FingerprintSecrets,
    pages: Pages,
    columns: UriColumns,
    /// A buffer for the bytes of the next page, which the caller may take.
    pub buffer: Vec<u8>,
    /// The most bytes of memory that a page may need to be read with these buffers. A page that needs more gets new buffers and a
    /// thread.
    most_kept: usize,
}

impl PageReader {
    /// The most bytes that the buffers of all readers may keep together.
    const KEPT: usize = 16 << 20;
    /// The most bytes of the lines of an empty page. There is a limit because a short page with a long base or a long URI could
    /// have many long lines: their length would be the product of both lengths.
    const LINES: u64 = 1 << 20;
    /// The number of bytes that the lines of a page may have in addition, for each byte of the page.
    const LINES_PER_BYTE: u64 = 256;
    /// The most bytes of the text of a link.
    const MAX_TEXT: usize = 1 << 10;

    /// Returns a reader. `readers` is the number of readers, which share the memory for buffers.
    pub fn new(shared: &Arc<Shared>, secrets: &FingerprintSecrets, readers: usize) -> Self {
        let args = &shared.args;
        let mut pages = Pages::new();
        pages.lazy = args.lazy;
        pages.items = args.items;
        pages.robots = args.no_nofollow;
        pages.max_text = if args.text { Self::MAX_TEXT } else { 0 };
        pages.legacy_queries = args.normalize != NormalForm::None;
        pages.kinds.clone_from(&args.kinds);
        pages.followable = args.follows();
        pages.max_uri = usize::try_from(args.max_uri.0).unwrap_or(usize::MAX);
        PageReader {
            shared: Arc::clone(shared),
            secrets: secrets.clone(),
            pages,
            columns: UriColumns::new(args),
            buffer: Vec::new(),
            most_kept: Self::KEPT / readers,
        }
    }

    /// Reads a page whose bytes may end early because of damage. Adds the lines of all its links to the output. Then, if there is
    /// damage, returns it as the problem of the page.
    pub fn read_damaged(
        &mut self,
        page: DecodedPage<'_>,
        damage: Option<String>,
        output: &mut JobOutput<'_>,
    ) -> Result<Outcome, ReadError> {
        match (self.read(page, output)?, damage) {
            (Outcome::Page, Some(damage)) => Err(ReadError::Problem(damage)),
            (outcome, _) => Ok(outcome),
        }
    }

    /// Reads a page, and adds the lines of its links to the output. Before, waits until memory for the page is available.
    pub fn read(&mut self, mut page: DecodedPage<'_>, output: &mut JobOutput<'_>) -> Result<Outcome, ReadError> {
        let args = &self.shared.args;
        let start = page.bytes.start()?;
        if page.content == Content::Unknown {
            page.content = Content::sniff(&start, page.uri);
            if page.content == Content::None && page.place.is_some() {
                self.shared.progress.skipped.not_pages.add(1);
            }
        }
        if page.content == Content::Html && page.place.is_some() && is_feed(&start) {
            // Servers send feeds as HTML (MIME Sniffing §8).
            page.content = Content::Feed;
        }
        if page.content == Content::Html && page.place.is_none() {
            // A file or stream that nothing else says to be a page is read as one.
            page.content = match Content::sniff(&start, page.uri) {
                Content::None => Content::Html,
                content => content,
            };
        }
        if page.content == Content::None && page.fields.is_empty() {
            return Ok(Outcome::NotAPage);
        }
        let has_charset = args.charset.is_some() || page.charset.is_some();
        let may_be_binary = page.place.is_none() && !has_charset && page.content != Content::Feed;
        if may_be_binary && sniff::is_binary(&start) {
            return Err(ReadError::Problem(String::from("binary data, not a page")));
        }
        let max = args.max_uri.0;
        if page.uri.len() as u64 > max {
            return Err(ReadError::Problem(format!("its URI has more than {max} bytes (--max-uri)")));
        }
        let (len, memory) = match &mut page.bytes {
            PageBytes::Memory(bytes) => {
                let len = bytes.len() as u64;
                (len, self.most_memory(len, count_wide(bytes), usize::MAX))
            }
            // Feeds are read as streams.
            PageBytes::File(file, _) if matches!(page.content, Content::Feed | Content::Robots) => {
                let len = file.metadata()?.len();
                (len, self.most_memory(1 << 20, 0, usize::MAX))
            }
            PageBytes::File(file, _) => {
                let Measures { len, wide, has_long_values } = measure(file, &mut self.buffer)?;
                let most = if has_long_values { u64::MAX } else { SHORT as u64 };
                (len, self.most_memory(len.min(most), wide.min(most), Pages::LONGEST_TAG))
            }
        };
        let _memory = output.claimant.claim(Use::Page, memory as u64)?;
        if page.content != Content::None && page.is_about_page() {
            self.shared.progress.pages.add(1);
        }
        if memory <= self.most_kept {
            return self.links(page, len, output);
        }
        // Allocators keep for each thread the memory that it frees. So much must not be kept for each worker, so a large page has
        // a thread of its own. A new thread takes over the memory of one that has ended.
        let mut reader = PageReader::new(&self.shared, &self.secrets, 1);
        thread::scope(|scope| {
            let thread = thread::Builder::new().spawn_scoped(scope, move || reader.links(page, len, output))?;
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    /// Returns the most bytes of memory that reading a page may take: three times its text (as text, as the value of an attribute,
    /// and as that value without character references), and a URI with its columns. With `--text`, also a reference and a URI that
    /// wait for their text.
    ///
    /// `len` is the length of the page in bytes. `wide` is the number of its bytes that are not US-ASCII: each may become three
    /// bytes in UTF-8. Half of `len` more is a reserve. A page that is read as a stream has at most `longest` bytes of text in
    /// memory.
    fn most_memory(&self, len: u64, wide: u64, longest: usize) -> usize {
        let args = &self.shared.args;
        let text = usize::try_from(len + len / 2 + 2 * wide).unwrap_or(usize::MAX).min(longest);
        let uri = text.min(self.pages.max_uri);
        let has_columns = args.normalize != NormalForm::None || args.key.is_some();
        let waiting = if args.text { text.saturating_add(uri) } else { 0 };
        let uri = uri.saturating_mul(if has_columns { 12 } else { 2 });
        text.saturating_mul(3).saturating_add(uri).saturating_add(waiting)
    }

    /// Adds the lines of the links of a page to the output. `len` is the length of the page in bytes, which limits the bytes of its
    /// lines.
    fn links(&mut self, page: DecodedPage<'_>, len: u64, output: &mut JobOutput<'_>) -> Result<Outcome, ReadError> {
        let DecodedPage { name, place, uri, charset, content, fields, mut nofollow, mut bytes, is_truncated } = page;
        let Shared { args, progress, .. } = &*self.shared;
        // Browsers ignore an unknown label of an HTTP head, too.
        let charset = args.charset.or_else(|| html::charset(charset?).ok());
        let not_a_base = |error| ReadError::Problem(format!("{}: {error}", quoted(uri)));
        let base = AnyBase::new(uri, args.rules).map_err(not_a_base)?;
        if args.no_nofollow && !nofollow && content == Content::Html && !fields.is_empty() {
            // The rule in the page is also about the links of its head, which come first.
            nofollow = match &mut bytes {
                PageBytes::Memory(bytes) => self.pages.page_nofollow(bytes, charset),
                PageBytes::File(file, _) => self.pages.page_nofollow_from(file, charset)?,
            };
        }
        let len_of_fields: usize = fields.iter().map(|(_, value)| value.len()).sum();
        let most = Self::LINES.saturating_add(Self::LINES_PER_BYTE.saturating_mul(len + len_of_fields as u64));
        self.pages.max_total = most;
        let page = PageContext { name, uri, place, nofollow };
        let mut lines = PageLines::new(&self.shared, &self.secrets, page, &mut self.columns, output, most)?;
        let mut damage = None;
        let find = |links: &mut FoundLinks<'_>| {
            for (name, value) in fields {
                damage = field_links(name, value, |link| links.add(link)).err().or(damage);
            }
        };
        let done = self.pages.found_links(&base, find, |link| lines.add_to_flow(&link));
        let done = done.break_value().map_or(Ok(()), Err);
        let mut damage = damage.map(String::from);
        let done = match bytes {
            _ if done.is_err() || content == Content::None => done,
            PageBytes::Memory(bytes) if content == Content::Wat => {
                if args.no_nofollow {
                    lines.add_nofollow(wat_nofollow(&bytes));
                }
                let find = |links: &mut FoundLinks<'_>| {
                    damage = wat_links(&bytes, links).err().map(|error| error.to_string()).or(damage.take());
                };
                let done = self.pages.found_links(&base, find, |link| lines.add_to_flow(&link));
                self.buffer = bytes;
                done.break_value().map_or(Ok(()), Err)
            }
            bytes if matches!(content, Content::Feed | Content::Robots) => {
                let (input, _claim): (Box<dyn BufRead>, _) = match bytes {
                    PageBytes::Memory(bytes) => {
                        if place.is_none() {
                            progress.bytes.add(len);
                        }
                        (Box::new(Cursor::new(bytes)), None)
                    }
                    PageBytes::File(file, claim) => (
                        Box::new(BufReader::new(CountedFile::new(file, place.is_none().then_some(&**progress)))),
                        claim,
                    ),
                };
                let find = |links: &mut FoundLinks<'_>| {
                    let done = match content {
                        Content::Robots => robots_links(input, |link| links.add(link)),
                        _ => match feed_links(input, charset, |found| links.add_within(found.bases, found.link)) {
                            Err(error) if is_truncated && error.kind() == ErrorKind::UnexpectedEof => Ok(()),
                            done => done,
                        },
                    };
                    damage = done.err().map(|error| error.to_string()).or(damage.take());
                };
                let done = self.pages.found_links(&base, find, |link| lines.add_to_flow(&link));
                done.break_value().map_or(Ok(()), Err)
            }
            PageBytes::Memory(bytes) => {
                let done = self.pages.try_links(&bytes, charset, &base, |link| lines.add_to_flow(&link));
                if place.is_none() {
                    progress.bytes.add(len);
                }
                self.buffer = bytes;
                done.break_value().map_or(Ok(()), Err)
            }
            PageBytes::File(file, _claim) => {
                let file = CountedFile::new(file, place.is_none().then_some(&**progress));
                self.pages.links_from(file, charset, &base, |link| lines.add(&link))
            }
        };
        let (left_out, rejected_left_out) = lines.finish();
        let too_many = |what: &str, number: u64| {
            let why = "1 MiB and 256 times the page";
            Err(ReadError::Problem(format!("its {what} take more than {most} bytes ({why}): {number} left out")))
        };
        match done {
            Ok(()) if left_out > 0 => too_many("links", left_out),
            Ok(()) if rejected_left_out > 0 => too_many("rejected links", rejected_left_out),
            Ok(()) if damage.is_some() => Err(ReadError::Problem(damage.unwrap_or_default())),
            Ok(()) => Ok(Outcome::Page),
            Err(error) => Err(error.into()),
        }
    }
}
