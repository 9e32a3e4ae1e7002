//! Pages that are empty, broken, hostile or endless: links or none, no panic, and bounded memory.

use std::io::{self, Read, Seek, SeekFrom};

use relref_links::html::{Kind, Link, LinkBuf, Options, Pages, Rejected, links};

use super::markup::{base, references, uris};

#[test]
fn pages_without_links() {
    assert_eq!(references(""), [""; 0]);
    for page in [
        &b"\0"[..],
        b"<",
        b"<a",
        b"<a href",
        b"<a href=",
        b"<a href='",
        b"</",
        b"<!",
        b"<!--",
        b"<![CDATA[",
        b"<svg><![CDATA[",
        b"&",
        b"<a href='&",
        b"<a href='&am",
        b"<script></scrip",
        b"\xff\xfe",
        b"\xff\xfe<",
        b"\xef\xbb\xbf",
        b"\xfe\xff",
        b"\xef\xbb",
    ] {
        assert!(links(page, &base()).unwrap().is_empty(), "{page:?}");
    }
    assert_eq!(uris("<a href=\0x\0>"), ["http://h/a/\u{fffd}x\u{fffd}"]);
    assert_eq!(uris("<a\0 href=x><\0a href=y>"), ["http://h/a/x"]);
}

/// Returns pages of about `len` bytes, of the shapes that could cost more than their length: the name, the page, and its number of
/// links. `.ci/linear` counts the instructions that each takes.
fn shapes(len: usize) -> impl Iterator<Item = (&'static str, String, usize)> {
    let fill = move |unit: &str| -> String {
        let numbers = 0..len.checked_div(unit.len()).unwrap_or_default();
        numbers.map(|number| unit.replace("{}", &format!("{number:06}"))).collect()
    };
    include_str!("../../../../tests/vectors/html/long.tsv").lines().skip(1).map(move |row| {
        let [name, start, unit, second, end, links] = row.split('\t').collect::<Vec<_>>().try_into().expect(row);
        let links = match links.strip_prefix("each") {
            Some(each) => len / unit.len() * each.trim_start().parse().unwrap_or(1),
            None => links.parse().unwrap(),
        };
        (name, [start, &fill(unit), &fill(second), end].concat(), links)
    })
}

#[test]
fn long_pages() {
    let mut pages = Pages::new();
    for (name, page, expected) in shapes(256 << 10) {
        let mut found = Vec::new();
        pages.links(page.as_bytes(), None, &base(), |link| found.push(LinkBuf::from(link)));
        assert_eq!(found.len(), expected, "{name}");
        let mut number = 0;
        let each = |link: relref_links::html::Link<'_>| {
            assert!(link == found[number].as_link(), "{name}: link {number}");
            number += 1;
            Ok(())
        };
        pages.links_from(io::Cursor::new(&page), Some(encoding_rs::UTF_8), &base(), each).unwrap();
        assert_eq!(number, expected, "{name}");
    }
}

/// A page that is never in memory as a whole: a start, a unit that is repeated, and an end.
struct Endless {
    start: &'static [u8],
    unit: &'static [u8],
    end: &'static [u8],
    len: u64,
    at: u64,
}

impl Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let (start, body) = (self.start.len() as u64, self.len - self.end.len() as u64);
        let mut written = 0;
        while written < out.len() && self.at < self.len {
            let from = match self.at {
                at if at < start => &self.start[at as usize..],
                at if at >= body => &self.end[(at - body) as usize..],
                at => {
                    let unit = &self.unit[((at - start) % self.unit.len() as u64) as usize..];
                    &unit[..unit.len().min((body - at) as usize)]
                }
            };
            let len = from.len().min(out.len() - written);
            out[written..written + len].copy_from_slice(&from[..len]);
            (written, self.at) = (written + len, self.at + len as u64);
        }
        Ok(written)
    }
}

impl Seek for Endless {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::Current(by) => self.at.saturating_add_signed(by),
            SeekFrom::End(by) => self.len.saturating_add_signed(by),
        };
        Ok(self.at)
    }
}

