//! Which links are printed, and how they are resolved and normalized.

use std::collections::BTreeSet;
use std::fs;

use super::run::{links, path};
use crate::command::process::{folder, relref};

#[test]
fn chooses_links() {
    let html = b"<a href=mailto:me><a href=x><img src=y><form action=ftp://z/><q cite=w><img src=data:,>\
        <img data-src=late><p itemtype=http://t/>";
    let uris = |args: &[&str]| {
        let (text, problems, code) = links(&[args, &["--base", "http://h/", "--format", "text", "-"]].concat(), html);
        assert_eq!((problems.as_str(), code), ("", 0));
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(uris(&[]), ["mailto:me", "http://h/x", "http://h/y", "ftp://z/", "http://h/w", "data:,"]);
    assert_eq!(uris(&["--follow"]), ["http://h/x", "http://h/y", "ftp://z/", "http://h/w"]);
    assert_eq!(uris(&["--kind", "hyperlink"]), ["mailto:me", "http://h/x"]);
    assert_eq!(uris(&["--kind", "form,citation"]), ["ftp://z/", "http://h/w"]);
    assert_eq!(uris(&["--kind", "resource", "--kind", "form", "--follow"]), ["http://h/y", "ftp://z/"]);
    assert!(uris(&["--lazy"]).contains(&String::from("http://h/late")));
    assert!(uris(&["--items"]).contains(&String::from("http://t/")));
}

#[test]
fn normalizes() {
    let html =
        b"<a href='%7ea/../b?utm_source=x&z&y#top'><a href='%zz'><a href=http://H.com/?><a href='http://h.com/#x'>";
    let run = |args: &[&str]| {
        let output = relref(&[&["links", "--base", "http://Example.com:80/d/", "-"], args].concat(), html);
        let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (stdout.lines().map(str::to_owned).collect::<Vec<_>>(), stderr, output.status.code())
    };
    let (lines, stderr, code) = run(&["--format", "text", "--normalize", "safe"]);
    let bad = "http://example.com/d/%zz";
    let top = "http://example.com/d/b?utm_source=x&z&y#top";
    assert_eq!(lines, [top, bad, "http://h.com/?", "http://h.com/#x"]);
    assert!(stderr.ends_with(" s; 1 URI not normalized\n") && code == Some(0), "{stderr}");
    // The preset `crawl` keeps a stray `%`, and makes all other changes.
    let (lines, stderr, _) = run(&["--format", "text", "--normalize", "crawl", "--unique"]);
    assert!(!stderr.contains("not normalized"), "{stderr}");
    assert_eq!(lines, ["http://example.com/d/b?y&z", "http://example.com/d/%zz", "http://h.com/"]);
    let (lines, ..) = run(&["--normalize", "crawl", "--key", "surt"]);
    let first = "-\ta\thref\t%7ea/../b?utm_source=x&z&y#top\thttp://example.com/d/b?y&z\tcom,example)/d/b?y&z";
    assert_eq!(lines[0], first);
    assert_eq!(lines[1], "-\ta\thref\t%zz\thttp://example.com/d/%zz\tcom,example)/d/%zz");
    // Without `--normalize`, the key is that of the URI normalized as `safe`.
    let (lines, ..) = run(&["--format", "text", "--key", "surt"]);
    assert_eq!(lines[2], "http://h.com/?\tcom,h)/?");
    let (lines, ..) = run(&["--format", "jsonl", "--key", "surt"]);
    let object: serde_json::Value = serde_json::from_str(&lines[2]).unwrap();
    assert_eq!((&object["uri"], &object["key"]), (&"http://h.com/?".into(), &"com,h)/?".into()));
    // A query keeps the character encoding of its page, a path does not.
    let html = b"<meta charset=windows-1251><a href='\xe6?\xe6'>";
    let (text, ..) = links(&["--base", "http://h/", "--format", "text", "--normalize", "safe", "-"], html);
    assert_eq!(text, "http://h/%D0%B6?%E6\n");
}

#[test]
fn rules_and_charsets() {
    let (text, ..) =
        links(&["--rules", "rfc1630", "--base", "http://h/x//y/z", "--format", "text", "-"], b"<a href=/g>");
    assert_eq!(text, "http://h/x//y/g\n");
    let (text, ..) = links(&["--charset", "windows-1251", "--base", "h:/", "--format", "text", "-"], b"<a href=\xe6>");
    assert_eq!(text, "h:/%D0%B6\n");
    for (mark, order) in [(&b"\xff\xfe"[..], 0), (b"\xfe\xff", 1), (b"", 0)] {
        let units: Vec<u8> = "<a href=é>"
            .encode_utf16()
            .flat_map(|unit| if order == 0 { unit.to_le_bytes() } else { unit.to_be_bytes() })
            .collect();
        let charset = if mark.is_empty() { &["--charset", "utf-16le"][..] } else { &[] };
        let (text, problems, code) =
            links(&[charset, &["--base", "h:/", "--format", "text", "-"]].concat(), &[mark, &units].concat());
        assert_eq!((text.as_str(), problems.as_str(), code), ("h:/%C3%A9\n", "", 0));
    }
}

/// Links are resolved by the rules of browsers, or exactly by RFC 3986.
#[test]
fn links_resolve_as_in_browsers() {
    let page = "<a href='..\\c d'><a href=é><a href=http://X.com><a href='?ж'><a href=' g\n'><a href='http:k'><a href='%2e%2E/l'>";
    let run = |args: &[&str], page: &[u8]| {
        let (text, problems, code) = links(&[args, &["--base=http://h/a/b", "--format=text", "-"]].concat(), page);
        assert_eq!((problems.as_str(), code), ("", 0));
        text.lines().map(String::from).collect::<Vec<_>>()
    };
    let as_in_browsers = [
        "http://h/c%20d",
        "http://h/a/%C3%A9",
        "http://x.com/",
        "http://h/a/b?%D0%B6",
        "http://h/a/g",
        "http://h/a/k",
        "http://h/l",
    ];
    assert_eq!(run(&[], page.as_bytes()), as_in_browsers);
    assert_eq!(run(&["--rules=whatwg"], page.as_bytes()), as_in_browsers);
    let by_letter = [
        "http://h/a/..\\c d",
        "http://h/a/é",
        "http://X.com",
        "http://h/a/b?ж",
        "http://h/a/g",
        "http:k",
        "http://h/a/%2e%2E/l",
    ];
    assert_eq!(run(&["--rules=rfc3986"], page.as_bytes()), by_letter);
    // The queries of a page in another encoding are in that encoding, if the result is sent to a server; without any option.
    let page = b"<meta charset=windows-1251><a href='\xe6?\xe6#\xe6'><a href='ws:x?\xe6'><a href='x:?\xe6'><a href='?\xe6\"&#8253;'>";
    let expected = ["http://h/a/%D0%B6?%E6#%D0%B6", "ws://x/?%D0%B6", "x:?%D0%B6", "http://h/a/b?%E6%22%26%238253%3B"];
    assert_eq!(run(&[], page), expected);
    let page =
        [b"<meta charset=windows-1251><base href='c?\xe6'><a href='#'>", &b"<object codebase='?\xe6' data='#'>"[..]];
    assert_eq!(run(&[], &page.concat()), ["http://h/a/c?%E6#", "http://h/a/c?%E6", "http://h/a/c?%E6#"]);
    // A base that is not a valid URL is ignored, as is the next one.
    for bad in ["http://a b/", "//h:x/", "http:", ""] {
        let page = format!("<base href='{bad}'><base href=/never/><a href=x>");
        assert_eq!(run(&[], page.as_bytes()), ["http://h/a/x"], "{bad}");
    }
}

/// Links that are no valid URLs are counted, but only if they would otherwise be printed.
#[test]
fn invalid_links_are_counted() {
    let page =
        "<a href='http://a b/'><a href=x><img src='//h:x/'><a href='//[1]'><object codebase='//h:x/' data=x></object>";
    let run = |args: &[&str], page: &str| {
        let output = relref(&[&["links", "--format=text"], args, &["-"]].concat(), page.as_bytes());
        let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (stdout, stderr, output.status.code())
    };
    let (text, totals, code) = run(&["--base=http://h/"], page);
    assert_eq!((text.as_str(), code), ("http://h/x\n", Some(0)));
    assert!(totals.ends_with(" s; 5 links invalid\n"), "{totals}");
    let (text, totals, _) = run(&["--base=http://h/", "--kind=resource"], page);
    assert!(text.is_empty() && totals.ends_with(" s; 2 links invalid\n"), "{totals}");
    let (text, totals, _) = run(&["--base=http://h/", "--rules=rfc3986"], page);
    assert!(text.lines().count() == 6 && !totals.contains("invalid"), "{totals}");
    // Nothing is relative to this page. Its own scheme decides whether its links could be followed.
    let (text, totals, _) = run(&["--base=mailto:me"], "<a href=x><a href=http://h>");
    assert!(text == "http://h/\n" && totals.ends_with(" s; 1 link invalid\n"), "{totals}");
    let (_, totals, _) = run(&["--base=mailto:me", "--follow"], "<a href=x><a href=http://h>");
    assert!(!totals.contains("invalid"), "{totals}");
}

/// A link that is not printed takes no bytes from the limits of the others.
#[test]
fn links_not_chosen_take_nothing() {
    let base = format!("<base href='http://h/{}/'>", "y".repeat(60_000));
    let page = format!("{base}{}<form action=f>", "<a href=xxxx>".repeat(400));
    let run = |args: &[&str]| {
        let (text, problems, code) = links(&[&["--base=h:/", "--format=text", "-"], args].concat(), page.as_bytes());
        (text.lines().count(), problems, code)
    };
    assert_eq!(run(&["--kind=form"]), (1, String::new(), 0));
    let page = page.replace("<base href='http:", "<base href='mail:").replace("action=f", "action=http://h/f");
    let run = |args: &[&str]| {
        let (text, problems, code) = links(&[&["--base=h:/", "--format=text", "-"], args].concat(), page.as_bytes());
        (text.lines().count(), problems, code)
    };
    assert_eq!(run(&["--follow"]), (1, String::new(), 0));
}

#[test]
fn an_unknown_charset_is_wrong_usage() {
    let (text, problems, code) = links(&["--charset", "utf-9", "--base", "h:/", "-"], b"<a href=x>");
    assert_eq!((text.as_str(), code), ("", 2));
    assert!(
        problems.contains("'utf-9' for '--charset <LABEL>': not a label of the Encoding Standard; did you mean utf-8?")
    );
}

/// A declaration late in the page counts in a file that is read as a stream, in a page in memory, on standard input, and in an
/// archive whose HTTP head has an unknown label.
#[test]
fn a_late_declaration_counts_in_every_input() {
    let folder = folder("late-charset");
    let meta = "<meta charset=windows-1251>";
    for len in [2_000, 300_000] {
        let page = [b"<a href='\xe6'>", " ".repeat(len).as_bytes(), meta.as_bytes()].concat();
        let file = folder.join("page.html");
        fs::write(&file, &page).unwrap();
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-9\r\n\r\n";
        let warc = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: h:/\r\nContent-Type: application/http\r\n\
             Content-Length: {}\r\n\r\n{head}",
            head.len() + page.len()
        );
        let archive = folder.join("page.warc");
        fs::write(&archive, [warc.as_bytes(), &page, b"\r\n\r\n"].concat()).unwrap();
        for (input, bytes) in [(path(&file), &b""[..]), (path(&archive), b""), ("-", &page)] {
            let (text, problems, code) = links(&["--base", "h:/", "--format", "text", input], bytes);
            assert_eq!((text.as_str(), problems.as_str(), code), ("h:/%D0%B6\n", "", 0), "{input} {len}");
        }
    }
}

