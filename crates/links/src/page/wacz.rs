//! The pages of all archives in a WACZ file, one archive after the other.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use super::any_page::Page;
use super::bytes::Store;
use super::problem::ArchiveProblem;
use super::record_pages::CaptureState;
use crate::archive::{EntryReader, ReadSeek, Records, SkippedRecords, Wacz};

/// The most bytes of memory that are needed beside those of the records.
const MEMORY: u64 = Wacz::MEMORY;

/// The archives in a WACZ file, and the records of the one that is read.
pub(super) struct WaczRecords<R> {
    file: Shared<R>,
    wacz: Wacz<Shared<R>>,
    records: Option<Records<EntryReader<Shared<R>>>>,
    /// The numbers of records that were skipped and read in the archives before it.
    before: Counts,
    /// The same of all archives up to now.
    pub(super) counts: Counts,
    /// The most memory, in bytes, that the archives so far need.
    pub(super) memory: u64,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) skipped: SkippedRecords,
    pub(super) bytes_read: u64,
}

impl Counts {
    fn add<R: Read>(self, records: &Records<R>) -> Self {
        let (one, other) = (self.skipped, records.skipped());
        let skipped = SkippedRecords {
            other_kinds: one.other_kinds + other.other_kinds,
            other_protocols: one.other_protocols + other.other_protocols,
            revisits_without_head: one.revisits_without_head + other.revisits_without_head,
            revisits_of_other_uris: one.revisits_of_other_uris + other.revisits_of_other_uris,
        };
        Counts { skipped, bytes_read: self.bytes_read + records.bytes_read() }
    }
}

impl<R: ReadSeek> WaczRecords<R> {
    pub(super) fn new(input: R) -> io::Result<Self> {
        let file = Shared(Arc::new(Mutex::new(input)));
        let wacz = Wacz::new(file.clone())?;
        let (before, counts) = (Counts::default(), Counts::default());
        Ok(WaczRecords { file, wacz, records: None, before, counts, memory: MEMORY })
    }

    pub(super) fn next_stored(
        &mut self,
        state: &mut CaptureState,
        store: &mut Store<'_>,
    ) -> Option<Result<Page, ArchiveProblem>> {
        loop {
            if let Some(records) = &mut self.records {
                let page = state.next_of(records, store);
                self.counts = self.before.add(records);
                if page.is_some() {
                    return page;
                }
                (self.before, self.records) = (self.counts, None);
            }
            let opened = match self.wacz.next_archive()? {
                Ok(archive) => archive.records_in(self.file.clone()).map_err(|error| {
                    let why = format!("{}: {error}", archive.name);
                    io::Error::new(error.kind(), why)
                }),
                Err(error) => Err(error),
            };
            match opened {
                Ok(records) => {
                    self.memory = self.memory.max(MEMORY + records.memory());
                    self.records = Some(records);
                }
                Err(error) => return Some(Err(ArchiveProblem { offset: 0, error })),
            }
        }
    }
}

/// A file that several readers read, one after the other.
struct Shared<R>(Arc<Mutex<R>>);

impl<R> Clone for Shared<R> {
    fn clone(&self) -> Self {
        Shared(Arc::clone(&self.0))
    }
}

impl<R> Shared<R> {
    fn with<T>(&self, work: impl FnOnce(&mut R) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<R: Read> Read for Shared<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.with(|file| file.read(into))
    }
}

impl<R: Seek> Seek for Shared<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.with(|file| file.seek(to))
    }
}
