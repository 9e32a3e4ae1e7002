//! The pages of EPUB files.

use std::io::Cursor;

use flate2::Crc;
use quickcheck::quickcheck;
use relref_links::page::{Captures, is_epub};

/// Returns a ZIP file of uncompressed entries, and where each starts. With `is_cut`, it has no directory.
fn zip(entries: &[(&str, &[u8])], is_cut: bool) -> (Vec<u8>, Vec<usize>) {
    let (mut all, mut directory, mut starts) = (Vec::new(), Vec::new(), Vec::new());
    for (name, content) in entries {
        let mut crc = Crc::new();
        crc.update(content);
        let len = (content.len() as u32).to_le_bytes();
        let numbers = [&crc.sum().to_le_bytes()[..], &len, &len, &(name.len() as u16).to_le_bytes(), &[0; 2]].concat();
        let common = [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &numbers].concat();
        let start = all.len();
        starts.push(start);
        all.extend([b"PK\x03\x04", &common[..], name.as_bytes(), content].concat());
        directory.extend(
            [b"PK\x01\x02\x14\0", &common[..], &[0; 10], &(start as u32).to_le_bytes(), name.as_bytes()].concat(),
        );
    }
    let count = (entries.len() as u16).to_le_bytes();
    let end = [(directory.len() as u32).to_le_bytes(), (all.len() as u32).to_le_bytes()].concat();
    starts.push(all.len());
    if !is_cut {
        all.extend(directory);
        all.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count, &end, &[0; 2]].concat());
    }
    (all, starts)
}

const CONTAINER: &str = "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles>\
    <rootfile full-path='OEBPS/a%20b.opf' media-type='application/oebps-package+xml'/></rootfiles></container>";
const PACKAGE: &str = "<?xml version='1.0'?><opf:package xmlns:opf='http://www.idpf.org/2007/opf'><opf:manifest>\
    <opf:item id='nav' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>\
    <opf:item id='i' href='../i&amp;j.png' media-type='image/png'/>\
    <opf:item id='two' href='text/%D0%B4%D0%B2%D0%B0.xhtml' media-type='application/xhtml+xml'/>\
    <opf:item id='one' href='text/一.xhtml#x' media-type='Application/XHTML+xml'/>\
    <opf:item id='away' href='https://other.example/x.xhtml' media-type='application/xhtml+xml'/>\
    <opf:item id='toc' href='toc.ncx' media-type='application/x-dtbncx+xml'/>\
    <opf:item id='top' href='../../../top.html' media-type='text/html'/></opf:manifest>\
    <opf:spine><opf:itemref idref='one'/><opf:itemref idref='two'/></opf:spine></opf:package>";

/// The name and the content of an entry.
type Named = (&'static str, &'static [u8]);

fn entries() -> Vec<Named> {
    vec![
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", CONTAINER.as_bytes()),
        ("OEBPS/a b.opf", PACKAGE.as_bytes()),
        ("OEBPS/nav.xhtml", b"<a href='text/two.xhtml#p'/>"),
        ("OEBPS/text/два.xhtml", "<?xml version='1.0'?><html><a href='../../../../一'/></html>".as_bytes()),
        ("OEBPS/text/一.xhtml", b"<p><a href='/x'/><a href='//other.example/y'/></p>"),
        ("OEBPS/toc.ncx", b"<?xml version='1.0'?><ncx><content src='text/two.xhtml'/></ncx>"),
        ("unlisted.xhtml", b"<a href='no'/>"),
        ("top.html", b"<a href=z>"),
    ]
}

/// In the order of the spine, then of the manifest.
const PAGES: [&str; 6] = [
    "OEBPS/text/%E4%B8%80.xhtml x",
    "OEBPS/text/%E4%B8%80.xhtml epub://other.example/y",
    "OEBPS/text/%D0%B4%D0%B2%D0%B0.xhtml %E4%B8%80",
    "OEBPS/nav.xhtml OEBPS/text/two.xhtml#p",
    "OEBPS/toc.ncx OEBPS/text/two.xhtml",
    "top.html z",
];

/// Returns the pages and links below a root, without the root, and the problems.
fn read_at(bytes: &[u8], root: &str) -> (Vec<String>, Vec<String>) {
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    for page in Captures::epub(Cursor::new(bytes), root).unwrap() {
        match page {
            Ok(mut page) => {
                let uri = page.uri.strip_prefix(root).unwrap().to_owned();
                for link in page.links() {
                    match link {
                        Ok(link) => found.push(format!("{uri} {}", link.uri.strip_prefix(root).unwrap_or(&link.uri))),
                        Err(error) => problems.push(error.to_string()),
                    }
                }
            }
            Err(problem) => problems.push(problem.to_string()),
        }
    }
    (found, problems)
}

fn read(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
    read_at(bytes, "epub://%2Fbook.epub/")
}

