//! The kind of a file (a page, an archive or something else), by its name.

use std::path::Path;

use memchr::{memchr, memchr2, memrchr};

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

/// The kind of a file, by its name alone.
///
/// ```
/// use std::path::Path;
/// use relref_links::page::FileKind;
///
/// assert_eq!(FileKind::of(Path::new("docs/Index.HTM")), FileKind::Page);
/// assert_eq!(FileKind::of(Path::new("p.php?image=b.png")), FileKind::Unknown);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// HTML, XHTML or, with the feature `markdown`, Markdown.
    Page,
    /// A style sheet.
    Css,
    /// A web archive or an EPUB.
    Archive,
    /// Neither a page nor a feed nor an archive.
    Other,
    /// A file whose kind only its first bytes can show.
    Unknown,
}

impl FileKind {
    /// Letters may be in upper or lower case. A query in the name, as wget writes it, does not count.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default();
        // As most pages are called, without a query.
        let stem = name.as_encoded_bytes().strip_suffix(b".html").unwrap_or_default();
        if !stem.is_empty() && memchr2(b'?', b'@', stem).is_none() {
            return FileKind::Page;
        }
        let name = name.to_ascii_lowercase();
        let name = name.as_encoded_bytes();
        const ARCHIVES: [&[u8]; 7] = [b".warc", b".warc.gz", b".warc.zst", b".arc", b".arc.gz", b".wacz", b".epub"];
        if ARCHIVES.iter().any(|end| name.ends_with(end)) {
            return FileKind::Archive;
        }
        // A copy of a site may have queries in the names of its files.
        let name = split_query(name).map_or(name, |(name, _)| name);
        let ending = memrchr(b'.', name).filter(|dot| *dot > 0).map_or(&[][..], |dot| &name[dot + 1..]);
        match ending {
            b"html" | b"htm" | b"xhtml" | b"xht" => FileKind::Page,
            b"md" | b"markdown" | b"mdown" | b"mkd" | b"mkdn" | b"mdx" if cfg!(feature = "markdown") => FileKind::Page,
            b"css" => FileKind::Css,
            b"txt" if name == b"robots.txt" => FileKind::Unknown,
            _ if OTHER_ENDINGS.binary_search(&ending).is_ok() => FileKind::Other,
            _ => FileKind::Unknown,
        }
    }
}

/// Splits the name of a file at the `?` or, if it has none, at the `@` that starts its query: the last one before the first `=`. wget
/// writes it for `?` with `--restrict-file-names=windows`.
#[doc(hidden)]
#[must_use]
pub fn split_query(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let at_sign = || memchr(b'=', name).and_then(|equals| memrchr(b'@', &name[..equals])).filter(|at| *at > 0);
    let at = memchr(b'?', name).or_else(at_sign)?;
    Some((&name[..at], &name[at + 1..]))
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
