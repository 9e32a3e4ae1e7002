//! The bytes of a page, in memory or in a temporary file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, Write};

use encoding_rs::Encoding;
use relref_links::archive::sniff::{self, holds_record};
use relref_links::html::Pages;

/// The most bytes of a page that stay in memory.
const MAX_IN_MEMORY_LEN: u64 = 8 << 20;

/// The bytes of a page. The methods fail only if the temporary file cannot be read.
pub enum PageBytes {
    Memory(Vec<u8>),
    File(File),
}

impl PageBytes {
    /// Returns the number of bytes.
    pub fn len(&self) -> io::Result<u64> {
        match self {
            PageBytes::Memory(bytes) => Ok(bytes.len() as u64),
            PageBytes::File(file) => Ok(file.metadata()?.len()),
        }
    }

    /// Returns a reader of the bytes.
    pub fn reader(self) -> Box<dyn BufRead> {
        match self {
            PageBytes::Memory(bytes) => Box::new(Cursor::new(bytes)),
            PageBytes::File(file) => Box::new(BufReader::new(file)),
        }
    }

    /// Reports whether a `<meta name=robots>` of the page says that robots should follow none of its links.
    pub fn nofollow(&mut self, pages: &mut Pages, charset: Option<&'static Encoding>) -> io::Result<bool> {
        match self {
            PageBytes::Memory(bytes) => Ok(pages.page_nofollow(bytes, charset)),
            PageBytes::File(file) => pages.page_nofollow_from(file, charset),
        }
    }

    /// Reports whether a record of an archive starts anywhere in the bytes.
    pub fn contain_record(&mut self) -> io::Result<bool> {
        match self {
            PageBytes::Memory(bytes) => holds_record(&**bytes),
            PageBytes::File(file) => holds_record(&*file).and_then(|found| file.rewind().map(|()| found)),
        }
    }

    /// Returns the first bytes, enough to recognize a page.
    pub fn start(&mut self) -> io::Result<Vec<u8>> {
        match self {
            PageBytes::Memory(bytes) => Ok(sniff::start(bytes).to_vec()),
            PageBytes::File(file) => {
                let mut start = Vec::new();
                sniff::read_start(Read::by_ref(file), &mut start)?;
                file.rewind()?;
                Ok(start)
            }
        }
    }
}

/// Reads all bytes of a page, of which there may be at most `max`.
///
/// # Errors
/// The message of an error of reading or writing; the message of `exceeded`, if there are more bytes.
pub fn store(from: impl Read, max: u64, exceeded: impl FnOnce() -> String) -> Result<PageBytes, String> {
    match try_store(from, max) {
        Ok(stored) => stored.ok_or_else(exceeded),
        Err(error) => Err(error.to_string()),
    }
}

/// Reads all bytes. Returns `None` if there are more than `max`. Fails if they cannot be read, or not be written into a temporary
/// file.
fn try_store(mut from: impl Read, max: u64) -> io::Result<Option<PageBytes>> {
    let mut buffer = Vec::new();
    from.by_ref().take(MAX_IN_MEMORY_LEN.min(max) + 1).read_to_end(&mut buffer)?;
    let mut len = buffer.len() as u64;
    if len > max {
        return Ok(None);
    }
    if len <= MAX_IN_MEMORY_LEN {
        return Ok(Some(PageBytes::Memory(buffer)));
    }
    let mut file = tempfile::tempfile()?;
    file.write_all(&buffer)?;
    loop {
        buffer.clear();
        from.by_ref().take(1 << 16).read_to_end(&mut buffer)?;
        len += buffer.len() as u64;
        if len > max {
            return Ok(None);
        }
        if buffer.is_empty() {
            file.rewind()?;
            return Ok(Some(PageBytes::File(file)));
        }
        file.write_all(&buffer)?;
    }
}