/// A link that cannot be fetched, or is out of scope, is not printed but counted.
#[test]
fn links_out_of_scope_are_counted() {
    let html = b"<a href=http://><a href=https:///foo><a href=http://h:99999/><a href=mailto:a@h><a href=/x.pdf>\
        <a href=http://www.h.co.uk/y><a href=http://i.co.uk/z><a href=HTTP://H.co.uk:80/%>";
    let run = |args: &[&str]| {
        let all = ["links", "--base=http://h.co.uk/", "--rules=rfc3986", "--normalize=crawl", "--format=text", "-"];
        let output = relref(&[&all, args].concat(), html);
        let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (stdout.replace('\n', " "), stderr.rsplit(" s; ").next().unwrap().trim_end().to_owned(), output.status.code())
    };
    let expect = |args: &[&str], lines: &str, totals: &str| {
        assert_eq!(run(args), (String::from(lines), String::from(totals), Some(0)), "{args:?}");
    };
    let (pdf, www, other, percent) =
        ("http://h.co.uk/x.pdf", "http://www.h.co.uk/y", "http://i.co.uk/z", "http://h.co.uk/%");
    expect(&["--follow"], &format!("{pdf} {www} {other} {percent} "), "3 links out of scope");
    expect(&["--same-host"], &format!("{pdf} {percent} "), "5 links out of scope");
    expect(&["--same-domain"], &format!("{pdf} {www} {percent} "), "4 links out of scope");
    expect(
        &["--include=/[xy]", "--include", "%$", "--exclude=pdf$"],
        &format!("{www} {percent} "),
        "5 links out of scope",
    );
    // The host of the page in its normal form, as those of its links are.
    let of_www = [
        "links",
        "--base=http://www.h.co.uk/",
        "--normalize=crawl",
        "--with=drop-www",
        "--same-host",
        "--format=text",
        "-",
    ];
    let stdout = relref(&of_www, b"<a href=/a><a href=http://h.co.uk/b><a href=http://i.co.uk/c>").stdout;
    assert_eq!(stdout, b"http://h.co.uk/a\nhttp://h.co.uk/b\n");
    let safe = [&of_www[..2], &["--normalize=safe"], &of_www[3..]].concat();
    let stdout = relref(&safe, b"<a href=/100%><a href=http://h.co.uk/100%>").stdout;
    assert_eq!(stdout, b"http://www.h.co.uk/100%\nhttp://h.co.uk/100%\n");
    for wrong in [&["--include=("][..], &["--same-host", "--same-domain"]] {
        assert_eq!(run(wrong).2, Some(2), "{wrong:?}");
    }
}

