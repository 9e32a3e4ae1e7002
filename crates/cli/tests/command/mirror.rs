//! `relref rewrite --mirror` on web archives.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use relref_links::check::{Options, ProblemKind, Site};

use super::process::{folder, relref};
use crate::archive::made::{gzip, record, response_fields, zip, zip_entry};

/// A record of a response. `fields` has its HTTP fields, each with its line end.
fn response(uri: &str, status: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\n{fields}\r\n");
    record("response", &response_fields(uri), &[head.as_bytes(), body].concat())
}

fn page(uri: &str, body: &str) -> Vec<u8> {
    response(uri, "200 OK", "Content-Type: text/html\r\n", body.as_bytes())
}

fn redirect(uri: &str, to: &str) -> Vec<u8> {
    response(uri, "302 Found", &format!("Location: {to}\r\n"), b"")
}

/// Writes the captures of an archive. Returns the folder with `crawl.warc` and `site`, standard error and the exit code.
fn mirror(name: &str, archive: &[u8]) -> (PathBuf, String, i32) {
    let folder = folder(&format!("mirror-{name}"));
    let (archive_path, site) = (folder.join("crawl.warc"), folder.join("site"));
    fs::write(&archive_path, archive).unwrap();
    let args = ["rewrite", "--mirror", "--output", site.to_str().unwrap(), archive_path.to_str().unwrap()];
    let output = relref(&args, b"");
    assert_eq!(output.stdout, b"");
    (folder, String::from_utf8(output.stderr).unwrap(), output.status.code().unwrap())
}

/// The files below a folder, by their paths.
fn files(root: &Path) -> BTreeMap<String, String> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            assert!(!path.is_symlink());
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                found.insert(name, String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned());
            }
        }
    }
    found
}

/// The links of a copy that lead to no file.
fn missing(site: &Path) -> Vec<String> {
    let site = Site::open(site, Options { fragments: false, ..Options::default() }).unwrap();
    let problems = site.problems().map(|problem| problem.unwrap());
    problems.filter(|problem| problem.kind != ProblemKind::Invalid).map(|problem| problem.to_string()).collect()
}

#[test]
fn captures_become_files_with_the_names_of_wget() {
    let archive = [
        page("http://h/", "<base href=/d/><link rel=stylesheet href=/s><img src=i.png><a href='/p.php?id=3&x=%2F#f'>"),
        response(
            "http://h/s",
            "200 OK",
            "Content-Type: text/css\r\nContent-Encoding: gzip\r\n",
            &gzip(b"a{b:url(d/i.png)}"),
        ),
        response(
            "http://h/d/i.png",
            "200 OK",
            "Content-Type: image/png\r\nTransfer-Encoding: chunked\r\n",
            b"4\r\nPNG!\r\n0\r\n\r\n",
        ),
        page(
            "http://h/p.php?id=3&x=%2f",
            "<a href=/moved><a href=/lost><a href=http://h:80/#t><a href=/gone><a href=/d><img src=same>",
        ),
        redirect("http://h/moved", "//h/step"),
        redirect("http://h/step", "http://H:8080/%D0%BD%D0%BE%D0%B2"),
        page("http://h:8080/%D0%BD%D0%BE%D0%B2", "<a href=http://h/>"),
        response("http://h/gone", "404 Not Found", "Content-Type: text/html\r\n", b"gone"),
        record(
            "revisit",
            &format!("{}WARC-Refers-To-Target-URI: http://h/d/i.png\r\n", response_fields("http://h/same")),
            b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n",
        ),
        // The first counts.
        page("http://h/", "later"),
        redirect("http://h/d", "/d"),
        response(
            "http://h/feed",
            "200 OK",
            "Content-Type: application/rss+xml\r\n",
            b"<rss><channel><link>http://h/d/i.png</link><link>http://h/x</link></channel></rss>",
        ),
        record("resource", "WARC-Target-URI: urn:log\r\nContent-Type: text/plain\r\n", b"log"),
    ];
    let (folder, stderr, code) = mirror("names", &archive.concat());
    let totals = "relref: 5 pages, 3 changed: 11 references rewritten, 3 right as they are, 1 other file, 4 redirects followed, 1 error response left out, 1 capture without a host left out\n";
    assert_eq!((&*stderr, code), (totals, 0));
    let mut files = files(&folder.join("site"));
    let list = files.remove("index.html").unwrap();
    let items: Vec<&str> = list.lines().filter(|line| line.starts_with("<li>")).collect();
    assert_eq!(
        items,
        [
            "<li><a href=\"./h/index.html\">http://h/</a>",
            "<li><a href=\"./h/p.php%3Fid=3&amp;x=%252F.html\">http://h/p.php?id=3&amp;x=%2f</a>",
            "<li><a href=\"./h:8080/%D0%BD%D0%BE%D0%B2.html\">http://h:8080/%D0%BD%D0%BE%D0%B2</a>",
        ]
    );
    let expected = [
        ("h/d/i.png", "PNG!"),
        ("h/feed", "<rss><channel><link>http://h/d/i.png</link><link>http://h/x</link></channel></rss>"),
        (
            "h/index.html",
            "<base href=\"\"><link rel=stylesheet href=s.css><img src=d/i.png><a href='p.php%3Fid=3&x=%252F.html#f'>",
        ),
        (
            "h/p.php?id=3&x=%2F.html",
            "<a href=../h:8080/%D0%BD%D0%BE%D0%B2.html><a href=http://h/lost><a href=index.html#t><a href=http://h/gone><a href=http://h/d><img src=d/i.png>",
        ),
        ("h/s.css", "a{b:url(d/i.png)}"),
        ("h:8080/нов.html", "<a href=../h/index.html>"),
    ];
    assert_eq!(files, expected.map(|(name, text)| (name.to_owned(), text.to_owned())).into());
    assert_eq!(missing(&folder.join("site")), [""; 0]);
}

