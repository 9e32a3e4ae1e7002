//! The formats of `relref check`, its baseline and its exit codes.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::archive::made::{http, record, response_fields, zip, zip_entry};
use crate::command::process::folder;

/// Runs `relref check` in this folder. Returns its output, its messages and its exit code.
pub fn check(folder: &Path, args: &[&str]) -> (String, String, i32) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_relref")).arg("check").args(args).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

fn site(name: &str) -> std::path::PathBuf {
    let root = folder(name);
    for (path, content) in [
        (
            "index.html",
            "<h1 id=top-id>Hi</h1>\n<a href=docs/a.html>a</a>\n<a href='docs/a.html#intro'>b</a> <a href=me@example.com>c</a>",
        ),
        (
            "docs/a.html",
            "<p id=introduction><a href=../no.html>x</a><a href=../no.html>y</a><a href='http://[::'>z</a><a href=../docs>w</a>",
        ),
        ("docs/index.html", "<a href=A.html>x</a><a href=../no.html>y</a><a href=../empty/>z</a>"),
        ("empty/x.txt", ""),
    ] {
        fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        fs::write(root.join(path), content).unwrap();
    }
    root
}

const TEXT: &str = "\
missing no.html: 2 pages link to it
    docs/a.html:1:28, 1:52
    docs/index.html:1:29
invalid http://[::: 1 page has it
    IPv6-unclosed at byte 10: a host that starts with `[` ends with `]`
    docs/a.html:1:87
missing-slash docs/index.html: 1 page links to it
    better: docs/
    docs/a.html:1:102
wrong-case docs/a.html: 1 page links to it
    better: docs/a.html
    docs/index.html:1:9
no-index empty: 1 page links to it
    docs/index.html:1:53
missing-fragment docs/a.html#intro: 1 page links to it
    index.html:3:10
not-a-link me@example.com: 1 page has it
    better: mailto:me@example.com
    index.html:3:43
";

#[test]
fn text_is_grouped_by_target() {
    let root = site("check-text");
    let (text, messages, code) = check(&root, &[]);
    assert_eq!((text.as_str(), code), (TEXT, 1));
    let (start, end) = messages.split_once(", in ").unwrap();
    assert_eq!(start, "relref: 3 pages, 10 links (9 within the site): 8 problems, 1 note");
    assert!(
        end.ends_with(
            " s; --fix repairs 3; --ignore REGEX leaves some out, --write-baseline FILE keeps them for --baseline\n"
        ),
        "{messages}"
    );
    for threads in ["1", "3", "16"] {
        assert_eq!(check(&root, &["-q", "--threads", threads]), (TEXT.into(), String::new(), 1));
    }
}

