//! A page has the same links in memory and as a stream, whatever the chunks of the stream.

use std::fs;
use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Command;

use quickcheck::{Arbitrary, Gen, quickcheck};
use relref::Rules;
use relref_links::html::{Link, Pages};

use super::laws::{LawBase, check, in_memory, streamed};

/// A stream that gives one byte at a time, with an interruption before each byte.
struct ByteByByte<'p> {
    page: Cursor<&'p [u8]>,
    interrupted: bool,
}

impl Read for ByteByByte<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(ErrorKind::Interrupted.into());
        }
        let len = out.len().min(1);
        self.page.read(&mut out[..len])
    }
}

impl Seek for ByteByByte<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.page.seek(to)
    }
}

fn base() -> LawBase {
    LawBase::new(Some(Rules::RFC3986))
}

fn all_on() -> Pages {
    let mut pages = Pages::new();
    (pages.options.lazy, pages.options.items, pages.options.legacy_queries) = (true, true, true);
    pages.options.title = true;
    pages
}

/// Tag soup: parts of markup, or any bytes, in some character encoding.
#[derive(Clone, Debug)]
pub(crate) struct Soup {
    pub(crate) page: Vec<u8>,
    pub(crate) charset: Option<&'static str>,
}

const PARTS: &[&str] = &[
    "<",
    ">",
    "</",
    "/>",
    "<a ",
    "<a href=",
    "href='",
    "'",
    "\"",
    "=",
    " ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "&",
    "&amp;",
    "&#x2f;",
    "&notit",
    "é",
    "日",
    "\0",
    "x",
    "../",
    "//",
    "?",
    "#",
    "<base href=/b/>",
    "<base href='c/'",
    "<BaSe\nhref=d",
    "<svg>",
    "</svg>",
    "<math>",
    "<desc>",
    "<title>",
    "</title>",
    "<style>",
    "</style>",
    "url(",
    ")",
    "@import '",
    "/*",
    "*/",
    "{",
    "}",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<!DOCTYPE ",
    "<meta http-equiv=refresh content='1;",
    "url=",
    " srcset='a 1x, b,c",
    "<iframe srcdoc='<a href=q>w&lt;img src=e&gt;<base href=/r/>",
    "<iframe srcdoc=\"<svg fill='url(t)'>&amp;lt;<style>@import 'u'",
    "<svg><g fill=url(#y) mask='url(\"i\")'",
    " data-bg='url(o) p",
    "<script type=application/ld+json>{\"url\": [\"l\", {\"@id\": \"\\u0041<!--\"}",
    "</script>",
    "<meta property=og:image content=d.png>",
    " style='a:",
    " rel=nofollow ",
    " hreflang=de media='é f' ",
    "<style media=m>",
    "<object codebase=c ",
    " data=d",
    " archive='e f'",
    "<template>",
    "</template>",
    " data-src=x",
    " itemtype='x y'",
    "<meta charset=koi8-r>",
    "<meta charset='utf-8'>",
    "<META http-equiv=content-type content='x; charset=gbk'>",
    "<meta name=robots content=nofollow>",
    "</a>",
    "<a href=x>text",
    "<img src=i alt='a  b'>",
    "</td><td>",
    "<table>",
    "<p>",
    "\x1b$B",
    "\x1b(B",
    " url( \\41 \\",
    "&#32;",
    "&Tab;",
    " srcset=' y 2x ,&#32;z&NewLine; 3x'",
    "<style>@import\"\\\n&amp;\"",
    "<svg><style><!-- --> url(",
    "ソ",
    "\u{1F600}",
];

impl Arbitrary for Soup {
    fn arbitrary(g: &mut Gen) -> Self {
        // Longer than the bytes in which a character encoding is sought first.
        let mut page = if u8::arbitrary(g) % 4 == 0 { b" ".repeat(1040) } else { Vec::new() };
        for _ in 0..usize::arbitrary(g) % 60 {
            match u8::arbitrary(g) % 16 {
                0 => page.push(u8::arbitrary(g)),
                1 => page.extend(String::arbitrary(g).into_bytes()),
                // What comes so long after a head does not count for what is before it.
                2 if u8::arbitrary(g) % 4 == 0 => page.extend(b"xy ".repeat(250)),
                _ => page.extend(g.choose(PARTS).unwrap().as_bytes()),
            }
        }
        let charset = *g
            .choose(&[
                None,
                None,
                Some("utf-8"),
                Some("windows-1251"),
                Some("shift_jis"),
                Some("utf-16le"),
                Some("gb18030"),
                Some("euc-kr"),
                Some("big5"),
                Some("iso-2022-jp"),
            ])
            .unwrap();
        if u8::arbitrary(g) % 8 == 0 {
            let units = String::from_utf8_lossy(&page).encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
            page = [&b"\xFF\xFE"[..], &units].concat();
        }
        Soup { page, charset }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let Soup { page, charset } = self.clone();
        Box::new(page.shrink().map(move |page| Soup { page, charset }))
    }
}