/// With `--canonical`, the canonical link of a page is its URI, except as the base of its links.
#[test]
fn canonical_links_are_the_uris_of_pages() {
    let html = "<link rel=canonical href=//www.example.org/c#top><a href=x><a href=http://www.example.org/y>";
    let run = |args: &[&str], input: &[u8]| {
        let (lines, problems, code) = links(args, input);
        assert_eq!((&*problems, code), ("", 0), "{args:?}");
        lines
    };
    let columns = |args: &[&str]| {
        let lines =
            run(&[args, &["--base=http://example.com/d/p?s=1", "--format=jsonl", "-"]].concat(), html.as_bytes());
        let field = |line: &str, name: &str| {
            line.split_once(&format!("\"{name}\":\"")).unwrap().1.split('"').next().unwrap().to_owned()
        };
        lines.lines().map(|line| field(line, "page_uri") + " " + &field(line, "uri")).collect::<Vec<_>>()
    };
    let [own, canonical] = ["http://example.com/d/p?s=1", "http://www.example.org/c"];
    let [top, x, y] = ["http://www.example.org/c#top", "http://example.com/d/x", "http://www.example.org/y"];
    assert_eq!(columns(&["--same-host"]), [format!("{own} {x}")]);
    assert_eq!(columns(&["--canonical"]), [top, x, y].map(|uri| format!("{canonical} {uri}")));
    for scope in ["--same-host", "--same-domain"] {
        assert_eq!(columns(&["--canonical", scope, "--kind=hyperlink"]), [format!("{canonical} {y}")]);
    }
    // In an archive it is the name of the page, also of a rejected link.
    let content = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: </f>; rel=canonical\r\n\r\n{html}");
    let archive = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {own}\r\nContent-Length: {}\r\n\r\n{content}\r\n\r\n",
        content.len()
    );
    let lines = run(&["--canonical", "--kind=hyperlink", "-"], archive.as_bytes());
    assert_eq!(lines, format!("http://example.com/f\ta\thref\tx\t{x}\nhttp://example.com/f\ta\thref\t{y}\t{y}\n"));
    let file = folder("canonical").join("rejected");
    let rejected = format!("--rejected={}", file.display());
    run(&["--canonical", "--kind=hyperlink", "--same-host", &rejected, "-"], archive.as_bytes());
    let why = "other-host: the host is not that of the page";
    assert_eq!(std::fs::read_to_string(file).unwrap(), format!("http://example.com/f\ta\thref\t{y}\t{why}\n"));
    // Within a nested URI.
    let prefix = "https://web.archive.org/web/2020/";
    let args = ["--canonical", "--nested", "--same-host", "--kind=hyperlink", "--format=jsonl", "-"];
    let lines = run(&args, archive.replace(own, &format!("{prefix}{own}")).as_bytes());
    assert!(lines.contains(&format!("\"page\":\"{prefix}http://example.com/f\"")) && lines.contains(x), "{lines}");
    assert_eq!(lines.lines().count(), 1);
}

