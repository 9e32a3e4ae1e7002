//! A reader of pages, which turns their links into lines.

use std::io::{self, BufReader, ErrorKind};
use std::mem;
use std::sync::Arc;

use relref::archive::sniff::{self, Content};
use relref::archive::{wat_links, wat_nofollow};
use relref::feeds::{feed_links, is_feed, robots_links};
use relref::html::{self, FoundLinks, Pages, field_links};

use super::long_values::SHORT;
use super::measure::{Measures, count_wide, measure};
use super::page_lines::PageLines;
use crate::args::NormalForm;
use crate::links::Shared;
use crate::links::columns::UriColumns;
use crate::links::job::Page;
use crate::links::own_thread::in_own_thread;
use crate::links::page_bytes::PageBytes;
use crate::links::pool::{JobOutput, Use};
use crate::links::progress::CountedReads;
use crate::output::quoted;
use crate::rule_set::AnyBase;

/// A reader of pages for a worker. It claims memory for each page, finds its links with [`Pages`], and adds their lines to the
/// output. It keeps its buffers for the next page.
pub struct PageReader {
    shared: Arc<Shared>,
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
    pub fn new(shared: &Arc<Shared>, readers: usize) -> Self {
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
            pages,
            columns: UriColumns::new(args),
            buffer: Vec::new(),
            most_kept: Self::KEPT / readers,
        }
    }

    /// Reads a page without content codings, and adds the lines of its links to the output. Before, waits until memory for the
    /// page is available. If the bytes of the page end early because of `damage`, returns that as the error after all links.
    pub fn read(&mut self, mut page: Page, damage: Option<String>, output: &mut JobOutput<'_>) -> io::Result<()> {
        let args = &self.shared.args;
        let is_in_archive = page.is_in_archive();
        let start = page.bytes.start()?;
        page.content = match page.content {
            Content::Unknown => {
                let content = Content::sniff(&start, &page.uri);
                self.shared.progress.not_pages.add((content == Content::None).into());
                content
            }
            // Servers send feeds as HTML (MIME Sniffing §8).
            Content::Html if is_in_archive && is_feed(&start) => Content::Feed,
            // A file or stream that nothing else says to be a page is read as one.
            Content::Html if !is_in_archive => match Content::sniff(&start, &page.uri) {
                Content::None => Content::Html,
                content => content,
            },
            content => content,
        };
        if page.content == Content::None && page.fields.is_empty() {
            return Ok(());
        }
        let has_charset = args.charset.is_some() || page.charset.is_some();
        let may_be_binary = !is_in_archive && !has_charset && page.content != Content::Feed;
        if may_be_binary && sniff::is_binary(&start) {
            return Err(io::Error::other("binary data, not a page"));
        }
        let max = args.max_uri.0;
        if page.uri.len() as u64 > max {
            return Err(io::Error::other(format!("its URI has more than {max} bytes (--max-uri)")));
        }
        let len = page.bytes.len()?;
        let memory = match &mut page.bytes {
            PageBytes::Memory(bytes) => self.most_memory(len, count_wide(bytes), usize::MAX),
            // Feeds and `robots.txt` are read as streams.
            PageBytes::File(..) if page.content != Content::Html => self.most_memory(1 << 20, 0, usize::MAX),
            PageBytes::File(file, _) => {
                let Measures { wide, has_long_values } = measure(file, &mut self.buffer)?;
                let most = if has_long_values { u64::MAX } else { SHORT as u64 };
                self.most_memory(len.min(most), wide.min(most), Pages::MAX_TAG_LEN)
            }
        };
        let _memory = output.claimant.claim(Use::Page, memory as u64)?;
        if page.content != Content::None && page.is_about_page() {
            self.shared.progress.pages.add(1);
        }
        if memory <= self.most_kept {
            return self.links(page, damage, output);
        }
        let mut reader = PageReader::new(&self.shared, 1);
        in_own_thread(move || reader.links(page, damage, output))
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

    /// Adds the lines of the links of a page to the output. After all links, returns `damage` as the error, if there is damage.
    fn links(&mut self, mut page: Page, mut damage: Option<String>, output: &mut JobOutput<'_>) -> io::Result<()> {
        let len = page.bytes.len()?;
        // The bytes of an archive are counted where it is read.
        let mut uncounted = if page.is_in_archive() { 0 } else { len };
        let mut bytes = mem::replace(&mut page.bytes, PageBytes::Memory(Vec::new()));
        let Page { ref uri, ref fields, content, is_cut_short, .. } = page;
        let Shared { args, progress, .. } = &*self.shared;
        // Browsers ignore an unknown label of an HTTP head, too.
        let charset = args.charset.or_else(|| html::charset(page.charset.as_deref()?).ok());
        let not_a_base = |error| io::Error::other(format!("{}: {error}", quoted(uri)));
        let base = AnyBase::new(uri, args.rules).map_err(not_a_base)?;
        if args.no_nofollow && !page.nofollow {
            // The rule in the page is also about the links of its head, which come first.
            page.nofollow = match &mut bytes {
                PageBytes::Memory(json) if content == Content::Wat => wat_nofollow(json),
                _ if content != Content::Html || fields.is_empty() => false,
                PageBytes::Memory(bytes) => self.pages.page_nofollow(bytes, charset),
                PageBytes::File(file, _) => self.pages.page_nofollow_from(file, charset)?,
            };
        }
        let len_of_fields: usize = fields.iter().map(|(_, value)| value.len()).sum();
        let most = Self::LINES.saturating_add(Self::LINES_PER_BYTE.saturating_mul(len + len_of_fields as u64));
        self.pages.max_total = most;
        let mut lines = PageLines::new(&self.shared, &page, &mut self.columns, output, most)?;
        let find = |links: &mut FoundLinks<'_>| {
            for (name, value) in fields {
                damage = field_links(name, value, |link| links.add(link)).map_err(String::from).err().or(damage.take());
            }
            let done = match (content, &mut bytes) {
                (Content::Wat, PageBytes::Memory(json)) => wat_links(json, links),
                (Content::Robots, bytes) => robots_links(bytes.reader(), |link| links.add(link)),
                (Content::Feed, bytes) => {
                    let reads = CountedReads { from: bytes.reader(), uncounted: &mut uncounted, progress };
                    match feed_links(BufReader::new(reads), charset, |found| links.add_within(found.bases, found.link))
                    {
                        Err(error) if is_cut_short && error.kind() == ErrorKind::UnexpectedEof => Ok(()),
                        done => done,
                    }
                }
                _ => Ok(()),
            };
            damage = done.map_err(|error| error.to_string()).err().or(damage.take());
        };
        let mut done = self.pages.found_links(&base, find, |link| lines.add_to_flow(&link)).break_value();
        if content == Content::Html && done.is_none() {
            done = match &mut bytes {
                PageBytes::Memory(bytes) => {
                    self.pages.try_links(bytes, charset, &base, |link| lines.add_to_flow(&link)).break_value()
                }
                PageBytes::File(file, _) => {
                    let reads = CountedReads { from: file, uncounted: &mut uncounted, progress };
                    self.pages.links_from(reads, charset, &base, |link| lines.add(&link)).err()
                }
            };
        }
        let (left_out, rejected_left_out) = lines.finish();
        progress.bytes.add(uncounted);
        if let PageBytes::Memory(bytes) = bytes {
            self.buffer = bytes;
        }
        let too_many = |what: &str, number: u64| {
            let why = "1 MiB and 256 times the page";
            format!("its {what} take more than {most} bytes ({why}): {number} left out")
        };
        match done {
            Some(error) => return Err(error),
            None if left_out > 0 => damage = Some(too_many("links", left_out)),
            None if rejected_left_out > 0 => damage = Some(too_many("rejected links", rejected_left_out)),
            None => {}
        }
        damage.map_or(Ok(()), |why| Err(io::Error::other(why)))
    }
}
