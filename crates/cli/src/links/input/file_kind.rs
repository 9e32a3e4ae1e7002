//! The kind of a file by its first bytes, and by names that only the command knows.

use std::fs::File;
use std::path::Path;

use relref_links::archive::sniff::{ZIP_START, is_archive, is_html, is_mhtml, read_start};
use relref_links::feeds::is_feed;
use relref_links::page::other_kind;

/// Letters may be in upper or lower case.
pub fn is_epub_name(path: &Path) -> bool {
    has_ending(path, &["epub"])
}

/// Letters may be in upper or lower case.
pub fn has_zip_name(path: &Path) -> bool {
    has_ending(path, &["wacz", "epub"])
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|end| endings.iter().any(|ending| end.eq_ignore_ascii_case(ending)))
}

/// True for the names of MHTML files and mails.
pub fn has_mhtml_name(path: &Path) -> bool {
    has_ending(path, &["mht", "mhtml", "eml"])
}

/// True for an MHTML file or a mail by its first bytes without compression, or by its name if they are not those of a page.
pub fn is_mhtml_file(path: &Path, start: &[u8]) -> bool {
    is_mhtml(start) || has_mhtml_name(path) && !is_html(start) && !is_feed(start) && other_kind(start).is_none()
}

/// True for an archive, an MHTML file or a ZIP file by its first bytes. False if the file cannot be read.
pub fn is_archive_file(path: &Path) -> bool {
    let mut start = Vec::new();
    File::open(path).is_ok_and(|file| read_start(file, &mut start).is_ok())
        && (is_archive(&start) || start.starts_with(ZIP_START) || is_mhtml_file(path, &start))
}
