//! `--rejected`: the links that are not printed, with the reason.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::run::{links, names, pages, path, spawn};
use crate::command::process::{folder, relref};

/// Runs with `--rejected` in a folder of the test. Returns the links, the rejected links and the totals.
fn run(root: &Path, args: &[&str], page: &str) -> (String, String, String) {
    let file = root.join("rejected.tsv");
    let output = relref(&[&["links", "--rejected", path(&file)], args].concat(), page.as_bytes());
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    (stdout, fs::read_to_string(file).unwrap(), stderr)
}

#[test]
fn rejected_links_have_their_reason() {
    let root = folder("rejected");
    let page = "<a href='http://a b/'><a href=x><img src='//h:x/'><a href=mailto:a@h>\
        <a href='http://h:0/'><a href=http://other/><a href='#\u{1}\t\u{202e}\n'><link href=y>";
    let (text, rejected, totals) = run(&root, &["--base=http://h/p", "--format=text", "-"], page);
    assert_eq!(text, "http://h/x\nmailto:a@h\nhttp://h:0/\nhttp://other/\nhttp://h/p#%01%E2%80%AE\nhttp://h/y\n");
    let invalid = "\
-\ta\thref\thttp://a b/\tdomain-invalid-code-point at 1:18: a domain cannot have this character\n\
-\timg\tsrc\t//h:x/\tport-invalid at 1:47: a port has only digits\n";
    assert_eq!(rejected, invalid);
    assert!(totals.ends_with(" s; 2 links invalid\n"), "{totals}");

    let args = ["--base=http://h/p", "--same-host", "--exclude=#", "--kind=hyperlink,resource", "--max-uri=24", "-"];
    let page = page.to_owned() + "<a href='/01234567890123456789'>";
    let (text, rejected, totals) = run(&root, &args, &page);
    assert_eq!(text, "-\ta\thref\tx\thttp://h/x\n");
    let others = "\
-\ta\thref\thttp://h:0/\tbad-port: the port is not a number from 1 to 65535\n\
-\ta\thref\thttp://other/\tother-host: the host is not that of the page\n\
-\ta\thref\t#%01%E2%80%AE\texcluded: a pattern to exclude matches\n\
-\ta\thref\t/01234567890123456789\ttoo-long: the URI has more than 24 bytes (--max-uri)\n";
    assert_eq!(rejected, [invalid, others].concat());
    assert!(totals.ends_with(" s; 2 links invalid; 3 links out of scope; 1 URI too long (--max-uri)\n"), "{totals}");
    assert_eq!(names(&root), ["rejected.tsv"]);

    // In the format of the links.
    let (_, rejected, _) = run(&root, &["--base=http://h/p", "--json", "-"], "<a href='//h:\"x/'>");
    let why = "port-invalid at 1:14: a port has only digits";
    let expected = serde_json::json!({
        "page": "-", "page_uri": "http://h/p", "element": "a", "attribute": "href", "reference": "//h:\"x/", "why": why,
    });
    assert_eq!(serde_json::from_str::<serde_json::Value>(&rejected).unwrap(), expected);
    let why = "port-invalid at byte 4 of the reference: a port has only digits";
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLocation: //h:y\r\n\r\n<a href=//h:x>";
    let head = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/a\r\nContent-Type: application/http";
    let archive = format!("{head}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n", http.len());
    let (_, rejected, _) = run(&root, &["--format=jsonl", "-"], &archive);
    let objects: Vec<serde_json::Value> = rejected.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = |element: &str, attribute: &str, reference: &str| {
        serde_json::json!({
            "page": "http://h/a", "archive": "-", "offset": 0, "element": element, "attribute": attribute,
            "reference": reference, "why": why,
        })
    };
    assert_eq!(objects, [expected("http", "location", "//h:y"), expected("a", "href", "//h:x")]);
    let (_, rejected, _) = run(&root, &["--format=text", "-"], &archive);
    assert_eq!(rejected.lines().next().unwrap(), format!("http://h/a\thttp\tlocation\t//h:y\t{why}"));
}

/// The place of an error is that in the page. Where more is written there than the reference has, it is that of the reference.
#[test]
fn invalid_references_have_their_place() {
    let root = folder("rejected-places");
    let port = |place: &str| format!("port-invalid at {place}: a port has only digits\n");
    let pages: [(&[u8], _); 6] = [
        ("<meta charset=utf-8>\n<a href='http://é:x/'>".as_bytes(), port("2:19")),
        ("<meta charset=utf-8><a href='http://&eacute;:x/'>".as_bytes(), port("byte 10 of the reference at 1:30")),
        (b"<meta charset=windows-1252><a href='http://&#233;:x/'>", port("byte 10 of the reference at 1:37")),
        (b"<meta charset=windows-1252><a href='http://\xe9:x/'>", port("byte 10 of the reference at 1:37")),
        (b"<a href='//h\n:x/'>", port("byte 4 of the reference at 1:10")),
        (b"<img srcset='a,\n //h:x 2x'>", port("2:6")),
    ];
    for (page, expected) in pages {
        fs::write(root.join("page.html"), page).unwrap();
        let (_, rejected, _) = run(&root, &["--base=http://h/", path(&root.join("page.html"))], "");
        let why = rejected.rsplit('\t').next().unwrap();
        assert_eq!(why, expected, "{}", String::from_utf8_lossy(page));
    }
}