quickcheck! {
    fn all_laws_hold(soup: Soup, options: (bool, bool, bool, usize), limits: (u8, u16)) -> bool {
        let Soup { page, charset } = soup;
        let mut pages = Pages::new();
        let base = LawBase::new(Rules::ALL.get(options.3 % (Rules::ALL.len() + 2)).copied());
        (pages.options.lazy, pages.options.items, pages.options.legacy_queries) = (options.0, options.1, options.2);
        pages.options.robots = options.0;
        let limits = (usize::from(limits.0), u64::from(limits.1));
        check(&mut pages, &base, &page, charset, limits, || ByteByByte { page: Cursor::new(&page), interrupted: false });
        true
    }
}

/// A page has the same links in parts of every size, also if a part ends within `<base`.
#[test]
fn pieces_of_every_size_give_the_same_links() {
    struct Pieces<'p>(Cursor<&'p [u8]>, usize);
    impl Read for Pieces<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let len = out.len().min(self.1);
            self.0.read(&mut out[..len])
        }
    }
    impl Seek for Pieces<'_> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }
    let page = format!("{}<base href=/b/><a href='&amp;é'>", " ".repeat(100));
    let expected = in_memory(&mut all_on(), &base(), page.as_bytes(), None);
    assert_eq!(expected[0].uri, "http://h/b/&é");
    for size in 1..page.len() {
        assert_eq!(streamed(&mut all_on(), &base(), Pieces(Cursor::new(page.as_bytes()), size), None), expected);
    }
    // The letters at the end of the bytes that are read at once.
    for spaces in (1 << 16) - 8..(1 << 16) + 2 {
        let page = format!("{}<base href=/b/><a href=x>", " ".repeat(spaces));
        assert_eq!(streamed(&mut all_on(), &base(), Cursor::new(page.as_bytes()), None)[0].uri, "http://h/b/x");
        let page: Vec<u8> = page.bytes().flat_map(|byte| [byte, 0]).collect();
        assert_eq!(streamed(&mut all_on(), &base(), Cursor::new(&page), Some("utf-16le"))[0].uri, "http://h/b/x");
    }
}

#[test]
fn a_page_starts_where_the_stream_is() {
    let mut page = Cursor::new(b"<a href=x><base href=/b/><a href=y>");
    page.seek(SeekFrom::Start(10)).unwrap();
    assert_eq!(streamed(&mut all_on(), &base(), &mut page, None)[0].uri, "http://h/b/y");
}

#[test]
fn errors_end_the_reading() {
    struct Broken(usize);
    impl Read for Broken {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(1).ok_or(ErrorKind::BrokenPipe)?;
            (&b"<a href=x>"[..]).read(out)
        }
    }
    impl Seek for Broken {
        fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
            Ok(0)
        }
    }
    let mut pages = all_on();
    for reads in [0, 1, 200, 500] {
        let error = pages.links_from(Broken(reads), None, &base(), |_| Ok(())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    }
    let mut count = 0;
    let each = |_: Link<'_>| {
        count += 1;
        if count < 3 { Ok(()) } else { Err(io::Error::from(ErrorKind::StorageFull)) }
    };
    let error = pages.links_from(Cursor::new("<a href=x>".repeat(9)), None, &base(), each).unwrap_err();
    assert_eq!((error.kind(), count), (ErrorKind::StorageFull, 3));
    // After an error it can read the next page.
    assert_eq!(streamed(&mut pages, &base(), Cursor::new("<a href=y>"), None).len(), 1);
}

fn pages_below(folder: &Path, most: usize, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if found.len() >= most {
            return;
        } else if path.is_dir() {
            pages_below(&path, most, found);
        } else if path.extension().is_some_and(|extension| extension == "html") {
            found.push(path);
        }
    }
}

/// Pages of the documentation that comes with Rust, if it is installed, have the same links as a stream.
#[test]
fn real_pages() {
    let rustc = Command::new("rustc").args(["--print", "sysroot"]).output().unwrap();
    let root = Path::new(String::from_utf8(rustc.stdout).unwrap().trim()).join("share/doc/rust/html");
    let mut found = Vec::new();
    for (folder, most) in [("book", 300), ("reference", 400), ("alloc", 550), ("std", 1000)] {
        pages_below(&root.join(folder), most, &mut found);
    }
    // Rust may be installed without it; the gate installs it.
    if found.is_empty() && std::env::var_os("CI").is_none() {
        return;
    }
    assert!(found.len() >= 750, "{}", found.len());
    let (mut pages, mut count) = (all_on(), 0);
    for file in found {
        let page = fs::read(&file).unwrap();
        let expected = in_memory(&mut pages, &base(), &page, None);
        assert_eq!(streamed(&mut pages, &base(), Cursor::new(&page), None), expected, "{}", file.display());
        if page.len() < 10_000 {
            let drops = ByteByByte { page: Cursor::new(&page), interrupted: false };
            assert_eq!(streamed(&mut pages, &base(), drops, None), expected, "{}", file.display());
        }
        count += expected.len();
    }
    assert!(count > 50_000, "{count}");
}
