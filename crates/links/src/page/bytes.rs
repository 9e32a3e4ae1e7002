//! The bytes of a page: in memory if they are few, and in a file otherwise.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::mem;

use crate::archive::{ReadSeek, sniff};

/// The bytes of a page, in memory or in a file.
pub enum PageBytes {
    /// All bytes.
    Memory(Vec<u8>),
    /// A file or another stream, at its start.
    File(Box<dyn ReadSeek>),
}

/// A temporary file.
pub trait TempFile: Read + Write + Seek + Send {}

impl<T: Read + Write + Seek + Send> TempFile for T {}

/// Where the bytes of pages are stored while they are read, and how many a page may have.
///
/// A program that counts the disk it uses makes files that count in [`Write`] and [`Drop`].
pub struct Store<'s> {
    /// The most bytes of a page without its codings; 1 GiB by default. With them, a capture may have twice as many and 64 KiB. WAT
    /// records have at most 8 MiB, which stay in memory.
    pub max_page: u64,
    /// The name of `max_page` in the message about a larger page; `max_page` by default.
    pub limit_name: &'static str,
    /// The most bytes of a page that stay in memory; 1 MiB by default.
    pub in_memory: usize,
    /// A buffer that is used for the next page.
    pub buffer: Vec<u8>,
    /// Makes a temporary file for a page with more bytes; by default one without a name, in the folder of the system.
    pub new_file: &'s (dyn Fn() -> io::Result<Box<dyn TempFile>> + Sync),
}

impl Default for Store<'_> {
    fn default() -> Self {
        let (max_page, limit_name) = (1 << 30, "max_page");
        Store {
            max_page,
            limit_name,
            in_memory: 1 << 20,
            buffer: Vec::new(),
            new_file: &|| Ok(Box::new(tempfile::tempfile()?)),
        }
    }
}

debug_fields!([] Store<'_>: max_page in_memory);

impl Store<'_> {
    /// The number of bytes that are copied to a temporary file at once.
    const COPY_LEN: u64 = 64 << 10;

    /// Reads all bytes of a page.
    ///
    /// # Errors
    /// Those of `from` and of the temporary file; [`FileTooLarge`](io::ErrorKind::FileTooLarge) if there are more than `max_page`.
    pub fn store(&mut self, from: impl Read) -> io::Result<PageBytes> {
        self.store_within(from, self.max_page, self.in_memory)
    }

    /// Does what [`store`](Self::store) does, with other limits.
    pub(super) fn store_within(&mut self, mut from: impl Read, max: u64, in_memory: usize) -> io::Result<PageBytes> {
        // `tempfile::SpooledTempFile` takes up to 2.6 times the instructions: it copies what stays in memory.
        let mut buffer = mem::take(&mut self.buffer);
        buffer.clear();
        let in_memory = in_memory.min(usize::try_from(max).unwrap_or(usize::MAX));
        from.by_ref().take((in_memory as u64).saturating_add(1)).read_to_end(&mut buffer)?;
        if buffer.len() <= in_memory {
            return Ok(PageBytes::Memory(buffer));
        }
        if buffer.len() as u64 > max {
            return Err(self.too_long());
        }
        let (mut file, mut len) = ((self.new_file)()?, 0);
        loop {
            len += buffer.len() as u64;
            file.write_all(&buffer)?;
            buffer.clear();
            from.by_ref().take(Self::COPY_LEN).read_to_end(&mut buffer)?;
            if len + buffer.len() as u64 > max {
                return Err(self.too_long());
            }
            if buffer.is_empty() {
                file.rewind()?;
                self.buffer = buffer;
                return Ok(PageBytes::File(Box::new(file)));
            }
        }
    }

    /// Returns the error about a page that has more than `max_page` bytes.
    #[must_use]
    pub fn too_long(&self) -> io::Error {
        let Store { max_page, limit_name, .. } = self;
        io::Error::new(io::ErrorKind::FileTooLarge, format!("the page has more than {max_page} bytes ({limit_name})"))
    }
}

impl fmt::Debug for PageBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageBytes::Memory(bytes) => write!(f, "Memory({} bytes)", bytes.len()),
            PageBytes::File(_) => f.write_str("File"),
        }
    }
}

/// Implements the conversion of bytes and texts.
macro_rules! in_memory {
    ($([$($parameters:tt)*] $bytes:ty),*) => {
        $(impl<$($parameters)*> From<$bytes> for PageBytes {
            fn from(bytes: $bytes) -> Self {
                PageBytes::Memory(bytes.into())
            }
        })*
    };
}

in_memory!([] Vec<u8>, [] &[u8], [const N: usize] &[u8; N], [] String, [] &str);

impl From<File> for PageBytes {
    fn from(file: File) -> Self {
        PageBytes::File(Box::new(file))
    }
}

