//! The links of a web archive to what it should have, but has not.

use std::collections::hash_map::{Entry, RandomState};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs;
use std::hash::BuildHasher;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::str;

use relref::crawl::Normalizer;
use relref::{UriRef, whatwg};

use super::mhtml::each_mhtml_problem;
use super::page_reader::{KINDS, link_options};
use super::problem::{Problem, ProblemKind, Totals, Unread};
use crate::archive::{Records, each_archive};
use crate::html::{Link, Locate, PageSink, Pages, Rejected};
use crate::page::{Captures, LinkReader, Page};

/// The URIs that were captured, by hashes.
struct Captured {
    hasher: RandomState,
    /// URIs are compared in their normal form.
    normalizer: Normalizer,
    /// The status of the best capture of each URI: 200 also of files, and of responses without one.
    uris: HashMap<u64, u16>,
    hosts: HashSet<u64>,
}

impl Captured {
    fn new() -> Self {
        Captured {
            hasher: RandomState::new(),
            normalizer: Normalizer::safe(),
            uris: HashMap::new(),
            hosts: HashSet::new(),
        }
    }

    /// The hash of a URI without its fragment.
    fn key(&self, uri: &str) -> u64 {
        let uri = uri.split('#').next().unwrap_or_default();
        match self.normalizer.normalize(uri) {
            Ok(normal) => self.hasher.hash_one(&*normal),
            Err(_) => self.hasher.hash_one(uri),
        }
    }

    fn add(&mut self, uri: &str, status: u16) {
        let normal = whatwg::Base::new(uri);
        let uri = normal.as_ref().map_or(uri, |base| base.as_str());
        match self.uris.entry(self.key(uri)) {
            Entry::Occupied(mut known) if is_error(*known.get()) && !is_error(status) => _ = known.insert(status),
            Entry::Occupied(_) => {}
            Entry::Vacant(new) => _ = new.insert(status),
        }
        self.hosts.extend(host(uri).map(|host| self.hasher.hash_one(host)));
    }

    fn records(&mut self, mut records: Records<impl Read>) {
        while let Some(record) = records.next_record() {
            // Damage is reported when the pages are read.
            let Ok(record) = record else { continue };
            if !matches!(&*record.kind, "response" | "revisit" | "resource") {
                continue;
            }
            // `HTTP/1.1 200`.
            let (mut start, mut len) = ([0; 12], 0);
            while let Ok(read @ 1..) = records.read(&mut start[len..]) {
                len += read;
            }
            let status = || str::from_utf8(start.get(9..12)?).ok()?.parse().ok();
            self.add(&record.target_uri, status().filter(|_| start.starts_with(b"HTTP/")).unwrap_or(200));
        }
    }

    fn judge(&self, link: &Link<'_>) -> Judgement {
        match link.rejected {
            Some(Rejected::Invalid(error)) => return Judgement::Fails(ProblemKind::Invalid, error.to_string()),
            Some(_) => return Judgement::External,
            None => {}
        }
        if host(link.uri).is_none_or(|host| !self.hosts.contains(&self.hasher.hash_one(host))) {
            return Judgement::External;
        }
        match self.uris.get(&self.key(link.uri)) {
            None => Judgement::Fails(ProblemKind::Missing, "it was not captured".to_owned()),
            Some(status) if is_error(*status) => Judgement::Fails(ProblemKind::Status, status.to_string()),
            Some(_) => Judgement::Works,
        }
    }
}

enum Judgement {
    External,
    Works,
    /// Why, with more about it.
    Fails(ProblemKind, String),
}

fn is_error(status: u16) -> bool {
    status >= 400
}

fn host(uri: &str) -> Option<&str> {
    UriRef::new(uri).host().filter(|host| !host.is_empty())
}

