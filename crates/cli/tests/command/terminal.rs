//! No character of an input controls a terminal: every command, in every format, with control characters at every place.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Output;

use super::process::{folder, relref};
use crate::archive::made::{http, record, response_fields};

/// Returns all control characters of C0 except NUL (which no argument can have), DEL, C1, and the characters that change the
/// direction of text.
fn controls() -> String {
    let bidi = "\u{61c}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}";
    ('\u{1}'..='\u{1f}').chain('\u{7f}'..='\u{9f}').chain(bidi.chars()).collect()
}

/// Checks that an output has no control characters except line breaks and, in formats with columns, tabs. Also checks that each
/// line of a JSON output is JSON.
fn check(args: &[&str], output: &Output) {
    let unsafe_characters: HashSet<char> = controls().chars().chain(['\0']).collect();
    let (is_json, is_table) =
        (args.iter().any(|arg| matches!(*arg, "--json" | "--format=jsonl" | "--dry-run")), args[0] != "links");
    let has_columns =
        !args.contains(&"--format=text") || args.iter().any(|arg| arg.starts_with("--key") || *arg == "--text");
    let has_tabs = !is_json && (!is_table && has_columns || args[0] == "unwrap");
    let has_rejected = args.contains(&"--rejected=/dev/stderr");
    for (name, text, has_tabs) in [("stdout", &output.stdout, has_tabs), ("stderr", &output.stderr, has_rejected)] {
        let text = std::str::from_utf8(text).unwrap();
        let is_allowed = |c: char| c == '\n' || c == '\t' && has_tabs || !unsafe_characters.contains(&c);
        if let Some(bad) = text.chars().find(|c| !is_allowed(*c)) {
            panic!("{bad:?} in {name} of {args:?}: {text:?}");
        }
    }
    if is_json && output.status.code() != Some(2) {
        for line in std::str::from_utf8(&output.stdout).unwrap().lines().filter(|line| !line.is_empty()) {
            let object: serde_json::Value =
                serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {args:?}: {line}"));
            assert!(object.is_object(), "{args:?}: {line}");
        }
    }
}

/// The sets of options with which each command is tested. Each option of `--help` that changes the output must be here.
const COMMANDS: [(&str, &[&[&str]]); 9] = [
    ("resolve", &[&[], &["--json"], &["--explain"], &["--explain", "--json"], &["--pairs"], &["--pairs", "--json"]]),
    ("relativize", &[&[], &["--json"], &["--pairs"], &["--pairs", "--json"]]),
    ("compare", &[&[], &["--json"]]),
    (
        "normalize",
        &[
            &[],
            &["--json"],
            &["--explain"],
            &["--explain", "--json"],
            &["--iri"],
            &["--iri", "--json"],
            &["--key=surt"],
            &["--key=cdx"],
            &["--key=cdx", "--json"],
        ],
    ),
    ("equal", &[&[], &["--json"], &["--no-fragment"]]),
    ("inspect", &[&[], &["--json"]]),
    ("validate", &[&[], &["--json"], &["--grammar=rfc1630-url,rfc1738-url"], &["--grammar=rfc1630-url", "--json"]]),
    ("rules", &[&[], &["--json"]]),
    ("unwrap", &[&[], &["--json"]]),
];

/// Returns URIs and references with all control characters in each component.
fn texts() -> Vec<String> {
    let all = controls();
    [
        "{}",
        "http://{}/",
        "http://h/a b%{}?{}#{}",
        "//u{}:p{}@h:{}/..",
        "mailto:{}@h",
        "ftp://h/{};type={}",
        "x{}:y",
        "..\\{}é",
        "wais://h/{}?{}",
    ]
    .map(|form| form.replace("{}", &all))
    .into_iter()
    .chain(all.chars().map(|c| format!("http://h{c}/{c}")))
    .collect()
}

