//! The reader of an archive's links, batch by batch.

use std::borrow::Cow;
use std::io::{self, Read};
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use relref::AnyBase;
use relref::crawl::Scope;
use relref_links::html::{Link, Rejected};
use relref_links::page::{Captures, LinkReader, Page, PageKind, Skipped, Statuses, Store, UriForm, UriForms};

use super::problems::{Damage, Problems};
use super::rows::{Columns, PageValues};
use crate::signals::{Interrupt, Signals};

/// The counts of a reader. Python sees them while it reads, by properties of the same names.
#[derive(Default)]
pub struct Counts {
    pub pages: AtomicU64,
    pub links: AtomicU64,
    pub too_long: AtomicU64,
    pub invalid: AtomicU64,
    pub not_normalized: AtomicU64,
    pub out_of_scope: AtomicU64,
    /// The numbers of records that were skipped, by reason.
    pub skipped: Mutex<Vec<(&'static str, u64)>>,
    /// The problems that are not rows.
    pub problems: Mutex<Problems>,
}

impl Counts {
    /// Returns a count.
    pub fn get(count: &AtomicU64) -> u64 {
        count.load(Ordering::Relaxed)
    }
}

/// The settings of a reader.
pub struct ReaderSettings {
    pub reader: LinkReader,
    pub max_page: u64,
    /// Those of the captures that are read; `None` for all.
    pub statuses: Option<Statuses>,
    pub columns: Columns,
    pub forms: UriForms,
    /// The scope of the links that are rows; `None` if every link is a row.
    pub scope: Option<Scope>,
    /// True if the canonical link of a page is taken as its URI.
    pub canonical: bool,
    /// True if problems are rows.
    pub in_rows: bool,
    /// True if links that are no valid URL are rows.
    pub report_invalid: bool,
    pub batch_rows: usize,
    pub counts: Arc<Counts>,
    /// The exception of the file that ends the reading, once there is one.
    pub interrupt: Arc<Interrupt>,
}

/// An archive.
pub struct Archive<R> {
    /// The name of the archive in a WACZ file; `None` if the input itself is the archive.
    pub name: Option<Arc<str>>,
    pub captures: Captures<R>,
}

/// The archives of an input, in their order. An error is a problem between them.
pub type Archives<R> = Box<dyn Iterator<Item = Result<Archive<R>, Damage>> + Send>;

/// A reader of archives.
pub struct Reader<R> {
    archives: Archives<R>,
    /// The current archive; `None` before the first and after the last one.
    archive: Option<Archive<R>>,
    /// True after an exception ended the reading.
    is_over: bool,
    settings: ReaderSettings,
    /// The numbers of records skipped in the archives before the current one.
    skipped: Skipped,
    /// The number of decoded pages whose first bytes are not those of a page.
    not_pages: u64,
    /// The bytes in the batch under construction.
    bytes: u64,
    signals: Signals,
}

/// Fails, after it keeps the exception, if that of a signal ends the reading.
fn look_for_signals(signals: &mut Signals, interrupt: &Interrupt) -> io::Result<()> {
    signals.check().map_err(|error| {
        interrupt.set_signal(error);
        io::ErrorKind::Interrupted.into()
    })
}

/// The rows of the links of a page.
struct PageRows<'p> {
    values: PageValues<'p>,
    /// The bytes of the values that all rows have.
    len_of_values: u64,
    /// The most bytes of all rows.
    most: u64,
    /// The forms of the URI of the page, if there is a scope.
    page_uri: Option<Cow<'p, str>>,
    columns: &'p mut Columns,
    forms: &'p mut UriForms,
    scope: Option<&'p Scope>,
    report_invalid: bool,
    counts: &'p Counts,
    used: u64,
    /// The number of links without room.
    left_out: u64,
}

