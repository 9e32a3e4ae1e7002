//! A reader of pages, which turns their links into lines.

use std::io::{self, BufReader, ErrorKind};
use std::mem;
use std::sync::Arc;

use relref_links::archive::sniff::{self, CaptureKind};
use relref_links::archive::{wat_links, wat_nofollow};
use relref_links::feeds::{feed_links, is_feed, robots_txt_links};
use relref_links::html::{self, LinkReceiver, Pages, field_links};

use super::long_values::LONG_STYLE_LEN;
use super::measure::{Measures, count_non_ascii, measure};
use super::page_lines::PageLines;
use crate::args::NormalForm;
use crate::base::new_base;
use crate::links::Shared;
use crate::links::columns::UriColumns;
use crate::links::job::Page;
use crate::links::own_thread::in_own_thread;
use crate::links::page_bytes::PageBytes;
use crate::links::pool::{JobOutput, Use};
use crate::links::progress::CountedReads;
use crate::output::shown;

/// A worker's reader of pages. It claims memory for each page, finds the links of the page with [`Pages`], and adds their lines to
/// the output. It keeps its buffers for the next page.
pub struct PageReader {
    shared: Arc<Shared>,
    pages: Pages,
    columns: UriColumns,
    /// A buffer that the caller may take for the bytes of the next page.
    pub buffer: Vec<u8>,
    /// The most bytes of memory that a page may need to be read with the buffers of this reader. A page that needs more is read by
    /// a new reader in a thread of its own, so that its memory is given back.
    max_kept_memory: usize,
}

impl PageReader {
    /// The most bytes of memory that the buffers of all workers may keep together.
    const MAX_KEPT_MEMORY: usize = 16 << 20;
    /// The most bytes of the text of a link, for `--text`.
    const MAX_LINK_TEXT_LEN: usize = 1 << 10;

    /// Returns the reader of one worker. `readers` is the number of readers, which share the memory for buffers.
    pub fn new(shared: &Arc<Shared>, readers: usize) -> Self {
        let args = &shared.args;
        let mut pages = Pages::new();
        pages.lazy = args.lazy;
        pages.items = args.items;
        pages.robots = args.no_nofollow;
        pages.max_text = if args.text { Self::MAX_LINK_TEXT_LEN } else { 0 };
        pages.legacy_queries = args.normalize != NormalForm::None;
        pages.kinds.clone_from(&args.kinds);
        pages.fetchable = args.only_fetchable();
        pages.max_uri = usize::try_from(args.max_uri.0).unwrap_or(usize::MAX);
        PageReader {
            shared: Arc::clone(shared),
            pages,
            columns: UriColumns::new(args),
            buffer: Vec::new(),
            max_kept_memory: Self::MAX_KEPT_MEMORY / readers,
        }
    }

    /// Reads a page, and adds the lines of its links to the output. Before that, waits until memory for the page is available. The
    /// codings of the page must be removed. If its bytes end early because of `damage`, returns this text as the error after all
    /// links.
    pub fn read_page(&mut self, mut page: Page, damage: Option<String>, output: &mut JobOutput<'_>) -> io::Result<()> {
        let args = &self.shared.args;
        let is_in_archive = page.is_in_archive();
        let start = page.bytes.first_bytes()?;
        page.kind = match page.kind {
            CaptureKind::Unknown => {
                let kind = CaptureKind::sniff(&start, &page.uri);
                self.shared.progress.not_pages.add((kind == CaptureKind::None).into());
                kind
            }
            // Servers send feeds as HTML (MIME Sniffing §8).
            CaptureKind::Html if is_in_archive && is_feed(&start) => CaptureKind::Feed,
            // A file or stream that nothing else says to be a page is read as one.
            CaptureKind::Html if !is_in_archive => match CaptureKind::sniff(&start, &page.uri) {
                CaptureKind::None => CaptureKind::Html,
                kind => kind,
            },
            kind => kind,
        };
        if page.kind == CaptureKind::None && page.fields.is_empty() {
            return Ok(());
        }
        let has_charset = args.charset.is_some() || page.charset.is_some();
        let may_be_binary = !is_in_archive && !has_charset && page.kind != CaptureKind::Feed;
        if may_be_binary && sniff::is_binary(&start) {
            return Err(io::Error::other("binary data, not a page"));
        }
        let max = args.max_uri.0;
        if page.uri.len() as u64 > max {
            return Err(io::Error::other(format!("its URI has more than {max} bytes (--max-uri)")));
        }
        let len = page.bytes.len()?;
        let memory = match &mut page.bytes {
            PageBytes::Memory(bytes) => self.max_memory(len, count_non_ascii(bytes), usize::MAX),
            // Feeds and `robots.txt` are read as streams.
            PageBytes::File(..) if page.kind != CaptureKind::Html => self.max_memory(1 << 20, 0, usize::MAX),
            PageBytes::File(file, _) => {
                let Measures { non_ascii, has_long_values } = measure(file, &mut self.buffer)?;
                let most = if has_long_values { u64::MAX } else { LONG_STYLE_LEN as u64 };
                self.max_memory(len.min(most), non_ascii.min(most), Pages::MAX_TAG_LEN)
            }
        };
        let _memory = output.claimant.claim(Use::Page, memory as u64)?;
        if page.kind != CaptureKind::None && page.is_about_page() {
            self.shared.progress.pages.add(1);
        }
        if memory <= self.max_kept_memory {
            return self.add_links(page, damage, output);
        }
        let mut reader = PageReader::new(&self.shared, 1);
        in_own_thread(move || reader.add_links(page, damage, output))
    }