#[test]
fn no_command_prints_control_characters() {
    let texts = texts();
    for (command, option_sets) in COMMANDS {
        for options in option_sets {
            let rules: &[&[&str]] = match command {
                "resolve" | "relativize" => &[&["--rules=rfc1630"], &["--rules=rfc3986+lenient"], &["--rules=whatwg"]],
                "normalize" => &[&["--preset=crawl"], &["--rules=whatwg"]],
                "equal" | "inspect" => &[&["--rules=rfc3986"], &["--rules=whatwg"]],
                _ => &[&[]],
            };
            for rules in rules {
                let start = [&[command], *options, *rules].concat();
                let run = |values: &[&str], input: &str| {
                    let args = [&start[..], &["--"], values].concat();
                    check(&args, &relref(&args, input.as_bytes()));
                };
                let lines: String = texts.iter().map(|text| text.replace('\n', " ") + "\n").collect();
                let pairs: String = texts
                    .iter()
                    .map(|text| {
                        let text = text.replace(['\n', '\t'], " ");
                        format!("{text}\t{text}\nhttp://h/a\t{text}\n")
                    })
                    .collect();
                let some: Vec<&str> = texts[..10].iter().map(String::as_str).collect();
                match command {
                    _ if options.contains(&"--pairs") => run(&[], &pairs),
                    "resolve" | "relativize" | "compare" => {
                        run(&[&["http://h/a/b"], &some[..]].concat(), "");
                        run(&["http://h/a/b"], &lines);
                        some.iter().for_each(|base| run(&[base, "c"], ""));
                    }
                    "equal" => some.iter().for_each(|text| {
                        run(&[text, "http://h/"], "");
                        run(&[text, text], "");
                    }),
                    "unwrap" => {
                        run(&[], &texts.iter().map(|text| format!("<URL:{text}> <{text}>\n")).collect::<String>())
                    }
                    _ => {
                        run(&some, "");
                        run(&[], &lines);
                    }
                }
            }
        }
    }
}

#[test]
fn links_prints_no_control_characters() {
    let root = folder("terminal");
    let all = controls();
    let mut page = format!("<title>{all}</title><base href='/b/{all}/'><a{all} href=x {all}=y>");
    for text in texts() {
        page += &format!(
            "<a href=\"{text}\" rel=\"{text}\">{text}</a><img src=\"{text}\" alt=\"{text}\"><form action=\"{text}\"></form>"
        );
        page +=
            &format!("<meta http-equiv=refresh content=\"0; url='{text}'\"><style>a {{ b: url(\"{text}\") }}</style>");
    }
    let feed: String = texts().iter().map(|text| format!("<link>{text}</link><l href=\"{text}\"/>")).collect();
    let robots: String = texts().iter().map(|text| format!("Sitemap: {text}\n")).collect();
    let captures = [
        record("response", &response_fields("http://h/"), &http("Content-Type: text/html\r\n", page.as_bytes())),
        record(
            "response",
            &response_fields(&format!("http://h/{all}").replace(['\n', '\r'], "")),
            &http("Content-Type: text/html\r\n", page.as_bytes()),
        ),
        record(
            "response",
            &response_fields("http://h/r"),
            &http(&format!("Location: {}\r\n", all.replace(['\n', '\r'], "")), b""),
        ),
        record(&all.replace(['\n', '\r'], ""), "", b"x"),
    ]
    .concat();
    let name = root.join(if cfg!(unix) { all.as_str() } else { "page" }).with_extension("html");
    let inputs: [(&Path, &[u8]); 5] = [
        (Path::new("page.html"), page.as_bytes()),
        (name.file_name().unwrap().as_ref(), page.as_bytes()),
        (Path::new("feed.xml"), format!("<rss xml:base='{all}'>{feed}</rss>").into_bytes().leak()),
        (Path::new("robots.txt"), robots.as_bytes()),
        (Path::new("crawl.warc"), &captures),
    ];
    let text_of = |path: &Path| path.to_str().unwrap().to_owned();
    for (name, bytes) in inputs {
        let path = text_of(&root.join(name));
        if fs::write(&path, bytes).is_err() {
            continue;
        }
        for format in ["--format=text", "--format=tsv", "--format=jsonl"] {
            for more in [
                &[][..],
                &["--normalize=crawl", "--key=surt"],
                &["--rules=rfc1630", "--key=cdx", "--items"],
                &["--unique", "--follow"],
                &["--text"],
                &["--no-nofollow", "--rejected=/dev/stderr"],
            ] {
                let args = [&["links", format, "--base=http://h/a/"], more, &[&path]].concat();
                let output = relref(&args, b"");
                assert!(!output.stdout.is_empty() && output.status.code() != Some(2), "{args:?}");
                check(&args, &output);
            }
        }
    }
}

