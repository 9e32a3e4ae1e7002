//! The reader of an archive's links, batch by batch.

use std::io::{ErrorKind, Read};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use encoding_rs::Encoding;
use pyo3::PyErr;
use relref::crawl::Scope;
use relref::{AnyBase, RuleSet};
use relref_links::archive::sniff::CaptureKind;
use relref_links::archive::{wat_links, wat_nofollow};
use relref_links::feeds::{feed_links, robots_txt_links};
use relref_links::html::{self, Link, LinkReceiver, Pages, Rejected, field_links};

use super::input::{Archive, Archives};
use super::page_bytes::PageBytes;
use super::pages::{DecodedPage, Found, Limits, Problem, SkippedTotals, next_page};
use super::problems::{Damage, Problems};
use super::rows::{Columns, NormalForms, PageValues};

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
pub struct Settings {
    pub rules: RuleSet,
    pub pages: Pages,
    pub charset: Option<&'static Encoding>,
    pub limits: Limits,
    pub columns: Columns,
    pub normal_forms: NormalForms,
    /// The scope of the links that are rows; `None` if every link is a row.
    pub scope: Option<Scope>,
    /// True if problems are rows.
    pub in_rows: bool,
    /// True if links that are no valid URL are rows.
    pub report_invalid: bool,
    pub batch_rows: usize,
    pub counts: Arc<Counts>,
    /// The exception of the file that ends the reading, once there is one.
    pub interrupt: Arc<OnceLock<PyErr>>,
}

/// A reader of archives.
pub struct Reader<R> {
    archives: Archives<R>,
    /// The current archive; `None` before the first and after the last one.
    archive: Option<Archive<R>>,
    /// True after an exception ended the reading.
    is_over: bool,
    settings: Settings,
    skipped: SkippedTotals,
    /// The bytes in the batch under construction.
    bytes: u64,
}

/// Adds 1 to a count.
fn count(count: &AtomicU64) {
    count.fetch_add(1, Ordering::Relaxed);
}

/// The number of bytes that the rows of a page may have, however short the page is.
const ROWS_LEN: u64 = 1 << 20;
/// The number of bytes that the rows of a page may have in addition for each byte of the page.
const ROWS_LEN_PER_BYTE: u64 = 256;
/// The most bytes that the rows of a page may have: more would not fit in a batch.
const MAX_ROWS_LEN: u64 = 1 << 30;
/// The number of bytes after which a batch is finished.
const BATCH_LEN: u64 = 32 << 20;

impl<R: Read> Reader<R> {
    pub fn new(archives: Archives<R>, settings: Settings) -> Self {
        Reader { archives, archive: None, is_over: false, settings, skipped: SkippedTotals::default(), bytes: 0 }
    }

    /// Adds the rows of a page. Adds its problems to `problems`.
    fn read_page(&mut self, page: DecodedPage, problems: &mut Vec<Problem>) {
        let offset = page.offset;
        if let Err(why) = self.try_read_page(page, problems) {
            problems.push((Some(offset), why));
        }
    }