/// Links that robots are asked not to follow are left out, counted, and listed with the reason.
#[test]
fn nofollow_links_are_left_out() {
    let file = folder("nofollow").join("rejected.tsv");
    let run = |args: &[&str], input: &[u8]| {
        let all = ["links", "--base=http://h/", "--no-nofollow", "--format=text", "--rejected", path(&file), "-"];
        let output = relref(&[&all, args].concat(), input);
        let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        let rejected = fs::read_to_string(&file).unwrap();
        let why = rejected.lines().map(|line| line.rsplit('\t').next().unwrap().split(':').next().unwrap());
        let why = why.collect::<Vec<_>>().join(" ");
        (stdout.replace('\n', " "), why, stderr.split_once(" s; ").map_or("", |(_, end)| end.trim_end()).to_owned())
    };
    let links = "<a href=a><a href=b rel='x NoFollow'><img src=c>";
    let expect = |args: &[&str], input: &[u8], lines: &str, why: &str, totals: &str| {
        let expected = (String::from(lines), String::from(why), String::from(totals));
        assert_eq!(run(args, input), expected, "{}", String::from_utf8_lossy(input));
    };
    expect(&[], links.as_bytes(), "http://h/a http://h/c ", "nofollow", "1 link nofollow");
    let all = "page-nofollow page-nofollow page-nofollow";
    for meta in ["<meta name=robots content='noindex, none'>", "<META content=nofollow name=Robots>"] {
        // Also after the links.
        for page in [format!("{meta}{links}"), format!("{links}{meta}")] {
            expect(&[], page.as_bytes(), "", all, "3 links nofollow");
        }
    }
    expect(
        &["--kind=resource"],
        b"<meta name=robots content=none><img src=//h:x>",
        "",
        "port-invalid at 1",
        "1 link invalid",
    );
    let archive = |field: &str| {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: <d>\r\n{field}\r\n{links}");
        let head = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nContent-Type: application/http";
        format!("{head}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n", http.len()).into_bytes()
    };
    expect(&[], &archive(""), "http://h/d http://h/a http://h/c ", "nofollow", "1 link nofollow");
    let all = &format!("{all} page-nofollow");
    expect(&[], &archive("X-Robots-Tag: noindex\r\nx-robots-tag: nofollow\r\n"), "", all, "4 links nofollow");
    let one = archive("X-Robots-Tag: examplebot: nofollow\r\n");
    expect(&[], &one, "http://h/d http://h/a http://h/c ", "nofollow", "1 link nofollow");
    // The rule in a page is also about the links in its HTTP head, in memory, in a stream and in UTF-16.
    let meta = "<meta name=robots content=nofollow>";
    let page_of = |page: &[u8]| {
        let http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: <d>\r\n\r\n";
        let head = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nContent-Type: application/http";
        let head = format!("{head}\r\nContent-Length: {}\r\n\r\n", http.len() + page.len());
        [head.as_bytes(), http, page, b"\r\n\r\n"].concat()
    };
    let utf_16 = format!("\u{feff}{meta}").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    for page in [meta.as_bytes(), (" ".repeat(600_000) + meta).as_bytes(), &utf_16] {
        expect(&[], &page_of(page), "", "page-nofollow", "1 link nofollow");
    }
    let wat = |fields: &str, metas: &str| {
        let json = format!(
            r#"{{"Envelope":{{"Payload-Metadata":{{"HTTP-Response-Metadata":{{"Headers":{{{fields}}},"HTML-Metadata":{{
            "Head":{{"Metas":[{metas}]}},"Links":[{{"path":"A@/href","url":"a"}},{{"path":"A@/href","url":"b","rel":"nofollow"}}]}}}}}}}}}}"#
        );
        let head = "WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: http://h/\r\nContent-Type: application/json";
        format!("{head}\r\nContent-Length: {}\r\n\r\n{json}\r\n\r\n", json.len()).into_bytes()
    };
    expect(&[], &wat("", ""), "http://h/a ", "nofollow", "1 link nofollow");
    for page in [wat(r#""X-Robots-Tag":"none""#, ""), wat("", r#"{"name":"robots","content":"nofollow"}"#)] {
        expect(&[], &page, "", "page-nofollow page-nofollow", "2 links nofollow");
    }
    // Without the option, they are links like others.
    let (text, ..) = super::run::links(&["--base=http://h/", "--format=text", "-"], links.as_bytes());
    assert_eq!(text.lines().count(), 3);
}