#[test]
fn rewrite_shows_no_control_characters() {
    let root = folder("terminal-rewrite");
    let all = controls();
    let mut page = format!("<title>{all}</title><base href='/b/{all}/'><a{all} href=x {all}=y>");
    for text in texts() {
        page += &format!("<a href=\"{text}\">{text}</a><img src='{text}'>\n<style>a {{ b: url(\"{text}\") }}</style>");
    }
    let name = root.join(if cfg!(unix) { all.as_str() } else { "page" }).with_extension("html");
    fs::write(&name, &page).unwrap();
    for mode in ["absolute", "relative", "root"] {
        for rules in ["whatwg", "rfc3986"] {
            let options = ["rewrite", "--dry-run", "--to", mode, "--rules", rules, "--base=http://h/a/"];
            let args = [&options[..], &[name.to_str().unwrap()]].concat();
            let output = relref(&args, b"");
            assert!(!output.stdout.is_empty() && output.status.success(), "{args:?}");
            check(&args, &output);
        }
    }
}

#[cfg(unix)]
#[test]
fn moving_shows_no_control_characters() {
    let root = folder("terminal-move");
    let all = controls();
    fs::create_dir(root.join("d")).unwrap();
    for (name, text) in [("a.html", format!("<a href=\"d/{all}.md\">x</a>")), ("b.conf", format!("d/{all}.md {all}"))] {
        fs::write(root.join(format!("{all}{name}")), text).unwrap();
    }
    fs::write(root.join(format!("d/{all}.md")), "").unwrap();
    let (old, new) = (root.join(format!("d/{all}.md")), root.join(format!("{all}.md")));
    let (root, old, new) = (root.to_str().unwrap(), old.to_str().unwrap(), new.to_str().unwrap());
    for args in [
        ["move", "--root", root, "--format", "jsonl", "--dry-run", old, new].as_slice(),
        &["move", "--root", root, old, new],
        &["move", "--root", root, new, old],
    ] {
        let output = relref(args, b"");
        assert!(output.status.success() && !output.stdout.is_empty(), "{output:?}");
        check(args, &output);
    }
    check(&["move", "--root", root, new, old], &relref(&["move", "--root", root, new, old], b""));
}

/// The tests above run each command with each option that changes the form of its output.
#[test]
fn all_formats_are_checked() {
    let help = |args: &[&str]| String::from_utf8(relref(args, b"").stdout).unwrap();
    let list = help(&["--help"]);
    let list = list.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    for name in names.map(|line| line.split(' ').next().unwrap()) {
        // They print nothing of an input, or have a test of their own.
        if matches!(name, "completions" | "man" | "licenses" | "help" | "links" | "check" | "rewrite" | "move") {
            continue;
        }
        let (_, option_sets) = COMMANDS.iter().find(|(command, _)| *command == name).expect(name);
        let text = help(&[name, "--help"]);
        for option in ["--json", "--explain", "--key", "--pairs"] {
            let is_option = text.lines().any(|line| line.trim_start().split(' ').next() == Some(option));
            let is_checked =
                option_sets.iter().any(|set| set.iter().any(|checked| checked.split('=').next() == Some(option)));
            assert_eq!(is_option, is_checked, "{name} {option}");
        }
    }
}
