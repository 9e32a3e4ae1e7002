//! The facts of pages and links in lines: `--columns`, and the fields of JSON.

use std::fs;

use serde_json::{Value, json};

use super::run::{links, path};
use crate::archive::made::{http, record, response_fields};
use crate::command::process::{folder, relref};

const PAGE: &[u8] =
    b"<link rel=alternate hreflang=fr href=f><title> \xcf\xf0\xe8\n&amp;\tx </title><meta charset=windows-1251>\
    <style media='print, (x)'>@import 'c'</style><a href=a>\xf2\xe5\xea\xf1\xf2</a>";

/// Returns the objects of JSON lines.
fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns an archive with a page of status 200, a redirection that has a page, one of status 404 that has a feed, a file, and a
/// response without a status that can be read.
fn archive() -> Vec<u8> {
    let response = |path: &str, status: &str, block: Vec<u8>| {
        let fields = format!("WARC-Date: 2024-05-06T07:08:09Z\r\n{}", response_fields(&format!("http://h/{path}")));
        let block = [b"HTTP/1.1 ", status.as_bytes(), &block[b"HTTP/1.1 200".len()..]].concat();
        record("response", &fields, &block)
    };
    let html = |fields: &str| http(&format!("Content-Type: Text/HTML; charset=\"Windows-1251\"\r\n{fields}"), PAGE);
    let rss = b"<?xml version='1.0' encoding='koi8-r'?><rss><link>l\xd1</link></rss>";
    [
        response("ok", "200", html("Link: <n>; rel=next; hreflang=de; media=\"m\"; anchor=\"#x\"\r\n")),
        response("to", "301", html("Location: /a\r\n")),
        response("no", "404", http("Content-Type: application/rss+xml\r\n", rss)),
        record("resource", "Content-Type: text/html\r\nWARC-Target-URI: http://h/file\r\n", b"<a href=x>"),
        response("odd", "2xx", html("")),
    ]
    .concat()
}

#[test]
fn json_has_every_fact() {
    let (text, problems, code) = links(&["--base=http://h/p", "--json", "-"], PAGE);
    assert_eq!((problems.as_str(), code), ("", 0));
    let common = json!({ "page": "-", "page_uri": "http://h/p", "charset": "windows-1251", "title": "При & x" });
    let own = [
        json!({ "element": "link", "attribute": "href", "kind": "hyperlink", "rel": "alternate", "hreflang": "fr", "reference": "f" }),
        json!({ "element": "style", "attribute": "text", "kind": "resource", "rel": "", "media": "print, (x)", "reference": "c" }),
        json!({ "element": "a", "attribute": "href", "kind": "hyperlink", "rel": "", "reference": "a" }),
    ];
    let found = objects(&text);
    assert_eq!(found.len(), 3);
    for (found, own) in found.iter().zip(own) {
        let mut expected = common.clone();
        expected.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
        expected["uri"] = format!("http://h/{}", own["reference"].as_str().unwrap()).into();
        for name in ["start", "end", "line", "column"] {
            assert!(found[name].is_u64(), "{name}");
            expected[name] = found[name].clone();
        }
        assert_eq!(*found, expected);
    }

    let (text, problems, code) = links(&["--json", "-"], &archive());
    assert_eq!((problems.as_str(), code), ("", 0));
    let found: Vec<_> = objects(&text)
        .iter()
        .map(|object| {
            let names =
                ["page", "attribute", "status", "date", "media_type", "charset", "title", "hreflang", "media", "start"];
            names.map(|name| object[name].to_string().replace("http://h/", "").replace('"', ""))
        })
        .collect();
    let date = "2024-05-06T07:08:09Z";
    let of_page = |page, attribute, status, hreflang, media| {
        [page, attribute, status, date, "text/html", "windows-1251", "При & x", hreflang, media, "null"]
    };
    let all = |page, status| {
        let rest = [("href", "fr", "null"), ("text", "null", "print, (x)"), ("href", "null", "null")];
        rest.map(|(attribute, hreflang, media)| of_page(page, attribute, status, hreflang, media)).to_vec()
    };
    let expected = [
        vec![of_page("ok", "link", "200", "de", "m")],
        all("ok", "200"),
        vec![of_page("to", "location", "301", "null", "null")],
        all("to", "301"),
        vec![["no", "text", "404", date, "application/rss+xml", "KOI8-R", "null", "null", "null", "null"]],
        vec![["file", "href", "null", "null", "text/html", "UTF-8", "null", "null", "null", "null"]],
        all("odd", "null"),
    ]
    .concat();
    assert_eq!(found, expected);
    let anchors: Vec<_> = objects(&text).iter().filter_map(|object| object.get("anchor").cloned()).collect();
    assert_eq!(anchors, ["#x"]);
}

