//! Help, messages and exit codes.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::process::{expect, folder, relref};

#[test]
fn bad_input_is_told_and_the_rest_done() {
    let why = "not an absolute URI: expected `:` to end the scheme, found the end at byte 1";
    expect(&["resolve", "x", "y"], b"", "", &format!("relref: x: {why}\n"), 1);
    expect(&["compare", "x", "y"], b"", "", &format!("relref: x: {why}\n"), 1);
    expect(&["relativize", "a:b", "x", "a:c"], b"", "\nc\n", &format!("relref: x: {why}\n"), 1);
    let stderr = "relref: line 2: \u{fffd}: not UTF-8 at byte 0\n";
    expect(&["resolve", "a:b"], b"c\n\xfe\nd\n", "a:c\n\na:d\n", stderr, 1);
    expect(&["relativize", "--pairs"], b"a:b\tx\n", "\n", &format!("relref: line 1: x: {why}\n"), 1);
}

#[test]
fn check_names_what_cannot_be_read() {
    let check = |args: &[&str], stderr: &str| expect(&[&["check", "-q"], args].concat(), b"", "", stderr, 1);
    check(&["--root", "src", "src/main.rs", "Cargo.toml"], "relref: Cargo.toml: it is not in src\n");
    let why = "error parsing glob 'a{b': unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)";
    check(&["--exclude", "a{b", "src"], &format!("relref: --exclude: {why}\n"));
    let (missing, advice) = ("No such file or directory (os error 2)", "save it first, as with curl or wget");
    let why = format!("{missing}; relref reads files, and never fetches: {advice}");
    check(&["http://h/x.html"], &format!("relref: http://h/x.html: {why}\n"));
}

#[test]
fn wrong_usage_is_2() {
    for args in [
        &["rewrite", "--to", "absolute", "--base", "a://b/", "--resources", "x", "-"] as &[_],
        &["resolve"],
        &[],
        &["resolve", "--pairs", "a:b"],
        &["resolve", "--rules", "rfc822", "a:b"],
        &["compare", "a:b"],
        &["links"],
        &["links", "--base", "a:b", "-", "-"],
        &["links", "--base", "a:b", "-", "--files-from", "-"],
        &["links", "--kind", "image", "x"],
        &["links", "--format", "csv", "x"],
        &["links", "--max-page", "1T", "x"],
        &["links", "--max-page", "-1", "x"],
        &["links", "--max-uri", "all", "x"],
        &["links", "--threads", "0", "x"],
        &["links", "--unique=key", "x"],
        &["links", "--with", "drop-www", "x"],
        &["normalize", "--with", "keep-only", "a:b"],
        &["fetch"],
    ] {
        let output = relref(args, b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        // One empty line separates the parts of the message.
        assert!(!String::from_utf8_lossy(&output.stderr).contains("\n\n\n"), "{args:?}");
        assert!(output.stdout.is_empty());
    }
    let output = relref(&["resolve", "--rules", "rfc822", "a:b"], b"");
    assert!(
        String::from_utf8_lossy(&output.stderr).starts_with("relref: invalid value 'rfc822' for '--rules <RULES>': ")
    );
}

#[test]
fn links_without_files_name_both_ways_to_give_them() {
    let stderr = String::from_utf8(relref(&["links"], b"").stderr).unwrap();
    assert!(
        stderr.starts_with(
            "relref: nothing to read: give FILE (`-` is standard input), or --files-from with a list of files\n"
        ),
        "{stderr}"
    );
}

/// No input makes two lines of a message, or controls the terminal that shows it.
#[test]
fn messages_are_lines() {
    let bad = "\nrelref: \u{1b}[2J\u{9b}2J\u{7f}\u{202e}\u{2066}\u{61c}\u{200f}\r";
    let folder = folder("messages");
    let file = folder.join(bad);
    let file = file.to_str().unwrap();
    let page = folder.join("page.html");
    fs::write(&page, "<a href=x>").unwrap();
    let page = page.to_str().unwrap();
    let option = format!("--{bad}");
    let value = format!("--rules={bad}");
    let step = format!("--with={bad}");
    let size = format!("--max-page={bad}");
    for args in [
        &["resolve", bad, "x"] as &[_],
        &["compare", bad, "x"],
        &["relativize", "a:b", bad],
        &["equal", "a:b", &format!("a:%{bad}")],
        &["normalize", &format!("a:%{bad}")],
        &["unwrap", file],
        &["links", "-q", file],
        &["links", "-q", "--base", &format!("http://{bad}"), page],
        &["links", "-q", "--rules", "rfc3986", "--base", bad, page],
        &["links", "-q", "--files-from", file],
        &["links", "-q", "--output", &format!("{file}/x"), page],
        &[bad],
        &["resolve", &option],
        &["links", &option],
        &["unwrap", &option],
        &["compare", "a:b", "x", &option],
        &["resolve", &value],
        &["normalize", &step],
        &["links", &size],
        &["links", "--format", bad],
        &["links", "--kind", bad],
    ] {
        let output = relref(args, b"");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.starts_with("relref: ") && output.status.code() != Some(0), "{args:?}: {text:?}");
        assert_eq!(text.lines().filter(|line| line.starts_with("relref: ")).count(), 1, "{args:?}: {text:?}");
        let is_safe = |c: char| c == '\n' || !c.is_control() && !"\u{202e}\u{2066}\u{61c}\u{200f}".contains(c);
        assert!(text.chars().all(is_safe), "{args:?}: {text:?}");
    }
}