#[test]
fn texts_are_a_column() {
    let page = "<a href=x>one <b>t\two</b>\u{202e}<img src=y alt='a \\'></a><img src=z>";
    let run = |args: &[&str]| links(&[args, &["--base=http://h/", "--text", "-"]].concat(), page.as_bytes()).0;
    let expected = "\
-\ta\thref\tx\thttp://h/x\tone t wo%E2%80%AE a \\\n\
-\timg\tsrc\ty\thttp://h/y\ta \\\n\
-\timg\tsrc\tz\thttp://h/z\t\n";
    assert_eq!(run(&[]), expected);
    assert_eq!(run(&["--format=text", "--key=surt"]).lines().last(), Some("http://h/z\t\th)/z"));
    let object: serde_json::Value =
        serde_json::from_str(run(&["--json", "--key=surt"]).lines().next().unwrap()).unwrap();
    assert_eq!((&object["text"], &object["key"]), (&"one t wo\u{202e} a \\".into(), &"h)/x".into()));
    let long = format!("<a href=x>{}</a>", "y".repeat(5_000));
    let (text, ..) = links(&["--base=http://h/", "--format=text", "--text", "-"], long.as_bytes());
    assert_eq!(text.len(), "http://h/x\t\n".len() + 1024);
}

/// `links` takes the same changes as `normalize`, with the same messages.
#[test]
fn single_changes() {
    let page = b"<a href='http://www.H.com/a/?b&utm_source=x&a#c'>";
    let run = |args: &[&str]| links(&[args, &["--base=http://h/", "--format=text", "-"]].concat(), page);
    for (args, expected) in [
        (&["--normalize=crawl", "--with=drop-www,upgrade"][..], "https://h.com/a/?a&b"),
        (&["--normalize=crawl", "--without=drop-fragment", "--without", "sort-query"], "http://www.h.com/a/?b&a#c"),
        (&["--normalize=safe", "--keep-only=a"], "http://www.h.com/a/?a#c"),
        (
            &["--normalize=safe", "--with=drop-www", "--key=surt"],
            "http://h.com/a/?b&utm_source=x&a#c\tcom,h)/a/?b&utm_source=x&a",
        ),
        // Parameters are dropped without a preset, too, and nothing else is changed. The key is that of what is left.
        (&["--drop-param=utm_*"], "http://www.h.com/a/?b&a#c"),
        (&["--drop-param=*m_*", "--drop-param=A", "--key=surt"], "http://www.h.com/a/?b#c\tcom,h,www)/a/?b"),
        (&["--normalize=crawl", "--drop-param=B", "--key=host"], "http://www.h.com/a/?a\twww.h.com"),
        (&["--normalize=crawl", "--without=drop-tracking", "--drop-param=b"], "http://www.h.com/a/?a&utm_source=x"),
        (&["--key=domain"], "http://www.h.com/a/?b&utm_source=x&a#c\th.com"),
        (&["--normalize=safe", "--with=drop-www", "--key=host"], "http://h.com/a/?b&utm_source=x&a#c\th.com"),
    ] {
        assert_eq!(run(args), (format!("{expected}\n"), String::new(), 0), "{args:?}");
    }
    for (args, why) in [
        (&["--with=drop-www"][..], "--with, --without and --keep-only need --normalize safe or crawl"),
        (&["--normalize=none", "--keep-only=a"], "--with, --without and --keep-only need --normalize safe or crawl"),
        (
            &["--normalize=crawl", "--with=keep-only"],
            "keep-only needs the names of parameters: write --keep-only NAME,… instead of --with keep-only",
        ),
        (&["--normalize=crawl", "--without=drop-wwww"], "a similar value exists: 'drop-www'"),
    ] {
        let (text, problems, code) = run(args);
        assert!(problems.contains(why) && text.is_empty() && code == 2, "{args:?}: {problems}");
    }
}

