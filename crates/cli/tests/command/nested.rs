//! `--nested`: the references of an archived page stay in the archive.

use super::process::{expect, relref};

const PAGE: &str = "https://web.archive.org/web/2020/http://example.com/list/page";

#[test]
fn resolves_within_the_innermost_uri() {
    let prefix = "https://web.archive.org/web/2020";
    let results = format!(
        "{prefix}/http://example.com/list/page?page=2\n{prefix}/http://cdn.example/x\n{prefix}/http://example.com/g\n"
    );
    let run = ["resolve", "--nested", "--rules", "whatwg", PAGE, "?page=2", "//cdn.example/x", "../../../../g"];
    expect(&run, b"", &results, "", 0);
    let pairs = format!("{PAGE}\t//cdn.example/x\n{PAGE}\t/g\nhttp://h/a\tb\n");
    let results = format!("{prefix}/http://cdn.example/x\n{prefix}/http://example.com/g\nhttp://h/b\n");
    expect(&["resolve", "--nested", "--pairs"], pairs.as_bytes(), &results, "", 0);
    // A result that is an error leaves nothing of the prefix.
    let problem = "relref: //h:x: port-invalid at byte 4: a port has only digits\n";
    expect(&["resolve", "--nested", "--rules", "whatwg", PAGE, "//h:x"], b"", "\n", problem, 1);
}

#[test]
fn relativizes_and_compares() {
    let targets = ["https://web.archive.org/web/2020/http://example.com/list/x", "https://web.archive.org/about"];
    let problem = "relref: https://web.archive.org/about: no reference leads to it: it does not start with \
                   https://web.archive.org/web/2020/\n";
    expect(&["relativize", "--nested", PAGE, targets[0], targets[1]], b"", "x\n\n", problem, 1);
    let output =
        relref(&["compare", "--nested", "--rules", "rfc1630,rfc3986,whatwg", "view-source:http://h/a", "?y"], b"");
    let table = "\
reference  rfc1630                  rfc3986                 whatwg
?y         view-source:http://h/?y*  view-source:http://h/a?y  view-source:http://h/a?y
";
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&String::from_utf8(output.stdout).unwrap()), words(table));
}

#[test]
fn links_of_an_archived_page() {
    let html = "<base href=/b/><a href=c><a href=//Cdn.example:80/é><a href=mailto:x><a href='//h:x'>".as_bytes();
    let run = |args: &[&str]| {
        let output = relref(&[&["links", "--nested", "--base", PAGE, "--format", "text", "-"], args].concat(), html);
        String::from_utf8(output.stdout).unwrap()
    };
    let [prefix, c] = ["https://web.archive.org/web/2020", "https://web.archive.org/web/2020/http://example.com/b/c"];
    let all = format!("{c}\n{prefix}/http://cdn.example/%C3%A9\n{prefix}/mailto:x\n");
    assert_eq!(run(&[]), all);
    // Scope, normal forms and keys are about the innermost URIs.
    assert_eq!(run(&["--same-host", "--kind", "hyperlink"]), format!("{c}\n"));
    assert_eq!(run(&["--follow", "--kind", "hyperlink"]), format!("{c}\n{prefix}/http://cdn.example/%C3%A9\n"));
    let keys = format!("{c}\tcom,example)/b/c\n");
    assert_eq!(run(&["--same-host", "--kind", "hyperlink", "--key", "surt"]), keys);
    let normal = format!("{prefix}/http://example.com/b/c\n{prefix}/http://cdn.example/%C3%A9\n");
    let by_rfc = ["--rules", "rfc3986", "--normalize", "crawl", "--follow", "--kind", "hyperlink"];
    assert!(run(&by_rfc).starts_with(&normal), "{}", run(&by_rfc));
}

#[test]
fn explanations_tell_the_prefix() {
    for rules in ["rfc3986", "whatwg"] {
        let run = |option| {
            let base = "https://архив.example/http://h/a\u{1b}";
            let output = relref(&["resolve", "--nested", "--rules", rules, option, base, "/g"], b"");
            String::from_utf8(output.stdout).unwrap()
        };
        let (text, object) = (run("--explain"), run("--json"));
        let object: serde_json::Value = serde_json::from_str(&object).unwrap();
        assert!(text.starts_with("  keep `https://архив.example/` before the result of `http://h/a"), "{text}");
        assert!(text.contains("(decision: ") && text.ends_with("\nhttps://архив.example/http://h/g\n"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
        assert_eq!(object["prefix"], "https://архив.example/");
        assert_eq!(object["uri"], "https://архив.example/http://h/g");
        assert_eq!((&object["authority"], &object["path"]), (&"h".into(), &"/g".into()));
    }
}

/// As the help says: what follows `!/` is no URI.
#[test]
fn jar_uris_have_an_ordinary_path() {
    let base = "jar:file:/a/b.jar!/c/d.html";
    let results = "jar:file:/a/b.jar!/c/e.html\njar:file:/g\njar:file:/x\n";
    expect(&["resolve", "--nested", "--rules", "rfc3986", base, "e.html", "/g", "../../../x"], b"", results, "", 0);
}