#[cfg(target_os = "linux")]
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Reads huge pages. The test `huge_pages_take_constant_memory` runs this in a process of its own.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "measures the memory of its process; `huge_pages_take_constant_memory` runs it"]
fn huge_pages() {
    let mut pages = Pages::new();
    // More than the longest tag.
    let size = 24 << 20;
    let mut read = |size: usize, [start, unit, end]: [&'static [u8]; 3]| {
        let len = (start.len() + size / unit.len() * unit.len() + end.len()) as u64;
        let mut count = 0;
        let result = pages.links_from_file(Endless { start, unit, end, len, at: 0 }, None, &base(), |_| {
            count += 1;
            Ok(())
        });
        (count, result.map_err(|error| error.kind()))
    };
    for page in [
        ["", "text ", "<base href=/b/><a href=x>"],
        ["<!--", "<a href=x>", "--><a href=x>"],
        ["<script>", "<a href=x>", "</script><a href=x>"],
        ["<title>", "<a href=x>", "</title><a href=x>"],
        ["<svg>", "<svg><desc>", "<a href=x>"],
    ] {
        assert_eq!(read(size, page.map(str::as_bytes)), (1, Ok(())), "{page:?}");
    }
    let unit = "<p class=x>Some text and <a href=\"../y/?a&amp;b\">a link</a></p>\n";
    assert_eq!(read(size, [b"", unit.as_bytes(), b""]), (size / unit.len(), Ok(())));
    let kib = peak();
    assert!(kib < 16 << 10, "{kib} KiB");

    // A tag or a style sheet that is too long is left out, and then there is an error.
    for page in [
        ["<a href='", "text", "'><a href=x>"],
        ["<a ", "href=x ", "><a href=x>"],
        ["<a title='", "text ", "' href=x><a href=x>"],
        ["<a ", "text", "=y href=x><a href=x>"],
        ["<style>", "a { b: c(d) }", "</style><a href=x>"],
        ["<svg><style>", "a { b: c(d) }", "</style><a href=x>"],
        ["<", "a", " title=y><a href=x>"],
    ] {
        assert_eq!(read(size, page.map(str::as_bytes)), (1, Err(io::ErrorKind::InvalidData)), "{page:?}");
    }
    let kib = peak();
    assert!(kib < 40 << 10, "{kib} KiB");
    // Three times as long in UTF-8.
    let page: [&[u8]; 3] = [b"<a href='", b"\xFF", b"'><a href=x>"];
    assert_eq!(read(6 << 20, page), (2, Ok(())));
}

#[cfg(target_os = "linux")]
#[test]
fn huge_pages_take_constant_memory() {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    let name = concat!(module_path!(), "::huge_pages").split_once("::").unwrap().1;
    let output = command.args(["--ignored", "--exact", name]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

/// A longer tag ends the reading of a page in chunks, after the links before it.
#[test]
fn max_tag_ends_the_reading() {
    use std::io::{Cursor, ErrorKind};
    let (base, utf_8) = (base(), Some(encoding_rs::UTF_8));
    for (tag, before) in [
        (format!("<p title='{}'>", "x".repeat(200_000)), 1),
        (format!("<style>{}</style>", "x".repeat(200_000)), 1),
        (format!("<p title='{}'>", "x".repeat(25_000)), 2),
        (format!("<p title='{}'>", "x".repeat(39_000)), 2),
    ] {
        // It does not wait for a later `base`.
        let many = "<p>".repeat(90_000);
        let page = format!("<base href=/b/>{many}<a href=x>{tag}{many}<a href=y>");
        let mut pages = Pages::new();
        pages.options.max_tag = 40_000;
        let mut count = 0;
        let mut each = |_: Link<'_>| {
            count += 1;
            Ok(())
        };
        let from_stream = pages.links_from(page.as_bytes(), utf_8, &base, &mut each);
        let from_file = pages.links_from_file(Cursor::new(&page), utf_8, &base, &mut each);
        let pushed = [500, 3000, 7000, 50_000].map(|len| {
            let mut chunks = pages.start(&base).charset(utf_8);
            page.as_bytes().chunks(len).for_each(|chunk| chunks.push(chunk, |_| count += 1));
            chunks.finish(|_| count += 1)
        });
        for done in [from_stream, from_file].into_iter().chain(pushed) {
            assert_eq!(done.err().map(|error| error.kind()), (before == 1).then_some(ErrorKind::FileTooLarge));
        }
        assert_eq!(count, 6 * before, "{tag:.10}");
    }
}

/// Names and `rel` are cut to a limited length, because each candidate of a `srcset` repeats them. Kinds still depend on all
/// tokens.
#[test]
fn long_names_are_cut() {
    let rel = format!("{} é next stylesheet", "x ".repeat(600));
    let name = format!("x{}", "é".repeat(50_000));
    let page = format!("<{name} srcset='y, z' rel='{rel}'><link href=s rel='{rel}'>");
    let found = links(page.as_bytes(), &base()).unwrap();
    assert_eq!(found.iter().map(|link| link.element.len()).collect::<Vec<_>>(), [63, 63, 4]);
    assert!(name.starts_with(&found[0].element));
    assert_eq!(found[0].rel, "x ".repeat(512).trim_end());
    assert_eq!(found[2].kind, Kind::Resource);
    for (rel, kept) in [
        ("x".repeat(1024), 1024),
        ("x".repeat(1025), 0),
        (format!("{} nofollowed", "x".repeat(1014)), 1014),
        (format!("{} nofollow y", "x".repeat(1015)), 1024),
    ] {
        let found = links(format!("<a href=x rel='{rel}'>").as_bytes(), &base()).unwrap();
        assert_eq!(found[0].rel.len(), kept);
        assert_eq!(found[0].nofollow(), rel.ends_with("nofollow y"));
    }
}

/// Returns the reason of rejection, if any, and the URI of each link.
fn limited(page: &str, max_uri: usize, max_total: u64) -> Vec<(Option<Rejected>, String)> {
    let mut pages = Pages::with(Options { rejected: true, max_uri, max_total, ..Options::default() });
    let mut found = Vec::new();
    pages.links(page.as_bytes(), None, &base(), |link| found.push((link.rejected, link.uri.to_owned())));
    let mut streamed = Vec::new();
    let each = |link: relref_links::html::Link<'_>| {
        streamed.push((link.rejected, link.uri.to_owned()));
        Ok(())
    };
    pages.links_from(io::Cursor::new(page), None, &base(), each).unwrap();
    assert_eq!(found, streamed);
    found
}

