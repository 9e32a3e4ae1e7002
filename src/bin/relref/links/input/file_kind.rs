//! The kind of a file, by its name or its first bytes.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use relref::archive::sniff::{LEN, is_archive};

/// The kind of a file, by its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FileKind {
    Page,
    Archive,
    /// Neither a page nor an archive.
    Other,
    /// The name does not show the kind.
    Unknown,
}

impl FileKind {
    /// Returns the kind of a file by its name.
    pub fn of(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_ascii_lowercase();
        let name = name.as_encoded_bytes();
        if [&b".warc"[..], b".warc.gz", b".warc.zst", b".wacz"].iter().any(|end| name.ends_with(end)) {
            return FileKind::Archive;
        }
        match path.extension().map(OsStr::to_ascii_lowercase).as_deref().map(OsStr::as_encoded_bytes) {
            Some(b"html" | b"htm" | b"xhtml") => FileKind::Page,
            Some(b"xml" | b"rss" | b"atom" | b"rdf" | b"gz" | b"zst") => FileKind::Unknown,
            Some(b"txt") if name == b"robots.txt" => FileKind::Unknown,
            Some(_) => FileKind::Other,
            None => FileKind::Unknown,
        }
    }

    /// Reports whether the name is that of a WACZ file.
    pub fn is_wacz(path: &Path) -> bool {
        path.extension().is_some_and(|end| end.eq_ignore_ascii_case("wacz"))
    }
}

/// Reports whether these bytes start a ZIP file, as a WACZ is.
pub fn is_zip_start(start: &[u8]) -> bool {
    start.starts_with(b"PK\x03\x04")
}

/// Reports whether a file surely starts as an archive does.
pub fn is_archive_file(path: &Path) -> bool {
    let mut start = Vec::new();
    File::open(path).is_ok_and(|file| {
        file.take(LEN as u64).read_to_end(&mut start).is_ok() && (is_archive(&start) || is_zip_start(&start))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_kind() {
        use FileKind::{Archive, Other, Page, Unknown};
        for (name, kind) in [
            ("a.html", Page),
            ("b/a.b.HTM", Page),
            ("a.xhtml", Page),
            ("a.WARC", Archive),
            ("a.warc.Gz", Archive),
            ("a.warc.zst", Archive),
            (".warc", Archive),
            ("a.wacz", Archive),
            ("a.gz", Unknown),
            ("a.zst", Unknown),
            ("a.xml", Unknown),
            ("robots.txt", Unknown),
            ("a.txt", Other),
            ("a.html.png", Other),
            ("a.", Other),
            ("warc", Unknown),
            (".html", Unknown),
            ("a.html/b", Unknown),
            ("", Unknown),
        ] {
            assert_eq!(FileKind::of(Path::new(name)), kind, "{name}");
        }
    }
}