#[test]
fn json_lines_have_the_fields_of_a_problem() {
    let root = site("check-json");
    let (text, _, code) = check(&root, &["-q", "--format", "jsonl"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), code), (9, 1));
    assert_eq!(
        lines[0],
        r#"{"page":"docs/a.html","line":1,"column":28,"start":27,"end":37,"element":"a","attribute":"href","reference":"../no.html","uri":"/no.html","problem":"missing","target":"no.html"}"#
    );
    assert_eq!(
        lines[8],
        r#"{"page":"index.html","line":3,"column":43,"start":90,"end":104,"element":"a","attribute":"href","reference":"me@example.com","uri":"/me@example.com","problem":"not-a-link","target":"me@example.com","suggestion":"mailto:me@example.com"}"#
    );
    let (text, _, _) = check(&root, &["-q", "--format", "jsonl", "--base", "https://h/s/"]);
    assert!(text.contains(r#""uri":"https://h/s/no.html""#) && !text.contains("site.invalid"), "{text}");
}

#[test]
fn services_get_their_formats() {
    let root = site("check-services");
    let (text, _, code) = check(&root, &["-q", "--format", "github"]);
    assert_eq!(code, 1);
    let first = text.lines().next().unwrap();
    assert_eq!(first, "::error file=docs/a.html,line=1,col=28,title=missing::no.html does not exist");
    assert!(text.contains("::notice file=docs/a.html,line=1,col=102,title=missing-slash::"), "{text}");

    let (text, _, _) = check(&root, &["-q", "--format", "sarif"]);
    let sarif: Value = serde_json::from_str(&text).unwrap();
    let run = &sarif["runs"][0];
    assert_eq!((sarif["version"].as_str(), run["columnKind"].as_str()), (Some("2.1.0"), Some("unicodeCodePoints")));
    let results = run["results"].as_array().unwrap();
    let rules: Vec<&Value> =
        run["tool"]["driver"]["rules"].as_array().unwrap().iter().map(|rule| &rule["id"]).collect();
    assert!(results.len() == 9 && results.iter().all(|result| rules.contains(&&result["ruleId"])));
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(
        (&place["artifactLocation"]["uri"], &place["region"]["startColumn"]),
        (&"docs/a.html".into(), &28.into())
    );

    let (text, _, _) = check(&root, &["-q", "--format", "junit"]);
    assert!(
        text.starts_with(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"relref check\" tests=\"4\" failures=\"3\" errors=\"0\">"
        ),
        "{text}"
    );
    assert!(
        text.contains(
            "<testcase classname=\"links\" name=\"docs/a.html\" file=\"docs/a.html\">\n<failure message=\"3 links\""
        ),
        "{text}"
    );
    assert!(text.contains("name=\"0 pages without problems\""), "{text}");
    // Without any problem.
    for (format, expected) in [
        ("sarif", "\"results\":[\n]"),
        ("junit", "failures=\"0\""),
        ("text", ""),
        ("jsonl", ""),
        ("github", ""),
        ("gitlab", "[]\n"),
    ] {
        let (text, _, code) = check(&root, &["-q", "--format", format, "--ignore", ""]);
        assert!(code == 0 && text.contains(expected) && (!expected.is_empty() || text.is_empty()), "{format}: {text}");
    }
}

#[test]
fn problems_in_the_baseline_are_left_out_when_lines_move() {
    let root = site("check-baseline");
    let (_, messages, code) = check(&root, &["--write-baseline", "known.jsonl"]);
    assert!(code == 0 && messages.contains("8 problems"), "{messages}");
    let page = root.join("index.html");
    let moved = ["<p>\n<p>\n", &fs::read_to_string(&page).unwrap(), "<a href=new.html>"].concat();
    fs::write(&page, moved).unwrap();
    let (text, messages, code) = check(&root, &["--baseline", "known.jsonl", "--format", "jsonl"]);
    assert!(text.lines().count() == 1 && text.contains("new.html") && code == 1, "{text}");
    assert!(
        messages.contains("1 problem, 9 more in the baseline")
            || messages.contains("1 problem, 8 more in the baseline"),
        "{messages}"
    );
    // Written again, those that are known stay known.
    let (_, _, code) = check(&root, &["-q", "--baseline", "known.jsonl", "--write-baseline", "known.jsonl"]);
    assert_eq!(code, 0);
    assert_eq!(check(&root, &["-q", "--baseline", "known.jsonl"]), (String::new(), String::new(), 0));
    fs::write(root.join("known.jsonl"), "{}\n").unwrap();
    let (_, messages, code) = check(&root, &["-q", "--baseline", "known.jsonl"]);
    assert!(code == 1 && messages.starts_with("relref: known.jsonl: line 1 is not one"), "{messages}");
}

#[test]
fn options_choose_problems_and_files() {
    let root = site("check-options");
    let count = |args: &[&str]| check(&root, &[&["-q", "--format", "jsonl"], args].concat()).0.lines().count();
    assert_eq!(count(&[]), 9);
    assert_eq!(count(&["--ignore", "^/no", "--ignore", "^http"]), 5);
    assert_eq!(count(&["--no-fragments"]), 8);
    assert_eq!(count(&["docs"]), 7, "links out of the root");
    assert_eq!(count(&["docs/a.html"]), 4, "in its own folder");
    assert_eq!(count(&["--root", ".", "docs/a.html"]), 4);
    assert_eq!(count(&["--root", ".", "docs/index.html", "index.html"]), 5);
    assert_eq!(count(&["--index", "a.html", "--ignore", "."]), 0);
    let (text, _, code) = check(&root, &["-q", "none"]);
    assert!(text.is_empty() && code == 1);
    for args in [&["--ignore", "("][..], &["--format", "xml"], &["--threads", "0"]] {
        assert_eq!(check(&root, args).2, 2);
    }
    let (_, messages, code) = check(&root, &["--base", "mailto:a"]);
    assert!(code == 2 && messages.contains("it has no host"), "{messages}");
}

#[test]
fn pages_without_links_to_them_are_listed() {
    let root = site("check-unlinked");
    fs::write(root.join("alone.md"), "[me](alone.md)").unwrap();
    // Files that could be pages by their names, and are none.
    for name in [".nojekyll", "LICENSE", "alone.css"] {
        fs::write(root.join(name), "text").unwrap();
    }
    fs::write(root.join("alone.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>").unwrap();
    let (text, _, _) = check(&root, &["-q", "--unlinked", "--ignore", ""]);
    let is_listed = |name: &str| text.contains(&format!("unlinked {name}: no other page links to it\n"));
    assert!(is_listed("alone.md"), "{text}");
    assert!(!["index.html", ".nojekyll", "LICENSE", "alone.css", "alone.svg"].into_iter().any(is_listed), "{text}");
    let (text, _, code) = check(&root, &["-q", "--unlinked", "--ignore", "", "--format", "jsonl"]);
    assert!(text.contains("{\"page\":\"alone.md\",\"unlinked\":true}\n") && code == 0, "{text}");
    assert_eq!(check(&root, &["-q", "--unlinked", "--format", "sarif"]).2, 1);
}

#[test]
fn archives_are_a_closed_world() {
    let root = folder("check-archive");
    let page = "<a href=a>a</a><a href=b#x>b</a><a href=no>c</a><a href=http://other/>d</a><img src=i.png>";
    let captured = |uri: &str, head: &str, body: &str| {
        record("response", &response_fields(uri), [head, "\r\n\r\n", body].concat().as_bytes())
    };
    let archive = [
        record("response", &response_fields("http://h/"), &http("Content-Type: text/html\r\n", page.as_bytes())),
        captured("http://h/a", "HTTP/1.1 404 No\r\nContent-Type: text/html", ""),
        captured("http://h/b", "HTTP/1.1 301 Moved\r\nLocation: http://h/", ""),
        captured("http://h/i.png", "HTTP/1.1 200 OK\r\nContent-Type: image/png", "x"),
    ]
    .concat();
    let (zipped, _) = zip(&[zip_entry("archive/a.warc", &archive)]);
    fs::write(root.join("a.wacz"), zipped).unwrap();
    fs::write(root.join("a.warc"), archive).unwrap();
    let (text, _, code) = check(&root, &["-q", "--format", "jsonl", "a.warc"]);
    let expected = [
        r#"{"page":"http://h/","element":"a","attribute":"href","reference":"a","uri":"http://h/a","problem":"status","note":"404"}"#,
        r#"{"page":"http://h/","element":"a","attribute":"href","reference":"no","uri":"http://h/no","problem":"missing","note":"it was not captured"}"#,
    ];
    assert_eq!((text.lines().collect::<Vec<_>>(), code), (expected.to_vec(), 1));
    assert_eq!(check(&root, &["-q", "--format", "jsonl", "a.wacz"]), (text, String::new(), 1));
}

#[test]
fn the_report_needs_nothing_else() {
    let root = site("check-report");
    fs::write(root.join("<img src=x>&.html"), "<a href='\"><script>alert(1)</script>'>").unwrap();
    let (_, _, code) = check(&root, &["-q", "--report", "report.html"]);
    let report = fs::read_to_string(root.join("report.html")).unwrap();
    assert_eq!(code, 1);
    for text in [
        "<b>9</b>problems",
        "By target",
        "By page",
        "docs/a.html",
        "Pages of . that nothing links to",
        "default-src 'none'",
    ] {
        assert!(report.contains(text), "{text}");
    }
    assert!(!report.contains("<script>alert") && !report.contains("<img"), "names are text");
    assert!(!report.contains("src=\"") && !report.contains("<link"), "nothing is fetched");
    let (_, _, code) = check(&root, &["-q", "--ignore", "", "--report", "report.html"]);
    assert!(code == 0 && fs::read_to_string(root.join("report.html")).unwrap().contains("Every link leads somewhere"));
}

/// A repair and a move leave `integrity` to the author, and tell where it is wrong now.
#[test]
fn integrity_of_changed_sheets_is_told() {
    let root = folder("check-integrity");
    fs::create_dir(root.join("c")).unwrap();
    let page = "<link rel=stylesheet href=\"c/s.css?v=1\" integrity=sha256-x>";
    for (path, content) in [("a.html", page), ("b.html", "<p>"), ("c/s.css", "a{b:url(I.png)}"), ("c/i.png", "")] {
        fs::write(root.join(path), content).unwrap();
    }
    let told = "1 changed style sheet: renew the integrity attributes of links to them, as in a.html";
    let (_, messages, _) = check(&root, &["--fix", "."]);
    assert!(messages.contains(told), "{messages}");
    let args = ["move", "--root", ".", "c/i.png", "c/j.png"];
    let moved = Command::new(env!("CARGO_BIN_EXE_relref")).args(args).current_dir(&root).output().unwrap();
    let messages = String::from_utf8(moved.stderr).unwrap();
    assert!(messages.contains("renew the integrity"), "{messages}");
    assert_eq!(fs::read_to_string(root.join("c/s.css")).unwrap(), "a{b:url(j.png)}");
    // Without an integrity, nothing is told.
    fs::write(root.join("a.html"), page.replace(" integrity", " title")).unwrap();
    fs::rename(root.join("c/j.png"), root.join("c/J.png")).unwrap();
    let (_, messages, _) = check(&root, &["--fix", "."]);
    assert!(
        messages.contains("1 reference changed in 1 file, 0 problems left")
            && !messages.contains("renew the integrity"),
        "{messages}"
    );
}

/// Fingerprints are other ones in each place, and stay when lines move.
#[test]
fn gitlab_gets_its_code_quality() {
    let root = site("check-gitlab");
    let found = || {
        let (text, _, code) = check(&root, &["-q", "--format", "gitlab", "."]);
        assert_eq!(code, 1);
        serde_json::from_str::<Vec<Value>>(&text).unwrap()
    };
    let fingerprints = |found: &[Value]| {
        found.iter().map(|problem| problem["fingerprint"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let before = found();
    let mut expected = serde_json::json!({
        "description": "no.html does not exist",
        "check_name": "missing",
        "severity": "major",
        "location": { "path": "docs/a.html", "lines": { "begin": 1 } },
    });
    expected["fingerprint"] = before[0]["fingerprint"].clone();
    assert_eq!((&before[0], before.len()), (&expected, 9));
    assert!(before.iter().any(|problem| problem["severity"] == "info" && problem["check_name"] == "missing-slash"));
    let mut unique = fingerprints(&before);
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), 9);
    for page in ["docs/a.html", "index.html"] {
        let page = root.join(page);
        fs::write(&page, ["<p>\n\n", &fs::read_to_string(&page).unwrap()].concat()).unwrap();
    }
    let after = found();
    assert_eq!((fingerprints(&after), &after[0]["location"]["lines"]["begin"]), (fingerprints(&before), &3.into()));
    // More of the same in one page than are counted.
    fs::write(
        root.join("docs/a.html"),
        "<a href=n>".repeat(3) + &(0..70_000).map(|n| format!("<a href=//[{n}><a href=//[{n}>")).collect::<String>(),
    )
    .unwrap();
    let mut many = fingerprints(&found());
    many.sort();
    let all = many.len();
    many.dedup();
    assert!(all > 140_000 && many.len() == all, "{all}");
}

#[test]
fn fragments_in_web_archives_are_not_checked() {
    let root = folder("check-archive-fragments");
    let page = http("Content-Type: text/html\r\n", b"<a href='#no'>1</a><a href='/#none'>2</a>");
    fs::write(root.join("a.warc"), record("response", &response_fields("http://h/"), &page)).unwrap();
    assert_eq!(check(&root, &["-q", "a.warc"]), (String::new(), String::new(), 0));
}

/// As when `head` has read enough.
#[cfg(target_os = "linux")]
#[test]
fn repairs_do_not_end_with_their_reader() {
    let root = folder("check-full");
    for (path, content) in [("a.md", "[b](B.md)"), ("b.md", ""), ("c.md", "[b](B.md)")] {
        fs::write(root.join(path), content).unwrap();
    }
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    let status = command.args(["check", "--fix", "."]).current_dir(&root).stdout(full).status().unwrap();
    assert_eq!(status.code(), Some(1));
    for page in ["a.md", "c.md"] {
        assert_eq!(fs::read_to_string(root.join(page)).unwrap(), "[b](b.md)");
    }
}