#[test]
fn long_uris_are_not_built() {
    let kept = |uri: &str| (None, String::from(uri));
    let rejected = |why| (Some(why), String::new());
    let too_long = || rejected(Rejected::TooLong);
    let base = format!("<base href='/{}/'>", "b".repeat(100));
    // The length of the result counts, not that of base and reference.
    let page = format!("{base}<a href=x><a href=/x><a href=a:{0}><a href=a:{0}y><a href='../../x'>", "x".repeat(48));
    assert_eq!(
        limited(&page, 50, u64::MAX),
        [too_long(), kept("http://h/x"), kept(&format!("a:{}", "x".repeat(48))), too_long(), kept("http://h/x")]
    );
    // Links relative to a codebase that is not built are not built either.
    let page = format!("{base}<object codebase=c data=/x usemap=/x>");
    assert_eq!(limited(&page, 50, u64::MAX), [too_long(), too_long(), kept("http://h/x")]);
    // After the first URI that is too much for the sum, there is none, however short.
    let page = "<a href=12345><a href=12345><a href=123456><a href=x>";
    let found = limited(page, usize::MAX, 3 * "http://h/a/12345".len() as u64);
    assert_eq!(found[..2], [kept("http://h/a/12345"), kept("http://h/a/12345")]);
    assert_eq!(limited(page, usize::MAX, 61), limited(page, usize::MAX, u64::MAX));
    let too_many = rejected(Rejected::TotalTooLong);
    assert_eq!(found[2..], [too_many.clone(), too_many]);
}

/// Links that are not wanted are not reported and do not count for the limits. Neither does their `codebase`.
#[test]
fn unwanted_links_take_nothing() {
    let mut pages = Pages::with(Options { rejected: true, ..Options::default() });
    let element = format!("<base href='http://h/{}/'>", "b".repeat(100));
    let page =
        format!("{element}<a href=x><object codebase=c data=y></object><img src=data:,><form action=http://h/f>");
    let mut found = |kinds: &[Kind], fetchable, max_total| {
        (pages.options.kinds, pages.options.fetchable, pages.options.max_total) =
            (kinds.to_vec(), fetchable, max_total);
        let mut found = Vec::new();
        pages.links(page.as_bytes(), None, &base(), |link| found.push((link.kind, link.rejected)));
        found
    };
    let (hyperlink, metadata) = ((Kind::Hyperlink, None), (Kind::Metadata, None));
    let (resource, form) = ((Kind::Resource, None), (Kind::Form, None));
    assert_eq!(found(&[], false, u64::MAX), [hyperlink, metadata, resource, resource, form]);
    assert_eq!(found(&[], true, u64::MAX), [hyperlink, metadata, resource, form]);
    assert_eq!(found(&[Kind::Form], false, "http://h/f".len() as u64), [form]);
    assert_eq!(
        found(&[Kind::Form, Kind::Resource], true, 0).iter().filter(|(_, rejected)| rejected.is_none()).count(),
        0
    );
    assert_eq!(found(&[Kind::Hyperlink, Kind::Form], true, 112 + 10), [hyperlink, form]);
}
