//! The archives in WACZ files, which are ZIP files with WARC files in the folder `archive` (feature `wacz`).
//! Source: WACZ 1.1.1; APPNOTE.TXT 6.3.10 of PKWARE.

use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::mem::take;
use std::ops::ControlFlow;
use std::path::Path;

use super::damage::{invalid, is_damage};
use super::records::{ReadSeek, Records};
use super::sniff::ZIP_START;
use super::zip::{self, Entry, EntryReader};

/// The archives in a WACZ file, in the order of their offsets. Those of a WACZ file in it, which must not be compressed, count, too.
///
/// Needs at most 2 MiB of memory for the names and offsets of up to 8,192 archives, and the memory of [`Records`]. Names are never
/// used as file paths. If the directory of the ZIP file is damaged or missing, as in a file that is cut short, the archives are
/// found by the headers before them. No byte is read for two archives, so time is linear in the length of the file. A compressed
/// archive may inflate to 1032 times its length, but not to more than the ZIP file says.
///
/// ```no_run
/// use relref_links::archive::Wacz;
///
/// let mut wacz = Wacz::open("crawl.wacz")?;
/// while let Some(archive) = wacz.next_archive() {
///     match archive {
///         Ok(mut archive) => {
///             println!("{}", archive.name);
///             let mut records = archive.records()?;
///             while let Some(capture) = records.next_capture() {
///                 println!("{:?}", capture.map(|capture| capture.record.target_uri));
///             }
///         }
///         Err(error) => eprintln!("{error}"),
///     }
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Wacz<R> {
    zip: R,
    /// Damage, and too many or no archives, that [`next_archive`](Self::next_archive) has not returned yet.
    problems: VecDeque<String>,
    entries: VecDeque<Entry>,
}

/// An archive in a WACZ file.
pub struct WaczArchive<'w, R> {
    /// The name in the ZIP file, such as `archive/data.warc.gz`. Bytes that are not UTF-8, and `%`, are percent-encoded, so that
    /// different names are different texts.
    pub name: String,
    entry: Entry,
    zip: &'w mut R,
}

impl<R> fmt::Debug for Wacz<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wacz").field("archives", &self.entries.len()).finish_non_exhaustive()
    }
}

debug_fields!([R] WaczArchive<'_, R>: name);

impl Wacz<File> {
    /// The most bytes of memory that a [`Wacz`] or [`is_wacz`] needs, without that of [`Records`].
    pub const MEMORY: u64 = 2 << 20;

    /// Opens a WACZ file.
    ///
    /// # Errors
    /// As [`new`](Self::new), and if the file cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Wacz::new(File::open(path)?)
    }
}