    /// Adds the rows of a page, as [`read_page`](Self::read_page) does. Returns its last problem as an error.
    fn try_read_page(&mut self, page: DecodedPage, problems: &mut Vec<Problem>) -> Result<(), String> {
        let is_about_page = page.is_about_page();
        let DecodedPage { offset, uri, charset, fields, nofollow, kind, mut bytes, is_cut_short } = page;
        let Settings { rules, pages, charset: known, columns, normal_forms, scope, report_invalid, counts, .. } =
            &mut self.settings;
        if is_about_page {
            count(&counts.pages);
        }
        let name = self.archive.as_ref().and_then(|archive| archive.name.as_deref());
        let values = PageValues { uri: &uri, archive: name, offset };
        let len_of_values = (uri.len() + name.map_or(0, str::len)) as u64;
        let base = AnyBase::new(&uri, *rules).map_err(|refused| format!("its URI {uri:?}: {refused}"))?;
        let len = bytes.len().map_err(|error| error.to_string())?;
        let len_of_fields = fields.iter().map(|(_, value)| value.len() as u64).sum::<u64>();
        let most = ROWS_LEN.saturating_add(ROWS_LEN_PER_BYTE.saturating_mul(len + len_of_fields)).min(MAX_ROWS_LEN);
        pages.max_total = most;
        normal_forms.start_page(most);
        let page_uri = scope.as_ref().map(|_| normal_forms.page_uri(&uri));
        let charset = known.or_else(|| html::charset(charset.as_deref()?).ok());
        let (mut used, mut left_out) = (0, 0_u64);
        let nofollow = pages.robots
            && (nofollow
                || match (kind, &mut bytes) {
                    (CaptureKind::Wat, PageBytes::Memory(json)) => wat_nofollow(json),
                    // The rule in the page is also about the links of its head, which come first.
                    (CaptureKind::Html, bytes) if !fields.is_empty() => {
                        bytes.nofollow(pages, charset).map_err(|error| error.to_string())?
                    }
                    _ => false,
                });
        let mut add = |link: Link<'_>| {
            let link = Link { page_nofollow: link.page_nofollow || nofollow, ..link };
            let is_invalid = match link.rejected {
                None => false,
                Some(Rejected::TooLong) => return count(&counts.too_long),
                Some(Rejected::Invalid(_)) => {
                    count(&counts.invalid);
                    if !*report_invalid {
                        return;
                    }
                    true
                }
                Some(_) => {
                    left_out += 1;
                    return;
                }
            };
            let texts = [link.element, link.attribute, link.rel, link.reference, link.text, link.uri, link.uri];
            let row = len_of_values + texts.iter().map(|text| text.len() as u64).sum::<u64>();
            if used + row > most {
                left_out += 1;
                return;
            }
            if is_invalid {
                used += columns.add_link(&values, &link, None, None);
                return;
            }
            let Some((form, key, is_normal)) = normal_forms.of(link.uri) else {
                left_out += 1;
                return;
            };
            // A link that has no normal form may also be on the host of the page as it is.
            let mut pages = page_uri.iter().map(|page| &**page).chain((!is_normal).then_some(&*uri));
            if scope.as_ref().is_some_and(|scope| pages.all(|page| scope.check(form, page).is_err())) {
                return count(&counts.out_of_scope);
            }
            used += columns.add_link(&values, &link, Some(form), key);
            count(&counts.links);
            if !is_normal {
                count(&counts.not_normalized);
            }
        };
        let mut flow = |link: Link<'_>| {
            add(link);
            ControlFlow::<()>::Continue(())
        };
        let mut damage = None;
        let find = |links: &mut LinkReceiver<'_>| {
            for (name, value) in &fields {
                damage = field_links(name, value, |link| links.add(link)).err().or(damage);
            }
        };
        let _ = pages.found_links(&base, find, &mut flow);
        let mut done = Ok(());
        match (kind, bytes) {
            (CaptureKind::None, _) => {}
            (CaptureKind::Wat, PageBytes::Memory(bytes)) => {
                let find = |links: &mut LinkReceiver<'_>| done = wat_links(&bytes, links);
                let _ = pages.found_links(&base, find, &mut flow);
            }
            (CaptureKind::Feed | CaptureKind::Robots, bytes) => {
                let input = bytes.reader();
                let find = |links: &mut LinkReceiver<'_>| {
                    done = match kind {
                        CaptureKind::Robots => robots_txt_links(input, |link| links.add(link)),
                        _ => match feed_links(input, charset, |found| links.add_within(found.bases, found.link)) {
                            Err(error) if is_cut_short && error.kind() == ErrorKind::UnexpectedEof => Ok(()),
                            done => done,
                        },
                    };
                };
                let _ = pages.found_links(&base, find, &mut flow);
            }
            (_, PageBytes::Memory(bytes)) => pages.links(&bytes, charset, &base, add),
            (_, PageBytes::File(file)) => {
                done = pages.links_from(file, charset, &base, |link| {
                    add(link);
                    Ok(())
                });
            }
        }
        self.bytes += used;
        if left_out > 0 {
            problems.push((Some(offset), format!("its links take more than {most} bytes: {left_out} left out")));
        }
        done.map_err(|error| error.to_string())?;
        damage.map_or(Ok(()), |why| Err(String::from(why)))
    }

    /// Goes to the next archive. Returns false if there is none.
    fn next_archive(&mut self) -> bool {
        if let Some(last) = self.archive.take() {
            self.skipped.add(last.records.skipped());
        }
        loop {
            match self.archives.next() {
                Some(Ok(archive)) => self.archive = Some(archive),
                Some(Err(damage)) => {
                    self.report(damage);
                    continue;
                }
                None => {}
            }
            return self.archive.is_some();
        }
    }

    /// Adds the rows of the next page of the archive, or of many problems before it. Returns false if there is none.
    fn next_page(&mut self) -> bool {
        let Some(Archive { records, .. }) = &mut self.archive else { return false };
        let mut problems = Vec::new();
        let found = next_page(records, self.settings.limits, &mut problems, &mut self.skipped);
        *self.settings.counts.skipped.lock().unwrap_or_else(PoisonError::into_inner) =
            self.skipped.counts(records.skipped());
        self.report_all(&mut problems);
        if let Found::Page(page) = found {
            self.read_page(page, &mut problems);
            self.report_all(&mut problems);
            return true;
        }
        matches!(found, Found::Problems)
    }

    /// Adds problems of the archive.
    fn report_all(&mut self, problems: &mut Vec<Problem>) {
        for (offset, reason) in problems.drain(..) {
            let archive = self.archive.as_ref().and_then(|archive| archive.name.clone());
            self.report(Damage { archive, offset, reason });
        }
    }

    /// Adds a problem to the rows or to the list.
    fn report(&mut self, damage: Damage) {
        let Settings { columns, in_rows, counts, .. } = &mut self.settings;
        if *in_rows {
            columns.add_problem(&damage);
            self.bytes += (damage.reason.len() + damage.archive.map_or(0, |name| name.len())) as u64;
        } else {
            counts.problems.lock().unwrap_or_else(PoisonError::into_inner).add(damage);
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        while self.settings.columns.rows() < self.settings.batch_rows.max(1) && self.bytes < BATCH_LEN {
            let goes_on = self.next_page() || self.next_archive();
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
