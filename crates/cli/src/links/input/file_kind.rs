//! The kind of a file (a page, an archive or something else), by its name or its first bytes.

use std::fs::File;
use std::path::Path;

use memchr::memrchr;
use relref_links::archive::sniff::{ZIP_START, is_archive, is_html, is_mhtml, read_start};
use relref_links::feeds::is_feed;
use relref_links::page::other_kind;

use super::mirror_names::split_query;

/// Endings of files that are neither pages nor feeds nor archives. Without the dot, in lower case, sorted.
#[rustfmt::skip]
const OTHER_ENDINGS: [&[u8]; 125] = [
    b"7z", b"a", b"aac", b"apk", b"avi", b"avif", b"bin", b"bmp", b"bz2", b"c", b"cc", b"cdx", b"cdxj", b"cjs", b"class",
    b"cpp", b"csv", b"cur", b"db", b"deb", b"djvu", b"dll", b"dmg", b"doc", b"docx", b"dylib", b"eot", b"eps",
    b"exe", b"flac", b"flv", b"gif", b"go", b"h", b"heic", b"hpp", b"ico", b"ics", b"iso", b"jar", b"java", b"jpeg", b"jpg",
    b"js", b"json", b"jsonl", b"jsx", b"jxl", b"less", b"lock", b"log", b"lua", b"m4a", b"m4v", b"map", b"md", b"mid", b"mjs",
    b"mkv", b"mobi", b"mov", b"mp3", b"mp4", b"mpeg", b"mpg", b"msi", b"ndjson", b"o", b"odp", b"ods", b"odt", b"oga", b"ogg",
    b"ogv", b"opus", b"otf", b"parquet", b"pdf", b"pl", b"png", b"ppt", b"pptx", b"ps", b"psd", b"py", b"pyc", b"rar", b"rb",
    b"rpm", b"rs", b"rst", b"rtf", b"sass", b"scss", b"sh", b"so", b"sql", b"sqlite", b"srt", b"swf", b"tar", b"tgz",
    b"tif", b"tiff", b"tmp", b"toml", b"ts", b"tsv", b"tsx", b"ttf", b"txt", b"vtt", b"wasm", b"wav", b"webm", b"webmanifest",
    b"webp", b"wmv", b"woff", b"woff2", b"xls", b"xlsx", b"xz", b"yaml", b"yml",
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FileKind {
    Page,
    /// A style sheet.
    Css,
    Archive,
    /// Neither a page nor a feed nor an archive.
    Other,
    Unknown,
}

impl FileKind {
    /// Letters may be in upper or lower case.
    pub fn of(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_ascii_lowercase();
        let name = name.as_encoded_bytes();
        const ARCHIVES: [&[u8]; 7] = [b".warc", b".warc.gz", b".warc.zst", b".arc", b".arc.gz", b".wacz", b".epub"];
        if ARCHIVES.iter().any(|end| name.ends_with(end)) {
            return FileKind::Archive;
        }
        // A copy of a site may have queries in the names of its files.
        let name = split_query(name).map_or(name, |(name, _)| name);
        let ending = memrchr(b'.', name).filter(|dot| *dot > 0).map_or(&[][..], |dot| &name[dot + 1..]);
        match ending {
            b"html" | b"htm" | b"xhtml" => FileKind::Page,
            b"css" => FileKind::Css,
            b"txt" if name == b"robots.txt" => FileKind::Unknown,
            _ if OTHER_ENDINGS.binary_search(&ending).is_ok() => FileKind::Other,
            _ => FileKind::Unknown,
        }
    }

    /// Letters may be in upper or lower case.
    pub fn is_epub(path: &Path) -> bool {
        has_ending(path, &["epub"])
    }

    /// Letters may be in upper or lower case.
    pub fn has_zip_name(path: &Path) -> bool {
        has_ending(path, &["wacz", "epub"])
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_sorted() {
        assert!(OTHER_ENDINGS.is_sorted_by(|one, other| one < other));
    }

    #[test]
    fn names_tell_the_kind() {
        use FileKind::{Archive, Css, Other, Page, Unknown};
        for (name, kind) in [
            ("a.html", Page),
            ("b/a.b.HTM", Page),
            ("a.xhtml", Page),
            ("a.css?v=3", Css),
            ("a.svg", Unknown),
            ("a.WARC", Archive),
            ("a.warc.Gz", Archive),
            ("a.warc.zst", Archive),
            (".warc", Archive),
            ("a.arc", Archive),
            ("A.ARC.GZ", Archive),
            ("a.wacz", Archive),
            ("a.EPUB", Archive),
            ("a.mht", Unknown),
            ("a.gz", Unknown),
            ("a.zst", Unknown),
            ("a.xml", Unknown),
            ("robots.txt", Unknown),
            ("a.txt", Other),
            ("a.html.png", Other),
            ("a.", Unknown),
            ("a.php", Unknown),
            ("a.PNG", Other),
            ("index.html?x=1", Page),
            ("a.php?image=b.png", Unknown),
            ("a.png?x.html", Other),
            ("index.html@x=1", Page),
            ("a.php@image=b.png", Unknown),
            ("logo@2x.png", Other),
            ("robots.txt?x", Unknown),
            ("?a.png", Unknown),
            (".relref-a1B2.tmp", Other),
            ("warc", Unknown),
            ("a.marc", Unknown),
            (".html", Unknown),
            ("a.html/b", Unknown),
            ("", Unknown),
        ] {
            assert_eq!(FileKind::of(Path::new(name)), kind, "{name}");
        }
    }
}
