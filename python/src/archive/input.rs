//! The archives of an input: the input itself, also an MHTML or EPUB file, or the archives in it if it is a WACZ file.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatchReader;
use pyo3::prelude::*;
use relref_links::archive::sniff::ZIP_START;
use relref_links::archive::{ReadSeek, Wacz};
use relref_links::page::{Captures, is_epub};

use super::problems::Damage;
use super::reader::{Archive, Reader, ReaderSettings};
use crate::error::os_error;
use crate::file::PyFile;
use crate::signals::Watched;

/// The batches of the links of an input.
type Batches = Box<dyn RecordBatchReader + Send>;

/// The root of an EPUB without a path.
const NO_PATH: &str = "epub:///";

/// Opens a file path or a file object of Python, and returns the batches of its links. Fails if the file cannot be opened or read,
/// or is a ZIP file that cannot seek, or of a kind that is not read.
pub fn open(input: &Bound<'_, PyAny>, settings: ReaderSettings) -> PyResult<Batches> {
    let py = input.py();
    if let Ok(path) = input.extract::<PathBuf>() {
        return match py.detach(|| open_path(&path, settings)) {
            Ok(Some(batches)) => Ok(batches),
            Ok(None) => Err(cannot_seek(py)),
            Err(error) => Err(os_error(py, &path, error)),
        };
    }
    let mut file = PyFile::sharing(input, "a path or a binary file object", settings.interrupt.clone())?;
    let can_seek = file.is_seekable(py);
    let opened = py.detach(|| -> io::Result<_> {
        let from = if can_seek { Some(file.stream_position()?) } else { None };
        let start = read_start(&mut file)?;
        let is_zip = start == ZIP_START;
        Ok(match from {
            Some(from) if is_zip => Some(zip(file, from, NO_PATH, settings)?),
            Some(from) => {
                file.seek(SeekFrom::Start(from))?;
                Some(one(Captures::seekable(file, NO_PATH)?, settings))
            }
            None if is_zip => None,
            None => Some(one(Captures::new(Cursor::new(start).chain(file))?, settings)),
        })
    })?;
    opened.ok_or_else(|| cannot_seek(py))
}

/// Opens a file, and returns the batches of its links. Returns `None` if it is a ZIP file that cannot seek. Fails if the file
/// cannot be opened or read, or is of a kind that is not read.
fn open_path(path: &Path, settings: ReaderSettings) -> io::Result<Option<Batches>> {
    let mut file = File::open(path)?;
    let is_regular = file.metadata()?.is_file();
    let start = read_start(&mut file)?;
    // A file with a damaged start has its name.
    let is_zip = start == ZIP_START || path.extension().is_some_and(|end| end.eq_ignore_ascii_case("wacz"));
    if !is_regular {
        let file = Watched::sharing(file, settings.interrupt.clone());
        return if is_zip { Ok(None) } else { Ok(Some(one(Captures::new(Cursor::new(start).chain(file))?, settings))) };
    }
    file.rewind()?;
    let root = Captures::epub_root(path)?;
    let interrupt = settings.interrupt.clone();
    Ok(Some(if is_zip {
        zip(Watched::sharing(Arc::new(file), interrupt), 0, &root, settings)?
    } else {
        one(Captures::seekable(Watched::sharing(file, interrupt), &root)?, settings)
    }))
}

/// Reads the first bytes of a file, as many as [`ZIP_START`] has; fewer if the file is shorter. Fails if the file cannot be read.
fn read_start(file: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.take(ZIP_START.len() as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// Returns the batches of an archive.
fn one<R: Read + Send + 'static>(captures: Captures<R>, settings: ReaderSettings) -> Batches {
    Box::new(Reader::new(Box::new(std::iter::once(Ok(Archive { name: None, captures }))), settings))
}

/// Returns the batches of a ZIP file, which is an EPUB with this root or a WACZ. Fails if the file cannot be read.
fn zip<R: Read + Seek + Clone + Send + 'static>(
    mut file: R,
    from: u64,
    root: &str,
    settings: ReaderSettings,
) -> io::Result<Batches> {
    let is_epub = is_epub(&mut file)?;
    file.seek(SeekFrom::Start(from))?;
    if is_epub { Ok(one(Captures::epub(file, root)?, settings)) } else { wacz(file, settings) }
}

/// Returns the batches of the archives in a WACZ file. Fails if the file cannot be read.
fn wacz<R: Read + Seek + Clone + Send + 'static>(file: R, settings: ReaderSettings) -> io::Result<Batches> {
    let mut wacz = Wacz::new(file.clone())?;
    let next = move || -> Option<Result<Archive<Box<dyn ReadSeek>>, Damage>> {
        let archive = match wacz.next_archive()? {
            Ok(archive) => archive,
            Err(error) => return Some(Err(Damage { archive: None, offset: None, reason: error.to_string() })),
        };
        let name: Option<Arc<str>> = Some(archive.name.as_str().into());
        Some(match archive.records_from(file.clone()) {
            Ok(records) => Ok(Archive { name, captures: Captures::from(records) }),
            Err(error) => Err(Damage { archive: name, offset: None, reason: error.to_string() }),
        })
    };
    Ok(Box::new(Reader::new(Box::new(std::iter::from_fn(next)), settings)))
}

/// Returns the exception about a ZIP file that cannot seek.
fn cannot_seek(py: Python<'_>) -> PyErr {
    let why = "the archive is a ZIP file (WACZ or EPUB), whose directory is at its end, but the input cannot seek: \
        write it to a file first";
    let class = py.import("io").and_then(|io| io.getattr("UnsupportedOperation"));
    class.and_then(|class| class.call1((why,))).map_or_else(|error| error, PyErr::from_value)
}
