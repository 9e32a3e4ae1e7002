//! The names in a folder, sorted: in memory if they are few, else in temporary files; and names as bytes.

use std::cmp::Ordering;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::PathBuf;

use super::sorted::{Cascade, Record};

/// The kind of a name on the way through a folder.
#[derive(Clone, Copy)]
pub enum Kind {
    File,
    Folder,
    /// A symbolic link to anything.
    Link,
    /// The folder does not say.
    Unknown,
    /// The end of a folder of this name.
    End,
    /// The end of a folder to which a link led.
    EndOfLink,
}

impl Kind {
    pub fn of(byte: u8) -> Self {
        use Kind::{End, EndOfLink, File, Folder, Link, Unknown};
        [File, Folder, Link, Unknown, End, EndOfLink][usize::from(byte)]
    }
}

/// A name and its kind. The order is by name, the last first: they are pushed on a stack.
struct Entry {
    name: Vec<u8>,
    kind: Kind,
}

impl Record for Entry {
    fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut start = [0; 5];
        from.read_exact(&mut start)?;
        let [kind, len @ ..] = start;
        let mut name = vec![0; u32::from_le_bytes(len) as usize];
        from.read_exact(&mut name)?;
        Ok(Entry { name, kind: Kind::of(kind) })
    }

    fn write(&self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(&[self.kind as u8])?;
        to.write_all(&(self.name.len() as u32).to_le_bytes())?;
        to.write_all(&self.name)
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.name.cmp(&self.name)
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Entry {}

/// The names in a folder.
pub struct Names {
    /// Names, one after the other.
    text: Vec<u8>,
    /// The start and length of each name in the text, and its kind.
    names: Vec<(u32, u32, Kind)>,
    older: Cascade<Entry>,
}

impl Names {
    /// The number of bytes of names, and of all that belongs to them, that are in memory.
    const MOST: usize = 2 << 20;

    pub fn new() -> Self {
        Names { text: Vec::new(), names: Vec::new(), older: Cascade(Vec::new()) }
    }

    pub fn add(&mut self, kind: Kind, name: &[u8]) -> io::Result<()> {
        if self.text.len() + name.len() + self.names.len() * size_of::<(u32, u32, Kind)>() > Self::MOST {
            self.older
                .add(sorted(&self.text, &mut self.names).map(|(kind, name)| Entry { name: name.to_vec(), kind }))?;
            self.text.clear();
            self.names.clear();
        }
        self.names.push((self.text.len() as u32, name.len() as u32, kind));
        self.text.extend_from_slice(name);
        Ok(())
    }

    /// Hands over all names, the last first.
    pub fn each(mut self, mut each: impl FnMut(Kind, &[u8]) -> io::Result<()>) -> io::Result<()> {
        if self.older.0.is_empty() {
            return sorted(&self.text, &mut self.names).try_for_each(|(kind, name)| each(kind, name));
        }
        self.older.add(sorted(&self.text, &mut self.names).map(|(kind, name)| Entry { name: name.to_vec(), kind }))?;
        let Names { text, names, older } = self;
        drop((text, names));
        if let Some(mut all) = older.into_one()? {
            for entry in all.records()? {
                let entry = entry?;
                each(entry.kind, &entry.name)?;
            }
        }
        Ok(())
    }
}

/// Sorts names, the last first.
fn sorted<'t>(text: &'t [u8], names: &'t mut [(u32, u32, Kind)]) -> impl Iterator<Item = (Kind, &'t [u8])> {
    let name = |start: u32, len: u32| &text[start as usize..][..len as usize];
    names.sort_unstable_by(|one, other| name(other.0, other.1).cmp(name(one.0, one.1)));
    names.iter().map(move |&(start, len, kind)| (kind, name(start, len)))
}

/// Returns the bytes of a path or name. Elsewhere than on Unix they are its UTF-8, if it is Unicode.
#[cfg(unix)]
pub fn bytes_of(name: OsString) -> Result<Vec<u8>, OsString> {
    use std::os::unix::ffi::OsStringExt;
    Ok(name.into_vec())
}

/// Returns the path of these bytes.
#[cfg(unix)]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
pub fn bytes_of(name: OsString) -> Result<Vec<u8>, OsString> {
    name.into_string().map(String::into_bytes)
}

#[cfg(not(unix))]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}