#[test]
fn pages_are_those_of_the_manifest() {
    let (bytes, starts) = zip(&entries(), false);
    assert_eq!(read(&bytes), (PAGES.map(String::from).to_vec(), vec![]));
    // At a URI of a site, references may lead out of the file.
    let (found, problems) = read_at(&bytes, "http://h/");
    assert_eq!((found.len(), problems.len()), (6, 0));
    let mut captures = Captures::seekable(Cursor::new(&bytes), "http://h/books").unwrap();
    let pages: Vec<_> =
        captures.by_ref().map(|page| page.unwrap()).map(|page| (page.uri, page.offset.unwrap() as usize)).collect();
    assert_eq!(pages[0], ("http://h/books/OEBPS/text/%E4%B8%80.xhtml".into(), starts[5]));
    let skipped = captures.skipped();
    assert_eq!((pages.len(), skipped.other_media_types, skipped.not_pages), (5, 1, 0));
    assert!(is_epub(Cursor::new(&bytes)).unwrap());
    assert!(Captures::new(&*bytes).unwrap_err().to_string().starts_with("an EPUB file"));
    // It is recognized without `mimetype`, too; other ZIP files are not.
    let (without, _) = zip(&entries()[1..], false);
    assert_eq!(read(&without), (PAGES.map(String::from).to_vec(), vec![]));
    assert!(is_epub(Cursor::new(without)).unwrap());
    let (other, _) = zip(&[("a.html", b"<a href=x>")], false);
    let error = Captures::seekable(Cursor::new(&other), "").unwrap_err();
    assert_eq!(error.to_string(), "a ZIP file that is neither a WACZ nor an EPUB: not read");
}

/// As of any other archive: a program that reads captures need not know what contains them.
#[test]
fn a_guide_has_links() {
    let links_of = |guide: &str| {
        let package = PACKAGE.replace("</opf:package>", &format!("{guide}</opf:package>"));
        let mut entries = entries();
        entries[2].1 = Box::leak(package.into_bytes().into_boxed_slice());
        let (found, problems) = read(&zip(&entries, false).0);
        assert_eq!((&found[..6], problems), (&PAGES.map(String::from)[..], vec![]));
        found[6..].to_vec()
    };
    let guide = "<opf:guide><opf:reference type='toc' title='x' href='nav.xhtml#a&amp;b'/><opf:reference type='cover'/></opf:guide>";
    // Then the package is a page, whose manifest lists files, too.
    let links = links_of(guide);
    assert_eq!(links.len(), 8);
    assert_eq!(links.last().unwrap(), "OEBPS/a%20b.opf OEBPS/nav.xhtml#a&b");
    assert_eq!(links_of("<guide/>"), [""; 0]);
}

#[test]
fn a_wacz_has_the_pages_of_its_archives() {
    let archive = |host: &str| {
        format!(
            "WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\n\
             WARC-Target-URI: http://{host}/a\r\nContent-Length: 55\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n\
             <a href=to>\r\n\r\n"
        )
    };
    let [one, two] = ["h", "i"].map(archive);
    let entries =
        [("archive/a.warc", one.as_bytes()), ("archive/b.warc", b"no archive"), ("archive/c.warc", two.as_bytes())];
    let (wacz, _) = zip(&entries, false);
    let mut captures = Captures::seekable(Cursor::new(&wacz), "").unwrap();
    let (mut found, mut problems) = (Vec::new(), 0);
    for page in captures.by_ref() {
        match page {
            Ok(mut page) => found.extend(page.links().map(|link| link.unwrap().uri)),
            Err(_) => problems += 1,
        }
    }
    assert_eq!((found.concat().as_str(), problems), ("http://h/tohttp://i/to", 1));
    assert_eq!(captures.skipped().other_kinds, 2);
    assert!(captures.bytes_read() >= (one.len() + two.len()) as u64 && captures.memory() > 0);
}