/// Returns a command as a shell would run it, so that examples without the quotes that they need fail.
fn pasted(args: &str) -> Command {
    let relref = env!("CARGO_BIN_EXE_relref");
    if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("\"$0\" {args}"), relref]);
        shell
    } else {
        let mut command = Command::new(relref);
        command.args(args.split(' ').map(|arg| arg.trim_matches('\'')));
        command
    }
}

/// `-h` has one screen for each command, with the start of the text that `--help` has for an option.
#[test]
fn short_help_is_short() {
    let help = |args: &[&str]| String::from_utf8(relref(args, b"").stdout).unwrap();
    for command in ["resolve", "links", "check", "rewrite", "normalize", "validate"] {
        let [short, long] = ["-h", "--help"].map(|option| help(&[command, option]));
        let lines = short.lines().count();
        assert!(lines <= 60 && 3 * lines < 2 * long.lines().count(), "{command} -h: {lines} lines");
    }
    assert!(help(&["links", "-h"]).contains("--base <URI>         The URI of the page\n"));
    let long = help(&["links", "--help"]);
    assert!(long.contains("The URI of the page. For a FOLDER, the URI that"));
    let first: Vec<&str> = long.lines().take(5).collect();
    assert!(first.contains(&"`relref links -h` has the options on one screen.") && long.lines().count() < 400);
}

/// Each `$ relref …` in a help text and in README prints the lines that follow it.
#[test]
fn the_examples_of_help_and_readme_work() {
    let commands =
        ["resolve", "relativize", "compare", "links", "inspect", "unwrap", "normalize", "equal", "validate", "rules"];
    let mut texts = commands.map(|command| ("  ", relref(&[command, "--help"], b"").stdout)).to_vec();
    texts.push(("", fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap()));
    let mut ran = 0;
    for (indent, text) in texts {
        let folder = folder("help");
        let mail = "I found it (<URL:ftp://info.cern.ch/pub/www/doc>) and more <http://ds.in\n  ternic.net/instructions/overview.html#WARNING>.";
        fs::write(folder.join("mail.txt"), mail).unwrap();
        fs::write(folder.join("index.html"), "<a href=intro.html>Introduction</a><img src=/logo.png>").unwrap();
        fs::create_dir_all(folder.join("site/a")).unwrap();
        fs::write(folder.join("site/a/b.html"), "<a href=c.html>next</a><img src=/logo.png>").unwrap();
        let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=y><a href=y><a href=mailto:z>";
        let head = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/x";
        let warc = format!("{head}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n", http.len());
        fs::write(folder.join("crawl.warc"), warc).unwrap();
        if indent.is_empty() {
            let folder = folder.join("repository");
            fs::create_dir_all(folder.join("docs")).unwrap();
            fs::create_dir(folder.join(".git")).unwrap();
            for (file, text) in [
                ("README.md", "# Tea\n\nSee [the guide](Guide.md#Brewing) and [why](docs/why.md).\n"),
                ("guide.md", "# Guide\n\n## Brewing\n\n![a pot](pot.png)\n"),
                ("docs/why.md", "# Why\n\nBack to [the guide](../guide.md).\n"),
                ("pot.png", ""),
            ] {
                fs::write(folder.join(file), text).unwrap();
            }
        }
        let folder = if indent.is_empty() { folder.join("repository") } else { folder };
        let text = String::from_utf8(text).unwrap();
        let mut lines = text.lines().filter_map(|line| line.strip_prefix(indent)).peekable();
        while let Some(line) = lines.next() {
            let Some(args) = line.strip_prefix("$ relref ") else { continue };
            // Some shells take these characters for patterns of file names, and fail.
            let unquoted: String = args.split('\'').step_by(2).collect();
            assert!(!unquoted.contains(['*', '?', '[', '&', ';', '(', '$', '!']) && !unquoted.contains(" #"), "{line}");
            let mut expected = String::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with('$') && *line != "```") {
                expected += &format!("{line}\n");
            }
            let mut example = pasted(args);
            let output = example.current_dir(&folder).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), expected.trim_end(), "{line}");
            ran += 1;
        }
    }
    assert_eq!(ran, 34);
}