/// The rejected links of many pages are in the order of the pages, and their lines whole, also long ones, whatever the number of
/// threads.
#[test]
fn rejected_links_are_in_order_and_whole() {
    let root = folder("rejected-order");
    let mut expected = String::new();
    for page in 0..60 {
        let mut text = String::new();
        for link in 0..page * 37 % 900 {
            let filler = if link % 200 == 7 { "x".repeat(70_000) } else { String::new() };
            let column = text.len() + "<a href='//h:".len() + link.to_string().len() + 1;
            text += &format!("<a href='//h:{link}x/{filler}'><a href={link}>");
            expected += &format!("{page} //h:{link}x/{filler} {column}\n");
        }
        fs::write(root.join(format!("{page:02}.html")), text).unwrap();
    }
    let place = folder("rejected-order-output");
    for threads in ["1", "3", "32"] {
        let args = ["--base=http://h/", "--max-uri=1M", "--threads", threads, path(&root)];
        let (text, rejected, totals) = run(&place, &args, "");
        let count = expected.lines().count();
        assert_eq!(text.lines().count(), count);
        assert!(totals.contains(&format!("; {count} links invalid\n")), "{totals}");
        let mut found = String::new();
        for line in rejected.lines() {
            let columns: Vec<&str> = line.split('\t').collect();
            let page = Path::new(columns[0]).file_stem().unwrap().to_str().unwrap().parse::<u32>().unwrap();
            let column = columns[4].strip_prefix("port-invalid at 1:").unwrap().split(':').next().unwrap();
            assert_eq!((columns[1], columns[2], columns.len()), ("a", "href", 5));
            found += &format!("{page} {} {column}\n", columns[3]);
        }
        assert!(found == expected, "{threads}");
    }
}

/// The lines of rejected links are bounded as those of links are, and take nothing from the limits of those.
#[test]
fn rejected_lines_are_bounded() {
    let root = folder("rejected-bound");
    let long = "y".repeat(50_000);
    let page =
        format!("<a href=z>{}<a href=z>", "<img srcset='//h:x 1x,'>".replace("//h:x 1x,", &"//h:x 1x,".repeat(9)));
    let page = format!("<{long} ping='{}'><a href=z>{page}", "//h:x ".repeat(25_000));
    let file = root.join("rejected.tsv");
    let base = format!("http://h/{long}");
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}");
    let head = format!("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {base}\r\nContent-Type: application/http");
    let archive = format!("{head}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n", http.len());
    let (text, problems, code) = links(&["--rejected", path(&file), "-"], archive.as_bytes());
    let most = (1 << 20) + 256 * page.len();
    let expected = format!(
        "relref: -: record at byte 0: its rejected links take more than {most} bytes (1 MiB and 256 times the page): "
    );
    assert!(problems.starts_with(&expected), "{problems}");
    assert_eq!((text.lines().count(), code), (3, 1));
    let rejected = fs::read_to_string(file).unwrap();
    assert!(rejected.len() <= most && rejected.len() + 100_000 > most, "{} of {most}", rejected.len());
    assert!(rejected.ends_with('\n'));
}