#[test]
fn damage_costs_one_page() {
    let all = |but: &[usize]| (0..6).filter(|at| !but.contains(at)).map(|at| PAGES[at].to_owned()).collect::<Vec<_>>();
    let with = |change: &dyn Fn(&mut Vec<Named>)| {
        let mut entries = entries();
        change(&mut entries);
        read(&zip(&entries, false).0)
    };
    // Without its directory, as in a file that is cut short.
    let (bytes, starts) = zip(&entries(), true);
    assert_eq!(
        read(&bytes),
        (
            all(&[]),
            vec!["record at byte 0: its ZIP directory is missing".to_owned()]
                .into_iter()
                .map(|_| "record at byte 0: it has no ZIP directory at its end".to_owned())
                .collect()
        )
    );
    let (found, problems) = read(&bytes[..starts[8]]);
    assert_eq!((found, problems.len()), (all(&[5]), 2), "{problems:?}");
    assert_eq!(problems[1], "record at byte 0: top.html, which is in its manifest, is missing");
    // A wrong checksum is told after the links.
    let (mut bytes, starts) = zip(&entries(), false);
    bytes[starts[5] - 3] ^= 1;
    let (found, problems) = read(&bytes);
    assert_eq!((found.len(), &*problems), (6, &["the checksum of its entry in the ZIP file is wrong".to_owned()][..]));
    // The part that the damage hides is no further problem.
    let (found, problems) = read(b"PK\x03\x04");
    assert_eq!(
        (found.len(), &*problems),
        (0, &["record at byte 0: it has no ZIP directory at its end".to_owned()][..])
    );
    // Parts that say what the others are.
    let missing = "its package document OEBPS/a%20b.opf is missing";
    let no_manifest = "record at byte 0: it has no manifest: files with the names of pages are read";
    let (found, problems) = with(&|entries| entries.retain(|entry| entry.0 != "OEBPS/a b.opf"));
    assert_eq!(problems, [format!("record at byte 0: {missing}"), no_manifest.into()]);
    assert!(found.len() == 6 && found.contains(&"unlisted.xhtml no".to_owned()), "{found:?}");
    let (found, problems) = with(&|entries| entries.retain(|entry| entry.0 != "META-INF/container.xml"));
    assert_eq!(
        (found, problems),
        (all(&[]), vec!["record at byte 0: it has no META-INF/container.xml that names its package document".into()])
    );
    // Damaged XML has what is before the damage.
    let (found, problems) =
        with(&|entries| entries[2].1 = &PACKAGE.as_bytes()[..PACKAGE.find("<opf:item id='away'").unwrap()]);
    assert_eq!((found, problems), ([3, 2, 0, 1].map(|at| PAGES[at].to_owned()).to_vec(), vec![]));
    // Encrypted by what the format has, and by what ZIP has.
    let encryption = "<encryption><EncryptedData><CipherData><CipherReference URI='OEBPS/nav.xhtml'/></CipherData></EncryptedData></encryption>";
    let (found, problems) = with(&|entries| entries.push(("META-INF/encryption.xml", encryption.as_bytes())));
    assert_eq!(found, all(&[3]));
    assert!(problems[0].ends_with("OEBPS/nav.xhtml: it is encrypted (META-INF/encryption.xml)"), "{problems:?}");
    let (mut bytes, starts) = zip(&entries(), false);
    let directory = bytes.windows(4).rposition(|part| part == b"PK\x01\x02").unwrap();
    bytes[directory + 8] |= 1;
    let (found, problems) = read(&bytes);
    assert_eq!(
        (found, problems),
        (all(&[5]), vec![format!("record at byte {}: top.html: it is encrypted", starts[8])])
    );
}

/// No limit is passed, however many pages a manifest has, or however long their paths are.
#[test]
fn manifests_are_bounded() {
    let item = |path: &str| format!("<item href='{path}' media-type='text/html'/>");
    let too_many: String = (0..20_000).map(|at| item(&at.to_string())).collect();
    let too_long: String = (0..200).map(|at| item(&format!("{at}{}", "x".repeat(9000)))).collect();
    let too_long = item("0") + &too_long;
    let too_large = item("0") + &" ".repeat(2 << 20);
    for (items, problem) in [
        (&too_many, "its manifest has more than 8192 pages, or their paths have more than 1 MiB: the rest is not read"),
        (&too_long, "its manifest has more than 8192 pages, or their paths have more than 1 MiB: the rest is not read"),
        (&too_large, "its package document OEBPS/a%20b.opf cannot be read: it has more than 2 MiB"),
    ] {
        let package: &[u8] = Box::leak(format!("<manifest>{items}</manifest>").into_bytes().into_boxed_slice());
        let entries = [entries()[1], ("OEBPS/a b.opf", package), ("OEBPS/0", b"<a href=x>")];
        let (found, problems) = read(&zip(&entries, false).0);
        assert_eq!(found.len(), usize::from(!problem.contains("2 MiB")));
        assert!(problems[0].ends_with(problem), "{}", problems[0]);
    }
}

quickcheck! {
    /// A changed byte of a page costs that page; one anywhere costs no panic, and is told unless nothing is lost.
    fn a_changed_byte_costs_its_page(at: usize, byte: u8) -> bool {
        let (mut bytes, starts) = zip(&entries(), false);
        let at = at % bytes.len();
        if bytes[at] == byte {
            return true;
        }
        bytes[at] = byte;
        let (found, problems) = read(&bytes);
        let entry = starts.iter().rposition(|start| *start <= at).unwrap();
        let lost: &[usize] = [&[][..], &[], &[], &[3], &[2], &[0, 1], &[4], &[], &[5], &[]][entry];
        // What says what the others are, and the directory.
        let is_description = matches!(entry, 1 | 2 | 9);
        is_description || (0..6).all(|page| lost.contains(&page) || found.contains(&PAGES[page].to_owned()))
            // Only its bytes show that the table of contents is one.
            && (found == PAGES || entry == 6 || !problems.is_empty())
    }
}