impl PageRows<'_> {
    fn add(&mut self, link: &Link<'_>) {
        let is_invalid = match link.rejected {
            None => false,
            Some(Rejected::TooLong) => return count(&self.counts.too_long),
            Some(Rejected::Invalid(_) | Rejected::Field(_)) => {
                count(&self.counts.invalid);
                if !self.report_invalid {
                    return;
                }
                true
            }
            Some(_) => {
                self.left_out += 1;
                return;
            }
        };
        let of_page = [link.page_title, link.hreflang, link.media];
        let texts = [link.element, link.attribute, link.rel, link.reference, link.text, link.uri, link.uri];
        let texts = texts.into_iter().chain(of_page);
        let row = self.len_of_values + texts.map(|text| text.len() as u64).sum::<u64>();
        if self.used + row > self.most {
            self.left_out += 1;
            return;
        }
        if is_invalid {
            self.used += self.columns.add_link(&self.values, link, None, None);
            return;
        }
        let Some(UriForm { uri: form, key, is_normal, .. }) = self.forms.of(link.uri) else {
            self.left_out += 1;
            return;
        };
        // A link that has no normal form may also be on the host of the page as it is.
        let mut pages = self.page_uri.iter().map(|page| &**page).chain((form == link.uri).then_some(self.values.uri));
        if self.scope.is_some_and(|scope| pages.all(|page| scope.check(form, page).is_err())) {
            return count(&self.counts.out_of_scope);
        }
        self.used += self.columns.add_link(&self.values, link, Some(form), key);
        count(&self.counts.links);
        if !is_normal {
            count(&self.counts.not_normalized);
        }
    }
}

/// Adds 1 to a count.
fn count(count: &AtomicU64) {
    count.fetch_add(1, Ordering::Relaxed);
}

/// The most bytes that the rows of a page may have: more would not fit in a batch.
pub const MAX_ROWS_LEN: u64 = 1 << 30;
/// The number of bytes after which a batch is finished.
const BATCH_LEN: u64 = 32 << 20;

impl<R: Read> Reader<R> {
    pub fn new(archives: Archives<R>, settings: ReaderSettings) -> Self {
        let skipped = Skipped::default();
        Reader {
            archives,
            archive: None,
            is_over: false,
            settings,
            skipped,
            not_pages: 0,
            bytes: 0,
            signals: Signals::new(),
        }
    }

    /// Adds the rows of a page. Its problems are reported after them.
    fn read_page(&mut self, mut page: Page) {
        let offset = page.offset;
        for why in self.try_read_page(&mut page).err().into_iter().flatten() {
            self.report(offset, why);
        }
    }