#[test]
fn no_name_leaves_the_folder() {
    let long = "д".repeat(300);
    let deep = "d/".repeat(3000);
    let uris = [
        "http://h/../../a",
        "http://h/%2e%2e/%2E%2e/b",
        "http://h/..%2f..%2fc",
        "http://h/..\\..\\d",
        "http://h//etc//passwd",
        "http://h/%00%0A%1b%7F%C2%85",
        "http://h/?../../x",
        "http://h/.%2e?/../..",
        "http://../x",
        "http://./x",
        "http://%2e%2e/x",
        "http://a%2Fb/x",
        "http:///x",
        "http://index.html/",
        "ftp://h/..",
        "file:///etc/passwd",
        "/etc/passwd",
        "../x",
        "http://u:p@[::1]:81/",
        "http://h/a%FF",
        "http://h/a/",
        "http://h/a/b/c",
        "http://h/a/b",
        "http://h/a",
        "https://h/a",
        "https://h/a/b",
        "http://h/i.html",
        "http://h/i.html/j",
        "http://h/a%~0",
        "http://h/a%25~0",
        &format!("http://h/{long}.png"),
        &format!("http://h/{long}x.png"),
        &format!("http://h/{long}/{long}"),
        &format!("http://h/{deep}e"),
        &format!("http://h/{deep}"),
        &format!("http://h/?{}", "q".repeat(50_000)),
    ];
    for media_type in ["text/html", "text/plain"] {
        let captures =
            uris.map(|uri| response(uri, "200 OK", &format!("Content-Type: {media_type}\r\n"), uri.as_bytes()));
        let links: String = uris.map(|uri| format!("<a href=\"{uri}\">")).concat();
        let archive = [captures.concat(), page("http://links/", &links)].concat();
        let (folder, stderr, code) = mirror("hostile", &archive);
        assert_eq!(code, 0, "{stderr}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        let site = folder.join("site");
        let files = files(&site);
        for (name, text) in &files {
            assert!(name.split('/').all(|part| part.len() <= 255 && !part.chars().any(char::is_control)), "{name}");
            // Each has the capture that its name is for, once.
            let copies = files.values().filter(|other| *other == text).count();
            assert_eq!(copies, 1, "{name}");
        }
        assert!(files.len() > 25, "{}", files.len());
        assert_eq!(missing(&site), [""; 0]);
        // Of the links, those to captures are relative, and lead to their text.
        for (uri, name) in uris.iter().zip(href_values(&files["links/index.html"])) {
            if let Some(name) = name.strip_prefix("../") {
                let name = relref::percent::decode(name).unwrap().into_owned();
                let text = &files[&name];
                assert!(
                    text == uri || relref::whatwg::Base::new(text).unwrap() == relref::whatwg::Base::new(uri).unwrap(),
                    "{uri} {text}"
                );
            }
        }
        // The same names each time.
        let again: Vec<String> = self::files(&mirror("again", &archive).0.join("site")).into_keys().collect();
        assert_eq!(again, files.into_keys().collect::<Vec<_>>());
    }
}

fn href_values(page: &str) -> Vec<&str> {
    page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn folders_that_have_files_are_refused() {
    let folder = folder("mirror-refused");
    let (archive, site) = (folder.join("crawl.warc.gz"), folder.join("site"));
    fs::write(&archive, gzip(&page("http://h/", "<a href=x>"))).unwrap();
    fs::create_dir(&site).unwrap();
    let args = ["rewrite", "--mirror", "--quiet", "--output", site.to_str().unwrap(), archive.to_str().unwrap()];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/nowhere", site.join("h")).unwrap();
        let output = relref(&args, b"");
        assert!(String::from_utf8(output.stderr).unwrap().contains("must be new or empty"));
        assert_eq!(output.status.code(), Some(1));
        fs::remove_file(site.join("h")).unwrap();
    }
    assert!(relref(&args, b"").status.success());
    assert_eq!(fs::read_to_string(site.join("h/index.html")).unwrap(), "<a href=http://h/x>");
    assert_eq!(relref(&args[..3], b"").status.code(), Some(2));
    assert_eq!(relref(&["rewrite", "--mirror", archive.to_str().unwrap()], b"").status.code(), Some(2));
}

/// The captures before the damage are written, and those after it.
#[test]
fn damage_is_reported() {
    let mut cut = gzip(&[b"<a href=x>".as_slice(), &[b' '; 100]].concat());
    cut.truncate(cut.len() - 9);
    let cut = response("http://h/cut", "200 OK", "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", &cut);
    let wrong =
        response("http://h/wrong", "200 OK", "Content-Type: image/png\r\nContent-Encoding: x-none\r\n", b"\0\xFF");
    let archive = [cut, wrong, b"garbage\r\n\r\n".to_vec(), page("http://h/x", "<a href=cut>")].concat();
    let (folder, stderr, code) = mirror("damage", &archive);
    assert_eq!(code, 1);
    assert!(stderr.contains("http://h/cut: its body is damaged"), "{stderr}");
    assert!(stderr.contains("http://h/wrong: "), "{stderr}");
    let files = files(&folder.join("site"));
    assert!(files["h/cut.html"].starts_with("<a href=x.html>"), "{files:?}");
    assert_eq!(files["h/x.html"], "<a href=cut.html>");
}

/// The archives of a WACZ file, and of several files, are one crawl.
#[test]
fn several_archives_are_one_copy() {
    let folder = folder("mirror-several");
    let [one, two, three] = [("1", "2"), ("2", "3"), ("3", "1")]
        .map(|(name, to)| gzip(&page(&format!("http://h/{name}"), &format!("<a href={to}>"))));
    let entries = [zip_entry("archive/1.warc.gz", &one), zip_entry("archive/2.warc.gz", &two)];
    let [wacz, warc, site] = ["crawl.wacz", "three.warc.gz", "site"].map(|name| folder.join(name));
    fs::write(&wacz, zip(&entries).0).unwrap();
    fs::write(&warc, three).unwrap();
    let [wacz, warc, folder] = [&wacz, &warc, &site].map(|path| path.to_str().unwrap());
    let output = relref(&["rewrite", "--mirror", "--output", folder, wacz, warc], b"");
    let totals = "relref: 3 pages, 3 changed: 3 references rewritten, 0 right as they are\n";
    assert_eq!((String::from_utf8(output.stderr).unwrap().as_str(), output.status.code()), (totals, Some(0)));
    let files = files(&site);
    assert_eq!(
        ["h/1.html", "h/2.html", "h/3.html"].map(|name| &*files[name]),
        ["<a href=2.html>", "<a href=3.html>", "<a href=1.html>"]
    );
}

/// Memory does not grow with a capture, and a page that is not in memory is read for a late base.
#[test]
fn long_captures_are_written() {
    let links = "<p>text <a href=x>more</a>\n".repeat(100_000);
    let archive = [page("http://h/p", &format!("{links}<base href=/b/>")), page("http://h/b/x", "x")].concat();
    let (folder, stderr, code) = mirror("long", &archive);
    assert_eq!(code, 0, "{stderr}");
    let expected = format!("{}<base href=\"\">", links.replace("href=x", "href=b/x.html"));
    assert!(fs::read_to_string(folder.join("site/h/p.html")).unwrap() == expected);
}

#[test]
fn long_names_do_not_make_a_page_much_longer() {
    let deep = format!("http://h/{}", format!("{}/", "%D0%B4".repeat(30)).repeat(30));
    let text = "<a href=b>".repeat(3000);
    let archive = [page("http://h/a", &text), redirect("http://h/b", &deep), page(&deep, "x")].concat();
    let (folder, stderr, code) = mirror("amplified", &archive);
    assert!(code == 0 && stderr.contains(" left (too-long)"), "{stderr}");
    let len = fs::metadata(folder.join("site/h/a.html")).unwrap().len();
    assert!(len > 1 << 20 && len < (1 << 20) + 257 * text.len() as u64, "{len}");
}

/// The character encoding that only the HTTP head says is added, so that browsers read the file as they read the page.
#[test]
fn character_encodings_are_kept() {
    let html = |path: &str, charset: &str, body: &[u8]| {
        response(
            &format!("http://h/{path}"),
            "200 OK",
            &format!("Content-Type: text/html; charset={charset}\r\n"),
            body,
        )
    };
    let utf_16: Vec<u8> = "<a href=k>Л".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let archive = [
        html("k", "KOI8-R", b"<!doctype html><html lang=ru><head profile=p><title>\xC1</title><a href='\xC1'>"),
        html("w", "windows-1251", b"<meta charset=koi8-r>\xC1"),
        html("u", "utf8", "<p>日本<a href=k>".as_bytes()),
        html("b", "utf-16be", &utf_16),
        html("same", "euc-kr", b"<title>\xC7\xD1</title><meta charset=euc-kr>"),
        html("marked", "koi8-r", b"\xEF\xBB\xBF<!doctype html><p>\xC3\xA9"),
        html("latin", "iso-8859-1", b"<p>\xE9"),
        html("none", "none", b"<p>\xE9"),
        response("http://h/s.css", "200 OK", "Content-Type: text/css; charset=koi8-r\r\n", b"a{b:'\xC1'}"),
        response("http://h/t.css", "200 OK", "Content-Type: text/css; charset=koi8-r\r\n", b"a{b:c}"),
        response(
            "http://h/x.xhtml",
            "200 OK",
            "Content-Type: application/xhtml+xml; charset=windows-1252\r\n",
            b"<html xmlns='http://www.w3.org/1999/xhtml'><p>\xE9</p></html>",
        ),
        response(
            "http://h/i.svg",
            "200 OK",
            "Content-Type: image/svg+xml; charset=utf-8\r\n",
            "<?xml version='1.0' encoding='iso-8859-1'?><svg xmlns='http://www.w3.org/2000/svg'>é</svg>".as_bytes(),
        ),
    ];
    let (folder, stderr, code) = mirror("charsets", &archive.concat());
    assert!(code == 0 && stderr.contains(", 8 character encodings of HTTP heads written into pages"), "{stderr}");
    let read = |name: &str| fs::read(folder.join("site/h").join(name)).unwrap().escape_ascii().to_string();
    for (name, expected) in [
        (
            "k.html",
            "<!doctype html><html lang=ru><head profile=http://h/p><meta charset=koi8-r><title>\\xc1</title><a href=\\'http://h/%D0%B0\\'>",
        ),
        ("w.html", "<meta charset=windows-1251><meta charset=koi8-r>\\xc1"),
        ("u.html", "\\xef\\xbb\\xbf<p>\\xe6\\x97\\xa5\\xe6\\x9c\\xac<a href=k.html>"),
        ("same.html", "<title>\\xc7\\xd1</title><meta charset=euc-kr>"),
        ("marked.html", "\\xef\\xbb\\xbf<!doctype html><p>\\xc3\\xa9"),
        ("latin.html", "<meta charset=windows-1252><p>\\xe9"),
        ("none.html", "<p>\\xe9"),
        ("s.css", "@charset \\\"koi8-r\\\";a{b:\\'\\xc1\\'}"),
        ("t.css", "a{b:c}"),
        (
            "x.xhtml",
            "<?xml version=\\\"1.0\\\" encoding=\\\"windows-1252\\\"?><html xmlns=\\'http://www.w3.org/1999/xhtml\\'><p>\\xe9</p></html>",
        ),
        (
            "i.svg",
            "<?xml version=\\'1.0\\' encoding=\\'utf-8\\'?><svg xmlns=\\'http://www.w3.org/2000/svg\\'>\\xc3\\xa9</svg>",
        ),
    ] {
        assert_eq!(read(name), expected);
    }
    assert!(read("b.html").starts_with("\\xfe\\xff\\x00<\\x00a"));
}

#[test]
fn fragments_of_redirects_count() {
    let links = "<a href=/old><a href=/old#y><a href=/faq><a href=/plain#z>";
    let archive = [
        page("http://h/", links),
        redirect("http://h/old", "/new#x"),
        redirect("http://h/faq", "/#faq"),
        redirect("http://h/plain", "/new"),
        page("http://h/new", "<p id=x>"),
    ];
    let (folder, stderr, code) = mirror("redirect-fragments", &archive.concat());
    assert_eq!(code, 0, "{stderr}");
    let read = fs::read_to_string(folder.join("site/h/index.html")).unwrap();
    assert_eq!(read, "<a href=new.html#x><a href=new.html#x><a href=#faq><a href=new.html#z>");
}

/// Browsers do not load a style sheet with other bytes.
#[test]
fn changed_sheets_have_no_integrity() {
    let sheet = |name: &str, text: &str| response(name, "200 OK", "Content-Type: text/css\r\n", text.as_bytes());
    let links = "<link integrity=sha256-x rel=stylesheet href=a.css><link rel=stylesheet href=b.css integrity='sha256-y'>\
        <link href=old.css integrity = \"sha256-z\" rel=stylesheet><link href=none.css integrity=sha256-0>";
    let archive = [
        page("http://h/", links),
        sheet("http://h/a.css", "a{b:url(/i.png)}"),
        sheet("http://h/b.css", "a{color:red}"),
        redirect("http://h/old.css", "a.css"),
    ];
    let (folder, stderr, _) = mirror("integrity", &archive.concat());
    assert!(stderr.contains(", 2 integrity attributes of changed style sheets left out"), "{stderr}");
    let expected = "<link rel=stylesheet href=a.css><link rel=stylesheet href=b.css integrity='sha256-y'>\
        <link href=a.css rel=stylesheet><link href=http://h/none.css integrity=sha256-0>";
    assert_eq!(fs::read_to_string(folder.join("site/h/index.html")).unwrap(), expected);
}

#[test]
fn windows_can_have_the_names() {
    let folder = folder("mirror-windows");
    let (archive, site) = (folder.join("crawl.warc"), folder.join("site"));
    let pages = [
        page("http://h:81/p.php?id=3&u=a:b", "<a href=/AUX><a href=/x>"),
        page("http://h:81/aux", ""),
        page("http://h:81/X", ""),
    ];
    fs::write(&archive, pages.concat()).unwrap();
    let [archive, site_path] = [&archive, &site].map(|path| path.to_str().unwrap());
    let output = relref(&["rewrite", "--mirror", "--windows-names", "--quiet", "--output", site_path, archive], b"");
    assert!(output.status.success());
    let names: Vec<String> = files(&site).into_keys().collect();
    assert_eq!(names, ["h+81/%61ux.html", "h+81/X.html", "h+81/p.php@id=3&u=a%3Ab.html", "index.html"]);
    assert_eq!(missing(&site), [""; 0]);
    let args = ["rewrite", "--windows-names", "--to", "root", "--base", "http://h/", "-"];
    assert_eq!(relref(&args, b"").status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn the_example_makes_a_copy() {
    use std::process::Command;

    let folder = folder("mirror-example");
    let archive = folder.join("crawl.warc.gz");
    let pages =
        [page("http://h/", "<a href=/日本?b=1#top>"), page("http://h/日本?b=1", "<p id=top><a href=/><a href=//o/>")];
    fs::write(&archive, gzip(&pages.concat())).unwrap();
    let path = format!("{}:{}", Path::new(env!("CARGO_BIN_EXE_relref")).parent().unwrap().display(), env!("PATH"));
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/mirror/mirror.sh");
    let output =
        Command::new("sh").arg(example).arg(folder.join("site")).arg(&archive).env("PATH", path).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success() && stdout.ends_with("/index.html\n"),
        "{stdout} {:?}",
        output.stderr.escape_ascii()
    );
    let first = fs::read_to_string(folder.join("site/h/index.html")).unwrap();
    assert_eq!(first, "<a href=\"%E6%97%A5%E6%9C%AC%3Fb=1.html#top\">");
}