    /// Returns the most bytes of memory that reading a page may take. That is three times its text (as text, as the value of an
    /// attribute, and as that value without character references), and a URI with its columns. With `--text`, also a reference and
    /// a URI that wait for the text of their link.
    ///
    /// - `len` is the length of the page in bytes. The estimate adds half of it as a reserve.
    /// - `non_ascii` is the number of bytes that are not US-ASCII. Each may become three bytes in UTF-8.
    /// - `max_loaded_len` is the most bytes of text that are in memory at once, for a page that is read as a stream. Without this
    ///   limit, it is `usize::MAX`.
    fn max_memory(&self, len: u64, non_ascii: u64, max_loaded_len: usize) -> usize {
        let args = &self.shared.args;
        let text = usize::try_from(len + len / 2 + 2 * non_ascii).unwrap_or(usize::MAX).min(max_loaded_len);
        let uri = text.min(self.pages.max_uri);
        let has_columns = args.normalize != NormalForm::None || args.key.is_some();
        let waiting = if args.text { text.saturating_add(uri) } else { 0 };
        let uri = uri.saturating_mul(if has_columns { 12 } else { 2 });
        text.saturating_mul(3).saturating_add(uri).saturating_add(waiting)
    }

    /// Adds the lines of the links of a page to the output. An error is the problem of the page. If there is `damage`, and no other
    /// problem is found, returns it as the error after all links.
    fn add_links(&mut self, mut page: Page, mut damage: Option<String>, output: &mut JobOutput<'_>) -> io::Result<()> {
        let len = page.bytes.len()?;
        // The bytes of an archive are counted where it is read.
        let mut uncounted = if page.is_in_archive() { 0 } else { len };
        let mut bytes = mem::replace(&mut page.bytes, PageBytes::Memory(Vec::new()));
        let Page { ref uri, ref fields, kind, is_cut_short, .. } = page;
        let Shared { args, progress, .. } = &*self.shared;
        // Browsers ignore an unknown label of an HTTP head, too.
        let charset = args.charset.or_else(|| html::charset(page.charset.as_deref()?).ok());
        let not_a_base = |error| io::Error::other(format!("{}: {error}", shown(uri)));
        let base = new_base(uri, args.rules, args.nested).map_err(not_a_base)?;
        if args.no_nofollow && !page.nofollow {
            // The rule in the page is also about the links of its `head` element, which come first.
            page.nofollow = match &mut bytes {
                PageBytes::Memory(json) if kind == CaptureKind::Wat => wat_nofollow(json),
                _ if kind != CaptureKind::Html || fields.is_empty() => false,
                PageBytes::Memory(bytes) => self.pages.page_nofollow(bytes, charset),
                PageBytes::File(file, _) => self.pages.page_nofollow_from(file, charset)?,
            };
        }
        let len_of_fields: usize = fields.iter().map(|(_, value)| value.len()).sum();
        let len_with_fields = len + len_of_fields as u64;
        self.pages.max_total = PageLines::max_len(len_with_fields);
        let mut lines = PageLines::new(&self.shared, &page, &base, &mut self.columns, output, len_with_fields)?;
        let find = |links: &mut LinkReceiver<'_>| {
            for (name, value) in fields {
                damage = field_links(name, value, |link| links.add(link)).map_err(String::from).err().or(damage.take());
            }
            let done = match (kind, &mut bytes) {
                (CaptureKind::Wat, PageBytes::Memory(json)) => wat_links(json, links),
                (CaptureKind::Robots, bytes) => robots_txt_links(bytes.reader(), |link| links.add(link)),
                (CaptureKind::Feed, bytes) => {
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
        if kind == CaptureKind::Html && done.is_none() {
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
        let too_many = lines.finish();
        progress.bytes.add(uncounted);
        if let PageBytes::Memory(bytes) = bytes {
            self.buffer = bytes;
        }
        if let Some(error) = done {
            return Err(error);
        }
        damage = too_many.or(damage);
        damage.map_or(Ok(()), |why| Err(io::Error::other(why)))
    }
}