#[test]
fn the_file_of_rejected_links_is_no_other_file() {
    let root = folder("rejected-file");
    let [page, out, other] = ["page.html", "out.tsv", "other.tsv"].map(|name| root.join(name));
    fs::write(&page, "<a href=//h:x>").unwrap();
    let again = root.join("../rejected-file/out.tsv");
    let run = |output: &Path, rejected: &Path| {
        let args = ["--base=http://h/", "--output", path(output), "--rejected", path(rejected), path(&page)];
        let (text, problems, code) = links(&args, b"");
        assert_eq!(text, "");
        (problems, code)
    };
    // Before and after it exists, in each spelling.
    for _ in 0..2 {
        for same in [&out, &again] {
            let expected = format!("relref: output: {}: it is also the file of --output\n", path(same));
            assert_eq!(run(&out, same), (expected, 1));
        }
        let expected = format!("relref: output: {}: it is also an input\n", path(&page));
        assert_eq!(run(&out, &page), (expected, 1));
        assert_eq!(fs::read_to_string(&page).unwrap(), "<a href=//h:x>");
        fs::write(&out, "older").unwrap();
    }
    assert_eq!(run(&out, &other), (String::new(), 0));
    assert_eq!(fs::read_to_string(&out).unwrap(), "");
    let line = "port-invalid at 1:13: a port has only digits\n";
    assert!(fs::read_to_string(&other).unwrap().ends_with(line));
    // The printed links would be lost.
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    let stdout = fs::File::options().append(true).open(&other).unwrap();
    let args = ["links", "--base=http://h/", "--rejected", path(&other), path(&page)];
    let done = command.args(args).stdout(stdout).output().unwrap();
    let refused = format!("relref: output: {}: it is also standard output\n", path(&other));
    assert_eq!((String::from_utf8(done.stderr).unwrap(), done.status.code()), (refused, Some(1)));
    // In a folder.
    let listed = root.join("robots.txt");
    fs::write(&listed, "Sitemap: x").unwrap();
    let args = ["--base=http://h/", "--output", path(&out), "--rejected", path(&listed), path(&root)];
    let (_, problems, code) = links(&args, b"");
    assert!(problems.contains(": it is also the output (--rejected)\n"), "{problems}");
    assert!(problems.ends_with(&format!("relref: output: {}: it is also an input\n", path(&listed))), "{problems}");
    assert_eq!((code, fs::read_to_string(&listed).unwrap().as_str()), (1, "Sitemap: x"));
    assert_eq!(names(&root), ["other.tsv", "out.tsv", "page.html", "robots.txt"]);
    #[cfg(target_os = "linux")]
    {
        let (problems, code) = run(&out, Path::new("/dev/full"));
        assert!(problems.starts_with("relref: output: /dev/full: No space left"), "{problems}");
        assert_eq!(code, 1);
        assert_eq!(run(Path::new("/dev/null"), Path::new("/dev/null")), (String::new(), 0));
    }
}

/// Each output may be `-`, standard output, but not two at once.
#[test]
fn a_dash_is_standard_output() {
    let root = folder("rejected-dash");
    let page = root.join("page.html");
    fs::write(&page, "<a href=//h:x><a href=y>").unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
        command.current_dir(&root).args(["links", "-q", "--base=http://h/", "--format=text", "page.html"]);
        let done = command.args(args).output().unwrap();
        let [stdout, stderr] = [done.stdout, done.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (stdout, stderr, done.status.code().unwrap())
    };
    let rejected = "page.html\ta\thref\t//h:x\tport-invalid at 1:13: a port has only digits\n";
    let printed = |text: &str| (String::from(text), String::new(), 0);
    assert_eq!(run(&["--output", "-"]), printed("http://h/y\n"));
    assert_eq!(names(&root), ["page.html"]);
    assert_eq!(run(&["--output", "out", "--rejected", "-"]), printed(rejected));
    assert_eq!(fs::read_to_string(root.join("out")).unwrap(), "http://h/y\n");
    // A file of that name has another one, too.
    assert_eq!(run(&["--output", "-", "--rejected", "./-"]), printed("http://h/y\n"));
    assert_eq!(fs::read_to_string(root.join("-")).unwrap(), rejected);
    for args in [&["--rejected", "-"][..], &["--rejected", "/dev/stdout"], &["--rejected", "-", "--output", "-"]] {
        let (text, problem, code) = run(args);
        let why = "relref: --rejected and the links would both go to standard output: give --rejected a file, or add --output FILE\n";
        assert!(problem.starts_with(why), "{problem}");
        assert_eq!((text.as_str(), code), ("", 2));
    }
    // What is printed would be lost with the file.
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    let args = ["links", "--base=http://h/", "--rejected=-", "--output=out", "page.html"];
    let stdout = fs::File::options().append(true).open(root.join("out")).unwrap();
    let done = command.current_dir(&root).args(args).stdout(stdout).output().unwrap();
    let refused = "relref: output: out: it is also standard output\n";
    assert_eq!((String::from_utf8(done.stderr).unwrap().as_str(), done.status.code()), (refused, Some(1)));
    assert_eq!(names(&root), ["-", "out", "page.html"]);
}

/// A command that ends early leaves the older files of both outputs as they were.
#[test]
fn rejected_links_replace_a_file_at_the_end() {
    let root = pages("rejected-early");
    let place = folder("rejected-early-output");
    let file = place.join("rejected.tsv");
    fs::write(&file, "older").unwrap();
    let mut child = spawn(&["--base", "h:/", "--rejected", path(&file), path(&root)]);
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((String::from_utf8_lossy(&output.stderr).as_ref(), output.status.code()), ("", Some(0)));
    assert_eq!(fs::read_to_string(&file).unwrap(), "older");
    assert_eq!(names(&place), ["rejected.tsv"]);
}