/// Of pages in any character encoding, and of URIs without a host.
#[test]
fn parameters_and_hosts_of_any_page() {
    let page = b"<meta charset=windows-1252><a href='/?caf\xE9_x=1&q=\xFC&SID=2'><a href=http://caf\xE9.example./a><a href=mailto:a@b>\
        <a href=http://[::0:1]:8080/><a href=//0x7f.1/><a href=http://h/100%>";
    let expected = "\
        http://www.h.co.uk/?q=%FC\th.co.uk\n\
        http://xn--caf-dma.example./a\txn--caf-dma.example\n\
        mailto:a@b\t\n\
        http://[::1]:8080/\t[::1]\n\
        http://127.0.0.1/\t127.0.0.1\n\
        http://h/100%\th\n";
    let args = [
        "--base=http://www.h.co.uk/",
        "--format=text",
        "--drop-param=caf%E9*",
        "--drop-param=*id",
        "--key=domain",
        "-",
    ];
    assert_eq!(links(&args, page), (expected.into(), String::new(), 0));
    // One line for each host.
    let (text, ..) = links(&[&args[..2], &["--key=host", "--unique=key", "--follow", "-"]].concat(), page);
    let hosts: Vec<&str> = text.lines().map(|line| line.split_once('\t').unwrap().1).collect();
    assert_eq!(hosts, ["www.h.co.uk", "xn--caf-dma.example", "[::1]", "127.0.0.1", "h"]);
    // By the rules of a document, the query is not encoded, but the parameter is found.
    let args = ["--rules=rfc3986", "--base=http://h/", "--format=text", "--drop-param=ссылка*", "-"];
    assert_eq!(links(&args, "<a href='?ссылка_1=а&б'>".as_bytes()).0, "http://h/?б\n");
}