/// Calls `each` with the records of a WARC or ARC file, or with the name and the records of each archive in a WACZ file, until it breaks
/// off. An `Err` is an archive that cannot be read, or damage of the WACZ file; the other archives follow.
///
/// ```no_run
/// use std::ops::ControlFlow;
///
/// use relref_links::archive::each_archive;
///
/// each_archive("crawl.wacz", |name, records| {
///     match records {
///         Ok(records) => println!("{}: {} records", name.unwrap_or("crawl.wacz"), records.into_iter().count()),
///         Err(error) => eprintln!("{error}"),
///     }
///     ControlFlow::<()>::Continue(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The file cannot be read. One that is not regular, such as a named pipe, is read as a stream, and cannot be a WACZ.
pub fn each_archive<B>(
    path: impl AsRef<Path>,
    mut each: impl FnMut(Option<&str>, io::Result<Records<Box<dyn ReadSeek + '_>>>) -> ControlFlow<B>,
) -> io::Result<ControlFlow<B>> {
    let mut file = File::open(path)?;
    let is_regular = file.metadata()?.is_file();
    let is_zip = is_regular && {
        let mut start = Vec::new();
        (&mut file).take(ZIP_START.len() as u64).read_to_end(&mut start)?;
        // The start may be damaged, or the directory, which is at the end.
        start == ZIP_START || is_wacz(&mut file)?
    };
    let mut file: Box<dyn ReadSeek> = Box::new(file);
    if !is_regular {
        return Ok(each(None, Ok(Records::new(file)?)));
    }
    file.rewind()?;
    if !is_zip {
        return Ok(each(None, Ok(Records::seekable(file)?)));
    }
    let mut wacz = Wacz::new(file)?;
    while let Some(archive) = wacz.next_archive() {
        let flow = match archive {
            Ok(mut archive) => {
                let name = take(&mut archive.name);
                each(Some(&name), archive.records())
            }
            Err(error) => each(None, Err(error)),
        };
        if flow.is_break() {
            return Ok(flow);
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Reports whether a ZIP file is a WACZ: its directory lists a WARC file in the folder `archive`, or another WACZ file. Reads only the end of the file
/// and its directory, and needs at most [`Wacz::MEMORY`]. A WACZ that is cut short is not recognized, although [`Wacz`] reads it.
///
/// # Errors
/// The file cannot be read.
pub fn is_wacz(mut zip: impl ReadSeek) -> io::Result<bool> {
    zip::lists(&mut zip, &|name| is_in_archive_folder(name) && is_warc_name(name) || is_wacz_name(name))
}

/// A collection has WACZ files in a WACZ file (Multi-WACZ 0.1).
fn is_wacz_name(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("wacz"))
}

/// The folder is at the top of the ZIP file; deeper folders in it count, too.
fn is_in_archive_folder(name: &str) -> bool {
    let name = name.strip_prefix("./").unwrap_or(name).as_bytes();
    let below = name.strip_prefix(b"archive").and_then(|below| below.split_first());
    // Some writers separate names by backslashes.
    below.is_some_and(|(first, name)| {
        matches!(first, b'/' | b'\\') && name.last().is_some_and(|last| !matches!(last, b'/' | b'\\'))
    })
}

fn is_warc_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".warc", ".warc.gz", ".warc.zst"].iter().any(|end| name.ends_with(end))
}

impl<R: ReadSeek> Wacz<R> {
    /// Finds the archives in a file.
    ///
    /// # Errors
    /// The file cannot be read. Damage is no error here: [`next_archive`](Self::next_archive) returns it.
    pub fn new(mut zip: R) -> io::Result<Self> {
        let (found, mut problems) = zip::find(&mut zip, &|name| is_in_archive_folder(name) || is_wacz_name(name))?;
        let mut entries = VecDeque::new();
        for entry in found {
            let room = zip::MAX_ENTRIES - entries.len();
            if !is_wacz_name(&entry.name) {
                entries.push_back(entry);
                continue;
            }
            match entry.entries_within(&mut zip, &is_in_archive_folder) {
                Ok((inner, damage)) => {
                    entries.extend(inner.into_iter().take(room));
                    problems.extend(damage.into_iter().map(|why| format!("{}: {why}", entry.name)));
                }
                Err(error) if is_damage(&error) => problems.push(format!("{}: {error}", entry.name)),
                Err(error) => return Err(error),
            }
        }
        if entries.is_empty() && problems.is_empty() {
            problems.push(String::from(match zip::lists(&mut zip, &|name| name == "META-INF/container.xml")? {
                true => "an EPUB, which has no archives: not read",
                false => "a ZIP file that is neither a WACZ (no file in a folder `archive`) nor an EPUB: not read",
            }));
        }
        Ok(Wacz { zip, problems: problems.into(), entries })
    }

    /// Returns the next archive; `None` after the last.
    ///
    /// # Errors
    /// Damage of the ZIP file, with its offset, or too many archives, or none. Go on calling: the archives follow.
    pub fn next_archive(&mut self) -> Option<io::Result<WaczArchive<'_, R>>> {
        if let Some(problem) = self.problems.pop_front() {
            return Some(Err(invalid(problem)));
        }
        let mut entry = self.entries.pop_front()?;
        Some(Ok(WaczArchive { name: take(&mut entry.name), entry, zip: &mut self.zip }))
    }
}

impl<R: ReadSeek> WaczArchive<'_, R> {
    /// Returns the records. Offsets count in the archive, not in the ZIP file. A wrong checksum of the ZIP file is damage after the
    /// last record.
    ///
    /// # Errors
    /// The archive is encrypted or compressed by another method than deflate, or its start cannot be read.
    pub fn records(&mut self) -> io::Result<Records<Box<dyn ReadSeek + '_>>> {
        entry_records(&self.entry, &mut *self.zip)
    }

    /// Does what [`records_from`](Self::records_from) does, as one type for each reader.
    #[cfg(feature = "page")]
    pub(crate) fn records_in<Z: ReadSeek>(&self, zip: Z) -> io::Result<Records<EntryReader<Z>>> {
        records_of(&self.entry, EntryReader::new(zip, &self.entry)?)
    }

    /// Returns the records as [`records`](Self::records) does, but from another reader of the same file, such as a clone of an
    /// `Arc<File>`, so that they outlive the [`Wacz`]. Clones share a position in the file: read one archive after the other.
    ///
    /// # Errors
    /// As [`records`](Self::records).
    pub fn records_from<'z>(&self, zip: impl ReadSeek + 'z) -> io::Result<Records<Box<dyn ReadSeek + 'z>>> {
        entry_records(&self.entry, zip)
    }
}

fn entry_records<'z>(entry: &Entry, zip: impl ReadSeek + 'z) -> io::Result<Records<Box<dyn ReadSeek + 'z>>> {
    records_of(entry, Box::new(EntryReader::new(zip, entry)?))
}

fn records_of<R: ReadSeek>(entry: &Entry, reader: R) -> io::Result<Records<R>> {
    if entry.is_uncompressed() { Records::seekable(reader) } else { Records::new(reader) }
}