impl PageBytes {
    /// Returns as many of the first bytes as show the kind of a page. Rewinds a file.
    ///
    /// # Errors
    /// Those of the file.
    pub fn start(&mut self) -> io::Result<Cow<'_, [u8]>> {
        match self {
            PageBytes::Memory(bytes) => Ok(Cow::Borrowed(sniff::start(bytes))),
            PageBytes::File(file) => {
                let mut start = Vec::with_capacity(sniff::START_LEN);
                sniff::read_start(&mut *file, &mut start)?;
                file.rewind()?;
                Ok(Cow::Owned(start))
            }
        }
    }

    /// Returns all bytes, if they are not more than `max`.
    #[cfg(feature = "markdown")]
    pub(crate) fn whole(&mut self, max: u64) -> io::Result<Cow<'_, [u8]>> {
        if self.len()? > max {
            let why = format!("it has more than {} MiB", max >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
        }
        match self {
            PageBytes::Memory(bytes) => Ok(Cow::Borrowed(bytes)),
            PageBytes::File(_) => {
                let mut bytes = Vec::new();
                self.reader().take(max).read_to_end(&mut bytes)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }

    /// Returns the number of bytes. Rewinds a file.
    ///
    /// # Errors
    /// Those of the file.
    pub fn len(&mut self) -> io::Result<u64> {
        match self {
            PageBytes::Memory(bytes) => Ok(bytes.len() as u64),
            PageBytes::File(file) => {
                let len = file.seek(SeekFrom::End(0))?;
                file.rewind()?;
                Ok(len)
            }
        }
    }

    /// Reports whether there are no bytes.
    ///
    /// # Errors
    /// Those of the file.
    pub fn is_empty(&mut self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Returns a reader of the bytes. A file is not rewound after it.
    pub fn reader(&mut self) -> Box<dyn BufRead + Send + '_> {
        match self {
            PageBytes::Memory(bytes) => Box::new(&**bytes),
            PageBytes::File(file) => Box::new(BufReader::new(file)),
        }
    }

    /// Leaves out all bytes from the place on at which a record of an archive starts.
    pub(super) fn end_before_record(&mut self) -> io::Result<()> {
        match self {
            PageBytes::Memory(bytes) => bytes.truncate(sniff::find_record(bytes).unwrap_or(bytes.len())),
            PageBytes::File(file) => {
                let found = sniff::record_in(&mut *file)?;
                file.rewind()?;
                if let Some(len) = found {
                    let whole = mem::replace(file, Box::new(io::empty()));
                    *file = Box::new(StartOf { file: whole, at: 0, len });
                }
            }
        }
        Ok(())
    }
}

/// The first bytes of a file, as if there were no others.
struct StartOf {
    file: Box<dyn ReadSeek>,
    at: u64,
    len: u64,
}

impl Read for StartOf {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.file.as_mut().take(self.len.saturating_sub(self.at)).read(buffer)?;
        self.at += len as u64;
        Ok(len)
    }
}

impl Seek for StartOf {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let to = match to {
            SeekFrom::End(by) => SeekFrom::Start(self.len.saturating_add_signed(by)),
            to => to,
        };
        self.at = self.file.seek(to)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_bytes_stay_in_memory() {
        let page = vec![b'x'; 90_000];
        for (len, in_memory, max_page, expected) in [
            (0, 0, 0, Some(true)),
            (10, 10, 10, Some(true)),
            (11, 10, 11, Some(false)),
            (11, 10, 10, None),
            (11, 20, 10, None),
            (90_000, 10, 90_000, Some(false)),
            (90_000, 10, 89_999, None),
            (10, usize::MAX, u64::MAX, Some(true)),
        ] {
            let mut store = Store { max_page, in_memory, buffer: vec![1], ..Store::default() };
            let found = store.store(&page[..len]);
            let is_in_memory = found.as_ref().ok().map(|bytes| matches!(bytes, PageBytes::Memory(_)));
            assert_eq!(is_in_memory, expected, "{len} {in_memory} {max_page}");
            match found {
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::FileTooLarge),
                Ok(mut bytes) => {
                    assert_eq!(bytes.len().unwrap(), len as u64);
                    let mut read = Vec::new();
                    bytes.reader().read_to_end(&mut read).unwrap();
                    assert_eq!(read, page[..len]);
                }
            }
        }
    }

    #[test]
    fn records_are_found_in_files() {
        let start = "x".repeat(70_000) + "WARC/1.1\r\n";
        for (text, expected) in [(start.as_str(), true), (&start[..70_008], false)] {
            for in_memory in [10, 100_000] {
                let mut bytes = Store { in_memory, ..Store::default() }.store(text.as_bytes()).unwrap();
                bytes.end_before_record().unwrap();
                let len = if expected { 70_000 } else { text.len() };
                assert_eq!(bytes.len().unwrap(), len as u64);
                let mut read = Vec::new();
                bytes.reader().read_to_end(&mut read).unwrap();
                assert_eq!(read.len(), len);
            }
        }
    }
}