#[test]
fn columns_are_chosen_in_any_order() {
    let root = folder("columns");
    let (page, warc) = (root.join("p\n.html"), root.join("c.warc"));
    fs::write(&page, PAGE).unwrap();
    fs::write(&warc, archive()).unwrap();
    let name = path(&page).replace('\n', "%0A");
    let run = |args: &[&str], file| {
        let (text, problems, code) = links(&[&["--base=http://h/p"], args, &[path(file)]].concat(), b"");
        assert_eq!((problems.as_str(), code), ("", 0));
        text
    };
    let text =
        run(&["--columns=uri,status,title,page_uri,page,archive,line,column,start,end", "--kind=resource"], &page);
    assert_eq!(text, format!("http://h/c\t\tПри & x\thttp://h/p\t{name}\t\t2\t79\t129\t130\n"));
    // Text is read for its column, and the list decides about the columns of other options, too.
    let text = run(&["--columns=text,hreflang,key", "--key=surt"], &page);
    assert_eq!(text, "\tfr\th)/f\n\t\th)/c\nтекст\t\th)/a\n");
    assert_eq!(
        run(&["--columns=kind,rel", "--text", "--key=surt", "--kind=hyperlink"], &page),
        "hyperlink\talternate\nhyperlink\t\n"
    );
    let text = run(&["--columns=status,page,page_uri,archive,type,start,attribute,charset", "--kind=refresh"], &warc);
    let archive = path(&warc);
    assert_eq!(text, format!("301\thttp://h/to\thttp://h/to\t{archive}\ttext/html\t\tlocation\twindows-1251\n"));
    // In JSON, in the same order, without the fields that have no value.
    assert_eq!(
        run(&["--json", "--columns=archive,title,status,uri", "--kind=resource"], &page),
        "{\"title\":\"При & x\",\"uri\":\"http://h/c\"}\n"
    );
    assert_eq!(
        run(&["--json", "--columns=start,media", "--kind=hyperlink"], &page).lines().last().unwrap(),
        "{\"start\":147}"
    );
    assert_eq!(run(&["--json", "--columns=status,media", "--kind=hyperlink"], &page), "{}\n{}\n");
    let text = run(&["--json", "--columns=attribute,offset,status", "--kind=refresh"], &warc);
    assert!(
        text.starts_with("{\"attribute\":\"location\",\"offset\":") && text.ends_with(",\"status\":301}\n"),
        "{text}"
    );
    // What is compared and left out does not depend on the columns.
    assert_eq!(run(&["--columns=rel", "--unique", "--kind=hyperlink"], &warc).lines().count(), 5);
}

#[test]
fn columns_are_checked() {
    for (args, why) in [
        (
            &["--columns=uri,nonsense"][..],
            "[possible values: page, archive, page_uri, offset, status, date, media_type, charset, title, element, ",
        ),
        (&["--columns="], "[possible values: page,"),
        (&["--columns=uri,why"], "invalid value 'why'"),
        (&["--columns=uri,rel,uri"], "--columns has a column twice"),
        (&["--columns=uri", "--format=text"], "--columns needs --format tsv or jsonl"),
        (&["--columns=key"], "the column key needs --key"),
        (&["--status=200,3x"], "\"3x\" is neither a status code, such as 200, nor a class, such as 3xx"),
        (&["--status="], "\"\" is neither"),
    ] {
        let output = relref(&[&["links", "-"], args].concat(), b"");
        let problem = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(problem.contains(why), "{args:?}: {problem}");
    }
}

/// Values cannot end a column or a line, or control a terminal, and the limit for the lines of a page holds.
#[test]
fn facts_are_quoted_and_bounded() {
    let page = "<title>a\u{85}b\u{2028}c</title><a hreflang='x\ty' media='\n&#9;\u{202e}' href=l>";
    let (text, ..) = links(&["--base=http://h/", "--columns=title,hreflang,media,uri", "-"], page.as_bytes());
    assert_eq!(text, "a%C2%85b%E2%80%A8c\tx%09y\t%0A%09%E2%80%AE\thttp://h/l\n");
    let (text, ..) = links(&["--base=http://h/", "--json", "--columns=title", "-"], page.as_bytes());
    assert_eq!(text, "{\"title\":\"a\\u0085b\\u2028c\"}\n");
    let many = "x ".repeat(2_000);
    let long = "\u{202e}".repeat(10_000);
    let page = format!("<title>{long}</title><a hreflang='{long}' media='{long}' ping='{many}'>");
    for format in ["--format=tsv", "--format=jsonl"] {
        let output =
            relref(&["links", "--base=h:/", format, "--columns=title,hreflang,media,uri", "-"], page.as_bytes());
        let most = (1 << 20) + 256 * page.len();
        assert!(output.stdout.len() <= most, "{format}: {}", output.stdout.len());
        assert!(output.stdout.split(|byte| *byte == b'\n').all(|line| line.len() < 3 * 6 * 1100), "{format}");
        assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 2_000, "{format}");
    }
}

#[test]
fn captures_are_selected_by_status() {
    let run = |args: &[&str]| {
        let output = relref(&[&["links", "--format=tsv", "--columns=page,attribute", "-"], args].concat(), &archive());
        assert_eq!(output.status.code(), Some(0));
        let [text, totals] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let mut pages: Vec<String> =
            text.lines().map(|line| line.replace("http://h/", "").replace('\t', " ")).collect();
        pages.dedup();
        let skipped = totals.split_once("records skipped: ").map_or("", |(_, skipped)| skipped.trim()).to_owned();
        (pages.join(","), skipped)
    };
    let ok = "ok link,ok href,ok text,ok href";
    let to = "to location,to href,to text,to href";
    let rest = "file href,odd href,odd text,odd href";
    assert_eq!(run(&["--status", "200"]), (format!("{ok},{rest}"), "2 of other statuses (--status)".into()));
    assert_eq!(run(&["--status=3xx, 404"]), (format!("{to},no text,{rest}"), "1 of another status (--status)".into()));
    assert_eq!(run(&["--status=500"]), (rest.into(), "3 of other statuses (--status)".into()));
    assert_eq!(run(&["--status=2xx,3xx,4xx"]), run(&[]));
    // A page that is no capture has no status.
    let (text, ..) = links(&["--status=404", "--format=text", "--base=http://h/", "-"], b"<a href=x>");
    assert_eq!(text, "http://h/x\n");
}