/// The options in the help are in groups, each with its heading; the manual page has them too.
#[test]
fn help_has_groups() {
    let help = |args: &[&str]| String::from_utf8(relref(args, b"").stdout).unwrap();
    let texts = [help(&["links", "--help"]), help(&["links", "-h"])];
    for text in &texts {
        let headings =
            ["\nPages:\n", "\nLinks to print:\n", "\nNormal forms and keys:\n", "\nOutput:\n", "\nLimits:\n"];
        let places: Vec<_> = headings.iter().map(|heading| text.find(heading).expect(heading)).collect();
        assert!(places.is_sorted(), "{text}");
        // Only the option about help itself is in no group.
        let options = text.split("\nOptions:\n").nth(1).unwrap();
        assert!(
            options.lines().take_while(|line| !line.ends_with(':')).filter(|line| line.contains(" --")).count() == 1
        );
        for (option, group) in [("--base", 0), ("--unique", 1), ("--normalize", 2), ("--quiet", 3), ("--threads", 4)] {
            let end = places.get(group + 1).copied().unwrap_or(text.len());
            let is_there = |line: &str| line.trim_start().trim_start_matches("-q, ").starts_with(option);
            assert!(text[places[group]..end].lines().any(is_there), "{option}");
        }
    }
    assert!(texts[0].lines().count() > 2 * texts[1].lines().count());
}

/// The help of each option of the command names the attributes that need this option in the table of the documentation.
#[test]
fn the_help_names_the_attributes_of_each_option() {
    let table: Vec<&str> =
        include_str!("../../../links/src/html.rs").lines().filter(|line| line.starts_with("//! | `")).collect();
    let output = relref(&["links", "--help"], b"");
    let help = String::from_utf8(output.stdout).unwrap();
    for option in ["lazy", "items"] {
        let (_, paragraph) = help.split_once(&format!("\n      --{option}\n")).unwrap();
        let paragraph = paragraph.split("\n      --").next().unwrap();
        let in_help: BTreeSet<&str> = paragraph
            .split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_'))
            .filter(|word| table.iter().any(|row| row.split('`').nth(1) == Some(word)))
            .collect();
        let has_option = |row: &&&str| row.contains(&format!("[`{option}`]"));
        let in_table: BTreeSet<&str> =
            table.iter().filter(has_option).filter_map(|row| row.split('`').nth(1)).collect();
        assert!(!in_table.is_empty());
        assert_eq!(in_help, in_table, "{paragraph}");
    }
}