    /// Adds the rows of a page. An error has the problems of the page.
    fn try_read_page(&mut self, page: &mut Page) -> Result<(), Vec<String>> {
        let text = |error: io::Error| vec![error.to_string()];
        let name = self.archive.as_ref().and_then(|archive| archive.name.as_deref());
        let ReaderSettings {
            reader,
            columns,
            forms,
            scope,
            canonical,
            report_invalid,
            counts,
            max_page,
            interrupt,
            ..
        } = &mut self.settings;
        let was_unknown = page.kind == PageKind::Unknown;
        page.decode(&mut Store { max_page: *max_page, ..store() }).map_err(text)?;
        if page.kind == PageKind::None {
            self.not_pages += u64::from(was_unknown);
            if page.fields.is_empty() {
                return Ok(());
            }
        }
        let damage = page.damage.take();
        let and_damage = |why: String| damage.iter().cloned().chain([why]).collect::<Vec<_>>();
        let (uri, max_uri) = (mem::take(&mut page.uri), reader.pages.options.max_uri);
        if uri.len() > max_uri {
            return Err(and_damage(format!("its URI has more than {max_uri} bytes (max_uri)")));
        }
        if page.is_about_page() {
            count(&counts.pages);
        }
        let base =
            AnyBase::new(&uri, reader.rules).map_err(|refused| and_damage(format!("its URI {uri:?}: {refused}")))?;
        let uri = canonical.then(|| reader.canonical_link(page, &base)).flatten().unwrap_or(uri);
        let (date, media_type) = (page.date.take(), mem::take(&mut page.media_type));
        let values = PageValues {
            uri: &uri,
            archive: name,
            offset: page.offset.unwrap_or_default(),
            status: page.status,
            date: date.as_deref(),
            media_type: &media_type,
        };
        let len_of_values = (uri.len() + name.map_or(0, str::len) + media_type.len()) as u64;
        let most = page.max_links_len().map_err(text)?.min(MAX_ROWS_LEN);
        forms.start_page(most);
        let page_uri = scope.as_ref().map(|_| forms.page_uri(&uri));
        let mut rows = PageRows {
            values,
            len_of_values,
            most,
            page_uri,
            columns,
            forms,
            scope: scope.as_ref(),
            report_invalid: *report_invalid,
            counts,
            used: 0,
            left_out: 0,
        };
        let done = reader.decoded_links(page, &base, |link| {
            rows.add(link);
            look_for_signals(&mut self.signals, interrupt)
        });
        self.bytes += rows.used;
        let left_out = rows.left_out;
        let left_out = (left_out > 0).then(|| format!("its links take more than {most} bytes: {left_out} left out"));
        let others = left_out.into_iter().chain(done.err().map(|error| error.to_string()));
        let problems: Vec<_> = damage.into_iter().chain(others).collect();
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Goes to the next archive. Returns false if there is none.
    fn next_archive(&mut self) -> bool {
        if let Some(last) = self.archive.take() {
            self.skipped = self.skipped_with(last.captures.skipped());
        }
        loop {
            match self.archives.next() {
                Some(Ok(Archive { name, mut captures })) => {
                    if let Some(statuses) = &self.settings.statuses {
                        captures = captures.with_statuses(statuses.clone());
                    }
                    self.archive = Some(Archive { name, captures });
                }
                Some(Err(damage)) => {
                    self.report_damage(damage);
                    continue;
                }
                None => {}
            }
            return self.archive.is_some();
        }
    }

    /// Adds the rows of the next page of the archive, or its next problem. Returns false if there is none.
    fn next_page(&mut self) -> bool {
        let Some(Archive { captures, .. }) = &mut self.archive else { return false };
        let next = captures.next_stored(&mut Store { max_page: self.settings.max_page, ..store() });
        let skipped = captures.skipped();
        let is_end = next.is_none();
        match next {
            Some(Ok(page)) => self.read_page(page),
            Some(Err(problem)) => self.report(Some(problem.offset), problem.error.to_string()),
            None => {}
        }
        let counts = self.skipped_with(skipped);
        *self.settings.counts.skipped.lock().unwrap_or_else(PoisonError::into_inner) = vec![
            ("other_media_types", counts.other_media_types),
            ("other_statuses", counts.other_statuses),
            ("other_kinds", counts.other_kinds),
            ("other_protocols", counts.other_protocols),
            ("revisits_without_head", counts.revisits_without_head),
            ("revisits_of_other_uris", counts.revisits_of_other_uris),
            ("not_pages", counts.not_pages + self.not_pages),
        ];
        !is_end
    }

    /// Returns the numbers of all archives up to now, with those of the current one.
    fn skipped_with(&self, current: Skipped) -> Skipped {
        let mut all = self.skipped;
        all.other_media_types += current.other_media_types;
        all.other_statuses += current.other_statuses;
        all.other_kinds += current.other_kinds;
        all.other_protocols += current.other_protocols;
        all.revisits_without_head += current.revisits_without_head;
        all.revisits_of_other_uris += current.revisits_of_other_uris;
        all.not_pages += current.not_pages;
        all
    }

    fn report(&mut self, offset: Option<u64>, reason: String) {
        let archive = self.archive.as_ref().and_then(|archive| archive.name.clone());
        self.report_damage(Damage { archive, offset, reason });
    }

    /// Adds a problem to the rows or to the list.
    fn report_damage(&mut self, damage: Damage) {
        let ReaderSettings { columns, in_rows, counts, .. } = &mut self.settings;
        if *in_rows {
            columns.add_problem(&damage);
            self.bytes += (damage.reason.len() + damage.archive.map_or(0, |name| name.len())) as u64;
        } else {
            counts.problems.lock().unwrap_or_else(PoisonError::into_inner).add(damage);
        }
    }
}

/// Returns the store for the bytes of a page: many stay in memory, as one page is read at a time.
fn store() -> Store<'static> {
    Store { in_memory: 8 << 20, ..Store::default() }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        while self.settings.columns.rows() < self.settings.batch_rows.max(1) && self.bytes < BATCH_LEN {
            let _ = look_for_signals(&mut self.signals, &self.settings.interrupt);
            let goes_on = self.settings.interrupt.get().is_none() && (self.next_page() || self.next_archive());
            if let Some(interrupt) = self.settings.interrupt.get() {
                self.is_over = true;
                return Some(Err(ArrowError::ExternalError(interrupt.to_string().into())));
            }
            if !goes_on {
                break;
            }
        }
        self.bytes = 0;
        (self.settings.columns.rows() > 0).then(|| self.settings.columns.finish())
    }
}

impl<R: Read> RecordBatchReader for Reader<R> {
    fn schema(&self) -> SchemaRef {
        self.settings.columns.schema()
    }
}