/// Reports every problem of a WARC, ARC or WACZ file to `each`, in the order of its records, until it breaks off. A link fails that leads
/// to a host of which something was captured, and was itself not captured, or captured with the status of an error. Fragments are not
/// looked for. The file is read twice.
///
/// An MHTML file or a mail is read three times: a link in one of its parts fails if it leads to a part that is not there, by `cid:` or
/// as a relative reference that no `Content-Location` makes absolute, or to a fragment that a part lacks. A page that was saved alone
/// has links to all others of its site, so that links to what is not in the file are those to other sites.
///
/// Memory: about 20 bytes for each URI that was captured, and what [`Captures`] needs; of an MHTML file, also 16 MiB for fragments.
///
/// # Errors
/// The file cannot be read, or is no such archive. Damage of a record is an [`Unread`].
pub fn each_archive_problem(
    path: impl AsRef<Path>,
    mut each: impl FnMut(Result<Problem, Unread>) -> ControlFlow<()>,
) -> io::Result<Totals> {
    let path = path.as_ref();
    // To open a named pipe for the second time could wait forever.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "an archive is read twice, and must be a file"));
    }
    if let Some(totals) = each_mhtml_problem(path, &mut each)? {
        return Ok(totals);
    }
    let mut captured = Captured::new();
    let _ = each_archive(path, |_, records| {
        // What cannot be read is reported when the pages are read.
        let _ = records.map(|records| captured.records(records));
        ControlFlow::<()>::Continue(())
    })?;
    let mut reader = LinkReader { pages: Pages::with(link_options(&KINDS, false)), ..LinkReader::default() };
    let (page_uri, totals, flow) = (String::new(), Totals::default(), ControlFlow::Continue(()));
    let mut check = ArchiveCheck { path, captured, page_uri, totals, flow, each };
    let _ = each_archive(path, |_, records| match records {
        Ok(records) => Captures::from(records).try_for_each(|page| match page {
            Ok(page) => check.page(&mut reader, page),
            Err(problem) => check.unread(&problem),
        }),
        Err(error) => check.unread(&error),
    })?;
    Ok(check.totals)
}

struct ArchiveCheck<'p, E> {
    path: &'p Path,
    captured: Captured,
    page_uri: String,
    totals: Totals,
    /// Breaks once `each` does.
    flow: ControlFlow<()>,
    each: E,
}

impl<E> ArchiveCheck<'_, E>
where
    E: FnMut(Result<Problem, Unread>) -> ControlFlow<()>,
{
    fn unread(&mut self, error: &dyn fmt::Display) -> ControlFlow<()> {
        self.totals.unread += 1;
        (self.each)(Err(Unread { path: self.path.to_owned(), why: error.to_string() }))
    }

    fn page(&mut self, reader: &mut LinkReader, mut page: Page) -> ControlFlow<()> {
        self.page_uri.clone_from(&page.uri);
        self.totals.pages += u64::from(page.is_about_page());
        self.totals.bytes += page.bytes.len().unwrap_or_default();
        match reader.read(&mut page, self) {
            Err(error) if self.flow.is_continue() => self.unread(&format_args!("{}: {error}", page.uri)),
            _ => self.flow,
        }
    }
}

impl<E: FnMut(Result<Problem, Unread>) -> ControlFlow<()>> PageSink for ArchiveCheck<'_, E> {
    fn is_browser(&self) -> bool {
        true
    }

    fn link(&mut self, link: &Link<'_>, _: &mut Locate<'_, '_>) -> io::Result<()> {
        self.totals.links += 1;
        let (kind, note) = match self.captured.judge(link) {
            Judgement::External => return Ok(()),
            Judgement::Works => {
                self.totals.internal += 1;
                return Ok(());
            }
            Judgement::Fails(kind, note) => (kind, note),
        };
        self.totals.internal += u64::from(kind != ProblemKind::Invalid);
        self.totals.problems += 1;
        let page = PathBuf::from(&self.page_uri);
        self.flow = (self.each)(Ok(Problem { page, ..Problem::of(link, kind, link.uri, Some(note)) }));
        if self.flow.is_break() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    #[test]
    fn what_cannot_be_read_twice_is_refused() {
        let refused = super::each_archive_problem("/dev/null", |_| std::ops::ControlFlow::Continue(())).unwrap_err();
        assert_eq!(refused.to_string(), "an archive is read twice, and must be a file");
    }
}
